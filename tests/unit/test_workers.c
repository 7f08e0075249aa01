// SPDX-License-Identifier: GPL-3.0-or-later
// Jobs on threads and on ranks that are threads: each is done once, answers come in order, and
// failures, stops and cancelling end it.
#include "base/bytes.h"
#include "base/cancel.h"
#include "dist/workers.h"
#include "testing.h"
#include "thread_ranks.h"

#include <sched.h>
#include <stdatomic.h>

enum { JOBS = 500, RANKS_MAX = 8, NEVER = 1 << 30 };

// --- a service: squares of numbers ---

typedef struct Squares {
    uint64_t fails_at, hangs_from, malformed_at;
} Squares;

typedef struct SquareWorker {
    const Squares *squares;
    int cancel_fd;
} SquareWorker;

static _Atomic int living; // workers

static Status squares_open(void **self, StrView context, DistPool *pool) {
    Squares *squares = *self = mem_alloc(sizeof *squares);
    ByteReader in = {context, false};
    (void)pool;
    *squares = (Squares){.fails_at = bytes_u64(&in)};
    squares->hangs_from = bytes_u64(&in);
    squares->malformed_at = bytes_u64(&in);
    return OK;
}

static void squares_pack(const void *self, Str *out) {
    const Squares *squares = self;
    bytes_add_u64(out, squares->fails_at);
    bytes_add_u64(out, squares->hangs_from);
    bytes_add_u64(out, squares->malformed_at);
}

static void *squares_begin(void *self, int cancel_fd) {
    SquareWorker *worker = mem_alloc(sizeof *worker);
    atomic_fetch_add(&living, 1);
    *worker = (SquareWorker){self, cancel_fd};
    return worker;
}

static void squares_end(void *worker) {
    atomic_fetch_sub(&living, 1);
    free(worker);
}

static Status squares_answer(void *self, StrView job, Str *out) {
    const SquareWorker *worker = self;
    ByteReader in = {job, false};
    const uint64_t value = bytes_u64(&in);
    if (value == worker->squares->fails_at)
        return error_set(ERR_ENGINE, "number %llu", (unsigned long long)value);
    while (value >= worker->squares->hangs_from)
        if (cancel_is_requested(worker->cancel_fd))
            return OK;
        else
            sched_yield();
    bytes_add_u64(out, value == worker->squares->malformed_at ? 1 : value * value);
    return OK;
}

static const DistService squares_service = {.name = "squares",
                                            .pack = squares_pack,
                                            .open = squares_open,
                                            .close = free,
                                            .begin = squares_begin,
                                            .answer = squares_answer,
                                            .end = squares_end};
static const DistService *const services[] = {&squares_service};

typedef struct Setup {
    ThreadRanks *all; // NULL: one rank
    Squares squares;
    DistWorkers *workers;
} Setup;

static void open_workers(Setup *setup, int ranks, int threads, int cancel_fd) {
    setup->all = ranks == 1 ? NULL : thread_ranks_open(ranks, services, 1);
    const DistWorkersConfig config = {.service = &squares_service,
                                      .self = &setup->squares,
                                      .threads = threads,
                                      .ranks = setup->all == NULL ? NULL : setup->all->others,
                                      .rank_threads = threads,
                                      .cancel_fd = cancel_fd};
    assert_int_equal(dist_workers_open(&setup->workers, &config), OK);
    assert_int_equal(dist_workers_count(setup->workers), ranks * threads);
}

// Nobody is left behind.
static void close_workers(Setup *setup) {
    dist_workers_close(setup->workers);
    if (setup->all != NULL)
        thread_ranks_close(setup->all);
    assert_int_equal(atomic_load(&living), 0);
}

// --- where jobs come from and answers go ---

typedef struct Log {
    Setup *setup;
    uint64_t begun, done, next; // `next`: the least number that may come next, where in order
    int times[JOBS];
    uint64_t known; // so many are known at first, then as many as were done and one more
    uint64_t stop_at, cancel_at, fail_at;
    int cancel_fd, ticks;
    bool is_ordered, has_gap;
} Log;

static DistNext next_number(void *context, uint64_t number, Str *job) {
    Log *log = context;
    assert_int_equal(number, log->begun);
    if (number == JOBS)
        return DIST_NO_MORE;
    if (number >= log->known && number > log->done)
        return DIST_NONE_YET;
    log->begun++;
    if (log->begun == log->cancel_at)
        cancel_request(log->cancel_fd);
    bytes_add_u64(job, number);
    return DIST_JOB;
}

static Status take_square(void *context, uint64_t number, StrView answer) {
    Log *log = context;
    ByteReader in = {answer, false};
    assert_true(dist_workers_are_valid(log->setup->workers));
    if (bytes_u64(&in) != number * number)
        return error_set(ERR_PARSE, "malformed square");
    if (log->is_ordered) {
        assert_true(number >= log->next);
        log->has_gap = log->has_gap || number > log->next;
        log->next = number + 1;
    }
    log->times[number]++;
    log->done++;
    if (log->done == log->stop_at)
        dist_workers_stop(log->setup->workers);
    return number == log->fail_at ? error_set(ERR_IO, "disk full") : OK;
}

static void count_tick(void *context) {
    ((Log *)context)->ticks++;
}

static DistJobs jobs_of(Log *log, DistOrder order, uint64_t count) {
    return (DistJobs){log, order, count, next_number, take_square, count_tick};
}

static const Squares fine = {NEVER, NEVER, NEVER};

// --- tests ---

static void test_each_job_is_done_once(void **state) {
    (void)state;
    for (int ranks = 1; ranks <= RANKS_MAX; ranks += 2)
        for (int threads = 1; threads <= 3; threads += 2) {
            Setup setup = {.squares = fine};
            open_workers(&setup, ranks, threads, -1);
            for (DistOrder order = DIST_IN_ORDER; order <= DIST_AS_THEY_COME; order++) {
                Log log = {.setup = &setup, .known = JOBS, .fail_at = JOBS};
                log.is_ordered = order != DIST_AS_THEY_COME;
                const DistJobs jobs = jobs_of(&log, order, order == 0 ? DIST_COUNT_UNKNOWN : JOBS);
                assert_int_equal(dist_workers_run(setup.workers, &jobs), OK);
                for (int i = 0; i < JOBS; i++)
                    assert_int_equal(log.times[i], 1);
                assert_false(log.has_gap);
            }
            if (setup.all != NULL)
                assert_int_equal(dist_ranks_costs(setup.all->others).jobs, 3 * JOBS);
            close_workers(&setup);
        }
}

static void test_no_jobs_are_done_at_once(void **state) {
    (void)state;
    for (int ranks = 1; ranks <= 3; ranks += 2) {
        Setup setup = {.squares = fine};
        Log log = {.setup = &setup};
        const DistJobs jobs = jobs_of(&log, DIST_IN_ORDER, 0);
        open_workers(&setup, ranks, 2, -1);
        assert_int_equal(dist_workers_run(setup.workers, &jobs), OK);
        assert_int_equal(log.begun, 0);
        close_workers(&setup);
    }
}

static void test_jobs_may_wait_for_answers(void **state) {
    (void)state;
    for (int ranks = 1; ranks <= 3; ranks++) {
        Setup setup = {.squares = fine};
        Log log = {.setup = &setup, .known = 3, .fail_at = JOBS, .is_ordered = true};
        const DistJobs jobs = jobs_of(&log, DIST_IN_ORDER, DIST_COUNT_UNKNOWN);
        open_workers(&setup, ranks, 2, -1);
        assert_int_equal(dist_workers_run(setup.workers, &jobs), OK);
        assert_int_equal(log.done, JOBS);
        close_workers(&setup);
    }
}

// Of this rank, or of another with its number.
static void check_message(const char *text) {
    const char *message = error_message();
    if (strncmp(message, "rank ", 5) == 0)
        message += 8;
    assert_string_equal(message, text);
}

static void test_a_failure_is_told_wherever_it_was(void **state) {
    (void)state;
    for (int repeat = 0; repeat < 20; repeat++) {
        Setup setup = {.squares = {.fails_at = 100, .hangs_from = NEVER, .malformed_at = NEVER}};
        Log log = {.setup = &setup, .known = JOBS, .fail_at = JOBS};
        const DistJobs jobs = jobs_of(&log, DIST_AS_THEY_COME, JOBS);
        open_workers(&setup, repeat % 4 + 1, 2, -1);
        assert_int_equal(dist_workers_run(setup.workers, &jobs), ERR_ENGINE);
        check_message("number 100");
        assert_int_equal(log.times[100], 0);
        close_workers(&setup);
    }
}

// Whoever works on something that would never end is told to break off.
static void test_a_failure_breaks_off_the_others(void **state) {
    (void)state;
    for (int ranks = 1; ranks <= 3; ranks++) {
        Setup setup = {.squares = {.fails_at = 50, .hangs_from = 51, .malformed_at = NEVER}};
        Log log = {.setup = &setup, .known = JOBS, .fail_at = JOBS, .is_ordered = true};
        const DistJobs jobs = jobs_of(&log, DIST_IN_ORDER, DIST_COUNT_UNKNOWN);
        open_workers(&setup, ranks, 3, -1);
        assert_int_equal(dist_workers_run(setup.workers, &jobs), ERR_ENGINE);
        check_message("number 50");
        close_workers(&setup);
    }
}

static void test_whoever_takes_answers_can_end_it(void **state) {
    (void)state;
    for (int ranks = 1; ranks <= 3; ranks++) {
        Setup setup = {.squares = {.fails_at = NEVER, .hangs_from = 60, .malformed_at = NEVER}};
        Log log = {.setup = &setup, .known = JOBS, .fail_at = 40, .is_ordered = true};
        DistJobs jobs = jobs_of(&log, DIST_IN_ORDER, DIST_COUNT_UNKNOWN);
        open_workers(&setup, ranks, 2, -1);
        assert_int_equal(dist_workers_run(setup.workers, &jobs), ERR_IO);
        assert_string_equal(error_message(), "disk full");
        assert_int_equal(log.done, 41);
        close_workers(&setup);
        open_workers(&setup, ranks, 2, -1);
        log = (Log){
            .setup = &setup, .known = JOBS, .fail_at = JOBS, .stop_at = 30, .is_ordered = true};
        assert_int_equal(dist_workers_run(setup.workers, &jobs), OK);
        assert_in_range(log.done, 30, 60);
        close_workers(&setup);
    }
}

static void test_cancelling_ends_it(void **state) {
    (void)state;
    for (int ranks = 1; ranks <= 3; ranks++)
        for (DistOrder order = DIST_IN_ORDER; order <= DIST_AS_THEY_COME; order++) {
            Setup setup = {.squares = {.fails_at = NEVER, .hangs_from = 60, .malformed_at = NEVER}};
            Log log = {.setup = &setup, .known = JOBS, .fail_at = JOBS, .cancel_at = 61};
            log.is_ordered = order != DIST_AS_THEY_COME;
            const DistJobs jobs = jobs_of(&log, order, DIST_COUNT_UNKNOWN);
            assert_int_equal(cancel_open(&log.cancel_fd), OK);
            open_workers(&setup, ranks, 2, log.cancel_fd);
            assert_int_equal(dist_workers_run(setup.workers, &jobs), OK);
            assert_in_range(log.done, 1, 60);
            close_workers(&setup);
            cancel_close(log.cancel_fd);
        }
}

// A job that breaks off once it was cancelled leaves a gap; what lies behind it is kept on demand.
static void test_answers_behind_a_gap_are_kept_on_demand(void **state) {
    (void)state;
    for (DistOrder order = DIST_IN_ORDER; order <= DIST_IN_ORDER_WITH_GAPS; order++) {
        Setup setup = {.squares = fine};
        Log log = {.setup = &setup, .known = JOBS, .fail_at = JOBS, .is_ordered = true};
        const DistJobs jobs = jobs_of(&log, order, JOBS);
        setup.squares.malformed_at = 7;
        open_workers(&setup, 1, 2, -1);
        assert_int_equal(dist_workers_run(setup.workers, &jobs), ERR_PARSE);
        assert_string_equal(error_message(), "malformed square");
        assert_true(log.done >= 7);
        assert_true(order == DIST_IN_ORDER_WITH_GAPS || log.done == 7);
        close_workers(&setup);
    }
}

static void test_malformed_answers_are_told_with_the_rank(void **state) {
    (void)state;
    Setup setup = {.squares = {.fails_at = NEVER, .hangs_from = NEVER, .malformed_at = 3}};
    Log log = {.setup = &setup, .known = JOBS, .fail_at = JOBS};
    const DistJobs jobs = jobs_of(&log, DIST_AS_THEY_COME, JOBS);
    open_workers(&setup, 3, 1, -1);
    // This rank makes no mistakes: only the others do.
    setup.squares.malformed_at = NEVER;
    const Status status = dist_workers_run(setup.workers, &jobs);
    if (status != OK) {
        assert_int_equal(status, ERR_PARSE);
        assert_memory_equal(error_message(), "rank ", 5);
        assert_string_equal(error_message() + 6, " sent a malformed square");
    }
    close_workers(&setup);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_job_is_done_once),
        cmocka_unit_test(test_no_jobs_are_done_at_once),
        cmocka_unit_test(test_jobs_may_wait_for_answers),
        cmocka_unit_test(test_a_failure_is_told_wherever_it_was),
        cmocka_unit_test(test_a_failure_breaks_off_the_others),
        cmocka_unit_test(test_whoever_takes_answers_can_end_it),
        cmocka_unit_test(test_cancelling_ends_it),
        cmocka_unit_test(test_answers_behind_a_gap_are_kept_on_demand),
        cmocka_unit_test(test_malformed_answers_are_told_with_the_rank),
    };
    return cmocka_run_group_tests(tests, testing_set_up, testing_tear_down);
}
