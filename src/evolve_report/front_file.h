// SPDX-License-Identifier: GPL-3.0-or-later
// The front of several mentors on disk: front.csv, and front-01.weights and so on.
#pragma once

#include "fitness/problem.h"
#include "optimum/front.h"

// Writes the front of the problem's training set into the run's directory.
MUST_CHECK Status front_write(const Front *front, const Problem *problem, const char *directory);
