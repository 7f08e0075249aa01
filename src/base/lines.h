// SPDX-License-Identifier: GPL-3.0-or-later
// Text read line by line, with a bound on how long a line may be.
#pragma once

#include "base/str.h"
#include "base/stream.h"

// Lines of a stream, ended by LF or CRLF. A NUL byte separates lines too, without counting as one,
// and empty texts around it are passed over: "a NUL LF" is one line, "a NUL b LF" two of one
// number.
typedef struct LineReader LineReader;
// No line may be longer than `max` bytes.
MUST_CHECK Status lines_open(LineReader **out, const char *path, size_t max);
// The next line without its end; `line->text` is NULL at the end of the file. Borrowed until the
// next call. A line that is too long is ERR_LIMIT, named with its number; reading can go on after
// it. A failure of the stream comes after the last whole line before it.
MUST_CHECK Status lines_next(LineReader *lines, StrView *line);
// The number of the line last read, from 1, and the bytes before it (uncompressed).
uint64_t lines_number(const LineReader *lines);
uint64_t lines_offset(const LineReader *lines);
const Stream *lines_stream(const LineReader *lines);
void lines_close(LineReader *lines);
CLEANUP_AT(LineReader *, lines_close)
