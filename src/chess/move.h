// SPDX-License-Identifier: GPL-3.0-or-later
// A move in 16 bits. Castling goes to the square where the king lands (e1g1), also in Chess960; en
// passant goes to the empty square.
#pragma once

#include "chess/types.h"

enum { MOVE_NONE = 0, MOVES_MAX = 256 }; // no position with real material has more than 218 moves

typedef enum MoveKind { MOVE_NORMAL, MOVE_PROMOTION, MOVE_EN_PASSANT, MOVE_CASTLING } MoveKind;

static inline Move move_make(Square from, Square to) {
    return (Move)(from | to << 6);
}
static inline Move move_make_kind(Square from, Square to, MoveKind kind) {
    return (Move)(from | to << 6 | (int)kind << 12);
}
static inline Move move_make_promotion(Square from, Square to, PieceType type) {
    return (Move)(from | to << 6 | (int)MOVE_PROMOTION << 12 | (int)(type - KNIGHT) << 14);
}
static inline Square move_from(Move move) {
    return move & 63;
}
static inline Square move_to(Move move) {
    return move >> 6 & 63;
}
static inline MoveKind move_kind(Move move) {
    return (MoveKind)(move >> 12 & 3);
}
// The piece a promotion makes; meaningless for other kinds.
static inline PieceType move_promotion(Move move) {
    return (PieceType)((move >> 14) + KNIGHT);
}

typedef struct MoveList {
    Move moves[MOVES_MAX];
    size_t count;
} MoveList;

enum { UCI_MOVE_SIZE = 6 }; // "e7e8q" and its NUL

// Writes a legal move of the position as "e2e4", "e7e8q", or "0000" for MOVE_NONE. Castling is
// "e1g1" in chess, and king takes rook ("f1h1") where a right is Chess960's.
void move_to_uci(const Position *pos, Move move, char out[UCI_MOVE_SIZE]);
// The same, but castling is always king takes rook, as engines with UCI_Chess960 have it.
void move_to_uci_960(const Position *pos, Move move, char out[UCI_MOVE_SIZE]);
