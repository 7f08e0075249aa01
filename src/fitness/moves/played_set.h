// SPDX-License-Identifier: GPL-3.0-or-later
// Positions with the move that was played in them (EPD with `sm`).
#pragma once

#include "base/error.h"
#include "chess/position.h"

typedef struct PlayedItem {
    Position pos;
    Move played;
    Move predicted;   // by an engine that was asked (`pm`), MOVE_NONE where none was
    bool is_in_other; // the position occurs in another set too: see played_set_compare
} PlayedItem;

typedef struct PlayedTotals {
    uint64_t lines, used;
    uint64_t others; // left out: somebody else's moves
    uint64_t forced; // left out: there is one legal move, and everybody finds it
    uint64_t predicted;
    uint64_t shared; // left out: they occur in another set too
} PlayedTotals;

typedef struct PlayedSet {
    PlayedItem *items;
    size_t count, capacity;
    PlayedTotals totals;
    uint64_t hash; // of the lines with positions, whatever the file was packed with
} PlayedSet;

// Reads a set. A line without `sm`, or with an illegal one, is an error that names file and line;
// so is a set in which nothing is left.
MUST_CHECK Status played_set_load(PlayedSet *out, const char *path);
// Reads one person's moves alone: those in which the side to move, by the `id` that falconer sample
// writes ("White - Black, year, ply"), is `player`: a name, or several spellings with ';' between.
MUST_CHECK Status played_set_load_player(PlayedSet *out, const char *path, const char *player);
// Marks the items whose positions (not moves) occur in `other` too, and says how many there are.
MUST_CHECK Status played_set_compare(PlayedSet *set, const PlayedSet *other, size_t *shared);
// Leaves those items out and counts them; ERR_ARG where nothing is left.
MUST_CHECK Status played_set_leave_out(PlayedSet *set, const PlayedSet *other);
void played_set_free(PlayedSet *set);
