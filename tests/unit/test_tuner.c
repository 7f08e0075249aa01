// SPDX-License-Identifier: GPL-3.0-or-later
// Both methods of tuning an engine's options, on made-up landscapes of strength.
#include "engine_tuning/tuner.h"

#include "landscapes.h"
#include "sized.h"

enum { SEATS = 32, ROUND_MOST = SEATS / 2 };

static TuneConfig config_of(TuneMethod method, int64_t games, const char *spsa) {
    TuneConfig config = tune_config_init();
    config.method = method;
    config.games = games;
    config.seats = SEATS;
    for (int i = 0; i < LANDSCAPE_SIZE; i++) {
        CLEANUP(str_free) Str text = {0};
        CLEANUP(str_free) Str name = {0};
        str_addf(&name, "option-%d", i);
        str_addf(&text, "%s:0:200:1:%.0f", str_text(&name), landscape_start[i]);
        assert_int_equal(tune_options_add(&config.options, str_text(&text)), OK);
        if (spsa != NULL)
            assert_int_equal(tune_options_set_spsa(&config.options, str_text(&name), spsa), OK);
    }
    return config;
}

static double regained(TuneMethod method, int64_t games, const char *spsa, Landscape landscape,
                       uint32_t seed) {
    CLEANUP(tune_config_free) TuneConfig config = config_of(method, games, spsa);
    config.seed = seed;
    Tuner *tuner;
    assert_int_equal(tuner_create(&tuner, &config), OK);
    for (uint32_t round = 0; (int64_t)tuner_counts(tuner).meetings * 2 < games; round++) {
        RaceMeeting meetings[ROUND_MOST];
        int points[ROUND_MOST];
        const size_t count = tuner_ask(tuner, meetings);
        for (uint32_t i = 0; i < count; i++) {
            Rng rng = rng_at(seed, round, i, 1);
            points[i] =
                play_pair(&rng, landscape(meetings[i].first) - landscape(meetings[i].second));
        }
        assert_int_equal(tuner_tell(tuner, points), OK);
    }
    double best[LANDSCAPE_SIZE];
    tuner_best(tuner, best);
    tuner_destroy(tuner);
    return landscape_regained(landscape, best);
}

// Without a word about rates SPSA leaves a bad start in few games as in many.
static void test_spsa_regains_what_was_lost(void **state) {
    (void)state;
    static const Landscape landscapes[] = {by_ratios, by_cliffs};
    static const struct {
        int64_t games;
        double least;
    } rows[] = {{640, 0.4}, {3000, 0.7}, {10000, 0.85}, {30000, 0.9}};
    for (size_t i = 0; i < 2; i++)
        for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
            enum { SEEDS = SIZED(4, 1) };
            double mean = 0;
            for (uint32_t seed = 1; seed <= SEEDS; seed++)
                mean += regained(TUNE_BY_SPSA, rows[k].games, NULL, landscapes[i], seed) / SEEDS;
            print_message("landscape %zu, %d games: regained %.0f%%\n", i, (int)rows[k].games,
                          100 * mean);
            assert_true(mean > rows[k].least);
        }
}

// Told a rate for a hundred times as many games, it hardly moves: it does as it is told.
static void test_spsa_takes_the_rate_it_is_told(void **state) {
    (void)state;
    const double slow = regained(TUNE_BY_SPSA, 640, "10 0.0002", by_cliffs, 1);
    assert_true(slow > -0.1 && slow < 0.1);
}

static void test_the_race_regains_what_was_lost(void **state) {
    (void)state;
    assert_true(regained(TUNE_BY_RACE, 3200, NULL, by_cliffs, 1) > 0.6);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spsa_regains_what_was_lost),
        cmocka_unit_test(test_spsa_takes_the_rate_it_is_told),
        cmocka_unit_test(test_the_race_regains_what_was_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
