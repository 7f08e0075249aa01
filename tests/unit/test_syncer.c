// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/syncer.h"

#include "testing.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <time.h>

static atomic_int calls, order[64], fails_with;

// In place of the C library's: counts, and fails on request.
int fdatasync(int fd) {
    const int call = atomic_fetch_add(&calls, 1), failure = atomic_load(&fails_with);
    if (call < 64)
        atomic_store(&order[call], fd);
    errno = failure;
    return failure == 0 ? 0 : -1;
}

static void wait_for_calls(int count) {
    const struct timespec moment = {0, 10000000};
    while (atomic_load(&calls) < count)
        nanosleep(&moment, NULL);
}

static void test_syncs_while_files_grow(void **state) {
    (void)state;
    const int files[] = {7, -1, 5};
    atomic_store(&calls, 0);
    Syncer *syncer = syncer_start(files, 3);
    for (int i = 1; i <= 2; i++) {
        assert_int_equal(syncer_mark_dirty(syncer), OK);
        wait_for_calls(2 * i);
    }
    assert_int_equal(syncer_stop(syncer), OK);
    // In the order given, and at the end once more.
    assert_int_equal(atomic_load(&calls), 6);
    for (int i = 0; i < 6; i++)
        assert_int_equal(atomic_load(&order[i]), i % 2 == 0 ? 7 : 5);
}

static void test_failures_are_told(void **state) {
    (void)state;
    const int files[] = {7};
    atomic_store(&calls, 0);
    atomic_store(&fails_with, EIO);
    Syncer *syncer = syncer_start(files, 1);
    assert_int_equal(syncer_mark_dirty(syncer), OK);
    const struct timespec moment = {0, 10000000};
    while (syncer_mark_dirty(syncer) == OK)
        nanosleep(&moment, NULL);
    assert_non_null(strstr(error_message(), "cannot be brought to the disk"));
    assert_int_equal(syncer_stop(syncer), ERR_IO);
    // Pipes and the like cannot be synced.
    atomic_store(&fails_with, EINVAL);
    syncer = syncer_start(files, 1);
    assert_int_equal(syncer_mark_dirty(syncer), OK);
    assert_int_equal(syncer_stop(syncer), OK);
    assert_int_equal(syncer_stop(NULL), OK);
    atomic_store(&fails_with, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_syncs_while_files_grow),
        cmocka_unit_test(test_failures_are_told),
    };
    return cmocka_run_group_tests(tests, testing_set_up, testing_tear_down);
}
