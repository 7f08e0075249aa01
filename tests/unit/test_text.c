// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/text.h"

#include "base/error.h"
#include "base/json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { UNICODE_END = 0x110000 };

static void add_code_point(Str *out, uint32_t c) {
    const char bytes[4] = {
        (char)(c < 0x80      ? c
               : c < 0x800   ? 0xC0 | c >> 6
               : c < 0x10000 ? 0xE0 | c >> 12
                             : 0xF0 | c >> 18),
        (char)(0x80 | (c >> (c < 0x800     ? 0
                             : c < 0x10000 ? 6
                                           : 12) &
                       0x3F)),
        (char)(0x80 | (c >> (c < 0x10000 ? 0 : 6) & 0x3F)),
        (char)(0x80 | (c & 0x3F)),
    };
    str_append(out, bytes, c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4);
}

static bool is_expected_danger(uint32_t c) {
    return c < 0x20 || (c >= 0x7F && c <= 0x9F) || c == 0x61C || c == 0x200E || c == 0x200F ||
           c == 0x2028 || c == 0x2029 || (c >= 0x202A && c <= 0x202E) ||
           (c >= 0x2066 && c <= 0x2069);
}

static void assert_cleaned(const char *text, size_t length, const char *expected) {
    Str out = {0}, again = {0};
    text_clean_line(&out, view_of(text, length));
    assert_string_equal(str_text(&out), expected);
    text_clean_line(&again, view_of(str_text(&out), out.length));
    assert_string_equal(str_text(&again), expected);
    str_free(&out);
    str_free(&again);
}

static void test_all_code_points(void **state) {
    (void)state;
    for (uint32_t c = 1; c < UNICODE_END; c++) {
        Str text = {0}, out = {0};
        char escape[16] = "";
        if (c >= 0xD800 && c < 0xE000)
            continue;
        add_code_point(&text, c);
        assert_int_equal(text_utf8_length(text.text, text.length), text.length);
        text_clean_line(&out, view_of(text.text, text.length));
        snprintf(escape, sizeof escape,
                 c == '\n'   ? "\\n"
                 : c == '\r' ? "\\r"
                 : c < 0x80  ? "\\x%02x"
                             : "\\u%04x",
                 (unsigned)c);
        const bool is_escaped = is_expected_danger(c) && c != '\t';
        assert_int_equal(text_is_dangerous(c), is_expected_danger(c));
        if (strcmp(str_text(&out), is_escaped ? escape : text.text) != 0)
            fail_msg("U+%04X became %s", (unsigned)c, str_text(&out));
        str_free(&text);
        str_free(&out);
    }
}

static void test_all_bytes_alone(void **state) {
    (void)state;
    for (int byte = 0x80; byte <= 0xFF; byte++) {
        const char text[] = {'a', (char)byte, 'b'};
        char expected[16];
        snprintf(expected, sizeof expected, "a\\x%02xb", (unsigned)byte);
        assert_cleaned(text, sizeof text, expected);
    }
    assert_cleaned("a\0b", 3, "a\\x00b");
}

static void test_malformed_sequences(void **state) {
    (void)state;
    assert_cleaned("\xC0\x80", 2, "\\xc0\\x80");                    // overlong
    assert_cleaned("\xE0\x80\x9B", 3, "\\xe0\\x80\\x9b");           // overlong, a C1 control
    assert_cleaned("\xED\xA0\x80", 3, "\\xed\\xa0\\x80");           // a surrogate
    assert_cleaned("\xF4\x90\x80\x80", 4, "\\xf4\\x90\\x80\\x80");  // beyond Unicode
    assert_cleaned("\xE2\x80", 2, "\\xe2\\x80");                    // cut
    assert_cleaned("\xE2\x80\xE2\x80\xAE", 5, "\\xe2\\x80\\u202e"); // cut, then a whole one
    assert_cleaned("M\xC3\xBCller \xE2\x99\x94", 11, "M\xC3\xBCller \xE2\x99\x94");
}

static void test_lines_stay_where_they_belong(void **state) {
    (void)state;
    Str out = {0};
    text_clean(&out, view_from_string("one\ttwo\nthree\r\x1B[2J\n"));
    assert_string_equal(str_text(&out), "one\ttwo\nthree\\r\\x1b[2J\n");
    str_free(&out);
}

[[gnu::format(printf, 2, 3)]] static void add_formatted(Str *out, const char *format, ...) {
    va_list args;
    va_start(args, format);
    text_format(out, format, args);
    va_end(args);
}

static void test_line_feeds_of_arguments_forge_no_lines(void **state) {
    (void)state;
    Str out = {0};
    add_formatted(&out, "\n%s:\n%5d %c%s\n\n", "a\nb\1\2", 7, '\n', "\n");
    assert_string_equal(str_text(&out), "\na\\nb\\x01\\x02:\n    7 \\n\\n\n\n");
    str_clear(&out);
    add_formatted(&out, "%s", "");
    assert_string_equal(str_text(&out), "");
    str_free(&out);
}

static void test_fit_cuts_between_characters(void **state) {
    (void)state;
    static const char text[] = "ab\xC3\xBC\x1B!";
    static const char *const expected[] = {"", "a", "ab", "ab", "ab\xC3\xBC", "ab\xC3\xBC"};
    char out[16];
    for (size_t size = 1; size <= 6; size++) {
        const size_t length = text_clean_fit(out, size, view_from_string(text));
        assert_string_equal(out, expected[size - 1]);
        assert_int_equal(length, strlen(out));
    }
    text_clean_fit(out, sizeof out, view_from_string(text));
    assert_string_equal(out, "ab\xC3\xBC\\x1b!");
}

static void test_messages_are_clean_lines(void **state) {
    (void)state;
    (void)error_set(ERR_ENGINE, "bestmove %s",
                    "\x1B"
                    "c\n\xC2\x9BX");
    assert_string_equal(error_message(), "bestmove \\x1bc\\n\\u009bX");
    error_prefix("%s:%d", "\xE2\x80\xAEname\r", 7);
    assert_string_equal(error_message(), "\\u202ename\\r:7: bestmove \\x1bc\\n\\u009bX");
}

// However long the text, a message ends with a whole character or a whole escape.
static void test_long_messages_are_cut_between_characters(void **state) {
    (void)state;
    char text[3000];
    for (size_t front = 0; front < 8; front++) {
        memset(text, 'x', front);
        for (size_t i = front; i + 2 < sizeof text; i += 2)
            memcpy(text + i, "\xC3\xBC", 2);
        text[sizeof text - 1 - (sizeof text - 1 - front) % 2] = '\0';
        (void)error_set(ERR_IO, "%s", text);
        assert_null(strchr(error_message(), '\\'));
        error_prefix("front");
        assert_null(strchr(error_message(), '\\'));
    }
}

// JSON can tell all of it, and does so without a dangerous byte.
static void test_json_holds_everything(void **state) {
    (void)state;
    Str text = {0}, json = {0}, again = {0};
    StrView value;
    for (uint32_t c = 1; c < 0x3000; c++)
        add_code_point(&text, c);
    str_add(&json, "{\"name\":");
    json_add_string(&json, text.text);
    str_add(&json, "}");
    Str cleaned = {0};
    text_clean_line(&cleaned, view_of(json.text, json.length));
    assert_string_equal(cleaned.text, json.text);
    assert_true(json_find(view_of(json.text, json.length), "name", &value));
    json_add_unescaped(&again, value);
    assert_string_equal(again.text, text.text);
    str_free(&text);
    str_free(&json);
    str_free(&again);
    str_free(&cleaned);
}

static void test_json_of_browsers(void **state) {
    (void)state;
    CLEANUP(str_free) Str text = {0};
    json_add_unescaped(&text, view_from_string("a\\nb\\tc\\r\\\"\\\\\\/\\u000a"));
    assert_string_equal(text.text, "a\nb\tc\r\"\\/\n");
}

static void test_shown_text(void **state) {
    (void)state;
    const ShownText shown = view_shown(view_from_string("M\xC3\xBCller\x1B[2J"));
    assert_string_equal(shown.text, "M\xC3\xBCller\\x1b[2J");
    Str text = {0};
    str_add(&text, "x");
    for (int i = 0; i < 100; i++)
        str_add(&text, "\xE2\x99\x94");
    // 40 bytes would end within a character.
    assert_int_equal(strlen(view_shown(view_of(text.text, text.length)).text), 1 + 3 * 13 + 3);
    str_clear(&text);
    for (int i = 0; i < 100; i++)
        str_add(&text, "\x80");
    const ShownText bytes = view_shown(view_of(text.text, text.length));
    assert_int_equal(strlen(bytes.text) % 4, 3);
    assert_string_equal(bytes.text + strlen(bytes.text) - 7, "\\x80...");
    str_free(&text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_code_points),
        cmocka_unit_test(test_all_bytes_alone),
        cmocka_unit_test(test_malformed_sequences),
        cmocka_unit_test(test_lines_stay_where_they_belong),
        cmocka_unit_test(test_line_feeds_of_arguments_forge_no_lines),
        cmocka_unit_test(test_fit_cuts_between_characters),
        cmocka_unit_test(test_messages_are_clean_lines),
        cmocka_unit_test(test_long_messages_are_cut_between_characters),
        cmocka_unit_test(test_json_holds_everything),
        cmocka_unit_test(test_json_of_browsers),
        cmocka_unit_test(test_shown_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
