// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/worker.h"

#include "search/blockage.h"
#include "search/kpk.h"

enum { WON_ENDING_BONUS = 500 };

bool worker_known_result(const Worker *worker, int *score) {
    const Position *pos = &worker->pos;
    *score = SCORE_DRAW;
    if ((pos->types[PAWN] | pos->types[KING]) != position_occupied(pos))
        return false;
    if (has(worker, FEATURE_KPK) && kpk_applies(pos))
        return !kpk_is_win(pos);
    return has(worker, FEATURE_BLOCKAGE) && blockage_is_draw(pos);
}

int worker_evaluate(Worker *worker) {
    const Position *pos = &worker->pos;
    int score;
    if (worker_known_result(worker, &score))
        return score;
    score = evaluator_score(worker->evaluator, pos);
    // A bitbase win: above every ending that is only good.
    if (has(worker, FEATURE_KPK) && kpk_applies(pos))
        score += position_pieces(pos, position_turn(pos), PAWN) != 0 ? WON_ENDING_BONUS
                                                                     : -WON_ENDING_BONUS;
    return score;
}

int worker_static_score(Worker *worker, int stored, int *raw) {
    *raw = stored != SCORE_NONE ? stored : worker_evaluate(worker);
    return has(worker, FEATURE_CORRECTION) ? history_corrected(&worker->history, &worker->pos, *raw)
                                           : *raw;
}
