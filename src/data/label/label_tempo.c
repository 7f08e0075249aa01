// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/label/label_tempo.h"

#include "base/mem.h"
#include "chess/fen.h"
#include "chess/phase.h"
#include "data/label/label_answer.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

static const double least_spread = 20, least_share = 1.0 / 3, deviations = 1.96;

enum { SCORE_MOST = 2000 }; // games beyond are decided, and their scores say little

static Position board_of(const LabelSet *set, size_t index) {
    Position pos;
    StrView text = view_from_string(label_set_key(set, index));
    const Status status = fen_read(&text, &pos);
    assert(status == OK);
    (void)status;
    return pos;
}

// The score of the side to move. False for a mate, no answer, or a score that is too large.
static bool read_score(const LabelSet *set, size_t index, double *score) {
    const char *text = set->positions[index].answer;
    LabelAnswer answer;
    const Position pos = board_of(set, index);
    if (text == NULL || label_answer_read(&pos, view_from_string(text), &answer) != OK)
        return false;
    const LabelLine *best = &answer.lines[0];
    *score = best->score;
    return !best->is_mate && fabs(*score) <= SCORE_MOST;
}

// --- picking ---

static size_t list_quiet(const LabelSet *set, size_t *list) {
    size_t count = 0;
    for (size_t i = 0; i < set->position_count; i++) {
        double ignored;
        const Position pos = board_of(set, i);
        if (position_is_quiet_for_both(&pos) && read_score(set, i, &ignored))
            list[count++] = i;
    }
    return count;
}

void label_pairs_pick(LabelPairs *out, const LabelSet *set, size_t most) {
    CLEANUP(mem_free_at) size_t *quiet = mem_alloc_zero(set->position_count + 1, sizeof *quiet);
    const size_t count = list_quiet(set, quiet), taken = count < most ? count : most;
    CLEANUP(mem_free_at) Position *turned = mem_alloc_zero(taken + 1, sizeof *turned);
    *out = (LabelPairs){.own = mem_alloc_zero(taken + 1, sizeof *out->own)};
    for (size_t i = 0; i < taken; i++) {
        Undo undo;
        out->own[i] = quiet[i * count / taken];
        turned[i] = board_of(set, out->own[i]);
        position_make_null(&turned[i], &undo);
    }
    label_set_of(&out->turned, set->path, turned, taken);
}

void label_pairs_free(LabelPairs *pairs) {
    label_set_free(&pairs->turned);
    free(pairs->own);
    *pairs = (LabelPairs){0};
}

// --- measuring ---

// Of each pair: half the sum of its scores, and half their distance.
typedef struct Halves {
    double *tempo, *size;
    size_t count;
} Halves;

static void read_halves(const LabelSet *set, const LabelPairs *pairs, Halves *out) {
    for (size_t i = 0; i < pairs->turned.record_count; i++) {
        double own, turned;
        if (!read_score(set, pairs->own[i], &own) ||
            !read_score(&pairs->turned, pairs->turned.records[i].position, &turned))
            continue;
        out->tempo[out->count] = (own + turned) / 2;
        out->size[out->count++] = fabs(own - turned) / 2;
    }
}

static int compare_numbers(const void *a, const void *b) {
    const double *one = a, *two = b;
    return (*one > *two) - (*one < *two);
}

static double median_of(const double *numbers, size_t count) {
    CLEANUP(mem_free_at) double *sorted = mem_alloc(count * sizeof *sorted);
    for (size_t i = 0; i < count; i++)
        sorted[i] = numbers[i];
    qsort(sorted, count, sizeof *sorted, compare_numbers);
    return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
}

static double mean_of(const double *numbers, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += numbers[i];
    return sum / (double)count;
}

// The ratio of two means, by how much the first differs from it in each pair; sizes NULL: all 1.
static LabelMean mean_by(const double *numbers, const double *sizes, size_t count) {
    const double size = sizes == NULL ? 1 : mean_of(sizes, count);
    const double value = size > 0 ? mean_of(numbers, count) / size : 0;
    double squares = 0;
    for (size_t i = 0; i < count; i++) {
        const double rest = numbers[i] - value * (sizes == NULL ? 1 : sizes[i]);
        squares += rest * rest;
    }
    const double n = (double)count, width = deviations * sqrt(squares / (n - 1) / n);
    return size > 0 ? (LabelMean){value, value - width / size, value + width / size}
                    : (LabelMean){0};
}

LabelTempo label_tempo_measure(const LabelSet *set, const LabelPairs *pairs) {
    const size_t most = pairs->turned.record_count + 1;
    CLEANUP(mem_free_at) double *tempo = mem_alloc_zero(most, sizeof *tempo);
    CLEANUP(mem_free_at) double *size = mem_alloc_zero(most, sizeof *size);
    Halves halves = {tempo, size, 0};
    read_halves(set, pairs, &halves);
    if (halves.count < LABEL_PAIRS_LEAST)
        return (LabelTempo){0};
    const double median = median_of(tempo, halves.count);
    for (size_t i = 0; i < halves.count; i++)
        tempo[i] = fabs(tempo[i] - median);
    return (LabelTempo){.pairs = halves.count,
                        .median = median,
                        .spread = mean_by(tempo, NULL, halves.count),
                        .share = mean_by(tempo, size, halves.count)};
}

bool label_tempo_is_biased(const LabelTempo *tempo) {
    return tempo->spread.low > least_spread && tempo->share.low > least_share;
}

void label_tempo_describe(const LabelTempo *tempo, Str *out) {
    str_addf(out,
             "tempo %.1f cp, varying by %.1f (%.1f to %.1f) cp, %.0f%% (%.0f%% to %.0f%%) of the "
             "size of scores, in %zu quiet positions",
             tempo->median, tempo->spread.value, tempo->spread.low, tempo->spread.high,
             100 * tempo->share.value, 100 * tempo->share.low, 100 * tempo->share.high,
             tempo->pairs);
}
