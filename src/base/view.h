// SPDX-License-Identifier: GPL-3.0-or-later
// A view of text that is owned elsewhere.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Text that is borrowed: `length` bytes from `text`, not NUL-terminated.
typedef struct StrView {
    const char *text;
    size_t length;
} StrView;

static inline StrView view_of(const char *text, size_t length) {
    return (StrView){text, length};
}
StrView view_from_string(const char *text);
bool view_equals(StrView view, const char *text);
bool view_equals_ignoring_case(StrView view, const char *text);
StrView view_trim(StrView view);
// A string with this text; free() it.
char *view_copy(StrView view);
// Cuts the next blank-separated word off the front of `rest`; an empty view when there is none.
StrView view_next_word(StrView *rest);
// True, and the number, when the whole view is a decimal integer that fits.
bool view_to_int(StrView view, int64_t *out);
// The same for any finite number.
bool view_to_number(StrView view, double *out);

enum { SHOWN_MAX = 40, SHOWN_ESCAPE = 4 }; // an escape takes four times the bytes at the most
// Text of a file as a message can show it: cut to size, and clean (base/text.h).
typedef struct ShownText {
    char text[SHOWN_MAX * SHOWN_ESCAPE + 4];
} ShownText;
ShownText view_shown(StrView view);
