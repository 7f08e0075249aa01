// SPDX-License-Identifier: GPL-3.0-or-later
// What the parts of a tournament's folder share.
#pragma once

#include "base/journal.h"
#include "base/syncer.h"
#include "match/play/tournament.h"

struct Tournament {
    char *directory;
    int lock; // a descriptor
    Journal pgn, jsonl;
    Syncer *syncer; // NULL before the first game
};
