// SPDX-License-Identifier: GPL-3.0-or-later
// Opening books in Polyglot's format: which moves a book has for a position, and choosing one.
#pragma once

#include "base/error.h"
#include "base/rng.h"
#include "chess/polyglot.h"

typedef struct Book Book;

typedef struct BookMove {
    Move move;
    uint16_t weight;
} BookMove;

// Reads a whole book. Files that are empty, of an odd size or not in order are refused.
MUST_CHECK Status book_open(Book **out, const char *path);
// The same from memory, which is copied.
MUST_CHECK Status book_from_bytes(Book **out, const uint8_t *bytes, size_t size);
void book_close(Book *book);
CLEANUP_AT(Book *, book_close)

// How many entries there are, and one of them.
size_t book_size(const Book *book);
PolyglotEntry book_entry(const Book *book, size_t index);

// Writes the book's legal moves in the order of the file and returns how many. A move that is there
// twice is merged; entries that are not legal moves are ignored.
size_t book_moves(const Book *book, const Position *pos, BookMove out[MOVES_MAX]);
// Draws a move with a chance proportional to its weight; MOVE_NONE when there is nothing to play
// (also when all weights are 0).
Move book_pick(const Book *book, const Position *pos, Rng *rng);

// Sorts the entries and writes them to `path`, atomically.
MUST_CHECK Status book_write(const char *path, PolyglotEntry *entries, size_t count);
