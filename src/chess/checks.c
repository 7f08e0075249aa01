// SPDX-License-Identifier: GPL-3.0-or-later
// Quiet moves that give check, found from the enemy king's side.
#include "chess/movegen.h"

typedef struct CheckList {
    const Position *pos;
    Move *out;
    size_t count;
} CheckList;

static void keep_legal(CheckList *list, Square from, Bitboard targets) {
    while (targets != 0) {
        Move move = move_make(from, bb_pop(&targets));
        if (move_is_legal(list->pos, move))
            list->out[list->count++] = move;
    }
}

static void pawn_checks(CheckList *list, const CheckInfo *info, Bitboard empty) {
    Color us = position_turn(list->pos);
    Bitboard last = us == WHITE ? RANK_8 : RANK_1;
    for (Bitboard set = position_pieces(list->pos, us, PAWN); set != 0;) {
        Square from = bb_pop(&set);
        Bitboard single = bb_forward(bb_square(from), us) & empty & ~last;
        Bitboard pair = square_relative_rank(from, us) == 1 ? bb_forward(single, us) & empty : 0;
        Bitboard checking = info->squares[PAWN];
        if (bb_has(info->discoverers, from))
            checking |= ~squares_line(from, info->king);
        keep_legal(list, from, (single | pair) & checking);
    }
}

size_t movegen_quiet_checks(const Position *pos, const CheckInfo *info, Move out[MOVES_MAX]) {
    CheckList list = {pos, out, 0};
    Bitboard occupied = position_occupied(pos), empty = ~occupied;
    for (PieceType type = KNIGHT; type <= KING; type++) {
        Bitboard set = position_pieces(pos, position_turn(pos), type);
        if ((info->squares[type] & empty) == 0)
            set &= info->discoverers;
        while (set != 0) {
            Square from = bb_pop(&set);
            Bitboard checking = info->squares[type];
            if (bb_has(info->discoverers, from))
                checking |= ~squares_line(from, info->king);
            keep_legal(&list, from, attacks_of(type, from, occupied) & empty & checking);
        }
    }
    pawn_checks(&list, info, empty);
    return list.count;
}
