// SPDX-License-Identifier: GPL-3.0-or-later
// How an engine is described everywhere, in cutechess's words: cmd= name= dir= arg= args=
// option.X=V tc= st= nodes= depth= proto= restart= timemargin= stderr= memory= cpu= weights=. A
// pure parser.
#pragma once

#include "chess/limits.h"

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
    Limits limits;
    Protocol protocol;
    bool restarts;            // it is started anew for every game of a match
    int64_t memory_mb, cpu_s; // what each of its processes may use; 0: no limit
    int margin_ms;            // how late a move may come; -1: not said
} EngineSpec;

EngineSpec engine_spec_init(void);
void engine_spec_deinit(EngineSpec *spec);

// Adds one "key=value" word; a word said before is replaced (arg= and args= are added). tc= and st=
// replace each other.
MUST_CHECK Status engine_spec_set(EngineSpec *spec, const char *word);
// Adds the words of a text; quotes and backslashes keep blanks together, as in a shell.
MUST_CHECK Status engine_spec_parse(EngineSpec *spec, const char *text);
// To be called when all words are in: fails without cmd= or weights=; gives it a name if it has
// none, and cleans the name it has (base/text.h).
MUST_CHECK Status engine_spec_finish(EngineSpec *spec);

// True for a description that engine_spec_finish has accepted.
bool engine_spec_is_valid(const EngineSpec *spec);

// As bytes, for a process on another machine; and back: where they are malformed, in->failed is
// set. Free it with engine_spec_deinit, whatever came of it.
void engine_spec_pack(const EngineSpec *spec, Str *out);
void engine_spec_unpack(ByteReader *in, EngineSpec *out);
