// SPDX-License-Identifier: GPL-3.0-or-later
// The innermost loops of fitting: scores of a block of positions, and what their slopes come to.
#pragma once

#include "fitness/linear/linear_loss.h"
#include "fitness/linear/linear_set.h"

// Coefficients as the loops take them, and room to work in; one per thread that works.
typedef struct LinearWork {
    const LinearSet *set;
    LinearLoss loss;
    float *middlegame, *endgame; // coefficients, one of each per count
    float *sums;                 // of slopes, some lanes per coefficient
} LinearWork;

// Which instructions were compiled in: "AVX-512", "AVX2", "NEON", "plain C". Results are the same.
const char *linear_kernel_name(void);

void linear_work_init(LinearWork *work, const LinearSet *set, const LinearLoss *loss,
                      const double *coefficients);
void linear_work_free(LinearWork *work);
// Scores of a block's positions, in the order of the set.
void linear_kernel_scores(const LinearWork *work, const LinearBlock *block,
                          float scores[LINEAR_BLOCK]);
// Adds a block's losses, each times its weight, and their slopes. Inside the block numbers have 32
// bits. `gradient` may be NULL.
void linear_kernel_add(const LinearWork *work, const LinearBlock *block, double *loss,
                       double *gradient);
// Adds the same losses where the scores are known.
void linear_kernel_add_scored(const LinearWork *work, const LinearBlock *block,
                              const float scores[LINEAR_BLOCK], double *loss);
