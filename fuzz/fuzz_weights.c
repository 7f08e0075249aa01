// SPDX-License-Identifier: GPL-3.0-or-later
// A weights file that is accepted has every value within its bounds, and is the same when written
// and read again, but for what is cleaned of its comments; one that is refused is refused with file
// and line.
#include "base/text.h"
#include "chess/position.h"
#include "eval/weights.h"
#include "fuzz/fuzz.h"

#include <string.h>

static bool is_same_text(const Str *a, const Str *b) {
    return a->length == b->length && memcmp(str_text(a), str_text(b), a->length) == 0;
}

static void check_weights(const Weights *weights) {
    const Family *family = weights->family;
    Weights again;
    Str first = {0}, second = {0}, clean = {0};
    for (size_t i = 0; i < family->term_count; i++)
        MUST_HOLD(weights->parameters[i] >= family->terms[i].low &&
                  weights->parameters[i] <= family->terms[i].high);
    weights_write(weights, &first);
    MUST_HOLD(weights_parse(&again, view_of(first.text, first.length), "again") == OK);
    MUST_HOLD(again.family == family);
    MUST_HOLD(memcmp(again.parameters, weights->parameters,
                     family->term_count * sizeof again.parameters[0]) == 0);
    text_clean(&clean, view_of(str_text(&weights->lineage), weights->lineage.length));
    MUST_HOLD(is_same_text(&again.lineage, &clean));
    weights_write(&again, &second);
    MUST_HOLD(is_same_text(&first, &second));
    weights_free(&again);
    str_free(&first);
    str_free(&second);
    str_free(&clean);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Weights weights;
    chess_init();
    if (weights_parse(&weights, view_of((const char *)data, size), "file") == OK) {
        check_weights(&weights);
        weights_free(&weights);
    } else {
        MUST_HOLD(strncmp(error_message(), "file:", 5) == 0);
    }
    return 0;
}
