// SPDX-License-Identifier: GPL-3.0-or-later
#include "fitness/linear/linear_slope.h"
#include "fitting.h"
#include "testing.h"

#include <math.h>

static const LinearLoss losses[] = {
    {SHAPE_SQUARED, false, 0},   {SHAPE_ABSOLUTE, false, 0},       {SHAPE_SQUARED, true, 1.3},
    {SHAPE_ABSOLUTE, true, 0.7}, {SHAPE_CROSS_ENTROPY, true, 1.1},
};
enum { LOSSES = sizeof losses / sizeof *losses };

// Distances as a share of the largest slope: sums of 32-bit numbers lose some digits.
static void assert_near(const double *a, const double *b, size_t count, double share) {
    double most = 0;
    for (size_t i = 0; i < count; i++)
        most = fmax(most, fabs(a[i]));
    for (size_t i = 0; i < count; i++)
        if (!(fabs(a[i] - b[i]) <= share * most + 1e-12))
            fail_msg("%zu: %.9g is not %.9g", i, b[i], a[i]);
}

static void test_the_fast_way_agrees_with_the_plain_one(void **state) {
    (void)state;
    DistPool *pool = dist_pool_new(1);
    const size_t sizes[] = {1, 63, 64, 65, 1024, 2500};
    for (uint32_t seed = 0; seed < 24; seed++) {
        Rng rng = rng_at(seed, 1, 0, 0);
        LinearSet set;
        const size_t counts = 1 + rng_below(&rng, FITTING_COUNTS);
        // Counts beyond 8 bits in every third set.
        fitting_fill(&set, &rng, counts, seed % 2 == 0, sizes[seed % 6], seed % 3 == 0 ? 300 : 9);
        double c[2 * FITTING_COUNTS], fast[2 * FITTING_COUNTS], plain[2 * FITTING_COUNTS];
        const size_t terms = linear_set_coefficients(&set);
        fitting_draw(&rng, terms, 30, c);
        for (size_t i = 0; i < LOSSES; i++) {
            double mean, expected;
            linear_slope_plain(&set, &losses[i], c, &expected, plain);
            assert_int_equal(linear_slope(&set, &losses[i], c, pool, &mean, fast), OK);
            assert_near(&expected, &mean, 1, 2e-6);
            assert_near(plain, fast, terms, 2e-4);
            assert_int_equal(linear_slope(&set, &losses[i], c, pool, &mean, NULL), OK);
            assert_near(&expected, &mean, 1, 2e-6);
            // From scores that are known already, to the last bit.
            float *scores = calloc(linear_scores_room(&set), sizeof *scores);
            double other;
            assert_int_equal(linear_scores(&set, c, pool, scores), OK);
            assert_int_equal(linear_loss_of_scores(&set, &losses[i], scores, pool, &other), OK);
            assert_memory_equal(&mean, &other, sizeof mean);
            free(scores);
        }
        linear_set_free(&set);
    }
    dist_pool_free(pool);
}

static void test_slopes_are_what_the_loss_does_nearby(void **state) {
    (void)state;
    Rng rng = rng_at(5, 2, 0, 0);
    LinearSet set;
    fitting_fill(&set, &rng, 7, true, 90, 5);
    double c[14], gradient[14], unused[14];
    fitting_draw(&rng, 14, 20, c);
    for (size_t i = 0; i < LOSSES; i++) {
        double mean, above, below, found[14];
        linear_slope_plain(&set, &losses[i], c, &mean, gradient);
        for (size_t term = 0; term < 14; term++) {
            const double at = c[term], step = 1e-5;
            c[term] = at + step;
            linear_slope_plain(&set, &losses[i], c, &above, unused);
            c[term] = at - step;
            linear_slope_plain(&set, &losses[i], c, &below, unused);
            c[term] = at;
            found[term] = (above - below) / (2 * step);
        }
        assert_near(gradient, found, 14, 1e-4);
    }
    linear_set_free(&set);
}

// Passing over counts that a tile has nothing of changes no bit.
static void test_what_tiles_have_nothing_of(void **state) {
    (void)state;
    enum { MANY = 70, POSITIONS = 3 * LINEAR_LANES + 5 };
    Rng rng = rng_at(11, 0, 0, 0);
    LinearSet set;
    linear_set_init(&set, MANY, true);
    for (size_t p = 0; p < POSITIONS; p++) {
        int16_t counts[MANY] = {0};
        for (size_t i = p / LINEAR_LANES % 3; i < MANY; i += 3)
            counts[i] = (int16_t)((int)rng_below(&rng, p < 2 * LINEAR_LANES ? 9 : 900) - 4);
        const LinearRow row = {counts, 0.25f, 0.75f, (float)rng_real(&rng), 1, 0, NULL, 0};
        assert_int_equal(linear_set_add(&set, &row), OK);
    }
    double c[2 * MANY], some[2 * MANY], all[2 * MANY], mean[2];
    fitting_draw(&rng, 2 * MANY, 20, c);
    DistPool *pool = dist_pool_new(1);
    assert_int_equal(linear_slope(&set, &losses[0], c, pool, &mean[0], some), OK);
    assert_int_equal(set.blocks[0]->present[0] & 7, 1);
    for (size_t tile = 0; tile < LINEAR_TILES; tile++)
        for (size_t i = 0; i < MANY; i++)
            set.blocks[0]->present[tile * linear_set_words(&set) + i / 64] |= 1ULL << i % 64;
    assert_int_equal(linear_slope(&set, &losses[0], c, pool, &mean[1], all), OK);
    dist_pool_free(pool);
    assert_memory_equal(&mean[0], &mean[1], sizeof mean[0]);
    assert_memory_equal(some, all, sizeof some);
    linear_set_free(&set);
}

static void test_threads_change_no_bit(void **state) {
    (void)state;
    Rng rng = rng_at(6, 3, 0, 0);
    LinearSet set;
    fitting_fill(&set, &rng, 20, true, 9000, 9);
    double c[40], one[40], more[40], mean, other;
    float *scores = malloc(2 * set.count * sizeof *scores);
    fitting_draw(&rng, 40, 30, c);
    for (int threads = 1; threads <= 5; threads += 2) {
        DistPool *pool = dist_pool_new(threads);
        double *gradient = threads == 1 ? one : more;
        assert_int_equal(
            linear_slope(&set, &losses[4], c, pool, threads == 1 ? &mean : &other, gradient), OK);
        assert_int_equal(linear_scores(&set, c, pool, threads == 1 ? scores : scores + set.count),
                         OK);
        dist_pool_free(pool);
        if (threads == 1)
            continue;
        assert_memory_equal(&mean, &other, sizeof mean);
        assert_memory_equal(one, more, sizeof one);
        assert_memory_equal(scores, scores + set.count, set.count * sizeof *scores);
    }
    free(scores);
    linear_set_free(&set);
}

// The same sums, a number at a time and in the order that the kernel promises: how wide the vectors
// of a processor are, and whether it can multiply and add in one go, changes no bit.
static void add_one_by_one(const LinearSet *set, const double *c, float *scores, double *gradient) {
    enum { SUM_LANES = 16 };
    const size_t step = set->is_tapered ? 2 : 1;
    const LinearBlock *block = set->blocks[0];
    float sums[2 * FITTING_COUNTS][SUM_LANES] = {0};
    for (size_t p = 0; p < set->count; p++) {
        float halves[2] = {0}, *score = &scores[p];
        for (size_t i = 0; i < set->counts; i++)
            for (size_t half = 0; half < step; half++)
                halves[half] += (float)linear_set_count(set, p, i) * (float)c[step * i + half];
        *score = halves[0] * block->middlegame[p];
        *score += block->offsets[p];
        *score += halves[1] * block->endgame[p];
        const float slope = 2 * (*score - block->targets[p]) * block->weights[p];
        const float parts[2] = {slope * block->middlegame[p], slope * block->endgame[p]};
        for (size_t i = 0; i < set->counts; i++)
            for (size_t half = 0; half < step; half++)
                sums[step * i + half][p % SUM_LANES] +=
                    (float)linear_set_count(set, p, i) * parts[half];
    }
    for (size_t i = 0; i < step * set->counts; i++) {
        gradient[i] = 0;
        for (size_t lane = 0; lane < SUM_LANES; lane++)
            gradient[i] += (double)sums[i][lane];
        gradient[i] /= set->weight;
    }
}

static void test_processors_change_no_bit(void **state) {
    (void)state;
    DistPool *pool = dist_pool_new(1);
    for (uint32_t seed = 0; seed < 6; seed++) {
        Rng rng = rng_at(seed, 4, 0, 0);
        LinearSet set;
        fitting_fill(&set, &rng, FITTING_COUNTS, seed % 2 == 0, LINEAR_BLOCK - 100 * seed,
                     seed % 3 == 0 ? 300 : 9);
        double c[2 * FITTING_COUNTS], fast[2 * FITTING_COUNTS], plain[2 * FITTING_COUNTS], mean;
        float scores[LINEAR_BLOCK], expected[LINEAR_BLOCK];
        const size_t terms = linear_set_coefficients(&set);
        fitting_draw(&rng, terms, 30, c);
        add_one_by_one(&set, c, expected, plain);
        assert_int_equal(linear_scores(&set, c, pool, scores), OK);
        assert_memory_equal(expected, scores, set.count * sizeof *scores);
        assert_int_equal(linear_slope(&set, &losses[0], c, pool, &mean, fast), OK);
        assert_memory_equal(plain, fast, terms * sizeof *fast);
        linear_set_free(&set);
    }
    dist_pool_free(pool);
}

// Counts that need 16 bits make their block wide, and nothing is lost before or after.
static void test_counts_are_kept_exactly(void **state) {
    (void)state;
    enum { POSITIONS = 1500 };
    LinearSet set;
    linear_set_init(&set, 3, false);
    for (int p = 0; p < POSITIONS; p++) {
        const int16_t row[] = {(int16_t)(p % 256 - 128), p == 1100 ? INT16_MAX : 0,
                               p == 1200 ? INT16_MIN : 1};
        // Every other one says where its counts are.
        static const uint16_t where[] = {2, 0, 1};
        const LinearRow one = {.counts = row,
                               .middlegame = 1,
                               .target = (float)p,
                               .weight = 1,
                               .where = p % 2 == 0 ? where : NULL,
                               .where_count = 3};
        assert_int_equal(linear_set_add(&set, &one), OK);
    }
    assert_false(set.blocks[0]->is_wide);
    assert_true(set.blocks[1]->is_wide);
    assert_true(linear_set_bytes(&set) > 3 * POSITIONS);
    for (size_t p = 0; p < POSITIONS; p++) {
        assert_int_equal(linear_set_count(&set, p, 0), (int)(p % 256) - 128);
        assert_int_equal(linear_set_count(&set, p, 1), p == 1100 ? INT16_MAX : 0);
        assert_int_equal(linear_set_count(&set, p, 2), p == 1200 ? INT16_MIN : 1);
        assert_true(linear_set_target(&set, p) == (float)p);
    }
    linear_set_free(&set);
}

// Far beyond what floating-point powers hold, losses and slopes are still numbers.
static void test_scores_may_be_enormous(void **state) {
    (void)state;
    DistPool *pool = dist_pool_new(1);
    for (int sign = -1; sign <= 1; sign += 2) {
        LinearSet set;
        const int16_t row = (int16_t)(100 * sign);
        const LinearRow one = {.counts = &row, .middlegame = 1, .target = 1, .weight = 1};
        linear_set_init(&set, 1, false);
        assert_int_equal(linear_set_add(&set, &one), OK);
        for (size_t i = 0; i < LOSSES; i++) {
            const double c = 10000;
            double mean, gradient, expected, plain;
            linear_slope_plain(&set, &losses[i], &c, &expected, &plain);
            assert_int_equal(linear_slope(&set, &losses[i], &c, pool, &mean, &gradient), OK);
            assert_near(&expected, &mean, 1, 2e-6);
            assert_near(&plain, &gradient, 1, 2e-4);
        }
        linear_set_free(&set);
    }
    dist_pool_free(pool);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_fast_way_agrees_with_the_plain_one),
        cmocka_unit_test(test_slopes_are_what_the_loss_does_nearby),
        cmocka_unit_test(test_what_tiles_have_nothing_of),
        cmocka_unit_test(test_threads_change_no_bit),
        cmocka_unit_test(test_processors_change_no_bit),
        cmocka_unit_test(test_counts_are_kept_exactly),
        cmocka_unit_test(test_scores_may_be_enormous),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
