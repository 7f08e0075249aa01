// SPDX-License-Identifier: GPL-3.0-or-later
// Engines on other ranks that positions of a suite are put to.
#pragma once

#include "dist/ranks.h"
#include "dist/service.h"
#include "suite/suite_ask.h"

// Has so many positions asked at a time on each other rank. Fails where a rank has another program.
// NULL where there are no other ranks.
MUST_CHECK Status suite_away_open(DistRemote **out, DistRanks *ranks, const Roster *roster,
                                  int positions);

// A position for an engine.
void suite_away_pack(size_t engine, const SuiteItem *item, Str *out);
// What suite_ask gave for it; ERR_PARSE for what is none.
MUST_CHECK Status suite_away_unpack(StrView bytes, Fault *fault, SuiteAnswer *out);

// What the other ranks do.
extern const DistService suite_service;
