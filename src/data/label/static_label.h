// SPDX-License-Identifier: GPL-3.0-or-later
// Labels without a search: what a weights file itself thinks of each position.
#pragma once

#include "eval/weights.h"

#include <stdint.h>

// Writes a header and the records of an EPD file with ce (centipawns from the side to move), acd 0
// and c1 (who said so), in their order, in the place of older labels. Comments stay, empty lines
// are left out. Positions without a legal move are written without a label. `labelled` counts the
// others.
MUST_CHECK Status static_label_file(const char *path, const Weights *weights, const char *name,
                                    const char *out_path, uint64_t *labelled);
