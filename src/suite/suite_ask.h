// SPDX-License-Identifier: GPL-3.0-or-later
// One position of a suite put to one engine, by a worker on whatever rank.
#pragma once

#include "dist/service.h"
#include "match/play/engine_set.h"
#include "suite/suite.h"

// The engines of one thread, started when they are first asked.
typedef struct SuiteAsker SuiteAsker;

// `engines` is borrowed. Waiting ends when `cancel_fd` becomes readable; -1: never.
SuiteAsker *suite_asker_new(const EngineSet *engines, int cancel_fd);
// Ends the engines. NULL is fine.
void suite_asker_free(SuiteAsker *asker);

// Puts the position to an engine as a new game. FAULT_NONE: here is its answer, in which faults of
// the engine are told of. All else ends a run: it was cancelled, or the engine cannot be started or
// used, and error_message() says why.
Fault suite_ask(SuiteAsker *asker, size_t engine, const SuiteItem *item, SuiteAnswer *out);

// What a position asks for, without its names.
void suite_item_pack(const SuiteItem *item, Str *out);
// Where the bytes are something else, in->failed is set; the same below.
void suite_item_unpack(ByteReader *in, SuiteItem *out);
void suite_answer_pack(const SuiteAnswer *answer, Str *out);
void suite_answer_unpack(ByteReader *in, SuiteAnswer *out);

// The jobs of a suite: a position for an engine each. Workers share an EngineSet.
extern const DistService suite_service;
void suite_job_pack(size_t engine, const SuiteItem *item, Str *out);
