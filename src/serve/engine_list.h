// SPDX-License-Identifier: GPL-3.0-or-later
// The engines of this machine that pages can play against: a file of the user's, with one engine a
// line in the words of engines/spec.h. Pages know their names alone.
#pragma once

#include "engines/spec.h"

enum { ENGINE_LIST_MAX = 100 };

typedef struct EngineList {
    EngineSpec *engines; // owned
    size_t count, capacity;
} EngineList;

// Reads a list. ERR_ARG where others can have written it, for its words name programs; where a line
// is none; where it has a limit of time, nodes or depth, which the page chooses; and where two
// engines have one name. Free it whatever came of it.
MUST_CHECK Status engine_list_read(EngineList *list, const char *path);
void engine_list_free(EngineList *list);

// The engine of that name, or NULL.
const EngineSpec *engine_list_find(const EngineList *list, const char *name);

// Appends where the user's own list is: $XDG_CONFIG_HOME/falconer/engines, or that of ~/.config.
// Nothing where the environment does not tell.
void engine_list_default_path(Str *out);
