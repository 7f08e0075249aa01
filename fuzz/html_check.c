// SPDX-License-Identifier: GPL-3.0-or-later
#include "fuzz/html_check.h"

#include "fuzz/fuzz.h"

#include <string.h>

enum { DEPTH_MAX = 64 };

static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-";

typedef struct Checker {
    StrView rest;
    StrView open[DEPTH_MAX]; // elements that wait for their ends
    size_t depth, count;
} Checker;

static void skip(Checker *at, size_t length) {
    MUST_HOLD(at->rest.length >= length);
    at->rest = view_of(at->rest.text + length, at->rest.length - length);
}

static bool starts(const Checker *at, const char *text) {
    const size_t length = strlen(text);
    return at->rest.length >= length && memcmp(at->rest.text, text, length) == 0;
}

static bool take(Checker *at, const char *text) {
    const bool is_there = starts(at, text);
    if (is_there)
        skip(at, strlen(text));
    return is_there;
}

static bool is_one_of(StrView name, const char *const *names) {
    for (size_t i = 0; names[i] != NULL; i++)
        if (view_equals(name, names[i]))
            return true;
    return false;
}

static StrView take_name(Checker *at) {
    size_t length = 0;
    while (length < at->rest.length && strchr(letters, at->rest.text[length]) != NULL &&
           at->rest.text[length] != '\0')
        length++;
    MUST_HOLD(length > 0);
    const StrView name = view_of(at->rest.text, length);
    skip(at, length);
    return name;
}

static void take_reference(Checker *at) {
    MUST_HOLD(take(at, "&amp;") || take(at, "&lt;") || take(at, "&gt;") || take(at, "&quot;") ||
              take(at, "&#39;"));
}

// Up to `end`, which is not taken: text in which nothing is mark-up.
static void take_text(Checker *at, char end) {
    while (at->rest.length > 0 && at->rest.text[0] != end) {
        const char c = at->rest.text[0];
        MUST_HOLD(c != '<' && c != '"' && c != '\0');
        if (c == '&')
            take_reference(at);
        else
            skip(at, 1);
    }
}

static void take_attribute(Checker *at) {
    static const char *const names[] = {
        "lang",    "charset",     "name",       "content", "class", "tabindex",    "scope",
        "viewBox", "aria-hidden", "aria-label", "role",    "d",     "text-anchor", "data-name",
        "x",       "y",           "x1",         "x2",      "y1",    "y2",          "cx",
        "cy",      "r",           "width",      "height",  "id",    "points",      NULL};
    MUST_HOLD(is_one_of(take_name(at), names));
    MUST_HOLD(take(at, "=\""));
    take_text(at, '"');
    MUST_HOLD(take(at, "\""));
}

static void take_start(Checker *at) {
    static const char *const names[] = {
        "html",  "head",  "meta", "title",  "style",  "body",       "main",    "h1",      "h2",
        "p",     "pre",   "ul",   "li",     "span",   "b",          "small",   "div",     "table",
        "thead", "tbody", "tr",   "th",     "td",     "caption",    "svg",     "g",       "text",
        "rect",  "path",  "line", "circle", "figure", "figcaption", "details", "summary", NULL};
    const StrView name = take_name(at);
    MUST_HOLD(is_one_of(name, names));
    at->count++;
    while (take(at, " "))
        take_attribute(at);
    if (take(at, "/>"))
        return;
    MUST_HOLD(take(at, ">"));
    if (view_equals(name, "meta"))
        return;
    MUST_HOLD(at->depth < DEPTH_MAX);
    at->open[at->depth++] = name;
    while (view_equals(name, "style") && !starts(at, "</style>"))
        skip(at, 1);
}

static void take_end(Checker *at) {
    const StrView name = take_name(at);
    MUST_HOLD(at->depth > 0 && take(at, ">"));
    const StrView last = at->open[--at->depth];
    MUST_HOLD(last.length == name.length && memcmp(last.text, name.text, name.length) == 0);
}

static void take_character(Checker *at) {
    MUST_HOLD(strchr("<>\"", at->rest.text[0]) == NULL);
    skip(at, 1);
}

size_t html_check(StrView page) {
    Checker at = {.rest = page};
    MUST_HOLD(take(&at, "<!doctype html>\n"));
    while (at.rest.length > 0) {
        if (take(&at, "</"))
            take_end(&at);
        else if (take(&at, "<"))
            take_start(&at);
        else if (starts(&at, "&"))
            take_reference(&at);
        else
            take_character(&at);
    }
    MUST_HOLD(at.depth == 0);
    return at.count;
}
