// SPDX-License-Identifier: GPL-3.0-or-later
// What engines say in UCI, read by pure functions that survive any bytes.
#pragma once

#include "base/error.h"
#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>

// What an info line told.
enum {
    UCI_INFO_DEPTH = 1,
    UCI_INFO_SCORE = 2,
    UCI_INFO_MATE = 4, // `score` is moves to mate, not centipawns
    UCI_INFO_LOWER = 8,
    UCI_INFO_UPPER = 16,
    UCI_INFO_NODES = 32,
    UCI_INFO_NPS = 64,
    UCI_INFO_TIME = 128,
    UCI_INFO_PV = 256,
};

typedef struct UciInfo {
    unsigned has;
    int depth, seldepth, multipv;
    int score; // from the mover's view
    uint64_t nodes, nps;
    int64_t time_ms;
    StrView pv; // moves as written; borrowed from the line
} UciInfo;

typedef enum UciOptionType {
    UCI_CHECK,
    UCI_SPIN,
    UCI_COMBO,
    UCI_BUTTON,
    UCI_STRING,
} UciOptionType;

// An option as declared; everything owned.
typedef struct UciOption {
    char *name, *value; // `value` is the default
    UciOptionType type;
    bool has_bounds;
    int64_t low, high;
    char **choices; // of a combo
    size_t choice_count, choice_capacity;
} UciOption;

// True for an "info" line that tells anything but a string; what it does not tell is 0.
bool uci_parse_info(StrView line, UciInfo *out);

// Reads "option name X type T default D min A max B var V". ERR_PARSE for what is none.
MUST_CHECK Status uci_option_parse(StrView line, UciOption *out);
void uci_option_deinit(UciOption *option);
// All of an array that was allocated, and the array.
void uci_options_free(UciOption *options, size_t count);
// Whether the option can be set to `value`; the message says why not.
MUST_CHECK Status uci_option_check(const UciOption *option, const char *value);

// True when the line's first word is `word`; `rest` is what follows it.
bool uci_line_is(StrView line, const char *word, StrView *rest);
