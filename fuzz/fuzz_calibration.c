// SPDX-License-Identifier: GPL-3.0-or-later
// A calibration that is read gives probabilities, whatever its numbers are, and is the same when
// written and read again; one that is refused is refused with its file.
#include "fuzz/scratch.h"
#include "players/recognition.h"

#include <math.h>
#include <string.h>

enum { PLAYERS = 2 };

static const char *const names[PLAYERS] = {"Tal", "Petrosian"};

static void load_again(const char *path, Str *text) {
    Recognition again;
    MUST_HOLD(recognition_load(&again, names, PLAYERS, path) == OK);
    MUST_HOLD(recognition_save(&again, names, path) == OK);
    MUST_HOLD(scratch_read("calibration", text));
}

// Some moves of a game, that both might have played.
static Evidence make_evidence(void) {
    Evidence evidence = {.moves = 40, .hits = {20, 15}};
    for (size_t i = 0; i < COUNT_NB; i++)
        evidence.counts[i] = (unsigned)(40 / (i + 1));
    for (size_t step = 0; step < LIKELIHOOD_STEPS; step++)
        for (size_t i = 0; i < PLAYERS; i++)
            evidence.log_likelihood[step][i] = -60.0 - (double)(step + i);
    return evidence;
}

static void check_probabilities(const Recognition *recognition) {
    const Evidence evidence = make_evidence();
    for (int rule = 0; rule < RULE_NB; rule++) {
        double posterior[MOVE_SCORES_LANES], sum = 0;
        recognition_posterior(recognition, (RecognitionRule)rule, &evidence, NULL, posterior);
        for (size_t i = 0; i < PLAYERS; i++) {
            MUST_HOLD(posterior[i] >= 0 && posterior[i] <= 1);
            sum += posterior[i];
        }
        MUST_HOLD(fabs(sum - 1) < 1e-6);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Recognition recognition;
    Str path = {0}, first = {0}, second = {0};
    str_addf(&path, "%s/calibration", scratch_folder());
    scratch_write("calibration", view_of((const char *)data, size));
    if (recognition_load(&recognition, names, PLAYERS, str_text(&path)) == OK) {
        check_probabilities(&recognition);
        MUST_HOLD(recognition_save(&recognition, names, str_text(&path)) == OK);
        MUST_HOLD(scratch_read("calibration", &first));
        load_again(str_text(&path), &second);
        MUST_HOLD(strcmp(str_text(&first), str_text(&second)) == 0);
    } else {
        MUST_HOLD(strncmp(error_message(), str_text(&path), path.length) == 0);
    }
    str_free(&path);
    str_free(&first);
    str_free(&second);
    return 0;
}
