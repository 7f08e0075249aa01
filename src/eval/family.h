// SPDX-License-Identifier: GPL-3.0-or-later
// An evaluation family: named terms, and one body of code that both scores and traces. Scores are
// White's view, in centipawns. A term's sign is in its name: penalties have positive values, and
// their counts are negative for the side that suffers them.
#pragma once

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

typedef struct Family {
    const char *name;
    unsigned version; // changes whenever a definition does
    const Term *terms;
    size_t term_count;
    size_t coefficient_count;
    // Maps parameters to coefficients, so that score == dot(counts, coefficients) exactly.
    void (*expand)(const int *parameters, int *coefficients);
    // The score of a position; `cache` may be NULL and never changes the result. A cache belongs to
    // one set of coefficients.
    int (*score)(const Position *pos, const int *coefficients, PawnCache *cache);
    // Each side's counts, a defect of a side being negative.
    void (*trace_sides)(const Position *pos, Trace sides[COLOR_NB]);
} Family;

// The family of that name, or NULL; and the list of all, NULL at its end.
const Family *family_find(const char *name);
extern const Family *const families[];
extern const Family family_maestro;

// White's counts minus Black's: score == dot(counts, coefficients).
void family_trace(const Family *family, const Position *pos, Trace *out);

// Index of the term of that name, or -1.
int family_find_term(const Family *family, const char *name);
