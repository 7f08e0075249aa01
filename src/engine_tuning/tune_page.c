// SPDX-License-Identifier: GPL-3.0-or-later
// The page on a run that tuned options: values, the way they went, strength over each option and
// over pairs of them.
#include "base/mem.h"
#include "engine_tuning/engine_tune.h"
#include "report/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// What is beyond these stands behind a click, or is left out of a chart of many lines.
enum { SLICES_SHOWN = 8, LINES_MAX = 12 };

static const TuneOption *option_at(const TuneConfig *config, size_t i) {
    return &config->options.items[i];
}

// --- words ---

// How much less it takes on positions that were not learned from.
static void add_suite(const TuneSuiteOutcome *suite, Report *report) {
    const char *unit = suite->in_ms ? "ms" : "nodes";
    char text[96], note[96];
    snprintf(text, sizeof text, "%.0f %s", suite->test_best, unit);
    snprintf(note, sizeof note, "%.0f with the start values, on %zu test positions",
             suite->test_start, suite->test_positions);
    report_add_figure(report, "To the solution", text, note);
}

static void add_opening(const TuneConfig *config, const TuneOutcome *outcome, Report *report) {
    const EloEstimate elo = elo_from_pairs(&outcome->verdict.pairs);
    char text[96], games[96];
    if (tune_config_has_suite(config)) {
        add_suite(&outcome->suite, report);
    } else {
        snprintf(text, sizeof text, "%s", number_of((long long)outcome->race_games).text);
        report_add_figure(report, "Games", text,
                          config->method == TUNE_BY_SPSA ? "of SPSA" : "of the race");
    }
    if (outcome->verdict.games > 0) {
        snprintf(text, sizeof text, "%+.0f ± %.0f", elo.elo, elo.margin);
        snprintf(games, sizeof games, "in %s games of the test, 95 %%",
                 number_of((long long)outcome->verdict.games).text);
        report_add_figure(report, "Elo over the start", text, games);
    }
    const char *conclusion = tune_outcome_conclusion(config, outcome);
    report_add_figure(report, "Verdict", conclusion,
                      strstr(conclusion, "better") != NULL ? "than the start values"
                                                           : "nothing better was found");
}

static void add_verdict(const TuneConfig *config, const TuneOutcome *outcome, Report *report) {
    CLEANUP(str_free) Str text = {0};
    if (tune_config_has_suite(config))
        tune_suite_describe(&outcome->suite, &text);
    tune_outcome_judge(config, outcome, &text);
    for (const char *line = str_text(&text); *line != '\0';) {
        const size_t length = strcspn(line, "\n");
        report_add_paragraph(report, "%.*s", (int)length, line);
        line += length + (line[length] == '\n');
    }
}

// --- values ---

static void add_values(const TuneConfig *config, const TuneOutcome *outcome, Report *report) {
    Table *table = report_add_table(report, "Values");
    table_add_columns(table, "option|start:0|tuned:0|lowest:0|highest:0|step:0");
    for (size_t i = 0; i < config->options.count; i++) {
        const TuneOption *option = option_at(config, i);
        table_add_text(table, option->name);
        TABLE_ADD_NUMBERS(table, (double)option->start, outcome->best[i], (double)option->low,
                          (double)option->high, (double)option->step);
    }
}

static double share_of(const TuneOption *option, double value) {
    return 100 * (value - (double)option->low) / (double)(option->high - option->low);
}

static void add_path(const TuneConfig *config, const TuneOutcome *outcome, Report *report) {
    const TuneLandscape *land = &outcome->landscape;
    const size_t lines = land->size < LINES_MAX ? land->size : LINES_MAX;
    if (land->rounds == 0)
        return;
    report_add_heading(report, "Values over games");
    report_add_paragraph(report,
                         "%s, as a share of the range of each option: 0 is its lowest value, 100 "
                         "its highest.%s",
                         config->method == TUNE_BY_SPSA ? "Where SPSA's values were"
                                                        : "The best values by the games so far",
                         lines < land->size ? " The options that matter most are drawn." : "");
    Chart *chart = report_add_chart(report, &(ChartSpec){.title = "Values over games",
                                                         .x_label = "games",
                                                         .y_label = "percent of the range",
                                                         .y_decimals = 1});
    for (size_t i = 0; i < lines; i++) {
        const size_t option = land->order[i];
        const size_t series = chart_add_series(chart, option_at(config, option)->name);
        chart_add_point(
            chart, series, 0,
            share_of(option_at(config, option), (double)option_at(config, option)->start));
        for (size_t k = 0; k < land->rounds; k++)
            chart_add_point(
                chart, series, land->games[k],
                share_of(option_at(config, option), land->path[k * land->size + option]));
    }
}

// --- strength ---

static void explain_strength(const TuneConfig *config, const TuneOutcome *outcome, Report *report) {
    report_add_heading(report, "Strength over each option");
    report_add_paragraph(
        report,
        "A logistic regression of all games of %s on a quadratic in the options: Elo over the "
        "start "
        "values, with the other options at their tuned values, over the range that was played. "
        "The band is the 95 %% interval: the games leave every curve within it possible. "
        "Options that matter most come first.%s",
        config->method == TUNE_BY_SPSA ? "SPSA, fitted for this page alone," : "the race",
        outcome->landscape.size > DUEL_COUPLED_MAX
            ? " With so many options the quadratic couples no two of them."
            : "");
}

static void add_slice(const TuneConfig *config, const TuneOutcome *outcome, size_t option,
                      Report *report) {
    const TuneSlice *slice = &outcome->landscape.slices[option];
    const TuneOption *it = option_at(config, option);
    CLEANUP(str_free) Str title = {0};
    str_addf(&title, "%s: tuned %.0f, start %lld", it->name, outcome->best[option],
             (long long)it->start);
    Chart *chart = report_add_chart(report, &(ChartSpec){.title = str_text(&title),
                                                         .x_label = it->name,
                                                         .y_label = "Elo over the start",
                                                         .x_decimals = 1,
                                                         .y_decimals = 1});
    const size_t series = chart_add_series(chart, "strength");
    for (size_t i = 0; i < TUNE_SLICE_POINTS; i++) {
        const double margin = ELO_Z_95 * slice->deviations[i];
        chart_add_range(chart, series, slice->values[i], slice->elo[i], slice->elo[i] - margin,
                        slice->elo[i] + margin);
    }
    chart_add_reference(chart, "start", 0);
}

static void add_slices(const TuneConfig *config, const TuneOutcome *outcome, Report *report) {
    const TuneLandscape *land = &outcome->landscape;
    explain_strength(config, outcome, report);
    for (size_t i = 0; i < land->size; i++) {
        if (i == SLICES_SHOWN)
            report_begin_details(report, "The other options");
        add_slice(config, outcome, land->order[i], report);
    }
    if (land->size > SLICES_SHOWN)
        report_end_details(report);
}

static void add_map(const TuneConfig *config, const TuneOutcome *outcome, const TuneMap *map,
                    Report *report) {
    const TuneOption *first = option_at(config, map->first);
    const TuneOption *second = option_at(config, map->second);
    CLEANUP(str_free) Str title = {0};
    str_addf(&title, "%s and %s", first->name, second->name);
    Contour *contour = report_add_contour(
        report,
        &(ContourSpec){.title = str_text(&title), .x_label = first->name, .y_label = second->name});
    contour_set_grid(contour, map->xs, TUNE_MAP_SIDE, map->ys, TUNE_MAP_SIDE, map->elo);
    contour_add_mark(contour, "start", (double)first->start, (double)second->start);
    contour_add_mark(contour, "tuned", outcome->best[map->first], outcome->best[map->second]);
}

static void add_maps(const TuneConfig *config, const TuneOutcome *outcome, Report *report) {
    const TuneLandscape *land = &outcome->landscape;
    if (land->map_count == 0)
        return;
    report_add_heading(report, "Strength over two options");
    report_add_paragraph(report,
                         "The same quadratic over pairs of options%s, all others at their tuned "
                         "values: lines of equal strength, in Elo over the start values; orange is "
                         "better than these, blue is worse.",
                         land->size > TUNE_MAP_OPTIONS ? ", of the four that matter most" : "");
    for (size_t i = 0; i < land->map_count; i++)
        add_map(config, outcome, &land->maps[i], report);
}

// --- the whole ---

static void add_settings(const TuneConfig *config, Report *report) {
    CLEANUP(str_free) Str text = {0};
    report_add_heading(report, "Settings");
    if (config->command.length > 0)
        report_add_code(report, str_text(&config->command));
    tune_config_write(config, &text);
    report_add_code(report, str_text(&text));
}

Report *tune_outcome_report(const TuneConfig *config, const TuneOutcome *outcome) {
    CLEANUP(str_free) Str title = {0};
    str_addf(&title, "Options of %s, tuned %s", config->spec.name,
             tune_config_has_suite(config) ? "from a suite" : "by games");
    Report *report = report_create(str_text(&title));
    add_opening(config, outcome, report);
    add_verdict(config, outcome, report);
    add_values(config, outcome, report);
    if (outcome->landscape.slices != NULL) {
        add_path(config, outcome, report);
        add_slices(config, outcome, report);
        add_maps(config, outcome, report);
    }
    add_settings(config, report);
    return report;
}
