// SPDX-License-Identifier: GPL-3.0-or-later
// After M. Van den Bergh, "The generalized sequential probability ratio test for Elo" and "The
// normalized Elo" (notes on the mathematics of fishtest).
#include "match/rating/sprt.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    BISECTIONS = 100,
    ROUNDS_MAX = 100, // of the fixed point below; a handful is usual
    KEY_COUNT = 5,
    WORD_SIZE = 64,
};

// A result never seen is not impossible: it counts this much, as in fishtest.
static const double unseen = 1e-3;
// And no less than this share of all, so that the arithmetic bears huge counts.
static const double unseen_share = 1e-12;
// Beyond these no test is sensible; the fixed point below was tried up to here.
static const double elo_max[] = {[SPRT_LOGISTIC] = 1000, [SPRT_NORMALIZED] = 200};

const char *const sprt_model_names[] = {"logistic", "normalized", NULL};

// Shares of results 0, 1/(count-1) ... 1.
typedef struct Distribution {
    size_t count;
    double share[PAIR_RESULTS];
    double total; // how many results
} Distribution;

static double value_at(const Distribution *d, size_t i) {
    return (double)i / (double)(d->count - 1);
}

static Distribution distribution_of(const uint64_t *counts, size_t count) {
    Distribution out = {.count = count};
    for (size_t i = 0; i < count; i++)
        out.total += (double)counts[i];
    if (out.total == 0)
        return out;
    double least = fmax(unseen, out.total * unseen_share), sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += fmax((double)counts[i], least);
    for (size_t i = 0; i < count; i++)
        out.share[i] = fmax((double)counts[i], least) / sum;
    out.total = sum;
    return out;
}

// The likeliest shares under which `values` average 0 are share / ratio, with ratio = 1 + x value
// for the x at which they do. `values` must have both signs; the sum falls as x grows.
static void find_ratios(const Distribution *seen, const double *values, double *ratios) {
    double least = values[0], most = values[0];
    for (size_t i = 1; i < seen->count; i++) {
        least = fmin(least, values[i]);
        most = fmax(most, values[i]);
    }
    double low = -1 / most, high = -1 / least, x = 0;
    for (int step = 0; step < BISECTIONS; step++) {
        double sum = 0;
        for (size_t i = 0; i < seen->count; i++)
            sum += seen->share[i] * values[i] / (1 + x * values[i]);
        *(sum > 0 ? &low : &high) = x;
        x = (low + high) / 2;
    }
    for (size_t i = 0; i < seen->count; i++)
        ratios[i] = 1 + x * values[i];
}

static void ratios_at_mean(const Distribution *seen, double mean, double *ratios) {
    double values[PAIR_RESULTS];
    for (size_t i = 0; i < seen->count; i++)
        values[i] = value_at(seen, i) - mean;
    find_ratios(seen, values, ratios);
}

static double moments(const Distribution *d, const double *share, double *deviation) {
    double mean = 0, square = 0;
    for (size_t i = 0; i < d->count; i++)
        mean += share[i] * value_at(d, i);
    for (size_t i = 0; i < d->count; i++)
        square += share[i] * (value_at(d, i) - mean) * (value_at(d, i) - mean);
    *deviation = sqrt(square);
    return mean;
}

// The likeliest shares whose mean is `t` standard deviations above one half: that is linear once
// mean and deviation are known, so they are guessed and corrected until they agree.
static void ratios_at_t(const Distribution *seen, double t, double *ratios) {
    double share[PAIR_RESULTS], values[PAIR_RESULTS] = {0}, change = 1;
    for (size_t i = 0; i < seen->count; i++)
        share[i] = 1 / (double)seen->count;
    for (int round = 0; round < ROUNDS_MAX && change > 1e-10; round++) {
        double deviation, mean = moments(seen, share, &deviation);
        for (size_t i = 0; i < seen->count; i++) {
            double z = (value_at(seen, i) - mean) / deviation;
            values[i] = value_at(seen, i) - 0.5 - t * deviation * (1 + z * z) / 2;
        }
        find_ratios(seen, values, ratios);
        change = 0;
        for (size_t i = 0; i < seen->count; i++) {
            change = fmax(change, fabs(seen->share[i] / ratios[i] - share[i]));
            share[i] = seen->share[i] / ratios[i];
        }
    }
}

static void ratios_at_elo(SprtModel model, const Distribution *seen, double elo, double *ratios) {
    elo = fmax(-elo_max[model], fmin(elo, elo_max[model]));
    if (model == SPRT_LOGISTIC) {
        ratios_at_mean(seen, elo_to_score(elo), ratios);
    } else {
        // The mean of a pair spreads less than a game.
        double games = seen->count == PAIR_RESULTS ? 2 : 1;
        ratios_at_t(seen, elo / ELO_PER_DEVIATION * sqrt(games), ratios);
    }
}

static SprtState test(const SprtConfig *config, const Distribution *seen) {
    SprtState state = {.lower = log(config->beta / (1 - config->alpha)),
                       .upper = log((1 - config->beta) / config->alpha)};
    if (seen->total == 0)
        return state;
    double ratios0[PAIR_RESULTS], ratios1[PAIR_RESULTS];
    ratios_at_elo(config->model, seen, config->elo0, ratios0);
    ratios_at_elo(config->model, seen, config->elo1, ratios1);
    for (size_t i = 0; i < seen->count; i++)
        state.llr += seen->total * seen->share[i] * log(ratios0[i] / ratios1[i]);
    if (state.llr >= state.upper)
        state.verdict = SPRT_H1;
    else if (state.llr <= state.lower)
        state.verdict = SPRT_H0;
    return state;
}

SprtState sprt_from_games(const SprtConfig *config, const GameCounts *counts) {
    Distribution seen =
        distribution_of((uint64_t[]){counts->losses, counts->draws, counts->wins}, 3);
    return test(config, &seen);
}

SprtState sprt_from_pairs(const SprtConfig *config, const PairCounts *counts) {
    Distribution seen = distribution_of(counts->results, PAIR_RESULTS);
    return test(config, &seen);
}

// --- words ---

static Status parse_model(const char *text, SprtModel *out) {
    for (size_t i = 0; sprt_model_names[i] != NULL; i++) {
        if (strcmp(sprt_model_names[i], text) == 0) {
            *out = (SprtModel)i;
            return OK;
        }
    }
    return error_set(ERR_ARG, "model=%s: expected logistic or normalized", text);
}

static Status parse_number(const char *key, const char *text, double *out) {
    char *end;
    errno = 0;
    *out = strtod(text, &end);
    if (end == text || *end != '\0' || errno != 0 || !isfinite(*out))
        return error_set(ERR_ARG, "%s=%s: expected a number", key, text);
    return OK;
}

// One word; sets the bit of its key in `given`.
static Status parse_word(SprtConfig *config, StrView view, unsigned *given) {
    static const char *const keys[KEY_COUNT] = {"elo0", "elo1", "alpha", "beta", "model"};
    double *numbers[] = {&config->elo0, &config->elo1, &config->alpha, &config->beta};
    char word[WORD_SIZE];
    snprintf(word, sizeof word, "%.*s", (int)view.length, view.text);
    char *equals = strchr(word, '=');
    if (equals != NULL)
        *equals = '\0';
    for (size_t k = 0; equals != NULL && view.length < sizeof word && k < KEY_COUNT; k++) {
        if (strcmp(word, keys[k]) != 0)
            continue;
        *given |= 1U << k;
        return k == KEY_COUNT - 1 ? parse_model(equals + 1, &config->model)
                                  : parse_number(keys[k], equals + 1, numbers[k]);
    }
    return error_set(ERR_ARG,
                     "'%.*s': expected elo0=, elo1=, alpha=, beta= or model=", (int)view.length,
                     view.text);
}

static Status check(const SprtConfig *config, unsigned given) {
    double most = elo_max[config->model];
    if ((given & 3) != 3)
        return error_set(ERR_ARG, "elo0= and elo1= are both needed");
    if (!(config->elo0 < config->elo1))
        return error_set(ERR_ARG, "elo0 must be less than elo1");
    if (config->elo0 < -most || config->elo1 > most)
        return error_set(ERR_ARG, "elo0 and elo1 must be within %g of 0 (%s Elo)", most,
                         sprt_model_names[config->model]);
    if (!(config->alpha > 0 && config->beta > 0 && config->alpha < 0.5 && config->beta < 0.5))
        return error_set(ERR_ARG, "alpha and beta must be above 0 and below 0.5");
    return OK;
}

Status sprt_parse(SprtConfig *out, char *const *words, int count) {
    SprtConfig config = {.alpha = 0.05, .beta = 0.05, .model = SPRT_LOGISTIC};
    unsigned given = 0;
    for (int i = 0; i < count; i++) {
        StrView rest = view_from_string(words[i]), word;
        while ((word = view_next_word(&rest)).length != 0)
            TRY(parse_word(&config, word, &given));
    }
    TRY(check(&config, given));
    *out = config;
    return OK;
}

void sprt_describe(const SprtConfig *config, const SprtState *state, Str *out) {
    static const char *const verdicts[] = {"", " - H0 was accepted", " - H1 was accepted"};
    // Kept from "-0.00".
    double llr = fabs(state->llr) < 0.005 ? 0 : state->llr;
    str_addf(out, "SPRT: llr %.2f (%.1f%%), lbound %.2f, ubound %.2f%s\n", llr,
             100 * llr / (llr < 0 ? -state->lower : state->upper), state->lower, state->upper,
             verdicts[state->verdict]);
    str_addf(out, "LLR: %.2f (%.2f, %.2f) [%.2f, %.2f] %s Elo\n", llr, state->lower, state->upper,
             config->elo0, config->elo1, sprt_model_names[config->model]);
}
