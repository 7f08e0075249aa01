// SPDX-License-Identifier: GPL-3.0-or-later
// What a run has learned beyond its best values, for its page: the way that the values went, and
// strength over the options, as a quadratic fitted to all games has it.
#pragma once

#include "engine_tuning/tuner.h"

enum { TUNE_SLICE_POINTS = 41, TUNE_MAP_SIDE = 41, TUNE_MAP_OPTIONS = 4, TUNE_MAPS_MAX = 6 };

// Strength over one option, where it was tried, with the others at their best. Elo over the start
// values; the deviation is that of the difference.
typedef struct TuneSlice {
    double values[TUNE_SLICE_POINTS], elo[TUNE_SLICE_POINTS], deviations[TUNE_SLICE_POINTS];
    double span; // between its highest and its lowest
} TuneSlice;

// The same over two options: a row for each value of the second.
typedef struct TuneMap {
    size_t first, second; // options
    double xs[TUNE_MAP_SIDE], ys[TUNE_MAP_SIDE], elo[TUNE_MAP_SIDE * TUNE_MAP_SIDE];
} TuneMap;

// {0} is empty; everything owned.
typedef struct TuneLandscape {
    size_t size;          // options
    double *games, *path; // after so many games these values: a row for each round
    size_t rounds, round_capacity, path_capacity;
    TuneSlice *slices; // of each option
    size_t *order;     // the options, those that matter most first
    TuneMap *maps;     // of pairs of the first in that order
    size_t map_count;
} TuneLandscape;

void tune_landscape_free(TuneLandscape *landscape);
// Notes where the values are after a round.
void tune_landscape_add_round(TuneLandscape *landscape, const Tuner *tuner, uint64_t games);
// Looks at the strength over all options, when the race is over.
void tune_landscape_survey(TuneLandscape *landscape, Tuner *tuner, const double *best);
