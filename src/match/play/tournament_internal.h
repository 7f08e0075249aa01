// SPDX-License-Identifier: GPL-3.0-or-later
// What the parts of a tournament's folder share.
#pragma once

#include "base/syncer.h"
#include "match/play/tournament.h"

struct Tournament {
    char *directory;
    int lock, pgn, jsonl; // descriptors
    uint64_t pgn_bytes;   // of the games that were told so far
    Syncer *syncer;       // NULL before the first game
};

// ERR_IO with the file and the system's reason.
Status tournament_fail(const Tournament *tournament, const char *name);
