// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/worker.h"

#include <math.h>
#include <pthread.h>

enum { LOGS = 256 };

static int logs[LOGS]; // of 1 to 255, in 1024ths

static void fill(void) {
    // Rounded to whole numbers at once, so that every maths library gives the same search.
    for (int i = 1; i < LOGS; i++)
        logs[i] = (int)lround(1024 * log(i));
}

void worker_reductions_init(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, fill);
}

int worker_reduction(const Worker *worker, int depth, unsigned move_number) {
    int late = logs[move_number < LOGS ? move_number : LOGS - 1];
    return numbers_of(worker)->lmr_base +
           logs[depth < LOGS ? depth : LOGS - 1] * late / numbers_of(worker)->lmr_divisor;
}
