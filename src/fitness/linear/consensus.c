// SPDX-License-Identifier: GPL-3.0-or-later
#include "fitness/linear/consensus.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

enum { ROUNDS_MAX = 200, WIDTH_ROUNDS = 10, LOCATION_ROUNDS = 50 };

// Huber's constant: in normal noise it costs 5% of what the mean would tell.
static const double huber = 1.345;
// A median of absolute values times this is the standard deviation of normal noise.
static const double deviation_per_median = 1.4826;
// Whoever is further off than this has not scored the same thing.
static const double scale_least = 0.02, scale_most = 50;
static const double settled = 1e-10;

const char *const consensus_target_names[] = {"mean", "median", "fitted", NULL};
const char *const consensus_measure_names[] = {"none", "scale", NULL};

// --- a few numbers, or many ---

static int by_value(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Sorts them.
static double median_of(double *values, size_t count) {
    qsort(values, count, sizeof *values, by_value);
    return count == 0 ? 0 : (values[(count - 1) / 2] + values[count / 2]) / 2;
}

static double mean_of(const double *values, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += values[i];
    return sum / (double)count;
}

static double weight_of(double distance, double width) {
    return fabs(distance) <= width ? 1 : width / fabs(distance);
}

// The mean, but values further than `width` from it count only as if they were that far. Sorts
// them.
static double location_of(double *values, size_t count, double width) {
    double place = median_of(values, count);
    for (int round = 0; round < LOCATION_ROUNDS; round++) {
        double sum = 0, total = 0;
        for (size_t i = 0; i < count; i++) {
            const double weight = weight_of(values[i] - place, width);
            sum += weight * values[i];
            total += weight;
        }
        const double next = sum / total;
        if (fabs(next - place) < settled)
            break;
        place = next;
    }
    return place;
}

// --- targets ---

double consensus_own(const Consensus *consensus, size_t mentor, double score) {
    return (score - consensus->offset[mentor]) / consensus->scale[mentor];
}

double consensus_target(const Consensus *consensus, const int32_t *scores) {
    double own[MENTORS_MAX];
    for (size_t m = 0; m < consensus->mentors; m++)
        own[m] = consensus_own(consensus, m, scores[m]);
    switch (consensus->target) {
    case CONSENSUS_MEAN:
        return mean_of(own, consensus->mentors);
    case CONSENSUS_MEDIAN:
        return median_of(own, consensus->mentors);
    default:
        return location_of(own, consensus->mentors, consensus->width);
    }
}

double consensus_difference(const Consensus *consensus, const int32_t *scores, size_t count,
                            size_t a, size_t b, int measured) {
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        const int32_t *row = scores + i * consensus->mentors;
        sum += measured
                   ? fabs(consensus_own(consensus, a, row[a]) - consensus_own(consensus, b, row[b]))
                   : fabs((double)row[a] - row[b]);
    }
    return count == 0 ? 0 : sum / (double)count;
}

// --- scales ---

static Status check_scales(const Consensus *consensus) {
    for (size_t m = 0; m < consensus->mentors; m++)
        // Not a number is no scale either.
        if (!(consensus->scale[m] >= scale_least && consensus->scale[m] <= scale_most))
            return error_set(ERR_ARG,
                             "mentor %zu cannot be brought to one measure with the others: its "
                             "scale would be %.3g; are its scores those of the side to move?",
                             m + 1, consensus->scale[m]);
    return OK;
}

// The mean scale becomes 1 and the mean offset 0, by measuring targets otherwise.
static void settle(Consensus *consensus) {
    const double scale = mean_of(consensus->scale, consensus->mentors);
    const double offset = mean_of(consensus->offset, consensus->mentors);
    for (size_t m = 0; m < consensus->mentors; m++) {
        consensus->scale[m] /= scale;
        consensus->offset[m] -= consensus->scale[m] * offset;
    }
}

static Status measure_spreads(Consensus *consensus, const int32_t *scores, size_t count) {
    CLEANUP(mem_free_at) double *sizes = mem_alloc((count + 1) * sizeof *sizes);
    for (size_t m = 0; m < consensus->mentors; m++) {
        for (size_t i = 0; i < count; i++)
            sizes[i] = fabs((double)scores[i * consensus->mentors + m]);
        consensus->scale[m] = median_of(sizes, count);
        if (consensus->scale[m] == 0)
            return error_set(ERR_ARG,
                             "half of the scores of mentor %zu are 0: there is nothing to measure "
                             "its scale by; --mentors-normalise none leaves it as it is",
                             m + 1);
    }
    settle(consensus);
    return check_scales(consensus);
}

// How far mentors are from the targets in the middle, as a limit beyond which they count less.
static double find_width(const Consensus *consensus, const int32_t *scores, size_t count,
                         const double *targets, double *distances) {
    const size_t mentors = consensus->mentors;
    for (size_t i = 0; i < count; i++)
        for (size_t m = 0; m < mentors; m++)
            distances[i * mentors + m] =
                fabs(consensus_own(consensus, m, scores[i * mentors + m]) - targets[i]);
    const double width = huber * deviation_per_median * median_of(distances, count * mentors);
    return fmax(width, 1); // a centipawn, where mentors agree
}

// A line through one mentor's scores over the targets, by weighted squares. Returns how far the
// scale moved.
static double fit_mentor(Consensus *consensus, size_t m, const int32_t *scores, size_t count,
                         const double *targets) {
    double total = 0, x = 0, y = 0, xx = 0, xy = 0;
    for (size_t i = 0; i < count; i++) {
        const double score = scores[i * consensus->mentors + m], target = targets[i];
        const double weight =
            weight_of(consensus_own(consensus, m, score) - target, consensus->width);
        total += weight;
        x += weight * target;
        y += weight * score;
        xx += weight * target * target;
        xy += weight * target * score;
    }
    const double before = consensus->scale[m];
    consensus->scale[m] = (total * xy - x * y) / (total * xx - x * x);
    consensus->offset[m] = (y - consensus->scale[m] * x) / total;
    return fabs(consensus->scale[m] - before);
}

// Targets from scales and scales from targets in turn. With equal noise in all mentors neither
// favours any of them.
static Status fit(Consensus *consensus, const int32_t *scores, size_t count) {
    CLEANUP(mem_free_at) double *targets = mem_alloc((count + 1) * sizeof *targets);
    CLEANUP(mem_free_at)
    double *distances = mem_alloc((count * consensus->mentors + 1) * sizeof *distances);
    consensus->width = INFINITY;
    for (int round = 0; round < ROUNDS_MAX; round++) {
        double moved = 0;
        for (size_t i = 0; i < count; i++)
            targets[i] = consensus_target(consensus, scores + i * consensus->mentors);
        // A limit that went on moving might never let the scales settle.
        if (round < WIDTH_ROUNDS)
            consensus->width = find_width(consensus, scores, count, targets, distances);
        for (size_t m = 0; m < consensus->mentors; m++)
            moved = fmax(moved, fit_mentor(consensus, m, scores, count, targets));
        TRY(check_scales(consensus));
        settle(consensus);
        if (round > WIDTH_ROUNDS && moved < settled)
            break;
    }
    return OK;
}

Status consensus_learn(Consensus *out, ConsensusTarget target, ConsensusMeasure measure,
                       const int32_t *scores, size_t count, size_t mentors) {
    *out = (Consensus){.target = target, .mentors = mentors};
    for (size_t m = 0; m < mentors; m++)
        out->scale[m] = 1;
    if (target == CONSENSUS_FITTED)
        return fit(out, scores, count);
    return measure == MEASURE_SCALE ? measure_spreads(out, scores, count) : OK;
}
