// SPDX-License-Identifier: GPL-3.0-or-later
// How sure ratings are, in natural units.
#pragma once

#include "match/rating/rating_fit.h"

// Turns minus the Hessian of a group of `size` players, row by row, into the covariance of their
// ratings when their mean is fixed.
void rating_invert(double *matrix, size_t size);

// The 95% interval of each player while the others are held where they are, as distances from its
// rating: the likelihood itself is integrated. Infinite for players without meetings.
void rating_hold(const RatingProblem *problem, const RatingFit *fit, double *plus, double *minus);
