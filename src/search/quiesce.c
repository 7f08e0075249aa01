// SPDX-License-Identifier: GPL-3.0-or-later
// Quiescence: only moves that change material, until the static score can be trusted. The table is
// left alone: its memory is slower than searching these few moves again.
#include "search/picker.h"

#include "chess/movegen.h"
#include "chess/see.h"

enum { DELTA_MARGIN = 180, NOISY_ANY = -100000 };

typedef struct QuietNode {
    int alpha, beta, best, futility;
    bool in_check;
    CheckInfo checks;
} QuietNode;

// Searches one move; true when it cuts.
static bool try_move(Worker *worker, QuietNode *node, Move move, bool gives_check, int depth,
                     int ply) {
    Undo undo;
    worker_make(worker, ply, move, gives_check, &undo);
    int score = -search_quiesce(worker, -node->beta, -node->alpha, depth - 1, ply + 1);
    worker_unmake(worker, ply, &undo);
    if (worker->stopped)
        return true;
    if (score > node->best) {
        node->best = score;
        if (score > node->alpha)
            node->alpha = score;
    }
    return score >= node->beta;
}

// True when even winning the captured piece for nothing would not reach alpha.
static bool is_hopeless(const Worker *worker, QuietNode *node, Move move, bool gives_check) {
    const Position *pos = &worker->pos;
    if (node->in_check || move_kind(move) == MOVE_PROMOTION || gives_check)
        return false;
    int reach = node->futility + see_values[move_victim(pos, move)];
    if (reach > node->alpha)
        return false;
    if (reach > node->best)
        node->best = reach;
    return true;
}

static bool search_captures(Worker *worker, QuietNode *node, int depth, int ply) {
    Picker picker;
    picker_init_noisy(&picker, worker, ply, MOVE_NONE, node->in_check, NOISY_ANY);
    bool see = has(worker, FEATURE_QUIESCENCE_SEE) && !node->in_check;
    unsigned tried = 0;
    for (Move move; (move = picker_next(&picker)) != MOVE_NONE;) {
        bool losing = node->best <= -SCORE_MATE_LEAST;
        bool gives_check = check_info_gives_check(&node->checks, &worker->pos, move);
        // The cheap test first: most captures fail it.
        if (!losing && is_hopeless(worker, node, move, gives_check))
            continue;
        if (see && !see_at_least(&worker->pos, move, 0))
            continue;
        // In check, quiet evasions after the first few rarely save what captures did not.
        if (!losing && node->in_check && tried > 3 && !move_is_capture(&worker->pos, move))
            continue;
        tried++;
        if (try_move(worker, node, move, gives_check, depth, ply))
            return true;
    }
    return false;
}

static bool search_checks(Worker *worker, QuietNode *node, int depth, int ply) {
    Move moves[MOVES_MAX];
    size_t count = movegen_quiet_checks(&worker->pos, &node->checks, moves);
    for (size_t i = 0; i < count; i++)
        if (see_at_least(&worker->pos, moves[i], 0) &&
            try_move(worker, node, moves[i], true, depth, ply))
            return true;
    return false;
}

int search_quiesce(Worker *worker, int alpha, int beta, int depth, int ply) {
    if (ply > worker->selective_depth)
        worker->selective_depth = ply;
    Frame *frame = frame_at(worker, ply);
    bool in_check = frame[-1].gives_check;
    frame->pv_length = 0;
    if (worker_must_stop(worker) || worker_is_draw(worker, in_check))
        return SCORE_DRAW;
    if (ply >= PLY_MAX)
        return in_check ? SCORE_DRAW : worker_evaluate(worker);

    QuietNode node = {.alpha = alpha, .beta = beta, .in_check = in_check};
    node.best = score_mated_in(ply);
    node.futility = -SCORE_INFINITE;
    if (!in_check) {
        int raw;
        node.best = worker_static_score(worker, SCORE_NONE, &raw);
        node.futility = node.best + DELTA_MARGIN;
        if (node.best >= beta)
            return node.best;
        if (node.best > node.alpha)
            node.alpha = node.best;
    }
    node.checks = position_check_info(&worker->pos);
    bool cut = search_captures(worker, &node, depth, ply);
    if (!cut && !in_check && depth == 0 && has(worker, FEATURE_QUIESCENCE_CHECKS))
        cut = search_checks(worker, &node, depth, ply);
    return worker->stopped ? SCORE_DRAW : node.best;
}
