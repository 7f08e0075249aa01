// SPDX-License-Identifier: GPL-3.0-or-later
// Starting positions for generated games: from the start or a line of a book some random moves,
// kept where a short search finds neither side far ahead.
#include "base/file.h"
#include "base/mem.h"
#include "base/rng.h"
#include "chess/draw.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "search/search.h"
#include "uci/uci.h"

#include <stdlib.h>

enum {
    COUNT_MAX = 1000000,
    PLIES_MAX = 100,
    PLIES_FROM_START = 8,
    PLIES_FROM_BOOK = 4,
    SCORE_CP = 300,
    TRIES = 10000, // in vain, one after the other, before giving up
    SEARCH_NODES = 1000,
    BOOK_MAX_BYTES = 1 << 30,
};

typedef struct Request {
    int64_t count, seed, plies, score;
    Str book; // "" for none
} Request;

typedef struct Generator {
    const Request *request;
    Str book;      // its text
    size_t *lines; // where its lines begin
    size_t line_count, line_capacity;
    uint64_t *seen; // keys of what was given, 0 where there is none yet
    size_t slots;   // a power of two
    TT *tt;
    Search *search;
} Generator;

// --- what is asked for ---

static Status read_number(StrView *rest, const char *what, int64_t low, int64_t high,
                          int64_t *out) {
    const StrView word = view_next_word(rest);
    if (view_to_int(word, out) && *out >= low && *out <= high)
        return OK;
    return error_set(ERR_ARG, "genfens: %s must be a whole number from %lld to %lld, not '%s'",
                     what, (long long)low, (long long)high, view_shown(word).text);
}

static Status read_pair(StrView word, StrView *rest, Request *out) {
    if (view_equals(word, "seed"))
        return read_number(rest, "seed", INT64_MIN, INT64_MAX, &out->seed);
    if (view_equals(word, "plies"))
        return read_number(rest, "plies", 0, PLIES_MAX, &out->plies);
    if (view_equals(word, "score"))
        return read_number(rest, "score", 0, SCORE_MATE, &out->score);
    if (!view_equals(word, "book"))
        return error_set(ERR_ARG, "genfens: '%s' is not one of seed, book, plies and score",
                         view_shown(word).text);
    const StrView path = view_next_word(rest);
    str_clear(&out->book);
    if (!view_equals_ignoring_case(path, "None"))
        str_append(&out->book, path.text, path.length);
    return OK;
}

static Status read_request(StrView rest, Request *out) {
    *out = (Request){.plies = -1, .score = SCORE_CP, .book = out->book};
    TRY(read_number(&rest, "the number of positions", 1, COUNT_MAX, &out->count));
    for (StrView word; (word = view_next_word(&rest)).length > 0;)
        TRY(read_pair(word, &rest, out));
    if (out->plies < 0)
        out->plies = out->book.length > 0 ? PLIES_FROM_BOOK : PLIES_FROM_START;
    return OK;
}

// --- where games begin ---

static Status open_book(Generator *generator) {
    Str *book = &generator->book;
    const char *path = str_text(&generator->request->book);
    if (path[0] == '\0')
        return OK;
    TRY(file_read(path, BOOK_MAX_BYTES, book));
    for (size_t at = 0; at < book->length; at++) {
        const bool begins = at == 0 || book->text[at - 1] == '\n';
        if (!begins || view_trim(view_of(book->text + at, 1)).length == 0)
            continue;
        MEM_ADD(generator->lines, generator->line_count, generator->line_capacity) = at;
    }
    return generator->line_count > 0 ? OK : error_set(ERR_PARSE, "%s: has no positions", path);
}

static Status draw_start(const Generator *generator, Rng *rng, Position *out) {
    if (generator->line_count == 0) {
        position_set_start(out);
        return OK;
    }
    const size_t line = rng_below(rng, (uint32_t)generator->line_count);
    const size_t at = generator->lines[line];
    size_t end = at;
    while (end < generator->book.length && generator->book.text[end] != '\n')
        end++;
    StrView text = view_of(generator->book.text + at, end - at);
    TRY_PREFIX(fen_read(&text, out), "%s: position %zu", str_text(&generator->request->book),
               line + 1);
    return OK;
}

// --- one position ---

// Random moves, one more in every second game, so that either side is to move. False where the game
// ends on the way.
static bool play_moves(const Generator *generator, Rng *rng, Position *pos) {
    const int64_t plies = generator->request->plies;
    const int64_t more = plies > 0 ? rng_below(rng, 2) : 0;
    for (int64_t ply = 0; ply < plies + more; ply++) {
        Move moves[MOVES_MAX];
        const size_t count = movegen(pos, MOVES_ALL, moves);
        if (count == 0)
            return false;
        Undo undo;
        position_make(pos, moves[rng_below(rng, (uint32_t)count)], &undo);
    }
    return game_end(pos, &pos->key, 1) == GAME_GOES_ON;
}

// By nodes and from nothing learned, so that it is the same every time.
static bool is_balanced(Generator *generator, const Position *pos) {
    const Limits limits = {.nodes = SEARCH_NODES};
    tt_clear(generator->tt);
    search_new_game(generator->search);
    search_prepare(generator->search, false);
    const int score = search_run(generator->search, pos, &pos->key, 1, &limits, NULL).score;
    return score <= generator->request->score && score >= -generator->request->score;
}

// Whether a position was not given before; it is now.
static bool is_new(Generator *generator, uint64_t key) {
    size_t slot = key & (generator->slots - 1);
    while (generator->seen[slot] != 0 && generator->seen[slot] != key)
        slot = (slot + 1) & (generator->slots - 1);
    const bool is_there = generator->seen[slot] == key;
    generator->seen[slot] = key;
    return !is_there;
}

static Status generate(Generator *generator, void (*take)(void *context, const char *fen),
                       void *context) {
    const Request *request = generator->request;
    uint32_t in_vain = 0;
    int64_t given = 0;
    for (uint32_t game = 0; given < request->count; game++) {
        Rng rng = rng_at((uint64_t)request->seed, game, 0, 0);
        Position pos;
        TRY(draw_start(generator, &rng, &pos));
        if (!play_moves(generator, &rng, &pos) || !is_balanced(generator, &pos) ||
            !is_new(generator, pos.key)) {
            if (++in_vain == TRIES)
                return error_set(ERR_LIMIT,
                                 "genfens: only %lld of %lld positions: no other was found in %d "
                                 "games (more plies or a higher score would allow more)",
                                 (long long)given, (long long)request->count, TRIES);
            continue;
        }
        char fen[FEN_SIZE];
        fen_write(&pos, fen);
        take(context, fen);
        given++;
        in_vain = 0;
    }
    return OK;
}

static void generator_close(Generator *generator) {
    search_destroy(generator->search);
    tt_destroy(generator->tt);
    str_free(&generator->book);
    free(generator->lines);
    free(generator->seen);
}

static Status run_request(const Request *request, const Weights *weights,
                          void (*take)(void *context, const char *fen), void *context) {
    CLEANUP(generator_close) Generator generator = {.request = request, .slots = 16};
    TRY(open_book(&generator));
    TRY(tt_create(&generator.tt, 1));
    while (generator.slots < (size_t)request->count * 2)
        generator.slots *= 2;
    generator.seen = mem_alloc_zero(generator.slots, sizeof generator.seen[0]);
    generator.search = search_create(weights, generator.tt);
    return generate(&generator, take, context);
}

Status uci_genfens(const Weights *weights, StrView words,
                   void (*take)(void *context, const char *fen), void *context) {
    Request request = {0};
    Status status = read_request(words, &request);
    if (status == OK)
        status = run_request(&request, weights, take, context);
    str_free(&request.book);
    return status;
}
