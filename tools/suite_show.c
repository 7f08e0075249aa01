// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/suite_show.h"

#include "chess/san.h"
#include "suite/suite_tables.h"
#include "tools/print.h"

#include <inttypes.h>
#include <stdio.h>

static void print_moves(const char *name, const Position *pos, const MoveList *list) {
    if (list->count == 0)
        return;
    print_out(" %s", name);
    for (size_t i = 0; i < list->count; i++) {
        char san[SAN_SIZE];
        san_write(pos, list->moves[i], san);
        print_out(" %s", san);
    }
    print_out(";");
}

static void print_task(const SuiteItem *item) {
    print_moves("bm", &item->pos, &item->best);
    print_moves("am", &item->pos, &item->avoid);
    if (item->mate > 0)
        print_out(" dm %d;", item->mate);
}

void suite_show_answer(const SuiteItem *item, const char *engine, const SuiteAnswer *answer) {
    char san[SAN_SIZE] = "nothing";
    if (answer->move != MOVE_NONE)
        san_write(&item->pos, answer->move, san);
    if (engine != NULL)
        print_out("%s: ", engine);
    print_out("%s: %s:", item->id, answer->is_solved ? "solved" : "failed");
    print_task(item);
    print_out(" played %s", san);
    if (answer->has_score && answer->is_mate)
        print_out(" (mate %d, depth %d)", answer->score, answer->depth);
    else if (answer->has_score)
        print_out(" (%+.2f, depth %d)", answer->score / 100.0, answer->depth);
    if (item->grade_count > 0)
        print_out(" for %d of %d points", answer->points, item->max_points);
    if (answer->is_solved)
        print_out(" since depth %d, %" PRId64 " ms", answer->solution_depth, answer->solution_ms);
    if (answer->error[0] != '\0')
        print_out(" [%s]", answer->error);
    print_out("\n");
    fflush(stdout);
}

static void print_table(Table *table) {
    Str text = {0};
    table_write_text(table, &text);
    print_out("\n");
    print_text(stdout, str_text(&text));
    str_free(&text);
    table_destroy(table);
}

static void print_themes(const Suite *suite, const SuiteTally *tally, const char *const *names,
                         SuiteThemeCount count, const char *caption) {
    Table *table = table_create(caption);
    suite_themes_fill(table, suite, tally, names, count);
    print_out("\n%s by theme:", caption);
    print_table(table);
}

// What the tables do not tell.
static void print_counts(const Suite *suite, const SuiteTally *tally) {
    uint64_t answers = 0;
    for (size_t i = 0; i < tally->engine_count; i++)
        answers += tally->engines[i].count;
    const size_t all = suite->count * tally->engine_count;
    if (suite->bad_count > 0 || answers < all || tally->engine_count == 1)
        print_out("\n");
    if (suite->bad_count > 0)
        print_out("%zu bad line%s left out\n", suite->bad_count, suite->bad_count == 1 ? "" : "s");
    if (answers < all)
        print_out("stopped after %" PRIu64 " of %zu answers\n", answers, all);
    // For scripts, which ask for one engine as a rule.
    if (tally->engine_count == 1)
        print_out("solved %" PRIu64 " of %" PRIu64 "\n", tally->engines[0].solved, answers);
}

void suite_show_totals(const Suite *suite, const SuiteTally *tally, const char *const *names) {
    Table *table = table_create("");
    suite_table_fill(table, suite, tally, names);
    print_table(table);
    print_out("(depth, nodes and ms: means until the solution was found and kept)\n");
    if (suite_has_themes(suite)) {
        print_themes(suite, tally, names, SUITE_THEME_SOLVED, "Solved");
        if (suite->is_graded)
            print_themes(suite, tally, names, SUITE_THEME_POINTS, "Points");
    }
    print_counts(suite, tally);
}
