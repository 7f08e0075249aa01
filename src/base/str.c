// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/str.h"

#include "base/mem.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

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

void str_addf(Str *str, const char *format, ...) {
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int need = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (need > 0) {
        reserve(str, (size_t)need);
        vsnprintf(str->text + str->length, (size_t)need + 1, format, again);
        str->length += (size_t)need;
    }
    va_end(again);
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

ShownText view_shown(StrView view) {
    ShownText shown = {""};
    size_t length = view.length < SHOWN_MAX ? view.length : SHOWN_MAX;
    for (size_t i = 0; i < length; i++)
        shown.text[i] = view.text[i] >= ' ' && view.text[i] <= '~' ? view.text[i] : '?';
    if (view.length > SHOWN_MAX)
        memcpy(shown.text + SHOWN_MAX, "...", 4);
    return shown;
}

// Length of the valid UTF-8 sequence at `text`, 0 when there is none.
static size_t utf8_sequence(const unsigned char *text, size_t length) {
    if (text[0] < 0x80)
        return 1;
    size_t need = text[0] >= 0xC2 && text[0] < 0xE0   ? 2
                  : text[0] >= 0xE0 && text[0] < 0xF0 ? 3
                  : text[0] >= 0xF0 && text[0] < 0xF5 ? 4
                                                      : 0;
    if (need == 0 || need > length)
        return 0;
    for (size_t i = 1; i < need; i++)
        if ((text[i] & 0xC0) != 0x80)
            return 0;
    bool overlong = (text[0] == 0xE0 && text[1] < 0xA0) || (text[0] == 0xF0 && text[1] < 0x90);
    bool surrogate = text[0] == 0xED && text[1] >= 0xA0;
    bool beyond = text[0] == 0xF4 && text[1] >= 0x90;
    return overlong || surrogate || beyond ? 0 : need;
}

void str_add_utf8(Str *str, StrView text) {
    const unsigned char *bytes = (const unsigned char *)text.text;
    bool valid = true;
    for (size_t i = 0, step; i < text.length && valid; i += step)
        valid = (step = utf8_sequence(bytes + i, text.length - i)) != 0;
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
