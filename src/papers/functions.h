// SPDX-License-Identifier: GPL-3.0-or-later
// The functions that expressions of paper files may call: docs/reproduce.md lists them.
#pragma once

#include "papers/script.h"

typedef struct ScriptFunction {
    const char *name; // NULL behind the last
    size_t arguments;
    Status (*call)(Script *script, const ScriptValue *args, ScriptValue *out);
} ScriptFunction;

// Those that read what the steps wrote.
extern const ScriptFunction functions_of_results[];

// Whatever a list has fewer items of.
enum { FUNCTIONS_LIST_MAX = 100000 };

static inline Status function_give_text(Script *script, Str *text, ScriptValue *out) {
    *out = script_text_value(script, text);
    return OK;
}

static inline Status function_give_number(double number, ScriptValue *out) {
    *out = script_number(number);
    return OK;
}
