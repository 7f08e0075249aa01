// SPDX-License-Identifier: GPL-3.0-or-later
#include "uci/engine.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/text.h"
#include "chess/fen.h"
#include "uci/identity.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_HASH_MB = 16, DEFAULT_OVERHEAD_MS = 10 };

void engine_say(Engine *engine, const char *format, ...) {
    CLEANUP(str_free) Str text = {0};
    va_list args;
    va_start(args, format);
    text_format(&text, format, args);
    va_end(args);
    str_add(&text, "\n");
    pthread_mutex_lock(&engine->out_lock);
    fwrite(text.text, 1, text.length, engine->out);
    fflush(engine->out);
    pthread_mutex_unlock(&engine->out_lock);
}

static void set_defaults(Engine *engine) {
    engine->threads = engine->multi_pv = 1;
    engine->overhead_ms = DEFAULT_OVERHEAD_MS;
    engine->book_was_set = engine->own_book_was_set = false;
    engine->own_book = engine->analyse_mode = engine->limit_strength = engine->chess960 = false;
    engine->elo = LEVEL_ELO_MOST;
    engine->skill = LEVEL_SKILL_MAX;
    engine->profile = PROFILE_MODERN;
    engine->features = engine->start_features;
    engine->has_search_file = false;
}

// A program that drives a tunable engine tests it, and wants no book.
static Book *open_book_beside(const Engine *engine) {
    CLEANUP(str_free) Str path = {0};
    Book *book = NULL;
    if (engine->tunable || engine->weights_path.length == 0 ||
        !identity_find_book(str_text(&engine->weights_path), &path))
        return NULL;
    return book_open(&book, str_text(&path)) == OK ? book : NULL;
}

void engine_find_book(Engine *engine) {
    if (engine->book_was_set)
        return;
    book_close(engine->book);
    engine->book = open_book_beside(engine);
    if (!engine->own_book_was_set)
        engine->own_book = engine->book != NULL;
}

void engine_set_weights_path(Engine *engine, const char *path) {
    str_setf(&engine->weights_path, "%s", path);
    str_clear(&engine->whose);
    identity_of_weights(&engine->weights, path, &engine->whose);
    engine_find_book(engine);
}

Status engine_create(Engine **out, const UciStart *start, FILE *stream) {
    chess_init();
    Engine *engine = mem_alloc_zero(1, sizeof *engine);
    engine->out = stream;
    pthread_mutex_init(&engine->out_lock, NULL);
    engine->start_features =
        start->features == NULL ? features_of(PROFILE_MODERN) : *start->features;
    set_defaults(engine);
    engine->settings_changed = true;
    engine->book_rng = rng_at((uint64_t)clock_now_ns(), 0, 0, 0);
    engine->tunable = start->tunable;
    engine->by_hand = start->by_hand;
    str_add(&engine->start_path, start->weights_path == NULL ? "" : start->weights_path);
    weights_copy(&engine->weights, start->weights);
    weights_copy(&engine->start_weights, start->weights);
    Status status = engine_set_hash(engine, DEFAULT_HASH_MB);
    if (status != OK) {
        engine_destroy(engine);
        return status;
    }
    engine->search = search_create(start->weights, engine->tt);
    engine_set_weights_path(engine, str_text(&engine->start_path));
    uci_position(engine, view_from_string("startpos"));
    *out = engine;
    return OK;
}

void engine_reset(Engine *engine) {
    engine_stop(engine);
    set_defaults(engine);
    book_close(engine->book);
    engine->book = NULL;
    weights_free(&engine->weights);
    weights_copy(&engine->weights, &engine->start_weights);
    engine_set_weights_path(engine, str_text(&engine->start_path));
    engine->settings_changed = true;
    engine_new_game(engine);
    uci_position(engine, view_from_string("startpos"));
}

void engine_destroy(Engine *engine) {
    if (engine == NULL)
        return;
    engine_stop(engine);
    search_destroy(engine->search);
    tt_destroy(engine->tt);
    book_close(engine->book);
    weights_free(&engine->weights);
    weights_free(&engine->start_weights);
    str_free(&engine->whose);
    str_free(&engine->weights_path);
    str_free(&engine->start_path);
    free(engine->keys);
    pthread_mutex_destroy(&engine->out_lock);
    free(engine);
}

Status engine_set_hash(Engine *engine, int64_t megabytes) {
    TT *tt = NULL;
    TRY(tt_create(&tt, (size_t)megabytes));
    tt_destroy(engine->tt);
    engine->tt = tt;
    engine->hash_mb = megabytes;
    if (engine->search != NULL)
        search_set_table(engine->search, tt);
    return OK;
}

void engine_apply_settings(Engine *engine) {
    if (!engine->settings_changed)
        return;
    search_set_features(engine->search, engine->features);
    search_set_threads(engine->search, (unsigned)engine->threads);
    search_set_weights(engine->search, &engine->weights);
    tt_clear(engine->tt);
    engine->settings_changed = false;
}

void engine_new_game(Engine *engine) {
    engine_apply_settings(engine);
    search_new_game(engine->search);
    tt_clear(engine->tt);
}

static void format_score(int score, char *out, size_t size) {
    if (!score_is_mate(score)) {
        snprintf(out, size, "cp %d", score);
        return;
    }
    int plies = SCORE_MATE - (score > 0 ? score : -score);
    int moves = (plies + 1) / 2;
    snprintf(out, size, "mate %d", score > 0 ? moves : -moves);
}

void engine_write_move(const Engine *engine, const Position *pos, Move move,
                       char out[UCI_MOVE_SIZE]) {
    if (engine->chess960)
        move_to_uci_960(pos, move, out);
    else
        move_to_uci(pos, move, out);
}

static void add_pv(const Engine *engine, const SearchLine *line, Str *out) {
    Position pos = engine->pos;
    str_add(out, line->move_count > 0 ? " pv" : "");
    for (size_t i = 0; i < line->move_count; i++) {
        char move[UCI_MOVE_SIZE];
        Undo undo;
        engine_write_move(engine, &pos, line->moves[i], move);
        str_addf(out, " %s", move);
        position_make(&pos, line->moves[i], &undo);
    }
}

static void say_line(void *context, const SearchLine *line) {
    Engine *engine = context;
    char score[24];
    format_score(line->score, score, sizeof score);
    const char *bound = line->bound == BOUND_LOWER   ? " lowerbound"
                        : line->bound == BOUND_UPPER ? " upperbound"
                                                     : "";
    int64_t time = line->time_ms < 1 ? 1 : line->time_ms;
    CLEANUP(str_free) Str text = {0};
    str_addf(
        &text,
        "info depth %d seldepth %d multipv %d score %s%s nodes %llu nps %llu hashfull %d time %lld",
        line->depth, line->selective_depth, line->rank, score, bound,
        (unsigned long long)line->nodes, (unsigned long long)(line->nodes * 1000 / (uint64_t)time),
        line->hash_permille, (long long)line->time_ms);
    add_pv(engine, line, &text);
    engine_say(engine, "%s", str_text(&text));
}

static void say_best(Engine *engine, Move best, Move ponder) {
    char first[UCI_MOVE_SIZE], second[UCI_MOVE_SIZE];
    engine_write_move(engine, &engine->pos, best, first);
    if (ponder == MOVE_NONE) {
        engine_say(engine, "bestmove %s", first);
        return;
    }
    Position after = engine->pos;
    Undo undo;
    position_make(&after, best, &undo);
    engine_write_move(engine, &after, ponder, second);
    engine_say(engine, "bestmove %s ponder %s", first, second);
}

static void *think(void *context) {
    Engine *engine = context;
    SearchListener listener = {engine, say_line};
    SearchResult result = search_run(engine->search, &engine->pos, engine->keys, engine->key_count,
                                     &engine->limits, &listener);
    say_best(engine, result.best, result.ponder);
    return NULL;
}

// True when the book had a move, which was played.
static bool play_from_book(Engine *engine, const Limits *limits) {
    if (!engine->own_book || engine->book == NULL || engine->analyse_mode || limits->infinite ||
        limits->ponder || limits->move_count > 0 || limits->mate > 0)
        return false;
    Move move = book_pick(engine->book, &engine->pos, &engine->book_rng);
    if (move == MOVE_NONE)
        return false;
    engine_say(engine, "info string book move");
    engine_say(engine, "info depth 1 score cp 0");
    say_best(engine, move, MOVE_NONE);
    return true;
}

static bool is_below_strength(const Engine *engine, Level *level) {
    if (engine->limit_strength)
        *level = level_of_elo(engine->elo);
    else if (engine->skill < LEVEL_SKILL_MAX)
        *level = level_of_skill(engine->skill);
    else
        return false;
    return true;
}

// Who analyses wants the truth, whatever the level of games.
static void apply_level(Engine *engine, Limits *limits) {
    Level level = {0};
    const bool is_game = !limits->infinite && limits->mate == 0 && !engine->analyse_mode;
    const bool is_weakened = is_game && is_below_strength(engine, &level);
    search_set_noise(engine->search, level.noise_cp);
    if (is_weakened && (limits->nodes == 0 || limits->nodes > level.nodes))
        limits->nodes = level.nodes;
}

void engine_go(Engine *engine, const Limits *limits) {
    engine_wait(engine);
    engine_apply_settings(engine);
    if (play_from_book(engine, limits))
        return;
    engine->limits = *limits;
    apply_level(engine, &engine->limits);
    search_prepare(engine->search, limits->ponder);
    const bool ends = !limits->infinite && !limits->ponder;
    engine->thinking = !(engine->thinks_in_line && ends) &&
                       pthread_create(&engine->thread, NULL, think, engine) == 0;
    if (!engine->thinking)
        think(engine);
}

void engine_wait(Engine *engine) {
    if (engine->thinking)
        pthread_join(engine->thread, NULL);
    engine->thinking = false;
}

void engine_stop(Engine *engine) {
    if (engine->thinking)
        search_stop(engine->search);
    engine_wait(engine);
}
