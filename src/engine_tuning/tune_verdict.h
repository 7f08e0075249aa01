// SPDX-License-Identifier: GPL-3.0-or-later
// What came of tuning an engine: in words, and as files.
#pragma once

#include "engine_tuning/engine_tune.h"

// Appends how many Elo, how sure, what it cost, and what more would cost.
void tune_verdict_describe(const TuneConfig *config, const TuneOutcome *outcome, Str *out);
// Appends the values as words of an engine's description: option.Hash=16 "option.King Safety=90".
void tune_verdict_option_line(const TuneConfig *config, const double *values, Str *out);
// Writes DIR/verdict.txt, DIR/tuned.ini (which can be tuned further) and DIR/tuned.json, the latter
// two with their lineage.
MUST_CHECK Status tune_verdict_write(const TuneConfig *config, const TuneOutcome *outcome,
                                     const char *directory);
