// SPDX-License-Identifier: GPL-3.0-or-later
// Statements of a plan: the steps.
#include "papers/script.h"

#include <ctype.h>
#include <string.h>

enum { STAGES_MAX = 99 };

// Cuts the next word off; blanks inside of braces belong to it.
static StrView next_word(StrView *rest) {
    *rest = view_trim(*rest);
    size_t end = 0;
    for (int depth = 0;
         end < rest->length && (!isspace((unsigned char)rest->text[end]) || depth > 0); end++)
        depth += rest->text[end] == '{' ? 1 : rest->text[end] == '}' ? -1 : 0;
    const StrView word = view_of(rest->text, end);
    *rest = view_of(rest->text + end, rest->length - end);
    return word;
}

static Status next_number(Script *script, StrView *rest, double *out) {
    const StrView word = next_word(rest);
    ScriptValue value = script_number(0);
    if (!view_to_number(word, &value.number))
        TRY(script_value(script, word, &value));
    *out = value.number;
    return value.number >= 0 && value.number < 1e9
               ? OK
               : error_set(ERR_PARSE, "'%s' is no number of seconds or rounds",
                           view_shown(word).text);
}

// "stages=N", where it comes next.
static Status next_stages(Script *script, StrView *rest, double *out) {
    static const char key[] = "stages=";
    const size_t length = sizeof key - 1;
    StrView after = *rest, word = next_word(&after);
    *out = 1;
    if (word.length <= length || memcmp(word.text, key, length) != 0)
        return OK;
    *rest = after;
    word = view_of(word.text + length, word.length - length);
    TRY(next_number(script, &word, out));
    return *out >= 1 && *out <= STAGES_MAX
               ? OK
               : error_set(ERR_PARSE, "a run has 1 to %d stages", STAGES_MAX);
}

// NAME SECONDS [ROUNDS | stages=N] COMMAND
Status script_plan_statement(Script *script, StrView word, StrView rest) {
    const bool is_timed = view_equals(word, "timed-match"),
               is_match = is_timed || view_equals(word, "match");
    const bool is_suite = view_equals(word, "suite"), is_run = view_equals(word, "run");
    if (!is_match && !is_suite && !is_run && !view_equals(word, "step"))
        return error_set(ERR_PARSE, "a plan has no statement '%s'", view_shown(word).text);
    CLEANUP(str_free) Str name = {0};
    CLEANUP(str_free) Str command = {0};
    double seconds, rounds = 1, stages = 1;
    TRY(script_render(script, next_word(&rest), &name));
    TRY(next_number(script, &rest, &seconds));
    if (is_match)
        TRY(next_number(script, &rest, &rounds));
    if (is_run)
        TRY(next_stages(script, &rest, &stages));
    TRY(script_render(script, view_trim(rest), &command));
    const char *const text = str_text(&command);
    if (is_match)
        plan_match(script->plan, str_text(&name), seconds, (int)rounds, is_timed, text);
    else if (is_run)
        plan_run(script->plan, str_text(&name), seconds, (int)stages, text);
    else if (is_suite)
        plan_suite(script->plan, str_text(&name), seconds, text);
    else
        plan_step(script->plan, str_text(&name), seconds, text);
    return OK;
}
