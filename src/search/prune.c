// SPDX-License-Identifier: GPL-3.0-or-later
// What can be left out of the tree.
#include "search/node.h"

#include "chess/see.h"

// A line keeps the quarter plies that it was given.
static void pass_quarters(Worker *worker, int ply) {
    Frame *frame = frame_at(worker, ply);
    frame[1].quarters = frame->quarters;
}

// Plies that the search after passing is less deep, the pass included.
static int null_reduction(const Worker *worker, const Node *node) {
    const SearchNumbers *numbers = numbers_of(worker);
    int reduction = numbers->null_reduction;
    if (has(worker, FEATURE_NULL_ADAPTIVE) && node->depth <= numbers->null_adaptive_depth &&
        reduction > 0)
        reduction--;
    if (numbers->null_divisor > 0)
        reduction += node->depth / numbers->null_divisor;
    if (numbers->null_margin > 0) {
        int more = (node->eval - node->beta) / numbers->null_margin;
        reduction += more > numbers->null_margin_most ? numbers->null_margin_most : more;
    }
    return 1 + reduction;
}

static bool null_move(Worker *worker, const Node *node, int *score) {
    const Frame *before = frame_at(worker, node->ply - 1);
    if (!has(worker, FEATURE_NULL_MOVE) || node->depth < numbers_of(worker)->null_depth ||
        node->eval < node->beta || node->ply < worker->null_from_ply || before->move == MOVE_NONE ||
        !position_has_pieces(&worker->pos, position_turn(&worker->pos)))
        return false;
    int reduction = null_reduction(worker, node);
    Undo undo;
    worker_make_null(worker, node->ply, &undo);
    pass_quarters(worker, node->ply);
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
    if (!has(worker, FEATURE_NULL_VERIFY) || node->depth < numbers_of(worker)->null_verify_depth ||
        worker->null_from_ply > 0)
        return true;
    worker->null_from_ply = node->ply + 3 * (node->depth - reduction) / 4;
    int verified =
        search_node(worker, node->beta - 1, node->beta, node->depth - reduction, node->ply, false);
    worker->null_from_ply = 0;
    return worker->stopped || verified >= node->beta;
}

static bool probcut(Worker *worker, const Node *node, int *score) {
    const SearchNumbers *numbers = numbers_of(worker);
    int raised = node->beta + numbers->probcut_margin;
    int depth = node->depth - numbers->probcut_reduction;
    bool unlikely =
        node->hash.bound != BOUND_NONE && node->hash.depth > depth && node->hash.score < raised;
    if (!has(worker, FEATURE_PROBCUT) || node->depth < numbers->probcut_depth || unlikely ||
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
        pass_quarters(worker, node->ply);
        int value = -search_quiesce(worker, -raised, -raised + 1, 0, node->ply + 1);
        if (value >= raised)
            value = -search_node(worker, -raised, -raised + 1, depth, node->ply + 1, !node->cut);
        worker_unmake(worker, node->ply, &undo);
        if (worker->stopped)
            return true;
        if (value >= raised) {
            worker_remember(worker, node->ply,
                            (TTData){move, (int16_t)value, (int16_t)node->raw_eval,
                                     (uint8_t)(depth < 0 ? 0 : depth + 1), BOUND_LOWER,
                                     node->hash.pv});
            *score = value;
            return true;
        }
    }
    return false;
}

// Several of the first moves fail high at reduced depth: one of them will at full depth.
static bool multi_cut(Worker *worker, const Node *node, int *score) {
    if (!has(worker, FEATURE_MULTI_CUT) || !node->cut ||
        node->depth < numbers_of(worker)->multi_cut_depth)
        return false;
    Picker picker;
    picker_init(&picker, worker, node->ply, node->hash.move, false);
    const SearchNumbers *numbers = numbers_of(worker);
    int cuts = 0, depth = node->depth - 1 - numbers->multi_cut_reduction;
    for (int i = 0; i < numbers->multi_cut_moves; i++) {
        Move move = picker_next(&picker);
        if (move == MOVE_NONE)
            break;
        Undo undo;
        worker_make(worker, node->ply, move, position_gives_check(&worker->pos, move), &undo);
        pass_quarters(worker, node->ply);
        int value = -search_node(worker, -node->beta, -node->beta + 1, depth, node->ply + 1, false);
        worker_unmake(worker, node->ply, &undo);
        if (worker->stopped)
            return true;
        if (value >= node->beta && ++cuts >= numbers->multi_cut_cuts) {
            *score = node->beta;
            return true;
        }
    }
    return false;
}

bool node_prune(Worker *worker, Node *node, int *score) {
    node->proves_mate = has(worker, FEATURE_PROVE_MATES) &&
                        (node->alpha >= SCORE_MATE_LEAST || node->beta <= -SCORE_MATE_LEAST);
    if (node->pv || node->in_check || frame_at(worker, node->ply)->excluded != MOVE_NONE)
        return false;
    const SearchNumbers *numbers = numbers_of(worker);
    int depth = node->depth, eval = node->eval;
    if (has(worker, FEATURE_REVERSE_FUTILITY) && !node->proves_mate &&
        depth <= numbers->reverse_futility_depth &&
        eval - numbers->reverse_futility_margin * (depth - node->improving) >= node->beta &&
        eval < SCORE_KNOWN_WIN) {
        *score = (eval + node->beta) / 2;
        return true;
    }
    if (has(worker, FEATURE_RAZORING) && !node->proves_mate && depth <= numbers->razor_depth &&
        eval + numbers->razor_margin * depth < node->alpha) {
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
    const SearchNumbers *numbers = numbers_of(worker);
    if (!has(worker, FEATURE_EXTENDED_FUTILITY))
        return has(worker, FEATURE_FUTILITY) && numbers->futility_depth > 0 ? 1 : 0;
    return numbers->futility_depth == 0 ? 0 : numbers->futility_depth + numbers->futility_further;
}

static int futility_margin(const SearchNumbers *numbers, int depth) {
    switch (depth) {
    case 1:
        return numbers->futility_margin_1;
    case 2:
        return numbers->futility_margin_2;
    default:
        return numbers->futility_margin_3 + numbers->futility_step * (depth - 3);
    }
}

void worker_prepare_pruning(Worker *worker) {
    const SearchNumbers *numbers = numbers_of(worker);
    worker->futility_depth = futility_depth(worker);
    for (int depth = 1; depth <= worker->futility_depth; depth++)
        worker->futility_margins[depth] = futility_margin(numbers, depth);
    for (int depth = 0; depth <= LATE_MOVES_DEPTH_MOST; depth++) {
        int moves = numbers->lmp_base + depth * depth * numbers->lmp_scale / 100;
        worker->late_moves[0][depth] = moves / 2;
        worker->late_moves[1][depth] = moves;
    }
}

static bool is_futile(const Worker *worker, const Node *node, int depth) {
    return !node->proves_mate && depth <= worker->futility_depth && !node->in_check &&
           node->eval + worker->futility_margins[depth] <= node->alpha;
}

bool node_quiets_are_futile(const Worker *worker, const Node *node) {
    return position_has_pieces(&worker->pos, position_turn(&worker->pos)) &&
           is_futile(worker, node, node->depth);
}

static bool prune_quiet(Worker *worker, const Node *node, Picker *picker,
                        const Candidate *candidate, int depth) {
    const SearchNumbers *numbers = numbers_of(worker);
    if (has(worker, FEATURE_LMP) && node->depth <= numbers->lmp_depth &&
        (int)node->tried_count >= worker->late_moves[node->improving][node->depth])
        picker->skip_quiets = true;
    if (is_futile(worker, node, depth))
        return true;
    if (has(worker, FEATURE_HISTORY_PRUNING) && depth <= numbers->history_pruning_depth &&
        candidate->history < -numbers->history_pruning_margin * depth)
        return true;
    // Killers, counter-moves and evasions have reasons of their own.
    return has(worker, FEATURE_SEE_PRUNING) && depth <= numbers->see_depth &&
           picker->stage == STAGE_QUIET && !picker_move_is_safe(picker, candidate->move) &&
           !see_at_least(&worker->pos, candidate->move, -numbers->see_quiet * depth);
}

bool node_prune_move(Worker *worker, const Node *node, Picker *picker, const Candidate *candidate) {
    if (node->best <= -SCORE_MATE_LEAST || node->proves_mate ||
        !position_has_pieces(&worker->pos, position_turn(&worker->pos)))
        return false;
    // Captures the picker hands out first do not lose anything.
    if (!candidate->quiet)
        return has(worker, FEATURE_SEE_PRUNING) && node->depth <= numbers_of(worker)->see_depth &&
               picker->stage != STAGE_NOISY &&
               !see_at_least(&worker->pos, candidate->move,
                             -numbers_of(worker)->see_noisy * node->depth);
    if (candidate->gives_check)
        return false;
    // The depth this move would be searched to.
    int depth = node->depth;
    if (has(worker, FEATURE_LMR))
        depth -= worker_reduction(worker, node->depth, node->tried_count + 1) / 1024;
    return prune_quiet(worker, node, picker, candidate, depth < 1 ? 1 : depth);
}
