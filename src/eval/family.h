// SPDX-License-Identifier: GPL-3.0-or-later
// An evaluation family: named terms, and one body of code that both scores and traces. Scores are
// White's view. Parameters and coefficients are whole numbers of the family's unit, scores of its
// scale.
#pragma once

#include "base/rng.h"
#include "chess/position.h"

#include <assert.h>

// Families with code of their own have at most COEFFICIENTS_MAX coefficients; those another engine
// dumped have as many as terms.
enum { TERMS_MAX = 2048, COEFFICIENTS_MAX = 512 };
static_assert(TERMS_MAX >= COEFFICIENTS_MAX, "an array of TERMS_MAX holds any coefficients");

// What the family is called whose terms a file of another engine's coefficients declares.
#define FAMILY_COEFFICIENTS "coefficients"
// And that of the settings of the search (search/search_family.h).
#define FAMILY_SEARCH "search"

// One parameter, a row of the family's .def file.
typedef struct Term {
    const char *name;
    unsigned bits; // in the chromosome; 0 where the term is not evolved bit by bit
    int low, high, start;
    const char *meaning;
} Term;

// What a position holds of each count: one side's, or White's minus Black's.
typedef struct Trace {
    int16_t counts[COEFFICIENTS_MAX];
} Trace;

// How much of a tapered family's two sums counts in a position.
typedef struct Taper {
    int middlegame, endgame;
} Taper;

typedef struct PawnCache PawnCache;

// A family with its last terms left out: the first `term_count` alone, the others 0.
typedef struct Variant {
    const char *name; // "vazquez-24"
    size_t term_count;
} Variant;

// A term whose weights meant `factor` times as much before a version as they do since.
typedef struct Rescaled {
    unsigned version; // 0 ends a list
    size_t term;
    int factor;
} Rescaled;

typedef struct Family {
    const char *name;
    unsigned version; // changes whenever a definition does
    int unit;         // how many units of a weight make a centipawn: 1, or 10 for tenths
    int scale;        // how many units of a score do: the same, but for tapered families
    const Term *terms;
    size_t term_count;
    const Variant *variants;  // the last has no name; NULL where there are none
    const Rescaled *rescaled; // what a migration does to old weights; NULL where there is nothing
    size_t coefficient_count;
    const char *const *coefficient_names; // NULL where the coefficients are the terms
    // What is counted: as many as coefficients; in a tapered family half as many, coefficients 2 i
    // and 2 i + 1 being those of count i in the middlegame and in the endgame.
    size_t feature_count;
    const char *const *count_names; // NULL where counts are called as the coefficients
    // Maps parameters to coefficients, so that family_dot gives the score exactly. Each coefficient
    // is a parameter, or a product of some, rounded to the unit. NULL where they are the
    // parameters.
    void (*expand)(const int *parameters, int *coefficients);
    // The score of a position; `cache` may be NULL and never changes the result. A cache belongs to
    // one set of coefficients. NULL, as what follows, where the family is foreign.
    int (*score)(const Position *pos, const int *coefficients, PawnCache *cache);
    // Each side's counts.
    void (*trace_sides)(const Position *pos, Trace sides[COLOR_NB]);
    // NULL where the family is not tapered. The mirrored position has the same.
    Taper (*taper)(const Position *pos);
} Family;

// The family of that name, or NULL; and the list of all, NULL at its end.
const Family *family_find(const char *name);
extern const Family *const families[];
// All there are. A new one is its two files and its name here.
#define FAMILIES(FAMILY)                                                                           \
    FAMILY(maestro)                                                                                \
    FAMILY(vazquez)                                                                                \
    FAMILY(shannon)                                                                                \
    FAMILY(falcon)

#define DECLARE_FAMILY(name) extern const Family family_##name;
FAMILIES(DECLARE_FAMILY)
#undef DECLARE_FAMILY

// True where another engine counts and scores: there are numbers here, and no code.
static inline bool family_is_foreign(const Family *family) {
    return family->score == NULL;
}
// Parameters to coefficients, in any family.
void family_expand(const Family *family, const int *parameters, int *coefficients);

// White's counts minus Black's.
void family_trace(const Family *family, const Position *pos, Trace *out);
// What these counts are worth in `pos`: its score, when they are its own.
int family_dot(const Family *family, const Position *pos, const Trace *trace,
               const int *coefficients);

// Index of the term of that name, or -1.
int family_find_term(const Family *family, const char *name);
// The variant of that name, or NULL; and parameters made members of a variant.
const Variant *family_find_variant(const Family *family, const char *name);
void family_apply_variant(const Family *family, const Variant *variant, int *parameters);
// Draws every parameter, each value within its bounds as likely as any other.
void family_randomize(const Family *family, Rng *rng, int *parameters);
// What to call a coefficient: its term's name, or that of a product; and what to call a count.
const char *family_coefficient_name(const Family *family, size_t index);
const char *family_count_name(const Family *family, size_t index);

// The largest size each coefficient can have while the parameters are within their bounds.
void family_limits(const Family *family, int32_t *limits);
// The coefficients of the start values.
void family_start(const Family *family, int32_t *coefficients);

// The largest score in centipawns: none may pass for a mate, or leave 16 bits.
enum { EVAL_LIMIT = 20000 };

// A score, in the family's scale, as the engine knows it: none is beyond the limit.
static inline int family_limited(const Family *family, int score) {
    const int limit = EVAL_LIMIT * family->scale;
    return score > limit ? limit : score < -limit ? -limit : score;
}
// The same in whole centipawns, rounded towards zero: the mirrored position's is the negative.
static inline int family_centipawns(const Family *family, int score) {
    const int limited = family_limited(family, score);
    return family->scale == 1 ? limited : limited / family->scale;
}
