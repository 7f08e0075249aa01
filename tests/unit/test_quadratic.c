// SPDX-License-Identifier: GPL-3.0-or-later
// The quadratic of strength: games whose results follow one are fitted by it.
#include "evolving.h"

#include "evolve/quadratic.h"
#include "evolve/random.h"

enum { SIZE = 5, DUELS = 2000, GAMES = 1000 };

// Elo of a place: best at `top`, with a ridge between the first two numbers.
static const double top[SIZE] = {0.8, -0.5, 0, 1.2, -1};

static double strength(const double *place) {
    double away[SIZE], sum = 0;
    for (size_t i = 0; i < SIZE; i++) {
        away[i] = place[i] - top[i];
        sum -= (2 + (double)i) * away[i] * away[i];
    }
    return sum + 3 * away[0] * away[1];
}

static void learn(Quadratic *quadratic, size_t duels) {
    Rng rng = rng_at(4, 5, 6, 7);
    for (size_t k = 0; k < duels; k++) {
        double first[SIZE], second[SIZE];
        for (size_t i = 0; i < SIZE; i++) {
            first[i] = random_normal(&rng);
            second[i] = random_normal(&rng);
        }
        const double chance = 1 / (1 + pow(10, (strength(second) - strength(first)) / 400));
        quadratic_add(quadratic, first, second, chance, GAMES);
    }
    quadratic_fit(quadratic);
}

static void climb(const Quadratic *quadratic, double *place) {
    static const double low[SIZE] = {-2, -2, -2, -2, -2}, high[SIZE] = {2, 2, 2, 2, 2};
    memset(place, 0, SIZE * sizeof *place);
    quadratic_climb(quadratic, low, high, place);
}

static void test_the_top_is_found(void **state) {
    (void)state;
    Quadratic quadratic;
    double place[SIZE];
    assert_int_equal(quadratic_open(&quadratic, SIZE), OK);
    learn(&quadratic, DUELS);
    climb(&quadratic, place);
    assert_true(strength(place) > -0.1);
    assert_true(quadratic_value(&quadratic, place) >= quadratic_value(&quadratic, top));
    quadratic_close(&quadratic);
}

// Without games it stays where it is; a bound is kept.
static void test_the_prior_and_the_bounds(void **state) {
    (void)state;
    Quadratic quadratic;
    double place[SIZE];
    assert_int_equal(quadratic_open(&quadratic, SIZE), OK);
    climb(&quadratic, place);
    for (size_t i = 0; i < SIZE; i++)
        assert_true(place[i] == 0);
    learn(&quadratic, DUELS);
    const double low[SIZE] = {-1, -1, -1, -1, -1}, high[SIZE] = {0.1, 1, 1, 0.5, 1};
    quadratic_climb(&quadratic, low, high, place);
    assert_true(place[0] == 0.1 && place[3] == 0.5);
    quadratic_close(&quadratic);
}

// Too many numbers to couple: the top of a sum of parabolas is found all the same.
static void test_many_numbers(void **state) {
    (void)state;
    enum { MANY = QUADRATIC_COUPLED_MAX + 1 };
    Quadratic quadratic;
    double first[MANY], second[MANY], place[MANY] = {0}, low[MANY], high[MANY];
    Rng rng = rng_at(1, 2, 3, 4);
    assert_int_equal(quadratic_open(&quadratic, MANY), OK);
    assert_int_equal(quadratic.terms, 2 * MANY);
    for (int k = 0; k < 4000; k++) {
        double more = 0;
        for (size_t i = 0; i < MANY; i++) {
            first[i] = random_normal(&rng);
            second[i] = random_normal(&rng);
            more += pow(second[i] - 1, 2) - pow(first[i] - 1, 2);
        }
        quadratic_add(&quadratic, first, second, 0.5 + more * 3 * 0.0014391, GAMES);
    }
    quadratic_fit(&quadratic);
    for (size_t i = 0; i < MANY; i++) {
        low[i] = -3;
        high[i] = 3;
    }
    quadratic_climb(&quadratic, low, high, place);
    for (size_t i = 0; i < MANY; i++)
        assert_true(fabs(place[i] - 1) < 0.1);
    quadratic_close(&quadratic);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_top_is_found),
        cmocka_unit_test(test_the_prior_and_the_bounds),
        cmocka_unit_test(test_many_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
