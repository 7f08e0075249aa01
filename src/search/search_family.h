// SPDX-License-Identifier: GPL-3.0-or-later
// The parts and numbers of the search as a family: what an evaluation's weights are to evolution
// and to files, its settings are too. A weights file of the family holds a whole search.
#pragma once

#include "eval/weights.h"
#include "search/features.h"

// Terms are called as the UCI options: parts, 0 or 1, then numbers. It starts as profile `papers`,
// has no evaluation, and is not among `families`.
extern const Family family_search;

// The settings that these parameters are, and back.
Features search_family_features(const int *parameters);
void search_family_parameters(const Features *features, int *parameters);

// Reads a weights file of the family.
MUST_CHECK Status search_family_load(Features *out, const char *path);
