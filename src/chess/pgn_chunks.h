// SPDX-License-Identifier: GPL-3.0-or-later
// A file of games in pieces of whole games, for parsing them on several threads: each piece gives
// the same games to pgn_parse, as its final text, as the file would at that place.
#pragma once

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

typedef struct PgnChunks PgnChunks;

typedef struct PgnChunk {
    char *text; // owned; {0} is an empty chunk, whose memory is used again
    size_t length, capacity;
} PgnChunk;

// Opens a file, plain or compressed ("-": standard input).
MUST_CHECK Status pgn_chunks_open(PgnChunks **out, const char *path);
// Fills `chunk` with the next games; length 0 at the end. One thread at a time.
MUST_CHECK Status pgn_chunks_next(PgnChunks *chunks, PgnChunk *chunk);
// Games passed over because they were longer than PGN_BUFFER_MAX.
uint64_t pgn_chunks_too_long(const PgnChunks *chunks);
// Bytes of text read, uncompressed.
uint64_t pgn_chunks_bytes(const PgnChunks *chunks);
void pgn_chunks_close(PgnChunks *chunks);
CLEANUP_AT(PgnChunks *, pgn_chunks_close)
void pgn_chunk_free(PgnChunk *chunk);
