// SPDX-License-Identifier: GPL-3.0-or-later
// Runs of evolution beside each other: what each group of them ended with, and had after as many
// evaluations or as much time, compared by ranks.
#pragma once

#include "base/rank_test.h"
#include "fitness/problem.h"
#include "report/report.h"

// How figures at the end are read off: on what was learned from, or on what was not.
typedef enum CompareOn { COMPARE_TEST, COMPARE_TRAINING, COMPARE_ON_NB } CompareOn;
// When runs are compared.
typedef enum CompareWhen { WHEN_ENDED, WHEN_EVALUATIONS, WHEN_SECONDS, WHEN_NB } CompareWhen;

extern const char *const compare_on_names[]; // NULL at the end

// A run after one of its generations.
typedef struct ComparePoint {
    double reached[WHEN_NB]; // how much of each was used up; of seconds NaN where none are told
    double best, held_out;   // as in its log
} ComparePoint;

typedef struct CompareRun {
    double figures[COMPARE_ON_NB]; // at the end; NaN where there is none
    ComparePoint *points;          // owned
    size_t count, capacity;
} CompareRun;

// The runs of one argument: a run, one of several, a folder of several, or a folder of such
// folders.
typedef struct CompareGroup {
    char *name;         // owned: its path
    RunFitness fitness; // and what follows is that of all its runs
    Str data, test;     // the hash of the training set, the name of the test set
    Str algorithm;      // the names of all
    bool draws_afresh;  // generations are judged on positions of their own
    CompareRun *runs;   // owned
    size_t count, capacity;
} CompareGroup;

// Two groups at one moment, from the view of the first.
typedef struct ComparePair {
    size_t first, second;
    RankTest test; // of worths, of which more is better
    double adjusted_p;
    bool has_too_few; // no order of so few runs would be significant
} ComparePair;

typedef struct CompareMoment {
    double at;       // evaluations or seconds
    char why[160];   // why there is no such comparison; "" where there is
    double **values; // owned: of each group, of each of its runs
    ComparePair *pairs;
    size_t pair_count;
} CompareMoment;

typedef struct Comparison {
    CompareGroup *groups; // owned
    size_t count;
    const ProblemGoal *goal;
    CompareOn on;
    bool by_held_out; // curves are of the set that is looked at while runs go on
    CompareMoment moments[WHEN_NB];
} Comparison;

// Below this p a difference counts as one.
#define COMPARE_LIMIT 0.05

// Reads the runs and compares them. `on` COMPARE_ON_NB: on the test set where all have the same,
// else on the training set. ERR_ARG where the runs cannot be compared with each other.
MUST_CHECK Status compare_create(Comparison *out, const char *const *folders, size_t count,
                                 CompareOn on);
void compare_free(Comparison *comparison);
// Reads the runs of one argument; ERR_ARG, ERR_IO or ERR_PARSE where there are none, one is not
// finished, or they are of different kinds.
MUST_CHECK Status compare_read_group(CompareGroup *group, const char *folder);
void compare_free_group(CompareGroup *group);

// What a run had when it had reached so much; NaN before its first generation. Where all
// generations are judged on the same positions that is the best so far, else that of the last
// generation.
double compare_value_at(const Comparison *comparison, const CompareGroup *group,
                        const CompareRun *run, CompareWhen when, double at);
// "cannot tell", or which is better.
void compare_verdict(const Comparison *comparison, const ComparePair *pair, Str *out);
// The chart of medians with bands between the quartiles, over evaluations or seconds; nothing where
// there is no such comparison.
void compare_add_chart(const Comparison *comparison, CompareWhen when, Report *report);
// The whole, with the charts for a page; the caller destroys it.
Report *compare_report(const Comparison *comparison, bool has_charts);
// A row for each two groups and moment, for machines; the caller destroys it.
Table *compare_table(const Comparison *comparison);
