// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/history.h"

#include <string.h>

enum { WEIGHT_SCALE = 256 };

void history_clear(History *history) {
    memset(history, 0, sizeof *history);
}

static size_t slot_of(const Position *pos) {
    return pos->pawn_key % CORRECTION_SLOTS;
}

int history_corrected(const History *history, const Position *pos, int eval) {
    return eval + history->correction[pos->turn][slot_of(pos)] / CORRECTION_GRAIN;
}

void history_correct(History *history, const Position *pos, const SearchNumbers *numbers, int depth,
                     int difference) {
    int16_t *value = &history->correction[pos->turn][slot_of(pos)];
    int most = numbers->correction_weight, limit = numbers->correction_most * CORRECTION_GRAIN;
    int weight = depth + 1 > most ? most : depth + 1;
    int scaled = difference * CORRECTION_GRAIN;
    int mixed = (*value * (WEIGHT_SCALE - weight) + scaled * weight) / WEIGHT_SCALE;
    *value = (int16_t)(mixed > limit ? limit : mixed < -limit ? -limit : mixed);
}
