// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void test_message_and_context(void **state) {
    (void)state;
    assert_int_equal(error_set(ERR_PARSE, "rank %d is odd", 3), ERR_PARSE);
    assert_string_equal(error_message(), "rank 3 is odd");
    error_prefix("%s:%d", "games.epd", 7);
    assert_string_equal(error_message(), "games.epd:7: rank 3 is odd");
}

static void test_long_messages_are_cut(void **state) {
    (void)state;
    char text[5000];
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    assert_int_equal(error_set(ERR_IO, "%s", text), ERR_IO);
    assert_true(strlen(error_message()) < sizeof text);
    error_prefix("front");
    assert_memory_equal(error_message(), "front: xxx", 10);
    error_prefix("%s", text);
    assert_memory_equal(error_message(), "xxx", 3);
}

static void *fail_elsewhere(void *unused) {
    (void)unused;
    (void)error_set(ERR_ARG, "in another thread");
    return NULL;
}

static void test_messages_belong_to_threads(void **state) {
    (void)state;
    (void)error_set(ERR_IO, "in this thread");
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, fail_elsewhere, NULL), 0);
    pthread_join(thread, NULL);
    assert_string_equal(error_message(), "in this thread");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_message_and_context),
        cmocka_unit_test(test_long_messages_are_cut),
        cmocka_unit_test(test_messages_belong_to_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
