// SPDX-License-Identifier: GPL-3.0-or-later
// One position put to a mentor, by a worker on whatever rank.
#pragma once

#include "base/str.h"
#include "dist/service.h"
#include "engines/spec.h"

// What is asked in each position: workers share it.
typedef struct LabelAsking {
    const EngineSpec *spec; // as mentor_prepare left it; borrowed
    int lines;
    int64_t cap_ms; // an engine that takes longer than its time and this hangs
} LabelAsking;

// What came of a position.
typedef struct LabelTrial {
    bool is_answered;    // else the engine failed as often as it was asked
    int failures, hangs; // of the engine on the way to it; how many of them took long
    Str text; // the answer as label_answer_write has it, or the reason why there is none; owned
} LabelTrial;

static inline void label_trial_free(LabelTrial *trial) {
    str_free(&trial->text);
}

// The jobs of labelling are keys, the four fields of a position; the answers are trials. An engine
// that cannot be started is a failure.
extern const DistService label_service;
void label_trial_pack(const LabelTrial *trial, Str *out);
// ERR_PARSE where they are malformed; else free its text.
MUST_CHECK Status label_trial_unpack(StrView bytes, LabelTrial *out);
