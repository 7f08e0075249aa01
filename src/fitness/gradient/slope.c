// SPDX-License-Identifier: GPL-3.0-or-later
#include "fitness/gradient/slope.h"

#include "base/mem.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

const char *const slope_loss_names[] = {"surprise", "misses", NULL};

void slope_add_position(SlopePart *part, double *scores, size_t count, SlopeKind kind) {
    const double played = scores[0];
    double most = played, total = 0;
    for (size_t i = 1; i < count; i++)
        most = scores[i] > most ? scores[i] : most;
    for (size_t i = 0; i < count; i++) {
        scores[i] = exp((scores[i] - most) / kind.temperature);
        total += scores[i];
    }
    const double share = scores[0] / total;
    const bool is_surprise = kind.loss == LOSS_SURPRISE;
    part->hits += played >= most;
    part->loss += is_surprise ? log(total) - (played - most) / kind.temperature : 1 - share;
    // The slope of 1 - p is that of -log p, times p.
    const double factor = (is_surprise ? 1 : share) / kind.temperature;
    for (size_t i = 0; i < count; i++)
        scores[i] = factor * (scores[i] / total - (i == 0));
}

SlopePart *slope_parts_new(size_t parts, size_t terms) {
    SlopePart *all = mem_alloc_zero(parts + 1, sizeof *all);
    double *gradients = mem_alloc_zero(parts * terms + 1, sizeof *gradients);
    // The first is there even where there are no parts, so that the memory can be found again.
    all[0].gradient = gradients;
    for (size_t i = 1; i < parts; i++)
        all[i].gradient = gradients + i * terms;
    return all;
}

void slope_parts_sum(SlopePart *parts, size_t count, size_t terms, size_t positions, Slope *out) {
    out->loss = 0;
    out->hits = 0;
    memset(out->gradient, 0, terms * sizeof *out->gradient);
    for (size_t i = 0; i < count; i++) {
        out->loss += parts[i].loss / (double)positions;
        out->hits += parts[i].hits;
        for (size_t j = 0; j < terms; j++)
            out->gradient[j] += parts[i].gradient[j] / (double)positions;
    }
    free(parts[0].gradient);
    free(parts);
}
