// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/history.h"

#include <string.h>

enum { WEIGHT_SCALE = 256 };

void history_clear(History *history) {
    memset(history, 0, sizeof *history);
}

// Any odd numbers without a pattern: the product's high bits depend on all of the factor's.
static uint64_t mix(uint64_t key) {
    return key * UINT64_C(0x9e3779b97f4a7c15) >> 32;
}

static size_t slot_of(uint64_t key) {
    return key % CORRECTION_SLOTS;
}

// Where one side's pieces stand, but for pawns.
static uint64_t pieces_key(const Position *pos, Color color) {
    static const uint64_t factors[] = {
        [KNIGHT] = UINT64_C(0xbf58476d1ce4e5b9), [BISHOP] = UINT64_C(0x94d049bb133111eb),
        [ROOK] = UINT64_C(0xd6e8feb86659fd93),   [QUEEN] = UINT64_C(0xa0761d6478bd642f),
        [KING] = UINT64_C(0xe7037ed1a0b428db),
    };
    uint64_t key = 0;
    for (PieceType type = KNIGHT; type <= KING; type++)
        key += (position_pieces(pos, color, type) + 1) * factors[type];
    return mix(key ^ key >> 32);
}

Correction history_correction(History *history, const Features *features, const Position *pos,
                              uint64_t moves) {
    int16_t(*table)[CORRECTION_SLOTS] = history->correction[pos->turn];
    Correction found = {{&table[CORRECTION_PAWNS][slot_of(pos->pawn_key)]}};
    if (features->on[FEATURE_CORRECTION_PIECES])
        for (Color color = WHITE; color <= BLACK; color++)
            found.by[CORRECTION_WHITE + color] =
                &table[CORRECTION_WHITE + color][slot_of(pieces_key(pos, color))];
    if (features->on[FEATURE_CORRECTION_MOVES])
        found.by[CORRECTION_MOVES] = &table[CORRECTION_MOVES][slot_of(mix(moves))];
    return found;
}

int correction_sum(const Correction *correction) {
    int sum = 0;
    for (size_t i = 0; i < CORRECTION_NB; i++)
        sum += correction->by[i] == NULL ? 0 : *correction->by[i];
    return sum / CORRECTION_GRAIN;
}

void correction_learn(const Correction *correction, const SearchNumbers *numbers, int depth,
                      int difference) {
    int most = numbers->correction_weight, limit = numbers->correction_most * CORRECTION_GRAIN;
    int weight = depth + 1 > most ? most : depth + 1;
    for (size_t i = 0; i < CORRECTION_NB; i++) {
        int16_t *value = correction->by[i];
        if (value == NULL)
            continue;
        int changed = *value + difference * CORRECTION_GRAIN * weight / WEIGHT_SCALE;
        *value = (int16_t)(changed > limit ? limit : changed < -limit ? -limit : changed);
    }
}
