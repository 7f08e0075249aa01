// SPDX-License-Identifier: GPL-3.0-or-later
// The Polyglot book format: keys of positions, codes of moves, entries of 16 bytes. What is made of
// them is in book.h.
#pragma once

#include "chess/position.h"

enum { POLYGLOT_ENTRY_SIZE = 16 };

typedef struct PolyglotEntry {
    uint64_t key;
    uint16_t move; // to, from << 6, promotion << 12
    uint16_t weight;
    uint32_t learn; // what programs that learn remember; 0 in a new book
} PolyglotEntry;

// The key as Polyglot computes it, from the board. Unlike Position.key it holds en passant also
// when the capture is not legal.
uint64_t polyglot_key(const Position *pos);

// The code of a legal move; castling is king takes rook (e1h1).
uint16_t polyglot_move_encode(const Position *pos, Move move);
// The legal move that `code` stands for, or MOVE_NONE. Castling may be e1h1 or e1g1.
Move polyglot_move_decode(const Position *pos, uint16_t code);

// Entries as bytes, the highest first.
PolyglotEntry polyglot_entry_read(const uint8_t bytes[POLYGLOT_ENTRY_SIZE]);
void polyglot_entry_write(const PolyglotEntry *entry, uint8_t bytes[POLYGLOT_ENTRY_SIZE]);

// The order of a book: by key, the heaviest move first, then by code; for qsort.
int polyglot_entry_compare(const void *a, const void *b);
