// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers and texts as bytes: what is written comes back, and what was cut or changed is noticed.
#include "base/bytes.h"

#include "base/rng.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { NUMBERS = 2000 };

static ByteReader reader(const Str *bytes) {
    return (ByteReader){.rest = view_of(str_text(bytes), bytes->length)};
}

// Of every size.
static int64_t number_at(uint32_t i) {
    static const int64_t edges[] = {0, 1, -1, 63, -64, 64, -65, INT64_MAX, INT64_MIN, INT_MAX};
    Rng rng = rng_at(1, i, 0, 0);
    uint64_t any = rng_u64(&rng);
    return i < sizeof edges / sizeof edges[0] ? edges[i] : (int64_t)any >> i % 64;
}

static void test_numbers_come_back(void **state) {
    (void)state;
    Str bytes = {0};
    for (uint32_t i = 0; i < NUMBERS; i++) {
        bytes_add_short(&bytes, number_at(i));
        bytes_add_u16(&bytes, (uint16_t)number_at(i));
    }
    ByteReader in = reader(&bytes);
    for (uint32_t i = 0; i < NUMBERS; i++) {
        assert_int_equal(bytes_short(&in), number_at(i));
        assert_int_equal(bytes_u16(&in), (uint16_t)number_at(i));
    }
    assert_true(bytes_are_done(&in));
    str_free(&bytes);
}

static void test_small_numbers_are_short(void **state) {
    (void)state;
    for (int value = -64; value < 64; value++) {
        Str bytes = {0};
        bytes_add_short(&bytes, value);
        assert_int_equal(bytes.length, 1);
        str_free(&bytes);
    }
}

static void test_texts_come_back(void **state) {
    (void)state;
    static const char *const texts[] = {"", "a", NULL, "two words\n"};
    Str bytes = {0};
    for (int i = 0; i < 4; i++)
        bytes_add_string(&bytes, texts[i]);
    ByteReader in = reader(&bytes);
    for (int i = 0; i < 4; i++) {
        char *text = bytes_string(&in);
        if (texts[i] == NULL)
            assert_null(text);
        else
            assert_string_equal(text, texts[i]);
        free(text);
    }
    assert_true(bytes_are_done(&in));
    str_free(&bytes);
}

static void test_every_cut_is_noticed(void **state) {
    (void)state;
    Str bytes = {0};
    bytes_add_string(&bytes, "text");
    bytes_add_short(&bytes, INT64_MIN);
    bytes_add_short(&bytes, 2);
    bytes_add_u16(&bytes, 1);
    for (size_t length = 0; length <= bytes.length; length++) {
        ByteReader in = {.rest = view_of(bytes.text, length)};
        free(bytes_string(&in));
        bytes_short(&in);
        bytes_count(&in, 1);
        bytes_u16(&in);
        assert_int_equal(bytes_are_done(&in), length == bytes.length);
    }
    str_free(&bytes);
}

static void assert_refused(const char *text, size_t length, bool as_text) {
    ByteReader in = {.rest = view_of(text, length)};
    if (as_text)
        free(bytes_string(&in));
    else
        bytes_short(&in);
    assert_true(in.failed);
}

static void test_nonsense_is_refused(void **state) {
    (void)state;
    // Beyond 64 bits, without an end, longer than what is there, with a NUL within.
    assert_refused("\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x02", 10, false);
    assert_refused("\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x81\x00", 11, false);
    assert_refused("\x0A"
                   "abcd",
                   5, true);
    assert_refused("\x04"
                   "a\0",
                   3, true);
    ByteReader bounded = {.rest = view_of("\x06", 1)};
    assert_int_equal(bytes_short_in(&bounded, 0, 2), 0);
    assert_true(bounded.failed);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers_come_back),   cmocka_unit_test(test_small_numbers_are_short),
        cmocka_unit_test(test_texts_come_back),     cmocka_unit_test(test_every_cut_is_noticed),
        cmocka_unit_test(test_nonsense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
