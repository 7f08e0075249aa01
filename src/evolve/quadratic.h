// SPDX-License-Identifier: GPL-3.0-or-later
// Strength as a quadratic of an organism's numbers, learned from games between organisms: least
// squares with a prior, kept as sums, so that games need not be. (duel_model.h is for a few numbers
// with wide ranges, where results may be all but certain.)
#pragma once

#include "base/bytes.h"
#include "base/error.h"

#include <stdbool.h>

typedef struct Quadratic {
    size_t size, terms;           // numbers; coefficients
    bool is_coupled;              // each two numbers have a coefficient
    double *information, *moment; // sums over all games
    double *theta;                // what was fitted: slope and half curvature of each, couplings
    double *factor, *row, *coupling;
} Quadratic;

// Above so many numbers each has a slope and a curvature, but no two are coupled.
enum { QUADRATIC_COUPLED_MAX = 64 };

Status quadratic_open(Quadratic *quadratic, size_t size);
void quadratic_close(Quadratic *quadratic);

// Games between two organisms, and the share of the points that the first made. Numbers are
// distances from one fixed place, in steps of which one costs a few Elo.
void quadratic_add(Quadratic *quadratic, const double *first, const double *second, double share,
                   unsigned games);
void quadratic_fit(Quadratic *quadratic);
// Elo, from an arbitrary zero.
double quadratic_value(const Quadratic *quadratic, const double *place);
// Moves `place` to the strongest one within bounds for each number.
void quadratic_climb(const Quadratic *quadratic, const double *low, const double *high,
                     double *place);

void quadratic_save(const Quadratic *quadratic, Str *out);
void quadratic_load(Quadratic *quadratic, ByteReader *in); // into one that is open
