// SPDX-License-Identifier: GPL-3.0-or-later
#include "fitness/linear/mentor.h"
#include "fitness/linear/mentor_kernel.h"
#include "fitness/linear/mentor_set.h"
#include "testing.h"

enum { TERMS_MOST = 40 };

static int between(Rng *rng, int low, int high) {
    return low + (int)rng_below(rng, (uint32_t)(high - low + 1));
}

static void fill(CountMatrix *matrix, Rng *rng, size_t terms, size_t count, int most) {
    counts_init(matrix, terms);
    for (size_t i = 0; i < count; i++) {
        int16_t row[TERMS_MOST];
        for (size_t term = 0; term < terms; term++)
            row[term] = (int16_t)between(rng, -most, most);
        assert_int_equal(counts_add(matrix, row, between(rng, -3000, 3000)), OK);
    }
}

static int32_t *draw_organisms(Rng *rng, size_t terms, size_t organisms, int most) {
    int32_t *coefficients = malloc((organisms * terms + 1) * sizeof *coefficients);
    for (size_t i = 0; i < organisms * terms; i++)
        coefficients[i] = between(rng, -most, most);
    return coefficients;
}

static void compare(Rng *rng, size_t terms, size_t count, size_t organisms, int count_most,
                    int coefficient_most) {
    CountMatrix matrix;
    fill(&matrix, rng, terms, count, count_most);
    int32_t *coefficients = draw_organisms(rng, terms, organisms, coefficient_most);
    int64_t *expected = calloc(organisms + 1, sizeof *expected);
    int64_t *found = calloc(organisms + 1, sizeof *found);
    mentor_plain_add(&matrix, 0, counts_blocks(&matrix), coefficients, organisms, expected);
    for (int threads = 1; threads <= 7; threads += 3) {
        DistPool *pool = dist_pool_new(threads);
        assert_int_equal(mentor_errors(&matrix, coefficients, organisms, pool, found), OK);
        assert_memory_equal(found, expected, organisms * sizeof *found);
        dist_pool_free(pool);
    }
    if (organisms > 0) {
        int32_t *residuals = malloc((count + 1) * sizeof *residuals);
        int64_t sum = 0;
        mentor_residuals(&matrix, coefficients, residuals);
        for (size_t i = 0; i < count; i++)
            sum += residuals[i] < 0 ? -residuals[i] : residuals[i];
        assert_int_equal(sum, expected[0]);
        free(residuals);
    }
    free(found);
    free(expected);
    free(coefficients);
    counts_free(&matrix);
}

static void test_the_kernel_equals_its_plain_twin(void **state) {
    (void)state;
    Rng rng = rng_at(1, 0, 0, 0);
    for (int i = 0; i < 200; i++) {
        const size_t terms = 1 + rng_below(&rng, TERMS_MOST);
        compare(&rng, terms, rng_below(&rng, 1200), rng_below(&rng, 220), 16, 1023);
    }
    compare(&rng, 35, 5000, 1000, 16, 1023);
}

static void test_numbers_too_large_for_lanes_are_right_too(void **state) {
    (void)state;
    Rng rng = rng_at(2, 0, 0, 0);
    compare(&rng, 35, 700, 50, 30000, 900); // sums beyond 32 bits of a chunk
    compare(&rng, 35, 700, 50, 16, 70000);  // coefficients beyond 16 bits
    compare(&rng, 36, 700, 50, 16, INT16_MAX);
}

static void test_the_lanes_hold_what_they_are_said_to(void **state) {
    (void)state;
    // The worst case that still goes through the kernel, all errors of one sign.
    CountMatrix matrix;
    counts_init(&matrix, 2);
    const int16_t row[2] = {1024, 1024};
    for (int i = 0; i < 3000; i++)
        assert_int_equal(counts_add(&matrix, row, 0), OK);
    const int32_t coefficients[2] = {16383, 16384};
    int64_t found;
    DistPool *pool = dist_pool_new(2);
    assert_int_equal(mentor_errors(&matrix, coefficients, 1, pool, &found), OK);
    assert_int_equal(found, 3000LL * 1024 * 32767);
    dist_pool_free(pool);
    counts_free(&matrix);
}

static void test_a_sample_is_its_positions(void **state) {
    (void)state;
    Rng rng = rng_at(3, 0, 0, 0);
    CountMatrix all, some;
    fill(&all, &rng, 35, 500, 16);
    counts_init(&some, 35);
    for (int repeat = 0; repeat < 20; repeat++) {
        uint32_t rows[300];
        const size_t count = 1 + rng_below(&rng, 300);
        for (size_t i = 0; i < count; i++)
            rows[i] = rng_below(&rng, 500);
        assert_int_equal(counts_gather(&some, &all, rows, count), OK);
        assert_int_equal(some.count, count);
        for (size_t i = 0; i < count; i++) {
            assert_int_equal(some.labels[i], all.labels[rows[i]]);
            for (size_t term = 0; term < 35; term++)
                assert_int_equal(counts_at(&some, i, term), counts_at(&all, rows[i], term));
        }
    }
    counts_free(&some);
    counts_free(&all);
}

// A family in tenths has labels in tenths: errors are differences of like things.
static void test_labels_are_in_units(void **state) {
    (void)state;
    static const char text[] = "4k3/8/8/8/8/8/P7/4K3 w - - ce 123;\n"
                               "4k3/8/8/8/8/8/P7/4K3 b - - ce -45;\n";
    char path[TESTING_PATH];
    testing_write(path, "labels.epd", text, sizeof text - 1);
    DistPool *pool = dist_pool_new(1);
    for (size_t i = 0; families[i] != NULL; i++) {
        const MentorSetOptions options = {.family = families[i], .tempo = true};
        MentorSet set;
        assert_int_equal(mentor_set_load(&set, path, &options, pool), OK);
        assert_int_equal(set.matrix.labels[0], 123 * families[i]->scale);
        assert_int_equal(set.matrix.labels[1], -45 * families[i]->scale);
        mentor_set_free(&set);
    }
    dist_pool_free(pool);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_kernel_equals_its_plain_twin),
        cmocka_unit_test(test_numbers_too_large_for_lanes_are_right_too),
        cmocka_unit_test(test_the_lanes_hold_what_they_are_said_to),
        cmocka_unit_test(test_a_sample_is_its_positions),
        cmocka_unit_test(test_labels_are_in_units),
    };
    return cmocka_run_group_tests(tests, testing_set_up, testing_tear_down);
}
