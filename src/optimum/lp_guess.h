// SPDX-License-Identifier: GPL-3.0-or-later
// Weights near those of the linear program, by Newton's method: for telling which rows they leave
// far off.
#pragma once

#include "optimum/lp.h"

#include <stdbool.h>

// What such weights leave of each row's target, so good that about `few` rows are near 0. False
// where none are found.
bool lp_guess_residuals(const LpDual *lp, size_t few, double *residuals);
// What these weights leave of each row's target.
void lp_find_residuals(const LpDual *lp, const double *weights, double *residuals);
