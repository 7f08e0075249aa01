// SPDX-License-Identifier: GPL-3.0-or-later
#include "fitness/moves/forest_rules.h"

#include "chess/see.h"

const char *const quiescence_names[] = {"none", "captures", "checks", NULL};

static void keep_if_nothing_lost(const Position *pos, ForestChoices *out, size_t from) {
    size_t kept = from;
    for (size_t i = from; i < out->count; i++)
        if (see_at_least(pos, out->moves[i], 0))
            out->moves[kept++] = out->moves[i];
    out->count = kept;
}

static void choose_reply(const Position *pos, ForestChoices *out) {
    out->count = movegen(pos, MOVES_ALL, out->moves);
    out->is_mate = out->count == 0 && position_checkers(pos) != 0;
    out->is_stalemate = out->count == 0 && !out->is_mate;
    out->may_stand = false;
}

void forest_choices(const Position *pos, const ForestRules *rules, unsigned ply, bool must_evade,
                    ForestChoices *out) {
    if (ply < rules->replies) {
        choose_reply(pos, out);
        return;
    }
    ply -= rules->replies;
    const bool in_check = (ply == 0 || must_evade) && position_checkers(pos) != 0;
    out->count = 0;
    out->is_mate = out->is_stalemate = false;
    out->may_stand = true;
    if (ply == 0 && !in_check && !movegen_has_any(pos)) {
        out->is_stalemate = true;
        return;
    }
    if (rules->quiescence == QUIESCENCE_NONE || ply >= rules->depth) {
        // A mate is a mate, however shallow the search.
        out->is_mate = in_check && !movegen_has_any(pos);
        return;
    }
    if (in_check) {
        out->count = movegen_evasions(pos, out->moves);
        out->is_mate = out->count == 0;
        out->may_stand = false;
        return;
    }
    out->count = movegen(pos, MOVES_NOISY, out->moves);
    keep_if_nothing_lost(pos, out, 0);
    if (rules->quiescence == QUIESCENCE_CHECKS && ply == 0) {
        const CheckInfo info = position_check_info(pos);
        const size_t captures = out->count;
        out->count += movegen_quiet_checks(pos, &info, out->moves + captures);
        keep_if_nothing_lost(pos, out, captures);
    }
}
