// SPDX-License-Identifier: GPL-3.0-or-later
// Records of a plan's steps: which steps leave one, and whether one can stand for a step.
#pragma once

#include "papers/plan.h"
#include "papers/record.h"

// Writes the record of a step that is done to plan->records, if it deserves one: matches and suites
// do, what reads the games of matches, and what took a minute. Earlier stages' records are removed,
// which it stands for. Where files are too large, `note` says what is left out.
MUST_CHECK Status record_keep(const Plan *plan, const Step *step, Str *note);
// Notes which steps have a record, as far as that can be said before other steps are done; their
// `recorded` is the commit then.
MUST_CHECK Status record_look(Plan *plan);
// Restores what a step left, or that of a later stage of the same run, and marks them as done.
// False where no record fits; where there is one, `reason` says why it does not.
MUST_CHECK Status record_restore(Plan *plan, Step *step, bool *is_restored, Str *reason);
// Writes the record of a step that was done earlier, if it has none and deserves one.
MUST_CHECK Status record_keep_missing(const Plan *plan, const Step *step, Str *note);
// An earlier match that was restored, without its games, which a step that must be run reads; NULL
// where there is none.
Step *record_find_unplayed(Plan *plan, const Step *step);
// Removes what a record restored of a match or suite, which is about to be run.
void record_drop_restored(const Plan *plan, const Step *step);
