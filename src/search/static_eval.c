// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/worker.h"

#include "search/blockage.h"
#include "search/kpk.h"

enum { WON_ENDING_BONUS = 500 };

bool worker_is_known_draw(const Worker *worker) {
    const Position *pos = &worker->pos;
    if ((pos->types[PAWN] | pos->types[KING]) != position_occupied(pos))
        return false;
    if (has(worker, FEATURE_KPK) && kpk_applies(pos))
        return !kpk_is_win(pos);
    return has(worker, FEATURE_BLOCKAGE) && blockage_is_draw(pos);
}

int worker_evaluate(Worker *worker) {
    const Position *pos = &worker->pos;
    if (worker_is_known_draw(worker))
        return SCORE_DRAW;
    int score = evaluator_score(worker->evaluator, pos);
    if (!has(worker, FEATURE_KPK) || !kpk_applies(pos))
        return score;
    // A bitbase win: above every ending that is only good.
    bool ours = position_pieces(pos, position_turn(pos), PAWN) != 0;
    return score + (ours ? WON_ENDING_BONUS : -WON_ENDING_BONUS);
}

Correction worker_correction(Worker *worker, int ply) {
    const Frame *frame = frame_at(worker, ply);
    uint64_t moves = (uint64_t)(frame[-1].piece << 6 | move_to(frame[-1].move)) << 10 |
                     (uint64_t)(frame[-2].piece << 6 | move_to(frame[-2].move));
    return history_correction(&worker->history, &worker->features, &worker->pos, moves);
}

int worker_static_score(Worker *worker, int ply, int stored, int *raw) {
    *raw = stored != SCORE_NONE ? stored : worker_evaluate(worker);
    if (!has(worker, FEATURE_CORRECTION))
        return *raw;
    Correction correction = worker_correction(worker, ply);
    return *raw + correction_sum(&correction);
}
