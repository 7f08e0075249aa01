// SPDX-License-Identifier: GPL-3.0-or-later
// The space that a family's parameters evolve in, as the user's settings cut it down.
#pragma once

#include "eval/weights.h"
#include "evolve/space.h"
#include "search/features.h"
#include "settings/run_config.h"

enum { TEMPO_BITS = 6, TEMPO_HIGH = 63 };

typedef struct FamilySpace {
    const Family *family;
    EvolveSpace space;
    EvolveParameter parameters[TERMS_MAX + 1]; // the family's, then tempo where it is evolved
    bool has_tempo, has_start;
    bool is_named[TERMS_MAX + 1]; // by `only`
    double start[TERMS_MAX + 1];
    double given[TERMS_MAX + 1]; // the same before values were frozen
} FamilySpace;

// The family of that name that evolves with this fitness, or NULL: of searches, too, where
// organisms solve positions or play.
const Family *space_find_family(const RunConfig *config, const char *name);
// The profile of the search that `start` names; false where it names a file, or nothing.
bool space_start_profile(const RunConfig *config, Profile *out);
// Reads chromosome, variant, start, freeze, only and bounds of the settings. Values that stay fixed
// come from the start weights, or from the family's own start values; those of a search from the
// profile.
MUST_CHECK Status space_of_family(FamilySpace *out, const RunConfig *config, const Family *family);
// The same for the family that the settings name; ERR_ARG where there is none of that name.
MUST_CHECK Status family_space_init(FamilySpace *out, const RunConfig *config,
                                    const Family **family);
// What the setting `chromosome` calls a coding that goes with any family.
const char *space_coding_name(EvolveCoding coding);
