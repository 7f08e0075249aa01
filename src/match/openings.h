// SPDX-License-Identifier: GPL-3.0-or-later
// Positions that games start from.
#pragma once

#include "base/status.h"
#include "chess/position.h"

typedef struct Openings Openings;

// Reads an EPD (or FEN) file; blank lines and lines that begin with # are passed over. A bad line,
// or a position in which the game is over, is an error that names file and line.
MUST_CHECK Status openings_load(Openings **out, const char *path);
void openings_free(Openings *openings);
// Puts them in an order that depends on the seed alone.
void openings_shuffle(Openings *openings, uint64_t seed);
size_t openings_count(const Openings *openings);
// The opening of that number; after the last comes the first again. Borrowed.
const Position *openings_at(const Openings *openings, uint64_t index);
