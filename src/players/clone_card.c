// SPDX-License-Identifier: GPL-3.0-or-later
// The style card: what tells one person's moves from others', in words, with how sure it is. What
// chance explains, or is too small to mean anything, is not shown.
#include "players/clone_card.h"

#include "base/mem.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PORTRAIT_DEEDS = 4 };
static const double wide = 1.959964; // of a 95% interval

ChanceText clone_card_chance(double chance) {
    ChanceText out;
    snprintf(out.text, sizeof out.text, chance < 0.0001 ? "< 0.0001" : "= %.4f", chance);
    return out;
}

ChanceText clone_card_bare_chance(double chance) {
    ChanceText out;
    snprintf(out.text, sizeof out.text, chance < 0.0001 ? "< 0.0001" : "%.4f", chance);
    return out;
}

// "Tal" of "Tal, Mihail;Tal, Mikhail N".
static void add_surname(const CloneConfig *config, Str *out) {
    str_append(out, config->source.player, strcspn(config->source.player, ",;"));
}

// --- the portrait ---

static double ratio_of(const CloneKind *kind) {
    return kind->made.mean / fmax(clone_kind_usual(kind), 1e-9);
}

// Those that stand, the ones that differ most, up or down, first.
static size_t rank_kinds(const CloneVerdict *verdict, MoveTrait ranked[TRAIT_NB]) {
    size_t count = 0;
    for (MoveTrait trait = 0; trait < TRAIT_NB; trait++) {
        if (!verdict->kinds[trait].stands)
            continue;
        size_t at = count++;
        const double size = fabs(log(fmax(ratio_of(&verdict->kinds[trait]), 1e-9)));
        for (; at > 0 && fabs(log(fmax(ratio_of(&verdict->kinds[ranked[at - 1]]), 1e-9))) < size;
             at--)
            ranked[at] = ranked[at - 1];
        ranked[at] = trait;
    }
    return count;
}

static void add_deeds(const CloneVerdict *verdict, const MoveTrait *ranked, size_t count,
                      Str *out) {
    for (size_t i = 0; i < count; i++) {
        const CloneKind *kind = &verdict->kinds[ranked[i]];
        const char *joint = i == 0 ? " " : i + 1 < count ? ", " : count > 2 ? ", and " : " and ";
        str_addf(out, "%s%s %s often (%.1f %% of the moves, instead of %.1f %%)", joint,
                 move_trait_deeds[ranked[i]], ratio_of(kind) > 1 ? "more" : "less",
                 100 * kind->made.mean, 100 * clone_kind_usual(kind));
    }
    str_add(out, ".");
}

static void add_portrait(const Clone *clone, const CloneConfig *config, Report *report) {
    const CloneVerdict *verdict = &clone->verdict;
    MoveTrait ranked[TRAIT_NB];
    const size_t kinds = rank_kinds(verdict, ranked);
    CLEANUP(str_free) Str text = {0};
    if (kinds > 0) {
        str_add(&text, "Compared with others in the same positions, ");
        add_surname(config, &text);
        add_deeds(verdict, ranked, kinds < PORTRAIT_DEEDS ? kinds : PORTRAIT_DEEDS, &text);
    } else if (verdict->likelihood.stands) {
        add_surname(config, &text);
        str_add(&text,
                " makes each kind of moves as often as others would, but not the same ones: the "
                "clone tells these moves from others' better than chance does.");
    } else {
        str_add(&text, "These games show nothing that tells the moves of ");
        add_surname(config, &text);
        str_add(&text, " from those of others. More positions may (--positions), or more games.");
    }
    report_add_paragraph(report, "%s", str_text(&text));
}

// --- who, and from what ---

static const char *groups_word(const CloneConfig *config, size_t count) {
    if (config->source.split == SPLIT_BY_YEAR)
        return count == 1 ? "year" : "years";
    return count == 1 ? "event" : "events";
}

static void word_years(const CloneData *data, char out[64]) {
    out[0] = '\0';
    if (data->first_year < data->last_year)
        snprintf(out, 64, " of %d to %d", data->first_year, data->last_year);
    else if (data->first_year > 0)
        snprintf(out, 64, " of %d", data->first_year);
}

static void add_origin(const Clone *clone, const CloneConfig *config, Report *report) {
    const CloneSet *training = &clone->data.sets[WHO_PERSON][PART_TRAINING];
    const CloneSet *held_out = &clone->data.sets[WHO_PERSON][PART_HELD_OUT];
    const size_t games = training->game_count + held_out->game_count;
    const size_t groups = training->group_count + held_out->group_count;
    char years[64];
    word_years(&clone->data, years);
    report_add_paragraph(
        report,
        "%zu game%s%s in %zu %s, with %zu positions after ply %u. The clone learned from %zu of "
        "them (%zu game%s) and is judged on %zu others (%zu game%s of other %s). The generic "
        "organism learned from as many positions of other players in the same way. Both are of "
        "the family %s, see %u %s ahead and the captures that follow, and start from %s.",
        games, str_plural(games), years, groups, groups_word(config, groups),
        training->all_positions + held_out->all_positions, config->source.skip_plies,
        training->played.count, training->game_count, str_plural(training->game_count),
        held_out->played.count, held_out->game_count, str_plural(held_out->game_count),
        groups_word(config, 2), config->fit.start->family->name, config->fit.rules.replies + 1,
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
    const double lead = likely->difference.mean - likely->of_others.mean;
    const double points = match->difference.mean - match->of_others.mean;
    char text[64];
    report_add_heading(report, "Moves of games it never saw");
    add_share(report, "The clone finds", &match->models[MODEL_CLONE], "of the moves played");
    add_share(report, "The generic organism finds", &match->models[MODEL_GENERIC],
              "of the same moves");
    snprintf(text, sizeof text, "%+.2f ± %.2f points", 100 * points,
             100 * wide * hypot(match->difference.deviation, match->of_others.deviation));
    report_add_figure(report, "The person's share of that", text,
                      "the clone's lead here, less its lead on others' moves");
    report_add_paragraph(
        report, "Moves found: %s (%+.2f points on these moves, %+.2f on those of others, p %s).",
        match->stands && points > 0 ? "the clone knows more of this person than of others"
                                    : "no difference that these games could show",
        100 * match->difference.mean, 100 * match->of_others.mean,
        clone_card_chance(match->chance).text);
    if (likely->stands && lead > 0)
        report_add_paragraph(report,
                             "It gives the moves that were played %.2f %% more probability than "
                             "the generic organism does, beyond what it does for others' moves (p "
                             "%s): more than chance explains, by a finer measure than moves "
                             "found.",
                             100 * (exp(lead) - 1), clone_card_chance(likely->chance).text);
    else
        report_add_paragraph(report,
                             "Probability of the moves played: no difference that these games "
                             "could show (%+.2f %%, p %s).",
                             100 * (exp(lead) - 1), clone_card_chance(likely->chance).text);
}

// --- how it was made ---

static void add_making(const Clone *clone, const CloneConfig *config, Report *report) {
    const PlayerGamesTotals *totals = &clone->data.totals;
    const uint64_t copies = totals->copies + totals->contested;
    report_add_heading(report, "How it was made");
    add_origin(clone, config, report);
    report_add_paragraph(
        report,
        "%" PRIu64 " game%s %s read; of the person's, %" PRIu64 " %s and %" PRIu64
        " damaged game%s were left out.",
        totals->games, str_plural(totals->games), totals->games == 1 ? "was" : "were", copies,
        copies == 1 ? "copy" : "copies", totals->damaged, str_plural(totals->damaged));
    report_add_paragraph(
        report,
        "A finding is shown where chance explains it at most once in twenty cards, all of its kind "
        "asked at once (Holm), and where it is large enough to mean something: a kind of moves "
        "made "
        "a tenth more or less often, or a weight that makes the moves it is about a tenth more or "
        "less likely. results.json has all figures.");
    report_begin_details(report, "How far weights may leave the start");
    Table *table = report_add_table(report, "Chosen on games held back from learning");
    table_add_columns(table, "leash, centipawns:0|taken|surprise, nats a move:4");
    for (unsigned i = 0; i < CLONE_LEASHES; i++) {
        table_add_number(table, clone_leashes_cp[i]);
        table_add_text(table, i == clone->leash ? "yes" : "");
        table_add_number(table, clone->losses[i]);
    }
    report_end_details(report);
    report_add_code(report, config->command);
}

Report *clone_card(const Clone *clone, const CloneConfig *config) {
    CLEANUP(str_free) Str title = {0};
    const char *player = config->source.player;
    str_addf(&title, "Style card: %.*s", (int)strcspn(player, ";"), player);
    Report *report = report_create(str_text(&title));
    add_portrait(clone, config, report);
    clone_card_add_kinds(clone, config, report);
    clone_card_add_examples(clone, config, report);
    clone_card_add_weights(clone, config, report);
    add_match(clone, report);
    add_making(clone, config, report);
    return report;
}
