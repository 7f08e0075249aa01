// SPDX-License-Identifier: GPL-3.0-or-later
// The first generation of algorithms that work on the parameters themselves.
#pragma once

#include "evolve/algorithm.h"

// Fills `count` rows: first the organisms to start from, moved into their boxes, the others drawn
// evenly.
void population_start(const EvolveRun *run, double *parameters, size_t count);
