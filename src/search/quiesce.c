// SPDX-License-Identifier: GPL-3.0-or-later
// Quiescence: only moves that change material, until the static score can be trusted.
#include "search/picker.h"

#include "chess/draw.h"
#include "chess/movegen.h"
#include "chess/see.h"

enum { NOISY_ANY = -100000, SHALLOW_PLIES = 6 };

typedef struct QuietNode {
    int alpha, beta, best, futility;
    bool in_check, deep, tables;
    int raw_eval;
    Move best_move;
    TTData hash;
    CheckInfo checks;
} QuietNode;

// Searches one move; true when it cuts.
static bool try_move(Worker *worker, QuietNode *node, Move move, bool gives_check, int depth,
                     int ply) {
    Undo undo;
    if (node->tables)
        worker_prefetch(worker, move);
    worker_make(worker, ply, move, gives_check, &undo);
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
    picker_init_noisy(&picker, worker, ply, node->hash.move, node->in_check, NOISY_ANY);
    bool see = has(worker, FEATURE_QUIESCENCE_SEE) && !node->in_check;
    bool may_skip = has(worker, FEATURE_QUIESCENCE_FUTILITY);
    unsigned tried = 0;
    for (Move move; (move = picker_next(&picker)) != MOVE_NONE;) {
        bool skips = may_skip && node->best > -SCORE_MATE_LEAST;
        bool gives_check = check_info_gives_check(&node->checks, &worker->pos, move);
        // The cheap test first: most captures fail it.
        if (skips && is_hopeless(worker, node, move, gives_check))
            continue;
        if (see && !see_at_least(&worker->pos, move, 0))
            continue;
        // In check, quiet evasions after the first few rarely save what captures did not.
        if (skips && node->in_check && tried > (unsigned)numbers_of(worker)->evasions &&
            !move_is_capture(&worker->pos, move))
            continue;
        tried++;
        if (try_move(worker, node, move, gives_check && node->deep, depth, ply))
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

// Whether the side to move, which is not in check, has no move. A pawn that may step ahead and is
// pinned on no line settles it nearly always.
static bool is_stalemate(const Position *pos) {
    Color us = position_turn(pos);
    Square king = position_king(pos, us);
    Bitboard lines = attacks_bishop(king, 0) | attacks_rook(king, 0);
    Bitboard ahead = bb_forward(position_pieces(pos, us, PAWN) & ~lines, us);
    return (ahead & ~position_occupied(pos)) == 0 && !movegen_has_any(pos);
}

// Draws as the first ply of quiescence sees them. Without further depth the plies after it know
// material alone, so that a score does not depend on the moves that led to it.
static bool is_draw(const Worker *worker, const QuietNode *node, int depth) {
    if (node->deep)
        return worker_is_draw(worker, node->in_check);
    if (depth < 0)
        return draw_by_material(&worker->pos);
    return worker_is_draw(worker, node->in_check) ||
           (!node->in_check && is_stalemate(&worker->pos));
}

// Takes the static score if the side to move may; true when that is the end.
static bool stand_pat(Worker *worker, QuietNode *node, int depth, int ply) {
    int eval = worker_static_score(worker, ply, node->hash.eval, &node->raw_eval);
    node->best = refined_eval(&node->hash, eval);
    node->futility = node->best + numbers_of(worker)->delta_margin;
    node->alpha = node->best > node->alpha ? node->best : node->alpha;
    return node->best >= node->beta || (!node->deep && depth <= -SHALLOW_PLIES);
}

// What the table knows of the node; true when that is its score.
static bool settled_by_table(const Worker *worker, QuietNode *node, int ply) {
    if (!node->tables)
        return false;
    bool found = tt_probe(worker->search->tt, worker->pos.key, ply, &node->hash);
    return found && node->beta - node->alpha == 1 && worker->pos.halfmove < 90 &&
           bound_settles(&node->hash, node->beta);
}

static void remember(Worker *worker, const QuietNode *node, int ply, int first_alpha) {
    Bound bound = node->best >= node->beta   ? BOUND_LOWER
                  : node->best > first_alpha ? BOUND_EXACT
                                             : BOUND_UPPER;
    worker_remember(worker, ply,
                    (TTData){node->best_move, (int16_t)node->best, (int16_t)node->raw_eval, 0,
                             (uint8_t)bound, node->hash.pv});
}

int search_quiesce(Worker *worker, int alpha, int beta, int depth, int ply) {
    if (ply > worker->selective_depth)
        worker->selective_depth = ply;
    Frame *frame = frame_at(worker, ply);
    QuietNode node = {.alpha = alpha, .beta = beta, .in_check = frame[-1].gives_check};
    node.deep = has(worker, FEATURE_QUIESCENCE_DEEP);
    frame->pv_length = 0;
    if (worker_must_stop(worker) || is_draw(worker, &node, depth))
        return SCORE_DRAW;
    if (ply >= PLY_MAX)
        return node.in_check ? SCORE_DRAW : worker_evaluate(worker);

    node.tables = node.deep && has(worker, FEATURE_QUIESCENCE_HASH) && has(worker, FEATURE_HASH) &&
                  has(worker, FEATURE_LOOSE_HASH);
    node.hash.eval = SCORE_NONE;
    node.raw_eval = SCORE_NONE;
    if (settled_by_table(worker, &node, ply))
        return node.hash.score;
    node.best = score_mated_in(ply);
    node.futility = -SCORE_INFINITE;
    if (!node.in_check && stand_pat(worker, &node, depth, ply)) {
        if (node.tables && node.hash.bound == BOUND_NONE)
            remember(worker, &node, ply, alpha);
        return node.best;
    }
    node.checks = position_check_info(&worker->pos);
    bool cut = search_captures(worker, &node, depth, ply);
    if (!cut && !node.in_check && depth == 0 && has(worker, FEATURE_QUIESCENCE_CHECKS))
        search_checks(worker, &node, depth, ply);
    if (worker->stopped)
        return SCORE_DRAW;
    if (node.tables)
        remember(worker, &node, ply, alpha);
    return node.best;
}
