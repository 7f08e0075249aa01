// SPDX-License-Identifier: GPL-3.0-or-later
// What a player would say of a move: that it takes, checks, retreats, goes for the king.
#pragma once

#include "chess/position.h"

// A move may have several; the six of the pieces follow the order of PieceType.
typedef enum MoveTrait {
    TRAIT_CAPTURE,
    TRAIT_CHECK,
    TRAIT_CASTLING,
    TRAIT_PAWN,
    TRAIT_KNIGHT,
    TRAIT_BISHOP,
    TRAIT_ROOK,
    TRAIT_QUEEN,
    TRAIT_KING,         // without castling
    TRAIT_RETREAT,      // a piece goes back towards its own first rank
    TRAIT_TOWARDS_KING, // a piece comes nearer to the enemy king, in king's steps
    TRAIT_QUEENS_OFF,   // a queen takes the other, or goes where they can take each other
    TRAIT_OFFER,        // the exchange that it starts loses a pawn or more
    TRAIT_NB,
} MoveTrait;

// What moves with each trait are called: "captures".
extern const char *const move_trait_names[TRAIT_NB];
// What who makes them does: "takes".
extern const char *const move_trait_deeds[TRAIT_NB];

// The traits of a legal move, as bits 1 << MoveTrait.
unsigned move_traits(const Position *pos, Move move);
