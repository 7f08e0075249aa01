// SPDX-License-Identifier: GPL-3.0-or-later
// CEC 2001, the parts that its plan and its page share: what the paper printed, who plays in the
// matches, and the course of the runs.
#pragma once

#include "papers/page.h"

enum { CEC_WEIGHTS = 5, CEC_POPULATIONS = 3, CEC_RUNGS = 7, CEC_ANCHORS = 3 };

// A weight that evolves, and sections 4 and 4.2 of the paper on it, in pawns.
typedef struct CecWeight {
    const char *name, *term;
    double undeveloped, start_deviation, developed, deviation;
} CecWeight;
extern const CecWeight cec_weights[CEC_WEIGHTS];
enum { CEC_LEGAL_MOVE = CEC_WEIGHTS - 1 }; // its place among them

// Runs with populations of other sizes, and about as many meetings.
typedef struct CecPopulation {
    const char *step;
    int members, generations; // the first is generation 0
} CecPopulation;
extern const CecPopulation cec_populations[CEC_POPULATIONS];
int cec_runs(const Plan *plan, const CecPopulation *population);

// A player: how a match describes it, but for its name.
typedef struct CecPlayer {
    const char *name, *words;
} CecPlayer;
// Of rising strength, as far as one knows beforehand.
extern const CecPlayer cec_rungs[CEC_RUNGS];

// What Stockfish plays at when its strength is limited.
extern const int cec_anchors[CEC_ANCHORS];
void cec_anchor_name(Str *out, int elo);
void cec_anchor_step(Str *out, int elo);

void plan_cec2001(Plan *plan);
MUST_CHECK Status tell_cec2001(const Plan *plan, Page *page);

// --- the course of runs ---

// Means and deviations of the weights over the population, at the end of each generation.
typedef struct CecCourse {
    size_t runs, generations;
    double *values; // owned; in pawns, by run, generation, weight: mean, deviation
    size_t count, capacity;
} CecCourse;

typedef struct CecSpread {
    double mean, deviation;
} CecSpread;

MUST_CHECK Status cec_course_read(CecCourse *out, const Plan *plan, const char *step, int runs);
void cec_course_free(CecCourse *course);
CecSpread cec_course_at(const CecCourse *course, size_t run, size_t generation, size_t weight);
// Over all runs at one generation: the mean of the means, with the least and the greatest of them,
// and the mean of the deviations.
typedef struct CecRange {
    double mean, low, high, deviation;
} CecRange;
CecRange cec_course_range(const CecCourse *course, size_t generation, size_t weight);
// The number of generations until the mean of a weight was first below so many pawns; NaN if never.
double cec_course_until(const CecCourse *course, size_t run, size_t weight, double pawns);

// --- the page ---

typedef struct CecFindings {
    CecCourse courses[CEC_POPULATIONS], unseeded; // the first course is the paper's own experiment
    MeetingScore verdicts[CEC_POPULATIONS], unseeded_verdict;
} CecFindings;

void cec_claim_evolution(const CecFindings *findings, Page *page);
void cec_claim_populations(const CecFindings *findings, Page *page);
void cec_show_evolution(const CecFindings *findings, Report *report);
void cec_show_populations(const CecFindings *findings, Report *report);
MUST_CHECK Status cec_claim_matches(const Plan *plan, Page *page);
MUST_CHECK Status cec_show_matches(const Plan *plan, Report *report);
