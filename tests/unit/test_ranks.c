// SPDX-License-Identifier: GPL-3.0-or-later
// Ranks that are threads: parts are done once, results are placed by index, failures are told.
#include "base/bytes.h"
#include "base/cancel.h"
#include "dist/parts.h"
#include "testing.h"
#include "thread_ranks.h"

#include <sched.h>
#include <stdatomic.h>
#include <time.h>

enum { JOBS = 500, RANKS_MAX = 8 };

// --- a service: squares, of numbers that have an offset ---

typedef struct Squares {
    uint64_t offset;
    uint64_t fails_at;
    bool is_slow;
} Squares;

typedef struct SquareWorker {
    const Squares *squares;
    int cancel_fd;
} SquareWorker;

static Status squares_open(void **self, StrView context, DistPool *pool) {
    Squares *squares = *self = mem_alloc_zero(1, sizeof *squares);
    ByteReader in = {context, false};
    squares->offset = bytes_u64(&in);
    squares->fails_at = bytes_u64(&in);
    squares->is_slow = bytes_u64(&in) != 0;
    assert_true(dist_pool_threads(pool) >= 1);
    return squares->offset == 666 ? error_set(ERR_ARG, "no such offset") : OK;
}

static uint64_t squares_fingerprint(const void *self) {
    return ((const Squares *)self)->offset * 2;
}

static void *squares_begin(void *self, int cancel_fd) {
    SquareWorker *worker = mem_alloc(sizeof *worker);
    *worker = (SquareWorker){self, cancel_fd};
    return worker;
}

static Status squares_answer(void *worker, StrView work, Str *out) {
    const Squares *squares = ((const SquareWorker *)worker)->squares;
    ByteReader in = {work, false};
    const uint64_t value = bytes_u64(&in);
    while (squares->is_slow && !cancel_is_requested(((const SquareWorker *)worker)->cancel_fd))
        sched_yield();
    if (value == squares->fails_at)
        return error_set(ERR_ENGINE, "number %llu", (unsigned long long)value);
    bytes_add_u64(out, (value + squares->offset) * (value + squares->offset));
    return OK;
}

// A range of them: first, count.
static Status ranges_answer(void *self, StrView work, Str *out) {
    const Squares *squares = self;
    ByteReader in = {work, false};
    const uint64_t first = bytes_u64(&in), count = bytes_u64(&in);
    for (uint64_t i = first; i < first + count; i++) {
        if (i == squares->fails_at)
            return error_set(ERR_ENGINE, "number %llu", (unsigned long long)i);
        bytes_add_u64(out, (i + squares->offset) * (i + squares->offset));
    }
    return OK;
}

static const DistService squares_service = {.name = "squares",
                                            .open = squares_open,
                                            .close = free,
                                            .fingerprint = squares_fingerprint,
                                            .begin = squares_begin,
                                            .answer = squares_answer,
                                            .end = free};
static const DistService ranges_service = {.name = "ranges",
                                           .by_rank = true,
                                           .open = squares_open,
                                           .answer = ranges_answer,
                                           .fingerprint = squares_fingerprint,
                                           .close = free};
static const DistService *const services[] = {&squares_service, &ranges_service};

static Status open_remote(DistRemote **remote, DistRanks *ranks, const DistService *service,
                          const Squares *what, int threads) {
    Str context = {0};
    bytes_add_u64(&context, what->offset);
    bytes_add_u64(&context, what->fails_at);
    bytes_add_u64(&context, what->is_slow);
    const DistRemoteConfig setup = {.service = service->name,
                                    .context = view_of(str_text(&context), context.length),
                                    .threads = threads};
    const Status status = dist_remote_open(remote, ranks, &setup);
    str_free(&context);
    return status;
}

// --- the work ---

typedef struct Work {
    uint64_t results[JOBS];
    _Atomic int times[JOBS];
    uint64_t offset, fails_at;
} Work;

static Status square_here(void *context, size_t index) {
    Work *work = context;
    atomic_fetch_add(&work->times[index], 1);
    work->results[index] = (index + work->offset) * (index + work->offset);
    return index == work->fails_at ? error_set(ERR_ENGINE, "number %zu", index) : OK;
}

static Status take_number(void *context, size_t index, StrView answer) {
    Work *work = context;
    ByteReader in = {answer, false};
    atomic_fetch_add(&work->times[index], 1);
    work->results[index] = bytes_u64(&in);
    return in.failed ? error_set(ERR_PARSE, "short") : OK;
}

static Status range_here(void *context, size_t first, size_t count) {
    Status status = OK;
    for (size_t i = first; i < first + count && status == OK; i++)
        status = square_here(context, i);
    return status;
}

static void pack_range(void *context, size_t first, size_t count, Str *out) {
    (void)context;
    bytes_add_u64(out, first);
    bytes_add_u64(out, count);
}

static Status take_range(void *context, size_t first, size_t count, StrView answer) {
    ByteReader in = {answer, false};
    Status status = OK;
    for (size_t i = first; i < first + count && status == OK; i++) {
        status = take_number(context, i, view_of(in.rest.text, in.rest.length));
        (void)bytes_u64(&in);
    }
    return status;
}

static void check_all(const Work *work) {
    for (size_t i = 0; i < JOBS; i++) {
        assert_int_equal(work->times[i], 1);
        assert_int_equal(work->results[i], (i + work->offset) * (i + work->offset));
    }
}

// --- tests ---

static void test_one_rank_has_no_others(void **state) {
    (void)state;
    DistWorld *world;
    DistRemote *remote;
    assert_int_equal(dist_world_open(&world, 0, NULL), OK);
    assert_int_equal(world->rank, 0);
    assert_int_equal(world->ranks, 1);
    assert_null(dist_ranks_new(world));
    assert_int_equal(dist_remote_open(&remote, NULL, &(DistRemoteConfig){0}), OK);
    assert_null(remote);
    assert_int_equal(dist_remote_wait(remote, 7), OK);
    assert_int_equal(dist_remote_slots(remote), 0);
    dist_remote_close(remote);
    dist_world_close(world);
}

static void test_parts_cover_everything_once(void **state) {
    (void)state;
    for (int ranks = 2; ranks <= RANKS_MAX; ranks += 2) {
        ThreadRanks *all = thread_ranks_open(ranks, services, 2);
        DistRemote *remote;
        DistPace pace = {0};
        const Squares what = {.offset = 3, .fails_at = JOBS};
        assert_int_equal(open_remote(&remote, all->others, &ranges_service, &what, 1), OK);
        assert_int_equal(dist_remote_wait(remote, 6), OK);
        assert_int_equal(dist_remote_slots(remote), ranks - 1);
        // As often as it takes for small batches to be tried on the others again.
        for (int repeat = 0; repeat < 200; repeat++) {
            Work work = {.offset = 3, .fails_at = JOBS};
            const DistParts parts = {&work, 16, 1, range_here, pack_range, take_range};
            assert_int_equal(dist_parts_run(remote, &pace, JOBS, &parts), OK);
            check_all(&work);
        }
        dist_pace_free(&pace);
        dist_remote_close(remote);
        thread_ranks_close(all);
    }
}

// Of this rank, or of another with its number.
static void check_message(const char *text) {
    const char *message = error_message();
    if (strncmp(message, "rank ", 5) == 0) {
        assert_in_range(message[5], '1', '9');
        assert_memory_equal(message + 6, ": ", 2);
        message += 8;
    }
    assert_string_equal(message, text);
}

static void test_a_failure_of_a_part_is_told_wherever_it_was(void **state) {
    (void)state;
    ThreadRanks *all = thread_ranks_open(4, services, 2);
    DistRemote *remote;
    DistPace pace = {0};
    const Squares what = {.fails_at = 100};
    assert_int_equal(open_remote(&remote, all->others, &ranges_service, &what, 1), OK);
    assert_int_equal(dist_remote_wait(remote, 0), OK);
    for (int repeat = 0; repeat < 20; repeat++) {
        Work work = {.fails_at = 100};
        const DistParts parts = {&work, 16, 1, range_here, pack_range, take_range};
        assert_int_equal(dist_parts_run(remote, &pace, JOBS, &parts), ERR_ENGINE);
        check_message("number 100");
    }
    dist_pace_free(&pace);
    dist_remote_close(remote);
    thread_ranks_close(all);
}

static void test_an_opening_that_fails_or_differs_is_told_with_the_rank(void **state) {
    (void)state;
    ThreadRanks *all = thread_ranks_open(3, services, 2);
    const DistService nobody = {.name = "nobody"};
    DistRemote *remote;
    assert_int_equal(
        open_remote(&remote, all->others, &squares_service, &(Squares){.offset = 666}, 1), OK);
    assert_int_equal(dist_remote_wait(remote, 0), ERR_ARG);
    assert_string_equal(error_message(), "rank 1: no such offset");
    dist_remote_close(remote);
    assert_int_equal(
        open_remote(&remote, all->others, &squares_service, &(Squares){.offset = 5}, 1), OK);
    assert_int_equal(dist_remote_wait(remote, 11), ERR_ARG);
    assert_non_null(strstr(error_message(), "rank 1 made other data"));
    dist_remote_close(remote);
    assert_int_equal(open_remote(&remote, all->others, &nobody, &(Squares){.offset = 5}, 1), OK);
    assert_int_equal(dist_remote_wait(remote, 0), ERR_ARG);
    assert_non_null(strstr(error_message(), "nobody"));
    dist_remote_close(remote);
    // One that is closed before anybody said that it is open leaves nothing behind.
    assert_int_equal(
        open_remote(&remote, all->others, &squares_service, &(Squares){.offset = 5}, 1), OK);
    dist_remote_close(remote);
    thread_ranks_close(all);
}

// --- pieces that may hang ---

enum { PIECES = 5000, FEW = 16 };

typedef struct Hands {
    uint64_t next, most;
    uint64_t held[RANKS_MAX]; // by each slot
    uint64_t done;
} Hands;

static bool hand_out(void *context, int slot, uint64_t *tag, Str *work) {
    Hands *hands = context;
    if (hands->next == PIECES)
        return false;
    *tag = hands->next++;
    bytes_add_u64(work, *tag);
    hands->held[slot]++;
    hands->most = hands->held[slot] > hands->most ? hands->held[slot] : hands->most;
    return true;
}

static void take_back(void *context, int slot, uint64_t tag, Status status, StrView answer) {
    Hands *hands = context;
    ByteReader in = {answer, false};
    assert_int_equal(status, OK);
    assert_int_equal(bytes_u64(&in), tag * tag);
    hands->held[slot]--;
    hands->done++;
}

static bool are_all_done(void *context) {
    return ((const Hands *)context)->done == PIECES;
}

static size_t pieces_left(void *context) {
    return PIECES - ((const Hands *)context)->next;
}

static void test_few_pieces_that_may_hang_are_handed_out_at_a_time(void **state) {
    (void)state;
    ThreadRanks *all = thread_ranks_open(3, services, 2);
    DistRemote *remote;
    Str context = {0};
    Hands hands = {0};
    bytes_add_u64(&context, 0);
    bytes_add_u64(&context, PIECES);
    bytes_add_u64(&context, 0);
    const DistRemoteConfig setup = {.service = squares_service.name,
                                    .context = view_of(context.text, context.length),
                                    .threads = 1,
                                    .may_hang = true};
    assert_int_equal(dist_remote_open(&remote, all->others, &setup), OK);
    assert_int_equal(dist_remote_wait(remote, 0), OK);
    const DistWork work = {.context = &hands,
                           .next = hand_out,
                           .done = take_back,
                           .is_over = are_all_done,
                           .left = pieces_left};
    dist_remote_run(remote, &work);
    assert_int_equal(hands.done, PIECES);
    assert_in_range(hands.most, 1, FEW);
    dist_remote_close(remote);
    thread_ranks_close(all);
    str_free(&context);
}

// --- files that rank 0 sends ---

static Status file_open(void **self, StrView context, DistPool *pool) {
    Str path = {0}, text = {0};
    (void)pool;
    str_append(&path, context.text, context.length);
    Status status = file_read(str_text(&path), 1000, &text);
    uint64_t *length = *self = mem_alloc(sizeof *length);
    *length = text.length;
    str_clear(&text);
    // What was not sent is not there, even if it is.
    if (status == OK && file_read("/proc/self/status", 100000, &text) == OK)
        status = error_set(ERR_ARG, "read what was not sent");
    str_free(&path);
    str_free(&text);
    return status;
}

static uint64_t file_length(const void *self) {
    return *(const uint64_t *)self;
}

static void test_files_are_read_by_rank_0_and_sent(void **state) {
    (void)state;
    static const DistService file_service = {
        .name = "file", .open = file_open, .fingerprint = file_length, .close = free};
    static const DistService *const list[] = {&file_service};
    ThreadRanks *all = thread_ranks_open(3, list, 1);
    DistRemote *remote;
    char path[TESTING_PATH];
    testing_path(path, "input");
    const char *files[] = {path};
    assert_int_equal(file_write(path, "twelve bytes", 12), OK);
    DistRemoteConfig setup = {"file", view_from_string(path), files, 1, 1, false};
    assert_int_equal(dist_remote_open(&remote, all->others, &setup), OK);
    // The others do not need it any more.
    unlink(path);
    assert_int_equal(dist_remote_wait(remote, 12), OK);
    dist_remote_close(remote);
    assert_int_equal(dist_remote_open(&remote, all->others, &setup), ERR_IO);
    assert_null(remote);
    // What was not named is not found.
    setup.file_count = 0;
    assert_int_equal(dist_remote_open(&remote, all->others, &setup), OK);
    assert_int_equal(dist_remote_wait(remote, 12), ERR_IO);
    dist_remote_close(remote);
    thread_ranks_close(all);
}

// --- a schedule of its own, and cancelling ---

typedef struct Slow {
    DistRemote *remote;
    int given, done;
} Slow;

static bool slow_next(void *context, int slot, uint64_t *tag, Str *work) {
    Slow *slow = context;
    (void)slot;
    *tag = 40 + (uint64_t)slow->given;
    bytes_add_u64(work, 9);
    return slow->given < 2 && ++slow->given > 0;
}

static void slow_done(void *context, int slot, uint64_t tag, Status status, StrView answer) {
    Slow *slow = context;
    (void)slot;
    assert_in_range(tag, 40, 41);
    assert_int_equal(status, OK);
    assert_int_equal(answer.length, 8);
    slow->done++;
}

static bool slow_here(void *context) {
    const Slow *slow = context;
    if (slow->given == 2 && slow->done == 0)
        dist_remote_cancel(slow->remote);
    return false;
}

static bool slow_is_over(void *context) {
    return ((const Slow *)context)->given == 2;
}

static void test_answers_that_are_being_made_can_be_cancelled(void **state) {
    (void)state;
    ThreadRanks *all = thread_ranks_open(3, services, 2);
    Slow slow = {0};
    const DistWork work = {.context = &slow,
                           .next = slow_next,
                           .done = slow_done,
                           .here = slow_here,
                           .is_over = slow_is_over};
    const Squares what = {.fails_at = JOBS, .is_slow = true};
    assert_int_equal(open_remote(&slow.remote, all->others, &squares_service, &what, 1), OK);
    assert_int_equal(dist_remote_wait(slow.remote, 0), OK);
    dist_remote_run(slow.remote, &work);
    assert_int_equal(slow.done, 2);
    dist_remote_close(slow.remote);
    thread_ranks_close(all);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_rank_has_no_others),
        cmocka_unit_test(test_parts_cover_everything_once),
        cmocka_unit_test(test_a_failure_of_a_part_is_told_wherever_it_was),
        cmocka_unit_test(test_an_opening_that_fails_or_differs_is_told_with_the_rank),
        cmocka_unit_test(test_few_pieces_that_may_hang_are_handed_out_at_a_time),
        cmocka_unit_test(test_files_are_read_by_rank_0_and_sent),
        cmocka_unit_test(test_answers_that_are_being_made_can_be_cancelled),
    };
    return cmocka_run_group_tests(tests, testing_set_up, testing_tear_down);
}
