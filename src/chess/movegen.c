// SPDX-License-Identifier: GPL-3.0-or-later
// One body generates for either colour, any set, listing or only counting: the arguments that say
// which are constants wherever it is inlined.
#include "chess/movegen.h"

#include "chess/castling.h"

#include <assert.h>

#define INLINE static inline __attribute__((always_inline))

typedef struct Generator {
    const Position *pos;
    Color us;
    MoveSet set;
    bool counting; // moves are counted, not written
    Square king;
    Bitboard occupied, enemies;
    Bitboard allowed; // where pieces other than the king may go in this set, also against check
    Bitboard check_mask, checkers, pinned;
    Bitboard danger; // squares the enemy attacks; all of them until found
    Move *out;
    size_t count;
} Generator;

INLINE void emit_targets(Generator *gen, Square from, Bitboard targets) {
    if (gen->counting) {
        gen->count += bb_count(targets);
        return;
    }
    while (targets != 0)
        gen->out[gen->count++] = move_make(from, bb_pop(&targets));
}

INLINE void emit_pawns(Generator *gen, Bitboard targets, int step) {
    if (gen->counting) {
        gen->count += bb_count(targets);
        return;
    }
    while (targets != 0) {
        Square to = bb_pop(&targets);
        gen->out[gen->count++] = move_make((Square)(to - step), to);
    }
}

INLINE void emit_promotions(Generator *gen, Bitboard targets, int step) {
    if (gen->counting) {
        gen->count += 4 * bb_count(targets);
        return;
    }
    while (targets != 0) {
        Square to = bb_pop(&targets), from = (Square)(to - step);
        for (PieceType type = QUEEN; type >= KNIGHT; type--)
            gen->out[gen->count++] = move_make_promotion(from, to, type);
    }
}

// Finds pieces that are pinned, pieces that check, and where a check can be parried.
INLINE void find_pins_and_checks(Generator *gen) {
    const Position *pos = gen->pos;
    Color them = color_other(gen->us);
    Bitboard diagonal = (pos->types[BISHOP] | pos->types[QUEEN]) & gen->enemies;
    Bitboard straight = (pos->types[ROOK] | pos->types[QUEEN]) & gen->enemies;
    Bitboard snipers = (attacks_bishop(gen->king, gen->enemies) & diagonal) |
                       (attacks_rook(gen->king, gen->enemies) & straight);
    gen->checkers = (attacks_pawn(gen->king, gen->us) & position_pieces(pos, them, PAWN)) |
                    (attacks_knight(gen->king) & position_pieces(pos, them, KNIGHT));
    gen->check_mask = gen->checkers;
    gen->pinned = 0;
    while (snipers != 0) {
        Square sniper = bb_pop(&snipers);
        Bitboard path = squares_between(gen->king, sniper), blockers = path & gen->occupied;
        if (blockers == 0) {
            gen->checkers |= bb_square(sniper);
            gen->check_mask |= path | bb_square(sniper);
        } else if (!bb_several(blockers)) {
            gen->pinned |= blockers;
        }
    }
    gen->pinned &= pos->colors[gen->us];
    if (gen->checkers == 0)
        gen->check_mask = ~0ULL;
}

// Squares the enemy attacks, seen through our king.
INLINE Bitboard find_danger(const Generator *gen) {
    const Position *pos = gen->pos;
    Color them = color_other(gen->us);
    Bitboard occupied = gen->occupied ^ bb_square(gen->king);
    Bitboard danger = bb_pawn_attacks(position_pieces(pos, them, PAWN), them) |
                      attacks_king(position_king(pos, them));
    for (Bitboard set = position_pieces(pos, them, KNIGHT); set != 0;)
        danger |= attacks_knight(bb_pop(&set));
    for (Bitboard set = (pos->types[BISHOP] | pos->types[QUEEN]) & gen->enemies; set != 0;)
        danger |= attacks_bishop(bb_pop(&set), occupied);
    for (Bitboard set = (pos->types[ROOK] | pos->types[QUEEN]) & gen->enemies; set != 0;)
        danger |= attacks_rook(bb_pop(&set), occupied);
    return danger;
}

INLINE void emit_castling(Generator *gen, Square to, Bitboard empty, Bitboard safe) {
    if ((gen->occupied & empty) != 0 || (gen->danger & safe) != 0)
        return;
    if (!gen->counting)
        gen->out[gen->count] = move_make_kind(gen->king, to, MOVE_CASTLING);
    gen->count++;
}

// Without the shortcuts of chess, and not inlined into every generator: it is rare.
static __attribute__((noinline)) size_t chess960_castling(const Position *pos, Color us,
                                                          Move *out) {
    size_t count = 0;
    for (int king_side = 1; king_side >= 0; king_side--) {
        if (!castling_is_possible(pos, us, king_side))
            continue;
        const CastlingSquares at = castling_squares(pos, us, king_side);
        out[count++] = move_make_kind(at.king_from, at.king_to, MOVE_CASTLING);
    }
    return count;
}

INLINE void king_moves(Generator *gen) {
    const Position *pos = gen->pos;
    Bitboard own = pos->colors[gen->us];
    Bitboard targets = attacks_king(gen->king) & ~own;
    if (gen->set == MOVES_NOISY)
        targets &= gen->enemies;
    if (gen->set == MOVES_QUIET)
        targets &= ~gen->enemies;
    unsigned shift = gen->us == WHITE ? 0 : 2, rank = gen->us == WHITE ? 0 : 56;
    unsigned rights =
        gen->set == MOVES_NOISY || gen->checkers != 0 ? 0 : pos->castling >> shift & 3u;
    if (targets == 0 && rights == 0)
        return;
    gen->danger = find_danger(gen);
    emit_targets(gen, gen->king, targets & ~gen->danger);
    if (__builtin_expect(position_is_chess960(pos), 0) && rights != 0) {
        Move moves[2];
        gen->count +=
            chess960_castling(pos, gen->us, gen->counting ? moves : gen->out + gen->count);
        return;
    }
    if (rights & CASTLE_WHITE_KING)
        emit_castling(gen, (Square)(G1 + rank), 0x60ULL << rank, 0x60ULL << rank);
    if (rights & CASTLE_WHITE_QUEEN)
        emit_castling(gen, (Square)(C1 + rank), 0x0EULL << rank, 0x0CULL << rank);
}

// Moves of `pawns` that go to squares of `mask`.
INLINE void pawn_moves(Generator *gen, Bitboard pawns, Bitboard mask) {
    const int up = gen->us == WHITE ? 8 : -8;
    const Bitboard last = gen->us == WHITE ? RANK_8 : RANK_1;
    Bitboard single = bb_forward(pawns, gen->us) & ~gen->occupied;
    Bitboard pair =
        bb_forward(single & bb_rank(gen->us == WHITE ? 2 : 5), gen->us) & ~gen->occupied;
    single &= mask;
    if (gen->set != MOVES_QUIET) {
        Bitboard west = bb_pawn_west(pawns, gen->us) & gen->enemies & mask;
        Bitboard east = bb_pawn_east(pawns, gen->us) & gen->enemies & mask;
        if (((single | west | east) & last) != 0) {
            emit_promotions(gen, west & last, up - 1);
            emit_promotions(gen, east & last, up + 1);
            emit_promotions(gen, single & last, up);
        }
        emit_pawns(gen, west & ~last, up - 1);
        emit_pawns(gen, east & ~last, up + 1);
    }
    if (gen->set != MOVES_NOISY) {
        emit_pawns(gen, single & ~last, up);
        emit_pawns(gen, pair & mask, 2 * up);
    }
}

// Rare enough to test each one on the board as it would be.
INLINE void en_passant_moves(Generator *gen) {
    const Position *pos = gen->pos;
    if (pos->ep == SQUARE_NONE || gen->set == MOVES_QUIET || gen->us != position_turn(pos))
        return;
    Color them = color_other(gen->us);
    Bitboard takers = attacks_pawn(pos->ep, them) & position_pieces(pos, gen->us, PAWN);
    while (takers != 0) {
        Square from = bb_pop(&takers);
        Bitboard gone = bb_square(from) | bb_square(pos->ep ^ 8);
        Bitboard occupied = (gen->occupied & ~gone) | bb_square(pos->ep);
        if ((position_attackers(pos, gen->king, them, occupied) & ~gone) != 0)
            continue;
        if (!gen->counting)
            gen->out[gen->count] = move_make_kind(from, pos->ep, MOVE_EN_PASSANT);
        gen->count++;
    }
}

INLINE void pinned_moves(Generator *gen) {
    const Position *pos = gen->pos;
    for (Bitboard set = gen->pinned & ~pos->types[KNIGHT]; set != 0;) {
        Square from = bb_pop(&set);
        Bitboard line = squares_line(gen->king, from);
        PieceType type = piece_type(pos->board[from]);
        if (type == PAWN)
            pawn_moves(gen, bb_square(from), gen->check_mask & line);
        else
            emit_targets(gen, from, attacks_of(type, from, gen->occupied) & gen->allowed & line);
    }
}

INLINE void piece_moves(Generator *gen) {
    const Position *pos = gen->pos;
    Bitboard free = pos->colors[gen->us] & ~gen->pinned;
    for (Bitboard set = free & pos->types[KNIGHT]; set != 0;) {
        Square from = bb_pop(&set);
        emit_targets(gen, from, attacks_knight(from) & gen->allowed);
    }
    for (Bitboard set = free & pos->types[BISHOP]; set != 0;) {
        Square from = bb_pop(&set);
        emit_targets(gen, from, attacks_bishop(from, gen->occupied) & gen->allowed);
    }
    for (Bitboard set = free & pos->types[ROOK]; set != 0;) {
        Square from = bb_pop(&set);
        emit_targets(gen, from, attacks_rook(from, gen->occupied) & gen->allowed);
    }
    for (Bitboard set = free & pos->types[QUEEN]; set != 0;) {
        Square from = bb_pop(&set);
        emit_targets(gen, from, attacks_queen(from, gen->occupied) & gen->allowed);
    }
}

INLINE size_t generate(const Position *pos, Color us, MoveSet set, bool counting, Move *out,
                       Bitboard *danger) {
    Generator gen = {.pos = pos, .us = us, .set = set, .counting = counting, .out = out};
    gen.danger = ~0ULL;
    gen.king = position_king(pos, us);
    gen.enemies = pos->colors[color_other(us)];
    gen.occupied = position_occupied(pos);
    find_pins_and_checks(&gen);
    king_moves(&gen);
    if (danger != NULL)
        *danger = gen.danger;
    if (bb_several(gen.checkers))
        return gen.count;
    gen.allowed = set == MOVES_NOISY   ? gen.enemies
                  : set == MOVES_QUIET ? ~gen.occupied
                                       : ~pos->colors[us];
    gen.allowed &= gen.check_mask;
    pawn_moves(&gen, position_pieces(pos, us, PAWN) & ~gen.pinned, gen.check_mask);
    en_passant_moves(&gen);
    piece_moves(&gen);
    if (gen.pinned != 0)
        pinned_moves(&gen);
    return gen.count;
}

INLINE size_t generate_for(const Position *pos, MoveSet set, bool counting, Move *out,
                           Bitboard *danger) {
    return pos->turn == WHITE ? generate(pos, WHITE, set, counting, out, danger)
                              : generate(pos, BLACK, set, counting, out, danger);
}

size_t movegen(const Position *pos, MoveSet set, Move out[MOVES_MAX]) {
    switch (set) {
    case MOVES_NOISY:
        return generate_for(pos, MOVES_NOISY, false, out, NULL);
    case MOVES_QUIET:
        return generate_for(pos, MOVES_QUIET, false, out, NULL);
    default:
        return generate_for(pos, MOVES_ALL, false, out, NULL);
    }
}

size_t movegen_quiet(const Position *pos, Move out[MOVES_MAX], Bitboard *attacked) {
    return generate_for(pos, MOVES_QUIET, false, out, attacked);
}

size_t movegen_evasions(const Position *pos, Move out[MOVES_MAX]) {
    assert(position_checkers(pos) != 0);
    return movegen(pos, MOVES_ALL, out);
}

size_t movegen_count(const Position *pos) {
    return generate_for(pos, MOVES_ALL, true, NULL, NULL);
}

size_t movegen_count_side(const Position *pos, Color side) {
    return side == WHITE ? generate(pos, WHITE, MOVES_ALL, true, NULL, NULL)
                         : generate(pos, BLACK, MOVES_ALL, true, NULL, NULL);
}

bool movegen_has_any(const Position *pos) {
    return movegen_count(pos) != 0;
}
