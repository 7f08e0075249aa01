// SPDX-License-Identifier: GPL-3.0-or-later
// Quiescence: only moves that change material, until the static score can be trusted.
#include "search/picker.h"

#include "chess/movegen.h"
#include "chess/see.h"

enum { DELTA_MARGIN = 180, NOISY_ANY = -100000 };

typedef struct QuietNode {
    int alpha, beta, best, futility;
    Move best_move;
    bool in_check;
} QuietNode;

// Searches one move; true when it cuts.
static bool try_move(Worker *worker, QuietNode *node, Move move, int depth, int ply) {
    Undo undo;
    worker_make(worker, ply, move, &undo);
    int score = -search_quiesce(worker, -node->beta, -node->alpha, depth - 1, ply + 1);
    worker_unmake(worker, ply, &undo);
    if (worker->stopped)
        return true;
    if (score > node->best) {
        node->best = score;
        if (score > node->alpha) {
            node->alpha = score;
            node->best_move = move;
        }
    }
    return score >= node->beta;
}

// True when even winning the captured piece for nothing would not reach alpha.
static bool is_hopeless(const Worker *worker, QuietNode *node, Move move) {
    const Position *pos = &worker->pos;
    if (node->in_check || move_kind(move) == MOVE_PROMOTION || position_gives_check(pos, move))
        return false;
    PieceType victim =
        move_kind(move) == MOVE_EN_PASSANT ? PAWN : piece_type(pos->board[move_to(move)]);
    int reach = node->futility + see_values[victim];
    if (reach > node->alpha)
        return false;
    if (reach > node->best)
        node->best = reach;
    return true;
}

static bool search_captures(Worker *worker, QuietNode *node, Move hash, int depth, int ply) {
    Picker picker;
    int threshold = has(worker, FEATURE_QUIESCENCE_SEE) ? 0 : NOISY_ANY;
    picker_init_noisy(&picker, worker, ply, hash, node->in_check, threshold);
    unsigned tried = 0;
    for (Move move; (move = picker_next(&picker)) != MOVE_NONE;) {
        bool losing = node->best <= -SCORE_MATE_LEAST;
        if (!losing && is_hopeless(worker, node, move))
            continue;
        // In check, quiet evasions after the first few rarely save what captures did not.
        if (!losing && node->in_check && tried > 3 && !move_is_capture(&worker->pos, move))
            continue;
        tried++;
        if (try_move(worker, node, move, depth, ply))
            return true;
    }
    return false;
}

static bool search_checks(Worker *worker, QuietNode *node, int depth, int ply) {
    Move moves[MOVES_MAX];
    size_t count = movegen(&worker->pos, MOVES_QUIET, moves);
    for (size_t i = 0; i < count; i++)
        if (position_gives_check(&worker->pos, moves[i]) &&
            see_at_least(&worker->pos, moves[i], 0) && try_move(worker, node, moves[i], depth, ply))
            return true;
    return false;
}

int search_quiesce(Worker *worker, int alpha, int beta, int depth, int ply) {
    if (ply > worker->selective_depth)
        worker->selective_depth = ply;
    frame_at(worker, ply)->pv_length = 0;
    if (worker_must_stop(worker) || worker_is_draw(worker))
        return SCORE_DRAW;
    bool in_check = position_checkers(&worker->pos) != 0;
    if (ply >= PLY_MAX)
        return in_check ? SCORE_DRAW : worker_evaluate(worker);

    TTData hash = {.eval = SCORE_NONE};
    bool found =
        has(worker, FEATURE_HASH) && tt_probe(worker->search->tt, worker->pos.key, ply, &hash);
    if (found && beta - alpha == 1 && bound_settles(&hash, beta))
        return hash.score;

    QuietNode node = {alpha, beta, score_mated_in(ply), -SCORE_INFINITE, MOVE_NONE, in_check};
    int raw = SCORE_NONE;
    if (!in_check) {
        node.best = refined_eval(&hash, worker_static_score(worker, &hash, &raw));
        node.futility = node.best + DELTA_MARGIN;
        if (node.best >= beta)
            return node.best;
        if (node.best > node.alpha)
            node.alpha = node.best;
    }
    bool cut = search_captures(worker, &node, hash.move, depth, ply);
    if (!cut && !in_check && depth == 0 && has(worker, FEATURE_QUIESCENCE_CHECKS))
        cut = search_checks(worker, &node, depth, ply);
    if (worker->stopped)
        return SCORE_DRAW;
    Bound bound = node.best >= beta ? BOUND_LOWER : BOUND_UPPER;
    worker_remember(worker, ply,
                    (TTData){node.best_move, (int16_t)node.best, (int16_t)raw, 0, (uint8_t)bound});
    return node.best;
}
