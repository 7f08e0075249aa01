// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/json.h"

#include "base/hash.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What json_end_checked adds; the dots are the digits.
static const char check_form[] = ",\"check\":\"........\"}";
enum { CHECK_LENGTH = sizeof check_form - 1 };

void json_add_string(Str *out, const char *text) {
    CLEANUP(str_free) Str utf8 = {0};
    str_add_utf8(&utf8, view_from_string(text));
    str_add(out, "\"");
    for (size_t i = 0, length; i < utf8.length; i += length) {
        const char *at = utf8.text + i;
        length = text_utf8_length(at, utf8.length - i);
        const uint32_t code_point = text_code_point(at, length);
        if (*at == '"' || *at == '\\')
            str_addf(out, "\\%c", *at);
        else if (text_is_dangerous(code_point))
            str_addf(out, "\\u%04x", (unsigned)code_point);
        else
            str_append(out, at, length);
    }
    str_add(out, "\"");
}

void json_add_number(Str *out, double number) {
    if (isfinite(number))
        str_add_double(out, number);
    else
        str_add(out, "null");
}

// Appends the character of "\\u202e" from its digits on; false where it is none of those that are
// written so.
static bool add_code_point(Str *out, StrView digits) {
    char text[5], *end;
    if (digits.length < 4)
        return false;
    memcpy(text, digits.text, 4);
    text[4] = '\0';
    const uint32_t c = (uint32_t)strtoul(text, &end, 16);
    if (*end != '\0' || c == 0 || !text_is_dangerous(c))
        return false;
    const char bytes[] = {(char)(c < 0x80    ? c
                                 : c < 0x800 ? 0xC0 | c >> 6
                                             : 0xE0 | c >> 12),
                          (char)(0x80 | (c < 0x800 ? c & 0x3F : c >> 6 & 0x3F)),
                          (char)(0x80 | (c & 0x3F))};
    str_append(out, bytes, c < 0x80 ? 1 : c < 0x800 ? 2 : 3);
    return true;
}

// What a letter behind a backslash stands for: others have these, we write \u000a.
static char unescaped(char letter) {
    static const char letters[] = "nrtbf", meant[] = "\n\r\t\b\f";
    const char *at = strchr(letters, letter);
    return at == NULL || letter == '\0' ? letter : meant[at - letters];
}

void json_add_unescaped(Str *out, StrView text) {
    for (size_t i = 0; i < text.length; i++) {
        char c = text.text[i];
        if (c == '\\' && i + 1 < text.length) {
            i++;
            if (text.text[i] == 'u' &&
                add_code_point(out, view_of(text.text + i + 1, text.length - i - 1))) {
                i += 4;
                continue;
            }
            c = unescaped(text.text[i]);
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
    CLEANUP(str_free) Str mark = {0};
    str_addf(&mark, "\"%s\":", key);
    // Inside a string the quotes would be escaped: what is found is a key.
    const char *at = memmem(line.text, line.length, str_text(&mark), mark.length);
    if (at == NULL)
        return false;
    at += mark.length;
    StrView rest = view_of(at, line.length - (size_t)(at - line.text));
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
