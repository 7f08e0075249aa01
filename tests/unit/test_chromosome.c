// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/chromosome.h"
#include "eval/weights.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { ROUNDS = 20000 };

static unsigned count_changed(const int *a, const int *b, size_t count) {
    unsigned changed = 0;
    for (size_t i = 0; i < count; i++)
        changed += a[i] != b[i];
    return changed;
}

static void test_lengths_of_the_papers(void **state) {
    (void)state;
    assert_int_equal(chromosome_length(chromosome_find("maestro-230")), 230);
    assert_int_equal(chromosome_length(chromosome_find("maestro-224")), 224);
    assert_int_equal(chromosome_find("maestro-230")->coding, CODING_BINARY);
    assert_int_equal(chromosome_find("maestro-224")->coding, CODING_GRAY);
    assert_null(chromosome_find("maestro-231"));
    assert_null(chromosome_of_family(family_find("vazquez")));
    assert_ptr_equal(chromosome_of_family(family_find("maestro")), chromosome_find("maestro-230"));
}

// Any bits are a member within bounds, and come back from it; one bit changes one term.
static void test_round_trip(void **state) {
    (void)state;
    Rng rng = rng_at(1, 0, 0, 0);
    for (size_t c = 0; chromosomes[c] != NULL; c++) {
        const Chromosome *chromosome = chromosomes[c];
        const Family *family = chromosome->family;
        size_t length = chromosome_length(chromosome), words = (length + 63) / 64;
        assert_in_range(length, 1, CHROMOSOME_BITS_MAX);
        for (int round = 0; round < ROUNDS; round++) {
            uint64_t bits[CHROMOSOME_WORDS_MAX], again[CHROMOSOME_WORDS_MAX];
            int parameters[TERMS_MAX], changed[TERMS_MAX];
            chromosome_randomize(chromosome, &rng, bits);
            chromosome_decode(chromosome, bits, parameters);
            for (size_t i = 0; i < family->term_count; i++)
                assert_true(parameters[i] >= family->terms[i].low &&
                            parameters[i] <= family->terms[i].high);
            assert_int_equal(chromosome_encode(chromosome, parameters, again), OK);
            assert_memory_equal(bits, again, words * sizeof bits[0]);
            size_t bit = rng_below(&rng, (uint32_t)length);
            bits[bit / 64] ^= 1ULL << bit % 64;
            chromosome_decode(chromosome, bits, changed);
            assert_int_equal(count_changed(parameters, changed, family->term_count), 1);
        }
    }
}

// Gray code: the next value is always one bit away.
static void test_gray_neighbours(void **state) {
    (void)state;
    const Chromosome *chromosome = chromosome_find("maestro-224");
    int parameters[TERMS_MAX] = {100};
    uint64_t before[CHROMOSOME_WORDS_MAX], after[CHROMOSOME_WORDS_MAX];
    assert_int_equal(chromosome_encode(chromosome, parameters, before), OK);
    for (int value = 1; value <= 2047; value++) {
        parameters[4] = value;
        assert_int_equal(chromosome_encode(chromosome, parameters, after), OK);
        int different = 0;
        for (size_t i = 0; i < 4; i++)
            different += __builtin_popcountll(before[i] ^ after[i]);
        assert_int_equal(different, 1);
        memcpy(before, after, sizeof before);
    }
}

static void test_order_of_bits(void **state) {
    (void)state;
    const Chromosome *chromosome = chromosome_find("maestro-230");
    uint64_t bits[CHROMOSOME_WORDS_MAX] = {1};
    int parameters[TERMS_MAX];
    chromosome_decode(chromosome, bits, parameters);
    assert_int_equal(parameters[0], 512);
    bits[0] = 1 << 9 | 1 << 10;
    chromosome_decode(chromosome, bits, parameters);
    assert_int_equal(parameters[0], 1);
    assert_int_equal(parameters[1], 512);
    bits[0] = 0;
    bits[229 / 64] = 1ULL << 229 % 64;
    chromosome_decode(chromosome, bits, parameters);
    assert_int_equal(parameters[34], 1);
}

static void test_what_does_not_fit(void **state) {
    (void)state;
    Weights weights;
    uint64_t bits[CHROMOSOME_WORDS_MAX];
    assert_int_equal(weights_load(&weights, "weights/maestro-gecco2008.weights"), OK);
    assert_int_equal(chromosome_encode(chromosome_find("maestro-230"), weights.parameters, bits),
                     OK);
    assert_int_equal(chromosome_encode(chromosome_find("maestro-224"), weights.parameters, bits),
                     ERR_ARG);
    assert_string_equal(error_message(),
                        "PAWN_VALUE is fixed at 100 in chromosome maestro-224, not 83");
    assert_int_equal(weights_set(&weights, "QUEEN_VALUE", 1024), OK);
    assert_int_equal(chromosome_encode(chromosome_find("maestro-230"), weights.parameters, bits),
                     ERR_ARG);
    assert_string_equal(error_message(),
                        "QUEEN_VALUE 1024 does not fit chromosome maestro-230: only 0 to 1023 do");
    weights_free(&weights);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lengths_of_the_papers), cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_gray_neighbours),       cmocka_unit_test(test_order_of_bits),
        cmocka_unit_test(test_what_does_not_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
