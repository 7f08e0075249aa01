// SPDX-License-Identifier: GPL-3.0-or-later
// Another engine's coefficients as a set to fit to.
#pragma once

#include "fitness/linear/linear_data.h"

// Adds a file's positions; its header must agree with that of the options. Positions that count the
// same are never parted, whatever their labels.
MUST_CHECK Status coefficient_data_read(LinearPair *pair, const char *path,
                                        const LinearDataOptions *options);
