// SPDX-License-Identifier: GPL-3.0-or-later
// Whole numbers near the best real ones.
#pragma once

#include "fit/fit.h"

// One coefficient after the other becomes whole, and those still free make up for what that spoils
// as well as they can: by the information matrix around `best`, which takes one pass over
// the positions. (Babai's nearest plane; to the nearest of each would ignore what coefficients
// do together.) What is fixed is rounded, too.
MUST_CHECK Status fit_round(const FitConfig *config, const LinearSet *set, const double *best,
                            DistPool *pool, double *whole);
