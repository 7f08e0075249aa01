// SPDX-License-Identifier: GPL-3.0-or-later
// What weighs more for a person, and what less.
#include "base/mem.h"
#include "players/clone_card.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS_MAX = 12, WORDS_MAX = 256 };

// The meaning of a term, and for tapered families when it counts.
static void word_term(const Family *family, size_t term, char out[WORDS_MAX]) {
    const char *when = family->taper == NULL ? "" : term % 2 == 0 ? ", middlegame" : ", endgame";
    snprintf(out, WORDS_MAX, "%s%s", family->terms[term].meaning, when);
}

typedef struct Ranked {
    double effect_cp;
    size_t term;
} Ranked;

static int compare_ranked(const void *left, const void *right) {
    const Ranked *a = left, *b = right;
    if (a->effect_cp > b->effect_cp || a->effect_cp < b->effect_cp)
        return a->effect_cp > b->effect_cp ? -1 : 1;
    return MEM_ORDER(a->term, b->term);
}

// Those that stand, what changes moves most first; the caller frees.
static Ranked *rank_terms(const Clone *clone, const CloneConfig *config, size_t *found) {
    const size_t count = config->fit.start->family->term_count;
    Ranked *ranked = mem_alloc((count + 1) * sizeof *ranked);
    CLEANUP(mem_free_at) bool *stands = mem_alloc(count + 1);
    clone_weights_stand(clone, config, stands);
    *found = 0;
    for (size_t i = 0; i < count; i++)
        if (stands[i])
            ranked[(*found)++] = (Ranked){clone_weight_effect_cp(clone, config, i), i};
    qsort(ranked, *found, sizeof *ranked, compare_ranked);
    return ranked;
}

static void add_table(const Clone *clone, const CloneConfig *config, const Ranked *ranked,
                      size_t count, Report *report) {
    const Family *family = config->fit.start->family;
    Table *table = report_add_table(report, "The weights that stand, in centipawns");
    table_add_columns(table, "what is weighed|here:1|others:1|changes moves by:1|p");
    for (size_t i = 0; i < ROWS_MAX && i < count; i++) {
        const size_t term = ranked[i].term;
        char words[WORDS_MAX];
        word_term(family, term, words);
        table_add_text(table, words);
        for (int model = 0; model < MODEL_NB; model++)
            table_add_number(table, clone->fits[model].values[term] / family->unit);
        table_add_number(table, ranked[i].effect_cp);
        table_add_text(table,
                       clone_card_bare_chance(clone_weight_chance(clone, config, term)).text);
    }
}

void clone_card_add_weights(const Clone *clone, const CloneConfig *config, Report *report) {
    size_t found;
    CLEANUP(mem_free_at) Ranked *ranked = rank_terms(clone, config, &found);
    const size_t count = config->fit.start->family->term_count;
    report_add_heading(report, "What weighs more, and what less");
    if (found == 0) {
        report_add_paragraph(report,
                             "In single weights: no difference that these games could show, once "
                             "all %zu are asked at the same time.",
                             count);
        return;
    }
    report_add_paragraph(report,
                         "%zu of %zu weights stand: chance explains them at most once in twenty "
                         "cards, by how much they vary over %u fits to games drawn from the same "
                         "ones, and they make moves at least a tenth more or less likely.",
                         found, count, config->fit.runs);
    add_table(clone, config, ranked, found, report);
}
