// SPDX-License-Identifier: GPL-3.0-or-later
// Functions on the plan, lists and numbers.
#include "papers/functions.h"

#include "base/shell.h"

#include <math.h>
#include <string.h>

// --- the plan ---

static Status call_scale(Script *script, const ScriptValue *args, ScriptValue *out) {
    *out = args[script->plan->scale == SCALE_QUICK ? 0 : 1];
    return OK;
}

static Status call_has(Script *script, const ScriptValue *args, ScriptValue *out) {
    return function_give_number(plan_has(script->plan, args[0].text), out);
}

static Status call_engine(Script *script, const ScriptValue *args, ScriptValue *out) {
    Str name = {0};
    if (plan_engine(script->plan, args[0].text))
        shell_quote(&name, args[0].text);
    return function_give_text(script, &name, out);
}

static Status call_engine_words(Script *script, const ScriptValue *args, ScriptValue *out) {
    Str words = {0};
    str_add(&words, plan_engine_words(args[0].text));
    return function_give_text(script, &words, out);
}

static Status call_eyas(Script *script, const ScriptValue *args, ScriptValue *out) {
    (void)args;
    const ScriptValue name = {.kind = SCRIPT_TEXT, .text = "eyas"};
    return call_engine(script, &name, out);
}

static Status call_named_engines(Script *script, const ScriptValue *args, ScriptValue *out) {
    (void)args;
    Str list = {0};
    for (size_t i = 0; i < script->plan->named_count; i++)
        str_addf(&list, "%s%s", i == 0 ? "" : "\n", script->plan->named[i]);
    return function_give_text(script, &list, out);
}

static Status call_quote(Script *script, const ScriptValue *args, ScriptValue *out) {
    Str word = {0};
    shell_quote(&word, args[0].text);
    return function_give_text(script, &word, out);
}

static Status call_quote_words(Script *script, const ScriptValue *args, ScriptValue *out) {
    Str words = {0};
    shell_quote_words(&words, args[0].text);
    return function_give_text(script, &words, out);
}

static Status call_seconds(Script *script, const ScriptValue *args, ScriptValue *out) {
    return function_give_number(evidence_seconds(script->plan, args[0].text), out);
}

// --- lists and numbers ---

static Status call_range(Script *script, const ScriptValue *args, ScriptValue *out) {
    Str list = {0};
    if (!(args[1].number - args[0].number <= FUNCTIONS_LIST_MAX))
        return error_set(ERR_LIMIT, "a range of more than %d numbers", FUNCTIONS_LIST_MAX);
    for (double i = args[0].number; i < args[1].number; i++)
        str_addf(&list, "%s%.0f", list.length == 0 ? "" : "\n", i);
    return function_give_text(script, &list, out);
}

static Status call_item(Script *script, const ScriptValue *args, ScriptValue *out) {
    const char *at = args[0].text;
    for (double i = 0; i < args[1].number && *at != '\0'; i++) {
        at += strcspn(at, "\n");
        at += *at == '\n';
    }
    Str item = {0};
    str_append(&item, at, strcspn(at, "\n"));
    return function_give_text(script, &item, out);
}

static Status call_abs(Script *script, const ScriptValue *args, ScriptValue *out) {
    (void)script;
    return function_give_number(fabs(args[0].number), out);
}

static Status call_sqrt(Script *script, const ScriptValue *args, ScriptValue *out) {
    (void)script;
    return function_give_number(sqrt(args[0].number), out);
}

static Status call_hypot(Script *script, const ScriptValue *args, ScriptValue *out) {
    (void)script;
    return function_give_number(hypot(args[0].number, args[1].number), out);
}

static Status call_min(Script *script, const ScriptValue *args, ScriptValue *out) {
    (void)script;
    return function_give_number(fmin(args[0].number, args[1].number), out);
}

static Status call_max(Script *script, const ScriptValue *args, ScriptValue *out) {
    (void)script;
    return function_give_number(fmax(args[0].number, args[1].number), out);
}

static Status call_is_known(Script *script, const ScriptValue *args, ScriptValue *out) {
    (void)script;
    return function_give_number(!isnan(args[0].number), out);
}

static Status call_elo_of(Script *script, const ScriptValue *args, ScriptValue *out) {
    (void)script;
    return function_give_number(elo_of_score(args[0].number), out);
}

// --- percentages as printed ---

// Words separated by blanks as a list.
static Status call_words(Script *script, const ScriptValue *args, ScriptValue *out) {
    Str list = {0};
    StrView rest = view_from_string(args[0].text);
    for (StrView word; (word = view_next_word(&rest)).length > 0;) {
        str_add(&list, list.length == 0 ? "" : "\n");
        str_append(&list, word.text, word.length);
    }
    return function_give_text(script, &list, out);
}

// How many different words there are.
static Status call_distinct(Script *script, const ScriptValue *args, ScriptValue *out) {
    (void)script;
    double count = 0;
    StrView rest = view_from_string(args[0].text);
    for (StrView word; (word = view_next_word(&rest)).length > 0; count++)
        for (StrView later = rest, other; (other = view_next_word(&later)).length > 0;)
            if (word.length == other.length && memcmp(word.text, other.text, word.length) == 0) {
                count--;
                break;
            }
    return function_give_number(count, out);
}

// Whether a percentage, with the decimals that were printed, is k / `count` for some whole k.
static bool is_share(StrView printed, double count) {
    const char *const point = memchr(printed.text, '.', printed.length);
    const double decimals = point == NULL ? 0 : (double)(printed.text + printed.length - point) - 1;
    double value;
    return view_to_number(printed, &value) &&
           fabs(value - 100 * round(value * count / 100) / count) <=
               0.5 * pow(10, -decimals) + 1e-9;
}

static Status call_common_count(Script *script, const ScriptValue *args, ScriptValue *out) {
    (void)script;
    const double most = fmin(args[1].number, FUNCTIONS_LIST_MAX);
    for (double count = 1; count <= most; count++) {
        bool is_common = true;
        StrView rest = view_from_string(args[0].text);
        for (StrView word; is_common && (word = view_next_word(&rest)).length > 0;)
            is_common = is_share(word, count);
        if (is_common)
            return function_give_number(count, out);
    }
    return function_give_number((double)NAN, out);
}

// --- verdicts ---

// What is neither shown nor refuted, or both, by intervals that are unknown, cannot be told.
static Status call_tells(Script *script, const ScriptValue *args, ScriptValue *out) {
    (void)script;
    const bool holds = script_is_true(&args[0]), fails = script_is_true(&args[1]);
    *out = (ScriptValue){.kind = SCRIPT_VERDICT,
                         .number = (double)NAN,
                         .text = "",
                         .verdict = holds == fails ? VERDICT_UNSURE
                                    : holds        ? VERDICT_HOLDS
                                                   : VERDICT_FAILS};
    return OK;
}

// --- the table ---

static const ScriptFunction functions[] = {
    {"abs", 1, call_abs},
    {"common_count", 2, call_common_count},
    {"distinct", 1, call_distinct},
    {"elo_of", 1, call_elo_of},
    {"engine", 1, call_engine},
    {"engine_words", 1, call_engine_words},
    {"eyas", 0, call_eyas},
    {"has", 1, call_has},
    {"hypot", 2, call_hypot},
    {"is_known", 1, call_is_known},
    {"item", 2, call_item},
    {"max", 2, call_max},
    {"min", 2, call_min},
    {"named_engines", 0, call_named_engines},
    {"quote", 1, call_quote},
    {"quote_words", 1, call_quote_words},
    {"range", 2, call_range},
    {"scale", 2, call_scale},
    {"seconds", 1, call_seconds},
    {"sqrt", 1, call_sqrt},
    {"tells", 2, call_tells},
    {"words", 1, call_words},
    {NULL, 0, NULL},
};

static const ScriptFunction *find_in(const ScriptFunction *list, StrView name) {
    while (list->name != NULL && !view_equals(name, list->name))
        list++;
    return list->name == NULL ? NULL : list;
}

Status script_call(Script *script, StrView name, const ScriptValue *args, size_t count,
                   ScriptValue *out) {
    const ScriptFunction *found = find_in(functions, name);
    if (found == NULL)
        found = find_in(functions_of_results, name);
    *out = script_number((double)NAN);
    if (found == NULL)
        return error_set(ERR_PARSE, "there is no function '%s'", view_shown(name).text);
    if (count != found->arguments)
        return error_set(ERR_PARSE, "%s takes %zu arguments, not %zu", found->name,
                         found->arguments, count);
    return script->is_checked ? OK : found->call(script, args, out);
}
