// SPDX-License-Identifier: GPL-3.0-or-later
// How candidates are chosen and learned from: by a race over one model of all games, or by SPSA.
// Both ask for pairs of candidates to meet and are told what came of it; what they ask depends on
// the settings and on what was told alone.
#pragma once

#include "engine_tuning/tune_config.h"
#include "evolve/race.h"

typedef struct Tuner Tuner;

// `config` is borrowed.
MUST_CHECK Status tuner_create(Tuner **out, const TuneConfig *config);
void tuner_destroy(Tuner *tuner);

// The meetings of the next round; `out` has room for half the seats.
size_t tuner_ask(Tuner *tuner, RaceMeeting *out);
// Their results, in half points of the first, 0 to 4.
MUST_CHECK Status tuner_tell(Tuner *tuner, const int *points);

// The start values; and the best so far, on the steps.
const double *tuner_start(const Tuner *tuner);
void tuner_best(const Tuner *tuner, double *out);
// How much better the best is by the games so far, in Elo, and the standard deviation of that; NaN
// where there is no model.
double tuner_gain(const Tuner *tuner, const double *best, double *deviation);
RaceCounts tuner_counts(const Tuner *tuner);

// --- for a look at what was learned ---

size_t tuner_size(const Tuner *tuner);
// Where the values are now: the best of the race, or the middle of SPSA's candidates.
void tuner_current(const Tuner *tuner, double *out);
// The lowest and the highest value of an option that played; its bounds where nothing has.
void tuner_tried(const Tuner *tuner, size_t option, double *low, double *high);
// Takes all games into account: to be called before the next. The model of the race is at hand;
// SPSA, which needs none, has one fitted here.
void tuner_fit(Tuner *tuner);
// How much stronger some values are than the start, in Elo, and the standard deviation of that.
double tuner_strength(const Tuner *tuner, const double *values, double *deviation);
