// SPDX-License-Identifier: GPL-3.0-or-later
#include "fitness/linear/linear_loss.h"

#include <math.h>

double linear_probability(double score, double k) {
    return 1 / (1 + pow(10, -k * score / 400));
}

static double cross_entropy_at(double k, double score, double target, double *slope) {
    const double rate = k * log(10) / 400, z = rate * score;
    *slope = rate * (1 / (1 + exp(-z)) - target);
    return fmax(z, 0) + log1p(exp(-fabs(z))) - target * z;
}

static double distance_at(const LinearLoss *loss, double error, double *slope) {
    const double bend = linear_loss_bend(loss);
    if (loss->shape == SHAPE_SQUARED) {
        *slope = 2 * error;
        return error * error;
    }
    *slope = fmax(-1, fmin(1, error / bend));
    return fabs(error) < bend ? error * error / (2 * bend) : fabs(error) - bend / 2;
}

double linear_loss_at(const LinearLoss *loss, double score, double target, double *slope) {
    if (loss->shape == SHAPE_CROSS_ENTROPY)
        return cross_entropy_at(loss->k, score, target, slope);
    if (!loss->is_probability)
        return distance_at(loss, score - target, slope);
    const double probability = linear_probability(score, loss->k);
    const double value = distance_at(loss, probability - target, slope);
    *slope *= probability * (1 - probability) * loss->k * log(10) / 400;
    return value;
}
