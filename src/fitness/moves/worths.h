// SPDX-License-Identifier: GPL-3.0-or-later
// The worth of every legal move of a position for several organisms of a family at once: one ply
// and quiescence by the forest's rules, exactly as forest_plain_worths has it for one. Moves are
// generated and positions counted once for all of them, so that ten organisms cost about three.
#pragma once

#include "eval/family.h"
#include "fitness/moves/forest_rules.h"

enum { WORTHS_LANES = 16 };

typedef struct WorthsSearch WorthsSearch;

// coefficients[i] are those of organism i; at most WORTHS_LANES organisms.
WorthsSearch *worths_create(const Family *family, const ForestRules *rules,
                            const int *const *coefficients, size_t organisms);
void worths_destroy(WorthsSearch *search);

typedef struct Worths {
    Move moves[MOVES_MAX];
    int worths[MOVES_MAX][WORTHS_LANES]; // as the side to move sees it, by organism
    size_t count;
} Worths;

// One thread at a time for each search.
void worths_find(WorthsSearch *search, const Position *pos, Worths *out);
