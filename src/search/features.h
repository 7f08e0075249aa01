// SPDX-License-Identifier: GPL-3.0-or-later
// Which parts of the search are on, and the numbers in them.
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef enum Feature {
#define PLAIN(id, name, doc)                   FEATURE_##id,
#define FEATURE(id, name, papers, modern, doc) FEATURE_##id,
#include "search/features.def"
#undef PLAIN
#undef FEATURE
    FEATURE_NB,
    FEATURE_ALWAYS = FEATURE_NB, // what belongs to no part
} Feature;

typedef struct SearchNumbers {
#define NUMBER(field, name, part, papers, modern, low, high, bits, doc) int field;
#include "search/numbers.def"
#undef NUMBER
} SearchNumbers;

enum { SEARCH_NUMBER_NB = sizeof(SearchNumbers) / sizeof(int) };

typedef struct Features {
    bool on[FEATURE_NB];
    SearchNumbers numbers;
} Features;

typedef enum Profile { PROFILE_PAPERS, PROFILE_PLAIN, PROFILE_MODERN, PROFILE_NB } Profile;

// What is known of a number.
typedef struct SearchNumber {
    const char *name, *doc; // the UCI option, what it does
    Feature part;           // that it belongs to, or FEATURE_ALWAYS
    int low, high;
    unsigned bits; // that hold all its values
    int of[PROFILE_NB];
} SearchNumber;

Features features_of(Profile profile);
extern const char *const profile_names[]; // NULL at the end
const char *profile_name(Profile profile);
// The UCI option of a feature.
const char *feature_name(Feature feature);
// What it does.
const char *feature_doc(Feature feature);

// The numbers in the order of numbers.def, and the one of that name, in any case, or NULL.
const SearchNumber *search_number(size_t index);
const SearchNumber *search_number_find(const char *name);
// Where its value is.
int *search_number_in(Features *features, const SearchNumber *number);
