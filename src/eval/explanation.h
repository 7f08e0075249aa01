// SPDX-License-Identifier: GPL-3.0-or-later
// A score taken apart: what each side has of each count, and what that is worth.
#pragma once

#include "eval/value.h"
#include "eval/weights.h"

// In the family's scale.
typedef struct Explanation {
    const Family *family;
    Trace sides[COLOR_NB];
    int coefficients[COEFFICIENTS_MAX];
    Taper taper; // of a tapered family
    int totals[COLOR_NB];
    long moved; // sum of what each term moves, up or down
} Explanation;

// Of weights of a family that is not foreign.
void explanation_make(Explanation *out, const Weights *weights, const Position *pos);
// What one more of a count is worth, what a side's are, and White's minus Black's.
int explanation_unit(const Explanation *explanation, size_t index);
int explanation_worth(const Explanation *explanation, Color color, size_t index);
int explanation_difference(const Explanation *explanation, size_t index);
// Whether one side has some of it: a term of which both have the same is worth reading.
bool explanation_is_present(const Explanation *explanation, size_t index);
// White's total minus Black's.
int explanation_score(const Explanation *explanation);
