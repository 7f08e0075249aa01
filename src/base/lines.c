// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/lines.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK = 1 << 16 };

struct LineReader {
    Stream *stream;
    size_t max;
    char *buffer;
    size_t capacity;
    size_t start, end; // what of the buffer is not used yet
    uint64_t base;     // bytes of the input before the buffer
    uint64_t number, offset;
    StrView rest; // of the current line, after a NUL
    bool at_end;
    Status failure; // of the stream, returned after the last whole line
    char *message;  // its text
};

Status lines_open(LineReader **out, const char *path, size_t max) {
    CLEANUP(lines_close_at) LineReader *lines = mem_alloc_zero(1, sizeof *lines);
    *out = NULL;
    TRY(stream_open(&lines->stream, path));
    lines->max = max;
    *out = TAKE(lines);
    return OK;
}

// Moves what is left to the front and reads more behind it.
static void refill(LineReader *lines) {
    size_t left = lines->end - lines->start;
    lines->buffer = mem_grow(lines->buffer, &lines->capacity, left + CHUNK, 1);
    memmove(lines->buffer, lines->buffer + lines->start, left);
    lines->base += lines->start;
    lines->start = 0;
    lines->end = left;
    size_t got;
    lines->failure = stream_read(lines->stream, lines->buffer + left, CHUNK, &got);
    if (lines->failure != OK && lines->message == NULL)
        lines->message = mem_copy_string(error_message());
    lines->end += got;
    lines->at_end = got < CHUNK || lines->failure != OK;
}

// Passes over the rest of a line that is too long.
static Status skip_line(LineReader *lines) {
    for (;;) {
        char *from = lines->buffer + lines->start;
        char *newline = memchr(from, '\n', lines->end - lines->start);
        if (newline != NULL) {
            lines->start += (size_t)(newline - from) + 1;
            break;
        }
        lines->start = lines->end;
        if (lines->at_end)
            break;
        refill(lines);
    }
    return error_set(ERR_LIMIT, "%s:%llu: the line is longer than %zu bytes",
                     stream_name(lines->stream), (unsigned long long)lines->number, lines->max);
}

// Cuts the next whole line off the buffer; its text is NULL at the end of the input.
static Status cut_line(LineReader *lines, StrView *line) {
    *line = (StrView){0};
    size_t searched = 0;
    lines->number++;
    for (;;) {
        size_t length = lines->end - lines->start;
        char *from = length == 0 ? NULL : lines->buffer + lines->start;
        char *newline = length == 0 ? NULL : memchr(from + searched, '\n', length - searched);
        lines->offset = lines->base + lines->start;
        size_t text_length = newline == NULL ? length : (size_t)(newline - from);
        if (text_length > lines->max)
            return skip_line(lines);
        if (newline == NULL && lines->failure != OK)
            return error_set(lines->failure, "%s", lines->message);
        if (newline != NULL || (lines->at_end && length > 0)) {
            *line = view_of(from, text_length);
            lines->start += text_length + (newline != NULL);
            return OK;
        }
        if (lines->at_end)
            return OK;
        searched = length;
        refill(lines);
    }
}

// Cuts the text before the next NUL off the rest of the line; false when only NULs are left.
static bool cut_piece(LineReader *lines, StrView *piece) {
    StrView rest = lines->rest;
    while (rest.length > 0 && rest.text[0] == '\0')
        rest = view_of(rest.text + 1, rest.length - 1);
    if (rest.length == 0)
        return false;
    const char *nul = memchr(rest.text, '\0', rest.length);
    size_t length = nul == NULL ? rest.length : (size_t)(nul - rest.text);
    *piece = view_of(rest.text, length);
    lines->rest = view_of(rest.text + length, rest.length - length);
    return true;
}

// A byte-order mark says nothing about what follows it.
static StrView without_mark(StrView text) {
    bool marked = text.length >= 3 && memcmp(text.text, "\xEF\xBB\xBF", 3) == 0;
    return marked ? view_of(text.text + 3, text.length - 3) : text;
}

Status lines_next(LineReader *lines, StrView *line) {
    if (lines->rest.length > 0 && cut_piece(lines, line))
        return OK;
    lines->rest = (StrView){0};
    StrView whole;
    Status status = cut_line(lines, &whole);
    *line = whole;
    if (status != OK || whole.text == NULL)
        return status;
    if (lines->number == 1)
        whole = without_mark(whole);
    if (whole.length > 0 && whole.text[whole.length - 1] == '\r')
        whole.length--;
    lines->rest = whole;
    if (!cut_piece(lines, line))
        *line = view_of(whole.text, 0);
    return OK;
}

uint64_t lines_number(const LineReader *lines) {
    return lines->number;
}

uint64_t lines_offset(const LineReader *lines) {
    return lines->offset;
}

const Stream *lines_stream(const LineReader *lines) {
    return lines->stream;
}

void lines_close(LineReader *lines) {
    if (lines == NULL)
        return;
    stream_close(lines->stream);
    free(lines->buffer);
    free(lines->message);
    free(lines);
}
