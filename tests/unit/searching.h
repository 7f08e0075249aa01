// SPDX-License-Identifier: GPL-3.0-or-later
// What tests of the search share: an engine over a small table, positions from text, and searches
// whose moves and lines are checked for legality every time.
#pragma once

#include "chess/fen.h"
#include "chess/movegen.h"
#include "search/search.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SEARCHING_KEYS = 512, SEARCHING_LINES = 64 };

typedef struct Engine {
    TT *tt;
    Weights weights;
    Search *search;
} Engine;

// A position with the keys of the game that led to it.
typedef struct Game {
    Position pos;
    uint64_t keys[SEARCHING_KEYS];
    size_t key_count;
} Game;

// The last line of each rank that a search reported.
typedef struct Heard {
    const Position *root;
    int count; // lines heard in all
    int ranks; // highest rank heard
    int scores[SEARCHING_LINES], depths[SEARCHING_LINES];
    Move firsts[SEARCHING_LINES];
} Heard;

static inline Engine engine_open(void) {
    chess_init();
    Engine engine = {0};
    assert_int_equal(tt_create(&engine.tt, 1), OK);
    assert_int_equal(weights_load_default(&engine.weights), OK);
    engine.search = search_create(&engine.weights, engine.tt);
    return engine;
}

static inline void engine_close(Engine *engine) {
    search_destroy(engine->search);
    tt_destroy(engine->tt);
    weights_free(&engine->weights);
}

// As if no search had ever been run.
static inline void engine_forget(Engine *engine) {
    tt_clear(engine->tt);
    search_new_game(engine->search);
}

static inline void game_start(Game *game, const char *fen) {
    if (fen_parse(fen, &game->pos) != OK)
        fail_msg("%s: %s", fen, error_message());
    game->keys[0] = game->pos.key;
    game->key_count = 1;
}

static inline void game_play(Game *game, Move move) {
    Undo undo;
    assert_true(move_is_legal(&game->pos, move));
    assert_true(game->key_count < SEARCHING_KEYS);
    position_make(&game->pos, move, &undo);
    game->keys[game->key_count++] = game->pos.key;
}

// Plays moves that are separated by spaces.
static inline void game_play_text(Game *game, const char *moves) {
    for (; *moves != '\0'; moves += strspn(moves, " ")) {
        size_t length = strcspn(moves, " ");
        game_play(game, move_from_uci(&game->pos, moves, length));
        moves += length;
    }
}

static inline void assert_line_is_legal(const Position *root, const Move *moves, size_t count) {
    Position pos = *root;
    for (size_t i = 0; i < count; i++) {
        Undo undo;
        assert_true(move_is_legal(&pos, moves[i]));
        position_make(&pos, moves[i], &undo);
    }
}

static inline void hear_line(void *context, const SearchLine *line) {
    Heard *heard = context;
    assert_in_range(line->rank, 1, SEARCHING_LINES);
    assert_true(abs(line->score) <= SCORE_MATE);
    assert_line_is_legal(heard->root, line->moves, line->move_count);
    heard->count++;
    heard->ranks = line->rank > heard->ranks ? line->rank : heard->ranks;
    heard->scores[line->rank - 1] = line->score;
    heard->depths[line->rank - 1] = line->depth;
    heard->firsts[line->rank - 1] = line->move_count > 0 ? line->moves[0] : MOVE_NONE;
}

// Searches, and checks what every search must hold: legal moves and lines, a score, and the result
// that was reported last.
static inline SearchResult engine_hear(Engine *engine, const Game *game, const Limits *limits,
                                       Heard *heard) {
    *heard = (Heard){.root = &game->pos};
    SearchListener listener = {heard, hear_line};
    SearchResult result =
        search_run(engine->search, &game->pos, game->keys, game->key_count, limits, &listener);
    assert_true(heard->count > 0);
    assert_true(abs(result.score) <= SCORE_MATE);
    assert_int_equal(result.best, heard->firsts[0]);
    assert_int_equal(result.score, heard->scores[0]);
    assert_int_equal(result.best != MOVE_NONE, movegen_has_any(&game->pos));
    Move line[] = {result.best, result.ponder};
    if (result.best != MOVE_NONE)
        assert_line_is_legal(&game->pos, line, result.ponder != MOVE_NONE ? 2 : 1);
    return result;
}

static inline SearchResult engine_go(Engine *engine, const Game *game, Limits limits) {
    Heard heard;
    search_prepare(engine->search, false);
    return engine_hear(engine, game, &limits, &heard);
}

// A search of a position without a past, by an engine without memories.
static inline SearchResult engine_go_fen(Engine *engine, const char *fen, Limits limits) {
    Game game;
    game_start(&game, fen);
    engine_forget(engine);
    return engine_go(engine, &game, limits);
}
