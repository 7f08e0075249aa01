// SPDX-License-Identifier: GPL-3.0-or-later
// A growing string.
#pragma once

#include "base/view.h"

#include <stdarg.h>

typedef struct Str {
    char *text; // NUL-terminated once anything was appended
    size_t length, capacity;
} Str;

void str_append(Str *str, const char *text, size_t length);
void str_add(Str *str, const char *text);
[[gnu::format(printf, 2, 3)]] void str_addf(Str *str, const char *format, ...);
[[gnu::format(printf, 2, 0)]] void str_addv(Str *str, const char *format, va_list args);
void str_clear(Str *str);
// Leaves the first `length` bytes, of as many or more.
void str_cut(Str *str, size_t length);
// Makes room for so many bytes more, to save the growing.
void str_reserve(Str *str, size_t extra);
// Clears, then appends.
[[gnu::format(printf, 2, 3)]] void str_setf(Str *str, const char *format, ...);
void str_free(Str *str);
// Whether it is one: a text with a NUL behind it, or nothing.
bool str_is_valid(const Str *str);
// The text, "" when nothing was appended.
const char *str_text(const Str *str);

// Appends a number as short as it can be for the same number to be read again: 0.05.
void str_add_double(Str *str, double number);
// Appends a number with so many significant digits, 6 or more, as %.*g does, but faster where it is
// whole and small.
void str_add_digits(Str *str, double number, int digits);
// Whether a file name has that ending, and something before it.
bool str_ends_with(const char *text, const char *end);
// What makes a noun of so many plural: "" for 1, else "s".
const char *str_plural(uint64_t count);

// Appends `text` as UTF-8: bytes that are not UTF-8 are taken for Latin-1.
void str_add_utf8(Str *str, StrView text);
