// SPDX-License-Identifier: GPL-3.0-or-later
// What the steps of a plan found, read from the files they wrote.
#pragma once

#include "match/play/tally.h"
#include "papers/plan.h"
#include "suite/suite_file.h"

// Appends the path of what lies below the plan's folder.
[[gnu::format(printf, 3, 4)]] void evidence_path(const Plan *plan, Str *out, const char *format,
                                                 ...);

// The games of two players in a match, from `a`'s view; zeros where the plan has no such step.
MUST_CHECK Status evidence_meeting(const Plan *plan, const char *step, const char *a, const char *b,
                                   MeetingScore *out);
// All games of one player in a match.
MUST_CHECK Status evidence_player(const Plan *plan, const char *step, const char *player,
                                  MeetingScore *out);
// Those who played in a match, in the order in which the games name them; none where the plan has
// no such step.
typedef struct Roster {
    char **names; // owned
    size_t count, capacity;
} Roster;
MUST_CHECK Status evidence_roster(const Plan *plan, const char *step, Roster *out);
void roster_free(Roster *roster);

// What engines solved of a suite, from FOLDER/STEP.jsonl; nobody where the plan has no such step.
MUST_CHECK Status evidence_suite(const Plan *plan, const char *step, SuiteScores *out);

// The verdict of a step's runs of coevolve, all together: the best of each against those it came
// from. Zeros where the plan has no such step.
MUST_CHECK Status evidence_verdict(const Plan *plan, const char *step, int runs, MeetingScore *out);
// What follows `start` on the first line that begins with it in what a step printed, without blanks
// around it; "" where there is no such line.
MUST_CHECK Status evidence_line(const Plan *plan, const char *step, const char *start, Str *out);
// The number in that text, or NaN.
MUST_CHECK Status evidence_number(const Plan *plan, const char *step, const char *start,
                                  double *out);
// What a step that is "rate --jsonl" says of a player: the rating, how far its 95% interval goes up
// and down, and what it rests on; score and draws from 0 to 1. NaN where the plan has no such step,
// or the step no such player.
typedef struct EvidenceRating {
    double elo, plus, minus, games, score, draws;
} EvidenceRating;
MUST_CHECK Status evidence_rating(const Plan *plan, const char *step, const char *player,
                                  EvidenceRating *out);
// The time a step took; NaN where the plan has none.
double evidence_seconds(const Plan *plan, const char *step);
// The time of one of a step's runs of evolution, in the mean.
MUST_CHECK Status evidence_run_seconds(const Plan *plan, const char *step, int runs, double *out);

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
