// SPDX-License-Identifier: GPL-3.0-or-later
// What falconer suite prints: a line for an answer, and the tables at the end.
#pragma once

#include "suite/suite_total.h"

// `engine` is NULL where there is only one.
void suite_show_answer(const SuiteItem *item, const char *engine, const SuiteAnswer *answer);
void suite_show_totals(const Suite *suite, const SuiteTally *tally, const char *const *names);
