// SPDX-License-Identifier: GPL-3.0-or-later
// What a clone is learned from and judged on: positions of one person, and as many of others, each
// with the move that was played, whole events or years apart.
#pragma once

#include "data/player_moves/player_moves.h"
#include "data/rating_list.h"
#include "fitness/moves/played_set.h"

typedef enum CloneWho { WHO_PERSON, WHO_OTHERS, WHO_NB } CloneWho;
typedef enum ClonePart { PART_TRAINING, PART_HELD_OUT, PART_NB } ClonePart;

typedef struct CloneSource {
    const char *player; // spellings with ';' between, as player_games_read takes them
    const char *const *paths;
    size_t path_count;
    PlayerSplit split;
    double hold_out; // the share of events or years
    uint64_t seed;
    unsigned skip_plies;
    size_t min_games;          // of the person, to learn from
    size_t positions;          // at most so many to learn from, chosen at random; 0: all
    const RatingList *ratings; // of others; NULL: those of the tags alone
    int min_elo;               // of others; 0: any
    int threads;
} CloneSource;

// Positions in the order of games. A group is what is held out together.
typedef struct CloneSet {
    PlayedSet played;
    uint32_t *games, *groups; // of each position, counted from 0
    uint16_t *plies;
    size_t game_count, group_count;
    size_t all_positions; // that the games have, of which `played` holds some
} CloneSet;

typedef struct CloneData {
    CloneSet sets[WHO_NB][PART_NB];
    int first_year, last_year; // of the person's games; 0 where unknown
    PlayerGamesTotals totals;  // of the pass that looked for the person
} CloneData;

// Reads the games. ERR_ARG, with the count and names that are like the one asked for, where the
// person has too few; also where nothing is held out, or there are no games of others to compare
// with.
MUST_CHECK Status clone_data_load(CloneData *out, const CloneSource *source);
void clone_data_free(CloneData *data);

// The set as EPD: `sm` the move, `id` the game and the ply.
void clone_set_write(const CloneSet *set, Str *out);
