// SPDX-License-Identifier: GPL-3.0-or-later
// Games of a stream. The buffer grows only for a game that does not fit; a game is parsed again
// from its start when more text has come.
#include "chess/pgn.h"

#include "base/mem.h"
#include "base/stream.h"

#include <stdlib.h>
#include <string.h>

static const char next_game[] = "\n[Event \"";

struct PgnReader {
    Stream *stream;
    PgnGame game;
    PgnTotals totals;
    char *buffer;
    size_t capacity, start, end; // what of the buffer is not used yet
    uint64_t base;               // bytes of the input before the buffer
    bool at_end;
    bool is_skipping; // the rest of a game that was too long
    Status failure;   // of the stream, returned after the last game
    char *message;    // its text
};

Status pgn_reader_open(PgnReader **out, const char *path) {
    CLEANUP(pgn_reader_close_at) PgnReader *reader = mem_alloc_zero(1, sizeof *reader);
    *out = NULL;
    TRY(stream_open(&reader->stream, path));
    reader->totals.bytes_there = stream_bytes_there(reader->stream);
    reader->capacity = PGN_BUFFER_FIRST;
    reader->buffer = mem_alloc(reader->capacity);
    *out = TAKE(reader);
    return OK;
}

// Moves what is left to the front and fills the buffer behind it.
static void refill(PgnReader *reader) {
    size_t left = reader->end - reader->start;
    memmove(reader->buffer, reader->buffer + reader->start, left);
    reader->base += reader->start;
    reader->start = 0;
    if (left > reader->capacity / 2 && reader->capacity < PGN_BUFFER_MAX) {
        reader->capacity *= 2;
        reader->buffer = mem_resize(reader->buffer, reader->capacity);
    }
    size_t got, room = reader->capacity - left;
    reader->failure = stream_read(reader->stream, reader->buffer + left, room, &got);
    if (reader->failure != OK)
        reader->message = mem_copy_string(error_message());
    reader->at_end = got < room || reader->failure != OK;
    reader->end = left + got;
    reader->totals.text_bytes += got;
    reader->totals.bytes_read = stream_bytes_read(reader->stream);
}

// Drops text up to the next line that begins a game.
static void skip_rest(PgnReader *reader) {
    size_t length = sizeof next_game - 1;
    for (;;) {
        char *from = reader->buffer + reader->start;
        char *found = memmem(from, reader->end - reader->start, next_game, length);
        if (found != NULL) {
            reader->start += (size_t)(found - from) + 1;
            break;
        }
        size_t left = reader->end - reader->start;
        if (reader->at_end) {
            reader->start = reader->end;
            break;
        }
        reader->start = left > length ? reader->end - length : reader->start;
        refill(reader);
    }
    reader->is_skipping = false;
}

// Makes the current game one that is skipped for its length or for the file's failure.
static void give_up_game(PgnReader *reader, PgnProblemKind kind) {
    PgnGame *game = &reader->game;
    game->move_count = 0;
    game->final = game->start;
    game->length = reader->end - reader->start - game->offset;
    game->problem = (PgnProblem){.kind = kind, .offset = game->offset};
    reader->is_skipping = kind == PGN_TOO_LONG;
    // The search for the next game must not find this one.
    reader->start = reader->is_skipping ? reader->start + game->offset + 1 : reader->end;
}

static void count_game(PgnReader *reader, uint64_t front) {
    PgnGame *game = &reader->game;
    PgnTotals *totals = &reader->totals;
    game->number = ++totals->games;
    totals->real += pgn_is_game(game);
    game->offset += front;
    game->problem.offset += front;
    totals->plies += game->move_count;
    totals->kinds[game->problem.kind]++;
    totals->cut += pgn_is_cut(game->problem.kind);
    totals->skipped += pgn_is_skipped(game->problem.kind);
    totals->mismatches += (game->notes & PGN_NOTE_RESULT_MISMATCH) != 0;
    totals->without_result += (game->notes & PGN_NOTE_NO_RESULT) != 0;
}

// Parses, reading on as needed. False at the end of the games.
static bool find_game(PgnReader *reader, uint64_t *front) {
    if (reader->is_skipping)
        skip_rest(reader);
    for (;;) {
        StrView text = view_of(reader->buffer + reader->start, reader->end - reader->start);
        *front = reader->base + reader->start;
        size_t consumed;
        PgnStep step = pgn_parse(&reader->game, text, reader->at_end, &consumed);
        // A game that reaches the damage may be a part of one.
        if (reader->failure != OK && step == PGN_STEP_GAME && consumed == text.length) {
            give_up_game(reader, PGN_CUT_SHORT);
            return true;
        }
        reader->start += consumed;
        if (step != PGN_STEP_NEED_MORE)
            return step == PGN_STEP_GAME;
        *front += consumed;
        size_t left = reader->end - reader->start;
        if (left == PGN_BUFFER_MAX) {
            give_up_game(reader, PGN_TOO_LONG);
            return true;
        }
        refill(reader);
    }
}

Status pgn_reader_next(PgnReader *reader, const PgnGame **out) {
    uint64_t front;
    *out = NULL;
    if (find_game(reader, &front)) {
        count_game(reader, front);
        *out = &reader->game;
        return OK;
    }
    return reader->failure == OK ? pgn_check_found(reader->totals.games, reader->totals.real,
                                                   stream_name(reader->stream))
                                 : error_set(reader->failure, "%s", reader->message);
}

const PgnTotals *pgn_reader_totals(const PgnReader *reader) {
    return &reader->totals;
}

void pgn_reader_close(PgnReader *reader) {
    if (reader == NULL)
        return;
    stream_close(reader->stream);
    pgn_game_free(&reader->game);
    free(reader->buffer);
    free(reader->message);
    free(reader);
}
