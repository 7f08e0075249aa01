// SPDX-License-Identifier: GPL-3.0-or-later
// An engine made ready to label: settings under which an answer depends on the position alone, and
// the names under which its answers are kept.
#pragma once

#include "engines/spec.h"

// Everything but the spec is owned.
typedef struct Mentor {
    const EngineSpec *spec; // with all options that are set
    int lines;
    Str settings; // "Hash=4, OwnBook=false, ...": all options that are set, sorted by name
    Str label;    // for EPD's c1: "Toga II 3.0, depth 2", and the options the user chose
    Str header;   // for the top of the labelled file: how its labels come about
    Str key;      // everything its answers depend on, for the cache
} Mentor;

// Starts the engine once to learn its name and options, and adds to the spec, where the user has
// not said otherwise: one thread, the smallest hash it offers, no book of its own, no pondering,
// and MultiPV=lines. Fails when it will not start, lacks an option, or has no limit.
MUST_CHECK Status mentor_prepare(Mentor *out, EngineSpec *spec, int lines, int cancel_fd);
void mentor_free(Mentor *mentor);
