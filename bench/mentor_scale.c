// SPDX-License-Identifier: GPL-3.0-or-later
// What a generation costs as the data grow: reads a labelled set, then judges 1000 random organisms
// on all of it and on its first N positions for each N given.
//   mentor_scale FILE [N]...
// prints `read POSITIONS SECONDS`, `peak KILOBYTES` after judging all, and for each size
// `judge POSITIONS SECONDS`, the median of several.
#include "base/clock.h"
#include "base/mem.h"
#include "base/rng.h"
#include "eval/family.h"
#include "fitness/linear/mentor.h"
#include "fitness/linear/mentor_set.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

enum { ORGANISMS = 1000, REPEATS_MAX = 99 };
static const double enough_seconds = 0.5;

static int compare(const void *a, const void *b) {
    const double first = *(const double *)a, second = *(const double *)b;
    return (first > second) - (first < second);
}

// An odd number of times: three at least, and until enough time has gone by.
static Status judge(const CountMatrix *matrix, const int32_t *organisms, DistPool *pool) {
    static int64_t sums[ORGANISMS];
    double times[REPEATS_MAX], sum = 0;
    int count = 0;
    while (count < 3 || count % 2 == 0 || (sum < enough_seconds && count < REPEATS_MAX)) {
        const int64_t start = clock_now_ns();
        const Status status = mentor_errors(matrix, organisms, ORGANISMS, pool, sums);
        if (status != OK)
            return status;
        times[count] = clock_seconds_since(start);
        sum += times[count++];
    }
    qsort(times, (size_t)count, sizeof *times, compare);
    printf("judge %zu %.6f\n", matrix->count, times[count / 2]);
    return OK;
}

static int32_t *random_organisms(const Family *family) {
    const size_t terms = family->coefficient_count;
    int32_t *organisms = mem_alloc(ORGANISMS * terms * sizeof *organisms);
    Rng rng = rng_at(1, 0, 0, 0);
    for (size_t i = 0; i < ORGANISMS; i++) {
        int parameters[TERMS_MAX], coefficients[COEFFICIENTS_MAX];
        for (size_t j = 0; j < family->term_count; j++)
            parameters[j] = (int)rng_below(&rng, 1U << family->terms[j].bits);
        family_expand(family, parameters, coefficients);
        for (size_t j = 0; j < terms; j++)
            organisms[i * terms + j] = coefficients[j];
    }
    return organisms;
}

static Status judge_first(const CountMatrix *all, size_t count, const int32_t *organisms,
                          DistPool *pool) {
    CountMatrix part;
    uint32_t *rows = mem_alloc((count + 1) * sizeof *rows);
    for (size_t i = 0; i < count; i++)
        rows[i] = (uint32_t)i;
    counts_init(&part, all->terms);
    Status status = count <= all->count ? counts_gather(&part, all, rows, count)
                                        : error_set(ERR_ARG, "there are not %zu positions", count);
    if (status == OK)
        status = judge(&part, organisms, pool);
    counts_free(&part);
    free(rows);
    return status;
}

static Status measure(const char *path, char **sizes, int size_count, DistPool *pool) {
    const MentorSetOptions options = {.family = &family_maestro};
    MentorSet set;
    const int64_t start = clock_now_ns();
    Status status = mentor_set_load(&set, path, &options, pool);
    if (status != OK)
        return status;
    printf("read %zu %.3f\n", set.matrix.count, clock_seconds_since(start));
    int32_t *organisms = random_organisms(options.family);
    status = judge(&set.matrix, organisms, pool);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("peak %ld\n", usage.ru_maxrss);
    for (int i = 0; i < size_count && status == OK; i++)
        status = judge_first(&set.matrix, strtoul(sizes[i], NULL, 10), organisms, pool);
    free(organisms);
    mentor_set_free(&set);
    return status;
}

int main(int argc, char **argv) {
    if (argc < 2) {
        fprintf(stderr, "usage: mentor_scale FILE [N]...\n");
        return 2;
    }
    chess_init();
    DistPool *pool = dist_pool_new(dist_cores());
    const Status status = measure(argv[1], argv + 2, argc - 2, pool);
    if (status != OK)
        fprintf(stderr, "mentor_scale: %s\n", error_message());
    dist_pool_free(pool);
    return status == OK ? 0 : 1;
}
