// SPDX-License-Identifier: GPL-3.0-or-later
// The kernel of learning from scores against what the processor's multiply-adds could do at best,
// on one thread: `kernel G`, `peak G` in billions of 16-bit multiply-adds a second.
#include "base/clock.h"
#include "base/rng.h"
#include "fitness/linear/mentor_kernel.h"

#include <stdio.h>
#include <stdlib.h>

enum { TERMS = 36, POSITIONS = 512, ORGANISMS = 96, ROUNDS = 1500, REPEATS = 7 };

static double best_rate(double rate, double best) {
    return rate > best ? rate : best;
}

int main(void) {
    Rng rng = rng_at(1, 0, 0, 0);
    CountMatrix matrix;
    counts_init(&matrix, TERMS);
    for (int i = 0; i < POSITIONS; i++) {
        int16_t row[TERMS];
        for (int term = 0; term < TERMS; term++)
            row[term] = (int16_t)((int)rng_below(&rng, 33) - 16);
        if (counts_add(&matrix, row, (int)rng_below(&rng, 2000) - 1000) != OK)
            return EXIT_FAILURE;
    }
    static int16_t coefficients[ORGANISMS * TERMS];
    for (int i = 0; i < ORGANISMS * TERMS; i++)
        coefficients[i] = (int16_t)rng_below(&rng, 1024);
    static int64_t sums[ORGANISMS];
    double kernel = 0, peak = 0;
    int32_t sink = 3;
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        int64_t start = clock_now_ns();
        for (int round = 0; round < ROUNDS; round++)
            mentor_kernel_add(&matrix, 0, counts_blocks(&matrix), coefficients, ORGANISMS, sums);
        const double work = (double)ROUNDS * TERMS * POSITIONS * ORGANISMS;
        kernel = best_rate(work / clock_seconds_since(start), kernel);
        start = clock_now_ns();
        const uint64_t done = mentor_kernel_peak(10000000, &sink);
        peak = best_rate((double)done / clock_seconds_since(start), peak);
    }
    printf("%s\nkernel %.1f\npeak %.1f\n", mentor_kernel_name(), kernel / 1e9, peak / 1e9);
    counts_free(&matrix);
    return sums[0] == 0 || sink == 0;
}
