// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/escape.h"

#include "base/json.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

// What one byte of clean UTF-8 text becomes, NULL when it stays as it is.
typedef const char *Replacement(unsigned char c);

// Latin-1 taken for what it is, and nothing left that a terminal or browser would obey.
static void add_clean(Str *out, const char *text) {
    CLEANUP(str_free) Str utf8 = {0};
    str_add_utf8(&utf8, view_from_string(text));
    text_clean_line(out, view_of(str_text(&utf8), utf8.length));
}

static void add_replaced(Str *out, const char *text, Replacement *replacement) {
    CLEANUP(str_free) Str flat = {0};
    CLEANUP(str_free) Str clean = {0};
    str_add(&flat, text);
    for (size_t i = 0; i < flat.length; i++)
        if (strchr("\t\n\r", flat.text[i]) != NULL)
            flat.text[i] = ' ';
    add_clean(&clean, str_text(&flat));
    for (size_t i = 0; i < clean.length; i++) {
        const char *other = replacement((unsigned char)clean.text[i]);
        if (other != NULL)
            str_add(out, other);
        else
            str_append(out, clean.text + i, 1);
    }
}

static const char *in_plain(unsigned char c) {
    (void)c;
    return NULL;
}

static const char *in_html(unsigned char c) {
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return in_plain(c);
    }
}

static const char *in_markdown(unsigned char c) {
    static const char special[] = "\\`*_[]#|~!";
    static const char *const escaped[] = {"\\\\", "\\`", "\\*", "\\_", "\\[",
                                          "\\]",  "\\#", "\\|", "\\~", "\\!"};
    const char *found = c == '\0' ? NULL : strchr(special, c);
    if (found != NULL)
        return escaped[found - special];
    return c == '&' || c == '<' || c == '>' ? in_html(c) : in_plain(c);
}

void escape_plain(Str *out, const char *text) {
    add_replaced(out, text, in_plain);
}

void escape_html(Str *out, const char *text) {
    add_replaced(out, text, in_html);
}

// A list begins with "1. " or "- ", a rule is made of "---" or "===": only at the start of a line,
// so that other numbers and dashes are left readable.
static size_t marker_length(const char *text) {
    size_t digits = strspn(text, "0123456789");
    char mark = text[digits];
    bool is_number = digits > 0 && (mark == '.' || mark == ')');
    bool is_bullet = digits == 0 && (mark == '-' || mark == '+' || mark == '=');
    if (!is_number && !is_bullet)
        return 0;
    unsigned char after = (unsigned char)text[digits + 1];
    bool is_marker = after < ' ' || after == ' ' || (is_bullet && after == (unsigned char)mark);
    return is_marker ? digits + 1 : 0;
}

void escape_markdown(Str *out, const char *text) {
    size_t marker = marker_length(text);
    if (marker > 0) {
        str_append(out, text, marker - 1);
        str_addf(out, "\\%c", text[marker - 1]);
    }
    add_replaced(out, text + marker, in_markdown);
}

// A number as text: digits decide what a spreadsheet makes of it.
static bool is_number(const char *text) {
    char *end;
    strtod(text, &end);
    return text[strspn(text, "+-.0123456789eE")] == '\0' && end != text && *end == '\0';
}

void escape_csv(Str *out, const char *text) {
    CLEANUP(str_free) Str clean = {0};
    if (text[0] != '\0' && strchr("=+-@\t\r", text[0]) != NULL && !is_number(text))
        str_add(&clean, "'");
    add_clean(&clean, text);
    const bool needs_quotes = strpbrk(str_text(&clean), ",\"") != NULL;
    str_add(out, needs_quotes ? "\"" : "");
    for (size_t i = 0; i < clean.length; i++) {
        str_add(out, clean.text[i] == '"' ? "\"" : "");
        str_append(out, clean.text + i, 1);
    }
    str_add(out, needs_quotes ? "\"" : "");
}

void escape_json(Str *out, const char *text) {
    json_add_string(out, text);
}

void escape_lines(Str *out, const char *text, const char *indent,
                  void (*escape)(Str *out, const char *line)) {
    CLEANUP(str_free) Str line = {0};
    while (*text != '\0') {
        size_t length = strcspn(text, "\n");
        str_clear(&line);
        str_append(&line, text, length);
        str_add(out, indent);
        escape(out, str_text(&line));
        str_add(out, "\n");
        text += length + (text[length] == '\n');
    }
}

size_t escape_width(const char *text) {
    size_t width = 0;
    for (; *text != '\0'; text++)
        width += ((unsigned char)*text & 0xC0) != 0x80;
    return width;
}
