// SPDX-License-Identifier: GPL-3.0-or-later
// The definitions of docs/families.md for shannon, by other ways than the fast ones.
#include "chess/movegen.h"
#include "eval/family.h"
#include "plain_board.h"
#include "walk.h"

enum {
#define TERM(name, ...) name,
#include "eval/shannon.def"
    TERM_COUNT
};

enum { PLIES = 100000 };

static void count_side(View v, int *counts) {
    for (int file = 0; file <= 7; file++)
        for (int rank = 0; rank <= 7; rank++) {
            for (PieceType type = PAWN; type <= QUEEN; type++)
                counts[PAWN_VALUE + (int)(type - PAWN)] += own(v, type, file, rank);
            counts[PAWN_NEAR_PROMOTION] += is_passed(v, file, rank) && (rank == 5 || rank == 6);
        }
    for (Square square = 0; square < SQUARE_NB; square++) {
        const unsigned file = square_file(square), rank = square_rank(square);
        if ((file == 3 || file == 4) && (rank == 3 || rank == 4))
            counts[CENTRE_CONTROL] +=
                position_attackers(v.pos, square, v.us, position_occupied(v.pos)) != 0;
    }
}

// The moves of the side that is not to move are those after a null move; the side to move must not
// be in check then.
static size_t count_moves(const Position *pos, Color side) {
    Move moves[MOVES_MAX];
    Position other = *pos;
    Undo undo;
    if (side != position_turn(pos))
        position_make_null(&other, &undo);
    return movegen(&other, MOVES_ALL, moves);
}

static void visit_counts(Position *pos, Rng *rng) {
    (void)rng;
    Trace sides[COLOR_NB];
    family_shannon.trace_sides(pos, sides);
    for (Color color = WHITE; color < COLOR_NB; color++) {
        int counts[TERM_COUNT] = {0};
        count_side((View){pos, color}, counts);
        // A king that could be taken makes the other side's moves no chess.
        counts[LEGAL_MOVE] = color == position_turn(pos) || position_checkers(pos) == 0
                                 ? (int)count_moves(pos, color)
                                 : sides[color].counts[LEGAL_MOVE];
        for (size_t i = 0; i < TERM_COUNT; i++)
            if (counts[i] != sides[color].counts[i]) {
                char fen[FEN_SIZE];
                fen_write(pos, fen);
                fail_msg("%s: %s of colour %u: %d, but plainly %d", fen,
                         family_shannon.terms[i].name, color, sides[color].counts[i], counts[i]);
            }
    }
}

static void test_counts_against_plain_ones(void **state) {
    (void)state;
    assert_int_equal(family_shannon.coefficient_count, TERM_COUNT);
    walk(21, PLIES, visit_counts);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts_against_plain_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
