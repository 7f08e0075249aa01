// SPDX-License-Identifier: GPL-3.0-or-later
// How far a score is from where it should be.
#pragma once

#include <stdbool.h>

// Of the distance between a score and its target. Cross-entropy is of probabilities alone.
typedef enum LinearShape { SHAPE_SQUARED, SHAPE_ABSOLUTE, SHAPE_CROSS_ENTROPY } LinearShape;

typedef struct LinearLoss {
    LinearShape shape;
    // The score becomes the probability 1 / (1 + 10^(-k score / 400)), and targets are
    // probabilities; else both are centipawns.
    bool is_probability;
    double k;
} LinearLoss;

// Below this distance an absolute error bends into a parabola, so that it has a slope at 0: half of
// it is what the loss is less than the error elsewhere.
#define LINEAR_BEND_CENTIPAWNS  1.0
#define LINEAR_BEND_PROBABILITY 0.002

static inline double linear_loss_bend(const LinearLoss *loss) {
    return loss->is_probability ? LINEAR_BEND_PROBABILITY : LINEAR_BEND_CENTIPAWNS;
}
// The probability that a score in centipawns stands for.
double linear_probability(double score, double k);
// One position's loss, and in `slope` how much it grows with the score.
double linear_loss_at(const LinearLoss *loss, double score, double target, double *slope);
