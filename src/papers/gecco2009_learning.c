// SPDX-License-Identifier: GPL-3.0-or-later
// GECCO 2009, first stage: moves of grandmasters found at one ply.
#include "papers/gecco2009.h"

#include "report/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Section 4.1: moves found among 5,000 positions.
enum { THEIR_POSITIONS = 5000, THEIR_BEST = 1621, THEIR_TEST = 1538, THEIR_MEAN = 1500 };

static double their_percent(int found) {
    return 100.0 * found / THEIR_POSITIONS;
}

// A figure over the ten runs.
typedef struct Spread {
    double mean, low, high;
} Spread;

static Spread spread_of(const Grid *grid, const char *column) {
    Spread spread = {grid_mean(grid, column), HUGE_VAL, -HUGE_VAL};
    for (size_t row = 0; row < grid->rows; row++) {
        spread.low = fmin(spread.low, grid_at(grid, row, column));
        spread.high = fmax(spread.high, grid_at(grid, row, column));
    }
    return spread;
}

// --- claims ---

static void say_spread(Str *out, const Spread *spread) {
    str_addf(out, "%.1f%% in the mean of ten runs (%.1f to %.1f)", spread->mean, spread->low,
             spread->high);
}

// Where the paper's figure lies among ours.
static void say_place(Str *out, double theirs, const Spread *ours) {
    if (theirs > ours->high)
        str_addf(out, "The paper's is above all ten, and %.1f points above their mean",
                 theirs - ours->mean);
    else if (theirs < ours->low)
        str_addf(out, "The paper's is below all ten, and %.1f points below their mean",
                 ours->mean - theirs);
    else
        str_add(out, "The paper's lies among the ten");
}

static void claim_found(Page *page, const char *claim, const char *theirs, double percent,
                        const Spread *ours, const char *more) {
    Str figure = {0}, remark = {0};
    say_spread(&figure, ours);
    say_place(&remark, percent, ours);
    str_addf(&remark, ". %s", more);
    page_claim(page, claim, theirs, str_text(&figure), str_text(&remark));
    str_free(&figure);
    str_free(&remark);
}

static void claim_moves(Page *page, const Grid *runs) {
    const Spread training = spread_of(runs, "training"), test = spread_of(runs, "test"),
                 mean = spread_of(runs, "end_mean");
    claim_found(page, "The best organism of a run finds a third of the training moves at one ply",
                "1,621 of 5,000: 32.4%", their_percent(THEIR_BEST), &training,
                "Its positions and the definitions of its terms were not published; chance moves "
                "such a share by 0.65 points either way.");
    claim_found(page, "The mean of the population ends at about 30%", "about 1,500: 30%",
                their_percent(THEIR_MEAN), &mean, "Mutation keeps a population behind its best.");
    Str more = {0};
    str_addf(&more,
             "From training to test the share changes by %+.1f points there, and %+.1f here.",
             their_percent(THEIR_TEST - THEIR_BEST), test.mean - training.mean);
    claim_found(page, "It finds nearly as many moves that it has not learned from",
                "1,538 of 5,000: 30.8% (printed as 30.7%)", their_percent(THEIR_TEST), &test,
                str_text(&more));
    str_free(&more);
}

// --- tables and the curve ---

static void add_runs(Report *report, const Grid *runs) {
    Table *table = report_add_table(report, "Moves found by the ten runs, in percent");
    table_add_text_column(table, "run");
    table_add_number_column(table, "best at the start", 2);
    table_add_number_column(table, "mean at the start", 2);
    table_add_number_column(table, "mean at the end", 2);
    table_add_number_column(table, "best: training", 2);
    table_add_number_column(table, "best: test", 2);
    static const char *const columns[] = {"start_best", "start_mean", "end_mean", "training",
                                          "test"};
    for (size_t row = 0; row < runs->rows; row++) {
        char name[32];
        snprintf(name, sizeof name, row == 0 ? "%zu: EVOL*" : "%zu", row + 1);
        table_add_text(table, name);
        for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++)
            table_add_number(table, grid_at(runs, row, columns[i]));
    }
    table_add_text(table, "mean of the ten");
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++)
        table_add_number(table, grid_mean(runs, columns[i]));
    table_add_text(table, "the paper");
    table_add_number(table, (double)NAN);
    table_add_number(table, (double)NAN);
    table_add_number(table, their_percent(THEIR_MEAN));
    table_add_number(table, their_percent(THEIR_BEST));
    table_add_number(table, their_percent(THEIR_TEST));
}

static Status add_curve(const Plan *plan, Report *report) {
    RunsCourse course;
    const Status status = course_read(&course, plan, GECCO2009_TEN, GECCO2009_RUNS);
    Chart *chart =
        page_add_course(report, &course,
                        &(ChartSpec){.title = "Moves of grandmasters found, by generation",
                                     .x_label = "generation",
                                     .y_label = "moves found (%)",
                                     .y_decimals = 2});
    course_free(&course);
    chart_add_reference(chart, "the paper: best", their_percent(THEIR_BEST));
    chart_add_reference(chart, "the paper: mean", their_percent(THEIR_MEAN));
    report_add_paragraph(report, "Lines are means over ten runs; bands reach from the lowest to "
                                 "the highest of them.");
    return status;
}

// "349 of 5000 positions" in the lines on the training set.
static Status positions_of(const Plan *plan, const char *step, double *out) {
    Str line = {0};
    const Status status = evidence_line(plan, step, "Training: ", &line);
    const char *colon = strstr(str_text(&line), "): ");
    *out = colon == NULL ? (double)NAN : strtod(colon + 3, NULL);
    str_free(&line);
    return status;
}

static Status add_masters(const Plan *plan, Report *report) {
    Table *table = report_add_table(report, "Organisms of one grandmaster each: moves found");
    table_add_text_column(table, "grandmaster");
    table_add_number_column(table, "positions", 0);
    table_add_number_column(table, "his own, learned from, %", 1);
    table_add_number_column(table, "everybody's, test set, %", 1);
    Status status = OK;
    for (int i = 0; i < GECCO2009_MASTERS && status == OK; i++) {
        const Master *master = &gecco2009_masters[i];
        double positions, training = 0, test = 0;
        status = positions_of(plan, master->step, &positions);
        if (status == OK)
            status = evidence_number(plan, master->step, "Training match:", &training);
        if (status == OK)
            status = evidence_number(plan, master->step, "Test match:", &test);
        table_add_text(table, master->name);
        table_add_number(table, positions);
        table_add_number(table, training);
        table_add_number(table, test);
    }
    report_add_paragraph(
        report,
        "The bundled training set has one position of each game, so that each of these had few to "
        "learn from, while the ten runs above had 5,000. Whether there is a style to be learned at "
        "all is asked with many more positions by falconer clone and scripts/style-test.");
    return status;
}

static void add_time(const Plan *plan, Report *report) {
    Table *table = report_add_table(report, "Time, theirs on an Athlon 64 3200+");
    table_add_text_column(table, "what");
    table_add_text_column(table, "the paper");
    table_add_text_column(table, "here");
    static const struct {
        const char *what, *step, *theirs;
        double share; // of the step
    } rows[] = {
        {"one run of 200 generations", GECCO2009_TEN, "2 h", 1.0 / GECCO2009_RUNS},
        {"ten runs", GECCO2009_TEN, "20 h", 1},
        {"co-evolution of their best over 50 generations", "coevolve", "20 h", 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        Str time = {0};
        page_say_time(&time, rows[i].share * evidence_seconds(plan, rows[i].step));
        if (i == 2)
            str_addf(&time, " for %d generations, %s nodes a move, and the verdict's games",
                     gecco2009_generations(plan), number_of(gecco2009_evolution_nodes(plan)).text);
        table_add_text(table, rows[i].what);
        table_add_text(table, rows[i].theirs);
        table_add_text(table, str_text(&time));
        str_free(&time);
    }
}

Status gecco2009_tell_learning(const Plan *plan, Page *page) {
    Str path = {0};
    Grid runs;
    evidence_path(plan, &path, "%s/runs.csv", GECCO2009_TEN);
    Status status = grid_read(&runs, str_text(&path));
    str_free(&path);
    if (status != OK)
        return status;
    claim_moves(page, &runs);
    add_time(plan, page->report);
    report_add_heading(page->report, "First stage: evolution from grandmasters' moves");
    status = add_curve(plan, page->report);
    add_runs(page->report, &runs);
    if (status == OK)
        status = add_masters(plan, page->report);
    grid_free(&runs);
    return status;
}
