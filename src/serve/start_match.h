// SPDX-License-Identifier: GPL-3.0-or-later
// A match between two weights files, as pages start one: a few settings, and the words of `falconer
// match` that they stand for.
#pragma once

#include "base/settings.h"

// What pages call it in the place of a preset.
#define START_MATCH "match"

// Texts are owned: paths.
typedef struct StartMatch {
    Str first, second;
    int64_t rounds, nodes, sprt, seed;
} StartMatch;

void start_match_init(StartMatch *match);
void start_match_free(StartMatch *match);
// Its settings, all in section "match"; `first` and `second` are weights files.
const SettingTable *start_match_keys(void);

// Sets one by its name; ERR_ARG where there is none, or it cannot be that.
MUST_CHECK Status start_match_set(StartMatch *match, const char *name, const char *value);
// ERR_ARG where two players are not chosen.
MUST_CHECK Status start_match_check(const StartMatch *match);
// Calls `add` with each word of the command, without those for its folder and threads.
void start_match_write(const StartMatch *match, void (*add)(void *context, const char *word),
                       void *context);
