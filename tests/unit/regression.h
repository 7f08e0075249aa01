// SPDX-License-Identifier: GPL-3.0-or-later
// A made-up regression like that of evolving from a mentor: whole weights, 5 in boxes 0..1023 and
// 30 in 0..63, least sum of absolute errors over points whose counts are correlated.
#pragma once

#include "evolve/space.h"

#include <stdlib.h>
#include <string.h>

enum { WEIGHTS = 35, POINTS = 5000 };

typedef struct Regression {
    int32_t counts[WEIGHTS][POINTS]; // by weight, for the compiler's vectors
    int32_t labels[POINTS];
    double truth[WEIGHTS];
    EvolveParameter parameters[WEIGHTS];
} Regression;

static inline int32_t draw_count(Rng *rng, int32_t most) {
    return (int32_t)rng_below(rng, (uint32_t)(2 * most + 1)) - most;
}

// Every third count also follows its neighbour, which makes ridges: one weight can make up for
// another.
static inline void draw_point(Regression *regression, Rng *rng, size_t point) {
    for (size_t j = 0; j < WEIGHTS; j++) {
        int32_t count = draw_count(rng, j < 5 ? 2 : 4);
        if (j % 3 == 2)
            count += 2 * regression->counts[j - 1][point];
        regression->counts[j][point] = count;
    }
    double label = 0;
    for (size_t j = 0; j < WEIGHTS; j++)
        label += regression->counts[j][point] * regression->truth[j];
    // Noise: the sum of three dice, about as wide as half a pawn.
    int32_t noise = draw_count(rng, 30) + draw_count(rng, 30) + draw_count(rng, 30);
    regression->labels[point] = (int32_t)label + noise;
}

static inline void make_regression(Regression *regression) {
    Rng rng = rng_at(2008, 0, 0, 0);
    for (size_t j = 0; j < WEIGHTS; j++) {
        unsigned bits = j < 5 ? 10 : 6;
        regression->parameters[j] = (EvolveParameter){"w", 0, (1 << bits) - 1, bits};
        // Some of the true weights are at their bounds, as often happens.
        regression->truth[j] = j % 7 == 6 ? 0 : rng_below(&rng, j < 5 ? 1000 : 60);
    }
    for (size_t point = 0; point < POINTS; point++)
        draw_point(regression, &rng, point);
}

static inline int64_t error_of(const Regression *regression, const double *weights) {
    int32_t off[POINTS];
    memcpy(off, regression->labels, sizeof off);
    for (size_t j = 0; j < WEIGHTS; j++) {
        int32_t weight = (int32_t)weights[j];
        const int32_t *counts = regression->counts[j];
        for (size_t i = 0; i < POINTS && weight != 0; i++)
            off[i] -= counts[i] * weight;
    }
    int64_t sum = 0;
    for (size_t i = 0; i < POINTS; i++)
        sum += abs(off[i]);
    return sum;
}
