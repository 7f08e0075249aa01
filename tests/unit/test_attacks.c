// SPDX-License-Identifier: GPL-3.0-or-later
#include "walk.h"

// Steps square by square: nothing clever to get wrong.
static Bitboard step_rays(Square square, Bitboard occupied, const int steps[4][2]) {
    Bitboard set = 0;
    for (int i = 0; i < 4; i++) {
        int file = (int)square_file(square) + steps[i][0];
        int rank = (int)square_rank(square) + steps[i][1];
        for (; file >= 0 && file < 8 && rank >= 0 && rank < 8;
             file += steps[i][0], rank += steps[i][1]) {
            Square s = square_make((unsigned)file, (unsigned)rank);
            set |= bb_square(s);
            if (bb_has(occupied, s))
                break;
        }
    }
    return set;
}

static const int diagonals[4][2] = {{1, 1}, {1, -1}, {-1, 1}, {-1, -1}};
static const int straights[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};

static void test_sliders_equal_stepping(void **state) {
    (void)state;
    chess_init();
    Rng rng = rng_at(1, 0, 0, 0);
    for (int i = 0; i < 100000; i++) {
        Bitboard occupied = rng_u64(&rng) & (i % 2 == 0 ? ~0ULL : rng_u64(&rng));
        Square s = (Square)rng_below(&rng, SQUARE_NB);
        Bitboard bishop = step_rays(s, occupied, diagonals),
                 rook = step_rays(s, occupied, straights);
        assert_true(attacks_bishop(s, occupied) == bishop);
        assert_true(attacks_bishop_plain(s, occupied) == bishop);
        assert_true(attacks_rook(s, occupied) == rook);
        assert_true(attacks_rook_plain(s, occupied) == rook);
        assert_true(attacks_queen(s, occupied) == (bishop | rook));
    }
}

static void test_lines_join_squares(void **state) {
    (void)state;
    chess_init();
    for (Square a = 0; a < SQUARE_NB; a++)
        for (Square b = 0; b < SQUARE_NB; b++) {
            Bitboard line = squares_line(a, b), between = squares_between(a, b);
            bool aligned = a != b && bb_has(attacks_queen(a, 0), b);
            assert_int_equal(line != 0, aligned);
            assert_true((between & ~line) == 0);
            assert_true(between == squares_between(b, a) && line == squares_line(b, a));
            if (aligned)
                assert_true(bb_has(attacks_queen(a, ~between & ~bb_square(a)), b));
        }
}

static void test_leapers(void **state) {
    (void)state;
    chess_init();
    assert_true(attacks_knight(A1) == (bb_square(10) | bb_square(17)));
    assert_int_equal(bb_count(attacks_knight(28)), 8);
    assert_int_equal(bb_count(attacks_king(A1)), 3);
    assert_int_equal(bb_count(attacks_king(28)), 8);
    assert_true(attacks_pawn(E1 + 8, WHITE) == (bb_square(19) | bb_square(21)));
    assert_true(attacks_pawn(A8 - 8, BLACK) == bb_square(41));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sliders_equal_stepping),
        cmocka_unit_test(test_lines_join_squares),
        cmocka_unit_test(test_leapers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
