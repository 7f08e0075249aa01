// SPDX-License-Identifier: GPL-3.0-or-later
#include "evolve_report/evolve_report.h"

#include "evolve_report/evolve_report_internal.h"
#include "run/files/run_rank.h"

#include <inttypes.h>
#include <math.h>

// --- which run ---

static bool is_better(const EvolveFindings *findings, size_t run, size_t than) {
    const double sign = problem_goal(findings->problem)->per_position < 0 ? -1 : 1;
    const double first = sign * findings->outcomes[run].training_error;
    const double second = sign * findings->outcomes[than].training_error;
    // Without a verdict there are no figures, and all are equal.
    return first > second || (!(second > first) && run < than);
}

size_t evolve_findings_rank(const EvolveFindings *findings, size_t run) {
    size_t better = 0;
    for (size_t i = 0; i < (size_t)findings->config->runs; i++)
        better += is_better(findings, i, run);
    return better;
}

static size_t run_at_rank(const EvolveFindings *findings, size_t rank) {
    size_t run = 0;
    while (evolve_findings_rank(findings, run) != rank)
        run++;
    return run;
}

size_t evolve_findings_median_run(const EvolveFindings *findings) {
    return run_at_rank(findings, run_rank_median((size_t)findings->config->runs));
}

size_t evolve_findings_best_run(const EvolveFindings *findings) {
    return run_at_rank(findings, 0);
}

size_t evolve_findings_worst_run(const EvolveFindings *findings) {
    return run_at_rank(findings, (size_t)findings->config->runs - 1);
}

// --- the parts that are words ---

static Status add_games_opening(const EvolveFindings *findings, Report *report) {
    const RunConfig *config = findings->config;
    const double population = config->algorithm.values[OPTION_POPULATION];
    char number[32] = "";
    uint64_t games;
    TRY(evolve_findings_count_games(findings, 0, &games));
    // 0 leaves it to the algorithm.
    if (population > 0)
        snprintf(number, sizeof number, "%.0f ", population);
    report_add_paragraph(report,
                         "%" PRId64 " run%s of the algorithm %s, seed %" PRId64
                         ": %sorganisms that play each other, %" PRIu64 " games%s. %s",
                         config->runs, config->runs == 1 ? "" : "s",
                         config->algorithm.algorithm->name, config->seed, number, games,
                         config->runs == 1 ? "" : " in each",
                         problem_goal(findings->problem)->meaning);
    return OK;
}

// What an error is, where there are several mentors.
static const char *meaning_of(const EvolveFindings *findings) {
    static const char *const meanings[] = {
        [PANEL_TARGET] = "An error is the mean of |target - organism| over positions, in "
                         "centipawns; the target is made of all mentors' scores.",
        [PANEL_WORST] = "An error is the mean of |mentor - organism| over positions, in "
                        "centipawns, by the mentor for whom it is largest.",
        [PANEL_MEAN] = "An error is the mean of |mentor - organism| over positions and mentors, in "
                       "centipawns.",
    };
    const RunConfig *config = findings->config;
    MentorData mentors;
    if (!mentor_data_of_several(findings->problem, SET_TRAINING, &mentors))
        return problem_goal(findings->problem)->meaning;
    return meanings[config->mentors_fitness == PANEL_FRONT ? PANEL_MEAN : config->mentors_fitness];
}

static bool is_resolved(const EvolveFindings *findings) {
    MentorData data;
    return mentor_data_of(findings->problem, SET_TRAINING, &data) && data.resolves;
}

static void add_opening(const EvolveFindings *findings, Report *report) {
    const RunConfig *config = findings->config;
    const size_t all = problem_size(findings->problem, SET_TRAINING);
    const size_t sample = problem_sample_size(findings->problem);
    CLEANUP(str_free) Str text = {0};
    str_addf(&text, "%" PRId64 " run%s of the algorithm %s, seed %" PRId64 ", judged on ",
             config->runs, config->runs == 1 ? "" : "s", config->algorithm.algorithm->name,
             config->seed);
    if (sample == all)
        str_addf(&text, "all %zu positions of the training set in each generation", all);
    else
        str_addf(&text,
                 "%zu positions of the training set, of %zu, drawn afresh in each generation",
                 sample, all);
    report_add_paragraph(
        report, "%s. %s%s", str_text(&text), meaning_of(findings),
        is_resolved(findings) ? " An organism's score is its own value behind captures." : "");
}

// "Training error" and "29.71 cp".
static void add_outcome(const EvolveFindings *findings, Report *report, const char *set,
                        double value, const char *note) {
    const ProblemGoal *goal = problem_goal(findings->problem);
    char label[64], text[64];
    snprintf(label, sizeof label, "%s %s", set, goal->name);
    snprintf(text, sizeof text, "%.2f %s", value, goal->short_unit);
    report_add_figure(report, label, text, note);
}

static void add_key_figures(const EvolveFindings *findings, Report *report) {
    const RunOutcome *median = &findings->outcomes[evolve_findings_median_run(findings)];
    const bool has_several = findings->config->runs > 1;
    add_outcome(findings, report, "Training", median->training_error,
                has_several ? "all positions, median run" : "all positions");
    if (!isnan(median->test_error))
        add_outcome(findings, report, "Test", median->test_error, "never learned from");
    if (findings->optimum == NULL) {
        if (findings->why_no_optimum[0] != '\0')
            report_add_paragraph(report, "There is no certified optimum here: %s.",
                                 findings->why_no_optimum);
        return;
    }
    char text[64];
    snprintf(text, sizeof text, "%.2f cp", certified_bound(findings->optimum));
    report_add_figure(report, "Certified optimum", text, "no weights can do better");
    snprintf(text, sizeof text, "%.2f %%",
             certified_distance(findings->optimum, median->training_error));
    report_add_figure(report, "Above the optimum", text, "on the training set");
}

// What was read, and what became of it.
static void add_sets(const EvolveFindings *findings, Report *report) {
    static const char *const names[SET_NB] = {"Training", "Validation", "Test"};
    CLEANUP(str_free) Str text = {0};
    for (int set = 0; set < SET_NB; set++) {
        str_clear(&text);
        problem_describe(findings->problem, (ProblemSet)set, &text);
        if (text.length > 0)
            report_add_paragraph(report, "%s: %s.",
                                 problem_is_games(findings->problem) ? "Games" : names[set],
                                 str_text(&text));
    }
}

static void add_settings(const EvolveFindings *findings, Report *report) {
    CLEANUP(str_free) Str text = {0};
    report_add_paragraph(report, "The command, and every setting as it was resolved:");
    report_add_code(report, str_text(&findings->config->command));
    run_config_write(findings->config, &text);
    report_add_code(report, str_text(&text));
}

// --- the whole ---

static Status add_results(const EvolveFindings *findings, bool is_summary, Report *report) {
    if (problem_is_games(findings->problem)) {
        TRY(add_games_opening(findings, report));
        return evolve_findings_add_games(findings, report);
    }
    add_opening(findings, report);
    add_key_figures(findings, report);
    if (problem_can_play(findings->problem))
        evolve_findings_add_verdict(findings, report);
    TRY(evolve_findings_add_curve(findings, report));
    evolve_findings_add_errors(findings, report);
    evolve_findings_add_mentors(findings, report);
    evolve_findings_add_runs(findings, report, is_summary);
    return OK;
}

static Status add_pictures(const EvolveFindings *findings, Report *report) {
    TRY(evolve_findings_add_genes(findings, report));
    TRY(evolve_findings_add_diversity(findings, report));
    return evolve_findings_add_worst(findings, report);
}

static Status create(const EvolveFindings *findings, bool is_summary, Report **out) {
    CLEANUP(report_destroy_at)
    Report *report = report_create(problem_goal(findings->problem)->title);
    TRY(add_results(findings, is_summary, report));
    if (!is_summary)
        evolve_findings_add_bars(findings, report);
    evolve_findings_add_values(findings, report);
    if (!is_summary) {
        TRY(add_pictures(findings, report));
        evolve_findings_add_evidence(findings, report);
        report_add_heading(report, "Data and settings");
    }
    add_sets(findings, report);
    if (!is_summary)
        add_settings(findings, report);
    *out = TAKE(report);
    return OK;
}

Status evolve_findings_summary(const EvolveFindings *findings, Report **out) {
    return create(findings, true, out);
}

Status evolve_findings_report(const EvolveFindings *findings, Report **out) {
    return create(findings, false, out);
}
