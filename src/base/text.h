// SPDX-License-Identifier: GPL-3.0-or-later
// Text from outside as a terminal may show it. Names of engines and players, lines of files and
// answers of other programs can hold sequences that clear a screen, hide or reorder what is read,
// or look like further lines of output. All of that becomes visible: \x1b, \u202e, \n.
#pragma once

#include "base/str.h"

#include <stdarg.h>

// Control characters (C0, DEL and C1), marks that change the direction of writing and the line
// separators of Unicode: none of them is shown as it is. Line feed and tab are among them.
bool text_is_dangerous(uint32_t code_point);

// The length of the valid UTF-8 character at `text`, 0 where there is none; `length` is at least 1.
size_t text_utf8_length(const char *text, size_t length);

// Its number.
uint32_t text_code_point(const char *text, size_t length);

// Appends `text` with everything dangerous, and every byte that is not UTF-8, as a visible escape.
// Line feeds and tabs stay. What is clean already stays as it is.
void text_clean(Str *out, StrView text);
// The same for what has to stay on its line: a name, a cell, a message. Line feeds become \n.
void text_clean_line(Str *out, StrView text);
// text_clean_line into a buffer of `size` bytes, cut between characters where it does not fit.
// Returns the length.
size_t text_clean_fit(char *out, size_t size, StrView text);

// Appends what printf would print, clean: line feeds of the format stay, those of arguments do not.
void text_format(Str *out, const char *format, va_list args);
