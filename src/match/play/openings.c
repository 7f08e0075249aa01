// SPDX-License-Identifier: GPL-3.0-or-later
#include "match/play/openings.h"

#include "base/locate.h"
#include "base/mem.h"
#include "base/rng.h"
#include "chess/book.h"
#include "chess/chess960.h"
#include "chess/draw.h"
#include "chess/epd.h"
#include "chess/fen.h"
#include "chess/pgn.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// These keep the streams of numbers apart from all others.
enum { RNG_USE_SHUFFLE = 0x6f70656e, RNG_USE_BOOK = 0x6f706272 };

const char *const openings_format_names[OPENINGS_FORMAT_NB] = {"epd", "pgn", "bin", "chess960",
                                                               "dfrc"};

// Openings are kept as text, a third of what positions take: a FEN and its NUL, the number of moves
// and the moves, two bytes each. Lists of millions are common.
struct Openings {
    OpeningsConfig config;
    Str text;
    size_t *starts; // of each, in `text`; where there is none, White's array times 960 and Black's
    size_t count, capacity;
    Book *book; // NULL: none
};

OpeningsFormat openings_guess_format(const char *path) {
    const char *slash = strrchr(path, '/'), *name = slash == NULL ? path : slash + 1;
    if (strstr(name, ".pgn") != NULL)
        return OPENINGS_PGN;
    const char *point = strrchr(name, '.');
    return point != NULL && strcmp(point, ".bin") == 0 ? OPENINGS_BOOK : OPENINGS_EPD;
}

// --- reading ---

static void add_opening(Openings *openings, const Position *start, const Move *moves,
                        size_t count) {
    char fen[FEN_SIZE];
    uint16_t length = (uint16_t)count;
    fen_write(start, fen);
    MEM_ADD(openings->starts, openings->count, openings->capacity) = openings->text.length;
    str_append(&openings->text, fen, strlen(fen) + 1);
    str_append(&openings->text, (const char *)&length, sizeof length);
    if (count > 0)
        str_append(&openings->text, (const char *)moves, count * sizeof *moves);
}

static Status take_record(void *context, const Epd *epd, StrView line, uint64_t number) {
    (void)line;
    (void)number;
    if (game_end(&epd->pos, &epd->pos.key, 1) != GAME_GOES_ON)
        return error_set(ERR_PARSE, "the game is over in this position");
    add_opening(context, &epd->pos, NULL, 0);
    return OK;
}

// Plays the moves until one would end the game; how many can be played.
static size_t playable_plies(const Position *start, const Move *moves, size_t count) {
    uint64_t keys[OPENING_PLIES_MAX + 1] = {start->key};
    Position pos = *start;
    for (size_t i = 0; i < count; i++) {
        Undo undo;
        position_make(&pos, moves[i], &undo);
        keys[i + 1] = pos.key;
        if (game_end(&pos, keys, i + 2) != GAME_GOES_ON)
            return i;
    }
    return count;
}

static Status take_game(Openings *openings, const PgnGame *game) {
    size_t plies = (size_t)openings->config.plies;
    size_t count = game->move_count < plies ? game->move_count : plies;
    bool is_bad = game->problem.kind != PGN_FINE &&
                  (pgn_is_skipped(game->problem.kind) || game->move_count < plies);
    if (is_bad) {
        CLEANUP(str_free) Str text = {0};
        pgn_describe_problem(game, &text);
        return error_set(ERR_PARSE, "%s", str_text(&text));
    }
    bool is_over = game_end(&game->start, &game->start.key, 1) != GAME_GOES_ON ||
                   playable_plies(&game->start, game->moves, count) < count;
    if (is_over)
        return error_set(ERR_PARSE, "game %llu is over within the opening: give fewer plies=",
                         (unsigned long long)game->number);
    add_opening(openings, &game->start, game->moves, count);
    return OK;
}

static Status read_games(Openings *openings) {
    const char *path = openings->config.path;
    CLEANUP(pgn_reader_close_at) PgnReader *reader = NULL;
    const PgnGame *game;
    TRY(pgn_reader_open(&reader, path));
    for (;;) {
        TRY(pgn_reader_next(reader, &game));
        if (game == NULL)
            return OK;
        TRY_PREFIX(take_game(openings, game), "%s", path);
    }
}

static void shuffle(Openings *openings) {
    Rng rng = rng_at(openings->config.seed, 0, 0, RNG_USE_SHUFFLE);
    for (size_t i = openings->count; i > 1; i--) {
        size_t j = rng_below(&rng, (uint32_t)i), held = openings->starts[i - 1];
        openings->starts[i - 1] = openings->starts[j];
        openings->starts[j] = held;
    }
}

static void list_arrays(Openings *openings) {
    const bool is_double = openings->config.format == OPENINGS_DFRC;
    const size_t count = is_double ? CHESS960_ARRAYS * CHESS960_ARRAYS : CHESS960_ARRAYS;
    for (size_t i = 0; i < count; i++)
        MEM_ADD(openings->starts, openings->count, openings->capacity) =
            is_double ? i : i * CHESS960_ARRAYS + i;
    if (openings->config.is_random)
        shuffle(openings);
}

static Status read_list(Openings *openings) {
    const OpeningsConfig *config = &openings->config;
    const bool is_pgn = config->format == OPENINGS_PGN;
    TRY(is_pgn ? read_games(openings) : epd_read_file(config->path, take_record, openings));
    if (openings->count == 0)
        return error_set(ERR_PARSE, "%s: no %s in this file", config->path,
                         is_pgn ? "games" : "positions");
    if (config->is_random)
        shuffle(openings);
    return OK;
}

// A book that knows nothing of the start position is the wrong book.
static Status read_book(Openings *openings) {
    CLEANUP(mem_free_at) Opening *first = mem_alloc(sizeof *first);
    TRY(book_open(&openings->book, openings->config.path));
    openings_at(openings, 0, first);
    if (first->count > 0)
        return OK;
    return error_set(ERR_PARSE, "%s: this book has no moves for the start position",
                     openings->config.path);
}

static Status read_file(Openings *openings) {
    CLEANUP(str_free) Str found = {0};
    TRY(locate("data", openings->config.path, &found));
    openings->config.path = str_text(&found);
    TRY(openings->config.format == OPENINGS_BOOK ? read_book(openings) : read_list(openings));
    openings->config.path = NULL; // needed no longer
    return OK;
}

Status openings_load(Openings **out, const OpeningsConfig *config) {
    CLEANUP(openings_free_at) Openings *openings = mem_alloc_zero(1, sizeof *openings);
    openings->config = *config;
    if (openings_are_arrays(config->format))
        list_arrays(openings);
    else
        TRY(read_file(openings));
    *out = openings;
    openings = NULL;
    return OK;
}

bool openings_are_valid(const Openings *openings) {
    return openings->book != NULL ? openings->config.plies <= OPENING_PLIES_MAX
                                  : openings->count > 0 && openings->starts != NULL;
}

void openings_free(Openings *openings) {
    if (openings == NULL)
        return;
    book_close(openings->book);
    free(openings->starts);
    str_free(&openings->text);
    free(openings);
}

size_t openings_count(const Openings *openings) {
    return openings->count;
}

// --- use ---

static void draw_from_book(const Openings *openings, uint64_t index, Opening *out) {
    Rng rng = rng_at(openings->config.seed, (uint32_t)index, (uint32_t)(index >> 32), RNG_USE_BOOK);
    Position pos;
    size_t plies = (size_t)openings->config.plies;
    position_set_start(&out->start);
    pos = out->start;
    for (out->count = 0; out->count < plies; out->count++) {
        Undo undo;
        Move move = book_pick(openings->book, &pos, &rng);
        if (move == MOVE_NONE)
            break;
        out->moves[out->count] = move;
        position_make(&pos, move, &undo);
    }
    out->count = playable_plies(&out->start, out->moves, out->count);
}

void openings_at(const Openings *openings, uint64_t index, Opening *out) {
    assert(openings_are_valid(openings));
    index += openings->config.first;
    if (openings->book != NULL) {
        draw_from_book(openings, index, out);
        return;
    }
    const size_t start = openings->starts[index % openings->count];
    if (openings_are_arrays(openings->config.format)) {
        chess960_set_start(&out->start, (unsigned)(start / CHESS960_ARRAYS),
                           (unsigned)(start % CHESS960_ARRAYS));
        out->count = 0;
        return;
    }
    const char *at = openings->text.text + start;
    uint16_t count;
    Status status = fen_parse(at, &out->start);
    assert(status == OK); // it was written by us
    (void)status;
    at += strlen(at) + 1;
    memcpy(&count, at, sizeof count);
    out->count = count;
    memcpy(out->moves, at + sizeof count, count * sizeof *out->moves);
}

Position openings_position(const Openings *openings, uint64_t index) {
    Opening opening;
    Undo undo;
    openings_at(openings, index, &opening);
    for (size_t move = 0; move < opening.count; move++)
        position_make(&opening.start, opening.moves[move], &undo);
    return opening.start;
}
