// SPDX-License-Identifier: GPL-3.0-or-later
// Which parts of the search are on.
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
} Feature;

typedef struct Features {
    bool on[FEATURE_NB];
} Features;

typedef enum Profile { PROFILE_PAPERS, PROFILE_PLAIN, PROFILE_MODERN, PROFILE_NB } Profile;

Features features_of(Profile profile);
extern const char *const profile_names[]; // NULL at the end
const char *profile_name(Profile profile);
// The UCI option of a feature.
const char *feature_name(Feature feature);
// What it does.
const char *feature_doc(Feature feature);
