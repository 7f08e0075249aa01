// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/family.h"

#include <stdlib.h>
#include <string.h>

#define FAMILY_ENTRY(name) &family_##name,
const Family *const families[] = {FAMILIES(FAMILY_ENTRY) NULL};
#undef FAMILY_ENTRY

const Family *family_find(const char *name) {
    for (size_t i = 0; families[i] != NULL; i++)
        if (strcmp(families[i]->name, name) == 0)
            return families[i];
    return NULL;
}

int family_find_term(const Family *family, const char *name) {
    for (size_t i = 0; i < family->term_count; i++)
        if (strcmp(family->terms[i].name, name) == 0)
            return (int)i;
    return -1;
}

void family_expand(const Family *family, const int *parameters, int *coefficients) {
    if (family->expand != NULL)
        family->expand(parameters, coefficients);
    else
        memcpy(coefficients, parameters, family->term_count * sizeof *coefficients);
}

void family_trace(const Family *family, const Position *pos, Trace *out) {
    Trace sides[COLOR_NB];
    family->trace_sides(pos, sides);
    for (size_t i = 0; i < family->feature_count; i++)
        out->counts[i] = (int16_t)(sides[WHITE].counts[i] - sides[BLACK].counts[i]);
}

int family_dot(const Family *family, const Position *pos, const Trace *trace,
               const int *coefficients) {
    int sums[2] = {0, 0};
    if (family->taper == NULL) {
        for (size_t i = 0; i < family->feature_count; i++)
            sums[0] += trace->counts[i] * coefficients[i];
        return sums[0];
    }
    const Taper taper = family->taper(pos);
    for (size_t i = 0; i < family->coefficient_count; i++)
        sums[i % 2] += trace->counts[i / 2] * coefficients[i];
    return sums[0] * taper.middlegame + sums[1] * taper.endgame;
}

const Variant *family_find_variant(const Family *family, const char *name) {
    for (size_t i = 0; family->variants != NULL && family->variants[i].name != NULL; i++)
        if (strcmp(family->variants[i].name, name) == 0)
            return &family->variants[i];
    return NULL;
}

void family_apply_variant(const Family *family, const Variant *variant, int *parameters) {
    for (size_t i = variant->term_count; i < family->term_count; i++)
        parameters[i] = 0;
}

void family_randomize(const Family *family, Rng *rng, int *parameters) {
    for (size_t i = 0; i < family->term_count; i++) {
        const Term *term = &family->terms[i];
        const uint32_t range = (uint32_t)(term->high - term->low) + 1;
        parameters[i] = term->low + (int)rng_below(rng, range);
    }
}

const char *family_coefficient_name(const Family *family, size_t index) {
    return family->coefficient_names == NULL ? family->terms[index].name
                                             : family->coefficient_names[index];
}

const char *family_count_name(const Family *family, size_t index) {
    return family->count_names == NULL ? family_coefficient_name(family, index)
                                       : family->count_names[index];
}

void family_limits(const Family *family, int32_t *limits) {
    int parameters[TERMS_MAX], coefficients[TERMS_MAX];
    // A product is largest where its factors are, whatever their signs.
    for (size_t i = 0; i < family->term_count; i++) {
        const Term *term = &family->terms[i];
        parameters[i] = abs(term->low) > abs(term->high) ? term->low : term->high;
    }
    family_expand(family, parameters, coefficients);
    for (size_t i = 0; i < family->coefficient_count; i++)
        limits[i] = abs(coefficients[i]);
}

void family_start(const Family *family, int32_t *coefficients) {
    int parameters[TERMS_MAX], expanded[TERMS_MAX];
    for (size_t i = 0; i < family->term_count; i++)
        parameters[i] = family->terms[i].start;
    family_expand(family, parameters, expanded);
    for (size_t i = 0; i < family->coefficient_count; i++)
        coefficients[i] = expanded[i];
}
