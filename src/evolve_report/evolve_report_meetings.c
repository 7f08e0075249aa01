// SPDX-License-Identifier: GPL-3.0-or-later
// The report on evolution by games: who met whom in the last generation, and the play-off.
#include "base/mem.h"
#include "evolve_report/evolve_report_internal.h"
#include "run/files/meetings_file.h"
#include "run/playoff.h"

#include <inttypes.h>
#include <string.h>

enum { SHOWN_MOST = 24 }; // a table has a column for each organism

// Points and games of each two organisms of the generation read last.
typedef struct Crosstable {
    uint32_t generation;
    size_t count; // organisms; more than SHOWN_MOST are counted, but not kept
    double points[SHOWN_MOST][SHOWN_MOST];
    unsigned games[SHOWN_MOST][SHOWN_MOST];
} Crosstable;

static void add_result(Crosstable *cross, size_t of, size_t against, unsigned wins, unsigned draws,
                       unsigned games) {
    cross->points[of][against] = wins + draws / 2.0;
    cross->games[of][against] = games;
}

static void take_row(void *context, uint32_t generation, const Encounter *row) {
    Crosstable *cross = context;
    const EvolveResult *result = &row->result;
    const unsigned games = result->wins + result->draws + result->losses;
    if (generation != cross->generation)
        *cross = (Crosstable){.generation = generation};
    cross->count = row->second + 1 > cross->count ? row->second + 1 : cross->count;
    if (row->first >= SHOWN_MOST || row->second >= SHOWN_MOST)
        return;
    add_result(cross, row->first, row->second, result->wins, result->draws, games);
    add_result(cross, row->second, row->first, result->losses, result->draws, games);
}

static double percent_of(const Crosstable *cross, size_t organism, unsigned *games) {
    double points = 0;
    *games = 0;
    for (size_t i = 0; i < cross->count; i++) {
        points += cross->points[organism][i];
        *games += cross->games[organism][i];
    }
    return *games == 0 ? 0 : 100 * points / *games;
}

// The best first; of equals the first.
static void rank(const Crosstable *cross, size_t order[SHOWN_MOST]) {
    for (size_t i = 0; i < cross->count; i++) {
        unsigned games;
        size_t place = i;
        const double percent = percent_of(cross, i, &games);
        for (; place > 0 && percent_of(cross, order[place - 1], &games) < percent; place--)
            order[place] = order[place - 1];
        order[place] = i;
    }
}

static void add_cell(const Crosstable *cross, size_t of, size_t against, Table *table) {
    char text[48] = "";
    if (cross->games[of][against] > 0)
        snprintf(text, sizeof text, "%g/%u", cross->points[of][against], cross->games[of][against]);
    table_add_text(table, of == against ? "—" : text);
}

static void add_table(const Crosstable *cross, Report *report) {
    size_t order[SHOWN_MOST];
    CLEANUP(str_free) Str caption = {0};
    str_addf(&caption, "Who met whom in generation %" PRIu32 ": points of games",
             cross->generation);
    Table *table = report_add_table(report, str_text(&caption));
    rank(cross, order);
    table_add_columns(table, "organism|games:0|points, %:1");
    for (size_t i = 0; i < cross->count; i++) {
        char name[24];
        snprintf(name, sizeof name, "%zu", order[i]);
        table_add_text_column(table, name);
    }
    for (size_t i = 0; i < cross->count; i++) {
        char name[24];
        unsigned games;
        const double percent = percent_of(cross, order[i], &games);
        snprintf(name, sizeof name, "%zu", order[i]);
        table_add_text(table, name);
        TABLE_ADD_NUMBERS(table, games, percent);
        for (size_t j = 0; j < cross->count; j++)
            add_cell(cross, order[i], order[j], table);
    }
    report_add_paragraph(report,
                         "Organisms are numbered by their places in the generation, as in "
                         "populations.csv. meetings.csv has the same of other generations.");
}

// A table, which begins with the first row.
typedef struct Stages {
    Report *report;
    Table *table;
} Stages;

static void add_stage_row(void *context, const PlayoffRow *row) {
    Stages *stages = context;
    char stage[16];
    if (stages->table == NULL) {
        stages->table =
            report_add_table(stages->report, "The play-off: bests of late generations, half of "
                                             "which go on");
        table_add_columns(stages->table, "stage|best of generation:0|games:0|points, %:1");
    }
    snprintf(stage, sizeof stage, "%" PRIu32, row->stage);
    table_add_text(stages->table, stage);
    TABLE_ADD_NUMBERS(stages->table, row->generation, (double)row->games, row->points);
}

Status evolve_findings_add_meetings(const EvolveFindings *findings, Report *report) {
    const size_t run = evolve_findings_median_run(findings);
    CLEANUP(str_free) Str directory = {0};
    CLEANUP(mem_free_at) Crosstable *cross = mem_alloc_zero(1, sizeof *cross);
    Stages stages = {.report = report};
    run_directory(findings->files->directory, findings->config, (uint32_t)run, &directory);
    TRY(meetings_each(str_text(&directory), take_row, cross));
    if (cross->count > 0 && cross->count <= SHOWN_MOST)
        add_table(cross, report);
    return playoff_each(str_text(&directory), add_stage_row, &stages);
}
