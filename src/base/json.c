// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/json.h"

#include "base/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What json_end_checked adds; the dots are the digits.
static const char check_form[] = ",\"check\":\"........\"}";
enum { CHECK_LENGTH = sizeof check_form - 1 };

static bool is_control(unsigned char c) {
    return c < 0x20 || c == 0x7F;
}

void json_add_string(Str *out, const char *text) {
    Str utf8 = {0};
    str_add_utf8(&utf8, view_from_string(text));
    str_add(out, "\"");
    for (size_t i = 0; i < utf8.length; i++) {
        unsigned char c = (unsigned char)utf8.text[i];
        if (c == '"' || c == '\\')
            str_addf(out, "\\%c", c);
        else if (is_control(c))
            str_addf(out, "\\u%04x", c);
        else
            str_append(out, utf8.text + i, 1);
    }
    str_add(out, "\"");
    str_free(&utf8);
}

// The character of "\\u000a" from its digits on; only control characters are written so.
static bool read_control(StrView digits, char *out) {
    char text[5], *end;
    if (digits.length < 4)
        return false;
    memcpy(text, digits.text, 4);
    text[4] = '\0';
    const unsigned long value = strtoul(text, &end, 16);
    *out = (char)value;
    return *end == '\0' && value > 0 && is_control((unsigned char)value) && value < 0x80;
}

void json_add_unescaped(Str *out, StrView text) {
    for (size_t i = 0; i < text.length; i++) {
        char c = text.text[i];
        if (c == '\\' && i + 1 < text.length) {
            c = text.text[++i];
            if (c == 'u' && read_control(view_of(text.text + i + 1, text.length - i - 1), &c))
                i += 4;
        }
        str_append(out, &c, 1);
    }
}

// Where a value that begins here ends: at the closing quote, or before a comma or brace.
static size_t value_length(StrView rest, bool is_string) {
    size_t i = 0;
    for (; i < rest.length; i++) {
        char c = rest.text[i];
        if (is_string && c == '\\')
            i++;
        else if (is_string ? c == '"' : c == ',' || c == '}')
            break;
    }
    return i < rest.length ? i : rest.length;
}

bool json_find(StrView line, const char *key, StrView *value) {
    Str mark = {0};
    str_addf(&mark, "\"%s\":", key);
    // Inside a string the quotes would be escaped: what is found is a key.
    const char *at = memmem(line.text, line.length, str_text(&mark), mark.length);
    size_t length = mark.length;
    str_free(&mark);
    if (at == NULL)
        return false;
    StrView rest = view_of(at + length, line.length - (size_t)(at - line.text) - length);
    bool is_string = rest.length > 0 && rest.text[0] == '"';
    if (is_string)
        rest = view_of(rest.text + 1, rest.length - 1);
    *value = view_of(rest.text, value_length(rest, is_string));
    return true;
}

bool json_find_int(StrView line, const char *key, int64_t *out) {
    StrView value;
    return json_find(line, key, &value) && view_to_int(value, out);
}

static void write_check(StrView body, char out[CHECK_LENGTH + 1]) {
    const uint64_t hash = hash_bytes(HASH_START, body.text, body.length);
    snprintf(out, CHECK_LENGTH + 1, ",\"check\":\"%08x\"}", (unsigned)(hash ^ hash >> 32));
}

void json_end_checked(Str *out, size_t start) {
    char check[CHECK_LENGTH + 1];
    write_check(view_of(out->text + start, out->length - start), check);
    str_add(out, check);
    str_add(out, "\n");
}

// Whether a line was once written with a checksum, though bytes of it may be damaged.
static bool resembles_checked(StrView line) {
    const char *end = line.text + line.length - CHECK_LENGTH;
    int same = 0, signs = 0;
    for (size_t i = 0; i < CHECK_LENGTH; i++) {
        signs += check_form[i] != '.';
        same += check_form[i] != '.' && check_form[i] == end[i];
    }
    return same > signs / 2;
}

Status json_check(StrView line) {
    char check[CHECK_LENGTH + 1];
    const bool is_checked = line.length >= CHECK_LENGTH && resembles_checked(line);
    if (is_checked) {
        const size_t length = line.length - CHECK_LENGTH;
        write_check(view_of(line.text, length), check);
        if (memcmp(line.text + length, check, CHECK_LENGTH) == 0)
            return OK;
    } else if (line.length > 0 && line.text[line.length - 1] == '}') {
        return OK;
    }
    return error_set(ERR_PARSE, "this line is damaged: it is not what was written");
}
