// SPDX-License-Identifier: GPL-3.0-or-later
// What moves say of organisms: the likelihoods are those of a plain softmax over plain searches.
#include "fitness/moves/likelihood.h"

#include "fitness/moves/forest_plain.h"
#include "sized.h"
#include "testing.h"

#include <math.h>

enum { GAMES = 2, ORGANISMS = 3, SKIP = 4 };

static PgnGame source[GAMES];
static PlayerGame games[GAMES];
static const PlayerGame *each[GAMES];
static int coefficients[ORGANISMS][COEFFICIENTS_MAX];
static const int *organisms[ORGANISMS] = {coefficients[0], coefficients[1], coefficients[2]};

static int set_up(void **state) {
    if (testing_set_up(state) != 0)
        return 1;
    Rng rng = rng_at(9, 0, 0, 0);
    int parameters[TERMS_MAX];
    for (size_t i = 0; i < ORGANISMS; i++) {
        family_randomize(&family_maestro, &rng, parameters);
        family_expand(&family_maestro, parameters, coefficients[i]);
    }
    for (size_t i = 0; i < GAMES; i++) {
        testing_random_game(&source[i], &rng, SIZED(30, 14));
        games[i] = (PlayerGame){.side = i % 2 == 0 ? WHITE : BLACK,
                                .start = source[i].start,
                                .moves = source[i].moves,
                                .move_count = source[i].move_count};
        each[i] = &games[i];
    }
    return 0;
}

static int tear_down(void **state) {
    for (size_t i = 0; i < GAMES; i++)
        pgn_game_free(&source[i]);
    return testing_tear_down(state);
}

static LikelihoodConfig plain_config(void) {
    return (LikelihoodConfig){&family_maestro, FOREST_RULES_DEFAULT, organisms, ORGANISMS, SKIP};
}

// A softmax as it stands in a book; from the best move, since a mate is worth so much.
static double plain_likelihood(const ForestScores *scores, Move played, double temperature) {
    double sum = 0, own = 0;
    int best = -FOREST_MATE_WORTH;
    for (size_t i = 0; i < scores->count; i++)
        best = scores->scores[i] > best ? scores->scores[i] : best;
    for (size_t i = 0; i < scores->count; i++) {
        const double mass = exp((scores->scores[i] - (double)best) / temperature);
        sum += mass;
        own += scores->moves[i] == played ? mass : 0;
    }
    return log(0.98 * own / sum + 0.02 / (double)scores->count);
}

static void test_likelihoods_are_those_of_a_plain_softmax(void **state) {
    (void)state;
    const LikelihoodConfig config = plain_config();
    const double temperature = likelihood_temperature(LIKELIHOOD_STEPS - 1);
    static Evidence evidence[GAMES];
    static ForestScores scores;
    PlayerMove moves[64];
    DistPool *pool = dist_pool_new(1);
    assert_int_equal(likelihood_of_games(&config, each, GAMES, pool, evidence), OK);
    dist_pool_free(pool);
    for (size_t i = 0; i < GAMES; i++) {
        const size_t count = player_game_moves(&games[i], SKIP, moves);
        unsigned counted = 0;
        for (size_t k = 0; k < COUNT_CHECK; k++)
            counted += evidence[i].counts[k];
        assert_int_equal(evidence[i].moves, count);
        assert_int_equal(counted, count);
        for (size_t organism = 0; organism < ORGANISMS; organism++) {
            double sum = 0;
            unsigned hits = 0;
            for (size_t k = 0; k < count; k++) {
                const PlayedItem item = {.pos = moves[k].pos, .played = moves[k].played};
                forest_plain_scores(&item.pos, config.family, organisms[organism], &config.rules,
                                    NULL, &scores);
                sum += plain_likelihood(&scores, item.played, temperature);
                hits += forest_plain_hit(&item, config.family, organisms[organism], &config.rules,
                                         TIES_BY_ORDER);
            }
            const double found = evidence[i].log_likelihood[LIKELIHOOD_STEPS - 1][organism];
            assert_true(fabs(found - sum) < 1e-6 * (1 + fabs(sum)));
            assert_int_equal(evidence[i].hits[organism], hits);
        }
    }
}

static void test_threads_change_nothing(void **state) {
    (void)state;
    const LikelihoodConfig config = plain_config();
    static Evidence one[GAMES], three[GAMES];
    DistPool *pools[] = {dist_pool_new(1), dist_pool_new(3)};
    assert_int_equal(likelihood_of_games(&config, each, GAMES, pools[0], one), OK);
    assert_int_equal(likelihood_of_games(&config, each, GAMES, pools[1], three), OK);
    for (size_t i = 0; i < GAMES; i++) {
        assert_int_equal(one[i].moves, three[i].moves);
        assert_memory_equal(one[i].hits, three[i].hits, sizeof one[i].hits);
        assert_memory_equal(one[i].log_likelihood, three[i].log_likelihood,
                            sizeof one[i].log_likelihood);
    }
    dist_pool_free(pools[0]);
    dist_pool_free(pools[1]);
}

static void test_mates_and_far_scores_stay_finite(void **state) {
    (void)state;
    const int scores[] = {FOREST_MATE_WORTH, 0, -FOREST_MATE_WORTH, 100};
    for (size_t chosen = 0; chosen < 4; chosen++)
        assert_true(isfinite(likelihood_of_move(scores, 4, chosen, 15)));
    assert_true(likelihood_of_move(scores, 4, 0, 15) > -0.02);
    assert_true(fabs(likelihood_of_move((int[]){7, 7, 7, 7}, 4, 2, 15) - log(0.25)) < 1e-12);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_likelihoods_are_those_of_a_plain_softmax),
        cmocka_unit_test(test_threads_change_nothing),
        cmocka_unit_test(test_mates_and_far_scores_stay_finite),
    };
    sized_to_threads("*thread*");
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
