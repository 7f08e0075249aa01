// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/worker.h"

#include <string.h>

static void keep_line(Worker *worker, RootMove *root, int score) {
    const Frame *next = frame_at(worker, 1);
    root->score = score;
    root->selective_depth = worker->selective_depth;
    root->pv[0] = root->move;
    memcpy(root->pv + 1, next->pv, next->pv_length * sizeof(Move));
    root->pv_length = next->pv_length + 1;
}

static int reduction_at_root(const Worker *worker, const RootMove *root, int depth, size_t number) {
    const SearchNumbers *numbers = numbers_of(worker);
    bool late = depth >= numbers->lmr_depth && (int)number >= numbers->lmr_moves_root;
    if (!has(worker, FEATURE_LMR) || !late || !move_is_quiet(&worker->pos, root->move) ||
        position_gives_check(&worker->pos, root->move))
        return 0;
    int reduction = worker_reduction(worker, depth, (unsigned)number) / 1024 - 1;
    return reduction < 0 ? 0 : reduction > depth - 2 ? depth - 2 : reduction;
}

// A bound on a score with noise, for the score without; mates have none.
static int without_noise(int bound, int noise) {
    return score_is_mate(bound) ? bound : bound - noise;
}

static int search_root_move(Worker *worker, RootMove *root, int alpha, int beta, int depth,
                            bool first) {
    size_t number = (size_t)(root - worker->roots) - worker->line;
    int reduction = first ? 0 : reduction_at_root(worker, root, depth, number);
    alpha = without_noise(alpha, root->noise);
    beta = without_noise(beta, root->noise);
    Undo undo;
    worker_make(worker, 0, root->move, position_gives_check(&worker->pos, root->move), &undo);
    int score = alpha + 1;
    if (!first)
        score = -search_node(worker, -alpha - 1, -alpha, depth - 1 - reduction, 1, true);
    if (!first && reduction > 0 && score > alpha && !worker->stopped)
        score = -search_node(worker, -alpha - 1, -alpha, depth - 1, 1, true);
    if (score > alpha && (first || score < beta) && !worker->stopped)
        score = -search_node(worker, -beta, -alpha, depth - 1, 1, false);
    worker_unmake(worker, 0, &undo);
    return score_is_mate(score) ? score : score + root->noise;
}

int search_root(Worker *worker, int alpha, int beta, int depth) {
    Frame *frame = frame_at(worker, 0);
    bool in_check = position_checkers(&worker->pos) != 0;
    frame->eval = in_check ? SCORE_NONE : worker_evaluate(worker);
    frame[2].killers[0] = frame[2].killers[1] = MOVE_NONE;
    frame[1].cuts = frame[2].cuts = 0;
    frame[1].extensions = frame[1].quarters = 0;
    int best = -SCORE_INFINITE;
    for (size_t i = worker->line; i < worker->root_count; i++) {
        RootMove *root = &worker->roots[i];
        bool first = i == worker->line || !has(worker, FEATURE_PVS);
        uint64_t nodes = worker_nodes(worker);
        int score = search_root_move(worker, root, alpha, beta, depth, first);
        if (worker->stopped)
            return best;
        root->nodes += worker_nodes(worker) - nodes;
        if (i == worker->line || score > alpha)
            keep_line(worker, root, score);
        else
            root->score = -SCORE_INFINITE;
        if (score > best)
            best = score;
        if (score > alpha)
            alpha = score;
        if (alpha >= beta)
            break;
    }
    Bound bound = best >= beta ? BOUND_LOWER : BOUND_EXACT;
    if (worker->line == 0 && best > -SCORE_INFINITE && best >= alpha &&
        worker->search->noise_cp == 0)
        worker_remember(worker, 0,
                        (TTData){worker->roots[0].move, (int16_t)best, (int16_t)SCORE_NONE,
                                 (uint8_t)worker_table_depth(worker, depth, false), (uint8_t)bound,
                                 true});
    return best;
}
