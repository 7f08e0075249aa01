// SPDX-License-Identifier: GPL-3.0-or-later
// Applied Soft Computing 2013, first stage: what the paper claims of it, beside what was found.
#include "match/rating/elo.h"
#include "papers/asoc2013_runs.h"
#include "report/number.h"

#include <math.h>
#include <stdio.h>

// --- rates ---

// Half the 95% interval of the difference of two rates in percent, each from so many positions.
static double rate_margin(double a, double b, double positions) {
    return ELO_Z_95 * sqrt((a * (100 - a) + b * (100 - b)) / positions);
}

static void say_rate(Str *out, const Grid *grid, size_t median, const char *column) {
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (size_t row = 0; row < grid->rows; row++) {
        low = fmin(low, grid_at(grid, row, column));
        high = fmax(high, grid_at(grid, row, column));
    }
    str_addf(out, "%.2f%% in the median of %zu runs, which have %.2f to %.2f%%",
             grid_at(grid, median, column), grid->rows, low, high);
}

static void say_difference(Str *out, double ours, double theirs, double positions) {
    const double margin = rate_margin(ours, theirs, positions);
    if (fabs(ours - theirs) <= margin)
        str_add(out, "Not told apart");
    else
        str_addf(out, "%.1f points %s the paper's", fabs(ours - theirs),
                 ours < theirs ? "below" : "above");
    str_addf(out, ": of %s positions, chance makes differences up to %.1f points.",
             number_of((long long)positions).text, margin);
}

static void claim_rate(Page *page, const AsocRuns *runs, const char *column, const char *claim,
                       double theirs) {
    Str ours = {0}, remark = {0};
    char text[32];
    snprintf(text, sizeof text, "%.2f%%", theirs);
    say_rate(&ours, &runs->grid, runs->median, column);
    say_difference(&remark, grid_at(&runs->grid, runs->median, column), theirs, ASOC_POSITIONS);
    page_claim(page, claim, text, str_text(&ours), str_text(&remark));
    str_free(&ours);
    str_free(&remark);
}

static Status claim_rates(const Plan *plan, Page *page, int chance, const char *claim) {
    char step[32], test[160];
    AsocRuns runs;
    snprintf(step, sizeof step, "33-%d", chance);
    Status status = asoc_read_runs(plan, step, &runs);
    if (status != OK)
        return status;
    const AsocFigures *theirs = asoc_find_figures(33, chance);
    snprintf(test, sizeof test, "%s, on 4,000 other positions", claim);
    claim_rate(page, &runs, "end_mean", claim, theirs->end_mean);
    claim_rate(page, &runs, "test", test, theirs->test);
    asoc_free_runs(&runs);
    return OK;
}

// --- the historical mechanism ---

static void claim_gain(Page *page, int weights, const Grid *without, const Grid *with) {
    const double gain = grid_mean(with, "end_mean") - grid_mean(without, "end_mean");
    const double margin =
        ELO_Z_95 * hypot(grid_deviation(with, "end_mean") / sqrt((double)with->rows),
                         grid_deviation(without, "end_mean") / sqrt((double)without->rows));
    const double theirs =
        asoc_find_figures(weights, 10)->end_mean - asoc_find_figures(weights, 0)->end_mean;
    char claim[96], text[32], ours[96];
    snprintf(claim, sizeof claim, "The historical mechanism finds more moves (%d weights)",
             weights);
    snprintf(text, sizeof text, "%+.2f points", theirs);
    snprintf(ours, sizeof ours, "%+.2f ± %.2f points, in the mean of %zu runs each", gain, margin,
             with->rows);
    page_claim(page, claim, text, ours,
               gain > margin    ? "More here too, by chance or not: the positions stay the same, "
                                  "and so does the score of a player that comes back."
               : gain < -margin ? "Fewer here. The positions stay the same, and so does the score "
                                  "of a player that comes back: a mutation is lost for it."
                                : "No difference that these runs could show. The positions stay "
                                  "the same, and so does the score of a player that comes back.");
}

static Status claim_history(const Plan *plan, Page *page) {
    Status status = OK;
    for (int weights = 33; weights >= 24 && status == OK; weights -= 9) {
        AsocRuns without = {0}, with = {0};
        char step[32];
        snprintf(step, sizeof step, "%d-0", weights);
        status = asoc_read_runs(plan, step, &without);
        snprintf(step, sizeof step, "%d-10", weights);
        if (status == OK)
            status = asoc_read_runs(plan, step, &with);
        if (status == OK)
            claim_gain(page, weights, &without.grid, &with.grid);
        asoc_free_runs(&without);
        asoc_free_runs(&with);
    }
    return status;
}

// --- training positions, time ---

// What becomes of a rate when there are 4,000 positions in place of 1,000.
static const char *way(double from, double to) {
    const double margin =
        ELO_Z_95 * sqrt(from * (100 - from) / 1000 + to * (100 - to) / ASOC_POSITIONS);
    return to - from > margin   ? "rises"
           : from - to > margin ? "falls"
                                : "changes by no more than chance may";
}

static void claim_sizes(Page *page, const AsocRuns *few, const AsocRuns *many) {
    Str ours = {0}, remark = {0};
    const double from = grid_mean(&few->grid, "end_mean"), to = grid_mean(&many->grid, "end_mean");
    const double test_from = grid_mean(&few->grid, "test"),
                 test_to = grid_mean(&many->grid, "test");
    str_addf(&ours, "%.2f%% and %.2f%%; in the test %.2f%% and %.2f%% (means of %zu runs)", from,
             to, test_from, test_to, many->grid.rows);
    str_addf(&remark,
             "With more positions, the rate in training %s, and that in the test, on as many "
             "other positions, %s.",
             way(from, to), way(test_from, test_to));
    page_claim(page, "More moves are found with 4,000 training positions than with 1,000",
               "53.10% and 50.87%", str_text(&ours), str_text(&remark));
    str_free(&ours);
    str_free(&remark);
}

static Status claim_table_10(const Plan *plan, Page *page) {
    AsocRuns few = {0}, many = {0};
    Status status = asoc_read_size(plan, 1000, &few);
    if (status == OK)
        status = asoc_read_size(plan, ASOC_POSITIONS, &many);
    if (status == OK)
        claim_sizes(page, &few, &many);
    asoc_free_runs(&few);
    asoc_free_runs(&many);
    return status;
}

// --- who else finds how many ---

static Status add_paper_weights(const Plan *plan, Table *table) {
    double percent;
    Status status = evidence_number(plan, "table-1",
                                    "vazquez-asoc2013.weights on grandmasters-test.epd:", &percent);
    table_add_text(table, "the paper's own weights (Table 1), in this engine");
    table_add_number(table, 1);
    table_add_number(table, percent);
    return status;
}

static Status add_evolved(const Plan *plan, Table *table, int weights) {
    char step[32], name[96];
    AsocRuns runs;
    snprintf(step, sizeof step, "%d-10", weights);
    Status status = asoc_read_runs(plan, step, &runs);
    if (status != OK)
        return status;
    snprintf(name, sizeof name, "%d weights evolved here, Pr = 10, median run", weights);
    table_add_text(table, name);
    table_add_number(table, 1);
    table_add_number(table, grid_at(&runs.grid, runs.median, "test"));
    asoc_free_runs(&runs);
    return OK;
}

static Status add_cmaes(const Plan *plan, Table *table, int weights) {
    char step[32], name[96];
    double percent;
    snprintf(step, sizeof step, "cmaes-%d", weights);
    if (!plan_has(plan, step))
        return OK;
    Status status = evidence_number(plan, step, "Test match:", &percent);
    snprintf(name, sizeof name, "%d weights found by CMA-ES, 400 generations", weights);
    table_add_text(table, name);
    table_add_number(table, 1);
    table_add_number(table, percent);
    return status;
}

static Status add_engines(const Plan *plan, Table *table, Page *page) {
    Status status = OK;
    for (const AsocYardstick *stick = asoc_yardsticks; stick->step != NULL && status == OK;
         stick++) {
        double percent;
        char ours[32], claim[96];
        status = asoc_read_yardstick(plan, stick, &percent);
        if (status != OK || isnan(percent))
            continue;
        table_add_text(table, stick->name);
        table_add_number(table, stick->depth);
        table_add_number(table, percent);
        snprintf(ours, sizeof ours, "%.2f%%", percent);
        snprintf(claim, sizeof claim, "For scale: %s's own move at depth %d", stick->name,
                 stick->depth);
        if (stick->depth == 8)
            page_claim(page, claim, "–", ours,
                       percent < 53.10 ? "Below what the paper reports for 33 weights at one ply."
                                       : "Above what the paper reports for 33 weights at one ply.");
    }
    return status;
}

static Status add_yardsticks(const Plan *plan, Page *page) {
    report_add_heading(page->report, "How many of these moves can be found");
    report_add_paragraph(
        page->report,
        "On the test positions: runs are judged on the first 4,000 of them, the others on all "
        "5,000, "
        "which makes a standard error of 0.7 points. Grandmasters do not play one right move, so "
        "that nobody finds all.");
    Table *table = report_add_table(page->report, "Moves found in the test positions, in percent");
    table_add_text_column(table, "who");
    table_add_number_column(table, "plies", 0);
    table_add_number_column(table, "found", 2);
    Status status = add_paper_weights(plan, table);
    for (int weights = 24; weights <= 33 && status == OK; weights += 9) {
        status = add_evolved(plan, table, weights);
        if (status == OK)
            status = add_cmaes(plan, table, weights);
    }
    return status == OK ? add_engines(plan, table, page) : status;
}

Status asoc_tell_moves(const Plan *plan, Page *page) {
    Status status = claim_rates(plan, page, 0, "Moves found at one ply, 33 weights");
    if (status == OK)
        status = claim_rates(plan, page, 10,
                             "Moves found at one ply, 33 weights, with the historical mechanism");
    if (status == OK)
        status = claim_history(plan, page);
    if (status == OK)
        status = claim_table_10(plan, page);
    if (status == OK)
        status = add_yardsticks(plan, page);
    if (status == OK)
        status = asoc_tell_runs(plan, page->report);
    if (status == OK)
        status = asoc_tell_curves(plan, page->report);
    return status == OK ? asoc_tell_weights(plan, page) : status;
}
