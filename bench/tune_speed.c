// SPDX-License-Identifier: GPL-3.0-or-later
// How fast slopes are found, and what positions cost: reads positions with results as the family
// falcon counts them, then finds the slope of the logistic loss over and over.
//   tune_speed FILE
// prints the kernel's name, `read POSITIONS SECONDS`, `counts N`, `nonzeros MEAN` and `bytes MEAN`
// of a position, for one and two threads `gradients THREADS PER_SECOND PER_CPU_SECOND`, the best of
// several, and `peak KILOBYTES`. Seconds of CPU tell the same as seconds on a machine that does
// nothing else.
#include "base/clock.h"
#include "base/mem.h"
#include "fitness/linear/linear_data.h"
#include "fitness/linear/linear_kernel.h"
#include "fitness/linear/linear_slope.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

enum { REPEATS = 9, SAMPLED = 10000 };

static Status measure(const LinearSet *set, int threads, const double *coefficients,
                      double *gradient) {
    const LinearLoss loss = {SHAPE_CROSS_ENTROPY, true, 1};
    double best = 0, best_cpu = 0, mean;
    DistPool *pool = dist_pool_new(threads);
    Status status = OK;
    for (int i = 0; i < REPEATS && status == OK; i++) {
        const int64_t start = clock_now_ns();
        const clock_t cpu_start = clock();
        status = linear_slope(set, &loss, coefficients, pool, &mean, gradient);
        const double cpu = (double)(clock() - cpu_start) / CLOCKS_PER_SEC;
        best_cpu = (double)set->count / cpu > best_cpu ? (double)set->count / cpu : best_cpu;
        const double rate = (double)set->count / clock_seconds_since(start);
        best = rate > best ? rate : best;
    }
    dist_pool_free(pool);
    printf("gradients %d %.0f %.0f\n", threads, best, best_cpu);
    return status;
}

static double nonzeros(const LinearSet *set) {
    const size_t positions = set->count < SAMPLED ? set->count : SAMPLED;
    size_t sum = 0;
    for (size_t p = 0; p < positions; p++)
        for (size_t i = 0; i < set->counts; i++)
            sum += linear_set_count(set, p, i) != 0;
    return (double)sum / (double)positions;
}

static Status measure_file(const char *path) {
    const Family *family = &family_falcon;
    const LinearDataOptions options = {.family = family, .needs_results = true};
    LinearPair pair;
    int32_t whole[COEFFICIENTS_MAX];
    double coefficients[COEFFICIENTS_MAX], gradient[COEFFICIENTS_MAX];
    DistPool *pool = dist_pool_new(2);
    const int64_t start = clock_now_ns();
    linear_pair_init(&pair, family);
    Status status = linear_pair_read(&pair, path, &options, pool);
    dist_pool_free(pool);
    const LinearSet *set = &pair.training.set;
    if (status == OK) {
        linear_data_aim_at_mix(&pair.training, 1, 1);
        printf("read %zu %.3f\n", set->count, clock_seconds_since(start));
        printf("counts %zu\nnonzeros %.1f\nbytes %.1f\n", set->counts, nonzeros(set),
               (double)linear_set_bytes(set) / (double)set->count);
    }
    family_start(family, whole);
    for (size_t i = 0; i < family->coefficient_count; i++)
        coefficients[i] = whole[i];
    for (int threads = 1; threads <= 2 && status == OK; threads++)
        status = measure(set, threads, coefficients, gradient);
    linear_pair_free(&pair);
    return status;
}

int main(int argc, char **argv) {
    struct rusage usage;
    if (argc != 2)
        return EXIT_FAILURE;
    chess_init();
    printf("%s\n", linear_kernel_name());
    if (measure_file(argv[1]) != OK) {
        fprintf(stderr, "%s\n", error_message());
        return EXIT_FAILURE;
    }
    getrusage(RUSAGE_SELF, &usage);
    printf("peak %ld\n", usage.ru_maxrss);
    return EXIT_SUCCESS;
}
