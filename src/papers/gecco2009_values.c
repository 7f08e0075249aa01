// SPDX-License-Identifier: GPL-3.0-or-later
// GECCO 2009: the values of EVOL*, the least and greatest of the ten runs, and those of COEVOL*.
#include "papers/gecco2009.h"

#include "eval/weights.h"

enum { VALUE_COLUMNS = 1 + GECCO2009_RUNS }; // COEVOL*, then the best of each run

static Status load(const Plan *plan, int column, Weights *out) {
    Str path = {0};
    if (column == 0)
        evidence_path(plan, &path, "%s/best.weights", gecco2009_coevolutions[START_TEN_RUNS].step);
    else
        evidence_path(plan, &path, "%s/run-%02d/best.weights", GECCO2009_TEN, column);
    const Status status = weights_load(out, str_text(&path));
    str_free(&path);
    return status;
}

static void add_row(Table *table, const Weights weights[VALUE_COLUMNS], size_t term) {
    int low = weights[1].parameters[term], high = low;
    for (int i = 2; i < VALUE_COLUMNS; i++) {
        const int value = weights[i].parameters[term];
        low = value < low ? value : low;
        high = value > high ? value : high;
    }
    table_add_text(table, weights[0].family->terms[term].name);
    table_add_number(table, weights[1].parameters[term]);
    table_add_number(table, low);
    table_add_number(table, high);
    table_add_number(table, weights[0].parameters[term]);
}

Status gecco2009_tell_values(const Plan *plan, Page *page) {
    Weights weights[VALUE_COLUMNS];
    int count = 0;
    Status status = OK;
    while (count < VALUE_COLUMNS && (status = load(plan, count, &weights[count])) == OK)
        count++;
    if (status == OK) {
        report_add_heading(page->report, "Values");
        report_add_paragraph(page->report, "The paper prints none of its values. A pawn is 100 by "
                                           "definition, as there.");
        Table *table = report_add_table(page->report, "Values in centipawns");
        table_add_text_column(table, "term");
        table_add_number_column(table, GECCO2009_EVOL, 0);
        table_add_number_column(table, "least of ten runs", 0);
        table_add_number_column(table, "greatest", 0);
        table_add_number_column(table, gecco2009_coevolutions[START_TEN_RUNS].player, 0);
        for (size_t term = 0; term < weights[0].family->term_count; term++)
            add_row(table, weights, term);
    }
    while (count-- > 0)
        weights_free(&weights[count]);
    return status;
}
