// SPDX-License-Identifier: GPL-3.0-or-later
// Chess terms by looking at one square after the other, in no hurry: what the fast ones are
// compared with.
#pragma once

#include "chess/position.h"

// A board as one side sees it: its own first rank is rank 0.
typedef struct View {
    const Position *pos;
    Color us;
} View;

static inline bool stands(View v, Color side, PieceType type, int file, int rank) {
    if (file < 0 || file > 7 || rank < 0 || rank > 7)
        return false;
    Square square = square_make((unsigned)file, (unsigned)(v.us == WHITE ? rank : 7 - rank));
    Color color = side == WHITE ? v.us : color_other(v.us); // WHITE: own, BLACK: the enemy's
    return v.pos->board[square] == piece_make(color, type);
}
static inline bool own(View v, PieceType type, int file, int rank) {
    return stands(v, WHITE, type, file, rank);
}
static inline bool enemy(View v, PieceType type, int file, int rank) {
    return stands(v, BLACK, type, file, rank);
}
static inline View other_side(View v) {
    return (View){v.pos, color_other(v.us)};
}

static inline bool pawn_on(View v, int file, int from, int to) {
    for (int rank = from; rank <= to; rank++)
        if (own(v, PAWN, file, rank))
            return true;
    return false;
}
static inline bool beside_on(View v, int file, int from, int to) {
    return pawn_on(v, file - 1, from, to) || pawn_on(v, file + 1, from, to);
}
// Enemy pawns, with ranks as we count them.
static inline bool enemy_pawn_on(View v, int file, int from, int to) {
    return pawn_on(other_side(v), file, 7 - to, 7 - from);
}

static inline bool is_passed(View v, int file, int rank) {
    for (int f = file - 1; f <= file + 1; f++)
        if (enemy_pawn_on(v, f, rank + 1, 7))
            return false;
    return own(v, PAWN, file, rank) && !pawn_on(v, file, rank + 1, 7);
}
static inline bool is_isolated(View v, int file, int rank) {
    return own(v, PAWN, file, rank) && !beside_on(v, file, 0, 7);
}
static inline bool is_backward(View v, int file, int rank) {
    bool stopped = enemy(v, PAWN, file - 1, rank + 2) || enemy(v, PAWN, file + 1, rank + 2);
    return own(v, PAWN, file, rank) && !is_isolated(v, file, rank) &&
           !beside_on(v, file, 0, rank) && stopped;
}
// Whether a pawn of this side guards the square or could after advancing.
static inline bool may_guard(View v, int file, int rank) {
    return beside_on(v, file, 0, rank - 1);
}

static inline void find_king(View v, int *file, int *rank) {
    Square square = position_king(v.pos, v.us);
    *file = (int)square_file(square);
    *rank = (int)square_relative_rank(square, v.us);
}
static inline int from_edge(int line) {
    return line < 4 ? line : 7 - line;
}
static inline int min(int a, int b) {
    return a < b ? a : b;
}
static inline int max(int a, int b) {
    return a > b ? a : b;
}
