// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/rate_show.h"

#include "base/file.h"
#include "base/mem.h"
#include "match/rating/elo.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_COLUMNS = 40, PAPERS_DEVIATIONS = 2 };

// A player of the list.
typedef struct Row {
    const Rating *rating;
    const char *name;
    uint32_t player;
    unsigned rank; // within its group
} Row;

typedef struct Rows {
    Row *items; // owned
    size_t count;
} Rows;

// --- lists of players ---

static int by_rank(const void *a, const void *b) {
    const Row *x = a, *y = b;
    if (x->rating->group != y->rating->group)
        return x->rating->group > y->rating->group ? 1 : -1;
    if (x->rating->elo != y->rating->elo)
        return x->rating->elo < y->rating->elo ? 1 : -1;
    return strcmp(x->name, y->name);
}

static Rows rows_create(const Ratings *ratings, const RatingGames *games, double min_games) {
    Rows rows = {.items = mem_alloc(ratings->count * sizeof *rows.items + 1)};
    for (uint32_t p = 0; p < ratings->count; p++)
        if (ratings->players[p].games >= min_games)
            rows.items[rows.count++] = (Row){
                .rating = &ratings->players[p], .name = rating_games_name(games, p), .player = p};
    qsort(rows.items, rows.count, sizeof *rows.items, by_rank);
    for (size_t i = 0; i < rows.count; i++) {
        Row *row = &rows.items[i];
        bool is_first = i == 0 || row[-1].rating->group != row->rating->group;
        row->rank = is_first ? 1 : row[-1].rank + 1;
    }
    return rows;
}

// People get no more of a name than fits on a line.
static void add_name(Table *table, const char *name, TableFormat format) {
    size_t columns = 0, length = 0;
    for (; name[length] != '\0' && columns <= NAME_COLUMNS; length++)
        columns += (name[length] & 0xC0) != 0x80; // not the middle of a UTF-8 character
    if (format != TABLE_TEXT || columns <= NAME_COLUMNS) {
        table_add_text(table, name);
        return;
    }
    CLEANUP(str_free) Str cut = {0};
    str_append(&cut, name, length - 1);
    str_add(&cut, "...");
    table_add_text(table, str_text(&cut));
}

// People write 2442, not 2,442.
static void add_elo(Table *table, double elo, TableFormat format) {
    char text[32];
    snprintf(text, sizeof text, "%ld", lround(elo));
    if (format == TABLE_TEXT)
        table_add_text(table, text);
    else
        table_add_number(table, elo);
}

static void add_columns(Table *table, bool has_groups, bool has_notes, TableFormat format) {
    bool is_text = format == TABLE_TEXT;
    if (has_groups)
        table_add_number_column(table, is_text ? "Group" : "group", 0);
    table_add_number_column(table, is_text ? "Rank" : "rank", 0);
    table_add_text_column(table, is_text ? "Name" : "name");
    table_add_number_column(table, is_text ? "Elo" : "elo", 0);
    table_add_number_column(table, is_text ? "+" : "plus", 0);
    table_add_number_column(table, is_text ? "-" : "minus", 0);
    table_add_number_column(table, is_text ? "Games" : "games", 0);
    table_add_number_column(table, is_text ? "Score %" : "score", 1);
    table_add_number_column(table, is_text ? "Oppo." : "opponents", 0);
    table_add_number_column(table, is_text ? "Draws %" : "draws", 1);
    if (has_notes)
        table_add_text_column(table, is_text ? "Note" : "note");
}

static const char *note_on(const Rating *rating) {
    if (rating->score >= 1)
        return "only wins";
    if (rating->score <= 0)
        return "only losses";
    return rating->is_bounded ? "bounded" : "";
}

static bool is_noted(const Rows *rows) {
    for (size_t i = 0; i < rows->count; i++)
        if (note_on(rows->items[i].rating)[0] != '\0')
            return true;
    return false;
}

Status rate_write_list(const Ratings *ratings, const RatingGames *games, double min_games,
                       TableFormat format, const char *output) {
    Rows rows = rows_create(ratings, games, min_games);
    CLEANUP(table_destroy_at) Table *table = table_create("Ratings");
    // Programs get the same columns whatever the games were like.
    bool has_groups = ratings->group_count > 1 || format != TABLE_TEXT;
    bool has_notes = format != TABLE_TEXT || is_noted(&rows);
    double percent = format == TABLE_TEXT ? 100 : 1;
    add_columns(table, has_groups, has_notes, format);
    for (size_t i = 0; i < rows.count; i++) {
        const Rating *rating = rows.items[i].rating;
        if (has_groups)
            table_add_number(table, rating->group + 1);
        table_add_number(table, rows.items[i].rank);
        add_name(table, rows.items[i].name, format);
        add_elo(table, rating->elo, format);
        TABLE_ADD_NUMBERS(table, rating->plus, rating->minus, rating->games,
                          percent * rating->score);
        add_elo(table, rating->opponents, format);
        table_add_number(table, percent * rating->draws);
        if (has_notes)
            table_add_text(table, note_on(rating));
    }
    CLEANUP(str_free) Str text = {0};
    table_write_as(table, format, &text);
    free(rows.items);
    if (output != NULL)
        return file_write(output, str_text(&text), text.length);
    print_text(stdout, str_text(&text));
    return OK;
}

void rate_print_superiority(const Ratings *ratings, const RatingGames *games, double min_games,
                            size_t most, TableFormat format) {
    Rows rows = rows_create(ratings, games, min_games);
    size_t count = rows.count < most ? rows.count : most;
    CLEANUP(table_destroy_at) Table *table = table_create("Likelihood of superiority");
    table_add_number_column(table, format == TABLE_TEXT ? "Rank" : "rank", 0);
    table_add_text_column(table, format == TABLE_TEXT ? "Name" : "name");
    for (size_t i = 0; i < count; i++) {
        char number[32];
        snprintf(number, sizeof number, "%zu", i + 1);
        table_add_number_column(table, format == TABLE_TEXT ? number : rows.items[i].name, 0);
    }
    for (size_t i = 0; i < count; i++) {
        table_add_number(table, (double)i + 1);
        add_name(table, rows.items[i].name, format);
        for (size_t j = 0; j < count; j++) {
            double share = ratings_superiority(ratings, rows.items[i].player, rows.items[j].player);
            if (format == TABLE_TEXT && (i == j || isnan(share)))
                table_add_text(table, "");
            else
                table_add_number(table, i == j ? (double)NAN : 100 * share);
        }
    }
    print_table_as(table, format);
    free(rows.items);
}

// --- counts of results ---

static void print_estimate(const EloEstimate *e, const char *draws) {
    print_out("Score: %.2f %%\n", 100 * e->score);
    print_out("Elo: %.1f +/- %.1f (95%%: %.1f to %.1f), logistic Elo\n", e->elo, e->margin, e->low,
              e->high);
    print_out("nElo: %.1f +/- %.1f (95%%), normalized Elo\n", e->normalized, e->normalized_margin);
    print_out("LOS: %.1f %%, %s: %.1f %%\n", 100 * e->los, draws, 100 * e->draw_ratio);
}

static void print_test(const SprtConfig *sprt, const SprtState *state) {
    CLEANUP(str_free) Str out = {0};
    sprt_describe(sprt, state, &out);
    print_text(stdout, str_text(&out));
}

static void print_appendix_b(const GameCounts *counts) {
    EloOfPapers b = elo_of_papers(counts, PAPERS_DEVIATIONS);
    print_out(
        "Appendix B of GECCO 2008 and GPEM 2010, %d standard deviations (95%%):\n"
        "  mean (B.3) %.4f, difference RD (B.2) %+.1f, s (B.4) %.4f\n"
        "  as printed, mean +- %d s:           %+.1f to %+.1f\n"
        "  as meant, mean +- %d s / sqrt(N):   %+.1f to %+.1f\n"
        "  The appendix takes s, which is the spread of single games, for that of the mean; the\n"
        "  mean of N games spreads by s / sqrt(N), and the papers' own figures are that.\n",
        PAPERS_DEVIATIONS, b.mean, b.difference, b.s, PAPERS_DEVIATIONS, b.printed_low,
        b.printed_high, PAPERS_DEVIATIONS, b.low, b.high);
}

// One row with everything.
static void print_row(const EloEstimate *e, const SprtConfig *sprt, const SprtState *state,
                      TableFormat format) {
    static const char *const verdicts[] = {"", "H0", "H1"};
    static const char *const names[] = {"score", "elo",        "low", "high",      "los",
                                        "draws", "normalized", "llr", "llr_lower", "llr_upper"};
    double values[] = {e->score,
                       e->elo,
                       e->low,
                       e->high,
                       e->los,
                       e->draw_ratio,
                       e->normalized,
                       sprt == NULL ? (double)NAN : state->llr,
                       sprt == NULL ? (double)NAN : state->lower,
                       sprt == NULL ? (double)NAN : state->upper};
    CLEANUP(table_destroy_at) Table *table = table_create("");
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        table_add_number_column(table, names[i], 3);
    table_add_columns(table, "sprt_model|accepted");
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        table_add_number(table, values[i]);
    table_add_text(table, sprt == NULL ? "" : sprt_model_names[sprt->model]);
    table_add_text(table, sprt == NULL ? "" : verdicts[state->verdict]);
    print_table_as(table, format);
}

void rate_counts(const GameCounts *counts, const SprtConfig *sprt, TableFormat format) {
    EloEstimate e = elo_from_games(counts);
    SprtState state = {0};
    if (sprt != NULL)
        state = sprt_from_games(sprt, counts);
    if (format != TABLE_TEXT) {
        print_row(&e, sprt, &state, format);
        return;
    }
    print_out("Games: %" PRIu64 " won, %" PRIu64 " lost, %" PRIu64 " drawn\n", counts->wins,
              counts->losses, counts->draws);
    print_estimate(&e, "draws");
    if (sprt != NULL)
        print_test(sprt, &state);
    print_appendix_b(counts);
}

void rate_pairs(const PairCounts *pairs, const SprtConfig *sprt, TableFormat format) {
    EloEstimate e = elo_from_pairs(pairs);
    const uint64_t *n = pairs->results;
    SprtState state = {0};
    if (sprt != NULL)
        state = sprt_from_pairs(sprt, pairs);
    if (format != TABLE_TEXT) {
        print_row(&e, sprt, &state, format);
        return;
    }
    print_out("Ptnml(0-2): [%" PRIu64 ", %" PRIu64 ", %" PRIu64 ", %" PRIu64 ", %" PRIu64 "]\n",
              n[0], n[1], n[2], n[3], n[4]);
    print_estimate(&e, "even pairs");
    if (sprt != NULL)
        print_test(sprt, &state);
}
