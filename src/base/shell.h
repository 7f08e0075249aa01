// SPDX-License-Identifier: GPL-3.0-or-later
// Words as a shell reads them: how commands are recorded and shown, and how they are read again.
#pragma once

#include "base/str.h"

// Appends `word` so that a shell takes it for one word with just these bytes, whatever they are:
// bare where nothing is special, in single quotes, or as $'...' (bash, zsh, ksh) where it holds
// what no line of text should (base/text.h). shell_next_word gives it back.
void shell_quote(Str *out, const char *word);
// Appends the words of `text`, each quoted anew and a blank between them: one line.
void shell_quote_words(Str *out, const char *text);

// Cuts the next word off `text`, with quotes and backslashes resolved, into `word`. False at the
// end. Nothing is expanded.
bool shell_next_word(const char **text, Str *word);
