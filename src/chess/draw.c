// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/draw.h"

#include "chess/movegen.h"

bool draw_by_material(const Position *pos) {
    if ((pos->types[PAWN] | pos->types[ROOK] | pos->types[QUEEN]) != 0)
        return false;
    Bitboard minors = pos->types[KNIGHT] | pos->types[BISHOP];
    if (!bb_several(minors))
        return true;
    Bitboard bishops = pos->types[BISHOP];
    return pos->types[KNIGHT] == 0 &&
           ((bishops & LIGHT_SQUARES) == 0 || (bishops & ~LIGHT_SQUARES) == 0);
}

unsigned draw_repetitions(const uint64_t *keys, size_t count, unsigned halfmove) {
    unsigned found = 0;
    if (count == 0)
        return 0;
    size_t last = count - 1, reach = halfmove < last ? halfmove : last;
    for (size_t back = 4; back <= reach; back += 2)
        found += keys[last - back] == keys[last];
    return found;
}

GameEnd game_end(const Position *pos, const uint64_t *keys, size_t count) {
    if (!movegen_has_any(pos))
        return position_checkers(pos) != 0 ? GAME_CHECKMATE : GAME_STALEMATE;
    if (draw_by_material(pos))
        return GAME_MATERIAL;
    if (pos->halfmove >= 100)
        return GAME_FIFTY_MOVES;
    return draw_repetitions(keys, count, pos->halfmove) >= 2 ? GAME_REPETITION : GAME_GOES_ON;
}
