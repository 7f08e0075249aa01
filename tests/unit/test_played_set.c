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
        cmocka_unit_test(test_the_same_position_with_another_move_is_shared),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
