// SPDX-License-Identifier: GPL-3.0-or-later
// What an engine can do wrong, whoever meets it: a client, a player, a game, a match, a tuning run.
#pragma once

#include "base/str.h"

typedef enum Fault {
    FAULT_NONE,
    FAULT_LATE,      // answered, but after its time
    FAULT_ILLEGAL,   // answered with something that is no legal move, or malformed
    FAULT_CRASHED,   // ended, or closed its output
    FAULT_STALLED,   // does not answer at all
    FAULT_CANCELLED, // we were told to stop waiting, which is not the engine's fault
    FAULT_REFUSED,   // cannot play at all: there is no such program, option, limit or file
    FAULT_NB,
} Fault;

typedef struct FaultWords {
    const char *one, *many;  // "time loss", "time losses"
    const char *termination; // PGN's Termination tag
    const char *ending;      // what follows "White" or "Black", in cutechess's words
} FaultWords;

extern const FaultWords fault_words[FAULT_NB];

// Games that were lost by each fault.
typedef struct FaultCounts {
    uint64_t of[FAULT_NB];
} FaultCounts;

// Counts a game; one without a fault changes nothing.
void fault_count(FaultCounts *counts, Fault fault);
uint64_t fault_total(const FaultCounts *counts);
// Appends "2 time losses, 0 crashes, 1 stall, 0 illegal moves".
void fault_counts_write(const FaultCounts *counts, Str *out);
