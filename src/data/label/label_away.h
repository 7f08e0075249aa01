// SPDX-License-Identifier: GPL-3.0-or-later
// Mentors on other ranks: engines run there, everything else stays with rank 0.
#pragma once

#include "data/label/label_ask.h"
#include "dist/ranks.h"
#include "dist/service.h"

// Opens so many engines on each other rank (0: one for each core it may run on), which take keys
// and give trials. Fails where a rank has another program. NULL where there are no other ranks.
MUST_CHECK Status label_away_open(DistRemote **out, DistRanks *ranks, const LabelAsking *asking,
                                  int engines);

void label_trial_pack(const LabelTrial *trial, Str *out);
// ERR_PARSE for what is none; else free its text.
MUST_CHECK Status label_trial_unpack(StrView bytes, LabelTrial *out);

// What the other ranks do.
extern const DistService label_service;
