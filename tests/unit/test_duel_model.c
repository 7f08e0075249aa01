// SPDX-License-Identifier: GPL-3.0-or-later
// The model of games between candidates: how sure it is of where the best is.
#include "evolving.h"

#include "evolve/duel_model.h"
#include "evolve/random.h"

enum { SIZE = 2 };
static const double top[SIZE] = {0.3, -0.2};

// Elo of a place: the second number matters far less.
static double strength(const double *place) {
    return -300 * pow(place[0] - top[0], 2) - 20 * pow(place[1] - top[1], 2);
}

static int half_points(Rng *rng, double chance) {
    int points = 0;
    for (int i = 0; i < DUEL_POINTS_MAX; i++)
        points += rng_real(rng) < chance;
    return points;
}

static DuelModel *learn(size_t duels) {
    DuelModel *model = duel_model_new(SIZE);
    Rng rng = rng_at(1, 2, 3, 4);
    for (size_t k = 0; k < duels; k++) {
        double places[2][SIZE];
        for (size_t i = 0; i < SIZE; i++) {
            places[0][i] = 2 * rng_real(&rng) - 1;
            places[1][i] = 2 * rng_real(&rng) - 1;
        }
        const double lead = strength(places[0]) - strength(places[1]);
        duel_model_add(model, places[0], places[1],
                       half_points(&rng, 1 / (1 + pow(10, -lead / 400))));
    }
    duel_model_fit(model);
    return model;
}

static void test_more_games_make_sure(void **state) {
    (void)state;
    double before[SIZE] = {INFINITY, INFINITY};
    for (size_t duels = 200; duels <= 20000; duels *= 10) {
        DuelModel *model = learn(duels);
        const double *spread = duel_model_best_spread(model);
        for (size_t i = 0; i < SIZE; i++) {
            assert_true(spread[i] > 0 && spread[i] < before[i]);
            before[i] = spread[i];
        }
        assert_true(spread[0] < spread[1]);
        duel_model_free(model);
    }
}

static void test_the_best_is_where_it_says(void **state) {
    (void)state;
    DuelModel *model = learn(20000);
    const double *best = duel_model_best(model), *spread = duel_model_best_spread(model);
    for (size_t i = 0; i < SIZE; i++)
        assert_true(fabs(best[i] - top[i]) < 4 * spread[i]);
    duel_model_free(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_more_games_make_sure),
        cmocka_unit_test(test_the_best_is_where_it_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
