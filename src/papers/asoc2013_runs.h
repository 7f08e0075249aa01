// SPDX-License-Identifier: GPL-3.0-or-later
// Applied Soft Computing 2013: the runs of the first stage, and the paper's figures on them.
#pragma once

#include "papers/asoc2013.h"

typedef struct AsocFigures {
    int weights, chance, table;
    double start_best, start_mean, end_best, end_mean; // percent of the moves
    double deviation, seconds, test;                   // test: NaN where it is not told
} AsocFigures;
extern const AsocFigures asoc_figures[]; // ended by one of 0 weights
// NULL where the paper has no such table.
const AsocFigures *asoc_find_figures(int weights, int chance);

typedef struct AsocRuns {
    Grid grid;      // runs.csv
    size_t median;  // the row of the median run
    double seconds; // of a run, in the mean
} AsocRuns;
// The runs of a step; free them with asoc_free_runs.
MUST_CHECK Status asoc_read_runs(const Plan *plan, const char *step, AsocRuns *out);
// Those with 33 weights and Pr = 10 on so many training positions.
MUST_CHECK Status asoc_read_size(const Plan *plan, int positions, AsocRuns *out);
void asoc_free_runs(AsocRuns *runs);

// Told of every number of weights and every Pr that the plan has.
typedef void AsocVisit(void *context, int weights, int chance, const AsocRuns *runs);
MUST_CHECK Status asoc_each_runs(const Plan *plan, AsocVisit *visit, void *context);

// The share of test moves that an engine agrees with, in percent; NaN where it was not asked.
MUST_CHECK Status asoc_read_yardstick(const Plan *plan, const AsocYardstick *stick, double *out);

MUST_CHECK Status asoc_tell_runs(const Plan *plan, Report *report);
MUST_CHECK Status asoc_tell_curves(const Plan *plan, Report *report);
MUST_CHECK Status asoc_tell_weights(const Plan *plan, Page *page);
