// SPDX-License-Identifier: GPL-3.0-or-later
// Names of players as they stand in games and lists, and whether two of them can be one person:
// "Kasparov, Garry", "Kasparov G", "G. Kasparov (RUS)".
#pragma once

#include "base/error.h"
#include "base/str.h"

enum { NAME_WORDS_MAX = 8, NAME_SIZE = 96, NAME_READINGS_MAX = 2 * NAME_WORDS_MAX };

// The words of a name in lower case and plain letters, one after the other, without digits, titles
// and what stands in parentheses. Initials that stand together ("JT") are words of their own.
typedef struct Name {
    char text[NAME_SIZE];
    uint8_t begin[NAME_WORDS_MAX + 1]; // of each word, and the end of the last
    unsigned count;
    unsigned before_comma; // words before the first comma, 0 without one
} Name;

// One way to take a name: these words are the surname (joined), those the given names.
typedef struct NameReading {
    StrView surname;
    const Name *name;
    unsigned given, given_end; // words
} NameReading;

typedef enum NameMatch {
    NAME_OTHER,
    NAME_LIKE, // the same surname, and given names that do not contradict each other
    NAME_SAME, // the same words, more than initials
} NameMatch;

void name_parse(StrView text, Name *out);
// The ways to take it, the likely first: one for a name with a comma; otherwise each front part as
// the surname, then (from `*reversed` on) each end part. Borrows `name`.
unsigned name_readings(const Name *name, NameReading out[NAME_READINGS_MAX], unsigned *reversed);
// How well a name that was found agrees with one of a list. Initials agree with names they begin,
// given names may be cut short or left out at the end, but not all of them.
NameMatch name_compare(const NameReading *found, const NameReading *listed);
// Whether a name that was found can be the one asked for, however both are written.
bool name_fits(const Name *found, const Name *asked);
// The same for text, and for a list of spellings with ';' between.
bool name_fits_any(StrView found, const char *asked);
uint32_t name_hash(StrView surname);

// Appends the names in files of games that are most like the one asked for, at most `most` of them,
// with how many games each has: "Kasparov, Garry (1021 games)". Nothing where none is like it.
MUST_CHECK Status names_find_near(const char *asked, const char *const *paths, size_t path_count,
                                  size_t most, Str *out);
