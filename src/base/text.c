// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/text.h"

#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE_SIZE = 8 }; // of one character or its escape, with the NUL

bool text_is_dangerous(uint32_t code_point) {
    static const struct {
        uint32_t first, last;
    } ranges[] = {
        {0x00, 0x1F},     {0x7F, 0x9F},     {0x061C, 0x061C}, {0x200E, 0x200F},
        {0x2028, 0x2029}, {0x202A, 0x202E}, {0x2066, 0x2069},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (code_point >= ranges[i].first && code_point <= ranges[i].last)
            return true;
    return false;
}

// Two forms of one rule: sequences that are overlong, of surrogates or beyond Unicode are invalid.
static bool is_forbidden(unsigned char first, unsigned char second) {
    const bool overlong = (first == 0xE0 && second < 0xA0) || (first == 0xF0 && second < 0x90);
    const bool surrogate = first == 0xED && second >= 0xA0;
    const bool beyond = first == 0xF4 && second >= 0x90;
    return overlong || surrogate || beyond;
}

size_t text_utf8_length(const char *text, size_t length) {
    const unsigned char *bytes = (const unsigned char *)text;
    if (bytes[0] < 0x80)
        return 1;
    const size_t need = bytes[0] >= 0xC2 && bytes[0] < 0xE0   ? 2
                        : bytes[0] >= 0xE0 && bytes[0] < 0xF0 ? 3
                        : bytes[0] >= 0xF0 && bytes[0] < 0xF5 ? 4
                                                              : 0;
    if (need == 0 || need > length)
        return 0;
    for (size_t i = 1; i < need; i++)
        if ((bytes[i] & 0xC0) != 0x80)
            return 0;
    return is_forbidden(bytes[0], bytes[1]) ? 0 : need;
}

uint32_t text_code_point(const char *text, size_t length) {
    const unsigned char *bytes = (const unsigned char *)text;
    uint32_t code_point = length == 1 ? bytes[0] : bytes[0] & (0xFFU >> (length + 1));
    for (size_t i = 1; i < length; i++)
        code_point = code_point << 6 | (bytes[i] & 0x3F);
    return code_point;
}

// Writes the first character of `text`, or its escape, to `piece`; returns how many bytes it took.
static size_t clean_next(StrView text, const char *kept, char piece[PIECE_SIZE]) {
    const size_t length = text_utf8_length(text.text, text.length);
    const uint32_t code_point = length == 0 ? 0 : text_code_point(text.text, length);
    if (length == 0) {
        snprintf(piece, PIECE_SIZE, "\\x%02x", (unsigned char)text.text[0]);
    } else if (!text_is_dangerous(code_point) ||
               (code_point != 0 && code_point < 0x80 && strchr(kept, (int)code_point) != NULL)) {
        memcpy(piece, text.text, length);
        piece[length] = '\0';
    } else if (code_point == '\n' || code_point == '\r') {
        snprintf(piece, PIECE_SIZE, code_point == '\n' ? "\\n" : "\\r");
    } else {
        snprintf(piece, PIECE_SIZE, code_point < 0x80 ? "\\x%02x" : "\\u%04x",
                 (unsigned)(code_point & 0xFFFF));
    }
    return length == 0 ? 1 : length;
}

// How many bytes from the start need no look: printable ASCII.
static size_t plain_length(StrView text) {
    size_t length = 0;
    while (length < text.length && text.text[length] >= ' ' && text.text[length] <= '~')
        length++;
    return length;
}

static void clean(Str *out, StrView text, const char *kept) {
    while (text.length > 0) {
        char piece[PIECE_SIZE];
        size_t used = plain_length(text);
        if (used > 0) {
            str_append(out, text.text, used);
        } else {
            used = clean_next(text, kept, piece);
            str_add(out, piece);
        }
        text = view_of(text.text + used, text.length - used);
    }
}

void text_clean(Str *out, StrView text) {
    clean(out, text, "\n\t");
}

void text_clean_line(Str *out, StrView text) {
    clean(out, text, "\t");
}

size_t text_clean_fit(char *out, size_t size, StrView text) {
    size_t length = 0;
    while (text.length > 0) {
        char piece[PIECE_SIZE];
        const size_t used = clean_next(text, "\t", piece), need = strlen(piece);
        if (length + need >= size)
            break;
        memcpy(out + length, piece, need);
        length += need;
        text = view_of(text.text + used, text.length - used);
    }
    out[length] = '\0';
    return length;
}

// Formats with `mark` in place of the line feeds of the format.
static void add_marked(Str *out, const char *format, char mark, va_list args) {
    char *marked = mem_copy_string(format);
    for (char *at = strchr(marked, '\n'); at != NULL; at = strchr(at, '\n'))
        *at = mark;
    str_addv(out, marked, args);
    free(marked);
}

void text_format(Str *out, const char *format, va_list args) {
    Str one = {0}, other = {0};
    va_list again;
    va_copy(again, args);
    add_marked(&one, format, '\1', args);
    add_marked(&other, format, '\2', again);
    va_end(again);
    // Where the two differ is a line feed of the format; one of an argument is in both.
    size_t start = 0;
    for (size_t i = 0; i < one.length; i++) {
        if (one.text[i] == other.text[i])
            continue;
        text_clean_line(out, view_of(one.text + start, i - start));
        str_add(out, "\n");
        start = i + 1;
    }
    if (start < one.length)
        text_clean_line(out, view_of(one.text + start, one.length - start));
    str_free(&one);
    str_free(&other);
}
