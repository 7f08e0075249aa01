// SPDX-License-Identifier: GPL-3.0-or-later
// A calibration as text: words and numbers in a fixed order, which the writer below shows.
#include "base/file.h"
#include "players/recognition.h"

#include <math.h>

enum { FILE_MAX = 1 << 20, FORMAT = 1 };

// No number that was learned comes near it; sums of such numbers are finite.
static const double largest = 1e12;

Status recognition_save(const Recognition *recognition, const char *const *names,
                        const char *path) {
    CLEANUP(str_free) Str text = {0};
    str_addf(&text, "recognition %d\nplayers %zu\ntemperature %.6g\n", FORMAT, recognition->players,
             likelihood_temperature(recognition->step));
    for (int rule = 0; rule < RULE_NB; rule++)
        str_addf(&text, "%s %.6g\n", recognition_rule_names[rule], recognition->power[rule]);
    for (size_t i = 0; i < recognition->players; i++) {
        str_addf(&text, "player %s\nbias %.9g\nweights", names[i], recognition->bias[i]);
        for (size_t k = 0; k < RECOGNITION_FEATURES; k++)
            str_addf(&text, " %.9g", recognition->weights[i][k]);
        str_add(&text, "\n");
    }
    return file_write(path, str_text(&text), text.length);
}

static Status expect_word(StrView *rest, const char *expected) {
    const StrView word = view_next_word(rest);
    return view_equals(word, expected) ? OK
                                       : error_set(ERR_PARSE, "'%.*s' where a calibration has '%s'",
                                                   (int)word.length, word.text, expected);
}

static Status expect_name(StrView *rest, const char *expected) {
    const StrView word = view_next_word(rest);
    return view_equals(word, expected)
               ? OK
               : error_set(ERR_PARSE,
                           "it is of %.*s where %s is given: give the players it was made for, in "
                           "the same order",
                           (int)word.length, word.text, expected);
}

static Status expect_number(StrView *rest, double *out) {
    const StrView word = view_next_word(rest);
    return view_to_number(word, out) && fabs(*out) <= largest
               ? OK
               : error_set(ERR_PARSE, "'%.*s' is no number", (int)word.length, word.text);
}

static Status expect_pair(StrView *rest, const char *word, double *out) {
    TRY(expect_word(rest, word));
    return expect_number(rest, out);
}

static Status read_head(Recognition *out, size_t players, StrView *rest) {
    double format = 0, count = 0, temperature = 0;
    TRY(expect_pair(rest, "recognition", &format));
    TRY(expect_pair(rest, "players", &count));
    TRY(expect_pair(rest, "temperature", &temperature));
    if (format != FORMAT || count != (double)players)
        return error_set(ERR_ARG, "a calibration for %.0f players (format %.0f), not for %zu",
                         count, format, players);
    for (int rule = 0; rule < RULE_NB; rule++)
        TRY(expect_pair(rest, recognition_rule_names[rule], &out->power[rule]));
    out->step = 0;
    for (unsigned step = 1; step < LIKELIHOOD_STEPS; step++)
        if (fabs(likelihood_temperature(step) - temperature) <
            fabs(likelihood_temperature(out->step) - temperature))
            out->step = step;
    return OK;
}

static Status read_all(Recognition *out, const char *const *names, size_t players, StrView rest) {
    TRY(read_head(out, players, &rest));
    for (size_t i = 0; i < players; i++) {
        TRY(expect_word(&rest, "player"));
        TRY(expect_name(&rest, names[i]));
        TRY(expect_pair(&rest, "bias", &out->bias[i]));
        TRY(expect_word(&rest, "weights"));
        for (size_t k = 0; k < RECOGNITION_FEATURES; k++)
            TRY(expect_number(&rest, &out->weights[i][k]));
    }
    return view_next_word(&rest).length == 0 ? OK
                                             : error_set(ERR_PARSE, "more than a calibration has");
}

Status recognition_load(Recognition *out, const char *const *names, size_t players,
                        const char *path) {
    CLEANUP(str_free) Str text = {0};
    recognition_init(out, players);
    TRY(file_read(path, FILE_MAX, &text));
    TRY_PREFIX(read_all(out, names, players, view_of(str_text(&text), text.length)), "%s", path);
    out->has_combined = true;
    return OK;
}
