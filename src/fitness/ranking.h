// SPDX-License-Identifier: GPL-3.0-or-later
// Who should play whom so that the order of organisms becomes clear with a number of games:
// everybody meets everybody once, then those that are next to each other by the results so far,
// again and again. So the games go to close calls.
#pragma once

#include "evolve/evolve.h"

typedef struct Ranking Ranking;

// For `size` organisms, at least 2, that play so many pairs of games, an opening with both colours;
// rounds that have begun are finished.
Ranking *ranking_new(size_t size, size_t pairs);
void ranking_free(Ranking *ranking);
CLEANUP_AT(Ranking *, ranking_free)

// The meetings of the next round, two games each; borrowed. None once the games are spent.
const EvolveMeeting *ranking_ask(Ranking *ranking, size_t *count);
void ranking_tell(Ranking *ranking, const EvolveResult *results);
// Ratings by all results so far, in Elo; their mean is 0. Borrowed.
const double *ranking_elo(const Ranking *ranking);
// How many pairs of games are played in all.
size_t ranking_total(size_t size, size_t pairs);
