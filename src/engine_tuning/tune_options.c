// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine_tuning/tune_options.h"

#include "base/file.h"
#include "base/ini.h"
#include "base/mem.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { FIELDS_MIN = 2, FIELDS_MAX = 4, FILE_MAX = 1 << 20 };

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
    TRY(check_bounds(option));
    if (options->count == TUNE_OPTIONS_MAX)
        return error_set(ERR_ARG, "more than %d options to tune", TUNE_OPTIONS_MAX);
    for (size_t i = 0; i < options->count; i++)
        if (strcasecmp(options->items[i].name, option->name) == 0)
            return error_set(ERR_ARG, "%s: named twice", option->name);
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
    CLEANUP(mem_free_at) char *name = strndup(rest.text, rest.length);
    TuneOption option = {.name = name,
                         .low = numbers[0],
                         .high = numbers[1],
                         .step = count > 2 ? numbers[2] : 1,
                         .has_start = count > 3,
                         .start = count > 3 ? numbers[3] : 0};
    return add_option(options, &option);
}

static Status take_setting(void *context, const char *section, const char *key, const char *value) {
    if (strcmp(section, "tune") != 0)
        return error_set(ERR_PARSE, "[%s]: only a section [tune] is known here", section);
    CLEANUP(str_free) Str text = {0};
    str_addf(&text, "%s:%s", key, value);
    return tune_options_add(context, str_text(&text));
}

// --- weather-factory's config.json, read by cJSON ---

static Status take_number(const cJSON *object, const char *key, int64_t *out) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    if (!cJSON_IsNumber(item))
        return error_set(ERR_PARSE, "%s: \"%s\" is missing, or no number", object->string, key);
    // SPSA tells fractions; an option of type spin does not have them.
    if (fabs(item->valuedouble) > 1e15 || item->valuedouble != floor(item->valuedouble))
        return error_set(ERR_PARSE, "%s: \"%s\" is no whole number", object->string, key);
    *out = (int64_t)item->valuedouble;
    return OK;
}

static Status take_object(TuneOptions *options, const cJSON *object) {
    TuneOption option = {.name = object->string, .step = 1, .has_start = true};
    if (!cJSON_IsObject(object))
        return error_set(ERR_PARSE, "%s: expected {\"value\":, \"min_value\":, \"max_value\":}",
                         object->string);
    TRY(take_number(object, "value", &option.start));
    TRY(take_number(object, "min_value", &option.low));
    TRY(take_number(object, "max_value", &option.high));
    return add_option(options, &option);
}

CLEANUP_AT(cJSON *, cJSON_Delete)

static Status read_json(TuneOptions *options, const char *path) {
    CLEANUP(str_free) Str text = {0};
    TRY(file_read(path, FILE_MAX, &text));
    CLEANUP(cJSON_Delete_at) cJSON *root = cJSON_ParseWithLength(str_text(&text), text.length);
    if (!cJSON_IsObject(root))
        return error_set(ERR_PARSE, "%s: no JSON object of options", path);
    for (const cJSON *item = root->child; item != NULL; item = item->next)
        TRY_PREFIX(take_object(options, item), "%s", path);
    return OK;
}

// --- OpenBench's lines ---

enum {
    OPENBENCH_NAME,
    OPENBENCH_TYPE,
    OPENBENCH_VALUE,
    OPENBENCH_MIN,
    OPENBENCH_MAX,
    OPENBENCH_C,
    OPENBENCH_R,
    OPENBENCH_FIELDS
};

// The fields between commas, trimmed; how many there are.
static size_t split_commas(const char *text, StrView out[OPENBENCH_FIELDS]) {
    size_t count = 0;
    for (const char *at = text;; count++) {
        const char *end = at + strcspn(at, ",\r\n");
        if (count < OPENBENCH_FIELDS)
            out[count] = view_trim(view_of(at, (size_t)(end - at)));
        if (*end != ',')
            return count + 1;
        at = end + 1;
    }
}

static bool is_whole(StrView field, int64_t *out) {
    double number;
    if (!view_to_number(field, &number) || fabs(number) > 1e15 || number != floor(number))
        return false;
    *out = (int64_t)number;
    return true;
}

static Status check_spsa(const TuneOption *option) {
    return option->c_end > 0 && option->c_end < 1e15 && option->r_end > 0 && option->r_end <= 10
               ? OK
               : error_set(ERR_ARG, "%s: c_end must be above 0, and r_end from 0 to 10",
                           option->name);
}

Status tune_options_add_openbench(TuneOptions *options, const char *text) {
    StrView fields[OPENBENCH_FIELDS];
    TuneOption option = {.step = 1, .has_start = true};
    const size_t count = split_commas(text, fields);
    if (count != OPENBENCH_FIELDS || fields[OPENBENCH_NAME].length == 0)
        return error_set(ERR_PARSE,
                         "'%s': expected name, int, value, min, max, c_end, r_end, as OpenBench",
                         text);
    CLEANUP(mem_free_at)
    char *name = strndup(fields[OPENBENCH_NAME].text, fields[OPENBENCH_NAME].length);
    option.name = name;
    if (!view_equals(fields[OPENBENCH_TYPE], "int"))
        return error_set(ERR_PARSE, "%s: only options of type int can be set, not %.*s", name,
                         (int)fields[OPENBENCH_TYPE].length, fields[OPENBENCH_TYPE].text);
    if (!is_whole(fields[OPENBENCH_VALUE], &option.start) ||
        !is_whole(fields[OPENBENCH_MIN], &option.low) ||
        !is_whole(fields[OPENBENCH_MAX], &option.high) ||
        !view_to_number(fields[OPENBENCH_C], &option.c_end) ||
        !view_to_number(fields[OPENBENCH_R], &option.r_end))
        return error_set(ERR_PARSE,
                         "%s: value, min and max must be whole numbers, c_end and r_end "
                         "numbers",
                         name);
    TRY(check_spsa(&option));
    return add_option(options, &option);
}

// What is usual there: a twentieth of the range, and a rate for tens of thousands of games.
void tune_option_write_openbench(const TuneOption *option, double value, Str *out) {
    const double range = (double)(option->high - option->low);
    str_addf(out, "%s, int, %.0f, %lld, %lld, %.6g, %.6g", option->name, value,
             (long long)option->low, (long long)option->high,
             option->c_end > 0 ? option->c_end : range / 20,
             option->r_end > 0 ? option->r_end : 0.002);
}

Status tune_options_set_spsa(TuneOptions *options, const char *name, const char *text) {
    StrView rest = view_from_string(text);
    for (size_t i = 0; i < options->count; i++) {
        TuneOption *option = &options->items[i];
        if (strcmp(option->name, name) != 0)
            continue;
        if (!view_to_number(view_next_word(&rest), &option->c_end) ||
            !view_to_number(view_next_word(&rest), &option->r_end))
            return error_set(ERR_PARSE, "%s: expected c_end and r_end", name);
        return check_spsa(option);
    }
    return error_set(ERR_PARSE, "%s: it is not tuned", name);
}

// Only OpenBench's have commas: an INI file's first setting has none.
static bool is_openbench(const char *line) {
    StrView fields[OPENBENCH_FIELDS];
    return line[0] != '[' && line[0] != ';' && line[0] != '#' &&
           split_commas(line, fields) > OPENBENCH_MAX;
}

// Reads lines of OpenBench; `is` tells whether the file has them.
static Status read_openbench(TuneOptions *options, const char *path, bool *is) {
    CLEANUP(str_free) Str text = {0};
    TRY(file_read(path, FILE_MAX, &text));
    *is = false;
    char *rest = NULL;
    for (char *line = strtok_r(text.text, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest)) {
        const size_t blanks = strspn(line, " \t\r");
        if (line[blanks] == '\0' || (*is && line[blanks] == '#'))
            continue;
        if (!*is && !is_openbench(line + blanks))
            return OK;
        *is = true;
        line[strcspn(line, "\r")] = '\0';
        TRY_PREFIX(tune_options_add_openbench(options, line + blanks), "%s", path);
    }
    return OK;
}

Status tune_options_read(TuneOptions *options, const char *path) {
    const size_t before = options->count, length = strlen(path);
    const bool is_json = length > 5 && strcmp(path + length - 5, ".json") == 0;
    bool is_done = is_json;
    TRY(is_json ? read_json(options, path) : read_openbench(options, path, &is_done));
    if (!is_done)
        TRY(ini_read_file(path, take_setting, options));
    return options->count > before ? OK
                                   : error_set(ERR_PARSE, "%s: no options to tune in it", path);
}

void tune_option_write(const TuneOption *option, Str *out) {
    str_addf(out, "%s:%lld:%lld:%lld", option->name, (long long)option->low,
             (long long)option->high, (long long)option->step);
    if (option->has_start)
        str_addf(out, ":%lld", (long long)option->start);
}
