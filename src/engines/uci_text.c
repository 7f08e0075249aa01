// SPDX-License-Identifier: GPL-3.0-or-later
#include "engines/uci_text.h"

#include "base/mem.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { CHOICES_MAX = 1024 };

bool uci_line_is(StrView line, const char *word, StrView *rest) {
    *rest = line;
    return view_equals(view_next_word(rest), word);
}

static bool next_number(StrView *rest, int64_t low, int64_t high, int64_t *out) {
    StrView after = *rest;
    if (!view_to_int(view_next_word(&after), out))
        return false;
    *rest = after;
    *out = *out < low ? low : *out > high ? high : *out;
    return true;
}

static void read_score(StrView *rest, UciInfo *out) {
    int64_t number;
    StrView kind = view_next_word(rest), after = *rest;
    bool is_mate = view_equals(kind, "mate");
    if ((!is_mate && !view_equals(kind, "cp")) || !next_number(rest, -INT_MAX, INT_MAX, &number))
        return;
    out->score = (int)number;
    out->has &= ~(unsigned)(UCI_INFO_MATE | UCI_INFO_LOWER | UCI_INFO_UPPER);
    out->has |= UCI_INFO_SCORE | (is_mate ? UCI_INFO_MATE : 0u);
    after = *rest;
    StrView bound = view_next_word(&after);
    if (view_equals(bound, "lowerbound"))
        out->has |= UCI_INFO_LOWER;
    else if (view_equals(bound, "upperbound"))
        out->has |= UCI_INFO_UPPER;
}

static void read_info_word(StrView word, StrView *rest, UciInfo *out) {
    int64_t number;
    if (view_equals(word, "score")) {
        read_score(rest, out);
    } else if (view_equals(word, "depth") && next_number(rest, 0, INT_MAX, &number)) {
        out->depth = (int)number;
        out->has |= UCI_INFO_DEPTH;
    } else if (view_equals(word, "seldepth") && next_number(rest, 0, INT_MAX, &number)) {
        out->seldepth = (int)number;
    } else if (view_equals(word, "multipv") && next_number(rest, 0, INT_MAX, &number)) {
        out->multipv = (int)number;
    } else if (view_equals(word, "nodes") && next_number(rest, 0, INT64_MAX, &number)) {
        out->nodes = (uint64_t)number;
        out->has |= UCI_INFO_NODES;
    } else if (view_equals(word, "nps") && next_number(rest, 0, INT64_MAX, &number)) {
        out->nps = (uint64_t)number;
        out->has |= UCI_INFO_NPS;
    } else if (view_equals(word, "time") && next_number(rest, 0, INT64_MAX, &number)) {
        out->time_ms = number;
        out->has |= UCI_INFO_TIME;
    }
}

bool uci_parse_info(StrView line, UciInfo *out) {
    StrView rest;
    *out = (UciInfo){0};
    if (!uci_line_is(line, "info", &rest))
        return false;
    for (;;) {
        StrView word = view_next_word(&rest);
        if (word.length == 0 || view_equals(word, "string"))
            break;
        if (view_equals(word, "pv")) {
            out->pv = view_trim(rest);
            out->has |= out->pv.length > 0 ? UCI_INFO_PV : 0u;
            break;
        }
        read_info_word(word, &rest, out);
    }
    return out->has != 0;
}

static bool is_keyword(StrView word) {
    return view_equals(word, "name") || view_equals(word, "type") || view_equals(word, "default") ||
           view_equals(word, "min") || view_equals(word, "max") || view_equals(word, "var");
}

// The text up to the next keyword. In a name only "type" ends it: names may hold the other words.
static StrView cut_value(StrView *rest, bool is_name) {
    const char *start = NULL, *end = NULL;
    for (;;) {
        StrView after = *rest;
        StrView word = view_next_word(&after);
        if (word.length == 0 || (is_name ? view_equals(word, "type") : is_keyword(word)))
            break;
        start = start == NULL ? word.text : start;
        end = word.text + word.length;
        *rest = after;
    }
    return start == NULL ? view_of("", 0) : view_of(start, (size_t)(end - start));
}

static bool parse_type(StrView text, UciOptionType *out) {
    static const char *const names[] = {"check", "spin", "combo", "button", "string"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (!view_equals(text, names[i]))
            continue;
        *out = (UciOptionType)i;
        return true;
    }
    return false;
}

static void add_choice(UciOption *option, StrView value) {
    if (option->choice_count == CHOICES_MAX)
        return;
    MEM_ADD(option->choices, option->choice_count, option->choice_capacity) =
        strndup(value.text, value.length);
}

Status uci_option_parse(StrView line, UciOption *out) {
    UciOption option = {0};
    StrView rest, word;
    bool has_type = false;
    unsigned bounds = 0;
    if (!uci_line_is(line, "option", &rest))
        return error_set(ERR_PARSE, "not an option line");
    while ((word = view_next_word(&rest)).length > 0) {
        StrView value = cut_value(&rest, view_equals(word, "name"));
        if (view_equals(word, "name") && option.name == NULL)
            option.name = strndup(value.text, value.length);
        else if (view_equals(word, "type"))
            has_type = parse_type(value, &option.type);
        else if (view_equals(word, "default") && option.value == NULL)
            option.value = strndup(value.text, value.length);
        else if (view_equals(word, "min"))
            bounds |= view_to_int(value, &option.low) ? 1 : 0;
        else if (view_equals(word, "max"))
            bounds |= view_to_int(value, &option.high) ? 2 : 0;
        else if (view_equals(word, "var"))
            add_choice(&option, value);
    }
    option.has_bounds = bounds == 3;
    if (option.name == NULL || option.name[0] == '\0' || !has_type) {
        uci_option_deinit(&option);
        return error_set(ERR_PARSE, "an option line without a name or type: '%.*s'",
                         (int)(line.length < 200 ? line.length : 200), line.text);
    }
    *out = option;
    return OK;
}

void uci_option_deinit(UciOption *option) {
    free(option->name);
    free(option->value);
    for (size_t i = 0; i < option->choice_count; i++)
        free(option->choices[i]);
    free(option->choices);
    *option = (UciOption){0};
}

void uci_options_free(UciOption *options, size_t count) {
    for (size_t i = 0; i < count; i++)
        uci_option_deinit(&options[i]);
    free(options);
}

static Status check_spin(const UciOption *option, const char *value) {
    int64_t number;
    if (!view_to_int(view_from_string(value), &number))
        return error_set(ERR_ARG, "option '%s' takes a whole number, not '%s'", option->name,
                         value);
    if (option->has_bounds && (number < option->low || number > option->high))
        return error_set(ERR_ARG, "option '%s' goes from %lld to %lld, not to %s", option->name,
                         (long long)option->low, (long long)option->high, value);
    return OK;
}

static Status check_combo(const UciOption *option, const char *value) {
    CLEANUP(str_free) Str known = {0};
    for (size_t i = 0; i < option->choice_count; i++) {
        if (strcasecmp(option->choices[i], value) == 0)
            return OK;
        str_addf(&known, "%s'%s'", i == 0 ? "" : ", ", option->choices[i]);
    }
    return error_set(ERR_ARG, "option '%s' cannot be '%s': it is one of %s", option->name, value,
                     str_text(&known));
}

Status uci_option_check(const UciOption *option, const char *value) {
    if (strpbrk(value, "\r\n") != NULL)
        return error_set(ERR_ARG, "option '%s': a value is one line", option->name);
    switch (option->type) {
    case UCI_SPIN:
        return check_spin(option, value);
    case UCI_COMBO:
        return check_combo(option, value);
    case UCI_CHECK:
        if (strcmp(value, "true") == 0 || strcmp(value, "false") == 0)
            return OK;
        return error_set(ERR_ARG, "option '%s' is true or false, not '%s'", option->name, value);
    case UCI_BUTTON:
    case UCI_STRING:
        break;
    }
    return OK;
}
