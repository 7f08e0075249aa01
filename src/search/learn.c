// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/movegen.h"
#include "search/worker.h"

static int bonus_of(const SearchNumbers *numbers, int depth) {
    int bonus = numbers->history_bonus * depth - numbers->history_offset;
    return bonus > numbers->history_most ? numbers->history_most : bonus;
}

// Stands in for a table that is switched off.
static const int16_t no_butterfly[SQUARE_NB][SQUARE_NB];
static const PieceToHistory no_continuation;

QuietHistory quiet_history(const Worker *worker, int ply) {
    const Frame *frame = frame_seen(worker, ply);
    QuietHistory history = {no_butterfly, {&no_continuation, &no_continuation, &no_continuation}};
    if (has(worker, FEATURE_HISTORY))
        history.butterfly = worker->history.butterfly[worker->pos.turn];
    if (has(worker, FEATURE_CONTINUATION)) {
        history.after[0] = frame[-1].continuation;
        history.after[1] = frame[-2].continuation;
        history.after[2] = frame[-4].continuation;
    }
    return history;
}

int worker_quiet_history(const Worker *worker, int ply, Move move) {
    QuietHistory history = quiet_history(worker, ply);
    return quiet_history_score(&history, &worker->pos, move);
}

int worker_noisy_history(const Worker *worker, Move move) {
    if (!has(worker, FEATURE_CAPTURE_HISTORY))
        return 0;
    const Position *pos = &worker->pos;
    const int learned =
        worker->history.capture[pos->board[move_from(move)]][move_to(move)][move_victim(pos, move)];
    return learned * numbers_of(worker)->capture_weight / 64;
}

static void learn_quiet(Worker *worker, int ply, Move move, int bonus) {
    const Position *pos = &worker->pos;
    Piece piece = pos->board[move_from(move)];
    Square to = move_to(move);
    history_update(&worker->history.butterfly[pos->turn][move_from(move)][to], bonus);
    static const int plies_back[] = {1, 2, 4};
    for (size_t i = 0; i < sizeof plies_back / sizeof plies_back[0]; i++) {
        const Frame *before = frame_at(worker, ply - plies_back[i]);
        if (before->move != MOVE_NONE)
            history_update(
                &worker->history.continuation[before->piece][move_to(before->move)][piece][to],
                bonus);
    }
}

static void learn_noisy(Worker *worker, Move move, int bonus) {
    const Position *pos = &worker->pos;
    history_update(&worker->history.capture[pos->board[move_from(move)]][move_to(move)]
                                           [move_victim(pos, move)],
                   bonus);
}

static void remember_refutation(Worker *worker, int ply, Move best) {
    Frame *frame = frame_at(worker, ply);
    if (frame->killers[0] != best) {
        frame->killers[1] = frame->killers[0];
        frame->killers[0] = best;
    }
    const Frame *before = frame - 1;
    if (before->move != MOVE_NONE)
        worker->history.counter[before->piece][move_to(before->move)] = best;
}

void worker_learn_from_cut(Worker *worker, int ply, int depth, Move best, const Tried *tried) {
    int bonus = bonus_of(numbers_of(worker), depth);
    const Position *pos = &worker->pos;
    if (move_is_quiet(pos, best)) {
        remember_refutation(worker, ply, best);
        // A refutation found at once at low depth says little.
        if (depth > 2 || tried->quiet_count > 0)
            learn_quiet(worker, ply, best, bonus);
        for (size_t i = 0; i < tried->quiet_count; i++)
            if (tried->quiets[i] != best)
                learn_quiet(worker, ply, tried->quiets[i], -bonus);
    } else {
        learn_noisy(worker, best, bonus);
    }
    for (size_t i = 0; i < tried->noisy_count; i++)
        if (tried->noisy[i] != best)
            learn_noisy(worker, tried->noisy[i], -bonus);
}

void worker_learn_from_table(Worker *worker, int ply, int depth, Move move) {
    const Position *pos = &worker->pos;
    if (move != MOVE_NONE && move_is_quiet(pos, move) && move_is_legal(pos, move))
        learn_quiet(worker, ply, move, bonus_of(numbers_of(worker), depth));
}

void worker_learn_from_failure(Worker *worker, int ply, int depth) {
    const Frame *before = frame_at(worker, ply - 1);
    if (before->move == MOVE_NONE || before->captured_value != 0 ||
        move_kind(before->move) == MOVE_PROMOTION)
        return;
    int bonus = bonus_of(numbers_of(worker), depth);
    Square to = move_to(before->move);
    Color mover = color_other(position_turn(&worker->pos));
    history_update(&worker->history.butterfly[mover][move_from(before->move)][to], bonus / 2);
    for (int back = 2; back <= 3; back++) {
        const Frame *earlier = frame_at(worker, ply - back);
        if (earlier->move != MOVE_NONE)
            history_update(&worker->history.continuation[earlier->piece][move_to(earlier->move)]
                                                        [before->piece][to],
                           bonus);
    }
}
