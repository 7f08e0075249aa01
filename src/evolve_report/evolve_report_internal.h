// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of the report on runs of evolution, in the order in which they are read.
#pragma once

#include "evolve_report/evolve_report.h"

// Which parameters drawings have room for: free ones, the largest.
typedef struct EvolveShown {
    bool has[TERMS_MAX + 1];
    char note[64]; // how many are left out; "" for none
} EvolveShown;
EvolveShown evolve_findings_shown(const EvolveFindings *findings);
bool evolve_findings_is_free(const EvolveFindings *findings, size_t parameter);
// A value as its weights file has it: in centipawns. (The tempo, behind the family's terms, is
// that.)
double evolve_findings_shown_value(const EvolveFindings *findings, size_t parameter, double value);

// How many runs are better on the training set; of equal ones the first is.
size_t evolve_findings_rank(const EvolveFindings *findings, size_t run);
// The error of each generation, drawn; ERR_IO or ERR_PARSE where a log cannot be read.
MUST_CHECK Status evolve_findings_add_curve(const EvolveFindings *findings, Report *report);
// What the evolved weights, the optimum and the paper's weights reach on the same positions.
void evolve_findings_add_errors(const EvolveFindings *findings, Report *report);
// All runs and their statistics, or in a summary the statistics alone, with times; nothing for a
// single run.
void evolve_findings_add_runs(const EvolveFindings *findings, Report *report, bool is_summary);
// What games said of it, for each run and over all.
void evolve_findings_add_verdict(const EvolveFindings *findings, Report *report);
// In place of the three above, where organisms are judged by games: the verdict, for each run and
// over all, and how points or weights went from generation to generation.
MUST_CHECK Status evolve_findings_add_games(const EvolveFindings *findings, Report *report);
// How many games evolution took, without those of the verdict.
MUST_CHECK Status evolve_findings_count_games(const EvolveFindings *findings, size_t run,
                                              uint64_t *games);
// The same up to the end of a generation, and without those of a play-off.
MUST_CHECK Status evolve_findings_count_games_to(const EvolveFindings *findings, size_t run,
                                                 uint32_t generation, uint64_t *games);
// Strength by games spent, of the median run; nothing where it was not asked for.
MUST_CHECK Status evolve_findings_add_strength(const EvolveFindings *findings, Report *report);
// Who met whom in the last generation of the median run, and its play-off; nothing where
// meetings.csv has none, there are too many organisms for a table, or pairs are made to meet.
MUST_CHECK Status evolve_findings_add_meetings(const EvolveFindings *findings, Report *report);
// What was evolved, parameter by parameter.
void evolve_findings_add_values(const EvolveFindings *findings, Report *report);
// The same as bars, beside the optimum's and the paper's.
void evolve_findings_add_bars(const EvolveFindings *findings, Report *report);
// How the genes of the population went from generation to generation; nothing for runs of versions
// that did not keep them. ERR_IO or ERR_PARSE where they cannot be read.
MUST_CHECK Status evolve_findings_add_genes(const EvolveFindings *findings, Report *report);
// How much the members of each generation differed.
MUST_CHECK Status evolve_findings_add_diversity(const EvolveFindings *findings, Report *report);
// The positions on which the evolved weights are farthest from their mentor, as diagrams; nothing
// where there is no mentor.
MUST_CHECK Status evolve_findings_add_worst(const EvolveFindings *findings, Report *report);
// How far the positions determine each parameter; nothing where no optimum was computed.
void evolve_findings_add_evidence(const EvolveFindings *findings, Report *report);
// Several mentors: their scales, how far they are apart, what each thinks of the organism, and the
// front; nothing for a single one. The first judges, once for all reports.
MUST_CHECK Status evolve_findings_judge_mentors(EvolveFindings *findings);
void evolve_findings_add_mentors(const EvolveFindings *findings, Report *report);
// Writes the front as front.csv and weights files into the directory.
MUST_CHECK Status evolve_findings_write_front(const EvolveFindings *findings);
