// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/see.h"
#include "walk.h"

// Plays the exchange out on a board: each side may stop, or take with its least valuable piece
// (pins ignored), the first of several by square.
static int play_out(const Position *pos, Square square, Color side, Bitboard gone, int standing) {
    Bitboard occupied = position_occupied(pos) & ~gone;
    Bitboard ours = position_attackers(pos, square, side, occupied) & occupied;
    Bitboard theirs = position_attackers(pos, square, color_other(side), occupied) & occupied;
    for (PieceType type = PAWN; type <= KING; type++) {
        Bitboard set = ours & pos->types[type];
        if (set == 0)
            continue;
        if (type == KING && theirs != 0)
            return 0;
        int value = standing - play_out(pos, square, color_other(side),
                                        gone | bb_square(bb_first(set)), see_values[type]);
        return value > 0 ? value : 0;
    }
    return 0;
}

static int plain_see(const Position *pos, Move move) {
    Square from = move_from(move), to = move_to(move);
    MoveKind kind = move_kind(move);
    if (kind == MOVE_CASTLING)
        return 0;
    int gain = see_values[piece_type(pos->board[to])];
    PieceType mover = piece_type(pos->board[from]);
    Bitboard gone = bb_square(from);
    if (kind == MOVE_EN_PASSANT) {
        gain = see_values[PAWN];
        gone |= bb_square(to ^ 8);
    }
    if (kind == MOVE_PROMOTION) {
        mover = move_promotion(move);
        gain += see_values[mover] - see_values[PAWN];
    }
    // The square itself blocks nothing behind it: whoever stands there is what is taken.
    return gain - play_out(pos, to, color_other(position_turn(pos)), gone, see_values[mover]);
}

static void visit_see(Position *pos, Rng *rng) {
    Move moves[MOVES_MAX];
    size_t count = movegen(pos, MOVES_ALL, moves);
    for (size_t i = 0; i < count; i++) {
        int value = see_value(pos, moves[i]);
        assert_int_equal(value, plain_see(pos, moves[i]));
        assert_true(see_at_least(pos, moves[i], value));
        assert_false(see_at_least(pos, moves[i], value + 1));
        int threshold = (int)rng_below(rng, 2001) - 1000;
        assert_int_equal(see_at_least(pos, moves[i], threshold), value >= threshold);
    }
}

static void test_equals_playing_it_out(void **state) {
    (void)state;
    walk(10, 30000, visit_see);
}

// Where the enemy attacks neither the square a quiet move leaves nor the one it goes to, it loses
// nothing: the search relies on it to leave most exchanges uncounted.
static void visit_unattacked(Position *pos, Rng *rng) {
    (void)rng;
    Move quiets[MOVES_MAX];
    Bitboard attacked;
    const size_t count = movegen_quiet(pos, quiets, &attacked);
    for (size_t i = 0; i < count; i++) {
        const Square from = move_from(quiets[i]), to = move_to(quiets[i]);
        if (((bb_square(from) | bb_square(to)) & attacked) == 0)
            assert_true(see_at_least(pos, quiets[i], 0));
        const Bitboard without_king =
            position_occupied(pos) ^ bb_square(position_king(pos, position_turn(pos)));
        const Bitboard attackers =
            position_attackers(pos, to, color_other(position_turn(pos)), without_king);
        if (attacked != ~0ULL)
            assert_int_equal((attacked & bb_square(to)) != 0, attackers != 0);
    }
}

static void test_unattacked_moves_lose_nothing(void **state) {
    (void)state;
    walk(11, 30000, visit_unattacked);
}

static int see_of(const char *fen, const char *move) {
    Position pos;
    assert_int_equal(fen_parse(fen, &pos), OK);
    Move found = move_from_uci(&pos, move, 4);
    assert_int_not_equal(found, MOVE_NONE);
    return see_value(&pos, found);
}

static void test_examples(void **state) {
    (void)state;
    chess_init();
    assert_int_equal(see_of("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5"), 100);
    assert_int_equal(see_of("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5"),
                     -225);
    assert_int_equal(see_of("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6"), 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equals_playing_it_out),
        cmocka_unit_test(test_unattacked_moves_lose_nothing),
        cmocka_unit_test(test_examples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
