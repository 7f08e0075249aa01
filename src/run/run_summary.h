// SPDX-License-Identifier: GPL-3.0-or-later
// How a finished run went, from the files in its directory: where it started, where it ended, and
// what its last generation reaches on the test set.
#pragma once

#include "fitness/problem.h"
#include "run/files/run_log.h"

typedef struct RunSummary {
    RunLogLine first, last; // generation 0, and the last one
    double test_mean;       // of all organisms of the last generation; NaN without a test set
    double seconds;         // from its beginning, or its last resumption, to its end
} RunSummary;

// Reads the files of the run in `directory`; ERR_IO or ERR_PARSE, with the file, where it cannot.
// Where there is a test set, it is read too, and that is written down.
MUST_CHECK Status run_summary_read(RunSummary *out, const char *directory, Problem *problem);
