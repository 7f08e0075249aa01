// SPDX-License-Identifier: GPL-3.0-or-later
#include "evolve/encounters.h"

#include "base/mem.h"

#include <stdlib.h>

void encounters_clear(Encounters *met) {
    met->count = 0;
}

void encounters_free(Encounters *met) {
    free(met->rows);
    *met = (Encounters){0};
}

void encounters_add(Encounters *met, size_t white, size_t black, unsigned half_points) {
    const bool is_white_first = white < black;
    const unsigned points = is_white_first ? half_points : 2 - half_points;
    MEM_ADD(met->rows, met->count, met->capacity) =
        (Encounter){.first = is_white_first ? white : black,
                    .second = is_white_first ? black : white,
                    .result = {.wins = points == 2, .draws = points == 1, .losses = points == 0}};
}

static int compare(const void *a, const void *b) {
    const Encounter *one = a, *other = b;
    if (one->first != other->first)
        return one->first < other->first ? -1 : 1;
    return (one->second > other->second) - (one->second < other->second);
}

const Encounter *encounters_sum(Encounters *met, size_t *count) {
    size_t kept = 0;
    if (met->count > 0)
        qsort(met->rows, met->count, sizeof *met->rows, compare);
    for (size_t i = 0; i < met->count; i++) {
        const Encounter row = met->rows[i];
        Encounter *last = &met->rows[kept == 0 ? 0 : kept - 1];
        if (kept == 0 || compare(last, &row) != 0) {
            met->rows[kept++] = row;
            continue;
        }
        last->result.wins += row.result.wins;
        last->result.draws += row.result.draws;
        last->result.losses += row.result.losses;
    }
    *count = met->count = kept;
    return met->rows;
}
