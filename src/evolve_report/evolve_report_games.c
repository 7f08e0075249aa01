// SPDX-License-Identifier: GPL-3.0-or-later
// The report on evolution by games: the verdict, and the way of the weights as in CEC 2001's Fig. 5
// and Fig. 6.
#include "base/moments.h"
#include "evolve_report/evolve_report_internal.h"
#include "fitness/ranking.h"
#include "run/files/run_log.h"
#include "run/playoff.h"
#include "run/verdict.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

// --- how much was played ---

typedef struct Count {
    const RunConfig *config;
    uint32_t last;          // generation that counts
    uint64_t judged, games; // so far
} Count;

// Algorithms may judge more organisms than their population, and not as many in each generation.
static void count_generation(void *context, size_t index, const RunLogLine *line) {
    Count *count = context;
    const uint64_t organisms = line->evaluations - count->judged;
    const uint64_t each = (uint64_t)count->config->match_games;
    const uint64_t all = organisms * (organisms - 1) / 2 * each;
    (void)index;
    if (line->generation > count->last)
        return;
    count->judged = line->evaluations;
    // Those that meet count games.
    if (count->config->algorithm.algorithm->ask_meetings != NULL) {
        count->games = line->evaluations;
        return;
    }
    switch (count->config->schedule) {
    case GAMES_ROUND_ROBIN:
        count->games += all;
        break;
    case GAMES_RANDOM:
        count->games += organisms * each;
        break;
    case GAMES_RACE:
        count->games += 2 * ranking_total(organisms, all / 2);
        break;
    }
}

Status evolve_findings_count_games_to(const EvolveFindings *findings, size_t run,
                                      uint32_t generation, uint64_t *games) {
    Count count = {.config = findings->config, .last = generation};
    CLEANUP(str_free) Str directory = {0};
    run_directory(findings->files->directory, findings->config, (uint32_t)run, &directory);
    TRY(run_log_each(str_text(&directory), count_generation, &count));
    *games = count.games;
    return OK;
}

Status evolve_findings_count_games(const EvolveFindings *findings, size_t run, uint64_t *games) {
    CLEANUP(str_free) Str directory = {0};
    // Those that meet count games.
    *games = findings->outcomes[run].evaluations;
    if (findings->config->algorithm.algorithm->ask_meetings != NULL)
        return OK;
    run_directory(findings->files->directory, findings->config, (uint32_t)run, &directory);
    uint64_t playoff;
    TRY(evolve_findings_count_games_to(findings, run, UINT32_MAX, games));
    TRY(playoff_games(str_text(&directory), &playoff));
    *games += playoff;
    return OK;
}

// --- the verdict ---

static void add_median_verdict(const EvolveFindings *findings, Report *report) {
    const size_t median = evolve_findings_median_run(findings);
    const RunOutcome *outcome = &findings->outcomes[median];
    if (!outcome->has_verdict) {
        report_add_paragraph(report, "There is no verdict: verdict-games is 0.");
        return;
    }
    const EloEstimate elo = elo_from_pairs(&outcome->verdict.pairs);
    char text[64];
    CLEANUP(str_free) Str words = {0};
    snprintf(text, sizeof text, "%.1f %%", verdict_percent(&outcome->verdict));
    report_add_figure(report,
                      problem_is_games(findings->problem) ? "Points against the start"
                                                          : "Points against values set by hand",
                      text, findings->config->runs > 1 ? "median run" : "on openings of its own");
    snprintf(text, sizeof text, "%+.0f", elo.elo);
    report_add_figure(report, "Elo gained", text, "estimated");
    verdict_describe(&outcome->verdict, verdict_opponent(findings->problem), &words);
    report_add_paragraph(report, "Verdict on the %s of run %zu: %s.",
                         findings->config->algorithm.algorithm->ends_as_mean
                             ? "mean of the population"
                             : "best organism",
                         median + 1, str_text(&words));
}

static void add_verdicts(const EvolveFindings *findings, Report *report) {
    if (findings->config->runs < 2 || !findings->outcomes[0].has_verdict)
        return;
    Table *table = report_add_table(report, "Each run's verdict");
    Moments points = {0};
    table_add_columns(table, "run|points, %:1|Elo:0|from:0|to:0");
    for (size_t i = 0; i < (size_t)findings->config->runs; i++) {
        const RunOutcome *outcome = &findings->outcomes[i];
        const EloEstimate elo = elo_from_pairs(&outcome->verdict.pairs);
        char name[32];
        snprintf(name, sizeof name, "%zu", i + 1);
        table_add_text(table, name);
        const double percent = verdict_percent(&outcome->verdict);
        TABLE_ADD_NUMBERS(table, percent, elo.elo, elo.low, elo.high);
        moments_add(&points, percent);
    }
    report_add_paragraph(report, "Points of all runs: %.1f %% in the mean, deviation %.1f.",
                         points.mean, moments_deviation(&points));
}

void evolve_findings_add_verdict(const EvolveFindings *findings, Report *report) {
    add_median_verdict(findings, report);
    add_verdicts(findings, report);
}

// --- means and deviations ---

static bool is_free(const EvolveParameter *parameter) {
    return parameter->low < parameter->high;
}

// What the lines of a log are drawn into.
typedef struct Way {
    const EvolveFindings *findings;
    Chart *means, *deviations;
} Way;

// Adds a point to the series of each free parameter.
static Status draw_line(void *context, size_t index, const char *text) {
    const Way *way = context;
    const EvolveSpace *space = problem_space(way->findings->problem);
    const double unit = problem_family(way->findings->problem)->unit;
    RunLogLine line;
    (void)index;
    TRY(run_log_parse(text, &line));
    for (size_t j = 0, series = 0; j < space->count; j++) {
        double mean, deviation;
        if (!is_free(&space->parameters[j]))
            continue;
        run_log_parse_spread(text, space->parameters[j].name, &mean, &deviation);
        chart_add_point(way->means, series, line.generation, mean / unit);
        chart_add_point(way->deviations, series++, line.generation, deviation / unit);
    }
    return OK;
}

static Chart *start_chart(const EvolveFindings *findings, Report *report, const char *title) {
    const EvolveSpace *space = problem_space(findings->problem);
    Chart *chart = report_add_chart(
        report, &(ChartSpec){.title = title, .x_label = "generation", .y_label = "centipawns"});
    for (size_t j = 0; j < space->count; j++)
        if (is_free(&space->parameters[j]))
            chart_add_series(chart, space->parameters[j].name);
    return chart;
}

static Status add_way(const EvolveFindings *findings, Report *report) {
    Way way = {findings, start_chart(findings, report, "Mean of each weight over the population"),
               start_chart(findings, report, "Deviation of each weight")};
    CLEANUP(str_free) Str directory = {0};
    run_directory(findings->files->directory, findings->config,
                  (uint32_t)evolve_findings_median_run(findings), &directory);
    return run_log_each_text(str_text(&directory), draw_line, &way);
}

Status evolve_findings_add_games(const EvolveFindings *findings, Report *report) {
    evolve_findings_add_verdict(findings, report);
    TRY(evolve_findings_add_strength(findings, report));
    const EvolveAlgorithm *algorithm = findings->config->algorithm.algorithm;
    if (algorithm->ends_as_mean)
        return add_way(findings, report);
    // The paths of their values are in the map of genes.
    if (algorithm->ask_meetings != NULL)
        return OK;
    TRY(evolve_findings_add_curve(findings, report));
    return evolve_findings_add_meetings(findings, report);
}
