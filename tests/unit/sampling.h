// SPDX-License-Identifier: GPL-3.0-or-later
// What the tests of sampling share: a file of random games, some of them copies of others with
// other tags, whose White is called by the number of the game; and reading what was sampled.
#pragma once

#include "base/mem.h"
#include "chess/epd.h"
#include "data/sample/sample.h"
#include "testing.h"

enum { GAMES = 400, COPIES = 100, PLIES = 60, FILLER = 4000, YEAR = 1980, ELO = 2400 };

typedef struct TestGame {
    PgnGame game;
    GameResult result;
    int year, elo[COLOR_NB];
} TestGame;

static TestGame games[GAMES];
static char whole_path[TESTING_PATH], front_path[TESTING_PATH], back_path[TESTING_PATH];

// --- the files ---

static inline void add_game(Str *text, const TestGame *test, size_t number, const char *black) {
    PgnGame copy = {0};
    pgn_game_reset(&copy);
    pgn_set_start(&copy, &test->game.start);
    for (size_t i = 0; i < test->game.move_count; i++)
        pgn_add_move(&copy, test->game.moves[i]);
    copy.result = test->result;
    char value[32];
    snprintf(value, sizeof value, "%zu", number);
    assert_int_equal(pgn_set_tag(&copy, "White", view_from_string(value)), OK);
    assert_int_equal(pgn_set_tag(&copy, "Black", view_from_string(black)), OK);
    snprintf(value, sizeof value, "%d.??.??", test->year);
    assert_int_equal(pgn_set_tag(&copy, "Date", view_from_string(value)), OK);
    snprintf(value, sizeof value, "%d", test->elo[WHITE]);
    assert_int_equal(pgn_set_tag(&copy, "WhiteElo", view_from_string(value)), OK);
    snprintf(value, sizeof value, "%d", test->elo[BLACK]);
    assert_int_equal(pgn_set_tag(&copy, "BlackElo", view_from_string(value)), OK);
    // Comments make the file large enough for several chunks.
    StrView comments[PLIES] = {0};
    static char filler[FILLER];
    memset(filler, '.', sizeof filler);
    comments[0] = view_of(filler, sizeof filler);
    pgn_write(&copy, comments, text);
    pgn_game_free(&copy);
}

static inline int make_files(void **state) {
    if (testing_set_up(state) != 0)
        return 1;
    Rng rng = rng_at(7, 0, 0, 0);
    Str front = {0}, back = {0};
    for (size_t i = 0; i < GAMES; i++) {
        TestGame *test = &games[i];
        testing_random_game(&test->game, &rng, 4 + rng_below(&rng, PLIES - 4));
        test->result = (GameResult)rng_below(&rng, 4);
        test->year = YEAR + (int)rng_below(&rng, 20);
        for (Color side = WHITE; side <= BLACK; side++)
            test->elo[side] = ELO + (int)rng_below(&rng, 400);
        add_game(rng_below(&rng, 2) ? &front : &back, test, i, "first");
        if (i < COPIES)
            add_game(rng_below(&rng, 2) ? &front : &back, test, i, "copy");
    }
    testing_write(front_path, "front.pgn", front.text, front.length);
    testing_write(back_path, "back.pgn", back.text, back.length);
    str_append(&front, back.text, back.length);
    testing_write(whole_path, "whole.pgn", front.text, front.length);
    str_free(&front);
    str_free(&back);
    return 0;
}

static inline int remove_files(void **state) {
    for (size_t i = 0; i < GAMES; i++)
        pgn_game_free(&games[i].game);
    return testing_tear_down(state);
}

// --- sampling ---

static inline SampleOptions plain_options(void) {
    return (SampleOptions){.ply_high = PGN_PLIES_MAX, .set_count = 1, .per_game = 1, .threads = 1};
}

static inline Status sample_paths(const SampleOptions *options, const char *const *paths,
                                  size_t count, Str texts[SAMPLE_SETS_MAX]) {
    Sample *sample = sample_create(options);
    Status status = OK;
    for (size_t i = 0; i < count && status == OK; i++)
        status = sample_read(sample, paths[i]);
    if (status == OK)
        status = sample_finish(sample);
    for (size_t i = 0; i < options->set_count && status == OK; i++) {
        char path[TESTING_PATH];
        testing_path(path, "out.epd");
        status = sample_write(sample, i, path);
        texts[i] = (Str){0};
        if (status == OK && sample_set_count(sample, i) > 0)
            status = file_read(path, SIZE_MAX / 2, &texts[i]);
    }
    sample_destroy(sample);
    return status;
}

static inline Str sample_whole(const SampleOptions *options) {
    Str texts[SAMPLE_SETS_MAX];
    assert_int_equal(sample_paths(options, (const char *[]){whole_path}, 1, texts), OK);
    return texts[0];
}

// Calls back for each line.
typedef struct Line {
    Epd epd;
    size_t game, ply;
    Move move; // MOVE_NONE when there is none
} Line;

static inline size_t each_line(const Str *text, void visit(const Line *line, void *context),
                               void *context) {
    Line line = {0};
    size_t count = 0;
    StrView rest = view_of(str_text(text), text->length);
    while (rest.length > 0) {
        const char *end = memchr(rest.text, '\n', rest.length);
        size_t length = (size_t)(end - rest.text);
        StrView id;
        MoveList moves;
        assert_int_equal(epd_parse(&line.epd, view_of(rest.text, length)), OK);
        assert_int_equal(epd_check(&line.epd), OK);
        assert_true(position_is_ok(&line.epd.pos));
        if (epd_get_string(&line.epd, "id", &id))
            assert_int_equal(sscanf(id.text, "%zu - %*[^,], %*d, ply %zu", &line.game, &line.ply),
                             2);
        assert_int_equal(epd_get_moves(&line.epd, "sm", &moves), OK);
        line.move = moves.count > 0 ? moves.moves[0] : MOVE_NONE;
        visit(&line, context);
        count++;
        rest = view_of(end + 1, rest.length - length - 1);
    }
    epd_free(&line.epd);
    return count;
}

static inline void position_after(const PgnGame *game, size_t ply, Position *out) {
    Undo undo;
    *out = game->start;
    for (size_t i = 0; i < ply; i++)
        position_make(out, game->moves[i], &undo);
}

// --- keys ---

typedef struct Keys {
    uint64_t *items;
    size_t count, capacity;
} Keys;

static inline void add_key(Keys *keys, uint64_t key) {
    keys->items = mem_grow(keys->items, &keys->capacity, keys->count + 1, sizeof *keys->items);
    keys->items[keys->count++] = key;
}

static inline void add_line_key(const Line *line, void *context) {
    add_key(context, line->epd.pos.key);
}

static inline void add_line_game(const Line *line, void *context) {
    add_key(context, line->game);
}

static inline int compare_keys(const void *left, const void *right) {
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

static inline size_t count_distinct(Keys *keys) {
    size_t distinct = 0;
    qsort(keys->items, keys->count, sizeof *keys->items, compare_keys);
    for (size_t i = 0; i < keys->count; i++)
        distinct += i == 0 || keys->items[i] != keys->items[i - 1];
    return distinct;
}
