// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/features.h"

#include <string.h>
#include <strings.h>

#define PLAIN(id, name, doc)                   {name, doc, {1, 1, 1}},
#define FEATURE(id, name, papers, modern, doc) {name, doc, {papers, 0, modern}},
static const struct {
    const char *name, *doc;
    bool in[PROFILE_NB];
} table[FEATURE_NB] = {
#include "search/features.def"
};
#undef PLAIN
#undef FEATURE

static const SearchNumber numbers[SEARCH_NUMBER_NB] = {
#define NUMBER(field, name, part, papers, modern, low, high, bits, doc)                            \
    {name, doc, FEATURE_##part, low, high, bits, {papers, modern, modern}},
#include "search/numbers.def"
#undef NUMBER
};

const SearchNumber *search_number(size_t index) {
    return &numbers[index];
}

const SearchNumber *search_number_find(const char *name) {
    for (size_t i = 0; i < SEARCH_NUMBER_NB; i++)
        if (strcasecmp(numbers[i].name, name) == 0)
            return &numbers[i];
    return NULL;
}

int *search_number_in(Features *features, const SearchNumber *number) {
    return (int *)&features->numbers + (number - numbers);
}

Features features_of(Profile profile) {
    Features features;
    for (size_t i = 0; i < FEATURE_NB; i++)
        features.on[i] = table[i].in[profile];
    for (size_t i = 0; i < SEARCH_NUMBER_NB; i++)
        *search_number_in(&features, &numbers[i]) = numbers[i].of[profile];
    return features;
}

const char *const profile_names[] = {"papers", "plain", "modern", NULL};

const char *profile_name(Profile profile) {
    return profile_names[profile];
}

const char *feature_name(Feature feature) {
    return table[feature].name;
}

const char *feature_doc(Feature feature) {
    return table[feature].doc;
}
