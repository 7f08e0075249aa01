// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/rate_table.h"

#include "base/file.h"
#include "base/mem.h"
#include "tools/print.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_COLUMNS = 40 };

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

static void write_table(const Table *table, RateFormat format, Str *out) {
    if (format == RATE_CSV)
        table_write_csv(table, out);
    else if (format == RATE_JSONL)
        table_write_jsonl(table, out);
    else
        table_write_text(table, out);
}

void rate_print(const Table *table, RateFormat format) {
    CLEANUP(str_free) Str out = {0};
    write_table(table, format, &out);
    print_text(stdout, str_text(&out));
}

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
static void add_name(Table *table, const char *name, RateFormat format) {
    size_t columns = 0, length = 0;
    for (; name[length] != '\0' && columns <= NAME_COLUMNS; length++)
        columns += (name[length] & 0xC0) != 0x80; // not the middle of a UTF-8 character
    if (format != RATE_TEXT || columns <= NAME_COLUMNS) {
        table_add_text(table, name);
        return;
    }
    Str cut = {0};
    str_append(&cut, name, length - 1);
    str_add(&cut, "...");
    table_add_text(table, str_text(&cut));
    str_free(&cut);
}

// People write 2442, not 2,442.
static void add_elo(Table *table, double elo, RateFormat format) {
    char text[32];
    snprintf(text, sizeof text, "%ld", lround(elo));
    if (format == RATE_TEXT)
        table_add_text(table, text);
    else
        table_add_number(table, elo);
}

static void add_columns(Table *table, bool has_groups, bool has_notes, RateFormat format) {
    bool is_text = format == RATE_TEXT;
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
                       RateFormat format, const char *output) {
    Rows rows = rows_create(ratings, games, min_games);
    Table *table = table_create("Ratings");
    // Programs get the same columns whatever the games were like.
    bool has_groups = ratings->group_count > 1 || format != RATE_TEXT;
    bool has_notes = format != RATE_TEXT || is_noted(&rows);
    double percent = format == RATE_TEXT ? 100 : 1;
    add_columns(table, has_groups, has_notes, format);
    for (size_t i = 0; i < rows.count; i++) {
        const Rating *rating = rows.items[i].rating;
        if (has_groups)
            table_add_number(table, rating->group + 1);
        table_add_number(table, rows.items[i].rank);
        add_name(table, rows.items[i].name, format);
        add_elo(table, rating->elo, format);
        table_add_number(table, rating->plus);
        table_add_number(table, rating->minus);
        table_add_number(table, rating->games);
        table_add_number(table, percent * rating->score);
        add_elo(table, rating->opponents, format);
        table_add_number(table, percent * rating->draws);
        if (has_notes)
            table_add_text(table, note_on(rating));
    }
    CLEANUP(str_free) Str text = {0};
    write_table(table, format, &text);
    table_destroy(table);
    free(rows.items);
    if (output != NULL)
        return file_write(output, str_text(&text), text.length);
    print_text(stdout, str_text(&text));
    return OK;
}

void rate_print_superiority(const Ratings *ratings, const RatingGames *games, double min_games,
                            size_t most, RateFormat format) {
    Rows rows = rows_create(ratings, games, min_games);
    size_t count = rows.count < most ? rows.count : most;
    Table *table = table_create("Likelihood of superiority");
    table_add_number_column(table, format == RATE_TEXT ? "Rank" : "rank", 0);
    table_add_text_column(table, format == RATE_TEXT ? "Name" : "name");
    for (size_t i = 0; i < count; i++) {
        char number[32];
        snprintf(number, sizeof number, "%zu", i + 1);
        table_add_number_column(table, format == RATE_TEXT ? number : rows.items[i].name, 0);
    }
    for (size_t i = 0; i < count; i++) {
        table_add_number(table, (double)i + 1);
        add_name(table, rows.items[i].name, format);
        for (size_t j = 0; j < count; j++) {
            double share = ratings_superiority(ratings, rows.items[i].player, rows.items[j].player);
            if (format == RATE_TEXT && (i == j || isnan(share)))
                table_add_text(table, "");
            else
                table_add_number(table, i == j ? (double)NAN : 100 * share);
        }
    }
    rate_print(table, format);
    table_destroy(table);
    free(rows.items);
}
