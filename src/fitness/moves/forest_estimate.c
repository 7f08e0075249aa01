// SPDX-License-Identifier: GPL-3.0-or-later
#include "fitness/moves/forest_estimate.h"

#include "base/clock.h"
#include "base/mem.h"

#include <stdlib.h>

enum { SAMPLE = 2000 };

static void take_sample(const PlayedSet *set, PlayedSet *out) {
    out->count = set->count < SAMPLE ? set->count : SAMPLE;
    out->items = mem_alloc(out->count * sizeof *out->items);
    for (size_t i = 0; i < out->count; i++)
        out->items[i] = set->items[i * set->count / out->count];
}

Status forest_estimate(const PlayedSet *set, const ForestConfig *config,
                       const int32_t *coefficients, size_t organisms, DistPool *pool,
                       ForestEstimate *out) {
    CLEANUP(played_set_free) PlayedSet sample = {0};
    CLEANUP(forest_free_at) Forest *forest = NULL;
    CLEANUP(mem_free_at) int64_t *hits = mem_alloc(organisms * sizeof *hits);
    double *const seconds[] = {&out->first_seconds, &out->later_seconds};
    ForestConfig unlimited = *config;
    unlimited.max_bytes = 0;
    take_sample(set, &sample);
    forest = forest_new(FOREST_CHOICES, &sample, &unlimited);
    const double times = (double)set->count / (double)sample.count;
    for (size_t i = 0; i < 2; i++) {
        const int32_t *generation =
            coefficients + i * organisms * config->family->coefficient_count;
        const int64_t start = clock_now_ns();
        TRY(forest_hits(forest, generation, organisms, TIES_BY_ORDER, pool, hits));
        *seconds[i] = times * clock_seconds_since(start);
    }
    out->bytes = times * (double)forest_totals(forest).bytes;
    return OK;
}
