// SPDX-License-Identifier: GPL-3.0-or-later
// JSON as far as lines of our own making need it: one flat object a line.
#pragma once

#include "base/error.h"
#include "base/str.h"

// Appends a string with its quotes. Bytes that are not UTF-8 are taken for Latin-1; what is
// dangerous on a terminal (base/text.h) is written as \u202e, so that nothing is lost.
void json_add_string(Str *out, const char *text);
// Appends a number, as short as it can be; null where it is none (NaN, infinity).
void json_add_number(Str *out, double number);
// Appends what a string says between its quotes, as json_add_string or a browser wrote it.
void json_add_unescaped(Str *out, StrView text);

// The value of a key, as written: of a string what is between the quotes, escapes unresolved. The
// value is borrowed. False where there is no such key.
bool json_find(StrView line, const char *key, StrView *value);
// The same for a whole number; false also where the value is none.
bool json_find_int(StrView line, const char *key, int64_t *out);

// Ends the object that begins at `start` of the text, and the line: with a checksum of what is
// there.
void json_end_checked(Str *out, size_t start);
// ERR_PARSE where a line is not the one that json_end_checked wrote. Lines without a checksum, as
// version 0.1.0 wrote them, pass.
MUST_CHECK Status json_check(StrView line);
