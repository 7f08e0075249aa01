// SPDX-License-Identifier: GPL-3.0-or-later
#include "match/rating/elo_papers.h"

#include <math.h>

AppendixB appendix_b(const GameCounts *counts, double deviations) {
    double wins = (double)counts->wins, draws = (double)counts->draws;
    double losses = (double)counts->losses, games = wins + draws + losses;
    double mean = games == 0 ? 0.5 : (wins + draws / 2) / games;
    double squares =
        wins * (1 - mean) * (1 - mean) + draws * (0.5 - mean) * (0.5 - mean) + losses * mean * mean;
    double s = games < 2 ? INFINITY : sqrt(squares / (games - 1));
    double error = games < 2 ? INFINITY : s / sqrt(games);
    return (AppendixB){
        .mean = mean,
        .difference = elo_of_score(mean),
        .s = s,
        .printed_low = elo_of_score(mean - deviations * s),
        .printed_high = elo_of_score(mean + deviations * s),
        .low = elo_of_score(mean - deviations * error),
        .high = elo_of_score(mean + deviations * error),
    };
}
