// SPDX-License-Identifier: GPL-3.0-or-later
// What the steps of a plan found, read from the files they wrote for machines.
#pragma once

#include "papers/meetings.h"
#include "papers/plan.h"
#include "suite/suite_file.h"

// Appends the path of what lies below the plan's folder.
[[gnu::format(printf, 3, 4)]] void evidence_path(const Plan *plan, Str *out, const char *format,
                                                 ...);

// The games of two players in a match, from `a`'s view, or all of `a`'s where `b` is ""; zeros
// where the plan has no such step.
MUST_CHECK Status evidence_meeting(const Plan *plan, const char *step, const char *a, const char *b,
                                   PaperScore *out);
// Appends those who played in a match, a line each, in the order in which the games name them;
// nothing where the plan has no such step.
MUST_CHECK Status evidence_players(const Plan *plan, const char *step, Str *out);
// Appends the score of each two players of a match, which is read where there are no games:
// FOLDER/STEP/meetings.jsonl.
MUST_CHECK Status evidence_write_meetings(const Plan *plan, const char *step, Str *out);
// Appends what each engine solved, which is read where there are no answers:
// FOLDER/STEP.solved.jsonl.
MUST_CHECK Status evidence_write_solved(const Plan *plan, const char *step, Str *out);
// What engines solved of a suite, from FOLDER/STEP.jsonl; nobody where the plan has no such step.
MUST_CHECK Status evidence_suite(const Plan *plan, const char *step, SuiteScores *out);
// The verdict of a step's runs of coevolve, all together: the best of each against those it came
// from. Zeros where the plan has no such step.
MUST_CHECK Status evidence_verdict(const Plan *plan, const char *step, int runs, PaperScore *out);
// A number of a step's results, FOLDER/STEP.jsonl (of runs, FOLDER/STEP/results.jsonl): that of
// `key` on the first line where `field` has this value. NaN where the plan has no such step, or its
// file no such line.
MUST_CHECK Status evidence_result(const Plan *plan, const char *step, const char *field,
                                  const char *value, const char *key, double *out);
// Appends what an engine of a step calls itself; nothing where it is not known.
void evidence_engine_version(const Plan *plan, const char *step, const char *engine, Str *out);
// The time a step took; NaN where the plan has none.
double evidence_seconds(const Plan *plan, const char *step);
// The time of one of a step's runs of evolution, in the mean.
MUST_CHECK Status evidence_run_seconds(const Plan *plan, const char *step, int runs, double *out);

// The log of a run of evolution.
typedef struct EvidenceLog {
    char **lines; // owned
    size_t count, capacity;
} EvidenceLog;
MUST_CHECK Status evidence_log_read(EvidenceLog *out, const char *folder);
void evidence_log_free(EvidenceLog *log);
// A column of a generation: best, mean, worst, median, diversity; means.TERM or deviations.TERM
// over the population. NaN where there is none.
double evidence_log_at(const EvidenceLog *log, size_t generation, const char *column);

// A file of comma-separated values with a line of names. What is no number is NaN.
typedef struct Grid {
    char **names; // owned
    size_t columns, rows;
    double *cells; // owned; row by row
} Grid;
MUST_CHECK Status grid_read(Grid *out, const char *path);
void grid_free(Grid *grid);
// NaN where there is no such column or row.
double grid_at(const Grid *grid, size_t row, const char *column);
// The row that has this value in the column; grid->rows where there is none.
size_t grid_find(const Grid *grid, const char *column, double value);
double grid_mean(const Grid *grid, const char *column);
// With one less than their number below; 0 for one row.
double grid_deviation(const Grid *grid, const char *column);
