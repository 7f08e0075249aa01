// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine_tuning/tune_options.h"

#include "base/ini.h"
#include "base/mem.h"
#include "engine_tuning/tune_json.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { FIELDS_MIN = 2, FIELDS_MAX = 4 };

void tune_options_free(TuneOptions *options) {
    for (size_t i = 0; i < options->count; i++)
        free(options->items[i].name);
    free(options->items);
    *options = (TuneOptions){0};
}

// Whole numbers from the end of the text, separated by colons; the rest, the name, stays. A name
// may have colons of its own.
static size_t cut_numbers(StrView *text, int64_t out[FIELDS_MAX]) {
    int64_t reversed[FIELDS_MAX];
    size_t count = 0;
    while (count < FIELDS_MAX) {
        const char *colon = memrchr(text->text, ':', text->length);
        if (colon == NULL)
            break;
        const size_t before = (size_t)(colon - text->text);
        StrView field = view_trim(view_of(colon + 1, text->length - before - 1));
        if (!view_to_int(field, &reversed[count]))
            break;
        count++;
        *text = view_of(text->text, before);
    }
    for (size_t i = 0; i < count; i++)
        out[i] = reversed[count - 1 - i];
    return count;
}

static Status check_bounds(const TuneOption *option) {
    const char *name = option->name;
    const long long low = option->low, high = option->high, step = option->step;
    // Everything below is exact in doubles.
    const int64_t most = (int64_t)1 << 31;
    if (low < -most || high > most)
        return error_set(ERR_ARG, "%s: bounds beyond %lld", name, (long long)most);
    if (low >= high)
        return error_set(ERR_ARG, "%s: the lower bound %lld is not below the upper, %lld", name,
                         low, high);
    if (step < 1)
        return error_set(ERR_ARG, "%s: the step must be 1 or more, not %lld", name, step);
    if (step > high - low)
        return error_set(ERR_ARG, "%s: with a step of %lld only %lld is left between %lld and %lld",
                         name, step, low, low, high);
    if (option->has_start && (option->start < low || option->start > high))
        return error_set(ERR_ARG, "%s: starts at %lld, outside of %lld to %lld", name,
                         (long long)option->start, low, high);
    return OK;
}

static Status add_option(TuneOptions *options, const TuneOption *option) {
    Status status = check_bounds(option);
    if (status == OK && options->count == TUNE_OPTIONS_MAX)
        status = error_set(ERR_ARG, "more than %d options to tune", TUNE_OPTIONS_MAX);
    for (size_t i = 0; i < options->count && status == OK; i++)
        if (strcasecmp(options->items[i].name, option->name) == 0)
            status = error_set(ERR_ARG, "%s: named twice", option->name);
    if (status != OK)
        return status;
    options->items =
        mem_grow(options->items, &options->capacity, options->count + 1, sizeof *options->items);
    options->items[options->count] = *option;
    options->items[options->count++].name = mem_copy_string(option->name);
    return OK;
}

Status tune_options_add(TuneOptions *options, const char *text) {
    int64_t numbers[FIELDS_MAX];
    StrView rest = view_from_string(text);
    const size_t count = cut_numbers(&rest, numbers);
    rest = view_trim(rest);
    if (count < FIELDS_MIN || rest.length == 0)
        return error_set(ERR_ARG, "'%s': expected Name:low:high[:step[:start]] in whole numbers",
                         text);
    char *name = strndup(rest.text, rest.length);
    TuneOption option = {.name = name,
                         .low = numbers[0],
                         .high = numbers[1],
                         .step = count > 2 ? numbers[2] : 1,
                         .has_start = count > 3,
                         .start = count > 3 ? numbers[3] : 0};
    const Status status = add_option(options, &option);
    free(name);
    return status;
}

static Status take_setting(void *context, const char *section, const char *key, const char *value) {
    if (strcmp(section, "tune") != 0)
        return error_set(ERR_PARSE, "[%s]: only a section [tune] is known here", section);
    Str text = {0};
    str_addf(&text, "%s:%s", key, value);
    const Status status = tune_options_add(context, str_text(&text));
    str_free(&text);
    return status;
}

static Status take_json(void *context, const TuneJsonOption *found) {
    const TuneOption option = {.name = (char *)found->name,
                               .low = found->low,
                               .high = found->high,
                               .step = 1,
                               .has_start = true,
                               .start = found->value};
    return add_option(context, &option);
}

Status tune_options_read(TuneOptions *options, const char *path) {
    const size_t before = options->count;
    Status status = tune_json_is(path) ? tune_json_read(path, take_json, options)
                                       : ini_read_file(path, take_setting, options);
    if (status == OK && options->count == before)
        status = error_set(ERR_PARSE, "%s: no options to tune in it", path);
    return status;
}

void tune_option_write(const TuneOption *option, Str *out) {
    str_addf(out, "%s:%lld:%lld:%lld", option->name, (long long)option->low,
             (long long)option->high, (long long)option->step);
    if (option->has_start)
        str_addf(out, ":%lld", (long long)option->start);
}
