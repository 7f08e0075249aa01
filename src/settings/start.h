// SPDX-License-Identifier: GPL-3.0-or-later
// Organisms of earlier runs, to begin another run with.
#pragma once

#include "settings/space.h"

// `count` rows of the space's parameters; owned.
typedef struct StartOrganisms {
    double *organisms;
    size_t count, capacity;
} StartOrganisms;

// Reads what `start-from` names: weights files, or folders of runs, of which `start-take` takes the
// best of each run, the last population of the median run, or the best of that population. Nothing
// where it names nothing. Fails where an organism does not fit the space.
MUST_CHECK Status start_read(const FamilySpace *space, const RunConfig *config,
                             StartOrganisms *out);
void start_free(StartOrganisms *organisms);
