// SPDX-License-Identifier: GPL-3.0-or-later
// The family of GECCO 2008 Fig. 3. Its body is score_structure and score_side.
#include "eval/body.h"

enum {
#define TERM(name, ...) name,
#include "eval/maestro.def"
#undef TERM
    TERM_COUNT
};

static const Term terms[TERM_COUNT] = {
#define TERM(name, bits, low, high, start, meaning) {#name, bits, low, high, start, meaning},
#include "eval/maestro.def"
#undef TERM
};

// Files b to g, c to f, d and e.
static const Bitboard rook_columns[3] = {0x7E7E7E7E7E7E7E7E, 0x3C3C3C3C3C3C3C3C,
                                         0x1818181818181818};
#define CENTRE_FILES rook_columns[1]

// Sum over a set of how many of three nested masks each square lies in.
INLINE unsigned count_nested(Bitboard set, const Bitboard masks[3]) {
    return bb_count(set & masks[0]) + bb_count(set & masks[1]) + bb_count(set & masks[2]);
}

// --- terms of pawns alone ---

// Sum over a set of each square's steps from its own second rank.
INLINE unsigned count_steps(Bitboard pawns, Color us) {
    unsigned steps = 0;
    for (unsigned rank = 2; rank <= 6; rank++)
        steps += (rank - 1) * bb_count(pawns & bb_relative_rank(rank, us));
    return steps;
}

INLINE unsigned count_squared_ranks(Bitboard pawns, Color us) {
    unsigned sum = 0;
    for (unsigned rank = 1; rank <= 6; rank++)
        sum += rank * rank * bb_count(pawns & bb_relative_rank(rank, us));
    return sum;
}

INLINE void score_pawns(Sum *sum, const Bitboard pawns[COLOR_NB], Color us, PawnEntry *entry) {
    Bitboard own = pawns[us], span = entry->spans[us];
    Bitboard isolated = isolated_pawns(own, ~entry->free[us]);
    Bitboard backward = backward_pawns(pawns, us, span, isolated);
    Bitboard outposts = CENTRE_FILES & (bb_relative_rank(2, us) | bb_relative_rank(3, us));
    entry->passed[us] = passed_pawns(pawns, us, entry->spans[color_other(us)]);
    entry->weak_files[us] = files_of(isolated | backward);
    add(sum, us, PAWN_VALUE, bb_count(own));
    add(sum, us, PAWN_ADVANCE_A, count_steps(own & ~CENTRE_FILES, us));
    add(sum, us, PAWN_ADVANCE_B, count_steps(own & CENTRE_FILES, us));
    add(sum, us, PASSED_PAWN_MULT, count_squared_ranks(entry->passed[us], us));
    subtract(sum, us, DOUBLED_PAWN_PENALTY, bb_count(doubled_pawns(own, us)));
    subtract(sum, us, ISOLATED_PAWN_PENALTY, bb_count(isolated));
    subtract(sum, us, BACKWARD_PAWN_PENALTY, bb_count(backward));
    subtract(sum, us, WEAK_SQUARE_PENALTY, bb_count(outposts & ~span));
}

INLINE void score_structure(Sum *sum, const Position *pos, PawnEntry *entry) {
    const Bitboard pawns[COLOR_NB] = {position_pieces(pos, WHITE, PAWN),
                                      position_pieces(pos, BLACK, PAWN)};
    find_spans(pawns, entry);
    score_pawns(sum, pawns, WHITE, entry);
    score_pawns(sum, pawns, BLACK, entry);
}

// --- terms of pieces ---

// Pieces bearing on the ring around the enemy king.
typedef struct Pressure {
    Bitboard ring;
    unsigned pieces, units; // knight and bishop 1, rook 2, queen 4
} Pressure;

INLINE void press(Pressure *pressure, Bitboard attacks, unsigned units) {
    unsigned bears = (attacks & pressure->ring) != 0;
    pressure->pieces += bears;
    pressure->units += bears * units;
}

INLINE void score_passed(Sum *sum, const Position *pos, Color us, const PawnEntry *entry) {
    Square king = position_king(pos, color_other(us));
    unsigned ranks = 7 - square_relative_rank(king, us), distance = 0;
    for (Bitboard passed = entry->passed[us]; passed != 0;) {
        int files = (int)square_file(bb_pop(&passed)) - (int)square_file(king);
        unsigned across = (unsigned)(files < 0 ? -files : files);
        distance += across > ranks ? across : ranks;
    }
    add(sum, us, PASSED_PAWN_ENEMY_KING_DIST, distance);
}

INLINE void score_knights(Sum *sum, const Position *pos, Color us, const PawnEntry *entry,
                          Pressure *pressure) {
    Bitboard knights = position_pieces(pos, us, KNIGHT);
    if (knights == 0)
        return;
    Bitboard ranks = bb_relative_rank(3, us) | bb_relative_rank(4, us) | bb_relative_rank(5, us);
    Bitboard outposts = knights & ranks & ~entry->spans[color_other(us)];
    Bitboard guarded = outposts & bb_pawn_attacks(position_pieces(pos, us, PAWN), us);
    add(sum, us, KNIGHT_VALUE, bb_count(knights));
    add(sum, us, KNIGHT_SQ_MULT, count_nested(knights, board_rings));
    add(sum, us, KNIGHT_OUTPOST_MULT, bb_count(outposts) + bb_count(guarded));
    while (knights != 0)
        press(pressure, attacks_knight(bb_pop(&knights)), 1);
}

INLINE void score_bishops(Sum *sum, const Position *pos, Color us, Pressure *pressure) {
    Bitboard bishops = position_pieces(pos, us, BISHOP), occupied = position_occupied(pos);
    bool pair = (bishops & LIGHT_SQUARES) != 0 && (bishops & ~LIGHT_SQUARES) != 0;
    unsigned mobility = 0;
    add(sum, us, BISHOP_VALUE, bb_count(bishops));
    add(sum, us, BISHOP_PAIR, pair);
    while (bishops != 0) {
        Bitboard attacks = attacks_bishop(bb_pop(&bishops), occupied);
        mobility += bb_count(attacks & ~pos->colors[us]);
        press(pressure, attacks, 1);
    }
    add(sum, us, BISHOP_MOBILITY, mobility);
}

// Terms that ask only which file or rank a rook is on.
INLINE void score_rook_files(Sum *sum, const Position *pos, Color us, const PawnEntry *entry) {
    Color them = color_other(us);
    Bitboard rooks = position_pieces(pos, us, ROOK);
    if (rooks == 0)
        return;
    Square king = position_king(pos, them);
    Bitboard king_file = bb_file(square_file(king)), beside = files_beside(king_file);
    Bitboard free = entry->free[us], open = free & entry->free[them];
    unsigned attacking_beside = bb_count(rooks & beside & free);
    bool abgh = (king_file & ~CENTRE_FILES) != 0;
    bool prey = square_relative_rank(king, us) == 7 ||
                (position_pieces(pos, them, PAWN) & bb_relative_rank(6, us)) != 0;
    add(sum, us, ROOK_VALUE, bb_count(rooks));
    add(sum, us, ROOK_ATTACK_KING_FILE, bb_count(rooks & king_file & free));
    add(sum, us, ROOK_ATTACK_KING_ADJ_FILE, abgh ? 0 : attacking_beside);
    add(sum, us, ROOK_ATTACK_KING_ADJ_FILE_ABGH, abgh ? attacking_beside : 0);
    add(sum, us, ROOK_7TH_RANK, prey ? bb_count(rooks & bb_relative_rank(6, us)) : 0);
    add(sum, us, ROOK_OPEN_FILE, bb_count(rooks & open));
    add(sum, us, ROOK_SEMI_OPEN_FILE, bb_count(rooks & free & ~open));
    add(sum, us, ROOK_ATCK_WEAK_PAWN_OPEN_COLUMN,
        bb_count(rooks & free & bb_files(entry->weak_files[them])));
    add(sum, us, ROOK_COLUMN_MULT, count_nested(rooks, rook_columns));
}

// Passed pawns that have come far enough for a rook to care, of `us`.
INLINE Bitboard far_passed(const PawnEntry *entry, Color us) {
    Bitboard near = bb_relative_rank(1, us) | bb_relative_rank(2, us);
    return entry->passed[us] & ~near;
}

INLINE void score_rooks(Sum *sum, const Position *pos, Color us, const PawnEntry *entry,
                        Pressure *pressure) {
    Bitboard rooks = position_pieces(pos, us, ROOK), occupied = position_occupied(pos);
    Bitboard up = far_passed(entry, WHITE), down = far_passed(entry, BLACK);
    Bitboard reached = 0;
    unsigned mobility = 0, behind = 0;
    for (Bitboard left = rooks; left != 0;) {
        Square square = bb_pop(&left);
        Bitboard attacks = attacks_rook(square, occupied);
        Bitboard above = (FILE_A << 8) << square, below = (FILE_H >> 8) >> (63 - square);
        behind += (attacks & ((above & up) | (below & down))) != 0;
        mobility += bb_count(attacks & ~pos->colors[us]);
        reached |= attacks;
        press(pressure, attacks, 2);
    }
    add(sum, us, ROOK_CONNECTED, (reached & rooks) != 0);
    add(sum, us, ROOK_MOBILITY, mobility);
    add(sum, us, ROOK_BEHIND_PASSED_PAWN, behind);
}

INLINE void score_queens(Sum *sum, const Position *pos, Color us, Pressure *pressure) {
    Bitboard queens = position_pieces(pos, us, QUEEN);
    unsigned mobility = 0;
    add(sum, us, QUEEN_VALUE, bb_count(queens));
    while (queens != 0) {
        Bitboard attacks = attacks_queen(bb_pop(&queens), position_occupied(pos));
        mobility += bb_count(attacks & ~pos->colors[us]);
        press(pressure, attacks, 4);
    }
    add(sum, us, QUEEN_MOBILITY, mobility);
}

// --- terms of the king ---

// Kings have something to fear while the enemy has a queen and another piece.
INLINE bool is_dangerous(const Position *pos, Color us) {
    Bitboard others = pos->types[KNIGHT] | pos->types[BISHOP] | pos->types[ROOK];
    Bitboard queens = position_pieces(pos, us, QUEEN);
    return queens != 0 && ((others & pos->colors[us]) != 0 || bb_several(queens));
}

// Shelter pawns stand on the 2nd or 3rd rank, not behind the king.
INLINE void score_shelter(Sum *sum, const Position *pos, Color us, const PawnEntry *entry) {
    Bitboard pawns = position_pieces(pos, us, PAWN);
    Square king = position_king(pos, us);
    unsigned king_rank = square_relative_rank(king, us);
    Bitboard file = bb_file(square_file(king)) & RANK_1, beside = files_beside(file);
    Bitboard from_own_side = us == WHITE ? pawns : bb_flip(pawns);
    Bitboard second = king_rank <= 1 ? from_own_side >> 8 & RANK_1 : 0;
    Bitboard third = king_rank <= 2 ? from_own_side >> 16 & RANK_1 : 0;
    Bitboard bare = ~(second | third), empty_of_enemies = entry->free[color_other(us)];
    subtract(sum, us, KING_NO_FRIENDLY_PAWN, (bare & file) != 0);
    subtract(sum, us, KING_NO_FRIENDLY_PAWN_ADJ, bb_count(bare & beside));
    subtract(sum, us, KING_FRIENDLY_PAWN_ADVANCED1, bb_count((file | beside) & third & ~second));
    subtract(sum, us, KING_NO_ENEMY_PAWN, (empty_of_enemies & file) != 0);
    subtract(sum, us, KING_NO_ENEMY_PAWN_ADJ, bb_count(empty_of_enemies & beside));
}

// A lone piece is no attack; each further one makes all of them count more, up to the third.
INLINE unsigned pressure_count(const Pressure *pressure) {
    unsigned more = pressure->pieces > 3 ? 3 : pressure->pieces;
    return more == 0 ? 0 : pressure->units * (more - 1);
}

INLINE void score_side(Sum *sum, const Position *pos, Color us, const PawnEntry *entry) {
    Color them = color_other(us);
    Square king = position_king(pos, them);
    bool danger = is_dangerous(pos, us);
    Pressure pressure = {.ring = attacks_king(king) | bb_square(king)};
    score_passed(sum, pos, us, entry);
    score_knights(sum, pos, us, entry, &pressure);
    score_bishops(sum, pos, us, &pressure);
    score_rook_files(sum, pos, us, entry);
    score_rooks(sum, pos, us, entry, &pressure);
    score_queens(sum, pos, us, &pressure);
    if (danger) {
        score_shelter(sum, pos, them, entry);
        add(sum, us, KING_PRESSURE_MULT, pressure_count(&pressure));
    }
}

// --- the two instances ---

static void find_structure(const Position *pos, const int *coefficients, PawnEntry *entry) {
    Sum sum = {.coefficients = coefficients};
    score_structure(&sum, pos, entry);
    entry->key = pos->pawn_key;
    entry->score = sum.score;
}

static int score(const Position *pos, const int *coefficients, PawnCache *cache) {
    PawnEntry local;
    PawnEntry *entry = &local;
    if (cache != NULL)
        entry = pawn_cache_slot(cache, pos->pawn_key);
    if (cache == NULL || entry->key != pos->pawn_key)
        find_structure(pos, coefficients, entry);
    Sum sum = {.coefficients = coefficients, .score = entry->score};
    score_side(&sum, pos, WHITE, entry);
    score_side(&sum, pos, BLACK, entry);
    return sum.score;
}

static void trace(const Position *pos, Trace sides[COLOR_NB]) {
    PawnEntry entry;
    clear_counts(sides, TERM_COUNT);
    Sum sum = {.sides = sides};
    score_structure(&sum, pos, &entry);
    score_side(&sum, pos, WHITE, &entry);
    score_side(&sum, pos, BLACK, &entry);
}

const Family family_maestro = {
    .name = "maestro",
    .version = 1,
    .unit = 1,
    .scale = 1,
    .terms = terms,
    .term_count = TERM_COUNT,
    .coefficient_count = TERM_COUNT,
    .feature_count = TERM_COUNT,
    .score = score,
    .trace_sides = trace,
};
