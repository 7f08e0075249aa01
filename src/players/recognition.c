// SPDX-License-Identifier: GPL-3.0-or-later
#include "players/recognition.h"

#include "base/file.h"
#include "base/mem.h"
#include "players/discriminant.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const recognition_rule_names[RULE_NB + 1] = {"agreement", "likelihood", "combined"};

// Powers that are tried: a geometric row.
enum { POWERS = 48, START_STEP = 6 };
// Probabilities are to be right for bundles of any size.
enum { SIZES = 3 };
static const unsigned bundle_sizes[SIZES] = {1, 3, RECOGNITION_BUNDLE};
static const double POWER_LOW = 0.01, POWER_STEP = 1.15;
// And how much of a player's own likelihood is tried beside the discriminant.
static const double OWN_LOW = 0.02, OWN_STEP = 1.7, OWN_HIGH = 10;

void recognition_init(Recognition *recognition, size_t players) {
    *recognition = (Recognition){.players = players, .step = START_STEP};
    for (int rule = 0; rule < RULE_NB; rule++)
        recognition->power[rule] = rule == RULE_HITS ? 0.1 : 0.5;
}

bool recognition_is_valid(const Recognition *recognition) {
    bool is_valid =
        recognition->players <= MOVE_SCORES_LANES && recognition->step < LIKELIHOOD_STEPS;
    for (int rule = 0; rule < RULE_NB && is_valid; rule++)
        is_valid = isfinite(recognition->power[rule]);
    for (size_t i = 0; i < recognition->players && is_valid; i++)
        for (size_t k = 0; k < RECOGNITION_FEATURES && is_valid; k++)
            is_valid = isfinite(recognition->weights[i][k]) && isfinite(recognition->bias[i]);
    return is_valid;
}

// --- scores ---

// Sums over moves. What all players have in common says nothing: it is taken out.
static void features_of(const Recognition *recognition, const Evidence *evidence,
                        double features[RECOGNITION_FEATURES]) {
    const size_t players = recognition->players;
    const double *likelihoods = evidence->log_likelihood[recognition->step];
    double likelihood = 0;
    for (size_t i = 0; i < players; i++)
        likelihood += likelihoods[i] / (double)players;
    memset(features, 0, RECOGNITION_FEATURES * sizeof *features);
    for (size_t i = 0; i < players; i++)
        features[i] = likelihoods[i] - likelihood;
    for (size_t i = 0; i < COUNT_NB; i++)
        features[MOVE_SCORES_LANES + i] = evidence->counts[i];
}

// The score of each player by a rule, comparable between players only.
static void score_players(const Recognition *recognition, RecognitionRule rule,
                          const Evidence *evidence, double *scores) {
    double features[RECOGNITION_FEATURES];
    features_of(recognition, evidence, features);
    for (size_t i = 0; i < recognition->players; i++) {
        if (rule == RULE_HITS)
            scores[i] = evidence->hits[i];
        else if (rule == RULE_LIKELIHOOD)
            scores[i] = features[i];
        else {
            scores[i] = recognition->bias[i] * evidence->moves;
            for (size_t k = 0; k < RECOGNITION_FEATURES; k++)
                scores[i] += recognition->weights[i][k] * features[k];
        }
    }
}

// Scores become probabilities.
static void normalize(double *scores, size_t count, double power, const double *prior) {
    double most = -INFINITY, sum = 0;
    for (size_t i = 0; i < count; i++) {
        scores[i] = power * scores[i] + (prior == NULL ? 0 : log(prior[i]));
        most = scores[i] > most ? scores[i] : most;
    }
    for (size_t i = 0; i < count; i++)
        sum += scores[i] = exp(scores[i] - most);
    for (size_t i = 0; i < count; i++)
        scores[i] /= sum;
}

void recognition_posterior(const Recognition *recognition, RecognitionRule rule,
                           const Evidence *evidence, const double *prior, double *posterior) {
    assert(recognition_is_valid(recognition));
    score_players(recognition, rule, evidence, posterior);
    normalize(posterior, recognition->players, recognition->power[rule], prior);
}

// --- learning ---

// The temperature at which everybody's moves are likeliest for their own organism.
static unsigned best_step(const KnownGame *games, size_t count) {
    unsigned best = 0;
    double most = -INFINITY;
    for (unsigned step = 0; step < LIKELIHOOD_STEPS; step++) {
        double sum = 0;
        for (size_t i = 0; i < count; i++)
            sum += games[i].evidence->log_likelihood[step][games[i].player];
        if (sum > most) {
            most = sum;
            best = step;
        }
    }
    return best;
}

// Learns the discriminant from the games of one parity, or from all (parity 2).
static Status learn_weights(Recognition *recognition, const KnownGame *games, size_t count,
                            size_t parity) {
    CLEANUP(discriminant_destroy_at)
    Discriminant *discriminant = discriminant_create(recognition->players, RECOGNITION_FEATURES);
    double features[RECOGNITION_FEATURES];
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < count; i++) {
            if (games[i].evidence->moves == 0 || i % 2 == parity)
                continue;
            features_of(recognition, games[i].evidence, features);
            discriminant_add(discriminant, pass, games[i].player, features,
                             games[i].evidence->moves);
        }
    }
    for (size_t i = 0; i < recognition->players; i++)
        TRY(discriminant_solve(discriminant, i, recognition->weights[i], &recognition->bias[i]));
    return OK;
}

// The discriminant knows nothing of which likelihood is whose own: so much of it is added.
static void add_own(Recognition *recognition, double own) {
    for (size_t i = 0; i < recognition->players; i++)
        recognition->weights[i][i] += own;
}

// Sums of surprises at who played bundles of each size, for each power.
typedef struct Surprises {
    double sums[SIZES][POWERS];
    double bundles[SIZES];
} Surprises;

static void add_bundle(const Recognition *recognition, RecognitionRule rule, const Evidence *bundle,
                       size_t player, size_t size, Surprises *out) {
    out->bundles[size] += 1;
    for (size_t power = 0; power < POWERS; power++) {
        double scores[MOVE_SCORES_LANES];
        score_players(recognition, rule, bundle, scores);
        normalize(scores, recognition->players, POWER_LOW * pow(POWER_STEP, (double)power), NULL);
        out->sums[size][power] -= log(fmax(scores[player], 1e-12));
    }
}

// Games of one parity, bundled in a row.
static void add_surprises(const Recognition *recognition, RecognitionRule rule,
                          const KnownGame *games, size_t count, size_t parity, Surprises *out) {
    for (size_t size = 0; size < SIZES; size++)
        for (size_t player = 0; player < recognition->players; player++) {
            Evidence sum = {0};
            unsigned bundled = 0;
            for (size_t i = 0; i < count; i++) {
                if (games[i].player != player || i % 2 != parity)
                    continue;
                evidence_add(&sum, games[i].evidence);
                if (++bundled < bundle_sizes[size])
                    continue;
                add_bundle(recognition, rule, &sum, player, size, out);
                sum = (Evidence){0};
                bundled = 0;
            }
        }
}

// The power whose mean surprise, over all sizes alike, is the least; returns that sum.
static double choose_power(Recognition *recognition, int rule, const Surprises *surprises) {
    double least = INFINITY;
    for (size_t power = 0; power < POWERS; power++) {
        double sum = 0, last = 0;
        for (size_t size = 0; size < SIZES; size++) {
            last = surprises->sums[size][power] / fmax(1, surprises->bundles[size]);
            sum += last;
        }
        if (sum < least) {
            least = sum;
            recognition->power[rule] = POWER_LOW * pow(POWER_STEP, (double)power);
            recognition->surprise[rule] = last;
        }
    }
    return least;
}

// Half of the games teach the discriminant whose power the other half tells, and the other way.
static Status try_rule(Recognition *recognition, RecognitionRule rule, double own,
                       const KnownGame *games, size_t count, double *surprise) {
    Surprises surprises = {0};
    for (size_t parity = 0; parity < 2; parity++) {
        TRY(learn_weights(recognition, games, count, parity));
        add_own(recognition, own);
        add_surprises(recognition, rule, games, count, parity, &surprises);
    }
    *surprise = choose_power(recognition, rule, &surprises);
    return OK;
}

static Status fit_rules(Recognition *recognition, const KnownGame *games, size_t count) {
    double surprise, least = INFINITY, best = 0, power = 0, last = 0;
    TRY(try_rule(recognition, RULE_HITS, 0, games, count, &surprise));
    TRY(try_rule(recognition, RULE_LIKELIHOOD, 0, games, count, &surprise));
    for (double own = 0; own<OWN_HIGH; own = own> 0 ? own * OWN_STEP : OWN_LOW) {
        TRY(try_rule(recognition, RULE_COMBINED, own, games, count, &surprise));
        if (surprise < least) {
            least = surprise;
            best = own;
            power = recognition->power[RULE_COMBINED];
            last = recognition->surprise[RULE_COMBINED];
        }
    }
    recognition->power[RULE_COMBINED] = power;
    recognition->surprise[RULE_COMBINED] = last;
    TRY(learn_weights(recognition, games, count, 2));
    add_own(recognition, best);
    return OK;
}

Status recognition_fit(Recognition *recognition, size_t players, const KnownGame *games,
                       size_t count) {
    size_t having[MOVE_SCORES_LANES] = {0};
    recognition_init(recognition, players);
    for (size_t i = 0; i < count; i++)
        having[games[i].player] += games[i].evidence->moves > 0;
    for (size_t i = 0; i < players; i++)
        if (having[i] < RECOGNITION_GAMES_MIN)
            return error_set(ERR_ARG, "player %zu has %zu games to calibrate with, of %d needed",
                             i + 1, having[i], RECOGNITION_GAMES_MIN);
    recognition->step = best_step(games, count);
    TRY(fit_rules(recognition, games, count));
    recognition->has_combined = true;
    return OK;
}
