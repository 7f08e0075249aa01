// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/book.h"

#include "base/file.h"
#include "base/mem.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 1 << 20, SIZE_MAX_BYTES = 1 << 30 };

struct Book {
    size_t count;
    PolyglotEntry entries[];
};

Status book_from_bytes(Book **out, const uint8_t *bytes, size_t size) {
    *out = NULL;
    if (size == 0)
        return error_set(ERR_PARSE, "the book is empty");
    if (size % POLYGLOT_ENTRY_SIZE != 0)
        return error_set(
            ERR_PARSE, "not a Polyglot book, or one cut short: %zu bytes are not a multiple of %d",
            size, POLYGLOT_ENTRY_SIZE);
    CLEANUP(book_close_at) Book *book = mem_alloc(sizeof *book + size);
    book->count = size / POLYGLOT_ENTRY_SIZE;
    for (size_t i = 0; i < book->count; i++) {
        book->entries[i] = polyglot_entry_read(bytes + i * POLYGLOT_ENTRY_SIZE);
        if (i > 0 && book->entries[i].key < book->entries[i - 1].key)
            return error_set(ERR_PARSE,
                             "not a Polyglot book, or a damaged one: the key of entry %zu (byte "
                             "%zu) is below the one before it",
                             i + 1, i * POLYGLOT_ENTRY_SIZE);
    }
    *out = TAKE(book);
    return OK;
}

// Reads all of a plain file. base/file.h would look for compressed data, and a key can be anything.
static Status read_plain(FILE *file, uint8_t **bytes, size_t *size) {
    size_t capacity = 0;
    for (size_t got = 1; got > 0; *size += got) {
        if (*size > SIZE_MAX_BYTES)
            return error_set(ERR_LIMIT, "larger than %d bytes", SIZE_MAX_BYTES);
        *bytes = mem_grow(*bytes, &capacity, *size + CHUNK, 1);
        got = fread(*bytes + *size, 1, CHUNK, file);
    }
    return ferror(file) ? error_set(ERR_IO, "cannot be read: %s", strerror(errno)) : OK;
}

Status book_open(Book **out, const char *path) {
    CLEANUP(file_close_at) FILE *file = fopen(path, "rbe");
    CLEANUP(mem_free_at) uint8_t *bytes = NULL;
    size_t size = 0;
    *out = NULL;
    if (file == NULL)
        return error_set(ERR_IO, "%s: cannot be opened: %s", path, strerror(errno));
    TRY_PREFIX(read_plain(file, &bytes, &size), "%s", path);
    TRY_PREFIX(book_from_bytes(out, bytes, size), "%s", path);
    return OK;
}

void book_close(Book *book) {
    free(book);
}

size_t book_size(const Book *book) {
    return book->count;
}

PolyglotEntry book_entry(const Book *book, size_t index) {
    return book->entries[index];
}

// The first entry whose key is not below `key`.
static size_t find_first(const Book *book, uint64_t key) {
    size_t low = 0, high = book->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (book->entries[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// Adds a move to a list of `count`, or its weight to the same move's.
static size_t merge_move(BookMove *moves, size_t count, BookMove added) {
    for (size_t i = 0; i < count; i++) {
        if (moves[i].move == added.move) {
            unsigned sum = (unsigned)moves[i].weight + added.weight;
            moves[i].weight = sum > UINT16_MAX ? UINT16_MAX : (uint16_t)sum;
            return count;
        }
    }
    moves[count] = added;
    return count + 1;
}

size_t book_moves(const Book *book, const Position *pos, BookMove out[MOVES_MAX]) {
    uint64_t key = polyglot_key(pos);
    size_t count = 0;
    for (size_t i = find_first(book, key); i < book->count && book->entries[i].key == key; i++) {
        Move move = polyglot_move_decode(pos, book->entries[i].move);
        if (move != MOVE_NONE)
            count = merge_move(out, count, (BookMove){move, book->entries[i].weight});
    }
    return count;
}

Move book_pick(const Book *book, const Position *pos, Rng *rng) {
    BookMove moves[MOVES_MAX];
    size_t count = book_moves(book, pos, moves);
    uint32_t total = 0;
    for (size_t i = 0; i < count; i++)
        total += moves[i].weight;
    if (total == 0)
        return MOVE_NONE;
    uint32_t drawn = rng_below(rng, total);
    size_t chosen = 0;
    while (drawn >= moves[chosen].weight)
        drawn -= moves[chosen++].weight;
    return moves[chosen].move;
}

Status book_write(const char *path, PolyglotEntry *entries, size_t count) {
    CLEANUP(outfile_discard_at) OutFile *file = NULL;
    TRY(outfile_open(&file, path));
    MEM_SORT(entries, count, polyglot_entry_compare);
    for (size_t i = 0; i < count; i++) {
        uint8_t bytes[POLYGLOT_ENTRY_SIZE];
        polyglot_entry_write(&entries[i], bytes);
        TRY(outfile_write(file, bytes, sizeof bytes));
    }
    return outfile_commit(TAKE(file));
}
