// SPDX-License-Identifier: GPL-3.0-or-later
// How numbers are written, in reports for people and in files for machines: here and nowhere else.
#pragma once

#include "base/str.h"

// For people: fixed decimals (at most 15), commas between thousands, exponents beyond 10^15, an en
// dash for NaN and the sign for infinity. What rounds to zero has no minus sign.
void number_add(Str *out, double value, int decimals);
// " (1.2 to 3.4)"
void number_add_range(Str *out, double low, double high, int decimals);
// The same of a count, as a text within a sentence: `number_of(n).text`.
typedef struct NumberText {
    char text[32];
} NumberText;
NumberText number_of(long long count);
// For machines: the shortest text that reads back as the same number. Not for NaN and infinity.
void number_add_exact(Str *out, double value);
