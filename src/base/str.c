// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/str.h"

#include "base/mem.h"
#include "base/text.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { NUMBER_MAX = 400 }; // bytes of a number; the longest that is written without an exponent

static void reserve(Str *str, size_t extra) {
    str->text = vec_grow(str->text, &str->capacity, str->length + extra + 1, 1);
}

void str_append(Str *str, const char *text, size_t length) {
    reserve(str, length);
    if (length != 0)
        memcpy(str->text + str->length, text, length);
    str->length += length;
    str->text[str->length] = '\0';
}

void str_add(Str *str, const char *text) {
    str_append(str, text, strlen(text));
}

void str_addv(Str *str, const char *format, va_list args) {
    va_list again;
    va_copy(again, args);
    int need = vsnprintf(NULL, 0, format, args);
    if (need > 0) {
        reserve(str, (size_t)need);
        vsnprintf(str->text + str->length, (size_t)need + 1, format, again);
        str->length += (size_t)need;
    }
    va_end(again);
}

void str_addf(Str *str, const char *format, ...) {
    va_list args;
    va_start(args, format);
    str_addv(str, format, args);
    va_end(args);
}

void str_clear(Str *str) {
    str->length = 0;
    if (str->text != NULL)
        str->text[0] = '\0';
}

void str_free(Str *str) {
    free(str->text);
    *str = (Str){0};
}

const char *str_text(const Str *str) {
    return str->text == NULL ? "" : str->text;
}

StrView view_from_string(const char *text) {
    return (StrView){text, strlen(text)};
}

bool view_equals(StrView view, const char *text) {
    return strlen(text) == view.length && memcmp(view.text, text, view.length) == 0;
}

bool view_equals_ignoring_case(StrView view, const char *text) {
    return strlen(text) == view.length && strncasecmp(view.text, text, view.length) == 0;
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f' || c == '\0';
}

StrView view_trim(StrView view) {
    while (view.length > 0 && is_blank(view.text[0])) {
        view.text++;
        view.length--;
    }
    while (view.length > 0 && is_blank(view.text[view.length - 1]))
        view.length--;
    return view;
}

StrView view_next_word(StrView *rest) {
    size_t start = 0;
    while (start < rest->length && is_blank(rest->text[start]))
        start++;
    size_t end = start;
    while (end < rest->length && !is_blank(rest->text[end]))
        end++;
    StrView word = {rest->text + start, end - start};
    rest->text += end;
    rest->length -= end;
    return word;
}

bool view_to_int(StrView view, int64_t *out) {
    size_t i = 0;
    bool negative = view.length > 0 && view.text[0] == '-';
    if (view.length > 0 && (view.text[0] == '-' || view.text[0] == '+'))
        i++;
    if (i == view.length)
        return false;
    int64_t value = 0;
    for (; i < view.length; i++) {
        char c = view.text[i];
        if (c < '0' || c > '9' || __builtin_mul_overflow(value, 10, &value) ||
            __builtin_sub_overflow(value, c - '0', &value))
            return false;
    }
    // Accumulated negative, because the most negative number has no positive twin.
    if (!negative && value == INT64_MIN)
        return false;
    *out = negative ? value : -value;
    return true;
}

bool view_to_number(StrView view, double *out) {
    char text[NUMBER_MAX], *end;
    if (view.length == 0 || view.length >= sizeof text || isspace((unsigned char)view.text[0]))
        return false;
    memcpy(text, view.text, view.length);
    text[view.length] = '\0';
    const double value = strtod(text, &end);
    if (end != text + view.length || !isfinite(value))
        return false;
    *out = value;
    return true;
}

ShownText view_shown(StrView view) {
    ShownText shown = {""};
    size_t cut = view.length < SHOWN_MAX ? view.length : SHOWN_MAX;
    // Not within a character of UTF-8, which has three more bytes at the most.
    while (cut > SHOWN_MAX - 3 && cut < view.length && (view.text[cut] & 0xC0) == 0x80)
        cut--;
    const size_t length = text_clean_fit(shown.text, sizeof shown.text, view_of(view.text, cut));
    if (view.length > SHOWN_MAX)
        memcpy(shown.text + length, "...", 4);
    return shown;
}

void str_add_utf8(Str *str, StrView text) {
    const unsigned char *bytes = (const unsigned char *)text.text;
    bool valid = true;
    for (size_t i = 0, step; i < text.length && valid; i += step)
        valid = (step = text_utf8_length(text.text + i, text.length - i)) != 0;
    if (valid) {
        str_append(str, text.text, text.length);
        return;
    }
    for (size_t i = 0; i < text.length; i++) {
        char latin1[2] = {(char)(0xC0 | bytes[i] >> 6), (char)(0x80 | (bytes[i] & 0x3F))};
        if (bytes[i] < 0x80)
            str_append(str, text.text + i, 1);
        else
            str_append(str, latin1, 2);
    }
}
