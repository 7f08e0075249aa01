// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/str.h"

#include "base/mem.h"
#include "base/text.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool str_is_valid(const Str *str) {
    return str->text == NULL ? str->length == 0 && str->capacity == 0
                             : str->length < str->capacity && str->text[str->length] == '\0';
}

void str_reserve(Str *str, size_t extra) {
    assert(str_is_valid(str));
    str->text = mem_grow(str->text, &str->capacity, str->length + extra + 1, 1);
    str->text[str->length] = '\0';
}

void str_append(Str *str, const char *text, size_t length) {
    str_reserve(str, length);
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
        str_reserve(str, (size_t)need);
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

void str_cut(Str *str, size_t length) {
    assert(length <= str->length);
    str->length = length;
    if (str->text != NULL)
        str->text[length] = '\0';
}

void str_clear(Str *str) {
    str_cut(str, 0);
}

void str_setf(Str *str, const char *format, ...) {
    va_list args;
    va_start(args, format);
    str_clear(str);
    str_addv(str, format, args);
    va_end(args);
}

void str_free(Str *str) {
    assert(str_is_valid(str));
    free(str->text);
    *str = (Str){0};
}

const char *str_text(const Str *str) {
    return str->text == NULL ? "" : str->text;
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

void str_add_double(Str *str, double number) {
    char text[40];
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, number);
        if (strtod(text, NULL) == number)
            break;
    }
    str_add(str, text);
}

void str_add_digits(Str *str, double number, int digits) {
    char text[8], *at = text + sizeof text;
    assert(digits >= 6);
    // Six digits are written out by any precision. The sign of -0 would be lost.
    const bool is_small = number > -1e6 && number < 1e6 && number == (int)number;
    if (!is_small || (number == 0 && signbit(number))) {
        str_addf(str, "%.*g", digits, number);
        return;
    }
    unsigned left = (unsigned)(number < 0 ? -number : number);
    do
        *--at = (char)('0' + left % 10);
    while ((left /= 10) != 0);
    if (number < 0)
        *--at = '-';
    str_append(str, at, (size_t)(text + sizeof text - at));
}

bool str_ends_with(const char *text, const char *end) {
    const size_t length = strlen(text), tail = strlen(end);
    return length > tail && strcmp(text + length - tail, end) == 0;
}

const char *str_plural(uint64_t count) {
    return count == 1 ? "" : "s";
}
