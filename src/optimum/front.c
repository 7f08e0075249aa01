// SPDX-License-Identifier: GPL-3.0-or-later
#include "optimum/front.h"

#include "base/mem.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct Tracing {
    const MentorData *data;
    const int32_t *shares; // of each mixture, one for each mentor
    int32_t steps;         // what shares add up to
    FrontPoint *points;
} Tracing;

// Shares go in steps: about twenty mixtures, or the corners and what lies between two of them.
static int32_t steps_of(size_t mentors) {
    static const int32_t steps[] = {[2] = 20, [3] = 5, [4] = 3};
    return mentors < sizeof steps / sizeof *steps ? steps[mentors] : 2;
}

// Puts all ways to share `left` among the mentors from `mentor` on behind those there are, or only
// counts them where `out` is NULL.
static size_t list_mixtures(int32_t *out, size_t count, size_t mentors, size_t mentor, int32_t left,
                            int32_t *shares) {
    if (mentor + 1 == mentors) {
        shares[mentor] = left;
        if (out != NULL)
            memcpy(out + count * mentors, shares, mentors * sizeof *shares);
        return count + 1;
    }
    for (int32_t share = left; share >= 0; share--) {
        shares[mentor] = share;
        count = list_mixtures(out, count, mentors, mentor + 1, left - share, shares);
    }
    return count;
}

// How many mixtures are tried for so many mentors.
static size_t count_mixtures(size_t mentors) {
    int32_t shares[MENTORS_MAX];
    return list_mixtures(NULL, 0, mentors, 0, steps_of(mentors), shares);
}

static Status solve_one(void *context, size_t index, int worker) {
    (void)worker;
    const Tracing *tracing = context;
    const MentorData *data = tracing->data;
    const size_t mentors = data->set->mentors, count = data->space->count;
    const int32_t *shares = tracing->shares + index * mentors;
    FrontPoint *point = &tracing->points[index];
    OptimumResult result;
    TRY(mentors_mixture(data, shares, &result));
    double *weights = mem_alloc((count + 1) * sizeof *weights);
    for (size_t j = 0; j < count; j++)
        weights[j] = result.whole_weights[j];
    mentors_errors(data, weights, point->errors);
    for (size_t m = 0; m < mentors; m++) {
        point->shares[m] = (double)shares[m] / tracing->steps;
        point->errors[m] /= (double)data->set->matrix.count * data->unit;
    }
    point->weights = result.whole_weights;
    result.whole_weights = NULL;
    optimum_result_free(&result);
    free(weights);
    return OK;
}

// Of points that are equal the first stays.
static bool is_beaten(const Front *front, size_t index) {
    const FrontPoint *point = &front->points[index];
    for (size_t i = 0; i < front->count; i++) {
        bool worse = false, better = false;
        for (size_t m = 0; m < front->mentors; m++) {
            worse = worse || front->points[i].errors[m] > point->errors[m];
            better = better || front->points[i].errors[m] < point->errors[m];
        }
        if (i != index && !worse && (better || i < index))
            return true;
    }
    return false;
}

static int by_first_error(const void *a, const void *b) {
    const FrontPoint *first = a, *second = b;
    for (size_t m = 0; m < MENTORS_MAX; m++)
        if (first->errors[m] != second->errors[m])
            return first->errors[m] < second->errors[m] ? -1 : 1;
    return 0;
}

static void drop_beaten(Front *front) {
    bool *beaten = mem_alloc_zero(front->count + 1, sizeof *beaten);
    size_t kept = 0;
    for (size_t i = 0; i < front->count; i++)
        beaten[i] = is_beaten(front, i);
    for (size_t i = 0; i < front->count; i++) {
        if (beaten[i])
            free(front->points[i].weights);
        else
            front->points[kept++] = front->points[i];
    }
    front->count = kept;
    free(beaten);
    qsort(front->points, kept, sizeof *front->points, by_first_error);
}

Status front_trace(const MentorData *data, Front *out) {
    const size_t mentors = data->set->mentors, count = count_mixtures(mentors);
    int32_t *shares = mem_alloc(count * mentors * sizeof *shares), scratch[MENTORS_MAX];
    list_mixtures(shares, 0, mentors, 0, steps_of(mentors), scratch);
    *out = (Front){.points = mem_alloc_zero(count, sizeof *out->points),
                   .count = count,
                   .mentors = mentors,
                   .tried = count};
    Tracing tracing = {data, shares, steps_of(mentors), out->points};
    const Status status = dist_pool_run(data->pool, count, solve_one, &tracing);
    free(shares);
    if (status == OK)
        drop_beaten(out);
    else
        front_free(out);
    return status;
}

void front_free(Front *front) {
    for (size_t i = 0; i < front->count; i++)
        free(front->points[i].weights);
    free(front->points);
    *front = (Front){0};
}
