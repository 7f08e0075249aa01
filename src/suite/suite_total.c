// SPDX-License-Identifier: GPL-3.0-or-later
#include "suite/suite_total.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

void suite_total_add(SuiteTotal *total, const SuiteAnswer *answer, int max_points) {
    total->count++;
    total->errors += answer->error[0] != '\0';
    total->points += answer->points;
    total->max_points += max_points;
    total->elapsed_ms += answer->elapsed_ms;
    total->nodes += answer->nodes;
    if (!answer->is_solved)
        return;
    total->solved++;
    total->solution_ms += answer->solution_ms;
    total->solution_depth += answer->solution_depth;
    total->solution_nodes += answer->solution_nodes;
}

// A sum over the solved positions as their mean; NaN when there are none.
static double mean_of(const SuiteTotal *total, double sum) {
    return total->solved == 0 ? NAN : sum / (double)total->solved;
}

// The solved positions of a hundred; NaN when nothing was asked.
static double percent_of(const SuiteTotal *total) {
    return total->count == 0 ? NAN : 100 * (double)total->solved / (double)total->count;
}

SuiteTally suite_tally_init(const Suite *suite, size_t engine_count) {
    return (SuiteTally){engine_count, suite->theme_count,
                        mem_alloc_zero(engine_count, sizeof(SuiteTotal)),
                        mem_alloc_zero(engine_count * suite->theme_count, sizeof(SuiteTotal))};
}

void suite_tally_deinit(SuiteTally *tally) {
    free(tally->engines);
    free(tally->themes);
    *tally = (SuiteTally){0};
}

void suite_tally_add(SuiteTally *tally, const SuiteItem *item, size_t engine,
                     const SuiteAnswer *answer) {
    suite_total_add(&tally->engines[engine], answer, item->max_points);
    suite_total_add(&tally->themes[engine * tally->theme_count + item->theme], answer,
                    item->max_points);
}

const SuiteTotal *suite_tally_theme(const SuiteTally *tally, size_t engine, size_t theme) {
    return &tally->themes[engine * tally->theme_count + theme];
}

// --- tables ---

static void add_row(Table *table, bool is_graded, const char *name, const SuiteTotal *total) {
    table_add_text(table, name);
    TABLE_ADD_NUMBERS(table, (double)total->solved, (double)total->count, percent_of(total));
    if (is_graded)
        TABLE_ADD_NUMBERS(table, (double)total->points, (double)total->max_points);
    TABLE_ADD_NUMBERS(table, mean_of(total, (double)total->solution_depth),
                      mean_of(total, (double)total->solution_nodes),
                      mean_of(total, (double)total->solution_ms), (double)total->errors);
}

void suite_table_fill(Table *table, const Suite *suite, const SuiteTally *tally,
                      const char *const *names) {
    table_add_columns(table, "engine|solved:0|of:0|%:1");
    if (suite->is_graded) {
        table_add_columns(table, "points:0|of:0");
    }
    table_add_columns(table, "depth:1|nodes:0|ms:0|errors:0");
    for (size_t i = 0; i < tally->engine_count; i++)
        add_row(table, suite->is_graded, names[i], &tally->engines[i]);
}

static double reached(const SuiteTotal *total, SuiteThemeCount count) {
    return (double)(count == SUITE_THEME_POINTS ? total->points : (int64_t)total->solved);
}

static double reachable(const SuiteTotal *total, SuiteThemeCount count) {
    return (double)(count == SUITE_THEME_POINTS ? total->max_points : (int64_t)total->count);
}

// `totals` are those of the engines, `stride` apart. After Ctrl-C some engines were asked more.
static void add_theme(Table *table, const char *name, const SuiteTotal *totals, size_t stride,
                      size_t engines, SuiteThemeCount count) {
    double most = 0;
    for (size_t i = 0; i < engines; i++)
        if (reachable(&totals[i * stride], count) > most)
            most = reachable(&totals[i * stride], count);
    table_add_text(table, name);
    table_add_number(table, most);
    for (size_t i = 0; i < engines; i++)
        table_add_number(table, reached(&totals[i * stride], count));
}

void suite_themes_fill(Table *table, const Suite *suite, const SuiteTally *tally,
                       const char *const *names, SuiteThemeCount count) {
    table_add_columns(table, "theme|of:0");
    for (size_t i = 0; i < tally->engine_count; i++)
        table_add_number_column(table, names[i], 0);
    for (size_t i = 0; i < tally->theme_count; i++)
        add_theme(table, suite->themes[i].name, suite_tally_theme(tally, 0, i), tally->theme_count,
                  tally->engine_count, count);
    add_theme(table, "all", tally->engines, 1, tally->engine_count, count);
}
