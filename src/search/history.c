// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/history.h"

#include <string.h>

enum { CORRECTION_LIMIT = 64 * CORRECTION_GRAIN, WEIGHT_MAX = 16, WEIGHT_SCALE = 256 };

void history_clear(History *history) {
    memset(history, 0, sizeof *history);
}

static size_t slot_of(const Position *pos) {
    return pos->pawn_key % CORRECTION_SLOTS;
}

int history_corrected(const History *history, const Position *pos, int eval) {
    return eval + history->correction[pos->turn][slot_of(pos)] / CORRECTION_GRAIN;
}

void history_correct(History *history, const Position *pos, int depth, int difference) {
    int16_t *value = &history->correction[pos->turn][slot_of(pos)];
    int weight = depth + 1 > WEIGHT_MAX ? WEIGHT_MAX : depth + 1;
    int scaled = difference * CORRECTION_GRAIN;
    int mixed = (*value * (WEIGHT_SCALE - weight) + scaled * weight) / WEIGHT_SCALE;
    *value = (int16_t)(mixed > CORRECTION_LIMIT    ? CORRECTION_LIMIT
                       : mixed < -CORRECTION_LIMIT ? -CORRECTION_LIMIT
                                                   : mixed);
}
