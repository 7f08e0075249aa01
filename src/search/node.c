// SPDX-License-Identifier: GPL-3.0-or-later
// The tree: principal variation search over the moves of a node.
#include "search/node.h"

#include "chess/movegen.h"

#include <string.h>

// Whether what the table knows may stand for a search of this node.
static bool hash_is_deep_enough(const Worker *worker, Node *node) {
    // Near the fifty-move rule a stored score may be out of date.
    if (has(worker, FEATURE_LOOSE_HASH))
        return node->hash.depth >= node->depth && worker->pos.halfmove < 90;
    return node->path_is_free && node->hash.depth == node->depth + 1;
}

// Scores that need no search: draws, distance to mate, the table, known endings.
static bool settled_at_once(Worker *worker, Node *node, int *score) {
    *score = SCORE_DRAW;
    if (worker_must_stop(worker) || worker_is_draw(worker, node->in_check))
        return true;
    if (node->ply >= PLY_MAX) {
        *score = node->in_check ? SCORE_DRAW : worker_evaluate(worker);
        return true;
    }
    int least = score_mated_in(node->ply), most = score_mate_in(node->ply + 1);
    node->alpha = node->alpha > least ? node->alpha : least;
    node->beta = node->beta < most ? node->beta : most;
    *score = node->alpha;
    if (node->alpha >= node->beta)
        return true;
    *score = SCORE_DRAW;
    if (worker_is_known_draw(worker))
        return true;
    bool excluding = frame_at(worker, node->ply)->excluded != MOVE_NONE;
    if (!has(worker, FEATURE_HASH) || excluding)
        return false;
    node->path_is_free = worker_path_is_free(worker, node->depth, node->ply);
    bool found = tt_probe(worker->search->tt, worker->pos.key, node->ply, &node->hash);
    *score = node->hash.score;
    if (!found || node->pv || !hash_is_deep_enough(worker, node) ||
        !bound_settles(&node->hash, node->beta))
        return false;
    if (has(worker, FEATURE_TABLE_HISTORY) && node->hash.score >= node->beta)
        worker_learn_from_table(worker, node->ply, node->depth, node->hash.move);
    return true;
}

static void set_eval(Worker *worker, Node *node) {
    Frame *frame = frame_at(worker, node->ply);
    node->raw_eval = node->eval = SCORE_NONE;
    if (node->in_check || !worker->needs_eval) {
        frame->eval = SCORE_NONE;
        return;
    }
    if (frame->excluded != MOVE_NONE) {
        node->eval = node->raw_eval = frame->eval;
    } else {
        frame->eval = worker_static_score(worker, node->ply, node->hash.eval, &node->raw_eval);
        node->eval = refined_eval(&node->hash, frame->eval);
    }
    const Frame *two_before = frame - 2;
    node->improving = two_before->eval != SCORE_NONE
                          ? frame->eval > two_before->eval
                          : frame->eval > (frame - 4)->eval || (frame - 4)->eval == SCORE_NONE;
}

// A node without a move from the table gets one from a shallower search, or is searched less deep.
static void find_first_move(Worker *worker, Node *node) {
    if (node->hash.move != MOVE_NONE)
        return;
    const SearchNumbers *numbers = numbers_of(worker);
    if (has(worker, FEATURE_IID) &&
        node->depth >= (node->pv ? numbers->iid_depth : numbers->iid_cut_depth)) {
        int reduction = node->pv ? numbers->iid_reduction : numbers->iid_cut_reduction;
        search_node(worker, node->alpha, node->beta, node->depth - reduction, node->ply, node->cut);
        if (!worker->stopped)
            tt_probe(worker->search->tt, worker->pos.key, node->ply, &node->hash);
    } else if (has(worker, FEATURE_IIR) && has(worker, FEATURE_HASH) &&
               node->depth >= numbers->iir_depth && (node->pv || node->cut)) {
        node->depth--;
    }
}

static int late_reduction(Worker *worker, const Node *node, const Candidate *candidate) {
    const SearchNumbers *numbers = numbers_of(worker);
    if (!has(worker, FEATURE_LMR) || node->depth < numbers->lmr_depth ||
        (int)node->tried_count < (node->pv ? numbers->lmr_moves_pv : numbers->lmr_moves))
        return 0;
    int reduction = worker_reduction(worker, node->depth, node->tried_count);
    reduction -= node->pv ? numbers->lmr_pv : 0;
    reduction -= !node->pv && node->hash.pv ? numbers->lmr_was_pv : 0;
    reduction += node->cut ? numbers->lmr_cut : 0;
    reduction += node->improving ? 0 : numbers->lmr_worse;
    reduction += node->hash_is_noisy ? numbers->lmr_hash_noisy : 0;
    reduction +=
        frame_at(worker, node->ply + 1)->cuts >= numbers->lmr_cuts_least ? numbers->lmr_cuts : 0;
    reduction -= candidate->gives_check ? numbers->lmr_check : 0;
    if (candidate->quiet) {
        const Frame *frame = frame_at(worker, node->ply);
        bool killer = candidate->move == frame->killers[0] || candidate->move == frame->killers[1];
        reduction -= killer ? numbers->lmr_killer : 0;
        reduction -= candidate->history * 1024 / numbers->lmr_history;
    } else {
        reduction = reduction / 2 - numbers->lmr_noisy;
    }
    return reduction / 1024;
}

// A reduced move that turned out good: how much deeper than planned it deserves to be searched.
static int depth_after_reduction(const Worker *worker, const Node *node, int score) {
    const SearchNumbers *numbers = numbers_of(worker);
    if (numbers->lmr_deeper > 0 && score > node->best + numbers->lmr_deeper)
        return 1;
    return score < node->best + numbers->lmr_shallower ? -1 : 0;
}

// Searches a move that was made, with a reduced and a null window where that may suffice.
static int search_made(Worker *worker, const Node *node, int depth, int reduction) {
    int ply = node->ply + 1;
    bool first = node->tried_count == 1 || !has(worker, FEATURE_PVS);
    if (first)
        return -search_node(worker, -node->beta, -node->alpha, depth, ply,
                            node->pv ? false : !node->cut);
    int reduced = depth - reduction;
    reduced = reduced < 1 ? (depth < 1 ? depth : 1) : reduced > depth ? depth : reduced;
    int score = -search_node(worker, -node->alpha - 1, -node->alpha, reduced, ply, true);
    if (score > node->alpha && reduced < depth && !worker->stopped) {
        depth += depth_after_reduction(worker, node, score);
        if (reduced < depth)
            score = -search_node(worker, -node->alpha - 1, -node->alpha, depth, ply, !node->cut);
    }
    if (score > node->alpha && score < node->beta && !worker->stopped)
        score = -search_node(worker, -node->beta, -node->alpha, depth, ply, false);
    return score;
}

static int play_and_search(Worker *worker, Node *node, const Candidate *candidate, int extension) {
    Frame *frame = frame_at(worker, node->ply);
    int reduction = late_reduction(worker, node, candidate);
    Undo undo;
    worker_make(worker, node->ply, candidate->move, candidate->gives_check, &undo);
    frame[1].extensions = frame->extensions + (extension > 0 ? extension : 0);
    int score = search_made(worker, node, node->depth - 1 + extension, reduction);
    worker_unmake(worker, node->ply, &undo);
    return score;
}

static Candidate describe(Worker *worker, const Node *node, const Picker *picker, Move move) {
    bool quiet = move_is_quiet(&worker->pos, move);
    // An order by threats is no history: a sacrifice is not to be reduced for being one.
    bool scored = picker->stage == STAGE_QUIET && !has(worker, FEATURE_THREAT_ORDER);
    if (quiet && picker->stage != STAGE_QUIET)
        worker_prefetch(worker, move);
    return (Candidate){.move = move,
                       .quiet = quiet,
                       .gives_check = check_info_gives_check(&node->checks, &worker->pos, move),
                       .history = !quiet   ? 0
                                  : scored ? picker->score
                                           : worker_quiet_history(worker, node->ply, move)};
}

static void remember_tried(Tried *tried, bool quiet, Move move) {
    if (quiet && tried->quiet_count < sizeof tried->quiets / sizeof tried->quiets[0])
        tried->quiets[tried->quiet_count++] = move;
    if (!quiet && tried->noisy_count < sizeof tried->noisy / sizeof tried->noisy[0])
        tried->noisy[tried->noisy_count++] = move;
}

static void extend_pv(Worker *worker, int ply, Move move) {
    Frame *frame = frame_at(worker, ply), *next = frame + 1;
    frame->pv[0] = move;
    memcpy(frame->pv + 1, next->pv, next->pv_length * sizeof(Move));
    frame->pv_length = next->pv_length + 1;
}

static void finish_node(Worker *worker, const Node *node, int first_alpha) {
    Bound bound = node->best >= node->beta   ? BOUND_LOWER
                  : node->best > first_alpha ? BOUND_EXACT
                                             : BOUND_UPPER;
    int depth = worker_table_depth(worker, node->depth, node->path_is_free);
    worker_remember(worker, node->ply,
                    (TTData){node->best_move, (int16_t)node->best, (int16_t)node->raw_eval,
                             (uint8_t)depth, (uint8_t)bound, node->pv || node->hash.pv});
    if (bound == BOUND_UPPER && has(worker, FEATURE_REPLY_HISTORY) && node->ply > 1)
        worker_learn_from_failure(worker, node->ply, node->depth);
    bool quiet = node->best_move == MOVE_NONE || move_is_quiet(&worker->pos, node->best_move);
    int eval = frame_at(worker, node->ply)->eval;
    bool informative = (bound == BOUND_LOWER && node->best > eval) ||
                       (bound == BOUND_UPPER && node->best < eval) || bound == BOUND_EXACT;
    if (has(worker, FEATURE_CORRECTION) && !node->in_check && quiet && informative &&
        !score_is_mate(node->best)) {
        Correction correction = worker_correction(worker, node->ply);
        correction_learn(&correction, numbers_of(worker), node->depth, node->best - eval);
    }
}

// Searches the moves in order. Returns false when the node was ended by a singular search.
static bool search_moves(Worker *worker, Node *node, int *score) {
    Frame *frame = frame_at(worker, node->ply);
    Tried tried;
    tried.quiet_count = tried.noisy_count = 0;
    Picker picker;
    picker_init(&picker, worker, node->ply, node->hash.move, node->in_check);
    if (node_quiets_are_futile(worker, node))
        picker.only_checks = &node->checks;
    // A mate in one that nobody looks for would be missed at some depths and seen at others.
    if (node->depth <= numbers_of(worker)->lmp_checks)
        picker.late_checks = &node->checks;
    for (Move move; (move = picker_next(&picker)) != MOVE_NONE;) {
        if (move == frame->excluded)
            continue;
        Candidate candidate = describe(worker, node, &picker, move);
        // The first move is never left out, so a node that has moves has a score.
        if (node_prune_move(worker, node, &picker, &candidate))
            continue;
        bool ends_node;
        int extension = node_extension(worker, node, &candidate, &ends_node, score);
        if (ends_node || worker->stopped)
            return false;
        node->tried_count++;
        int value = play_and_search(worker, node, &candidate, extension);
        if (worker->stopped)
            return false;
        if (value > node->best) {
            node->best = value;
            if (value > node->alpha) {
                node->best_move = move;
                node->alpha = value;
                if (node->pv)
                    extend_pv(worker, node->ply, move);
            }
            if (value >= node->beta) {
                frame->cuts++;
                worker_learn_from_cut(worker, node->ply, node->depth, move, &tried);
                break;
            }
        }
        remember_tried(&tried, candidate.quiet, move);
    }
    return true;
}

int search_node(Worker *worker, int alpha, int beta, int depth, int ply, bool cut_node) {
    if (depth <= 0)
        return search_quiesce(worker, alpha, beta, 0, ply);
    Frame *frame = frame_at(worker, ply);
    Node node = {.alpha = alpha, .beta = beta, .depth = depth, .ply = ply, .pv = beta - alpha > 1};
    node.cut = cut_node;
    node.best = -SCORE_INFINITE;
    node.hash.eval = SCORE_NONE;
    frame->pv_length = 0;
    frame[2].killers[0] = frame[2].killers[1] = MOVE_NONE;
    frame[2].cuts = 0;
    if (node.pv && ply > worker->selective_depth)
        worker->selective_depth = ply;
    node.in_check = frame[-1].gives_check;
    int score;
    if (settled_at_once(worker, &node, &score))
        return score;
    set_eval(worker, &node);
    score = 0;
    if (node_prune(worker, &node, &score) || worker->stopped)
        return score;
    if (frame->excluded == MOVE_NONE)
        find_first_move(worker, &node);
    node.single_reply =
        node.in_check && has(worker, FEATURE_EXTEND_REPLY) && movegen_count(&worker->pos) == 1;

    node.hash_is_noisy =
        node.hash.move != MOVE_NONE && !move_is_quiet(&worker->pos, node.hash.move);
    node.checks = position_check_info(&worker->pos);
    int first_alpha = node.alpha;
    if (!search_moves(worker, &node, &score))
        return worker->stopped ? SCORE_DRAW : score;
    if (node.tried_count == 0) {
        if (frame->excluded != MOVE_NONE)
            return alpha;
        return node.in_check ? score_mated_in(ply) : SCORE_DRAW;
    }
    if (frame->excluded == MOVE_NONE)
        finish_node(worker, &node, first_alpha);
    return node.best;
}
