// SPDX-License-Identifier: GPL-3.0-or-later
// How much each parameter of an organism matters: by how many centipawns a unit of it moves the
// score of positions in games that the organism plays against itself, every other of them after a
// random move: the root mean square.
#pragma once

#include "fitness/games/games.h"

// One number per term of the organism's family, from games of few nodes with these openings. The
// same for any number of threads.
MUST_CHECK Status sensitivity_measure(const GamesConfig *config, const Weights *organism,
                                      const Position *openings, size_t count, DistPool *pool,
                                      double *out);
