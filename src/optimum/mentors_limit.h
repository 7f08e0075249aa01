// SPDX-License-Identifier: GPL-3.0-or-later
// The least error that any weights can have where several mentors judge: of their mean, of the
// worst of them, and of any mixture.
#pragma once

#include "fitness/linear/mentor_panel.h"
#include "optimum/limit.h"

typedef struct MentorsProblem {
    const MentorSet *set;
    const MentorPanel *panel;
    const EvolveSpace *space; // whose parameters are the coefficients themselves
    int unit;                 // of labels: how many are a centipawn, the family's scale
    DistPool *pool;           // for who solves many mixtures
} MentorsProblem;

// ERR_ARG for a family whose parameters are not its coefficients.
MUST_CHECK Status mentors_check(const MentorsProblem *problem);
// The least of the sum over mentors of shares[m] times the error by mentor m; a share of 0 leaves
// the mentor out. Errors are sums over positions, in units.
MUST_CHECK Status mentors_mixture(const MentorsProblem *problem, const int32_t *shares,
                                  OptimumResult *out);
// The error of weights by each mentor: a sum over positions, in units.
void mentors_errors(const MentorsProblem *problem, const double *weights, double *errors);
// The limit of the mean of the mentors' errors, or of the largest. What the positions tell of each
// weight is told by the target.
MUST_CHECK Status mentors_limit(const MentorsProblem *problem, PanelFitness fitness, Limit *out);
