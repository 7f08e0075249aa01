// SPDX-License-Identifier: GPL-3.0-or-later
#include "match/rating/elo.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

double elo_of_score(double score) {
    if (score <= 0)
        return -INFINITY;
    if (score >= 1)
        return INFINITY;
    return 400.0 * log10(score / (1.0 - score));
}

double elo_to_score(double elo) {
    return 1.0 / (1.0 + pow(10.0, -elo / 400.0));
}

double elo_normal_below(double deviations) {
    return 0.5 * erfc(-deviations / sqrt(2.0));
}

// How many games one result of `n` kinds is the mean of.
static double games_in_result(size_t n) {
    return n == PAIR_RESULTS ? 2 : 1;
}

// Mean of results 0, 1/(n-1) ... 1, and the variance of one result around it.
static double mean_of(const double *counts, size_t n, double *variance) {
    double total = 0, sum = 0, squares = 0;
    for (size_t i = 0; i < n; i++) {
        double value = (double)i / (double)(n - 1);
        total += counts[i];
        sum += counts[i] * value;
        squares += counts[i] * value * value;
    }
    double mean = sum / total;
    *variance = squares / total - mean * mean;
    return mean;
}

// Distance of the mean from one half in deviations of a game.
static double normalized_of(const double *counts, size_t n) {
    double variance, mean = mean_of(counts, n, &variance);
    if (fabs(mean - 0.5) <= 1e-12)
        return 0;
    if (variance <= 1e-12)
        return mean < 0.5 ? -INFINITY : INFINITY;
    return ELO_PER_DEVIATION * (mean - 0.5) / sqrt(variance * games_in_result(n));
}

// The interval of results that are all alike would have no width: half a result is added at each
// end, for the interval only.
static double spread_of(const double *counts, size_t n, double *mean) {
    double padded[PAIR_RESULTS], total = 0, variance;
    *mean = mean_of(counts, n, &variance);
    for (size_t i = 0; i < n; i++) {
        padded[i] = counts[i] + (i == 0 || i == n - 1 ? 0.5 : 0.0);
        total += counts[i];
    }
    if (variance <= 1e-12) {
        mean_of(padded, n, &variance);
        total += 1;
    }
    return sqrt(variance / total);
}

static EloEstimate estimate(const double *counts, size_t n) {
    double total = 0, mean, error;
    for (size_t i = 0; i < n; i++)
        total += counts[i];
    if (total == 0)
        return (EloEstimate){.score = 0.5,
                             .low = -INFINITY,
                             .high = INFINITY,
                             .margin = INFINITY,
                             .los = 0.5,
                             .normalized_margin = INFINITY};
    error = spread_of(counts, n, &mean);
    EloEstimate out = {.score = mean,
                       .elo = elo_of_score(mean),
                       .low = elo_of_score(mean - ELO_Z_95 * error),
                       .high = elo_of_score(mean + ELO_Z_95 * error),
                       .los = elo_normal_below((mean - 0.5) / error),
                       .draw_ratio = counts[n / 2] / total,
                       .normalized = normalized_of(counts, n),
                       .normalized_margin =
                           ELO_Z_95 * ELO_PER_DEVIATION / sqrt(total * games_in_result(n))};
    bool is_finite = isfinite(out.low) && isfinite(out.high);
    out.margin = is_finite ? (out.high - out.low) / 2 : INFINITY;
    return out;
}

EloEstimate elo_from_games(const GameCounts *counts) {
    double results[3] = {(double)counts->losses, (double)counts->draws, (double)counts->wins};
    EloEstimate out = estimate(results, 3);
    // Draws tell nothing about who is better: the usual form leaves them out.
    double decided = results[0] + results[2];
    out.los = decided == 0 ? 0.5 : elo_normal_below((results[2] - results[0]) / sqrt(decided));
    return out;
}

EloEstimate elo_from_pairs(const PairCounts *counts) {
    double results[PAIR_RESULTS];
    for (size_t i = 0; i < PAIR_RESULTS; i++)
        results[i] = (double)counts->results[i];
    return estimate(results, PAIR_RESULTS);
}

EloOfPapers elo_of_papers(const GameCounts *counts, double deviations) {
    double wins = (double)counts->wins, draws = (double)counts->draws;
    double losses = (double)counts->losses, games = wins + draws + losses;
    double mean = games == 0 ? 0.5 : (wins + draws / 2) / games;
    double squares =
        wins * (1 - mean) * (1 - mean) + draws * (0.5 - mean) * (0.5 - mean) + losses * mean * mean;
    double s = games < 2 ? INFINITY : sqrt(squares / (games - 1));
    double error = games < 2 ? INFINITY : s / sqrt(games);
    return (EloOfPapers){
        .mean = mean,
        .difference = elo_of_score(mean),
        .s = s,
        .printed_low = elo_of_score(mean - deviations * s),
        .printed_high = elo_of_score(mean + deviations * s),
        .low = elo_of_score(mean - deviations * error),
        .high = elo_of_score(mean + deviations * error),
    };
}
