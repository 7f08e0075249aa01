// SPDX-License-Identifier: GPL-3.0-or-later
// What answers to a suite add up to, and tables of engines side by side.
#pragma once

#include "report/table.h"
#include "suite/suite.h"

typedef struct SuiteTotal {
    uint64_t count, solved, errors; // errors: the engine gave no legal move in time
    int64_t points, max_points;
    int64_t elapsed_ms;
    uint64_t nodes;
    // Sums over the solved positions.
    int64_t solution_ms, solution_depth;
    uint64_t solution_nodes;
} SuiteTotal;

void suite_total_add(SuiteTotal *total, const SuiteAnswer *answer, int max_points);

// The totals of several engines, in all and by theme.
typedef struct SuiteTally {
    size_t engine_count, theme_count;
    SuiteTotal *engines; // owned
    SuiteTotal *themes;  // owned; engine by engine
} SuiteTally;

SuiteTally suite_tally_init(const Suite *suite, size_t engine_count);
void suite_tally_deinit(SuiteTally *tally);
void suite_tally_add(SuiteTally *tally, const SuiteItem *item, size_t engine,
                     const SuiteAnswer *answer);
const SuiteTotal *suite_tally_theme(const SuiteTally *tally, size_t engine, size_t theme);

// A row for each engine: solved positions, points where the suite has grades, and the means to the
// solution.
void suite_table_fill(Table *table, const Suite *suite, const SuiteTally *tally,
                      const char *const *names);

// What a table of themes counts.
typedef enum SuiteThemeCount { SUITE_THEME_SOLVED, SUITE_THEME_POINTS } SuiteThemeCount;

// A row for each theme and one for all, a column for each engine.
void suite_themes_fill(Table *table, const Suite *suite, const SuiteTally *tally,
                       const char *const *names, SuiteThemeCount count);
