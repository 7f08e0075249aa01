// SPDX-License-Identifier: GPL-3.0-or-later
// Input: a book, before which stands the number of plies to play from it. Whatever the book holds,
// its moves are legal. Then all entries get the key of one position after the other, for a fuzzer
// cannot guess keys.
#include "base/mem.h"
#include "chess/book.h"
#include "chess/movegen.h"
#include "fuzz/fuzz.h"

#include <string.h>

enum { PLIES_MAX = 32 };

static Move check_moves(const Book *book, const Position *pos, Rng *rng) {
    BookMove moves[MOVES_MAX];
    size_t count = book_moves(book, pos, moves);
    bool is_listed = false;
    uint32_t weight = 0;
    MUST_HOLD(count <= movegen_count(pos));
    Move picked = book_pick(book, pos, rng);
    for (size_t i = 0; i < count; i++) {
        MUST_HOLD(move_is_legal(pos, moves[i].move));
        MUST_HOLD(polyglot_move_decode(pos, polyglot_move_encode(pos, moves[i].move)) ==
                  moves[i].move);
        weight += moves[i].weight;
        is_listed |= moves[i].move == picked && moves[i].weight > 0;
    }
    MUST_HOLD(weight == 0 ? picked == MOVE_NONE : is_listed);
    return picked;
}

static void check_book(const Book *book, unsigned plies) {
    Rng rng = rng_at(0, plies, 0, 0);
    Position pos;
    position_set_start(&pos);
    for (unsigned ply = 0; ply < plies; ply++) {
        Move all[MOVES_MAX];
        Undo undo;
        Move move = check_moves(book, &pos, &rng);
        size_t count = movegen(&pos, MOVES_ALL, all);
        if (count == 0)
            return;
        position_make(&pos, move == MOVE_NONE ? all[rng_below(&rng, (uint32_t)count)] : move,
                      &undo);
    }
}

// The same moves and weights, as if all were meant for the position in hand.
static void check_entries(uint8_t *bytes, size_t size) {
    Position pos;
    Rng rng = rng_at(1, 0, 0, 0);
    position_set_start(&pos);
    for (unsigned ply = 0; ply < PLIES_MAX; ply++) {
        Move all[MOVES_MAX];
        Undo undo;
        Book *book;
        for (size_t i = 0; i + POLYGLOT_ENTRY_SIZE <= size; i += POLYGLOT_ENTRY_SIZE) {
            PolyglotEntry entry = polyglot_entry_read(bytes + i);
            entry.key = polyglot_key(&pos);
            polyglot_entry_write(&entry, bytes + i);
        }
        MUST_HOLD(book_from_bytes(&book, bytes, size) == OK);
        check_moves(book, &pos, &rng);
        book_close(book);
        size_t count = movegen(&pos, MOVES_ALL, all);
        if (count == 0)
            return;
        position_make(&pos, all[rng_below(&rng, (uint32_t)count)], &undo);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    chess_init();
    if (size == 0)
        return 0;
    Book *book;
    if (book_from_bytes(&book, data + 1, size - 1) == OK) {
        MUST_HOLD(book_size(book) * POLYGLOT_ENTRY_SIZE == size - 1);
        check_book(book, data[0] % PLIES_MAX);
        book_close(book);
        uint8_t *copy = mem_alloc(size);
        memcpy(copy, data + 1, size - 1);
        check_entries(copy, size - 1);
        free(copy);
    } else {
        MUST_HOLD(error_message()[0] != '\0');
    }
    return 0;
}
