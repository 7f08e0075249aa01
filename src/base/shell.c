// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/shell.h"

#include "base/error.h"
#include "base/text.h"

#include <string.h>

// --- writing ---

// A word that no shell changes. "=" at the start is special to zsh.
static bool is_bare(const char *word) {
    static const char safe[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                               "_-./:,+@%=";
    return word[0] != '\0' && word[0] != '=' && word[strspn(word, safe)] == '\0';
}

// Whether it can stand in a line of text as it is.
static bool is_clean(const char *word) {
    CLEANUP(str_free) Str cleaned = {0};
    text_clean_line(&cleaned, view_from_string(word));
    return strcmp(str_text(&cleaned), word) == 0 && strchr(word, '\t') == NULL;
}

static void add_single_quoted(Str *out, const char *word) {
    str_add(out, "'");
    for (; *word != '\0'; word++)
        if (*word == '\'')
            str_add(out, "'\\''");
        else
            str_append(out, word, 1);
    str_add(out, "'");
}

// Octal, because shells differ in how many digits they take for hexadecimal. Quotes, and what
// bash's history looks for, are written so too.
static void add_escaped(Str *out, const char *word) {
    str_add(out, "$'");
    for (; *word != '\0'; word++) {
        if (*word == '\n')
            str_add(out, "\\n");
        else if (*word == '\\')
            str_add(out, "\\\\");
        else if (*word < ' ' || *word > '~' || *word == '\'' || *word == '!')
            str_addf(out, "\\%03o", (unsigned)(unsigned char)*word);
        else
            str_append(out, word, 1);
    }
    str_add(out, "'");
}

void shell_quote(Str *out, const char *word) {
    if (is_bare(word))
        str_add(out, word);
    else if (is_clean(word))
        add_single_quoted(out, word);
    else
        add_escaped(out, word);
}

void shell_quote_words(Str *out, const char *text) {
    CLEANUP(str_free) Str word = {0};
    for (const char *separator = ""; shell_next_word(&text, &word); separator = " ") {
        str_add(out, separator);
        shell_quote(out, str_text(&word));
    }
}

// --- reading ---

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n';
}

static int digit_of(char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : 16;
}

// Reads up to `most` digits; the byte they name, and where they end.
static const char *read_digits(const char *at, int base, int most, char *out) {
    int value = 0;
    for (int i = 0; i < most && digit_of(*at) < base; i++)
        value = value * base + digit_of(*at++);
    *out = (char)value;
    return at;
}

// Reads what is behind a backslash within $'...'. A NUL would end the word: it is left out.
static const char *read_escape(const char *at, Str *word) {
    static const char letters[] = "abefnrtvE", meanings[] = "\a\b\033\f\n\r\t\v\033";
    const char *letter = strchr(letters, *at);
    char byte = *at;
    if (*at == '\0')
        return at;
    if (digit_of(*at) < 8)
        at = read_digits(at, 8, 3, &byte);
    else if (*at == 'x' && digit_of(at[1]) < 16)
        at = read_digits(at + 1, 16, 2, &byte);
    else if (letter != NULL)
        byte = meanings[letter - letters], at++;
    else if (strchr("\\'\"?", *at) != NULL)
        at++;
    else // an unknown one stays as it is
        byte = '\\';
    if (byte != '\0')
        str_append(word, &byte, 1);
    return at;
}

// Reads from behind $' to behind the closing quote, or to the end.
static const char *read_escaped(const char *at, Str *word) {
    while (*at != '\0' && *at != '\'') {
        if (*at == '\\') {
            at = read_escape(at + 1, word);
        } else {
            str_append(word, at, 1);
            at++;
        }
    }
    return *at == '\'' ? at + 1 : at;
}

// The same behind a plain quote.
static const char *read_quoted(const char *at, char quote, Str *word) {
    for (; *at != '\0' && *at != quote; at++) {
        if (*at == '\\' && quote == '"' && at[1] != '\0')
            at++;
        str_append(word, at, 1);
    }
    return *at == quote ? at + 1 : at;
}

bool shell_next_word(const char **text, Str *word) {
    const char *at = *text;
    str_clear(word);
    while (is_blank(*at))
        at++;
    const bool is_there = *at != '\0';
    while (*at != '\0' && !is_blank(*at)) {
        if (at[0] == '$' && at[1] == '\'') {
            at = read_escaped(at + 2, word);
        } else if (*at == '"' || *at == '\'') {
            at = read_quoted(at + 1, *at, word);
        } else {
            at += at[0] == '\\' && at[1] != '\0';
            str_append(word, at, 1);
            at++;
        }
    }
    *text = at;
    return is_there;
}
