// SPDX-License-Identifier: GPL-3.0-or-later
// The style card: what tells one person's moves from others', in words, with how sure it is.
#include "base/mem.h"
#include "players/clone.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_MAX = 12, WORDS_MAX = 256 };
static const double level = 0.05, wide = 1.959964; // how sure; the width of a 95% interval

// --- who, and from what ---

static const char *groups_word(const CloneConfig *config) {
    return config->source.split == SPLIT_BY_YEAR ? "years" : "events";
}

static void add_opening(const Clone *clone, const CloneConfig *config, Report *report) {
    const CloneSet *training = &clone->data.sets[WHO_PERSON][PART_TRAINING];
    const CloneSet *held_out = &clone->data.sets[WHO_PERSON][PART_HELD_OUT];
    char years[64] = "";
    if (clone->data.first_year < clone->data.last_year)
        snprintf(years, sizeof years, " of %d to %d", clone->data.first_year,
                 clone->data.last_year);
    else if (clone->data.first_year > 0)
        snprintf(years, sizeof years, " of %d", clone->data.first_year);
    report_add_paragraph(
        report,
        "%zu games%s in %zu %s, with %zu positions after ply %u. The clone learned from %zu of "
        "them (%zu games) and is judged on %zu others (%zu games of other %s). The generic "
        "organism learned from as many positions of other players in the same way. Both are of "
        "the family %s, see %u %s ahead and the captures that follow, and start from %s.",
        training->game_count + held_out->game_count, years,
        training->group_count + held_out->group_count, groups_word(config),
        training->all_positions + held_out->all_positions, config->source.skip_plies,
        training->played.count, training->game_count, held_out->played.count, held_out->game_count,
        groups_word(config), config->fit.start->family->name, config->fit.rules.replies + 1,
        config->fit.rules.replies == 0 ? "ply" : "plies", config->start_name);
}

// --- moves found ---

static void add_share(Report *report, const char *label, const GroupedMean *mean,
                      const char *note) {
    char text[64];
    snprintf(text, sizeof text, "%.1f ± %.1f %%", 100 * mean->mean, 100 * wide * mean->deviation);
    report_add_figure(report, label, text, note);
}

static void add_match(const Clone *clone, Report *report) {
    const CloneFigure *match = &clone->verdict.match, *likely = &clone->verdict.likelihood;
    const double points = 100 * match->difference.mean;
    char text[64];
    report_add_heading(report, "Moves of games it never saw");
    add_share(report, "The clone finds", &match->models[MODEL_CLONE], "of the moves played");
    add_share(report, "The generic organism finds", &match->models[MODEL_GENERIC],
              "of the same moves");
    snprintf(text, sizeof text, "%.4f", match->chance);
    report_add_figure(report, "Chance alone (p)", text, "of a difference as large");
    if (match->chance < level)
        report_add_paragraph(report,
                             "The clone finds %.2f ± %.2f points %s of the moves, more than chance "
                             "explains: p = %.4f, with the signs of games' differences flipped "
                             "%d times.",
                             fabs(points), 100 * wide * match->difference.deviation,
                             points > 0 ? "more" : "less", match->chance, CHANCE_FLIPS);
    else
        report_add_paragraph(report,
                             "Moves found: no difference that these games could show (%+.2f ± %.2f "
                             "points, p = %.4f, with the signs of games' differences flipped %d "
                             "times).",
                             points, 100 * wide * match->difference.deviation, match->chance,
                             CHANCE_FLIPS);
    const double times = exp(likely->difference.mean);
    if (likely->chance < level)
        report_add_paragraph(report,
                             "It gives the moves that were played %.2f %% %s probability than the "
                             "generic organism does (p = %.4f), a finer measure than moves found.",
                             100 * fabs(times - 1), times > 1 ? "more" : "less", likely->chance);
    else
        report_add_paragraph(report,
                             "Probability of the moves played: no difference that these games "
                             "could show (%+.2f %%, p = %.4f).",
                             100 * (times - 1), likely->chance);
}

// --- weights ---

// The meaning of a term, and for tapered families when it counts.
static void word_term(const Family *family, size_t term, char out[WORDS_MAX]) {
    const char *when = family->taper == NULL ? "" : term % 2 == 0 ? ", middlegame" : ", endgame";
    snprintf(out, WORDS_MAX, "%s%s", family->terms[term].meaning, when);
}

typedef struct Ranked {
    double deviations;
    size_t term;
} Ranked;

static int compare_ranked(const void *left, const void *right) {
    const Ranked *a = left, *b = right;
    const double x = fabs(a->deviations), y = fabs(b->deviations);
    if (x > y || x < y)
        return x > y ? -1 : 1;
    return MEM_ORDER(a->term, b->term);
}

static Ranked *rank_terms(const Clone *clone, size_t count) {
    Ranked *ranked = mem_alloc((count + 1) * sizeof *ranked);
    for (size_t i = 0; i < count; i++)
        ranked[i] = (Ranked){clone_weight_deviations(clone, i), i};
    qsort(ranked, count, sizeof *ranked, compare_ranked);
    return ranked;
}

static void add_weights_table(const Clone *clone, const Family *family, const Ranked *ranked,
                              const bool *stands, Report *report) {
    Table *table = report_add_table(report, "The weights that differ most, in centipawns");
    table_add_columns(table, "weight|clone:1|generic:1|deviations:1|stands|what is weighed");
    for (size_t i = 0; i < ROWS_MAX && i < family->term_count; i++) {
        const size_t term = ranked[i].term;
        char words[WORDS_MAX];
        word_term(family, term, words);
        table_add_text(table, family->terms[term].name);
        for (int model = 0; model < MODEL_NB; model++)
            table_add_number(table, clone->fits[model].values[term] / family->unit);
        table_add_number(table, ranked[i].deviations);
        table_add_text(table, stands[term] ? "yes" : "no");
        table_add_text(table, words);
    }
}

static void add_weight_findings(const Clone *clone, const Family *family, const Ranked *ranked,
                                const bool *stands, Report *report) {
    size_t found = 0;
    for (size_t i = 0; i < family->term_count; i++) {
        const size_t term = ranked[i].term;
        char words[WORDS_MAX];
        if (!stands[term])
            continue;
        word_term(family, term, words);
        if (found++ < ROWS_MAX)
            report_add_paragraph(
                report, "“%s” weighs %.0f here and %.0f with others: %.1f deviations apart.", words,
                clone->fits[MODEL_CLONE].values[term] / family->unit,
                clone->fits[MODEL_GENERIC].values[term] / family->unit, fabs(ranked[i].deviations));
    }
    if (found == 0)
        report_add_paragraph(report, "In single weights: no difference that these games could "
                                     "show, once all of them are asked at the same time.");
}

static void add_weights(const Clone *clone, const CloneConfig *config, Report *report) {
    const Family *family = config->fit.start->family;
    const size_t count = family->term_count;
    CLEANUP(mem_free_at) Ranked *ranked = rank_terms(clone, count);
    CLEANUP(mem_free_at) double *chances = mem_alloc((count + 1) * sizeof *chances);
    CLEANUP(mem_free_at) bool *stands = mem_alloc(count + 1);
    size_t beyond = 0;
    for (size_t i = 0; i < count; i++) {
        chances[i] = clone_weight_chance(clone, config, i);
        beyond += fabs(clone_weight_deviations(clone, i)) >= 2;
    }
    chance_holm(chances, count, level, stands);
    report_add_heading(report, "What weighs more, and what less");
    report_add_paragraph(
        report,
        "A standard deviation is that of the difference over %u runs, each on games drawn from "
        "the same ones with repetition. %zu of %zu weights are 2 or more apart; with so few runs "
        "chance alone would put about %.0f there. “Stands” are those that hold at 95 %% although "
        "all %zu are asked at once (Holm).",
        config->fit.runs, beyond, count,
        (double)count * chance_of_student(2, 2 * (config->fit.runs - 1)), count);
    add_weight_findings(clone, family, ranked, stands, report);
    add_weights_table(clone, family, ranked, stands, report);
}

// --- kinds of moves ---

static void add_kind_findings(const CloneVerdict *verdict, const bool *stands, Report *report) {
    bool has_any = false;
    for (int trait = 0; trait < TRAIT_NB; trait++) {
        const CloneKind *kind = &verdict->kinds[trait];
        const double more = 100 * (kind->surplus.mean - kind->of_others.mean);
        if (!stands[trait])
            continue;
        has_any = true;
        report_add_paragraph(report,
                             "Makes %s %s often than others would in the same positions: %.1f %% "
                             "of the moves, %+.1f points (p = %.4f).",
                             move_trait_names[trait], more > 0 ? "more" : "less",
                             100 * kind->made.mean, more, kind->chance);
    }
    if (!has_any)
        report_add_paragraph(report, "In the kinds of moves made: no difference that these games "
                                     "could show.");
}

static void add_made(const CloneVerdict *verdict, Report *report) {
    double chances[TRAIT_NB];
    bool stands[TRAIT_NB];
    for (int trait = 0; trait < TRAIT_NB; trait++)
        chances[trait] = verdict->kinds[trait].chance;
    chance_holm(chances, TRAIT_NB, level, stands);
    add_kind_findings(verdict, stands, report);
    report_add_paragraph(report,
                         "Surplus is by how many points moves of a kind are made more often than "
                         "the generic organism expects in the same positions. It errs for "
                         "everybody: what others show too is not this person's.");
    Table *table = report_add_table(report, "Moves made");
    table_add_columns(table, "kind|made, %:1|surplus:1|others':1|stands|p:4");
    for (int trait = 0; trait < TRAIT_NB; trait++) {
        const CloneKind *kind = &verdict->kinds[trait];
        table_add_text(table, move_trait_names[trait]);
        TABLE_ADD_NUMBERS(table, 100 * kind->made.mean, 100 * kind->surplus.mean,
                          100 * kind->of_others.mean);
        table_add_text(table, stands[trait] ? "yes" : "no");
        table_add_number(table, kind->chance);
    }
}

static void add_figure_row(Table *table, const char *name, const CloneFigure *figure) {
    if (figure->positions == 0)
        return;
    table_add_text(table, name);
    TABLE_ADD_NUMBERS(table, (double)figure->positions, 100 * figure->models[MODEL_CLONE].mean,
                      100 * figure->models[MODEL_GENERIC].mean, 100 * figure->difference.mean,
                      figure->chance);
}

// Which kinds of moves the clone finds more or less often, all phases and kinds asked at once.
static void add_found(const CloneVerdict *verdict, Report *report) {
    enum { ALL = TRAIT_NB + PHASE_NB };
    const CloneFigure *figures[ALL];
    const char *names[ALL];
    double chances[ALL];
    bool stands[ALL], has_any = false;
    for (int i = 0; i < ALL; i++) {
        figures[i] = i < TRAIT_NB ? &verdict->kinds[i].match : &verdict->phases[i - TRAIT_NB];
        names[i] = i < TRAIT_NB ? move_trait_names[i] : phase_names[i - TRAIT_NB];
        chances[i] = figures[i]->chance;
    }
    chance_holm(chances, ALL, level, stands);
    for (int i = 0; i < ALL; i++) {
        const double points = 100 * figures[i]->difference.mean;
        if (stands[i])
            report_add_paragraph(report,
                                 "Of the moves under “%s” the clone finds %.1f points %s than the "
                                 "generic organism (p = %.4f).",
                                 names[i], fabs(points), points > 0 ? "more" : "less", chances[i]);
        has_any |= stands[i];
    }
    if (!has_any)
        report_add_paragraph(report, "In the kinds of moves found: no difference that these games "
                                     "could show.");
    Table *table = report_add_table(report, "Moves found, by kind and phase");
    table_add_columns(table, "kind|played:0|clone, %:1|generic, %:1|difference:1|p:4");
    for (int i = 0; i < ALL; i++)
        add_figure_row(table, names[i], figures[i]);
}

// --- how it was made ---

static void add_making(const Clone *clone, const CloneConfig *config, Report *report) {
    report_add_heading(report, "How it was made");
    Table *table = report_add_table(
        report, "How far weights may leave the start: chosen on games held back from learning");
    table_add_columns(table, "leash, centipawns:0|taken|surprise, nats a move:4");
    for (unsigned i = 0; i < CLONE_LEASHES; i++) {
        table_add_number(table, clone_leashes_cp[i]);
        table_add_text(table, i == clone->leash ? "yes" : "");
        table_add_number(table, clone->losses[i]);
    }
    const PlayerGamesTotals *totals = &clone->data.totals;
    report_add_paragraph(report,
                         "%" PRIu64 " games were read; of the person's, %" PRIu64
                         " copies and %" PRIu64 " damaged games were left out.",
                         totals->games, totals->copies + totals->contested, totals->damaged);
    report_add_code(report, config->command);
}

Report *clone_card(const Clone *clone, const CloneConfig *config) {
    CLEANUP(str_free) Str title = {0};
    const char *player = config->source.player;
    str_addf(&title, "Style card: %.*s", (int)strcspn(player, ";"), player);
    Report *report = report_create(str_text(&title));
    add_opening(clone, config, report);
    add_match(clone, report);
    add_weights(clone, config, report);
    report_add_heading(report, "Kinds of moves");
    add_made(&clone->verdict, report);
    add_found(&clone->verdict, report);
    add_making(clone, config, report);
    return report;
}
