// SPDX-License-Identifier: GPL-3.0-or-later
// The linear program of many rows by smaller ones of the rows whose signs are in doubt.
#pragma once

#include "optimum/lp.h"

// As lp_solve, and of the same value; of several vertices of that value it may be another. Rows
// that weights near the optimum leave far off, and their signs with them, are taken for granted
// until a solution says otherwise.
MUST_CHECK Status lp_solve_near(const LpDual *lp, double *multipliers, double *prices);
