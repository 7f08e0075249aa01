// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/perft.h"
#include "chess/phase.h"
#include "walk.h"

#include <stdlib.h>
#include <string.h>

static int compare_moves(const void *a, const void *b) {
    return (int)*(const Move *)a - (int)*(const Move *)b;
}

// Every one of the 65,536 bit patterns is legal exactly when the generator lists it.
static void visit_all_patterns(Position *pos, Rng *rng) {
    (void)rng;
    Move listed[MOVES_MAX];
    size_t count = movegen(pos, MOVES_ALL, listed), found = 0;
    qsort(listed, count, sizeof listed[0], compare_moves);
    for (uint32_t bits = 0; bits <= UINT16_MAX; bits++)
        if (move_is_legal(pos, (Move)bits)) {
            assert_true(found < count);
            assert_int_equal(listed[found], bits);
            found++;
        }
    assert_int_equal(found, count);
}

static void test_legality_equals_generation(void **state) {
    (void)state;
    walk(6, 1500, visit_all_patterns);
}

static void visit_sets(Position *pos, Rng *rng) {
    (void)rng;
    Move all[MOVES_MAX], parts[MOVES_MAX];
    size_t count = movegen(pos, MOVES_ALL, all);
    size_t noisy = movegen(pos, MOVES_NOISY, parts);
    size_t total = noisy + movegen(pos, MOVES_QUIET, parts + noisy);
    assert_int_equal(total, count);
    assert_int_equal(movegen_count(pos), count);
    assert_int_equal(movegen_has_any(pos), count > 0);
    for (size_t i = 0; i < total; i++) {
        bool is_noisy = move_is_capture(pos, parts[i]) || move_kind(parts[i]) == MOVE_PROMOTION;
        assert_int_equal(is_noisy, i < noisy);
    }
    qsort(all, count, sizeof all[0], compare_moves);
    qsort(parts, count, sizeof parts[0], compare_moves);
    assert_memory_equal(all, parts, count * sizeof all[0]);
    if (position_checkers(pos) != 0)
        assert_int_equal(movegen_evasions(pos, parts), count);
}

static void test_sets_partition_the_moves(void **state) {
    (void)state;
    walk(7, 100000, visit_sets);
}

static void visit_quiet_checks(Position *pos, Rng *rng) {
    (void)rng;
    if (position_checkers(pos) != 0)
        return;
    Move quiet[MOVES_MAX], found[MOVES_MAX];
    CheckInfo info = position_check_info(pos);
    size_t count = movegen(pos, MOVES_QUIET, quiet), checks = 0;
    for (size_t i = 0; i < count; i++)
        if (move_kind(quiet[i]) != MOVE_CASTLING && position_gives_check(pos, quiet[i]))
            quiet[checks++] = quiet[i];
    assert_int_equal(movegen_quiet_checks(pos, &info, found), checks);
    qsort(quiet, checks, sizeof quiet[0], compare_moves);
    qsort(found, checks, sizeof found[0], compare_moves);
    assert_memory_equal(quiet, found, checks * sizeof found[0]);
}

static void test_quiet_checks_are_the_quiet_moves_that_check(void **state) {
    (void)state;
    walk(11, 100000, visit_quiet_checks);
}

static void visit_uci(Position *pos, Rng *rng) {
    (void)rng;
    Move moves[MOVES_MAX];
    size_t count = movegen(pos, MOVES_ALL, moves);
    for (size_t i = 0; i < count; i++) {
        char text[UCI_MOVE_SIZE];
        move_to_uci(pos, moves[i], text);
        assert_int_equal(move_from_uci(pos, text, strlen(text)), moves[i]);
    }
}

static void test_uci_round_trip(void **state) {
    (void)state;
    walk(8, 20000, visit_uci);
}

static void test_uci_oddities(void **state) {
    (void)state;
    chess_init();
    Position pos;
    assert_int_equal(fen_parse("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", &pos), OK);
    assert_int_equal(move_from_uci(&pos, "e1h1", 4), move_from_uci(&pos, "e1g1", 4));
    assert_int_equal(move_from_uci(&pos, "e1a1", 4), move_from_uci(&pos, "e1c1", 4));
    const char *bad[] = {"",     "e1",    "e1e9",  "i1e1",   "e1e3",
                         "e8g8", "a1a8q", "e1g1q", "e1g1xx", "0000"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_int_equal(move_from_uci(&pos, bad[i], strlen(bad[i])), MOVE_NONE);
}

static void test_perft_small(void **state) {
    (void)state;
    chess_init();
    Position pos;
    position_set_start(&pos);
    assert_int_equal(perft(&pos, 0), 1);
    assert_int_equal(perft(&pos, 1), 20);
    assert_int_equal(perft(&pos, 4), 197281);
    assert_int_equal(fen_parse(walk_starts[1], &pos), OK);
    assert_int_equal(perft(&pos, 3), 97862);
    // The most moves a position with real material can have.
    assert_int_equal(fen_parse("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1", &pos), OK);
    assert_int_equal(movegen_count(&pos), 218);
}

static void test_mate_in_one(void **state) {
    (void)state;
    static const struct {
        const char *fen;
        bool is_there;
    } cases[] = {
        {"7k/8/6K1/8/8/8/8/R7 w - - 0 1", true},      {"6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1", true},
        {"6k1/5pp1/8/8/8/8/8/K3R3 w - - 0 1", false}, // the king goes to h7
        {"k7/2Q5/8/8/8/8/8/K7 w - - 0 1", false},     // stalemate is no mate
        {"6k1/4Pppp/8/8/8/8/8/K7 w - - 0 1", true},   // by promotion
        {"k7/8/1K6/8/8/8/8/7R b - - 0 1", false},     // the other side's
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Position pos;
        assert_int_equal(fen_parse(cases[i].fen, &pos), OK);
        assert_int_equal(position_has_mate_in_one(&pos), cases[i].is_there);
    }
}

// By trying every move, the plain way.
static void visit_mates(Position *pos, Rng *rng) {
    (void)rng;
    Move moves[MOVES_MAX];
    const size_t count = movegen(pos, MOVES_ALL, moves);
    bool is_there = false;
    for (size_t i = 0; i < count && !is_there; i++) {
        Undo undo;
        position_make(pos, moves[i], &undo);
        is_there = position_checkers(pos) != 0 && !movegen_has_any(pos);
        position_unmake(pos, moves[i], &undo);
    }
    assert_int_equal(position_has_mate_in_one(pos), is_there);
}

static void test_mates_are_those_that_trying_finds(void **state) {
    (void)state;
    walk(8, 20000, visit_mates);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_legality_equals_generation),
        cmocka_unit_test(test_sets_partition_the_moves),
        cmocka_unit_test(test_quiet_checks_are_the_quiet_moves_that_check),
        cmocka_unit_test(test_uci_round_trip),
        cmocka_unit_test(test_uci_oddities),
        cmocka_unit_test(test_perft_small),
        cmocka_unit_test(test_mate_in_one),
        cmocka_unit_test(test_mates_are_those_that_trying_finds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
