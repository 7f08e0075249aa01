// SPDX-License-Identifier: GPL-3.0-or-later
// Matchings in graphs: pairs of neighbours, nobody in two of them. Found by augmenting paths with
// blossoms shrunk (Edmonds 1965).
#pragma once

#include <stdbool.h>

typedef struct Matching Matching;

// `edges` is a symmetric matrix of n rows, borrowed. Nobody is matched yet.
Matching *matching_new(const bool *edges, int n);
void matching_free(Matching *matching);

// Matches as many as can be; true when nobody is left over.
bool matching_complete(Matching *matching);
// Takes a and b, who are neighbours, out as a pair, if those who are left can still all be matched;
// else nothing changes. Only in a matching that is complete.
bool matching_take(Matching *matching, int a, int b);
