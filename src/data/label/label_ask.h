// SPDX-License-Identifier: GPL-3.0-or-later
// One position put to a mentor, by a worker on whatever rank.
#pragma once

#include "base/str.h"
#include "dist/service.h"
#include "engines/spec.h"

// What is asked in each position.
typedef struct LabelAsking {
    const EngineSpec *spec; // as mentor_prepare left it; borrowed
    int lines;
    int64_t cap_ms; // an engine that takes longer than its time and this hangs
} LabelAsking;

// An engine of one thread, started when it is first asked, and again after it failed.
typedef struct LabelAsker LabelAsker;

typedef enum LabelOutcome {
    LABEL_ANSWERED,
    LABEL_FAILED, // as often as it was asked: the engine crashed, hung, or answered nonsense
    LABEL_CANCELLED,
    LABEL_NOT_STARTED, // there is no point in asking anything
} LabelOutcome;

// What came of a position.
typedef struct LabelTrial {
    LabelOutcome outcome;
    int failures, hangs; // of the engine on the way to it; how many of them took long
    Str text; // the answer as label_answer_write has it, or the reason why there is none; owned
} LabelTrial;

static inline void label_trial_free(LabelTrial *trial) {
    str_free(&trial->text);
}

// `asking` is borrowed. Waiting ends when `cancel_fd` becomes readable; -1: never.
LabelAsker *label_asker_new(const LabelAsking *asking, int cancel_fd);
// Ends the engine. NULL is fine.
void label_asker_free(LabelAsker *asker);

// Asks for the position whose four fields are `key`, and once more where the engine failed. Free
// the trial's text.
void label_ask(LabelAsker *asker, const char *key, LabelTrial *out);

// The jobs of labelling: keys, in any process that has what was asked for as bytes.
extern const DistService label_service;
void label_asking_pack(const LabelAsking *asking, Str *out);
// Answers to them: trials that were answered or failed.
void label_trial_pack(const LabelTrial *trial, Str *out);
// ERR_PARSE where they are malformed; else free its text.
MUST_CHECK Status label_trial_unpack(StrView bytes, LabelTrial *out);
