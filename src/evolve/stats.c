// SPDX-License-Identifier: GPL-3.0-or-later
#include "evolve/loop.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Orders `values` so that the one at `nth` is the one that sorting would put there (Hoare).
static int64_t nth_value(int64_t *values, size_t count, size_t nth) {
    size_t low = 0, high = count - 1;
    while (low < high) {
        int64_t pivot = values[low + (high - low) / 2];
        size_t left = low, right = high;
        for (;;) {
            while (values[left] < pivot)
                left++;
            while (values[right] > pivot)
                right--;
            if (left >= right)
                break;
            int64_t kept = values[left];
            values[left++] = values[right];
            values[right--] = kept;
        }
        if (nth <= right)
            high = right;
        else
            low = right + 1;
    }
    return values[nth];
}

static double median_of(const int64_t *scores, size_t count) {
    int64_t *copy = mem_alloc(count * sizeof *copy);
    memcpy(copy, scores, count * sizeof *copy);
    double upper = (double)nth_value(copy, count, count / 2);
    double lower = count % 2 == 1 ? upper : (double)nth_value(copy, count, count / 2 - 1);
    free(copy);
    return (lower + upper) / 2;
}

static double diversity_of(const EvolveSpace *space, const EvolveBatch *batch) {
    size_t width = batch->width, free_parameters = 0;
    double *sums = mem_alloc_zero(2 * width, sizeof *sums), *squares = sums + width, total = 0;
    // Counted from the first organism, so that squares stay small where all are alike.
    const double *first = batch->parameters;
    for (size_t i = 1; i < batch->count; i++)
        for (size_t j = 0; j < width; j++) {
            double off = batch->parameters[i * width + j] - first[j];
            sums[j] += off;
            squares[j] += off * off;
        }
    for (size_t j = 0; j < width; j++) {
        double size = space->parameters[j].high - space->parameters[j].low;
        double mean = sums[j] / (double)batch->count;
        double variance = squares[j] / (double)batch->count - mean * mean;
        if (size > 0 && variance > 0)
            total += sqrt(variance) / size;
        free_parameters += size > 0;
    }
    free(sums);
    return total / (double)free_parameters;
}

static void add_scores(EvolveStats *stats, const EvolveBatch *batch, const int64_t *scores) {
    size_t best = 0;
    double sum = 0;
    stats->worst = scores[0];
    for (size_t i = 0; i < batch->count; i++) {
        sum += (double)scores[i];
        if (scores[i] > scores[best])
            best = i;
        if (scores[i] < stats->worst)
            stats->worst = scores[i];
    }
    stats->has_scores = true;
    stats->best = scores[best];
    stats->mean = sum / (double)batch->count;
    stats->median = median_of(scores, batch->count);
    stats->best_parameters = batch->parameters + best * batch->width;
}

EvolveStats evolve_stats_of_batch(const EvolveSpace *space, const EvolveBatch *batch,
                                  const int64_t *scores) {
    EvolveStats stats = {.generation = batch->generation,
                         .count = batch->count,
                         .diversity = diversity_of(space, batch)};
    if (scores != NULL)
        add_scores(&stats, batch, scores);
    return stats;
}
