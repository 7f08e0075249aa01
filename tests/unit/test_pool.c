// SPDX-License-Identifier: GPL-3.0-or-later
#include "dist/pool.h"
#include "testing.h"

#include <sched.h>
#include <stdatomic.h>

enum { JOBS = 1000 };

typedef struct Count {
    _Atomic int times[JOBS];
    int threads;
    bool worker_out_of_range;
    size_t fail_from; // jobs from here on fail
} Count;

static Status count_one(void *context, size_t index, int worker) {
    Count *count = context;
    atomic_fetch_add(&count->times[index], 1);
    if (worker < 0 || worker >= count->threads)
        count->worker_out_of_range = true;
    return index < count->fail_from ? OK : error_set(ERR_ARG, "job %zu", index);
}

static void test_every_job_runs_once_on_any_number_of_threads(void **state) {
    (void)state;
    for (int threads = 1; threads <= 7; threads++) {
        DistPool *pool = dist_pool_new(threads);
        assert_int_equal(dist_pool_threads(pool), threads);
        for (int repeat = 1; repeat <= 50; repeat++) {
            Count count = {.threads = threads, .fail_from = JOBS};
            assert_int_equal(dist_pool_run(pool, JOBS, count_one, &count), OK);
            for (int i = 0; i < JOBS; i++)
                assert_int_equal(count.times[i], 1);
            assert_false(count.worker_out_of_range);
        }
        dist_pool_free(pool);
    }
}

static void test_jobs_run_in_the_background_on_as_many_threads(void **state) {
    (void)state;
    for (int threads = 1; threads <= 4; threads++) {
        DistPool *pool = dist_pool_new(threads);
        for (int repeat = 1; repeat <= 20; repeat++) {
            Count count = {.threads = threads, .fail_from = repeat % 2 == 0 ? JOBS : 500};
            dist_pool_start(pool, JOBS, count_one, &count);
            while (dist_pool_is_busy(pool))
                sched_yield();
            if (repeat % 2 != 0) {
                assert_int_equal(dist_pool_finish(pool), ERR_ARG);
                assert_string_equal(error_message(), "job 500");
                continue;
            }
            assert_int_equal(dist_pool_finish(pool), OK);
            // And in turn with those the caller takes part in.
            assert_int_equal(dist_pool_run(pool, JOBS, count_one, &count), OK);
            for (int i = 0; i < JOBS; i++)
                assert_int_equal(count.times[i], 2);
            assert_false(count.worker_out_of_range);
        }
        dist_pool_free(pool);
    }
}

static void test_no_jobs_is_fine(void **state) {
    (void)state;
    DistPool *pool = dist_pool_new(3);
    assert_int_equal(dist_pool_run(pool, 0, count_one, NULL), OK);
    dist_pool_free(pool);
}

static void test_the_failure_of_the_lowest_index_is_told(void **state) {
    (void)state;
    for (int threads = 1; threads <= 4; threads++) {
        DistPool *pool = dist_pool_new(threads);
        Count count = {.threads = threads, .fail_from = 500};
        assert_int_equal(dist_pool_run(pool, JOBS, count_one, &count), ERR_ARG);
        assert_string_equal(error_message(), "job 500");
        // The pool can be used again.
        count = (Count){.threads = threads, .fail_from = JOBS};
        assert_int_equal(dist_pool_run(pool, JOBS, count_one, &count), OK);
        dist_pool_free(pool);
    }
}

static void test_there_is_a_core(void **state) {
    (void)state;
    assert_true(dist_cores() >= 1);
}

// The cores this process is allowed, not those of the machine.
static void test_cores_are_shared(void **state) {
    (void)state;
    const int all = dist_cores();
    for (int processes = 1; processes <= all + 1; processes++) {
        dist_cores_share(processes);
        assert_int_equal(dist_cores(), all / processes > 1 ? all / processes : 1);
    }
    dist_cores_share(1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_job_runs_once_on_any_number_of_threads),
        cmocka_unit_test(test_jobs_run_in_the_background_on_as_many_threads),
        cmocka_unit_test(test_no_jobs_is_fine),
        cmocka_unit_test(test_the_failure_of_the_lowest_index_is_told),
        cmocka_unit_test(test_there_is_a_core),
        cmocka_unit_test(test_cores_are_shared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
