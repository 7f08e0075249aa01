// SPDX-License-Identifier: GPL-3.0-or-later
// Labelled sets of random positions, and runs of evolution on them.
#pragma once

#include "chess/epd.h"
#include "eval/evaluator.h"
#include "optimum/mentors_optimum.h"
#include "run/run.h"
#include "testing.h"

// Writes a set of positions from random games. The mentor is Fig. 3's weights, off by up to `noise`
// centipawns.
static inline void mentoring_write(char out[TESTING_PATH], const char *name, size_t count,
                                   uint32_t noise, uint32_t seed) {
    Rng rng = rng_at(seed, 7, 0, 0);
    PgnGame game = {0};
    Weights weights;
    Str text = {0};
    assert_int_equal(weights_load(&weights, "weights/maestro-gecco2008.weights"), OK);
    Evaluator *evaluator = evaluator_create(&weights, false);
    for (size_t i = 0; i < count; i++) {
        testing_random_game(&game, &rng, 5 + rng_below(&rng, 60));
        Epd epd = {.pos = game.final};
        const int score = evaluator_score(evaluator, &epd.pos);
        const int off = (int)rng_below(&rng, 2 * noise + 1) - (int)noise;
        assert_int_equal(epd_set_int(&epd, "ce", score + off), OK);
        epd_write(&epd, &text);
        str_add(&text, "\n");
        epd_free(&epd);
    }
    testing_write(out, name, str_text(&text), text.length);
    evaluator_destroy(evaluator);
    weights_free(&weights);
    pgn_game_free(&game);
    str_free(&text);
}

// The certified optimum of what a problem is judged by.
static inline Status mentoring_optimum(const Problem *problem, CertifiedOptimum *out) {
    MentorData data;
    assert_true(mentor_data_of(problem, SET_TRAINING, &data));
    return mentors_optimum(&data, out);
}

// Sets what the words "name value name value ..." say.
static inline void mentoring_set(RunConfig *config, const char *words) {
    StrView rest = view_from_string(words);
    for (StrView name; (name = view_next_word(&rest)).length > 0;) {
        char key[64], text[TESTING_PATH];
        const StrView value = view_next_word(&rest);
        snprintf(key, sizeof key, "%.*s", (int)name.length, name.text);
        snprintf(text, sizeof text, "%.*s", (int)value.length, value.text);
        if (run_config_set(config, key, text) != OK)
            fail_msg("%s", error_message());
    }
}

// The problem of a set, with the settings that the words say.
static inline Problem *mentoring_problem(RunConfig *config, const char *path, const char *words,
                                         DistPool *workers) {
    char data[TESTING_PATH + 16];
    Problem *problem;
    run_config_init(config);
    snprintf(data, sizeof data, "data %s", path);
    mentoring_set(config, data);
    mentoring_set(config, words);
    if (problem_create(&problem, config, workers) != OK)
        fail_msg("%s", error_message());
    return problem;
}

static inline void assert_message(const char *part) {
    if (strstr(error_message(), part) == NULL)
        fail_msg("'%s' is not in the message: %s", part, error_message());
}
