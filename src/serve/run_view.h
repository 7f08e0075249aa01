// SPDX-License-Identifier: GPL-3.0-or-later
// A run of evolution as its files tell it while it goes on, or long after.
#pragma once

#include "fitness/problem.h"
#include "serve/tail.h"

// One generation.
typedef struct RunPoint {
    uint32_t generation;
    double evaluations, best, mean, held_out, diversity; // NaN where there is none
    double mother, father; // figures of those the best comes from; NaN where that is not known
    bool has_survived;     // it was there in the generation before
} RunPoint;

// {0} has read nothing.
typedef struct RunView {
    Tail log;
    RunPoint *points; // owned
    size_t count, capacity;
    uint64_t damaged; // lines that could not be read
    bool has_settings, is_one_of_several;
    Str fitness, family, variant, algorithm, data, start; // settings
    double generations, evaluations; // that it is to have, at the most; 0: not said
    const ProblemGoal *goal;         // NULL where it is not known
    bool is_finished;
    double optimum, test, training,
        paper; // from the results of a finished run; NaN where there are none
} RunView;

void run_view_free(RunView *run);
// Reads what is new in the run's folder; true where there was something.
bool run_view_update(RunView *run, const char *folder);
// The folder with the settings and results of the run in `folder`.
void run_view_settings_folder(const RunView *run, const char *folder, Str *out);
// How much of the run is done, from 0 to 1; NaN where nothing tells.
double run_view_progress(const RunView *run);
// The best figure so far; NaN where there is none.
double run_view_best(const RunView *run);

// Appends the keys of a run for the list of all, and those for its page: generations from the
// index `from` on.
void run_view_write_summary(const RunView *run, Str *out);
void run_view_write(const RunView *run, size_t from, Str *out);
