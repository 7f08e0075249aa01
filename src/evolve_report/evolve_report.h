// SPDX-License-Identifier: GPL-3.0-or-later
// What came of runs of evolution, for a reader: curves as in GECCO 2008's Fig. 2, values as in its
// Fig. 3, the distance to the optimum, training against test, and what the data can tell.
#pragma once

#include "optimum/front.h"
#include "report/report.h"
#include "run/run.h"
#include "run/run_summary.h"

typedef struct EvolveFindings {
    Problem *problem;
    const RunConfig *config;
    const RunFiles *files;
    const RunOutcome *outcomes;      // one per run, all finished
    const RunSummary *summaries;     // likewise; NULL for a single run
    const CertifiedOptimum *optimum; // of the training set; NULL where none was computed
    char why_no_optimum[256];        // why not; "" where nobody would expect one
    const Weights *paper;            // values to show beside the evolved ones; NULL for none
    const char *paper_name;          // "GECCO 2008"
    // What the best whole numbers of the optimum, and the paper's, come to: see
    // evolve_findings_judge.
    double optimum_figures[SET_NB], paper_figures[SET_NB];
    // With several mentors: the error of the median run's best by each of them, see
    // evolve_findings_judge.
    double mentor_figures[MENTORS_MAX][SET_NB];
    const Front *front; // of the mentors; NULL where none was asked for
} EvolveFindings;

// Judges the weights that did not come out of a run, once for all reports; the reading of the test
// set is written down. All else must be filled in.
MUST_CHECK Status evolve_findings_judge(EvolveFindings *findings);

// The run whose training figure is the median (of two in the middle the worse), the best and the
// worst.
size_t evolve_findings_median_run(const EvolveFindings *findings);
size_t evolve_findings_best_run(const EvolveFindings *findings);
size_t evolve_findings_worst_run(const EvolveFindings *findings);
// Finds out what reports show beside the runs, and writes it all into the directory: the front of
// several mentors, report.html, report.txt, results.jsonl and, of several runs, runs.csv and
// best.weights.
// `no_optimum`: without the least error that any weights can reach. `summary` is for a terminal;
// the caller destroys it.
MUST_CHECK Status evolve_findings_write(EvolveFindings *findings, bool no_optimum,
                                        Report **summary);
// What a reader wants to see at once: errors, curve and values. The caller destroys it.
MUST_CHECK Status evolve_findings_summary(const EvolveFindings *findings, Report **out);
// The whole report: each run, what the data can tell and all settings too.
MUST_CHECK Status evolve_findings_report(const EvolveFindings *findings, Report **out);
// A row for each of several runs, for machines: its rank on the training set (1 is the best), then
// figures as in the report, without times. The caller destroys it.
Table *evolve_findings_runs(const EvolveFindings *findings);
