// SPDX-License-Identifier: GPL-3.0-or-later
#include "walk.h"

#include <string.h>

static void visit_make_unmake(Position *pos, Rng *rng) {
    (void)rng;
    Position before = *pos;
    Move moves[MOVES_MAX];
    size_t count = movegen(pos, MOVES_ALL, moves);
    CheckInfo info = position_check_info(pos);
    for (size_t i = 0; i < count; i++) {
        Undo undo;
        bool check = position_gives_check(pos, moves[i]);
        assert_int_equal(check_info_gives_check(&info, pos, moves[i]), check);
        position_make(pos, moves[i], &undo);
        assert_int_equal(position_checkers(pos) != 0, check);
        position_unmake(pos, moves[i], &undo);
        assert_memory_equal(pos, &before, sizeof before);
    }
}

// 200,000 positions with all their moves: some five million moves made and taken back.
static void test_unmake_restores_every_byte(void **state) {
    (void)state;
    walk(2, 200000, visit_make_unmake);
}

static void visit_invariants(Position *pos, Rng *rng) {
    (void)rng;
    assert_true(position_is_ok(pos));
    Position mirrored, back;
    position_mirror(pos, &mirrored);
    assert_true(position_is_ok(&mirrored));
    assert_int_equal(movegen_count(&mirrored), movegen_count(pos));
    position_mirror(&mirrored, &back);
    assert_memory_equal(&back, pos, sizeof back);
    for (PieceType type = PAWN; type <= KING; type++)
        assert_int_equal(position_count(pos, BLACK, type),
                         bb_count(position_pieces(pos, BLACK, type)));
}

static void test_incremental_state_equals_refreshed(void **state) {
    (void)state;
    walk(3, 100000, visit_invariants);
}

static void visit_null(Position *pos, Rng *rng) {
    (void)rng;
    if (position_checkers(pos) != 0)
        return;
    Position before = *pos;
    Undo undo;
    position_make_null(pos, &undo);
    Position fresh = *pos;
    position_refresh(&fresh);
    assert_true(fresh.key == pos->key && pos->turn != before.turn);
    position_unmake_null(pos, &undo);
    assert_memory_equal(pos, &before, sizeof before);
}

static void test_null_move(void **state) {
    (void)state;
    walk(4, 50000, visit_null);
}

static void visit_blockers(Position *pos, Rng *rng) {
    (void)rng;
    for (Color color = WHITE; color <= BLACK; color++) {
        Color them = color_other(color);
        Square king = position_king(pos, color);
        Bitboard occupied = position_occupied(pos), blockers = 0;
        Bitboard now = position_attackers(pos, king, them, occupied);
        for (Bitboard set = occupied & ~bb_square(king); set != 0;) {
            Bitboard bit = bb_square(bb_pop(&set));
            if ((position_attackers(pos, king, them, occupied & ~bit) & ~now & ~bit) != 0)
                blockers |= bit;
        }
        assert_true(position_king_blockers(pos, color) == blockers);
    }
}

static void test_blockers_uncover_an_attack(void **state) {
    (void)state;
    walk(5, 20000, visit_blockers);
}

static uint64_t key_of(const char *fen) {
    Position pos;
    assert_int_equal(fen_parse(fen, &pos), OK);
    return pos.key;
}

// The same moves are possible, so these are the same position for repetitions.
static void test_key_ignores_en_passant_that_cannot_be_played(void **state) {
    (void)state;
    chess_init();
    assert_true(key_of("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1") ==
                key_of("4k3/8/8/8/4P3/8/8/4K3 b - - 0 1"));
    const char *pinned = "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1";
    assert_true(key_of(pinned) == key_of("8/8/8/8/k2Pp2Q/8/8/3K4 b - - 0 1"));
    const char *legal = "4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 1";
    assert_true(key_of(legal) != key_of("4k3/8/8/8/3Pp3/8/8/4K3 b - - 0 1"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unmake_restores_every_byte),
        cmocka_unit_test(test_incremental_state_equals_refreshed),
        cmocka_unit_test(test_null_move),
        cmocka_unit_test(test_blockers_uncover_an_attack),
        cmocka_unit_test(test_key_ignores_en_passant_that_cannot_be_played),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
