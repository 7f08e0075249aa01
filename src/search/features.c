// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/features.h"

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

Features features_of(Profile profile) {
    Features features;
    for (size_t i = 0; i < FEATURE_NB; i++)
        features.on[i] = table[i].in[profile];
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
