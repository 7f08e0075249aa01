// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/phase.h"

#include "chess/movegen.h"
#include "chess/see.h"

const uint8_t phase_values[PIECE_TYPE_NB + 1] = {0, 1, 1, 2, 4, 0, 0};

unsigned phase_material(const Position *pos) {
    unsigned sum = 0;
    for (PieceType type = KNIGHT; type <= QUEEN; type++)
        sum += phase_values[type] * bb_count(pos->types[type]);
    return sum;
}

const char *const phase_names[PHASE_NB] = {"opening", "middlegame", "endgame"};

Phase phase_of_material(unsigned material) {
    if (material >= PHASE_OPENING_MIN)
        return PHASE_OPENING;
    return material >= PHASE_MIDDLEGAME_MIN ? PHASE_MIDDLEGAME : PHASE_ENDGAME;
}

bool position_is_quiet(const Position *pos) {
    Move moves[MOVES_MAX];
    if (position_checkers(pos) != 0)
        return false;
    size_t count = movegen(pos, MOVES_NOISY, moves);
    for (size_t i = 0; i < count; i++)
        if (see_at_least(pos, moves[i], 1))
            return false;
    return true;
}

bool position_is_quiet_for_both(const Position *pos) {
    if (!position_is_quiet(pos))
        return false;
    Position passed = *pos;
    Undo undo;
    position_make_null(&passed, &undo);
    return position_is_quiet(&passed);
}

// False where none of our pieces can come to a square from which it attacks the enemy king: most
// positions, which then need no list of moves.
static bool may_give_check(const Position *pos, const CheckInfo *info) {
    const Color us = position_turn(pos);
    const Bitboard occupied = position_occupied(pos), pawns = position_pieces(pos, us, PAWN);
    const Bitboard seventh = us == WHITE ? RANK_8 >> 8 : RANK_1 << 8;
    const Bitboard once = bb_forward(pawns, us), twice = bb_forward(once, us);
    if (info->discoverers != 0 || pos->ep != SQUARE_NONE || pos->castling != 0 ||
        (pawns & seventh) != 0)
        return true;
    Bitboard reached = once | twice | (once & ~FILE_A) >> 1 | (once & ~FILE_H) << 1;
    if ((reached & info->squares[PAWN]) != 0)
        return true;
    for (PieceType type = KNIGHT; type <= QUEEN; type++)
        for (Bitboard left = position_pieces(pos, us, type); left != 0;)
            if ((attacks_of(type, bb_pop(&left), occupied) & info->squares[type]) != 0)
                return true;
    return false;
}

bool position_has_mate_in_one(const Position *pos) {
    Move moves[MOVES_MAX];
    const CheckInfo info = position_check_info(pos);
    if (!may_give_check(pos, &info))
        return false;
    const size_t count = movegen(pos, MOVES_ALL, moves);
    Position after = *pos;
    for (size_t i = 0; i < count; i++) {
        if (!check_info_gives_check(&info, pos, moves[i]))
            continue;
        Undo undo;
        position_make(&after, moves[i], &undo);
        const bool is_mate = !movegen_has_any(&after);
        position_unmake(&after, moves[i], &undo);
        if (is_mate)
            return true;
    }
    return false;
}
