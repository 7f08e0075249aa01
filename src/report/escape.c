// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/escape.h"

#include "base/json.h"

#include <string.h>

// What one byte of UTF-8 text becomes, NULL when it stays as it is.
typedef const char *Replacement(unsigned char c);

static bool is_control(unsigned char c) {
    return c < 0x20 || c == 0x7F;
}

static void add_replaced(Str *out, const char *text, Replacement *replacement) {
    Str utf8 = {0};
    str_add_utf8(&utf8, view_from_string(text));
    for (size_t i = 0; i < utf8.length; i++) {
        const char *other = replacement((unsigned char)utf8.text[i]);
        if (other != NULL)
            str_add(out, other);
        else
            str_append(out, utf8.text + i, 1);
    }
    str_free(&utf8);
}

static const char *in_plain(unsigned char c) {
    return is_control(c) ? " " : NULL;
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

static const char *in_csv(unsigned char c) {
    return c == '"' ? "\"\"" : c == '\n' || c == '\r' ? NULL : in_plain(c);
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
    bool is_marker =
        is_control(after) || after == ' ' || (is_bullet && after == (unsigned char)mark);
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

void escape_csv(Str *out, const char *text) {
    bool needs_quotes = strpbrk(text, ",\"\r\n") != NULL;
    str_add(out, needs_quotes ? "\"" : "");
    add_replaced(out, text, in_csv);
    str_add(out, needs_quotes ? "\"" : "");
}

void escape_json(Str *out, const char *text) {
    json_add_string(out, text);
}

void escape_lines(Str *out, const char *text, const char *indent,
                  void (*escape)(Str *out, const char *line)) {
    Str line = {0};
    while (*text != '\0') {
        size_t length = strcspn(text, "\n");
        str_clear(&line);
        str_append(&line, text, length);
        str_add(out, indent);
        escape(out, str_text(&line));
        str_add(out, "\n");
        text += length + (text[length] == '\n');
    }
    str_free(&line);
}

size_t escape_width(const char *text) {
    size_t width = 0;
    for (; *text != '\0'; text++)
        width += ((unsigned char)*text & 0xC0) != 0x80;
    return width;
}
