// SPDX-License-Identifier: GPL-3.0-or-later
// The certified optimum where one or several mentors judge: of their mean, of the worst of them,
// and of any mixture.
#pragma once

#include "optimum/certified.h"

// The least of the sum over mentors of shares[m] times the error by mentor m; a share of 0 leaves
// the mentor out. Errors are sums over positions, in units. The data must be linear.
MUST_CHECK Status mentors_mixture(const MentorData *data, const int32_t *shares,
                                  OptimumResult *out);
// The error of weights by each mentor: a sum over positions, in units.
void mentors_errors(const MentorData *data, const double *weights, double *errors);
// The optimum of what a problem is judged by: of one mentor's or the target's error, of the mean of
// several mentors' errors, or of the largest. (What the positions tell of each weight is told by
// the target.) ERR_ARG, with the reason, where it cannot be found.
MUST_CHECK Status mentors_optimum(const MentorData *data, CertifiedOptimum *out);
