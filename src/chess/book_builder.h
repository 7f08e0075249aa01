// SPDX-License-Identifier: GPL-3.0-or-later
// Making an opening book from games: how often each move was played in each position, and how it
// fared.
#pragma once

#include "base/error.h"
#include "chess/pgn.h"
#include "chess/polyglot.h"

typedef struct BookOptions {
    unsigned max_ply;   // moves played later in a game do not count
    unsigned min_games; // moves played more rarely are left out
    unsigned min_score; // moves that scored less, in percent, are left out
} BookOptions;

typedef struct BookBuilder BookBuilder;

BookBuilder *book_builder_create(BookOptions options);
void book_builder_destroy(BookBuilder *builder);
CLEANUP_AT(BookBuilder *, book_builder_destroy)

// Counts the first moves of a game. A game without a result counts as drawn, as in Polyglot; of a
// game that was cut the moves before the cut are counted. ERR_LIMIT when there are too many moves.
MUST_CHECK Status book_builder_add(BookBuilder *builder, const PgnGame *game);

// The same for a game that is at hand as moves, of which those of one side alone are counted.
MUST_CHECK Status book_builder_add_side(BookBuilder *builder, const Position *start,
                                        const Move *moves, size_t count, GameResult result,
                                        Color side);

// How many different moves (in different positions) were counted so far.
size_t book_builder_size(const BookBuilder *builder);
// The book: entries in order, `count` of them; free with free(). A move weighs 2 per win and 1 per
// draw of the side that played it, scaled where a position's heaviest would not fit 16 bits; moves
// that never scored are left out.
PolyglotEntry *book_builder_finish(const BookBuilder *builder, size_t *count);
