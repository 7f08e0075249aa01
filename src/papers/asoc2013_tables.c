// SPDX-License-Identifier: GPL-3.0-or-later
// Applied Soft Computing 2013, first stage: the tables of runs.
#include "papers/asoc2013_runs.h"

#include <math.h>
#include <stdio.h>

// Tables 2 to 9: of the median run the best and the mean of all players at generation 0 and 200,
// the deviation of the last over 31 runs, and its time; the test rate, where section 5.5 has one.
const AsocFigures asoc_figures[] = {
    {24, 0, 2, 21.85, 18.70, 33.61, 33.61, 0.65, 56 * 60 + 50, (double)NAN},
    {24, 10, 3, 26.49, 22.39, 46.35, 46.30, 0.66, 56 * 60 + 51, (double)NAN},
    {24, 15, 4, 21.01, 18.07, 42.27, 42.29, 0.76, 56 * 60 + 54, (double)NAN},
    {24, 20, 5, 23.97, 21.07, 40.66, 40.69, 0.68, 56 * 60 + 59, (double)NAN},
    {33, 0, 6, 30.51, 25.42, 40.85, 40.81, 0.69, 63 * 60 + 3, 39.7},
    {33, 10, 7, 25.38, 22.46, 53.08, 53.10, 0.64, 63 * 60 + 9, 52.1},
    {33, 15, 8, 26.00, 21.00, 50.20, 50.12, 0.63, 63 * 60 + 3, (double)NAN},
    {33, 20, 9, 22.03, 19.92, 47.63, 47.56, 0.65, 55 * 60 + 16, (double)NAN},
    {0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
};

// Table 10: training positions, median of the mean of all players, deviation, seconds of a run.
static const struct {
    int positions;
    double end_mean, deviation, seconds;
} table_10[] = {
    {1000, 50.87, 0.44, 14 * 60 + 37},
    {2000, 51.07, 0.47, 31 * 60 + 12},
    {3000, 52.02, 0.51, 45 * 60 + 37},
    {4000, 53.10, 0.56, 62 * 60 + 59},
};

const AsocFigures *asoc_find_figures(int weights, int chance) {
    for (const AsocFigures *row = asoc_figures; row->weights != 0; row++)
        if (row->weights == weights && row->chance == chance)
            return row;
    return NULL;
}

// --- Tables 2 to 9 ---

static void add_figures(Table *table, const double *figures, double seconds) {
    Str time = {0};
    for (int i = 0; i < 6; i++)
        table_add_number(table, figures[i]);
    page_say_time(&time, seconds);
    table_add_text(table, str_text(&time));
    str_free(&time);
}

static void add_theirs(Table *table, const AsocFigures *theirs) {
    char whose[32];
    snprintf(whose, sizeof whose, "paper, Table %d", theirs->table);
    table_add_number(table, theirs->weights);
    table_add_number(table, theirs->chance);
    table_add_text(table, whose);
    add_figures(table,
                (const double[]){theirs->start_best, theirs->start_mean, theirs->end_best,
                                 theirs->end_mean, theirs->deviation, theirs->test},
                theirs->seconds);
}

static void add_ours(Table *table, int weights, int chance, const AsocRuns *runs) {
    const Grid *grid = &runs->grid;
    const size_t row = runs->median;
    table_add_number(table, weights);
    table_add_number(table, chance);
    table_add_text(table, "here");
    add_figures(table,
                (const double[]){grid_at(grid, row, "start_best"), grid_at(grid, row, "start_mean"),
                                 grid_at(grid, row, "end_best"), grid_at(grid, row, "end_mean"),
                                 grid_deviation(grid, "end_mean"), grid_at(grid, row, "test")},
                runs->seconds);
}

static Table *add_median_table(Report *report) {
    Table *table = report_add_table(
        report, "Tables 2 to 9: the median run, in percent of the moves; deviation: of the mean at "
                "the end, over all runs; time: of a run");
    table_add_number_column(table, "weights", 0);
    table_add_number_column(table, "Pr", 0);
    table_add_text_column(table, "");
    table_add_number_column(table, "start, best", 2);
    table_add_number_column(table, "start, mean", 2);
    table_add_number_column(table, "end, best", 2);
    table_add_number_column(table, "end, mean", 2);
    table_add_number_column(table, "deviation", 2);
    table_add_number_column(table, "test", 2);
    table_add_text_column(table, "time");
    return table;
}

static Table *add_mean_table(Report *report, const char *caption, const char *what) {
    Table *table = report_add_table(report, caption);
    if (what == NULL) {
        table_add_number_column(table, "weights", 0);
        what = "Pr";
    }
    table_add_number_column(table, what, 0);
    table_add_number_column(table, "runs", 0);
    table_add_number_column(table, "training", 2);
    table_add_number_column(table, "deviation", 2);
    table_add_number_column(table, "test", 2);
    table_add_number_column(table, "deviation of the test", 2);
    return table;
}

static void add_means(Table *table, const Grid *grid) {
    table_add_number(table, (double)grid->rows);
    table_add_number(table, grid_mean(grid, "training"));
    table_add_number(table, grid_deviation(grid, "training"));
    table_add_number(table, grid_mean(grid, "test"));
    table_add_number(table, grid_deviation(grid, "test"));
}

static void add_median_rows(void *context, int weights, int chance, const AsocRuns *runs) {
    const AsocFigures *theirs = asoc_find_figures(weights, chance);
    if (theirs != NULL)
        add_theirs(context, theirs);
    add_ours(context, weights, chance, runs);
}

static void add_mean_row(void *context, int weights, int chance, const AsocRuns *runs) {
    table_add_number(context, weights);
    table_add_number(context, chance);
    add_means(context, &runs->grid);
}

// --- Table 10, and the size of the archive ---

static Status add_table_10(const Plan *plan, Report *report) {
    Table *table =
        report_add_table(report, "Table 10: numbers of training positions, 33 weights, Pr = 10; "
                                 "the mean of all players at the end, median run");
    table_add_number_column(table, "positions", 0);
    table_add_number_column(table, "paper", 2);
    table_add_number_column(table, "here", 2);
    table_add_number_column(table, "paper, deviation", 2);
    table_add_number_column(table, "here, deviation", 2);
    table_add_number_column(table, "here, test", 2);
    table_add_text_column(table, "paper, time");
    table_add_text_column(table, "here, time");
    Status status = OK;
    for (size_t i = 0; i < sizeof table_10 / sizeof table_10[0] && status == OK; i++) {
        AsocRuns runs;
        status = asoc_read_size(plan, table_10[i].positions, &runs);
        if (status != OK)
            break;
        Str time = {0};
        table_add_number(table, table_10[i].positions);
        table_add_number(table, table_10[i].end_mean);
        table_add_number(table, grid_at(&runs.grid, runs.median, "end_mean"));
        table_add_number(table, table_10[i].deviation);
        table_add_number(table, grid_deviation(&runs.grid, "end_mean"));
        table_add_number(table, grid_at(&runs.grid, runs.median, "test"));
        page_say_time(&time, table_10[i].seconds);
        table_add_text(table, str_text(&time));
        str_clear(&time);
        page_say_time(&time, runs.seconds);
        table_add_text(table, str_text(&time));
        str_free(&time);
        asoc_free_runs(&runs);
    }
    return status;
}

static Status add_archive_row(const Plan *plan, Table *table, const char *step, int kept) {
    AsocRuns runs;
    Status status = asoc_read_runs(plan, step, &runs);
    if (status != OK)
        return status;
    table_add_number(table, kept);
    add_means(table, &runs.grid);
    asoc_free_runs(&runs);
    return OK;
}

static Status add_archives(const Plan *plan, Report *report) {
    if (!plan_has(plan, "archive-5"))
        return OK;
    Table *table = add_mean_table(
        report, "Players of the past that are kept: 33 weights, Pr = 10, best player of each run",
        "kept");
    Status status = OK;
    for (const int *kept = asoc_archives; *kept >= 0 && status == OK; kept++) {
        char step[32] = "33-10";
        if (*kept != ASOC_KEPT)
            snprintf(step, sizeof step, "archive-%d", *kept);
        status = add_archive_row(plan, table, step, *kept);
    }
    return status;
}

// --- the whole ---

Status asoc_tell_runs(const Plan *plan, Report *report) {
    report_add_heading(report, "Learning from grandmasters' moves");
    Status status = asoc_each_runs(plan, add_median_rows, add_median_table(report));
    if (status == OK)
        status = asoc_each_runs(
            plan, add_mean_row,
            add_mean_table(report, "The best player of each run: mean and deviation over all runs",
                           NULL));
    if (status == OK)
        status = add_table_10(plan, report);
    return status == OK ? add_archives(plan, report) : status;
}
