// SPDX-License-Identifier: GPL-3.0-or-later
// The one way to standard output and standard error: what is printed is clean (base/text.h),
// wherever its parts came from. scripts/check-printing holds everybody else to it.
#pragma once

#include <stdio.h>

// As printf to standard output or error. Line feeds in arguments are shown as \n: text that has
// lines of its own goes through print_text.
[[gnu::format(printf, 1, 2)]] void print_out(const char *format, ...);
[[gnu::format(printf, 1, 2)]] void print_err(const char *format, ...);
// The same to one of the two.
[[gnu::format(printf, 2, 3)]] void print_to(FILE *out, const char *format, ...);
// Text of several lines.
void print_text(FILE *out, const char *text);
// A control sequence of our own for the terminal behind standard output: the one thing not cleaned.
[[gnu::format(printf, 1, 2)]] void print_sequence(const char *format, ...);
// "PROGRAM: " and this thread's error message, to standard error.
void print_failure(const char *program);
