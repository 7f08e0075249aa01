// SPDX-License-Identifier: GPL-3.0-or-later
#include "match/play/adjudicate.h"

#include <stdlib.h>

AdjudicationRules adjudication_usual(int max_moves) {
    return (AdjudicationRules){.resign_moves = 3,
                               .resign_cp = 600,
                               .resign_needs_both = true,
                               .draw_from = 34,
                               .draw_moves = 8,
                               .draw_cp = 20,
                               .max_moves = max_moves};
}

Adjudication adjudicate(Adjudicator *judge, const MoveOpinion *opinion) {
    const AdjudicationRules *rules = judge->rules;
    Color mover = opinion->mover, other = color_other(mover);
    bool is_bad = opinion->has_score && opinion->score_cp <= -rules->resign_cp;
    bool is_even = opinion->has_score && abs(opinion->score_cp) <= rules->draw_cp;
    bool is_good = opinion->has_score && opinion->score_cp >= rules->resign_cp;
    judge->good[mover] = is_good ? judge->good[mover] + 1 : 0;
    judge->bad[mover] = is_bad ? judge->bad[mover] + 1 : 0;
    judge->even[mover] = is_even ? judge->even[mover] + 1 : 0;
    if (rules->resign_moves > 0 && judge->bad[mover] >= rules->resign_moves &&
        (!rules->resign_needs_both || judge->good[other] >= rules->resign_moves))
        return ADJUDICATED_LOST;
    if (rules->draw_moves > 0 && (int)opinion->number >= rules->draw_from &&
        judge->even[mover] >= rules->draw_moves && judge->even[other] >= rules->draw_moves)
        return ADJUDICATED_DRAW;
    if (rules->max_moves > 0 && mover == BLACK && (int)opinion->number >= rules->max_moves)
        return ADJUDICATED_TOO_LONG;
    return ADJUDICATED_NONE;
}
