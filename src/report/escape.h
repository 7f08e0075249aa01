// SPDX-License-Identifier: GPL-3.0-or-later
// Foreign text inside each format. Bytes that are not UTF-8 are taken for Latin-1. Line ends and
// tabs become blanks and the rest is cleaned (base/text.h), except in JSON, which can write all of
// it.
#pragma once

#include "base/str.h"

void escape_plain(Str *out, const char *text);
// For contents and for attributes in double quotes; serves SVG as well.
void escape_html(Str *out, const char *text);
// So that nothing is taken for a mark-up, in a paragraph or in a cell of a table.
void escape_markdown(Str *out, const char *text);
// One field, in quotes where it needs them. A line end becomes \n, so that a row is a line. Text
// that a spreadsheet would take for a formula (= + - @ at the start, and no number) gets a "'"
// before it.
void escape_csv(Str *out, const char *text);
// A string with its quotes.
void escape_json(Str *out, const char *text);
// Lines apart, each through `escape` behind `indent` and with a line end.
void escape_lines(Str *out, const char *text, const char *indent,
                  void (*escape)(Str *out, const char *line));
// How many characters UTF-8 text has.
size_t escape_width(const char *text);
