// SPDX-License-Identifier: GPL-3.0-or-later
// What games between candidates say of the strength of all of them: a logistic regression on a
// quadratic of their numbers (Coulom, "CLOP: Confident Local Optimization for Noisy Black-Box
// Parameter Tuning", 2011). Numbers lie within -1..1; strength is in Elo.
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef struct DuelModel DuelModel;

enum { DUEL_POINTS_MAX = 4 };

// Above COUPLED_MAX numbers each has a slope and a curvature, but no two are coupled.
enum { DUEL_COUPLED_MAX = 10 };

DuelModel *duel_model_new(size_t size);
void duel_model_free(DuelModel *model);

// Two games from one opening, with colours reversed: the half points that `first` made, 0 to 4.
void duel_model_add(DuelModel *model, const double *first, const double *second, int points);
size_t duel_model_count(const DuelModel *model);

// Takes what was added into account. Candidates that are far weaker than the best tell little about
// where the best is, and bend the quadratic: the more Elo they are behind it, the less they count.
void duel_model_fit(DuelModel *model);

// Estimated strength, from an arbitrary zero.
double duel_model_value(const DuelModel *model, const double *point);
// How sure the difference between two points is: its standard deviation.
double duel_model_deviation(const DuelModel *model, const double *from, const double *to);
// The strongest point, where games have been played: within two standard deviations of their mean
// along each number.
const double *duel_model_best(const DuelModel *model);
// How far that point may be off along each number: its standard deviation over the quadratics that
// the games leave possible.
const double *duel_model_best_spread(const DuelModel *model);
