// SPDX-License-Identifier: GPL-3.0-or-later
// What a record is made of: the files that a step's command read, and those that others need of
// what it left.
#pragma once

#include "papers/plan.h"
#include "papers/record.h"

// The digest of an input as it is now; false where there is none. The games of a match count as the
// scores they come to, STEP/meetings.jsonl, which is all that a record keeps of them.
bool record_input_digest(const Plan *plan, const char *name, uint64_t *out);
// Adds all inputs that are there, with their digests.
void record_add_inputs(const Plan *plan, const Step *step, Record *out);
// Adds what the page and later steps read of a step: of a match the score of each two players, of a
// suite who solved what, of runs their figures and weights, of a stage all that goes on from it, of
// others their output files.
MUST_CHECK Status record_add_files(const Plan *plan, const Step *step, Record *out);
