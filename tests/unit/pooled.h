// SPDX-License-Identifier: GPL-3.0-or-later
// A pool of threads for all tests of a group, beside the scratch directory of testing.h.
#pragma once

#include "testing.h"

#include "dist/pool.h"

static DistPool *pool;

static inline int pooled_set_up(void **state) {
    pool = dist_pool_new(2);
    return testing_set_up(state);
}
static inline int pooled_tear_down(void **state) {
    dist_pool_free(pool);
    return testing_tear_down(state);
}
