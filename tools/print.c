// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/print.h"

#include "base/error.h"
#include "base/text.h"

#include <stdarg.h>

static void print_formatted(FILE *out, const char *format, va_list args) {
    CLEANUP(str_free) Str text = {0};
    text_format(&text, format, args);
    fwrite(str_text(&text), 1, text.length, out);
}

void print_out(const char *format, ...) {
    va_list args;
    va_start(args, format);
    print_formatted(stdout, format, args);
    va_end(args);
}

void print_err(const char *format, ...) {
    va_list args;
    va_start(args, format);
    print_formatted(stderr, format, args);
    va_end(args);
}

void print_to(FILE *out, const char *format, ...) {
    va_list args;
    va_start(args, format);
    print_formatted(out, format, args);
    va_end(args);
}

void print_text(FILE *out, const char *text) {
    CLEANUP(str_free) Str cleaned = {0};
    text_clean(&cleaned, view_from_string(text));
    fwrite(str_text(&cleaned), 1, cleaned.length, out);
}

void print_sequence(const char *format, ...) {
    va_list args;
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
}

void print_failure(const char *program) {
    print_err("%s: %s\n", program, error_message());
}
