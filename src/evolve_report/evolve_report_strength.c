// SPDX-License-Identifier: GPL-3.0-or-later
// The report on evolution by games: strength by games spent.
#include "evolve_report/evolve_report_internal.h"
#include "run/strength.h"

#include <inttypes.h>

static void add_point(const StrengthPoint *point, uint64_t games, Chart *chart, Table *table) {
    const EloEstimate elo = elo_from_pairs(&point->counts.pairs);
    const double percent = 100 * elo_from_games(&point->counts.games).score;
    char generation[16];
    snprintf(generation, sizeof generation, "%" PRIu32, point->generation);
    chart_add_range(chart, 0, (double)games, elo.elo, elo.low, elo.high);
    table_add_text(table, generation);
    TABLE_ADD_NUMBERS(table, (double)games, percent, elo.elo, elo.low, elo.high);
}

Status evolve_findings_add_strength(const EvolveFindings *findings, Report *report) {
    const size_t run = evolve_findings_median_run(findings);
    CLEANUP(str_free) Str directory = {0};
    Strength strength;
    run_directory(findings->files->directory, findings->config, (uint32_t)run, &directory);
    TRY(strength_read(str_text(&directory), &strength));
    if (strength.count == 0)
        return OK;
    Chart *chart = report_add_chart(report, &(ChartSpec){.title = "Strength by games spent",
                                                         .x_label = "games",
                                                         .y_label = "Elo over the start"});
    chart_add_series(chart, "what the run had come to, with the 95% interval");
    chart_add_reference(chart, "the start", 0);
    Table *table = report_add_table(report, "Strength by games spent");
    table_add_columns(table, "generation|games:0|points, %:1|Elo:0|from:0|to:0");
    for (size_t i = 0; i < strength.count; i++) {
        const StrengthPoint *point = &strength.points[i];
        uint64_t games;
        TRY(evolve_findings_count_games_to(findings, run, point->generation, &games));
        add_point(point, games, chart, table);
    }
    report_add_paragraph(report,
                         "%" PRIu64 " games for each point, against those that the run began with, "
                         "from openings that evolution has not seen; all points have the same "
                         "openings.",
                         strength.points[0].counts.played);
    return OK;
}
