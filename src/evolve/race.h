// SPDX-License-Identifier: GPL-3.0-or-later
// Evolution of a few numbers by games, where a game says little: candidates meet in pairs, one
// model learns from all games, and a candidate stops playing as soon as it is clearly worse than
// another, so that games go to close calls. What is asked depends on the seed and on what was told
// alone.
#pragma once

#include "evolve/duel_model.h"

#include <stdbool.h>

typedef struct Race Race;

typedef struct RaceConfig {
    size_t size;                             // numbers to evolve
    const double *low, *high, *step, *start; // of each; borrowed
    uint64_t seed;
    size_t seats;          // candidates that play at a time
    uint32_t share;        // rounds that a candidate plays at the most
    bool has_equal_shares; // no racing: every candidate plays all of its rounds
} RaceConfig;

// Two candidates that play two games from one opening, with colours reversed. Borrowed.
typedef struct RaceMeeting {
    const double *first, *second; // never the same
} RaceMeeting;

typedef struct RaceCounts {
    uint64_t rounds, meetings;
    uint64_t candidates;     // that have come to a seat or been refused one
    uint64_t stopped;        // of them while they played
    uint64_t refused;        // and before their first game
    uint64_t equal_meetings; // what all of these would have played in equal shares so far
} RaceCounts;

Race *race_new(const RaceConfig *config);
void race_free(Race *race);

// The meetings of the next round; at most seats / 2, which is how many `out` has room for.
size_t race_ask(Race *race, RaceMeeting *out);
// Their results, in half points of the first: 0 to 4, or -1 where a meeting does not count.
void race_tell(Race *race, const int *points);

// The numbers that are best by all games so far, on the steps.
void race_best(const Race *race, double *out);
// What the games say of the way from one candidate to another, in Elo, and its standard deviation.
double race_gain(const Race *race, const double *from, const double *to, double *deviation);
RaceCounts race_counts(const Race *race);
