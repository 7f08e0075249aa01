// SPDX-License-Identifier: GPL-3.0-or-later
// Going down a slope: to its foot, or, with a pull, to where the pull balances it.
#include "fitness/gradient/surrogate.h"

#include "testing.h"

#include <math.h>

enum { TERMS = 3, STEPS = 3000 };
static const double foot[TERMS] = {5, -20, 0};

// A bowl: half the squared distance from the foot.
static Status bowl_at(const void *self, size_t part, const double *coefficients, SlopeKind kind,
                      DistPool *pool, Slope *out) {
    (void)self, (void)part, (void)kind, (void)pool;
    out->loss = 0;
    for (size_t i = 0; i < TERMS; i++) {
        out->gradient[i] = coefficients[i] - foot[i];
        out->loss += out->gradient[i] * out->gradient[i] / 2;
    }
    return OK;
}

// No centre: the pull is to the start.
static void check_pull(double pull, const double *centre) {
    const double low[TERMS] = {-50, -50, -50}, high[TERMS] = {50, 50, 50};
    const double start[TERMS] = {10, 10, 10};
    const double *to = centre == NULL ? start : centre;
    double coefficients[TERMS];
    memcpy(coefficients, start, sizeof start);
    const SlopeSource source = {bowl_at, NULL, TERMS, 1};
    const SurrogateConfig config = {STEPS, {LOSS_SURPRISE, 1}, low, high, pull, centre};
    assert_int_equal(surrogate_descend(&source, &config, NULL, coefficients), OK);
    for (size_t i = 0; i < TERMS; i++)
        assert_true(fabs(coefficients[i] - (foot[i] + pull * to[i]) / (1 + pull)) < 0.1);
}

static void test_ends_where_the_pull_balances_the_slope(void **state) {
    (void)state;
    const double centre[TERMS] = {-30, 0, 40};
    check_pull(0, NULL);
    check_pull(0.5, NULL);
    check_pull(3, NULL);
    check_pull(3, centre);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ends_where_the_pull_balances_the_slope),
    };
    return cmocka_run_group_tests(tests, testing_set_up, testing_tear_down);
}
