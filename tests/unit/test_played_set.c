// SPDX-License-Identifier: GPL-3.0-or-later
// Positions that two sets of moves have in common.
#include "foresting.h"

enum { ROUNDS = 30 };

// A set of items taken from the pool of `foresting.h`, some of them several times.
static PlayedSet draw_set(Rng *rng, size_t count) {
    PlayedSet drawn = {.items = mem_alloc(count * sizeof *drawn.items), .count = count};
    for (size_t i = 0; i < count; i++)
        drawn.items[i] = set.items[rng_below(rng, (uint32_t)set.count)];
    drawn.totals = (PlayedTotals){.lines = count, .used = count};
    return drawn;
}

static bool occurs_in(const PlayedItem *item, const PlayedSet *other) {
    for (size_t i = 0; i < other->count; i++)
        if (memcmp(item->pos.board, other->items[i].pos.board, sizeof item->pos.board) == 0 &&
            item->pos.key == other->items[i].pos.key)
            return true;
    return false;
}

static void test_what_is_shared_is_found_and_left_out(void **state) {
    (void)state;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        Rng rng = rng_at(2, round, 0, 0);
        PlayedSet first = draw_set(&rng, 1 + rng_below(&rng, 300));
        PlayedSet second = draw_set(&rng, 1 + rng_below(&rng, 300));
        const size_t before = first.count;
        size_t shared, expected = 0;
        assert_int_equal(played_set_compare(&first, &second, &shared), OK);
        for (size_t i = 0; i < before; i++) {
            const bool is_shared = occurs_in(&first.items[i], &second);
            assert_int_equal(first.items[i].is_in_other, is_shared);
            expected += is_shared;
        }
        assert_int_equal(shared, expected);
        if (expected < before) {
            assert_int_equal(played_set_leave_out(&first, &second), OK);
            assert_int_equal(first.count, before - expected);
            assert_int_equal(first.totals.shared, expected);
            assert_int_equal(first.totals.used, first.count);
            for (size_t i = 0; i < first.count; i++)
                assert_false(occurs_in(&first.items[i], &second));
        }
        played_set_free(&first);
        played_set_free(&second);
    }
}

// One person's moves are those of the side to move, however the name is written.
static void test_the_moves_of_one_person(void **state) {
    (void)state;
    static const char text[] =
        "4k3/8/8/8/8/8/4P3/4K3 w - - sm e4; id \"Tal M - Kortchnoi, V, 1962, ply 20\";\n"
        "4k3/8/8/8/8/8/3P4/4K3 w - - sm d4; id \"Kortchnoi, V - Tal M, 1962, ply 20\";\n"
        "4k3/2p5/8/8/8/8/8/4K3 b - - sm c5; id \"Smyslov V - Tal, Mikhail N, 1959, ply 21\";\n"
        "4k3/1p6/8/8/8/8/8/4K3 b - - sm b5; id \"Tal M - Keres P, 1959, ply 21\";\n"
        "4k3/p7/8/8/8/8/8/4K3 b - - sm a5;\n";
    char path[TESTING_PATH];
    PlayedSet found, all;
    testing_write(path, "people.epd", text, sizeof text - 1);
    assert_int_equal(played_set_load(&all, path), OK);
    assert_int_equal(all.count, 5);
    assert_int_equal(played_set_load_player(&found, path, "Tal, Mihail;Tal, Mikhail"), OK);
    assert_int_equal(found.count, 2);
    assert_int_equal(found.totals.others, 3);
    assert_true(found.items[0].pos.key == all.items[0].pos.key);
    assert_true(found.items[1].pos.key == all.items[2].pos.key);
    assert_true(found.hash != all.hash);
    played_set_free(&found);
    played_set_free(&all);
    assert_int_equal(played_set_load_player(&found, path, "Botvinnik, M"), ERR_ARG);
    assert_non_null(strstr(error_message(), "no move of Botvinnik, M"));
}

// The move does not matter: who has learned from a position has seen it.
static void test_the_same_position_with_another_move_is_shared(void **state) {
    (void)state;
    PlayedSet one = {.items = mem_alloc(sizeof *one.items), .count = 1};
    PlayedSet other = {.items = mem_alloc(sizeof *other.items), .count = 1};
    Move moves[MOVES_MAX];
    one.items[0] = other.items[0] = set.items[0];
    assert_true(movegen(&set.items[0].pos, MOVES_ALL, moves) > 1);
    one.items[0].played = moves[0];
    other.items[0].played = moves[1];
    size_t shared;
    assert_int_equal(played_set_compare(&one, &other, &shared), OK);
    assert_int_equal(shared, 1);
    assert_int_equal(played_set_leave_out(&one, &other), ERR_ARG);
    assert_non_null(strstr(error_message(), "no position is left"));
    assert_int_equal(one.count, 1);
    played_set_free(&one);
    played_set_free(&other);
}

static int set_up(void **state) {
    const int failed = testing_set_up(state);
    walk(5, 2000, take_position);
    return failed;
}

static int tear_down(void **state) {
    played_set_free(&set);
    return testing_tear_down(state);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_shared_is_found_and_left_out),
        cmocka_unit_test(test_the_moves_of_one_person),
        cmocka_unit_test(test_the_same_position_with_another_move_is_shared),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
