// SPDX-License-Identifier: GPL-3.0-or-later
// Rules of recognition on made-up evidence, of which the truth is known: probabilities that are
// right, an organism that explains everybody's moves, and what is kept in files.
#include "players/recognition.h"

#include "base/wilson.h"
#include "players/opening_model.h"
#include "testing.h"

#include <math.h>

enum { PLAYERS = 4, GAMES = 400, BUNDLE = 10, MOVES = 30 };

// About normal, with spread 1.
static double noise(Rng *rng) {
    double sum = 0;
    for (int i = 0; i < 12; i++)
        sum += rng_real(rng);
    return sum - 6;
}

// A game whose moves are a little likelier for the player's own organism. Organism 0 is better for
// all by `advantage`. Moves of a game hang together, so that the noise is larger than they would
// have it.
static void make_game(Rng *rng, size_t player, double advantage, Evidence *out) {
    *out = (Evidence){.moves = MOVES};
    for (size_t i = 0; i < PLAYERS; i++) {
        const double own = (i == player ? 0.03 * MOVES : 0) + (i == 0 ? advantage * MOVES : 0);
        const double sum = own + 1.5 * noise(rng) - 2.3 * MOVES;
        out->hits[i] = 10 + 2 * (unsigned)(i == player) + rng_below(rng, 8);
        for (unsigned step = 0; step < LIKELIHOOD_STEPS; step++)
            out->log_likelihood[step][i] = sum - fabs((double)step - 5) * MOVES / 10;
    }
    for (size_t i = 0; i < COUNT_NB; i++)
        out->counts[i] = 3 + rng_below(rng, 4);
}

static void fit(Recognition *recognition, double advantage) {
    static Evidence evidence[PLAYERS * GAMES];
    static KnownGame known[PLAYERS * GAMES];
    Rng rng = rng_at(1, 0, 0, 0);
    for (size_t i = 0; i < PLAYERS * GAMES; i++) {
        make_game(&rng, i / GAMES, advantage, &evidence[i]);
        known[i] = (KnownGame){&evidence[i], i / GAMES};
    }
    assert_int_equal(recognition_fit(recognition, PLAYERS, known, PLAYERS * GAMES), OK);
}

typedef struct Outcome {
    double right, stated;
} Outcome;

// Shares over fresh bundles.
static Outcome try_rule(const Recognition *recognition, RecognitionRule rule, double advantage) {
    enum { TRIES = 800 };
    Outcome outcome = {0, 0};
    Rng rng = rng_at(2, 0, 0, 0);
    for (size_t i = 0; i < TRIES; i++) {
        Evidence sum = {0}, game;
        double posterior[MOVE_SCORES_LANES], all = 0;
        size_t best = 0;
        for (size_t k = 0; k < BUNDLE; k++) {
            make_game(&rng, i % PLAYERS, advantage, &game);
            evidence_add(&sum, &game);
        }
        recognition_posterior(recognition, rule, &sum, NULL, posterior);
        for (size_t k = 0; k < PLAYERS; k++) {
            best = posterior[k] > posterior[best] ? k : best;
            all += posterior[k];
        }
        assert_true(fabs(all - 1) < 1e-9);
        outcome.right += (best == i % PLAYERS) / (double)TRIES;
        outcome.stated += posterior[best] / TRIES;
    }
    return outcome;
}

static void test_stated_probabilities_are_right(void **state) {
    (void)state;
    Recognition recognition;
    fit(&recognition, 0);
    assert_int_equal(recognition.step, 5);
    for (int rule = 0; rule < RULE_NB; rule++) {
        const Outcome outcome = try_rule(&recognition, (RecognitionRule)rule, 0);
        assert_true(outcome.right > 0.5);
        assert_true(fabs(outcome.right - outcome.stated) < 0.08);
    }
}

static void test_combined_is_not_fooled_by_an_organism_that_suits_all(void **state) {
    (void)state;
    Recognition recognition;
    fit(&recognition, 0.2);
    const Outcome plain = try_rule(&recognition, RULE_LIKELIHOOD, 0.2);
    const Outcome combined = try_rule(&recognition, RULE_COMBINED, 0.2);
    assert_true(plain.right < 0.4);
    assert_true(combined.right > 0.6);
    assert_true(fabs(combined.right - combined.stated) < 0.08);
}

static void test_a_prior_multiplies(void **state) {
    (void)state;
    Recognition recognition;
    recognition_init(&recognition, PLAYERS);
    const Evidence nothing = {0};
    const double prior[PLAYERS] = {1, 2, 3, 4};
    double posterior[PLAYERS];
    recognition_posterior(&recognition, RULE_LIKELIHOOD, &nothing, prior, posterior);
    for (size_t i = 0; i < PLAYERS; i++)
        assert_true(fabs(posterior[i] - prior[i] / 10) < 1e-12);
}

static void test_files_keep_what_was_learned(void **state) {
    (void)state;
    Recognition made, read;
    char path[TESTING_PATH];
    const char *const names[] = {"a", "b", "c", "d"}, *const others[] = {"a", "c", "b", "d"};
    fit(&made, 0.1);
    testing_path(path, "calibration");
    assert_int_equal(recognition_save(&made, names, path), OK);
    assert_int_equal(recognition_load(&read, names, PLAYERS, path), OK);
    Evidence game;
    Rng rng = rng_at(3, 0, 0, 0);
    make_game(&rng, 1, 0.1, &game);
    for (int rule = 0; rule < RULE_NB; rule++) {
        double one[MOVE_SCORES_LANES], two[MOVE_SCORES_LANES];
        recognition_posterior(&made, (RecognitionRule)rule, &game, NULL, one);
        recognition_posterior(&read, (RecognitionRule)rule, &game, NULL, two);
        for (size_t i = 0; i < PLAYERS; i++)
            assert_true(fabs(one[i] - two[i]) < 1e-4);
    }
    assert_int_equal(recognition_load(&read, others, PLAYERS, path), ERR_PARSE);
    assert_int_equal(recognition_load(&read, names, PLAYERS - 1, path), ERR_ARG);
    const char *const bad = "recognition 1\nplayers 4\ntemperature x";
    testing_write(path, "calibration", bad, strlen(bad));
    assert_int_equal(recognition_load(&read, names, PLAYERS, path), ERR_PARSE);
}

static void test_too_few_games_are_refused(void **state) {
    (void)state;
    Recognition recognition;
    const Evidence game = {.moves = 1};
    const KnownGame known[] = {{&game, 0}, {&game, 1}};
    assert_int_equal(recognition_fit(&recognition, 2, known, 2), ERR_ARG);
}

static void test_openings_tell_players_apart(void **state) {
    (void)state;
    OpeningModel *model = opening_model_create(2);
    PlayerGame game = {.side = WHITE, .move_count = 1};
    position_set_start(&game.start);
    for (uint32_t i = 0; i < 20; i++) {
        Move move = move_from_uci(&game.start, i % 2 == 0 ? "e2e4" : "d2d4", 4);
        game.moves = &move;
        game.player = i % 2;
        opening_model_add(model, &game);
    }
    opening_model_finish(model);
    const char *const first[] = {"e2e4", "d2d4", "g1f3"};
    for (int i = 0; i < 3; i++) {
        double scores[2] = {0, 0};
        Move move = move_from_uci(&game.start, first[i], 4);
        game.moves = &move;
        opening_model_score(model, &game, scores);
        if (i == 2) // nobody's
            assert_true(fabs(scores[0] - scores[1]) < 1e-12);
        else
            assert_true(scores[i] > scores[1 - i] + 1);
    }
    opening_model_destroy(model);
}

static void test_intervals(void **state) {
    (void)state;
    const ShareInterval half = wilson_interval(50, 100), none = wilson_interval(0, 10);
    assert_true(fabs(half.low - 0.4038) < 1e-4 && fabs(half.high - 0.5962) < 1e-4);
    assert_true(none.low < 1e-12 && none.low >= 0 && none.high > 0.27 && none.high < 0.28);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stated_probabilities_are_right),
        cmocka_unit_test(test_combined_is_not_fooled_by_an_organism_that_suits_all),
        cmocka_unit_test(test_a_prior_multiplies),
        cmocka_unit_test(test_files_keep_what_was_learned),
        cmocka_unit_test(test_too_few_games_are_refused),
        cmocka_unit_test(test_openings_tell_players_apart),
        cmocka_unit_test(test_intervals),
    };
    return cmocka_run_group_tests(tests, testing_set_up, testing_tear_down);
}
