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

ForestStanding forest_standing(const Position *pos, const ForestRules *rules, unsigned ply,
                               bool must_evade) {
    const bool is_reply = ply < rules->replies, is_first = ply == rules->replies;
    const bool in_check = (ply <= rules->replies || must_evade) && position_checkers(pos) != 0;
    const bool looks = is_reply || is_first || in_check;
    const bool is_over = looks && !movegen_has_any(pos);
    const bool is_end =
        !is_reply && (rules->quiescence == QUIESCENCE_NONE || ply - rules->replies >= rules->depth);
    // A mate is a mate, however shallow the search.
    return (ForestStanding){.may_stand = is_reply ? false : !in_check || (is_end && !is_over),
                            .is_mate = is_over && in_check,
                            .is_stalemate = is_over && !in_check,
                            .is_leaf = is_over || is_end};
}

void forest_choices(const Position *pos, const ForestRules *rules, unsigned ply, bool must_evade,
                    ForestChoices *out) {
    const ForestStanding standing = forest_standing(pos, rules, ply, must_evade);
    out->count = 0;
    out->may_stand = standing.may_stand;
    out->is_mate = standing.is_mate;
    out->is_stalemate = standing.is_stalemate;
    if (standing.is_leaf)
        return;
    if (!standing.may_stand) {
        out->count = ply < rules->replies ? movegen(pos, MOVES_ALL, out->moves)
                                          : movegen_evasions(pos, out->moves);
        return;
    }
    out->count = movegen(pos, MOVES_NOISY, out->moves);
    keep_if_nothing_lost(pos, out, 0);
    if (rules->quiescence == QUIESCENCE_CHECKS && ply == rules->replies) {
        const CheckInfo info = position_check_info(pos);
        const size_t captures = out->count;
        out->count += movegen_quiet_checks(pos, &info, out->moves + captures);
        keep_if_nothing_lost(pos, out, captures);
    }
}
