// SPDX-License-Identifier: GPL-3.0-or-later
// An evaluation family: named terms, and one body of code that both scores and traces. Scores are
// White's view. Parameters, coefficients and scores are whole numbers of the family's unit.
#pragma once

#include "base/rng.h"
#include "chess/position.h"

enum { TERMS_MAX = 256, COEFFICIENTS_MAX = 512 };

// One parameter, a row of the family's .def file.
typedef struct Term {
    const char *name;
    unsigned bits; // in the chromosome; 0 where the term is not evolved bit by bit
    int low, high, start;
    const char *meaning;
} Term;

// What a position holds of each coefficient: one side's counts, or White's minus Black's.
typedef struct Trace {
    int16_t counts[COEFFICIENTS_MAX];
} Trace;

typedef struct PawnCache PawnCache;

// A family with its last terms left out: the first `term_count` alone, the others 0.
typedef struct Variant {
    const char *name; // "vazquez-24"
    size_t term_count;
} Variant;

typedef struct Family {
    const char *name;
    unsigned version; // changes whenever a definition does
    int unit;         // how many units make a centipawn: 1, or 10 for tenths
    const Term *terms;
    size_t term_count;
    const Variant *variants; // the last has no name; NULL where there are none
    size_t coefficient_count;
    const char *const *coefficient_names; // NULL where the coefficients are the terms
    // Maps parameters to coefficients, so that score == dot(counts, coefficients) exactly. Each
    // coefficient is a parameter, or a product of some, rounded to the unit.
    void (*expand)(const int *parameters, int *coefficients);
    // The score of a position; `cache` may be NULL and never changes the result. A cache belongs to
    // one set of coefficients.
    int (*score)(const Position *pos, const int *coefficients, PawnCache *cache);
    // Each side's counts of all coefficients.
    void (*trace_sides)(const Position *pos, Trace sides[COLOR_NB]);
} Family;

// The family of that name, or NULL; and the list of all, NULL at its end.
const Family *family_find(const char *name);
extern const Family *const families[];
extern const Family family_maestro;
extern const Family family_vazquez;

// White's counts minus Black's: score == dot(counts, coefficients).
void family_trace(const Family *family, const Position *pos, Trace *out);

// Index of the term of that name, or -1.
int family_find_term(const Family *family, const char *name);
// The variant of that name, or NULL; and parameters made members of a variant.
const Variant *family_find_variant(const Family *family, const char *name);
void family_apply_variant(const Family *family, const Variant *variant, int *parameters);
// Draws every parameter, each value within its bounds as likely as any other.
void family_randomize(const Family *family, Rng *rng, int *parameters);
// What to call a coefficient: its term's name, or that of a product.
const char *family_coefficient_name(const Family *family, size_t index);

// The largest size each coefficient can have while the parameters are within their bounds.
void family_limits(const Family *family, int32_t *limits);
// The coefficients of the start values.
void family_start(const Family *family, int32_t *coefficients);

// A score in whole centipawns, rounded towards zero: the mirrored position's is the negative.
static inline int family_centipawns(const Family *family, int score) {
    return family->unit == 1 ? score : score / family->unit;
}
