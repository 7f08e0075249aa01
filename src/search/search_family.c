// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/search_family.h"

enum { TERM_NB = FEATURE_NB + SEARCH_NUMBER_NB };

static const Term terms[TERM_NB] = {
#define PLAIN(id, name, doc)                   {name, 1, 0, 1, 1, doc},
#define FEATURE(id, name, papers, modern, doc) {name, 1, 0, 1, papers, doc},
#include "search/features.def"
#undef PLAIN
#undef FEATURE
#define NUMBER(field, name, part, papers, modern, low, high, bits, doc)                            \
    {name, bits, low, high, papers, doc},
#include "search/numbers.def"
#undef NUMBER
};

const Family family_search = {.name = FAMILY_SEARCH,
                              .version = 1,
                              .unit = 1,
                              .scale = 1,
                              .terms = terms,
                              .term_count = TERM_NB,
                              .coefficient_count = TERM_NB,
                              .feature_count = TERM_NB};

Features search_family_features(const int *parameters) {
    Features features;
    for (size_t i = 0; i < FEATURE_NB; i++)
        features.on[i] = parameters[i] != 0;
    for (size_t i = 0; i < SEARCH_NUMBER_NB; i++)
        *search_number_in(&features, search_number(i)) = parameters[FEATURE_NB + i];
    return features;
}

void search_family_parameters(const Features *features, int *parameters) {
    Features copy = *features;
    for (size_t i = 0; i < FEATURE_NB; i++)
        parameters[i] = features->on[i];
    for (size_t i = 0; i < SEARCH_NUMBER_NB; i++)
        parameters[FEATURE_NB + i] = *search_number_in(&copy, search_number(i));
}

Status search_family_load(Features *out, const char *path) {
    CLEANUP(weights_free) Weights weights = {0};
    TRY(weights_load_own(&weights, path, &family_search));
    if (weights.family != &family_search)
        return error_set(ERR_ARG, "%s: weights of the evaluation %s, where a search is to be read",
                         path, weights.family->name);
    *out = search_family_features(weights.parameters);
    return OK;
}
