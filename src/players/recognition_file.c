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
    Str text = {0};
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
    const Status status = file_write(path, str_text(&text), text.length);
    str_free(&text);
    return status;
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
    const Status status = expect_word(rest, word);
    return status == OK ? expect_number(rest, out) : status;
}

static Status read_head(Recognition *out, size_t players, StrView *rest) {
    double format = 0, count = 0, temperature = 0;
    Status status = expect_pair(rest, "recognition", &format);
    if (status == OK)
        status = expect_pair(rest, "players", &count);
    if (status == OK)
        status = expect_pair(rest, "temperature", &temperature);
    if (status == OK && (format != FORMAT || count != (double)players))
        status = error_set(ERR_ARG, "a calibration for %.0f players (format %.0f), not for %zu",
                           count, format, players);
    for (int rule = 0; rule < RULE_NB && status == OK; rule++)
        status = expect_pair(rest, recognition_rule_names[rule], &out->power[rule]);
    out->step = 0;
    for (unsigned step = 1; step < LIKELIHOOD_STEPS; step++)
        if (fabs(likelihood_temperature(step) - temperature) <
            fabs(likelihood_temperature(out->step) - temperature))
            out->step = step;
    return status;
}

static Status read_all(Recognition *out, const char *const *names, size_t players, StrView rest) {
    Status status = read_head(out, players, &rest);
    for (size_t i = 0; i < players && status == OK; i++) {
        status = expect_word(&rest, "player");
        if (status == OK)
            status = expect_name(&rest, names[i]);
        if (status == OK)
            status = expect_pair(&rest, "bias", &out->bias[i]);
        if (status == OK)
            status = expect_word(&rest, "weights");
        for (size_t k = 0; k < RECOGNITION_FEATURES && status == OK; k++)
            status = expect_number(&rest, &out->weights[i][k]);
    }
    if (status == OK && view_next_word(&rest).length > 0)
        status = error_set(ERR_PARSE, "more than a calibration has");
    return status;
}

Status recognition_load(Recognition *out, const char *const *names, size_t players,
                        const char *path) {
    Str text = {0};
    recognition_init(out, players);
    Status status = file_read(path, FILE_MAX, &text);
    if (status == OK) {
        status = read_all(out, names, players, view_of(str_text(&text), text.length));
        if (status != OK)
            error_prefix("%s", path);
    }
    out->has_combined = status == OK;
    str_free(&text);
    return status;
}
