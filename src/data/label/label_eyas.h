// SPDX-License-Identifier: GPL-3.0-or-later
// What a mentor searches and evaluates with that is Eyas: its profile and its weights, as they are
// after all options are set.
#pragma once

#include "base/str.h"
#include "engines/client.h"

// Appends to the header of its labels and to the key of its answers; nothing for another engine.
// The first `chosen` options are the user's, whose order counts: a profile sets all parts of the
// search, a file all weights.
void label_eyas_describe(const EngineSpec *spec, const EngineClient *client, size_t chosen,
                         Str *header, Str *key);
