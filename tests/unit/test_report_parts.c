// SPDX-License-Identifier: GPL-3.0-or-later
// The parts below a report: numbers, escaping, axes.
#include "base/rng.h"
#include "report/axis.h"
#include "report/escape.h"
#include "report/number.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void assert_number(double value, int decimals, const char *expected) {
    Str out = {0};
    number_add(&out, value, decimals);
    assert_string_equal(str_text(&out), expected);
    str_free(&out);
}

static void test_numbers(void **state) {
    (void)state;
    assert_number(0, 0, "0");
    assert_number(999, 0, "999");
    assert_number(1000, 0, "1,000");
    assert_number(-1234567.891, 2, "-1,234,567.89");
    assert_number(999.996, 2, "1,000.00");
    assert_number(-0.004, 2, "0.00");
    assert_number(0.5, -3, "0");
    assert_number(1e14, 1, "100,000,000,000,000.0");
    assert_number(1e15, 1, "1.000e+15");
    assert_number(-2.5e300, 2, "-2.500e+300");
    assert_number(NAN, 2, "–");
    assert_number(INFINITY, 2, "∞");
    assert_number(-INFINITY, 2, "-∞");
    assert_string_equal(number_of(-10000).text, "-10,000");
}

static void test_exact_numbers_read_back(void **state) {
    (void)state;
    Rng rng = rng_at(1, 0, 0, 0);
    Str out = {0};
    for (int i = 0; i < 10000; i++) {
        double value = ldexp(rng_real(&rng) - 0.5, (int)rng_below(&rng, 600) - 300);
        str_clear(&out);
        number_add_exact(&out, value);
        assert_true(strtod(str_text(&out), NULL) == value);
    }
    str_clear(&out);
    number_add_exact(&out, 0.1);
    assert_string_equal(str_text(&out), "0.1");
    str_free(&out);
}

typedef void Escape(Str *out, const char *text);

static void assert_escaped(Escape *escape, const char *text, const char *expected) {
    Str out = {0};
    escape(&out, text);
    assert_string_equal(str_text(&out), expected);
    str_free(&out);
}

static void test_escapes(void **state) {
    (void)state;
    assert_escaped(escape_html, "a<b> & \"c\" 'd'\n\x01",
                   "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39; \\x01");
    assert_escaped(escape_html, "R\xE9ti", "R\xC3\xA9ti");
    assert_escaped(escape_plain, "a\tb\x1B[0m", "a b\\x1b[0m");
    assert_escaped(escape_html, "\xC2\x9B \xE2\x80\xAE", "\\u009b \\u202e");
    assert_escaped(escape_html, "\x9B", "\\u009b");
    assert_escaped(escape_markdown, "\xE2\x80\xAE|", "\\\\u202e\\|");
    assert_escaped(escape_markdown, "a|b*c_d`<e>", "a\\|b\\*c\\_d\\`&lt;e&gt;");
    assert_escaped(escape_markdown, "1. no list", "1\\. no list");
    assert_escaped(escape_markdown, "- no list", "\\- no list");
    assert_escaped(escape_markdown, "---", "\\---");
    assert_escaped(escape_markdown, "12)", "12\\)");
    assert_escaped(escape_markdown, "86.4", "86.4");
    assert_escaped(escape_markdown, "-5", "-5");
    assert_escaped(escape_markdown, "12", "12");
    assert_escaped(escape_csv, "plain text", "plain text");
    assert_escaped(escape_csv, "a,\"b\"\nc", "\"a,\"\"b\"\"\\nc\"");
    assert_escaped(escape_csv, "=1+1", "'=1+1");
    assert_escaped(escape_csv, "@SUM(1,2)", "\"'@SUM(1,2)\"");
    assert_escaped(escape_csv, "-2+cmd|' /C calc'!A0", "'-2+cmd|' /C calc'!A0");
    assert_escaped(escape_csv, "+", "'+");
    assert_escaped(escape_csv, "\t=1", "'\t=1");
    assert_escaped(escape_csv, "\r=1", "'\\r=1");
    assert_escaped(escape_csv, "-12.5e3", "-12.5e3");
    assert_escaped(escape_csv, "+7", "+7");
    assert_escaped(escape_csv, "-1-1", "'-1-1");
    assert_escaped(escape_csv, "a=b", "a=b");
    assert_escaped(escape_json, "a\"\\\n\x7F\xC3\xA9", "\"a\\\"\\\\\\u000a\\u007f\xC3\xA9\"");
    assert_escaped(escape_json, "\xE2\x80\xAE\xC2\x9B", "\"\\u202e\\u009b\"");
    Str out = {0};
    escape_lines(&out, "a\n\n<b", "> ", escape_html);
    assert_string_equal(str_text(&out), "> a\n> \n> &lt;b\n");
    str_free(&out);
    assert_int_equal(escape_width("R\xC3\xA9ti–"), 5);
}

// Whether the number is 1, 2 or 5 times a power of ten.
static bool is_round(double value) {
    double mantissa = value / pow(10, floor(log10(value) + 1e-9));
    return fabs(mantissa - 1) < 1e-6 || fabs(mantissa - 2) < 1e-6 || fabs(mantissa - 5) < 1e-6;
}

static void check_axis(const Axis *axis, Extent extent, size_t most) {
    assert_in_range(axis->count, AXIS_TICKS_MIN, AXIS_TICKS_MAX);
    assert_true(axis->count <= most || axis->is_log);
    assert_true(axis->low <= extent.low && axis->high >= extent.high);
    assert_true(axis->low == axis->ticks[0] && axis->high == axis->ticks[axis->count - 1]);
    Str previous = {0}, text = {0};
    for (size_t i = 0; i < axis->count; i++) {
        assert_true(i == 0 || axis->ticks[i] > axis->ticks[i - 1]);
        // No two ticks read the same.
        str_clear(&text);
        axis_add_tick(&text, axis, i);
        assert_string_not_equal(str_text(&text), str_text(&previous));
        str_clear(&previous);
        str_add(&previous, str_text(&text));
    }
    str_free(&previous);
    str_free(&text);
    assert_true(fabs(axis_place(axis, axis->low)) < 1e-9);
    assert_true(fabs(axis_place(axis, axis->high) - 1) < 1e-9);
}

static void test_linear_axes(void **state) {
    (void)state;
    for (uint32_t i = 0; i < 20000; i++) {
        Rng rng = rng_at(2, i, 0, 0);
        double middle = rng_below(&rng, 3) == 0 ? 0 : rng_real(&rng) - 0.5;
        double half = pow(10, -5 * rng_real(&rng)),
               scale = pow(10, (int)rng_below(&rng, 200) - 100);
        Extent extent = {(middle - half) * scale, (middle + half) * scale};
        size_t most = 5 + rng_below(&rng, 6);
        Axis axis = axis_create(extent, false, most);
        check_axis(&axis, extent, most);
        double step = axis.ticks[2] - axis.ticks[1];
        assert_true(is_round(step));
        for (size_t k = 0; k < axis.count; k++)
            assert_true(fabs(axis.ticks[k] / step - round(axis.ticks[k] / step)) < 1e-4);
        // Not too wide either: less than a step is wasted at each end.
        assert_true(extent.low - axis.low < step && axis.high - extent.high < step);
    }
}

static void test_log_axes(void **state) {
    (void)state;
    for (uint32_t i = 0; i < 20000; i++) {
        Rng rng = rng_at(3, i, 0, 0);
        double low = pow(10, 40 * rng_real(&rng) - 20);
        Extent extent = {low, low * pow(10, 12 * rng_real(&rng) * rng_real(&rng) + 1e-4)};
        size_t most = 5 + rng_below(&rng, 6);
        Axis axis = axis_create(extent, true, most);
        assert_true(axis.is_log && axis.ticks[0] > 0);
        check_axis(&axis, extent, most);
    }
}

static void assert_ticks(Extent extent, bool is_log, const char *expected) {
    Axis axis = axis_create(extent, is_log, 7);
    Str out = {0};
    for (size_t i = 0; i < axis.count; i++) {
        str_add(&out, i == 0 ? "" : " ");
        axis_add_tick(&out, &axis, i);
    }
    assert_string_equal(str_text(&out), expected);
    str_free(&out);
}

static void test_ticks_by_example(void **state) {
    (void)state;
    assert_ticks((Extent){0, 200}, false, "0 50 100 150 200");
    assert_ticks((Extent){3, 97}, false, "0 20 40 60 80 100");
    assert_ticks((Extent){-0.31, 0.12}, false, "-0.4 -0.3 -0.2 -0.1 0.0 0.1 0.2");
    assert_ticks((Extent){84.1, 470}, false, "0 100 200 300 400 500");
    assert_ticks((Extent){0, 3e-9}, false, "0 5e-10 1e-09 1.5e-09 2e-09 2.5e-09 3e-09");
    assert_ticks((Extent){0, 2e12}, false, "0 5e+11 1e+12 1.5e+12 2e+12");
    assert_ticks((Extent){0.03, 700}, true, "0.01 0.1 1 10 100 1,000");
    assert_ticks((Extent){300, 2500}, true, "200 500 1,000 2,000 5,000");
    assert_ticks((Extent){1.1, 1.9}, true, "1.0 1.2 1.4 1.6 1.8 2.0");
    // Nothing, one point, and what is hardly more.
    assert_ticks(AXIS_NOTHING, false, "0.0 0.2 0.4 0.6 0.8 1.0");
    assert_ticks(AXIS_NOTHING, true, "1 2 5 10 20 50 100");
    assert_ticks((Extent){0, 0}, false, "-1.0 -0.5 0.0 0.5 1.0");
    assert_ticks((Extent){100, 100}, false, "90 95 100 105 110");
    assert_ticks((Extent){100, 100 + 1e-12}, false, "90 95 100 105 110");
}

static void test_odd_values(void **state) {
    (void)state;
    Extent extent = AXIS_NOTHING;
    double odd[] = {NAN, INFINITY, -INFINITY, 1e300, -1e300};
    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++)
        axis_include(&extent, odd[i], false);
    assert_true(extent.low > extent.high);
    axis_include(&extent, -3, true);
    axis_include(&extent, 0, true);
    assert_true(extent.low > extent.high);
    axis_include(&extent, 1e289, false);
    axis_include(&extent, -1e289, false);
    Axis axis = axis_create(extent, false, 6);
    check_axis(&axis, extent, 6);
    axis_tighten(&axis, extent);
    assert_true(axis.low == extent.low && axis_place(&axis, extent.high) == 1);
    Axis one = axis_create((Extent){5, 5}, false, 6), before = one;
    axis_tighten(&one, (Extent){5, 5});
    assert_true(one.low == before.low && one.count == before.count);
}

// Generations and games are counted: nothing lies between two of them.
static void test_whole_ticks(void **state) {
    (void)state;
    const struct {
        Extent extent;
        const char *ticks;
    } cases[] = {
        {{0, 2}, "0 1 2"}, {{0, 1}, "0 1"}, {{3, 3}, "3"}, {{1, 40}, "5 10 15 20 25 30 35 40"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Axis axis = axis_create(cases[i].extent, false, 9);
        axis_tighten(&axis, cases[i].extent);
        axis_keep_whole_ticks(&axis);
        Str text = {0};
        for (size_t k = 0; k < axis.count; k++) {
            str_add(&text, k == 0 ? "" : " ");
            axis_add_tick(&text, &axis, k);
        }
        assert_string_equal(str_text(&text), cases[i].ticks);
        str_free(&text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),    cmocka_unit_test(test_exact_numbers_read_back),
        cmocka_unit_test(test_escapes),    cmocka_unit_test(test_linear_axes),
        cmocka_unit_test(test_log_axes),   cmocka_unit_test(test_ticks_by_example),
        cmocka_unit_test(test_odd_values), cmocka_unit_test(test_whole_ticks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
