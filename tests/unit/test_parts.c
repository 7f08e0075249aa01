// SPDX-License-Identifier: GPL-3.0-or-later
// Ranks that are threads, some of them or their messages slow for a while, or wrong: whoever
// becomes fast again is given work again, and bytes that make no sense are failures.
#include "base/bytes.h"
#include "dist/parts.h"
#include "dist/protocol.h"
#include "testing.h"
#include "thread_ranks.h"

#include <sched.h>
#include <stdatomic.h>
#include <time.h>

enum {
    RANKS = 4,
    THINGS = 500,
    GRAIN = 32,
    THING_NS = 20000,
    PAUSE_NS = 100000000,
    LATE_NS = 200000000,
    CALLS_MOST = 5000 // until something happens that must; a few dozen try everybody again
};

// --- time that passes only as these tests say, so that it does not matter how busy the machine is
// ---

static _Thread_local int64_t now_ns = 1;

int __wrap_clock_gettime(clockid_t id, struct timespec *out);
int __wrap_clock_gettime(clockid_t id, struct timespec *out) {
    (void)id;
    *out = (struct timespec){.tv_sec = now_ns / 1000000000, .tv_nsec = now_ns % 1000000000};
    return 0;
}

static void rest(int64_t ns) {
    now_ns += ns;
}

// --- a service that takes its time: an answer is as many things as were asked for ---

static _Atomic int asked[RANKS]; // in the order of opening
static _Atomic int opened;

static Status sleeper_open(void **self, StrView context, DistPool *pool) {
    int *place = *self = mem_alloc(sizeof *place);
    (void)context;
    (void)pool;
    *place = atomic_fetch_add(&opened, 1);
    return OK;
}

static Status sleeper_answer(void *self, StrView work, Str *out) {
    const int place = *(const int *)self;
    ByteReader in = {work, false};
    const uint32_t count = bytes_u32(&in);
    // The first to open pauses once.
    if (atomic_fetch_add(&asked[place], 1) == 0 && place == 0)
        rest(PAUSE_NS);
    rest((int64_t)count * THING_NS);
    bytes_add_u32(out, count);
    return OK;
}

static const DistService sleeper_service = {.name = "sleeper",
                                            .by_rank = true,
                                            .open = sleeper_open,
                                            .answer = sleeper_answer,
                                            .close = free};
static const DistService *const services[] = {&sleeper_service};

static void pack_count(void *context, size_t first, size_t count, Str *out) {
    (void)context;
    (void)first;
    bytes_add_u32(out, (uint32_t)count);
}

static Status take_count(void *context, size_t first, size_t count, StrView answer) {
    size_t *done = context;
    ByteReader in = {answer, false};
    (void)first;
    *done += count;
    return bytes_u32(&in) == count && bytes_are_done(&in) ? OK : error_set(ERR_PARSE, "count");
}

// --- a post office between rank 0 and the others ---

typedef enum Trouble { NONE, LATE, CUT, WRONG_SENDER, WRONG_ADDRESS, LONGER } Trouble;
static struct {
    Trouble trouble;
    int64_t sent_ns[RANKS]; // work that is not answered; 0: none
    int64_t due_ns[RANKS];  // of answers that are held back until then; 0: none
    Str held[RANKS];
    bool is_idle; // rank 0 has found nothing to do since it last looked for messages
} post;
enum { WORKER_AT = 5 }; // behind the kind and the remote

static void post_send(void *self, int to, Str *bytes) {
    if (post.trouble <= LATE && bytes->text[0] == DIST_WORK)
        post.sent_ns[to] = now_ns;
    if (post.trouble == WRONG_ADDRESS && bytes->text[0] == DIST_WORK)
        bytes->text[WORKER_AT + 3] = 1;
    post.is_idle = false;
    thread_ranks_send(self, to, bytes);
}

// Takes the answers of all that were asked, to be handed over when they are due.
static void hold_answers(void *self) {
    for (int rank = 1; rank < RANKS; rank++)
        while (post.sent_ns[rank] != 0) {
            int from;
            Str bytes = {0};
            if (!thread_ranks_receive(self, &from, &bytes)) {
                sched_yield();
                continue;
            }
            ByteReader in = {view_of(bytes.text, bytes.length), false};
            assert_int_equal(bytes_u8(&in), DIST_DONE);
            (void)bytes_u64(&in); // the remote's number and the worker
            post.due_ns[from] =
                post.sent_ns[from] + (int64_t)bytes_u64(&in) + (post.trouble == LATE ? LATE_NS : 0);
            post.sent_ns[from] = 0;
            post.held[from] = bytes;
        }
}

static bool receive_when_due(void *self, int *from, Str *bytes) {
    hold_answers(self);
    int first = 0;
    for (int rank = 1; rank < RANKS; rank++)
        if (post.due_ns[rank] != 0 && (first == 0 || post.due_ns[rank] < post.due_ns[first]))
            first = rank;
    if (first == 0)
        return thread_ranks_receive(self, from, bytes);
    if (post.is_idle && post.due_ns[first] > now_ns)
        now_ns = post.due_ns[first];
    post.is_idle = post.due_ns[first] > now_ns;
    if (post.is_idle)
        return false;
    str_free(bytes);
    *from = first;
    *bytes = post.held[first];
    post.held[first] = (Str){0};
    post.due_ns[first] = 0;
    return true;
}

static bool post_receive(void *self, int *from, Str *bytes) {
    if (post.trouble <= LATE)
        return receive_when_due(self, from, bytes);
    if (!thread_ranks_receive(self, from, bytes))
        return false;
    if (post.trouble == CUT && bytes->text[0] == DIST_DONE)
        bytes->length--;
    if (post.trouble == LONGER && bytes->text[0] == DIST_DONE)
        bytes_add_u8(bytes, 0);
    if (post.trouble == WRONG_SENDER && bytes->text[0] == DIST_DONE)
        bytes->text[WORKER_AT] = 1;
    return true;
}

static Status rest_here(void *context, size_t first, size_t count) {
    size_t *done = context;
    (void)first;
    *done += count;
    post.is_idle = false;
    rest((int64_t)count * THING_NS);
    return OK;
}

static ThreadRanks *open_all(DistRemote **remote) {
    for (int i = 0; i < RANKS; i++)
        atomic_store(&asked[i], 0);
    atomic_store(&opened, 0);
    post.trouble = NONE;
    ThreadRanks *all = thread_ranks_open(RANKS, services, 1);
    all->ranks[0].world.send = post_send;
    all->ranks[0].world.receive = post_receive;
    const DistRemoteConfig setup = {.service = "sleeper", .threads = 1};
    assert_int_equal(dist_remote_open(remote, all->others, &setup), OK);
    assert_int_equal(dist_remote_wait(*remote, 0), OK);
    return all;
}

static int asked_of_all(void) {
    int sum = 0;
    for (int i = 0; i < RANKS; i++)
        sum += atomic_load(&asked[i]);
    return sum;
}

static Status spread_once(DistRemote *remote, DistPace *pace) {
    size_t done = 0;
    const DistParts parts = {&done, GRAIN, 1, rest_here, pack_count, take_count};
    const Status status = dist_parts_run(remote, pace, THINGS, &parts);
    if (status == OK)
        assert_int_equal(done, THINGS);
    return status;
}

// --- tests ---

static int least_asked(void) {
    int least = atomic_load(&asked[0]);
    for (int i = 1; i < RANKS - 1; i++)
        least = atomic_load(&asked[i]) < least ? atomic_load(&asked[i]) : least;
    return least;
}

// Neither it nor those behind it are left out for good.
static void test_a_slot_that_paused_once_is_given_work_again(void **state) {
    (void)state;
    DistRemote *remote;
    DistPace pace = {0};
    ThreadRanks *all = open_all(&remote);
    for (int calls = 0; least_asked() < 3 && calls < CALLS_MOST; calls++)
        assert_int_equal(spread_once(remote, &pace), OK);
    assert_true(least_asked() >= 3);
    dist_pace_free(&pace);
    dist_remote_close(remote);
    thread_ranks_close(all);
}

static void test_batches_go_out_again_after_slow_messages(void **state) {
    (void)state;
    DistRemote *remote;
    DistPace pace = {0};
    ThreadRanks *all = open_all(&remote);
    int calls = 0, before = -1;
    post.trouble = LATE;
    for (; before != asked_of_all() && calls < CALLS_MOST; calls++) {
        before = asked_of_all();
        assert_int_equal(spread_once(remote, &pace), OK);
    }
    assert_true(calls < CALLS_MOST);
    post.trouble = NONE;
    // One after the other: no mere trial.
    int in_a_row = 0;
    for (calls = 0; in_a_row < 2 && calls < CALLS_MOST; calls++) {
        before = asked_of_all();
        assert_int_equal(spread_once(remote, &pace), OK);
        in_a_row = asked_of_all() > before ? in_a_row + 1 : 0;
    }
    assert_true(calls < CALLS_MOST);
    dist_pace_free(&pace);
    dist_remote_close(remote);
    thread_ranks_close(all);
}

static void test_bytes_that_make_no_sense_are_failures(void **state) {
    (void)state;
    for (Trouble trouble = CUT; trouble <= LONGER; trouble++) {
        DistRemote *remote;
        DistPace pace = {0};
        ThreadRanks *all = open_all(&remote);
        post.trouble = trouble;
        assert_int_equal(spread_once(remote, &pace), ERR_PARSE);
        assert_non_null(strstr(error_message(), "rank "));
        assert_non_null(strstr(error_message(), ": sent a malformed answer"));
        post.trouble = NONE;
        assert_int_equal(spread_once(remote, &pace), OK);
        dist_pace_free(&pace);
        dist_remote_close(remote);
        thread_ranks_close(all);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_slot_that_paused_once_is_given_work_again),
        cmocka_unit_test(test_batches_go_out_again_after_slow_messages),
        cmocka_unit_test(test_bytes_that_make_no_sense_are_failures),
    };
    return cmocka_run_group_tests(tests, testing_set_up, testing_tear_down);
}
