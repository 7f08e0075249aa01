// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/str.h"

#include "base/rng.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static void test_growing(void **state) {
    (void)state;
    Str str = {0};
    assert_string_equal(str_text(&str), "");
    for (int i = 0; i < 1000; i++)
        str_addf(&str, "%d,", i);
    assert_int_equal(str.length, 3890);
    assert_memory_equal(str.text, "0,1,2,3,", 8);
    str_clear(&str);
    str_add(&str, "ab");
    str_append(&str, "cdef", 2);
    str_append(&str, NULL, 0);
    assert_string_equal(str_text(&str), "abcd");
    str_free(&str);
    assert_string_equal(str_text(&str), "");
}

static void test_words(void **state) {
    (void)state;
    StrView rest = view_from_string("  one\ttwo \r\n");
    assert_true(view_equals(view_next_word(&rest), "one"));
    assert_true(view_equals_ignoring_case(view_next_word(&rest), "TWO"));
    assert_int_equal(view_next_word(&rest).length, 0);
    assert_true(view_equals(view_trim(view_of("\0 x y \0", 7)), "x y"));
    assert_int_equal(view_trim(view_of("   ", 3)).length, 0);
    assert_false(view_equals(view_from_string("on"), "one"));
}

typedef struct IntCase {
    const char *text;
    bool valid;
    int64_t value;
} IntCase;

static void test_integers(void **state) {
    (void)state;
    static const IntCase cases[] = {
        {"0", true, 0},
        {"-0", true, 0},
        {"+17", true, 17},
        {"9223372036854775807", true, INT64_MAX},
        {"-9223372036854775808", true, INT64_MIN},
        {"9223372036854775808", false, 0},
        {"-9223372036854775809", false, 0},
        {"99999999999999999999999", false, 0},
        {"", false, 0},
        {"-", false, 0},
        {"1x", false, 0},
        {" 1", false, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int64_t value = 0;
        assert_int_equal(view_to_int(view_from_string(cases[i].text), &value), cases[i].valid);
        assert_true(value == cases[i].value);
    }
}

static void test_numbers(void **state) {
    (void)state;
    static const struct {
        const char *text;
        bool valid;
        double value;
    } cases[] = {
        {"0", true, 0},     {"-1.5", true, -1.5}, {"1e300", true, 1e300}, {"1e999", false, 7},
        {"nan", false, 7},  {"inf", false, 7},    {"-inf", false, 7},     {"", false, 7},
        {"1.5x", false, 7}, {" 1", false, 7},     {"1 ", false, 7},       {"1,5", false, 7},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double value = 7;
        assert_int_equal(view_to_number(view_from_string(cases[i].text), &value), cases[i].valid);
        assert_true(value == cases[i].value);
    }
    // The view ends where it says, whatever follows.
    double value = 0;
    assert_true(view_to_number(view_of("12345", 2), &value));
    assert_true(value == 12);
}

static void assert_utf8(const char *in, const char *out) {
    Str str = {0};
    str_add_utf8(&str, view_from_string(in));
    assert_string_equal(str_text(&str), out);
    str_free(&str);
}

static void test_latin1_becomes_utf8(void **state) {
    (void)state;
    assert_utf8("", "");
    assert_utf8("Reti", "Reti");
    assert_utf8("R\xE9ti", "R\xC3\xA9ti");
    assert_utf8("R\xC3\xA9ti", "R\xC3\xA9ti");
    assert_utf8("\xE2\x99\x94", "\xE2\x99\x94");
    assert_utf8("cut short \xE2\x99", "cut short \xC3\xA2\xC2\x99");
    // Overlong forms and surrogates are no UTF-8.
    assert_utf8("\xC0\xAF", "\xC3\x80\xC2\xAF");
    assert_utf8("\xED\xA0\x80", "\xC3\xAD\xC2\xA0\xC2\x80");
}

// Short, and the same number when it is read again.
static void test_real_numbers(void **state) {
    (void)state;
    static const double numbers[] = {0.05, 1.0 / 3, 1e300, -2.5, 0, 123456789.125, 5e-324};
    static const char *const texts[] = {"0.05", "0.3333333333333333", "1e+300", "-2.5",
                                        "0",    "123456789.125",      NULL};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        Str text = {0};
        str_add_double(&text, numbers[i]);
        assert_true(strtod(str_text(&text), NULL) == numbers[i]);
        if (texts[i] != NULL)
            assert_string_equal(str_text(&text), texts[i]);
        str_free(&text);
    }
}

static void test_digits_are_those_of_printf(void **state) {
    (void)state;
    const double numbers[] = {
        0,        -0.0,       1,       -1,      10,           -10,      99,
        100,      999999,     -999999, 1000000, -1000000,     0.5,      7.25,
        123456.5, 1234567.25, 1e300,   -1e-300, 4294967296.0, INFINITY, -INFINITY};
    const int digits[] = {6, 15, 17};
    Rng rng = rng_at(3, 0, 0, 0);
    Str str = {0};
    char text[64];
    const size_t fixed = sizeof numbers / sizeof *numbers;
    for (size_t i = 0; i < fixed + 2000; i++)
        for (size_t j = 0; j < sizeof digits / sizeof *digits; j++) {
            const double drawn = (double)rng_below(&rng, 4000000) - 2000000;
            const double number = i < fixed ? numbers[i] : i % 2 == 0 ? drawn : drawn / 1000;
            snprintf(text, sizeof text, "%.*g", digits[j], number);
            str_clear(&str);
            str_add_digits(&str, number, digits[j]);
            assert_string_equal(str_text(&str), text);
        }
    str_free(&str);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_growing),
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_integers),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_latin1_becomes_utf8),
        cmocka_unit_test(test_real_numbers),
        cmocka_unit_test(test_digits_are_those_of_printf),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
