// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/pgn_chunks.h"

#include "base/mem.h"
#include "base/stream.h"
#include "chess/pgn.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK_SIZE = 1 << 19 };

static const char next_game[] = "\n[Event \"";
enum { NEXT_GAME_LENGTH = sizeof next_game - 1 };

struct PgnChunks {
    Stream *stream;
    Str carry; // read already, belongs to the next chunk
    PgnGame game;
    bool at_end;
    uint64_t too_long, bytes;
};

Status pgn_chunks_open(PgnChunks **out, const char *path) {
    CLEANUP(pgn_chunks_close_at) PgnChunks *chunks = mem_alloc_zero(1, sizeof *chunks);
    *out = NULL;
    TRY(stream_open(&chunks->stream, path));
    *out = TAKE(chunks);
    return OK;
}

static bool ends_with_result(const char *text, size_t length) {
    static const char *const results[] = {"1-0", "0-1", "1/2-1/2", "*"};
    for (size_t i = 0; i < sizeof results / sizeof results[0]; i++) {
        size_t size = strlen(results[i]);
        if (length > size && memcmp(text + length - size, results[i], size) == 0 &&
            (text[length - size - 1] == ' ' || text[length - size - 1] == '\n'))
            return true;
    }
    return false;
}

// True when the line break at `at`, before `[Event "`, surely ends a game: the last word before it
// is a result, in a line that is neither a tag nor a remark. Then nothing that is still open (a
// comment, a variation) goes on behind it either, because the reader ends them there.
static bool is_sure_end(const char *text, size_t at) {
    while (at > 0 && (unsigned char)text[at - 1] <= ' ')
        at--;
    if (!ends_with_result(text, at))
        return false;
    const char *line = memrchr(text, '\n', at);
    char first = line == NULL ? text[0] : line[1];
    return first != '[' && first != ';' && first != '%';
}

// Where the last game that has surely begun begins; 0 when none is certain.
static size_t last_sure_begin(const char *text, size_t length) {
    const char *at;
    for (; length > 1 && (at = memrchr(text + 1, '[', length - 1)) != NULL;
         length = (size_t)(at - text))
        if (at[-1] == '\n' && (size_t)(text + length - at) >= NEXT_GAME_LENGTH - 1 &&
            memcmp(at, next_game + 1, NEXT_GAME_LENGTH - 1) == 0 &&
            is_sure_end(text, (size_t)(at - text) - 1))
            return (size_t)(at - text);
    return 0;
}

// The same by reading all games: for text in which no game has a result.
static size_t last_begin_by_reading(PgnChunks *chunks, const PgnChunk *chunk) {
    size_t done = 0, consumed;
    while (pgn_parse(&chunks->game, view_of(chunk->text + done, chunk->length - done), false,
                     &consumed) == PGN_STEP_GAME)
        done += consumed;
    return done;
}

static void cut(PgnChunks *chunks, PgnChunk *chunk, size_t at) {
    str_clear(&chunks->carry);
    str_append(&chunks->carry, chunk->text + at, chunk->length - at);
    chunk->length = at;
}

// Reads on until the chunk is `size` long, or the text ends.
static Status fill(PgnChunks *chunks, PgnChunk *chunk, size_t size) {
    chunk->text = mem_grow(chunk->text, &chunk->capacity, size, 1);
    size_t got = 0, room = size - chunk->length;
    Status status = stream_read(chunks->stream, chunk->text + chunk->length, room, &got);
    chunk->length += got;
    chunks->bytes += got;
    chunks->at_end = got < room;
    return status;
}

// The chunk holds nothing but the front of a game that is too long: leaves the text from the next
// game on in it.
static Status pass_long_game(PgnChunks *chunks, PgnChunk *chunk) {
    size_t from = 0;
    while (from < chunk->length && (unsigned char)chunk->text[from] <= ' ')
        from++; // not to find this game again
    chunks->too_long++;
    for (;; from = 0) {
        char *found = memmem(chunk->text + from, chunk->length - from, next_game, NEXT_GAME_LENGTH);
        size_t keep = chunk->length < NEXT_GAME_LENGTH ? chunk->length : NEXT_GAME_LENGTH;
        if (found != NULL)
            keep = chunk->length - (size_t)(found + 1 - chunk->text);
        else if (chunks->at_end)
            keep = 0;
        memmove(chunk->text, chunk->text + chunk->length - keep, keep);
        chunk->length = keep;
        if (found != NULL || chunks->at_end)
            return OK;
        TRY(fill(chunks, chunk, CHUNK_SIZE));
    }
}

// Twice as much as there is, so that there is room to read on.
static size_t next_size(size_t length) {
    size_t size = CHUNK_SIZE;
    while (size < 2 * length && size < PGN_BUFFER_MAX)
        size *= 2;
    return size;
}

static void take_carry(PgnChunks *chunks, PgnChunk *chunk) {
    chunk->length = chunks->carry.length;
    chunk->text = mem_grow(chunk->text, &chunk->capacity, chunk->length + 1, 1);
    if (chunk->length > 0)
        memcpy(chunk->text, chunks->carry.text, chunk->length);
    str_clear(&chunks->carry);
}

Status pgn_chunks_next(PgnChunks *chunks, PgnChunk *chunk) {
    take_carry(chunks, chunk);
    while (!chunks->at_end) {
        TRY(fill(chunks, chunk, next_size(chunk->length)));
        if (chunks->at_end)
            break;
        size_t begin = last_sure_begin(chunk->text, chunk->length);
        if (begin == 0 && chunk->length >= PGN_BUFFER_MAX) {
            begin = last_begin_by_reading(chunks, chunk);
            if (begin == 0)
                TRY(pass_long_game(chunks, chunk));
        }
        if (begin > 0) {
            cut(chunks, chunk, begin);
            break;
        }
    }
    return OK;
}

uint64_t pgn_chunks_too_long(const PgnChunks *chunks) {
    return chunks->too_long;
}

uint64_t pgn_chunks_bytes(const PgnChunks *chunks) {
    return chunks->bytes;
}

void pgn_chunks_close(PgnChunks *chunks) {
    if (chunks == NULL)
        return;
    stream_close(chunks->stream);
    str_free(&chunks->carry);
    pgn_game_free(&chunks->game);
    free(chunks);
}

void pgn_chunk_free(PgnChunk *chunk) {
    free(chunk->text);
    *chunk = (PgnChunk){0};
}
