// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tools/args.h"

extern const ArgSpec weights_median_spec;
// falconer weights median: an action of falconer weights.
int weights_median(int argc, char **argv);
