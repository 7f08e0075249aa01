// SPDX-License-Identifier: GPL-3.0-or-later
// How an engine is described everywhere, in cutechess's words: cmd= name= dir= arg= option.X=V tc=
// st= nodes= depth= proto= timemargin= stderr= memory= cpu= weights=. A pure parser.
#pragma once

#include "base/error.h"
#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>

// What ends an engine's thinking. What is 0 does not limit.
typedef struct EngineLimits {
    int moves;                        // the clock is for so many moves; 0: for all of the game
    int64_t time_ms, inc_ms, move_ms; // a clock and its increment; a fixed time per move
    uint64_t nodes;
    int depth;
    bool is_infinite; // tc=inf: no clock
} EngineLimits;

typedef struct EngineOption {
    char *name, *value;
} EngineOption;

typedef enum Protocol { PROTOCOL_UCI, PROTOCOL_XBOARD } Protocol;

// Everything owned; {.margin_ms = -1} is the empty description.
typedef struct EngineSpec {
    char *name, *command, *dir, *weights, *stderr_path;
    char **args;
    size_t arg_count, arg_capacity;
    EngineOption *options;
    size_t option_count, option_capacity;
    EngineLimits limits;
    Protocol protocol;
    int64_t memory_mb, cpu_s; // what each of its processes may use; 0: no limit
    int margin_ms;            // how late a move may come; -1: not said
} EngineSpec;

EngineSpec engine_spec_init(void);
void engine_spec_deinit(EngineSpec *spec);

// Adds one "key=value" word; a word said before is replaced (arg= is added). tc= and st= replace
// each other.
MUST_CHECK Status engine_spec_set(EngineSpec *spec, const char *word);
// Adds the words of a text; quotes and backslashes keep blanks together, as in a shell.
MUST_CHECK Status engine_spec_parse(EngineSpec *spec, const char *text);
// To be called when all words are in: fails without cmd= or weights=; gives it a name if it has
// none, and cleans the name it has (base/text.h).
MUST_CHECK Status engine_spec_finish(EngineSpec *spec);

// Reads [moves/][minutes:]seconds[+increment], or "inf".
MUST_CHECK Status engine_time_control_parse(const char *text, EngineLimits *out);
// Appends it as PGN's TimeControl tag has it: "40/120+1", "2+0.02", or "-" without a clock.
void engine_time_control_write(const EngineLimits *limits, Str *out);
// True when nothing would end a search.
bool engine_limits_are_empty(const EngineLimits *limits);
