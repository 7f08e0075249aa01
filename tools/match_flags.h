// SPDX-License-Identifier: GPL-3.0-or-later
// What single flags of falconer match take, beside the table of flags in match_args.c; and the
// flags of cutechess and fastchess for which there is nothing to do here.
#pragma once

#include "tools/match_args.h"

// --- words ---

MUST_CHECK Status match_read_number(const char *text, int64_t low, int64_t high, int64_t *out);
// Which of `names` a value is.
MUST_CHECK Status match_read_choice(const char *value, const char *const *names, int count,
                                    int *out);
MUST_CHECK Status match_read_truth(const char *value, bool *out);
// "key=" at the front of a word; `value` is what follows.
bool match_has_key(const char *word, const char *key, const char **value);

// --- flags; `words` are what follows up to the next ---

MUST_CHECK Status match_take_pgnout(MatchArgs *args, char **words, int count);
MUST_CHECK Status match_take_epdout(MatchArgs *args, char **words, int count);
MUST_CHECK Status match_take_output(MatchArgs *args, char **words, int count);
MUST_CHECK Status match_take_report(MatchArgs *args, char **words, int count);
MUST_CHECK Status match_take_openings(MatchArgs *args, char **words, int count);
MUST_CHECK Status match_take_quick(MatchArgs *args, char **words, int count);
MUST_CHECK Status match_take_seeds(MatchArgs *args, char **words, int count);
MUST_CHECK Status match_take_variant(MatchArgs *args, char **words, int count);

// --- what others do ---

typedef struct OtherFlag {
    const char *name;
    const char *note; // why nothing comes of it here; flags that belong together have the same one
} OtherFlag;

enum { MATCH_OTHERS_MAX = 32 };
// Any number of words may follow them. The last has no name.
extern const OtherFlag match_other_flags[MATCH_OTHERS_MAX];
const OtherFlag *match_find_other(const char *name);

// Keeps a line for the user. The same text a second time, of whatever flag, is left out.
void match_add_note(MatchArgs *args, const char *flag, const char *text);
void match_print_notes(const MatchArgs *args);
