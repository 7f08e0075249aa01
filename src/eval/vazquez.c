// SPDX-License-Identifier: GPL-3.0-or-later
// The family of Applied Soft Computing 2013, Table 1, in tenths of a centipawn. Its body is
// score_structure, for what pawns alone decide, and score_position.
#include "eval/body.h"

#include <assert.h>
#include <string.h>

enum { UNIT = 10, THOUSAND = 1000 * UNIT, SMALL_TERMS = 24 };

// The parameters: rows of the table.
enum {
#define TERM(name, ...) PARAMETER_##name,
#include "eval/vazquez.def"
    TERM_COUNT
};

// The coefficients: a term of material has one for each kind of piece.
enum {
#define TERM(name, ...)          name,
#define MATERIAL_TERM(name, ...) name##_KNIGHT, name##_BISHOP, name##_ROOK, name##_QUEEN,
#include "eval/vazquez.def"
    COEFFICIENT_COUNT
};

static const Term terms[TERM_COUNT] = {
#define TERM(name, low, high, start, meaning)                                                      \
    {#name, 0, (low)*UNIT, (high)*UNIT, (start)*UNIT, meaning},
#include "eval/vazquez.def"
};

static const char *const coefficient_names[COEFFICIENT_COUNT] = {
#define TERM(name, ...)          #name,
#define MATERIAL_TERM(name, ...) #name "_KNIGHT", #name "_BISHOP", #name "_ROOK", #name "_QUEEN",
#include "eval/vazquez.def"
};

#define CENTRE board_rings[2]

// What one side's pieces reach, as far as kings mind.
typedef struct Reach {
    Bitboard own_zone, enemy_zone; // the kings' squares and those next to them
    Bitboard attacked;             // by this side, seen through the enemy king
    Bitboard in_the_way;           // pawns of this side that its bishops meet ahead of them
} Reach;

// --- pawns ---

INLINE void score_pawns(Sum *sum, const Bitboard pawns[COLOR_NB], Color us,
                        const PawnEntry *entry) {
    Bitboard own = pawns[us], isolated = isolated_pawns(own, ~entry->free[us]);
    Bitboard backward = backward_pawns(pawns, us, entry->spans[us], isolated);
    add(sum, us, PAWN_VALUE, bb_count(own));
    add(sum, us, PAWN_DOUBLED_PENALTY_VALUE, bb_count(doubled_pawns(own, us)));
    add(sum, us, PAWN_ISOLATED_PENALTY_VALUE, bb_count(isolated));
    add(sum, us, PAWN_BACKWARD_PENALTY_VALUE, bb_count(backward));
    add(sum, us, PAWN_PASSED, bb_count(passed_pawns(pawns, us, entry->spans[color_other(us)])));
    add(sum, us, PAWN_CENTRAL, bb_count(own & CENTRE));
}

INLINE void score_structure(Sum *sum, const Position *pos, PawnEntry *entry) {
    const Bitboard pawns[COLOR_NB] = {position_pieces(pos, WHITE, PAWN),
                                      position_pieces(pos, BLACK, PAWN)};
    find_spans(pawns, entry);
    score_pawns(sum, pawns, WHITE, entry);
    score_pawns(sum, pawns, BLACK, entry);
}

// --- pieces ---

// Squares that are nearer to the enemy's side than `square`.
INLINE Bitboard ranks_ahead(Square square, Color us) {
    unsigned rank = square_rank(square);
    return us == WHITE ? ~0ULL << 8 * rank << 8 : ~(~0ULL << 8 * rank);
}

// Terms that every kind of piece has, from KNIGHT to QUEEN.
INLINE void score_reach(Sum *sum, const Position *pos, Color us, PieceType type, Reach *reach) {
    Color them = color_other(us);
    Bitboard pieces = position_pieces(pos, us, type), occupied = position_occupied(pos);
    Bitboard enemy_king = position_pieces(pos, them, KING);
    const unsigned kind = (unsigned)(type - KNIGHT);
    unsigned mobility = 0, attackers = 0, defenders = 0;
    add(sum, us, KNIGHT_VALUE + kind, bb_count(pieces));
    while (pieces != 0) {
        Square from = bb_pop(&pieces);
        Bitboard attacks = attacks_of(type, from, occupied);
        mobility += bb_count(attacks & ~pos->colors[us]);
        attackers += (attacks & reach->enemy_zone) != 0;
        defenders += (attacks & reach->own_zone) != 0;
        reach->attacked |= attacks;
        if (type == BISHOP)
            reach->in_the_way |= attacks & ranks_ahead(from, us) & position_pieces(pos, us, PAWN);
        // A king in check may not step back along the line.
        if ((attacks & enemy_king) != 0)
            reach->attacked |= attacks_of(type, from, occupied ^ enemy_king);
    }
    add(sum, us, KNIGHT_MOBILITY + kind, mobility);
    add(sum, them, KING_ATTACKING_MATERIAL_KNIGHT + kind, attackers);
    add(sum, us, KING_DEFENDING_MATERIAL_KNIGHT + kind, defenders);
}

INLINE void score_knights(Sum *sum, Bitboard knights, Color us, Bitboard guarded,
                          Bitboard enemy_span) {
    add(sum, us, KNIGHT_SUPPORTED, bb_count(knights & guarded));
    add(sum, us, KNIGHT_OPERATIONS_BASE, bb_count(knights & ~enemy_span));
    add(sum, us, KNIGHT_PERIPHERY_0, bb_count(knights & ~board_rings[0]));
    add(sum, us, KNIGHT_PERIPHERY_1, bb_count(knights & board_rings[0] & ~board_rings[1]));
    add(sum, us, KNIGHT_PERIPHERY_2, bb_count(knights & board_rings[1] & ~board_rings[2]));
    add(sum, us, KNIGHT_PERIPHERY_3, bb_count(knights & board_rings[2]));
}

// En passant is left out: positions of one key must have one score.
INLINE unsigned count_pawn_moves(const Position *pos, Bitboard pawns, Color us) {
    Bitboard empty = ~position_occupied(pos), enemies = pos->colors[color_other(us)];
    Bitboard single = bb_forward(pawns, us) & empty;
    Bitboard twice = bb_forward(single & bb_relative_rank(2, us), us) & empty;
    return bb_count(single) + bb_count(twice) + bb_count(bb_pawn_west(pawns, us) & enemies) +
           bb_count(bb_pawn_east(pawns, us) & enemies);
}

INLINE void score_bishops(Sum *sum, const Position *pos, Color us, Bitboard in_the_way) {
    Bitboard bishops = position_pieces(pos, us, BISHOP);
    bool pair = (bishops & LIGHT_SQUARES) != 0 && (bishops & ~LIGHT_SQUARES) != 0;
    add(sum, us, BISHOP_PAIR, pair);
    add(sum, us, BISHOP_AHEAD, bb_count(in_the_way));
    add(sum, us, BISHOP_PAWNS_MOBILITY, count_pawn_moves(pos, in_the_way, us));
}

INLINE void score_rooks(Sum *sum, const Position *pos, Color us, const PawnEntry *entry) {
    Bitboard rooks = position_pieces(pos, us, ROOK);
    if (rooks == 0)
        return;
    Color them = color_other(us);
    Bitboard own = ~entry->free[us], enemy = ~entry->free[them];
    Bitboard closed = rooks & own & enemy;
    Bitboard behind = bb_forward(fill_forward(position_pieces(pos, us, PAWN), them), them);
    add(sum, us, ROOK_OPEN_COLUMN, bb_count(rooks & ~own & ~enemy));
    add(sum, us, ROOK_SEMIOPEN_COLUMN, bb_count(rooks & ~own & enemy));
    add(sum, us, ROOK_CLOSED_COLUMN_BEHIND, bb_count(closed & behind));
    add(sum, us, ROOK_CLOSED_COLUMN_AHEAD, bb_count(closed & ~behind));
    add(sum, us, ROOK_SEVEN_RANK, bb_count(rooks & bb_relative_rank(6, us)));
}

// --- the king ---

// From the board alone. Whoever has the right to castle has the king on its first square.
INLINE bool is_castled(Square king, Bitboard rooks, Color us) {
    Bitboard square = bb_square(king), rank = bb_relative_rank(0, us);
    const Bitboard short_side = 0xC0C0C0C0C0C0C0C0 & rank, long_side = 0x0707070707070707 & rank;
    Bitboard outside =
        (square & short_side) != 0 ? short_side & ~((square << 1) - 1) : long_side & (square - 1);
    return (square & (short_side | long_side)) != 0 && (rooks & outside) == 0;
}

INLINE void score_king(Sum *sum, const Position *pos, Color us, Bitboard attacked) {
    Square king = position_king(pos, us);
    Bitboard beside = attacks_king(king);
    add(sum, us, KING_MOBILITY, bb_count(beside & ~pos->colors[us] & ~attacked));
    add(sum, us, KING_CASTLING, is_castled(king, position_pieces(pos, us, ROOK), us));
    add(sum, us, KING_PAWNS, bb_count(beside & position_pieces(pos, us, PAWN)));
}

// Squares that one side attacks.
INLINE Bitboard score_pieces(Sum *sum, const Position *pos, Color us, Bitboard guarded) {
    Square own_king = position_king(pos, us), enemy_king = position_king(pos, color_other(us));
    Reach reach = {.own_zone = attacks_king(own_king) | bb_square(own_king),
                   .enemy_zone = attacks_king(enemy_king) | bb_square(enemy_king),
                   .attacked = guarded | attacks_king(own_king)};
    score_reach(sum, pos, us, KNIGHT, &reach);
    score_reach(sum, pos, us, BISHOP, &reach);
    score_reach(sum, pos, us, ROOK, &reach);
    score_reach(sum, pos, us, QUEEN, &reach);
    score_bishops(sum, pos, us, reach.in_the_way);
    return reach.attacked;
}

INLINE Bitboard score_side(Sum *sum, const Position *pos, Color us, const PawnEntry *entry) {
    Bitboard guarded = bb_pawn_attacks(position_pieces(pos, us, PAWN), us);
    score_knights(sum, position_pieces(pos, us, KNIGHT), us, guarded,
                  entry->spans[color_other(us)]);
    score_rooks(sum, pos, us, entry);
    return score_pieces(sum, pos, us, guarded);
}

INLINE void score_position(Sum *sum, const Position *pos, const PawnEntry *entry) {
    Bitboard by_white = score_side(sum, pos, WHITE, entry);
    Bitboard by_black = score_side(sum, pos, BLACK, entry);
    score_king(sum, pos, WHITE, by_black);
    score_king(sum, pos, BLACK, by_white);
}

// --- the two instances ---

// A weight times the value of each kind of piece, over 1000 centipawns, to the nearest unit; halves
// away from zero. By 100, which version 1 had, Table 1's own player would give up 625 centipawns
// for a queen beside its king.
static void expand_material(const int *parameters, int weight, int *coefficients) {
    for (int kind = 0; kind < 4; kind++) {
        int product = weight * parameters[PARAMETER_KNIGHT_VALUE + kind];
        int half = product < 0 ? -THOUSAND / 2 : THOUSAND / 2;
        coefficients[kind] = (product + half) / THOUSAND;
    }
}

static void expand(const int *parameters, int *coefficients) {
#define TERM(name, ...) coefficients[name] = parameters[PARAMETER_##name];
#define MATERIAL_TERM(name, ...)                                                                   \
    expand_material(parameters, parameters[PARAMETER_##name], coefficients + name##_KNIGHT);
#include "eval/vazquez.def"
}

static void find_structure(const Position *pos, const int *coefficients, PawnEntry *entry) {
    Sum sum = {.coefficients = coefficients};
    score_structure(&sum, pos, entry);
    entry->key = pos->pawn_key;
    entry->score = sum.score;
}

static int score(const Position *pos, const int *coefficients, PawnCache *cache) {
    PawnEntry local;
    PawnEntry *entry = cache == NULL ? &local : pawn_cache_slot(cache, pos->pawn_key);
    if (cache == NULL || entry->key != pos->pawn_key)
        find_structure(pos, coefficients, entry);
    Sum sum = {.coefficients = coefficients, .score = entry->score};
    score_position(&sum, pos, entry);
    return sum.score;
}

static void trace(const Position *pos, Trace sides[COLOR_NB]) {
    clear_counts(sides, COEFFICIENT_COUNT);
    PawnEntry entry;
    Sum sum = {.sides = sides};
    score_structure(&sum, pos, &entry);
    score_position(&sum, pos, &entry);
}

static_assert(PARAMETER_QUEEN_MOBILITY + 1 == SMALL_TERMS, "the small variant ends with mobility");

const Family family_vazquez = {
    .name = "vazquez",
    .version = 2,
    .unit = UNIT,
    .scale = UNIT,
    .terms = terms,
    .term_count = TERM_COUNT,
    .variants = (const Variant[]){{"vazquez-24", SMALL_TERMS}, {NULL, 0}},
    .rescaled = (const Rescaled[]){{2, PARAMETER_KING_ATTACKING_MATERIAL, 10},
                                   {2, PARAMETER_KING_DEFENDING_MATERIAL, 10},
                                   {0, 0, 0}},
    .coefficient_count = COEFFICIENT_COUNT,
    .feature_count = COEFFICIENT_COUNT,
    .coefficient_names = coefficient_names,
    .expand = expand,
    .score = score,
    .trace_sides = trace,
};
