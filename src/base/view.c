// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/view.h"

#include "base/mem.h"
#include "base/text.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { NUMBER_MAX = 400 }; // bytes of a number; the longest that is written without an exponent

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

char *view_copy(StrView view) {
    char *copy = mem_alloc_zero(view.length + 1, 1);
    return view.length > 0 ? memcpy(copy, view.text, view.length) : copy;
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
