// SPDX-License-Identifier: GPL-3.0-or-later
// What moves a person makes: the kinds of them, and positions in which they were made.
#include "chess/san.h"
#include "diagram/diagram.h"
#include "players/clone_card.h"

#include <math.h>
#include <string.h>

static const double wide = 1.959964; // of a 95% interval

// --- kinds of moves ---

// Kinds in percent of what others would make, so that rare ones can be compared with frequent ones.
static void add_chart(const CloneVerdict *verdict, Report *report) {
    Intervals *chart = report_add_intervals(
        report,
        &(IntervalsSpec){.title = "Compared with others in the same positions; pale: nothing that "
                                  "stands",
                         .value_label = "made more or less often (%), with the 95% interval",
                         .decimals = 0});
    for (int trait = 0; trait < TRAIT_NB; trait++) {
        const CloneKind *kind = &verdict->kinds[trait];
        const double usual = clone_kind_usual(kind);
        const double more = 100 * (kind->made.mean / usual - 1);
        const double side =
            100 * wide * hypot(kind->surplus.deviation, kind->of_others.deviation) / usual;
        if (usual > 0 && kind->made.mean > 0)
            intervals_add(
                chart, move_trait_names[trait],
                &(Interval){more, fmax(more - side, -100), more + side, NAN, !kind->stands});
    }
}

static void add_table(const CloneVerdict *verdict, Report *report) {
    Table *table = report_add_table(report, "What stands");
    table_add_columns(table, "kind|made, %:1|others would, %:1|points:1|p");
    for (int trait = 0; trait < TRAIT_NB; trait++) {
        const CloneKind *kind = &verdict->kinds[trait];
        if (!kind->stands)
            continue;
        const double usual = clone_kind_usual(kind);
        table_add_text(table, move_trait_names[trait]);
        TABLE_ADD_NUMBERS(table, 100 * kind->made.mean, 100 * usual,
                          100 * (kind->made.mean - usual));
        table_add_text(table, clone_card_bare_chance(kind->chance).text);
    }
}

static bool add_found(const char *name, const CloneFigure *figure, Report *report) {
    const double points = 100 * (figure->difference.mean - figure->of_others.mean);
    if (figure->stands)
        report_add_paragraph(report,
                             "Of the moves under “%s” the clone finds %.1f points %s than the "
                             "generic organism does, beyond what it does for others (p %s).",
                             name, fabs(points), points > 0 ? "more" : "less",
                             clone_card_chance(figure->chance).text);
    return figure->stands;
}

void clone_card_add_kinds(const Clone *clone, const CloneConfig *config, Report *report) {
    const CloneVerdict *verdict = &clone->verdict;
    bool has_any = false;
    (void)config;
    report_add_heading(report, "Kinds of moves");
    for (int trait = 0; trait < TRAIT_NB; trait++)
        has_any |= verdict->kinds[trait].stands;
    if (!has_any)
        report_add_paragraph(report, "In the kinds of moves made: no difference that these games "
                                     "could show.");
    add_chart(verdict, report);
    if (has_any)
        add_table(verdict, report);
    report_add_paragraph(report,
                         "What others would make is what the generic organism expects in the same "
                         "positions, corrected by as much as it errs on moves of others.");
    for (int trait = 0; trait < TRAIT_NB; trait++)
        add_found(move_trait_names[trait], &verdict->kinds[trait].match, report);
    for (int phase = 0; phase < PHASE_NB; phase++)
        add_found(phase_names[phase], &verdict->phases[phase], report);
}

// --- positions ---

static void add_name(const CloneConfig *config, Str *out) {
    str_append(out, config->source.player, strcspn(config->source.player, ",;"));
}

// "Tal – Smyslov, 1959: 26.Rxd7. Others: 26.Qf3. An example of captures."
static void word_example(const CloneSet *set, const CloneExample *example,
                         const CloneConfig *config, Str *out) {
    const PlayedItem *item = &set->played.items[example->position];
    const CloneGame *game = &set->from[set->games[example->position]];
    const unsigned number = set->plies[example->position] / 2 + 1;
    const char *dots = position_turn(&item->pos) == WHITE ? "." : "...";
    char played[SAN_SIZE], usual[SAN_SIZE];
    san_write(&item->pos, item->played, played);
    san_write(&item->pos, example->usual, usual);
    if (game->side == WHITE)
        add_name(config, out);
    str_addf(out, "%s%s%s", game->side == WHITE ? " – " : "", game->opponent,
             game->side == WHITE ? "" : " – ");
    if (game->side == BLACK)
        add_name(config, out);
    if (game->year > 0)
        str_addf(out, ", %d", game->year);
    str_addf(out, ": %u%s%s. The organism of others plays %u%s%s.", number, dots, played, number,
             dots, usual);
    if (example->trait < TRAIT_NB)
        str_addf(out, " One of the %s.", move_trait_names[example->trait]);
}

void clone_card_add_examples(const Clone *clone, const CloneConfig *config, Report *report) {
    const CloneSet *set = &clone->data.sets[WHO_PERSON][PART_HELD_OUT];
    const CloneVerdict *verdict = &clone->verdict;
    if (verdict->example_count == 0)
        return;
    report_add_heading(report, "Typical positions");
    report_add_paragraph(
        report, "From games that the clone never saw: it chooses the move that was played, "
                "shown by the arrow, and the organism of others chooses another. These are "
                "the ones in which the two differ most.");
    for (size_t i = 0; i < verdict->example_count; i++) {
        const CloneExample *example = &verdict->examples[i];
        const PlayedItem *item = &set->played.items[example->position];
        CLEANUP(str_free) Str caption = {0};
        word_example(set, example, config, &caption);
        diagram_add(report, &(DiagramSpec){.position = &item->pos,
                                           .move = item->played,
                                           .is_from_black = position_turn(&item->pos) == BLACK,
                                           .caption = str_text(&caption)});
    }
}
