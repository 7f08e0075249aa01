// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/worker.h"

#include "chess/draw.h"
#include "chess/movegen.h"
#include "chess/see.h"

#include <string.h>

// Halfmoves and depth together, with room for quiescence.
enum { NEAR_FIFTY_MOVES = 90 };

// Follows a null move, and stands before the root: nothing was ever learned there.
static const PieceToHistory nothing_learned;

void worker_prefetch(const Worker *worker, Move move) {
    tt_prefetch(worker->search->tt, position_key_after(&worker->pos, move));
}

void worker_make(Worker *worker, int ply, Move move, bool gives_check, Undo *undo) {
    Frame *frame = frame_at(worker, ply);
    Piece piece = worker->pos.board[move_from(move)];
    frame->move = move;
    frame->piece = piece;
    frame->gives_check = gives_check;
    frame->captured_value = see_values[piece_type(worker->pos.board[move_to(move)])];
    frame->continuation = &worker->history.continuation[piece][move_to(move)];
    position_make(&worker->pos, move, undo);
    evaluator_prefetch(worker->evaluator, &worker->pos);
    worker->keys[worker->key_count++] = worker->pos.key;
    atomic_store_explicit(&worker->nodes, worker_nodes(worker) + 1, memory_order_relaxed);
}

void worker_unmake(Worker *worker, int ply, const Undo *undo) {
    worker->key_count--;
    position_unmake(&worker->pos, frame_at(worker, ply)->move, undo);
}

void worker_make_null(Worker *worker, int ply, Undo *undo) {
    Frame *frame = frame_at(worker, ply);
    frame->move = MOVE_NONE;
    frame->piece = PIECE_NONE;
    frame->gives_check = false;
    frame->continuation = &nothing_learned;
    position_make_null(&worker->pos, undo);
    worker->keys[worker->key_count++] = worker->pos.key;
}

void worker_unmake_null(Worker *worker, const Undo *undo) {
    worker->key_count--;
    position_unmake_null(&worker->pos, undo);
}

void worker_remember(Worker *worker, int ply, TTData data) {
    if (has(worker, FEATURE_HASH))
        tt_store(worker->search->tt, worker->pos.key, ply, data);
}

// Once inside the tree is enough: what can be repeated once can be repeated again. Positions of the
// game before the root must have occurred twice.
static bool is_repetition(const Worker *worker) {
    size_t last = worker->key_count - 1;
    size_t reach = worker->pos.halfmove < last ? worker->pos.halfmove : last;
    unsigned in_game = 0;
    for (size_t back = 4; back <= reach; back += 2) {
        if (worker->keys[last - back] != worker->keys[last])
            continue;
        if (last - back >= worker->root_key_count - 1 || ++in_game == 2)
            return true;
    }
    return false;
}

// Whether the last move went where a man of its side came from since the last move that cannot be
// taken back, in the tree: only so can all that side's men stand again as they did.
static bool comes_back(const Worker *worker, int ply, int reversible) {
    const Frame *last = frame_seen(worker, ply - 1);
    for (int back = 3; back <= reversible; back += 2)
        if (move_to(last->move) == move_from(frame_seen(worker, ply - back)->move))
            return true;
    return false;
}

bool worker_path_is_free(const Worker *worker, int depth, int ply) {
    int halfmove = (int)worker->pos.halfmove;
    if (worker->game_repeats || halfmove + depth >= NEAR_FIFTY_MOVES)
        return false;
    // A position comes back after four plies at the earliest. Of those before the root only
    // those that occurred twice count.
    int reversible = halfmove < ply ? halfmove : ply;
    return reversible + depth < 4 || (depth == 1 && !comes_back(worker, ply, reversible));
}

static bool game_repeats(const Worker *worker) {
    size_t before = worker->root_key_count - 1;
    size_t reach = worker->pos.halfmove < before ? worker->pos.halfmove : before;
    for (size_t i = before - reach; i < before; i++)
        for (size_t j = i + 4; j < before; j += 2)
            if (worker->keys[i] == worker->keys[j])
                return true;
    return false;
}

bool worker_is_draw(const Worker *worker, bool in_check) {
    const Position *pos = &worker->pos;
    if (pos->halfmove >= 100)
        return !in_check || movegen_has_any(pos);
    return is_repetition(worker) || draw_by_material(pos);
}

bool worker_is_at_root(const Worker *worker) {
    const size_t count = worker->key_count;
    return position_is_ok(&worker->pos) && count == worker->root_key_count && count <= KEYS_MAX &&
           (count == 0 || worker->keys[count - 1] == worker->pos.key) &&
           worker->root_count <= MOVES_MAX;
}

static bool needs_eval(const Worker *worker) {
    return has(worker, FEATURE_NULL_MOVE) || has(worker, FEATURE_FUTILITY) ||
           has(worker, FEATURE_EXTENDED_FUTILITY) || has(worker, FEATURE_REVERSE_FUTILITY) ||
           has(worker, FEATURE_RAZORING) || has(worker, FEATURE_PROBCUT) ||
           has(worker, FEATURE_LMR) || has(worker, FEATURE_LMP) || has(worker, FEATURE_CORRECTION);
}

void worker_set_root(Worker *worker, const Position *root, const uint64_t *keys, size_t key_count) {
    worker->features = worker->search->features;
    worker->needs_eval = needs_eval(worker);
    worker_prepare_pruning(worker);
    worker->pos = *root;
    size_t kept = key_count < GAME_KEYS_MAX ? key_count : GAME_KEYS_MAX;
    memcpy(worker->keys, keys + key_count - kept, kept * sizeof keys[0]);
    worker->key_count = worker->root_key_count = kept;
    worker->game_repeats = game_repeats(worker);
    for (size_t i = 0; i < sizeof worker->frames / sizeof worker->frames[0]; i++) {
        Frame *frame = &worker->frames[i];
        frame->move = frame->excluded = frame->killers[0] = frame->killers[1] = MOVE_NONE;
        frame->piece = PIECE_NONE;
        frame->eval = SCORE_NONE;
        frame->extensions = frame->quarters = 0;
        frame->continuation = &nothing_learned;
        frame->pv_length = 0;
    }
    worker->null_from_ply = 0;
    worker->until_check = 1;
    worker->stopped = false;
    worker->completed_depth = worker->selective_depth = 0;
    atomic_store_explicit(&worker->nodes, 0, memory_order_relaxed);
}
