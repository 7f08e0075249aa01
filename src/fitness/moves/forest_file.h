// SPDX-License-Identifier: GPL-3.0-or-later
// Forests on disk. A file is used only by who would compile the very same trees: its key holds the
// family, the rules, limits, guide, and every position with its move. It is read into memory, not
// mapped: what was checked cannot change afterwards, whatever becomes of the file.
#pragma once

#include "fitness/moves/forest.h"

// What a forest of these is kept under.
uint64_t forest_key(ForestKind kind, const PlayedSet *set, const ForestConfig *config);
// Writes the forest, whole or not at all.
MUST_CHECK Status forest_save(const Forest *forest, uint64_t key, const char *path, DistPool *pool);
// Reads a forest. ERR_IO where there is no such file; ERR_ARG where others than the user and root
// can have written it; ERR_PARSE where it belongs to something else, is cut or damaged, or does not
// hold what would be compiled today; ERR_LIMIT where it takes more than the configured memory.
MUST_CHECK Status forest_load(Forest **out, ForestKind kind, const PlayedSet *set,
                              const ForestConfig *config, const char *path, DistPool *pool);
