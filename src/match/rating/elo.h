// SPDX-License-Identifier: GPL-3.0-or-later
// What results say about strength. Pure maths, total: no result, only wins and only draws are fine.
#pragma once

#include <stdint.h>

// Normalized Elo is the mean's distance from one half in standard deviations of a game, times this
// (800 / ln 10): it says how many games it takes to tell two players apart, whatever the draws.
#define ELO_PER_DEVIATION 347.43558552260146

// Half the width of a 95% interval, in standard deviations.
#define ELO_Z_95 1.959963984540054

// Games by result, from the first player's view.
typedef struct GameCounts {
    uint64_t wins, losses, draws;
} GameCounts;

// Pairs of games from the same opening with colours reversed, by the half points scored: 0 to 4.
enum { PAIR_RESULTS = 5 };
typedef struct PairCounts {
    uint64_t results[PAIR_RESULTS];
} PairCounts;

typedef struct EloEstimate {
    double score;             // mean result of a game, 0 to 1; 0.5 without games
    double elo, low, high;    // the difference, and its 95% interval; may be infinite, never NaN
    double margin;            // half the width of the interval
    double los;               // likelihood of superiority, 0 to 1
    double draw_ratio;        // draws among the games; from pairs: pairs that scored evenly
    double normalized;        // normalized Elo; infinite when all results are the same and not even
    double normalized_margin; // half the width of its 95% interval; infinite without games
} EloEstimate;

// Elo difference of an expected score: -inf for 0, +inf for 1.
double elo_of_score(double score);
double elo_to_score(double elo);
// The share of a normal distribution that lies below so many standard deviations.
double elo_normal_below(double deviations);

// Each game by itself (trinomial).
EloEstimate elo_from_games(const GameCounts *counts);
// Pairs taken together (pentanomial), which takes the opening's share out of the noise.
EloEstimate elo_from_pairs(const PairCounts *counts);

// --- Appendix B of GECCO 2008 and GPEM 2010, under the numbers of the latter ---
//
// (B.1), the winning rate of a rating difference, is elo_to_score, and (B.2), its inverse,
// elo_of_score.

typedef struct EloOfPapers {
    double mean;       // (B.3): the mean score of a game; 0.5 without games
    double difference; // (B.2) of the mean
    double s;          // (B.4): standard deviation of single games; infinite below two games
    // As printed: (B.2) of mean - k s and mean + k s, between which a share of single games lies.
    double printed_low, printed_high;
    // As meant: the mean of N games spreads by s / sqrt(N). The papers' own figures are these.
    double low, high;
} EloOfPapers;

// Interval of `deviations` standard deviations to each side: 2 for the papers' 95%, 3 for 99.7%.
EloOfPapers elo_of_papers(const GameCounts *counts, double deviations);
