// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/explanation.h"

#include <stdlib.h>

int explanation_unit(const Explanation *explanation, size_t index) {
    const int *coefficients = explanation->coefficients;
    return explanation->family->taper == NULL
               ? coefficients[index]
               : coefficients[2 * index] * explanation->taper.middlegame +
                     coefficients[2 * index + 1] * explanation->taper.endgame;
}

int explanation_worth(const Explanation *explanation, Color color, size_t index) {
    return explanation->sides[color].counts[index] * explanation_unit(explanation, index);
}

int explanation_difference(const Explanation *explanation, size_t index) {
    return explanation_worth(explanation, WHITE, index) -
           explanation_worth(explanation, BLACK, index);
}

bool explanation_is_present(const Explanation *explanation, size_t index) {
    return explanation->sides[WHITE].counts[index] != 0 ||
           explanation->sides[BLACK].counts[index] != 0;
}

int explanation_score(const Explanation *explanation) {
    return explanation->totals[WHITE] - explanation->totals[BLACK];
}

void explanation_make(Explanation *out, const Weights *weights, const Position *pos) {
    const Family *family = weights->family;
    *out = (Explanation){.family = family};
    family_expand(family, weights->parameters, out->coefficients);
    family->trace_sides(pos, out->sides);
    if (family->taper != NULL)
        out->taper = family->taper(pos);
    for (size_t i = 0; i < family->feature_count; i++) {
        out->totals[WHITE] += explanation_worth(out, WHITE, i);
        out->totals[BLACK] += explanation_worth(out, BLACK, i);
        out->moved += labs(explanation_difference(out, i));
    }
}
