// SPDX-License-Identifier: GPL-3.0-or-later
// Engines side by side: what they reached in a suite, in all and by theme.
#pragma once

#include "report/table.h"
#include "suite/suite_total.h"

// A row for each engine: solved positions, points where the suite has grades, and the means to the
// solution.
void suite_table_fill(Table *table, const Suite *suite, const SuiteTally *tally,
                      const char *const *names);

// What a table of themes counts.
typedef enum SuiteThemeCount { SUITE_THEME_SOLVED, SUITE_THEME_POINTS } SuiteThemeCount;

// A row for each theme and one for all, a column for each engine.
void suite_themes_fill(Table *table, const Suite *suite, const SuiteTally *tally,
                       const char *const *names, SuiteThemeCount count);
