// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/rng.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

// Known answers of Philox4x32-10, from the generator's own test vectors: zeros, ones, digits of pi.
static void test_known_answers(void **state) {
    (void)state;
    static const struct {
        uint32_t key[2], counter[4], block[4];
    } known[] = {
        {{0, 0}, {0, 0, 0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {{~0u, ~0u}, {~0u, ~0u, ~0u, ~0u}, {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {{0xa4093822, 0x299f31d0},
         {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    };
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
        Rng rng = {0};
        memcpy(rng.key, known[k].key, sizeof rng.key);
        memcpy(rng.counter, known[k].counter, sizeof rng.counter);
        for (size_t i = 4; i-- > 0;)
            assert_int_equal(rng_u32(&rng), known[k].block[i]);
    }
}

static void test_streams_are_apart(void **state) {
    (void)state;
    Rng streams[] = {rng_at(0, 0, 0, 0), rng_at(1, 0, 0, 0), rng_at(1ULL << 32, 0, 0, 0),
                     rng_at(0, 1, 0, 0), rng_at(0, 0, 1, 0), rng_at(0, 0, 0, 1)};
    uint64_t first[6];
    for (size_t i = 0; i < 6; i++) {
        first[i] = rng_u64(&streams[i]);
        for (size_t j = 0; j < i; j++)
            assert_true(first[i] != first[j]);
    }
    Rng again = rng_at(0, 0, 1, 0);
    assert_true(rng_u64(&again) == first[4]);
}

// Pearson's statistic over 10 cells; 27.9 is passed by chance once in a thousand streams.
static void test_below_is_even(void **state) {
    (void)state;
    enum { CELLS = 10, DRAWS = 100000 };
    unsigned count[CELLS] = {0};
    Rng rng = rng_at(42, 1, 2, 3);
    for (size_t i = 0; i < DRAWS; i++)
        count[rng_below(&rng, CELLS)]++;
    double chi_square = 0;
    for (size_t i = 0; i < CELLS; i++) {
        double off = (double)count[i] - (double)DRAWS / CELLS;
        chi_square += off * off / ((double)DRAWS / CELLS);
    }
    assert_true(chi_square < 27.9);
}

static void test_bounds(void **state) {
    (void)state;
    Rng rng = rng_at(7, 0, 0, 0);
    double sum = 0;
    for (size_t i = 0; i < 100000; i++) {
        assert_int_equal(rng_below(&rng, 1), 0);
        assert_true(rng_below(&rng, 0xFFFFFFFF) < 0xFFFFFFFF);
        double real = rng_real(&rng);
        assert_true(real >= 0 && real < 1);
        sum += real;
    }
    assert_true(sum > 49500 && sum < 50500);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_answers),
        cmocka_unit_test(test_streams_are_apart),
        cmocka_unit_test(test_below_is_even),
        cmocka_unit_test(test_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
