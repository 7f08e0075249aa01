// SPDX-License-Identifier: GPL-3.0-or-later
// Fitting by gradient to another engine's coefficients: the same slopes as from positions.
#include "pooled.h"

#include "fitness/linear/linear_data.h"

#include "dumping.h"
#include "fitness/linear/linear_slope.h"

#include <math.h>

static void read_pair(LinearPair *pair, const char *path, const LinearDataOptions *options) {
    linear_pair_init(pair, options->family);
    if (linear_pair_read(pair, path, options, pool) != OK)
        fail_msg("%s", error_message());
}

// The same loss and slope, whether positions or their coefficients were read.
static void test_same_slope_as_from_positions(void **state) {
    (void)state;
    char epd[TESTING_PATH], dump[TESTING_PATH];
    Rng rng = rng_at(6, 0, 0, 0);
    CoefficientHeader *header;
    LinearPair pairs[2];
    const LinearLoss loss = {SHAPE_SQUARED, false, 1};
    const size_t terms = family_maestro.term_count;
    mentoring_write(epd, "slope.epd", 300, 80, 9);
    dumping_convert(dump, "slope.txt", epd, &family_maestro);
    assert_true(coefficient_file_is(dump));
    assert_false(coefficient_file_is(epd));
    assert_int_equal(coefficient_header_load(&header, dump), OK);
    read_pair(&pairs[0], epd,
              &(LinearDataOptions){.family = &family_maestro, .needs_scores = true});
    read_pair(
        &pairs[1], dump,
        &(LinearDataOptions){.family = &header->family, .header = header, .needs_scores = true});
    assert_int_equal(pairs[1].training.set.count, 300);
    double means[2], gradients[2][COEFFICIENTS_MAX], coefficients[COEFFICIENTS_MAX];
    for (size_t i = 0; i < terms; i++)
        coefficients[i] = 100 * rng_real(&rng);
    for (int i = 0; i < 2; i++) {
        linear_data_aim_at_scores(&pairs[i].training);
        linear_slope_plain(&pairs[i].training.set, &loss, coefficients, &means[i], gradients[i]);
    }
    assert_true(means[0] == means[1]);
    assert_memory_equal(gradients[0], gradients[1], terms * sizeof **gradients);
    linear_pair_free(&pairs[0]);
    linear_pair_free(&pairs[1]);
    coefficient_header_destroy(header);
}

// Exactly these scores, of counts in parts and with an offset.
static void test_scores_of_parts(void **state) {
    (void)state;
    char path[TESTING_PATH];
    CoefficientHeader *header;
    LinearPair pair;
    const double coefficients[] = {3, 20};
    float scores[3];
    testing_write(path, "parts.txt", dumping_small, strlen(dumping_small));
    assert_int_equal(coefficient_header_load(&header, path), OK);
    read_pair(
        &pair, path,
        &(LinearDataOptions){.family = &header->family, .header = header, .needs_scores = true});
    assert_int_equal(linear_scores(&pair.training.set, coefficients, pool, scores), OK);
    assert_true(scores[0] == (4 * 3 - 8 * 20) / 4.0f);
    assert_true(scores[1] == 0.75f);
    assert_true(scores[2] == 32767 * 5.0f);
    assert_true(pair.training.scores[2] == 30000);
    // The offset has its part in losses and slopes too, as the plain twin has it.
    const LinearLoss loss = {SHAPE_CROSS_ENTROPY, true, 1};
    double means[2], gradients[2][2];
    assert_int_equal(
        linear_slope(&pair.training.set, &loss, coefficients, pool, &means[0], gradients[0]), OK);
    linear_slope_plain(&pair.training.set, &loss, coefficients, &means[1], gradients[1]);
    assert_true(fabs(means[0] - means[1]) < 1e-5 * means[1]);
    for (int i = 0; i < 2; i++)
        assert_true(fabs(gradients[0][i] - gradients[1][i]) < 1e-5 * fabs(gradients[1][i]));
    linear_pair_free(&pair);
    coefficient_header_destroy(header);
}

static void test_held_out_ones_never_part(void **state) {
    (void)state;
    char path[TESTING_PATH];
    CoefficientHeader *header;
    LinearPair pair;
    Str text = {0};
    str_add(&text, "falconer-coefficients 1\nlabel result\nparam A 0 9 1\n");
    for (int i = 0; i < 400; i++)
        str_addf(&text, "%d; 0:%d\n", i % 2, i % 100 + 1);
    testing_write(path, "parts.txt", text.text, text.length);
    assert_int_equal(coefficient_header_load(&header, path), OK);
    read_pair(&pair, path,
              &(LinearDataOptions){.family = &header->family,
                                   .header = header,
                                   .needs_results = true,
                                   .holdout = {0.3, 1}});
    assert_int_equal(pair.training.set.count % 4, 0);
    assert_in_range(pair.held_out.set.count, 40, 200);
    assert_int_equal(pair.training.set.count + pair.held_out.set.count, 400);
    linear_pair_free(&pair);
    coefficient_header_destroy(header);
    str_free(&text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_slope_as_from_positions),
        cmocka_unit_test(test_scores_of_parts),
        cmocka_unit_test(test_held_out_ones_never_part),
    };
    return cmocka_run_group_tests(tests, pooled_set_up, pooled_tear_down);
}
