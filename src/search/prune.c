// SPDX-License-Identifier: GPL-3.0-or-later
// What can be left out of the tree.
#include "search/node.h"

#include "chess/see.h"

enum {
    REVERSE_FUTILITY_DEPTH = 6,
    REVERSE_FUTILITY_MARGIN = 90,
    RAZOR_DEPTH = 3,
    RAZOR_MARGIN = 220,
    NULL_DEPTH = 3,
    NULL_VERIFY_DEPTH = 12,
    PROBCUT_DEPTH = 5,
    PROBCUT_MARGIN = 170,
    MULTI_CUT_DEPTH = 5,
    MULTI_CUT_MOVES = 6,
    MULTI_CUT_CUTS = 3,
    MULTI_CUT_REDUCTION = 3,
    FUTILITY_BASE = 110,
    FUTILITY_PER_PLY = 85,
    LATE_MOVE_DEPTH = 8,
    SEE_DEPTH = 8,
    SEE_QUIET_MARGIN = -55,
    SEE_NOISY_MARGIN = -100,
    HISTORY_DEPTH = 4,
    HISTORY_MARGIN = -3500,
};

static bool null_move(Worker *worker, const Node *node, int *score) {
    const Frame *before = frame_at(worker, node->ply - 1);
    if (!has(worker, FEATURE_NULL_MOVE) || node->depth < NULL_DEPTH || node->eval < node->beta ||
        node->ply < worker->null_from_ply || before->move == MOVE_NONE ||
        !position_has_pieces(&worker->pos, position_turn(&worker->pos)))
        return false;
    int margin = (node->eval - node->beta) / 200;
    int reduction = 3 + node->depth / 3 + (margin > 3 ? 3 : margin);
    Undo undo;
    worker_make_null(worker, node->ply, &undo);
    int value = -search_node(worker, -node->beta, -node->beta + 1, node->depth - reduction,
                             node->ply + 1, !node->cut);
    worker_unmake_null(worker, &undo);
    if (worker->stopped)
        return true;
    *score = value;
    if (value < node->beta)
        return false;
    // A mate found by passing is no proof of one.
    *score = value >= SCORE_MATE_LEAST ? node->beta : value;
    if (!has(worker, FEATURE_NULL_VERIFY) || node->depth < NULL_VERIFY_DEPTH ||
        worker->null_from_ply > 0)
        return true;
    worker->null_from_ply = node->ply + 3 * (node->depth - reduction) / 4;
    int verified =
        search_node(worker, node->beta - 1, node->beta, node->depth - reduction, node->ply, false);
    worker->null_from_ply = 0;
    return worker->stopped || verified >= node->beta;
}

static bool probcut(Worker *worker, const Node *node, int *score) {
    int raised = node->beta + PROBCUT_MARGIN;
    bool unlikely = node->hash.bound != BOUND_NONE && node->hash.depth >= node->depth - 3 &&
                    node->hash.score < raised;
    if (!has(worker, FEATURE_PROBCUT) || node->depth < PROBCUT_DEPTH || unlikely ||
        score_is_mate(node->beta))
        return false;
    Picker picker;
    picker_init_noisy(&picker, worker, node->ply, node->hash.move, false, raised - node->eval);
    for (Move move; (move = picker_next(&picker)) != MOVE_NONE;) {
        // The picker has asked this of all moves but the table's.
        if (move == node->hash.move && !see_at_least(&worker->pos, move, raised - node->eval))
            continue;
        Undo undo;
        worker_make(worker, node->ply, move, position_gives_check(&worker->pos, move), &undo);
        int value = -search_quiesce(worker, -raised, -raised + 1, 0, node->ply + 1);
        if (value >= raised)
            value = -search_node(worker, -raised, -raised + 1, node->depth - 4, node->ply + 1,
                                 !node->cut);
        worker_unmake(worker, node->ply, &undo);
        if (worker->stopped)
            return true;
        if (value >= raised) {
            worker_remember(worker, node->ply,
                            (TTData){move, (int16_t)value, (int16_t)node->raw_eval,
                                     (uint8_t)(node->depth - 3), BOUND_LOWER});
            *score = value;
            return true;
        }
    }
    return false;
}

// Several of the first moves fail high at reduced depth: one of them will at full depth.
static bool multi_cut(Worker *worker, const Node *node, int *score) {
    if (!has(worker, FEATURE_MULTI_CUT) || !node->cut || node->depth < MULTI_CUT_DEPTH)
        return false;
    Picker picker;
    picker_init(&picker, worker, node->ply, node->hash.move, false);
    int cuts = 0, depth = node->depth - 1 - MULTI_CUT_REDUCTION;
    for (int i = 0; i < MULTI_CUT_MOVES; i++) {
        Move move = picker_next(&picker);
        if (move == MOVE_NONE)
            break;
        Undo undo;
        worker_make(worker, node->ply, move, position_gives_check(&worker->pos, move), &undo);
        int value = -search_node(worker, -node->beta, -node->beta + 1, depth, node->ply + 1, false);
        worker_unmake(worker, node->ply, &undo);
        if (worker->stopped)
            return true;
        if (value >= node->beta && ++cuts == MULTI_CUT_CUTS) {
            *score = node->beta;
            return true;
        }
    }
    return false;
}

bool node_prune(Worker *worker, Node *node, int *score) {
    if (node->pv || node->in_check || frame_at(worker, node->ply)->excluded != MOVE_NONE)
        return false;
    int depth = node->depth, eval = node->eval;
    if (has(worker, FEATURE_REVERSE_FUTILITY) && depth <= REVERSE_FUTILITY_DEPTH &&
        eval - REVERSE_FUTILITY_MARGIN * (depth - node->improving) >= node->beta &&
        eval < SCORE_KNOWN_WIN) {
        *score = (eval + node->beta) / 2;
        return true;
    }
    if (has(worker, FEATURE_RAZORING) && depth <= RAZOR_DEPTH &&
        eval + RAZOR_MARGIN * depth < node->alpha) {
        *score = search_quiesce(worker, node->alpha, node->beta, 0, node->ply);
        if (worker->stopped || *score < node->beta)
            return true;
    }
    if (null_move(worker, node, score))
        return true;
    // What the null move met: being mated by force is a threat to look at.
    node->mate_threat = has(worker, FEATURE_NULL_MOVE) && *score <= -SCORE_MATE_LEAST;
    return probcut(worker, node, score) || multi_cut(worker, node, score);
}

// Depths up to which quiet moves may be futile: the papers know the last ply and the one before.
static int futility_depth(const Worker *worker) {
    if (!has(worker, FEATURE_EXTENDED_FUTILITY))
        return has(worker, FEATURE_FUTILITY) ? 1 : 0;
    return has(worker, FEATURE_LMR) ? 5 : 2;
}

static bool is_futile(const Worker *worker, const Node *node, int depth) {
    return depth <= futility_depth(worker) && !node->in_check &&
           node->eval + FUTILITY_BASE + FUTILITY_PER_PLY * depth <= node->alpha;
}

bool node_quiets_are_futile(const Worker *worker, const Node *node) {
    return position_has_pieces(&worker->pos, position_turn(&worker->pos)) &&
           is_futile(worker, node, node->depth);
}

static bool prune_quiet(Worker *worker, const Node *node, Picker *picker,
                        const Candidate *candidate, int depth) {
    int allowed = (3 + node->depth * node->depth) / (node->improving ? 1 : 2);
    if (has(worker, FEATURE_LMP) && node->depth <= LATE_MOVE_DEPTH &&
        (int)node->tried_count >= allowed)
        picker->skip_quiets = true;
    if (is_futile(worker, node, depth))
        return true;
    if (has(worker, FEATURE_HISTORY_PRUNING) && depth <= HISTORY_DEPTH &&
        candidate->history < HISTORY_MARGIN * depth)
        return true;
    // Killers, counter-moves and evasions have reasons of their own.
    return has(worker, FEATURE_SEE_PRUNING) && depth <= SEE_DEPTH && picker->stage == STAGE_QUIET &&
           !picker_move_is_safe(picker, candidate->move) &&
           !see_at_least(&worker->pos, candidate->move, SEE_QUIET_MARGIN * depth);
}

bool node_prune_move(Worker *worker, const Node *node, Picker *picker, const Candidate *candidate) {
    if (node->best <= -SCORE_MATE_LEAST ||
        !position_has_pieces(&worker->pos, position_turn(&worker->pos)))
        return false;
    // Captures the picker hands out first do not lose anything.
    if (!candidate->quiet)
        return has(worker, FEATURE_SEE_PRUNING) && node->depth <= SEE_DEPTH &&
               picker->stage != STAGE_NOISY &&
               !see_at_least(&worker->pos, candidate->move, SEE_NOISY_MARGIN * node->depth);
    if (candidate->gives_check)
        return false;
    // The depth this move would be searched to.
    int depth = node->depth;
    if (has(worker, FEATURE_LMR))
        depth -= worker_reduction(node->depth, node->tried_count + 1) / 1024;
    return prune_quiet(worker, node, picker, candidate, depth < 1 ? 1 : depth);
}
