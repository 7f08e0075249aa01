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

double suite_total_mean(const SuiteTotal *total, double sum) {
    return total->solved == 0 ? NAN : sum / (double)total->solved;
}

double suite_total_percent(const SuiteTotal *total) {
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
