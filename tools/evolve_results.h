// SPDX-License-Identifier: GPL-3.0-or-later
// What a user gets of evolution that is over: a summary on the terminal, reports in the directory.
#pragma once

#include "evolve_report/evolve_report.h"

// Prints the summary and writes report.html, report.txt and, of several runs, runs.csv.
// `no_optimum`: without the least error that any weights can reach.
MUST_CHECK Status evolve_show_results(EvolveFindings *findings, bool no_optimum);
