// SPDX-License-Identifier: GPL-3.0-or-later
// The definitions of docs/families.md, square by square and in no hurry, against the fast ones; and
// the products against plain arithmetic.
#include "eval/family.h"
#include "plain_board.h"
#include "walk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
#define TERM(name, ...)          name,
#define MATERIAL_TERM(name, ...) name, name##_BISHOP, name##_ROOK, name##_QUEEN,
#include "eval/vazquez.def"
    COEFFICIENT_COUNT
};

enum { PLIES = 150000 };

static Square square_of(View v, int file, int rank) {
    return square_make((unsigned)file, (unsigned)(v.us == WHITE ? rank : 7 - rank));
}
static bool is_on_board(int file, int rank) {
    return file >= 0 && file <= 7 && rank >= 0 && rank <= 7;
}
static bool is_empty(View v, int file, int rank) {
    return is_on_board(file, rank) && v.pos->board[square_of(v, file, rank)] == PIECE_NONE;
}
static bool has_color(View v, Color color, int file, int rank) {
    if (!is_on_board(file, rank) || is_empty(v, file, rank))
        return false;
    return piece_color(v.pos->board[square_of(v, file, rank)]) == color;
}

// --- pawns ---

static void count_pawn(View v, int file, int rank, int *counts) {
    int king_file, king_rank;
    find_king(v, &king_file, &king_rank);
    counts[PAWN_VALUE]++;
    counts[PAWN_DOUBLED_PENALTY_VALUE] += pawn_on(v, file, rank + 1, 7);
    counts[PAWN_ISOLATED_PENALTY_VALUE] += is_isolated(v, file, rank);
    counts[PAWN_BACKWARD_PENALTY_VALUE] += is_backward(v, file, rank);
    counts[PAWN_PASSED] += is_passed(v, file, rank);
    counts[PAWN_CENTRAL] += (file == 3 || file == 4) && (rank == 3 || rank == 4);
    counts[KING_PAWNS] += max(abs(king_file - file), abs(king_rank - rank)) == 1;
}

static int moves_of_pawn(View v, int file, int rank) {
    Color them = color_other(v.us);
    int moves = is_empty(v, file, rank + 1);
    moves += rank == 1 && is_empty(v, file, 2) && is_empty(v, file, 3);
    return moves + has_color(v, them, file - 1, rank + 1) + has_color(v, them, file + 1, rank + 1);
}

// --- pieces ---

static void count_knight(View v, int file, int rank, int *counts) {
    counts[KNIGHT_SUPPORTED] +=
        own(v, PAWN, file - 1, rank - 1) || own(v, PAWN, file + 1, rank - 1);
    counts[KNIGHT_OPERATIONS_BASE] += !may_guard(other_side(v), file, 7 - rank);
    counts[KNIGHT_PERIPHERY_0 + min(from_edge(file), from_edge(rank))]++;
}

// Marks the pawn of its own that a bishop meets first on each of its two ways forward.
static void mark_pawns_ahead(View v, int file, int rank, bool marks[8][8]) {
    for (int side = -1; side <= 1; side += 2)
        for (int step = 1; step <= 7; step++) {
            int f = file + side * step, r = rank + step;
            if (is_on_board(f, r) && own(v, PAWN, f, r))
                marks[f][r] = true;
            if (!is_empty(v, f, r))
                break;
        }
}

static void count_rook(View v, int file, int rank, int *counts) {
    bool ours = pawn_on(v, file, 0, 7), theirs = enemy_pawn_on(v, file, 0, 7);
    bool is_behind = pawn_on(v, file, rank + 1, 7);
    counts[ROOK_OPEN_COLUMN] += !ours && !theirs;
    counts[ROOK_SEMIOPEN_COLUMN] += !ours && theirs;
    counts[ROOK_CLOSED_COLUMN_BEHIND] += ours && theirs && is_behind;
    counts[ROOK_CLOSED_COLUMN_AHEAD] += ours && theirs && !is_behind;
    counts[ROOK_SEVEN_RANK] += rank == 6;
}

static bool bears_on(View v, Bitboard attacks, Color whose) {
    Square king = position_king(v.pos, whose);
    for (Square to = 0; to < SQUARE_NB; to++) {
        int across = abs((int)square_file(to) - (int)square_file(king));
        int along = abs((int)square_rank(to) - (int)square_rank(king));
        if (bb_has(attacks, to) && max(across, along) <= 1)
            return true;
    }
    return false;
}

// Terms of all pieces: values, mobility, and who bears on which king.
static void count_reach(View v, Square square, PieceType type, int *own_counts, int *enemy_counts) {
    const unsigned kind = (unsigned)(type - KNIGHT);
    Bitboard attacks = attacks_of(type, square, position_occupied(v.pos));
    own_counts[KNIGHT_VALUE + kind]++;
    for (Square to = 0; to < SQUARE_NB; to++)
        own_counts[KNIGHT_MOBILITY + kind] +=
            bb_has(attacks, to) && !bb_has(v.pos->colors[v.us], to);
    own_counts[KING_DEFENDING_MATERIAL + kind] += bears_on(v, attacks, v.us);
    enemy_counts[KING_ATTACKING_MATERIAL + kind] += bears_on(v, attacks, color_other(v.us));
}

// --- kings ---

// Whether the king could stand on a square: what it takes there is gone, and so is it from home.
static bool may_step(View v, Square to) {
    Bitboard occupied = (position_occupied(v.pos) ^ bb_square(position_king(v.pos, v.us)));
    Bitboard enemies = v.pos->colors[color_other(v.us)] & ~bb_square(to);
    if (bb_has(v.pos->colors[v.us], to))
        return false;
    return (position_all_attackers(v.pos, to, occupied | bb_square(to)) & enemies) == 0;
}

static void count_king(View v, int file, int rank, int *counts) {
    bool castled = rank == 0 && (file < 3 || file > 5);
    for (int f = file < 4 ? 0 : 7; f != file; f += file < 4 ? 1 : -1)
        castled = castled && !own(v, ROOK, f, 0);
    counts[KING_CASTLING] = castled;
    for (int f = max(file - 1, 0); f <= min(file + 1, 7); f++)
        for (int r = max(rank - 1, 0); r <= min(rank + 1, 7); r++)
            counts[KING_MOBILITY] += (f != file || r != rank) && may_step(v, square_of(v, f, r));
}

// --- all of it ---

static void count_man(View v, Square square, int *own_counts, int *enemy_counts, bool ahead[8][8]) {
    int file = (int)square_file(square), rank = (int)square_relative_rank(square, v.us);
    PieceType type = piece_type(v.pos->board[square]);
    if (type == PAWN)
        count_pawn(v, file, rank, own_counts);
    else if (type == KING)
        count_king(v, file, rank, own_counts);
    else
        count_reach(v, square, type, own_counts, enemy_counts);
    if (type == KNIGHT)
        count_knight(v, file, rank, own_counts);
    if (type == ROOK)
        count_rook(v, file, rank, own_counts);
    if (type == BISHOP)
        mark_pawns_ahead(v, file, rank, ahead);
}

static void count_side(View v, int *own_counts, int *enemy_counts) {
    bool ahead[8][8] = {{false}}, colors[2] = {false, false};
    for (Square square = 0; square < SQUARE_NB; square++) {
        Piece piece = v.pos->board[square];
        if (piece == PIECE_NONE || piece_color(piece) != v.us)
            continue;
        if (piece_type(piece) == BISHOP)
            colors[(square_file(square) + square_rank(square)) % 2] = true;
        count_man(v, square, own_counts, enemy_counts, ahead);
    }
    own_counts[BISHOP_PAIR] = colors[0] && colors[1];
    for (int file = 0; file <= 7; file++)
        for (int rank = 0; rank <= 7; rank++)
            if (ahead[file][rank]) {
                own_counts[BISHOP_AHEAD]++;
                own_counts[BISHOP_PAWNS_MOBILITY] += moves_of_pawn(v, file, rank);
            }
}

static void visit_counts(Position *pos, Rng *rng) {
    (void)rng;
    const Family *family = &family_vazquez;
    Trace sides[COLOR_NB];
    int counts[COLOR_NB][COEFFICIENT_COUNT] = {{0}};
    family->trace_sides(pos, sides);
    count_side((View){pos, WHITE}, counts[WHITE], counts[BLACK]);
    count_side((View){pos, BLACK}, counts[BLACK], counts[WHITE]);
    for (Color color = WHITE; color < COLOR_NB; color++)
        for (size_t i = 0; i < COEFFICIENT_COUNT; i++)
            if (counts[color][i] != sides[color].counts[i]) {
                char fen[FEN_SIZE];
                fen_write(pos, fen);
                fail_msg("%s: %s of colour %u: %d, but plainly %d", fen,
                         family_coefficient_name(family, i), color, sides[color].counts[i],
                         counts[color][i]);
            }
    // The king's squares are its legal moves, castling apart, where it is to move.
    Move moves[MOVES_MAX];
    size_t count = movegen(pos, MOVES_ALL, moves);
    int steps = 0;
    for (size_t i = 0; i < count; i++)
        steps += pos->board[move_from(moves[i])] == piece_make(position_turn(pos), KING) &&
                 move_kind(moves[i]) == MOVE_NORMAL;
    assert_int_equal(sides[position_turn(pos)].counts[KING_MOBILITY], steps);
}

static void test_counts_against_plain_ones(void **state) {
    (void)state;
    assert_int_equal(family_vazquez.coefficient_count, COEFFICIENT_COUNT);
    walk(12, PLIES, visit_counts);
}

// A product is weight x value / 1000, in centipawns, to the nearest tenth.
static void test_products(void **state) {
    (void)state;
    Rng rng = rng_at(9, 0, 0, 0);
    const Family *family = &family_vazquez;
    const int attacking = family_find_term(family, "KING_ATTACKING_MATERIAL"),
              knight = family_find_term(family, "KNIGHT_VALUE");
    for (int round = 0; round < 20000; round++) {
        int parameters[TERMS_MAX], coefficients[COEFFICIENTS_MAX];
        family_randomize(family, &rng, parameters);
        family_expand(family, parameters, coefficients);
        for (int kind = 0; kind < 4; kind++)
            for (int weight = 0; weight < 2; weight++) {
                const double product = parameters[attacking + weight] / 10.0 *
                                       (parameters[knight + kind] / 10.0) / 1000;
                const int coefficient =
                    coefficients[(weight == 0 ? KING_ATTACKING_MATERIAL : KING_DEFENDING_MATERIAL) +
                                 kind];
                assert_true(fabs(coefficient / 10.0 - product) < 0.05 + 1e-9);
            }
    }
}

// Halves go away from zero: 50 x 201 / 1000 is 10.05.
static void test_rounding_of_products(void **state) {
    (void)state;
    const Family *family = &family_vazquez;
    int parameters[TERMS_MAX] = {0}, coefficients[COEFFICIENTS_MAX];
    parameters[family_find_term(family, "KNIGHT_VALUE")] = 2010;
    parameters[family_find_term(family, "KING_ATTACKING_MATERIAL")] = -500;
    parameters[family_find_term(family, "KING_DEFENDING_MATERIAL")] = 500;
    family_expand(family, parameters, coefficients);
    assert_int_equal(coefficients[KING_ATTACKING_MATERIAL], -101);
    assert_int_equal(coefficients[KING_DEFENDING_MATERIAL], 101);
    assert_string_equal(family_coefficient_name(family, KING_DEFENDING_MATERIAL_ROOK),
                        "KING_DEFENDING_MATERIAL_ROOK");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts_against_plain_ones),
        cmocka_unit_test(test_products),
        cmocka_unit_test(test_rounding_of_products),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
