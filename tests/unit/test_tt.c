// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/tt.h"

#include "base/rng.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>

#include <cmocka.h>

enum { MEGABYTES = 1, ENTRIES = (MEGABYTES << 20) / 16, CLUSTER = 4 };

static int set_up(void **state) {
    TT *tt;
    if (tt_create(&tt, MEGABYTES) != OK)
        return 1;
    *state = tt;
    return 0;
}

static int tear_down(void **state) {
    tt_destroy(*state);
    return 0;
}

// Keys that differ in their low bits alone go to the same cluster.
static uint64_t neighbour(unsigned i) {
    return 0x123456789abc0000u + i;
}

static void store_depth(TT *tt, uint64_t key, unsigned depth, Bound bound) {
    tt_store(tt, key, 0,
             (TTData){(Move)(key & 0xfff), 50, 20, (uint8_t)depth, (uint8_t)bound, false});
}

static bool is_known(const TT *tt, uint64_t key) {
    TTData data;
    return tt_probe(tt, key, 0, &data);
}

static void test_nothing_is_known_at_first(void **state) {
    TT *tt = *state;
    Rng rng = rng_at(1, 0, 0, 0);
    TTData data;
    for (int i = 0; i < 1000; i++) {
        assert_false(tt_probe(tt, i == 0 ? 0 : rng_u64(&rng), 0, &data));
        assert_int_equal(data.move, MOVE_NONE);
        assert_int_equal(data.bound, BOUND_NONE);
        assert_int_equal(data.eval, SCORE_NONE);
    }
    assert_int_equal(tt_full_permille(tt), 0);
}

static void test_round_trip(void **state) {
    TT *tt = *state;
    Rng rng = rng_at(2, 0, 0, 0);
    for (int i = 0; i < 20000; i++) {
        uint64_t key = rng_u64(&rng);
        int ply = (int)rng_below(&rng, PLY_MAX);
        TTData in = {(Move)(rng_u32(&rng) | 1),
                     (int16_t)((int)rng_below(&rng, 60001) - 30000),
                     (int16_t)((int)rng_below(&rng, 40001) - 20000),
                     (uint8_t)rng_u32(&rng),
                     (uint8_t)(1 + rng_below(&rng, 3)),
                     rng_below(&rng, 2) == 1};
        TTData out;
        tt_store(tt, key, ply, in);
        assert_true(tt_probe(tt, key, (int)rng_below(&rng, PLY_MAX), &out));
        assert_int_equal(out.move, in.move);
        assert_int_equal(out.score, in.score);
        assert_int_equal(out.eval, in.eval);
        assert_int_equal(out.depth, in.depth);
        assert_int_equal(out.bound, in.bound);
        assert_int_equal(out.pv, in.pv);
    }
    tt_clear(tt);
    assert_int_equal(tt_full_permille(tt), 0);
}

// A mate found n plies below the position is n plies below it wherever it is met again.
static void test_mates_count_from_the_position(void **state) {
    TT *tt = *state;
    for (int distance = 0; distance <= 60; distance++)
        for (int stored = 0; stored <= 90; stored += 9)
            for (int met = 0; met <= 90; met += 15) {
                TTData out, in = {.eval = SCORE_NONE, .depth = 5, .bound = BOUND_EXACT};
                in.score = (int16_t)score_mate_in(stored + distance);
                tt_store(tt, neighbour(0), stored, in);
                assert_true(tt_probe(tt, neighbour(0), met, &out));
                assert_int_equal(out.score, score_mate_in(met + distance));
                in.score = (int16_t)score_mated_in(stored + distance);
                tt_store(tt, neighbour(1), stored, in);
                assert_true(tt_probe(tt, neighbour(1), met, &out));
                assert_int_equal(out.score, score_mated_in(met + distance));
                assert_int_equal(out.eval, SCORE_NONE);
            }
}

static void test_deep_entries_stay(void **state) {
    TT *tt = *state;
    tt_new_search(tt);
    for (unsigned i = 0; i < CLUSTER - 1; i++)
        store_depth(tt, neighbour(i), 20 + i, BOUND_LOWER);
    for (unsigned i = 100; i < 300; i++) {
        store_depth(tt, neighbour(i), 1 + i % 10, BOUND_EXACT);
        assert_true(is_known(tt, neighbour(i))); // the newest is always there
    }
    for (unsigned i = 0; i < CLUSTER - 1; i++)
        assert_true(is_known(tt, neighbour(i)));
}

static void test_old_entries_go(void **state) {
    TT *tt = *state;
    // Long enough for the counter of searches to start again.
    for (int round = 0; round < 40; round++) {
        unsigned old = 1000 + 20 * (unsigned)round, new = old + 10;
        for (int i = 0; i < 10; i++)
            tt_new_search(tt);
        for (unsigned i = 0; i < CLUSTER; i++)
            store_depth(tt, neighbour(old + i), 20, BOUND_EXACT);
        for (int i = 0; i < 10; i++)
            tt_new_search(tt);
        for (unsigned i = 0; i < CLUSTER; i++)
            store_depth(tt, neighbour(new + i), 1, BOUND_EXACT);
        for (unsigned i = 0; i < CLUSTER; i++) {
            assert_false(is_known(tt, neighbour(old + i)));
            assert_true(is_known(tt, neighbour(new + i)));
        }
    }
}

static void test_same_position_again(void **state) {
    TT *tt = *state;
    TTData out;
    uint64_t key = neighbour(0x777);
    store_depth(tt, key, 12, BOUND_LOWER);
    // A shallow bound changes nothing; an exact score does, and keeps the move if it has none.
    store_depth(tt, key, 3, BOUND_UPPER);
    assert_true(tt_probe(tt, key, 0, &out));
    assert_int_equal(out.depth, 12);
    tt_store(tt, key, 0, (TTData){MOVE_NONE, -7, 3, 4, BOUND_EXACT, false});
    assert_true(tt_probe(tt, key, 0, &out));
    assert_int_equal(out.depth, 4);
    assert_int_equal(out.score, -7);
    assert_int_equal(out.move, 0x777);
    // In a later search a shallow bound is news.
    store_depth(tt, key, 12, BOUND_LOWER);
    tt_new_search(tt);
    store_depth(tt, key, 3, BOUND_UPPER);
    assert_true(tt_probe(tt, key, 0, &out));
    assert_int_equal(out.depth, 3);
}

static void fill(TT *tt, Rng *rng, unsigned count) {
    for (unsigned i = 0; i < count; i++)
        store_depth(tt, rng_u64(rng), 5, BOUND_EXACT);
}

static void test_permille(void **state) {
    TT *tt = *state;
    Rng rng = rng_at(3, 0, 0, 0);
    tt_new_search(tt);
    fill(tt, &rng, ENTRIES / 2);
    assert_in_range(tt_full_permille(tt), 350, 550);
    fill(tt, &rng, 8 * ENTRIES);
    assert_in_range(tt_full_permille(tt), 980, 1000);
    tt_new_search(tt);
    assert_int_equal(tt_full_permille(tt), 0);
    fill(tt, &rng, 8 * ENTRIES);
    assert_in_range(tt_full_permille(tt), 980, 1000);
    tt_clear(tt);
    assert_int_equal(tt_full_permille(tt), 0);
}

static void test_any_size(void **state) {
    (void)state;
    Rng rng = rng_at(4, 0, 0, 0);
    TT *tt;
    for (size_t megabytes = 1; megabytes <= 7; megabytes++) {
        assert_int_equal(tt_create(&tt, megabytes), OK);
        for (int i = 0; i < 1000; i++) {
            uint64_t key = i == 0 ? 0 : i == 1 ? UINT64_MAX : rng_u64(&rng);
            store_depth(tt, key, 3, BOUND_EXACT);
            assert_true(is_known(tt, key));
            tt_prefetch(tt, key);
        }
        tt_destroy(tt);
    }
    assert_int_equal(tt_create(&tt, 0), ERR_LIMIT);
    assert_int_equal(tt_create(&tt, SIZE_MAX), ERR_LIMIT);
    assert_int_equal(tt_create(&tt, SIZE_MAX >> 10), ERR_LIMIT);
    tt_destroy(NULL);
}

// What goes with a key and a depth, so that an entry torn between threads shows.
static TTData data_of(uint64_t key, unsigned depth) {
    uint64_t mixed = (key ^ depth * 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u;
    return (TTData){(Move)(mixed >> 40 | 1),
                    (int16_t)((int)(mixed >> 20 & 0x7fff) - 16384),
                    (int16_t)((int)(mixed & 0x7fff) - 16384),
                    (uint8_t)depth,
                    (uint8_t)(1 + mixed % 3),
                    (mixed & 1) != 0};
}

static TT *hammered;
static _Atomic unsigned wrong, found;

static void *hammer(void *seed) {
    Rng rng = rng_at(6, *(unsigned *)seed, 0, 0);
    for (int i = 0; i < 100000; i++) {
        // Few keys, so that the threads meet, in few clusters.
        uint64_t key = (uint64_t)rng_below(&rng, 64) << 50 | rng_below(&rng, 6);
        TTData out;
        if (tt_probe(hammered, key, 0, &out)) {
            TTData good = data_of(key, out.depth);
            bool same = good.move == out.move && good.score == out.score && good.eval == out.eval &&
                        good.bound == out.bound && good.pv == out.pv;
            atomic_fetch_add(&found, 1);
            atomic_fetch_add(&wrong, !same);
        }
        tt_store(hammered, key, 0, data_of(key, rng_below(&rng, 30)));
        if (i % 10000 == 0)
            tt_full_permille(hammered);
    }
    return NULL;
}

static void test_threads_share_it(void **state) {
    enum { THREADS = 4 };
    pthread_t threads[THREADS];
    unsigned seeds[THREADS];
    hammered = *state;
    for (unsigned i = 0; i < THREADS; i++) {
        seeds[i] = i;
        assert_int_equal(pthread_create(&threads[i], NULL, hammer, &seeds[i]), 0);
    }
    for (unsigned i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(atomic_load(&wrong), 0);
    assert_true(atomic_load(&found) > 100000);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_nothing_is_known_at_first),
        TEST(test_round_trip),
        TEST(test_mates_count_from_the_position),
        TEST(test_deep_entries_stay),
        TEST(test_old_entries_go),
        TEST(test_same_position_again),
        TEST(test_permille),
        TEST(test_any_size),
        TEST(test_threads_share_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
