// SPDX-License-Identifier: GPL-3.0-or-later
// Sampling positions from games: filters, and a random choice in one pass that depends neither on
// the number of threads nor on the order of games and files. docs/data.md tells how it is made.
#pragma once

#include "chess/pgn.h"
#include "chess/phase.h"
#include "data/rated_names.h"

// Whose rating must reach the bound.
typedef enum EloOf { ELO_OF_BOTH, ELO_OF_EITHER, ELO_OF_MOVER } EloOf;

enum { SAMPLE_SETS_MAX = 16 };

// Keys of positions that a sample must keep away from, those of a test set; {0} is empty.
typedef struct AvoidSet {
    uint64_t *keys; // owned
    size_t count, capacity;
} AvoidSet;
// Adds the positions of an EPD file; the set must be sorted before it is asked.
MUST_CHECK Status avoid_set_load(AvoidSet *set, const char *path);
void avoid_set_sort(AvoidSet *set);
bool avoid_set_has(const AvoidSet *set, uint64_t key);
void avoid_set_free(AvoidSet *set);

// Zero means no restriction, but for ply_high, set_count and threads, which must be set.
typedef struct SampleOptions {
    // Which games.
    int min_elo; // 0: any
    EloOf elo_of;
    const RatingList *ratings;  // NULL: ratings of the tags alone
    const char *const *players; // one of these must play, and is to move; none: anybody
    size_t player_count;
    int year_low, year_high; // both 0: any
    // Leaves out the years that player_games_split holds out with `seed` and this share, and games
    // without a year.
    double hold_out;
    unsigned results; // bits 1 << GameResult, 0: any
    bool winner_to_move;
    const AvoidSet *avoid; // games that come to one of these positions are left out; NULL: none
    // Which positions; a ply is the number of moves made before it.
    unsigned ply_low, ply_high;
    unsigned phases; // bits 1 << Phase, 0: any
    bool quiet;      // position_is_quiet
    bool after_quiet;
    bool assume_white;
    // Which of these.
    unsigned per_game;                   // 0: all
    uint64_t set_sizes[SAMPLE_SETS_MAX]; // 0: all; only for a single set
    size_t set_count;                    // at least 1
    uint64_t seed;
    bool by_frequency; // the positions that most games pass through; one set
    int threads;
} SampleOptions;

// What a game must pass, in this order.
typedef enum SampleFilter {
    SAMPLE_WHOLE, // undamaged, with moves
    SAMPLE_YEARS,
    SAMPLE_RESULT, // also that there is a winner, for winner_to_move
    SAMPLE_PLAYER,
    SAMPLE_ELO,
    SAMPLE_FILTER_NB,
} SampleFilter;

typedef struct SampleTotals {
    uint64_t bytes, games;             // text read, games in it
    uint64_t problems[PGN_PROBLEM_NB]; // damaged games of those whose tags pass
    uint64_t left[SAMPLE_FILTER_NB];   // games left by each filter, copies included
    uint64_t avoided;                  // of these, left out for a position to keep away from
    uint64_t distinct;                 // of the rest, copies not counted
    uint64_t offering;                 // of these, with a position that passes
} SampleTotals;

typedef struct Sample Sample;

// Options are copied; what they point to must outlive the sample.
Sample *sample_create(const SampleOptions *options);
void sample_destroy(Sample *sample);
CLEANUP_AT(Sample *, sample_destroy)

// Reads a file of games, plain or compressed ("-": standard input).
MUST_CHECK Status sample_read(Sample *sample, const char *path);
// Makes the choice, after all files. ERR_ARG when there are fewer positions than were asked for.
MUST_CHECK Status sample_finish(Sample *sample);
// Positions chosen for a set, and writing them as EPD.
uint64_t sample_set_count(const Sample *sample, size_t set);
MUST_CHECK Status sample_write(const Sample *sample, size_t set, const char *path);

SampleTotals sample_totals(const Sample *sample);
// Names whose ratings were asked for, the most frequent first; free() the result, whose texts are
// borrowed from the sample.
RatedName *sample_names(const Sample *sample, size_t *count);
