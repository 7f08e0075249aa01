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

bool position_has_mate_in_one(const Position *pos) {
    Move moves[MOVES_MAX];
    const CheckInfo info = position_check_info(pos);
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
