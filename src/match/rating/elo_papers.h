// SPDX-License-Identifier: GPL-3.0-or-later
// The statistics of Appendix B of GECCO 2008 and GPEM 2010, under their numbers in the latter.
// (B.1), the winning rate of a rating difference, is elo_to_score, and (B.2), its inverse,
// elo_of_score.
#pragma once

#include "match/rating/elo.h"

typedef struct AppendixB {
    double mean;       // (B.3): the mean score of a game; 0.5 without games
    double difference; // (B.2) of the mean
    double s;          // (B.4): standard deviation of single games; infinite below two games
    // As printed: (B.2) of mean - k s and mean + k s, between which a share of single games lies.
    double printed_low, printed_high;
    // As meant: the mean of N games spreads by s / sqrt(N). The papers' own figures are these.
    double low, high;
} AppendixB;

// Interval of `deviations` standard deviations to each side: 2 for the papers' 95%, 3 for 99.7%.
AppendixB appendix_b(const GameCounts *counts, double deviations);
