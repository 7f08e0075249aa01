// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/man.h"

#include "tools/print.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

// --- characters ---

// Those that roff or a typesetter would change.
static const char *escape_of(char c) {
    switch (c) {
    case '\\':
        return "\\(rs";
    case '-':
        return "\\-";
    case '\'':
        return "\\(aq";
    case '"':
        return "\\(dq";
    case '`':
        return "\\(ga";
    case '^':
        return "\\(ha";
    case '~':
        return "\\(ti";
    default:
        return NULL;
    }
}

static void add_escaped(Str *page, const char *text, size_t length) {
    for (size_t i = 0; i < length; i++) {
        const char *escape = escape_of(text[i]);
        // A dot that begins a line would be a request.
        if (text[i] == '.' && (page->length == 0 || page->text[page->length - 1] == '\n'))
            str_add(page, "\\&");
        if (escape != NULL)
            str_add(page, escape);
        else
            str_append(page, &text[i], 1);
    }
}

static void add_line(Str *page, const char *text) {
    add_escaped(page, text, strlen(text));
    str_add(page, "\n");
}

// --- terms ---

static bool is_option(const char *word, size_t length) {
    return length >= 2 && word[0] == '-';
}

static bool is_placeholder(const char *word, size_t length) {
    size_t letters = 0;
    for (size_t i = 0; i < length; i++) {
        if (islower((unsigned char)word[i]))
            return false;
        letters += isupper((unsigned char)word[i]) != 0;
    }
    return letters > 0;
}

static void add_term(Str *page, const char *term) {
    while (*term != '\0') {
        size_t length = strcspn(term, " ,");
        const char *font = is_option(term, length)        ? "\\fB"
                           : is_placeholder(term, length) ? "\\fI"
                                                          : NULL;
        str_add(page, font == NULL ? "" : font);
        add_escaped(page, term, length);
        str_add(page, font == NULL ? "" : "\\fR");
        term += length;
        for (; *term == ' ' || *term == ','; term++)
            str_append(page, term, 1);
    }
}

// --- pieces ---

static void add_page_name(Str *page, const char *program, bool is_title) {
    for (const char *c = program; *c != '\0'; c++) {
        const char letter = is_title ? (char)toupper((unsigned char)*c) : *c;
        str_add(page, *c == ' ' ? "\\-" : "");
        if (*c != ' ')
            add_escaped(page, &letter, 1);
    }
}

void man_begin(Str *page, const char *program, const char *purpose) {
    // No date: the same sources make the same page on any day.
    str_add(page, ".TH ");
    add_page_name(page, program, true);
    str_add(page, " 1 \"\" \"Falconer " FALCONER_VERSION "\" \"User Commands\"\n");
    // Options are to be copied as they stand: no hyphens, no blanks put in.
    str_add(page, ".nh\n.ad l\n");
    man_section(page, "NAME");
    add_page_name(page, program, false);
    str_add(page, " \\- ");
    add_line(page, purpose);
}

void man_section(Str *page, const char *title) {
    str_addf(page, ".SH \"%s\"\n", title);
}

void man_subsection(Str *page, const char *title) {
    str_add(page, ".SS \"");
    add_escaped(page, title, strlen(title));
    str_add(page, "\"\n");
}

void man_text(Str *page, const char *text) {
    str_add(page, ".PP\n");
    add_line(page, text);
}

void man_item(Str *page, const char *term, const char *meaning) {
    str_add(page, ".TP\n");
    add_term(page, term);
    str_add(page, "\n");
    add_line(page, meaning);
}

void man_name(Str *page, const char *name, const char *rest, const char *meaning) {
    str_add(page, ".TP\n\\fB");
    add_escaped(page, name, strlen(name));
    str_add(page, rest[0] == '\0' ? "\\fR" : "\\fR ");
    add_line(page, rest);
    add_line(page, meaning);
}

void man_verbatim(Str *page, const char *text) {
    str_add(page, ".PP\n.in +4\n.nf\n");
    add_line(page, text);
    str_add(page, ".fi\n.in\n");
}

void man_usage(Str *page, const char *program, const char *rest) {
    str_add(page, ".br\n\\fB");
    add_escaped(page, program, strlen(program));
    str_add(page, "\\fR ");
    add_term(page, rest);
    str_add(page, "\n");
}

void man_exit_status(Str *page, const char *done, const char *failed) {
    man_section(page, "EXIT STATUS");
    man_item(page, "0", done == NULL ? "Done." : done);
    man_item(page, "1", failed == NULL ? "The work failed, or the input is bad." : failed);
    man_item(page, "2", "Wrong usage.");
}

void man_environment(Str *page) {
    man_section(page, "ENVIRONMENT");
    man_name(page, "FALCONER_DATA", "",
             "A folder in which files that are named without a folder are looked for first, in it "
             "and in its data, experiments and weights. Else they are found where the program was "
             "built or installed.");
}

void man_see_also(Str *page, const char *const *names, size_t count) {
    man_section(page, "SEE ALSO");
    for (size_t i = 0; i < count; i++) {
        str_add(page, ".BR ");
        add_escaped(page, names[i], strlen(names[i]));
        str_addf(page, " (1)%s\n", i + 1 < count ? "," : "");
    }
}

void man_print(Str *page) {
    print_text(stdout, str_text(page));
    str_free(page);
}
