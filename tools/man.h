// SPDX-License-Identifier: GPL-3.0-or-later
// Manual pages in roff, a piece at a time. Texts are plain: what roff would take for its own is
// escaped here.
#pragma once

#include "base/str.h"

// The title, and the section NAME. The page of "falconer perft" is falconer-perft.
void man_begin(Str *page, const char *program, const char *purpose);
void man_section(Str *page, const char *title);
void man_subsection(Str *page, const char *title);
// A paragraph. Its line ends are blanks.
void man_text(Str *page, const char *text);
// A term, hanging out, and what it means. In the term, options (-x) are bold and words in capitals,
// which stand for something else, are italic.
void man_item(Str *page, const char *term, const char *meaning);
// The same for a name, which is bold, and what follows it ("": nothing).
void man_name(Str *page, const char *name, const char *rest, const char *meaning);
// Line by line as it stands, for what is typed.
void man_verbatim(Str *page, const char *text);
// One line of a synopsis: a program, and what follows it.
void man_usage(Str *page, const char *program, const char *rest);

// The sections that are alike on many pages: what the exit codes mean (NULL: as usual), and where
// files that come with the program are looked for.
void man_exit_status(Str *page, const char *done, const char *failed);
void man_environment(Str *page);
// "falconer-book, falconer, eyas": pages, without their section.
void man_see_also(Str *page, const char *const *names, size_t count);

// Prints the page and frees it.
void man_print(Str *page);
