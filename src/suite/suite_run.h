// SPDX-License-Identifier: GPL-3.0-or-later
// Puts the positions of a suite to engines: UCI or XBoard engines in other processes, or organisms
// inside this one, by workers here and on other ranks.
#pragma once

#include "dist/ranks.h"
#include "dist/service.h"
#include "match/play/engine_set.h"
#include "suite/suite.h"

enum { SUITE_CONCURRENCY_MAX = 512 };

typedef struct SuiteConfig {
    const EngineSpec *engines; // their limits are those of each position
    size_t engine_count;
    int concurrency;  // positions at a time, of each rank
    int cancel_fd;    // -1: none
    DistRanks *ranks; // ranks whose engines are asked too; NULL: none
} SuiteConfig;

// An answer of engine `engine` to position `item`.
typedef void SuiteCallback(void *context, size_t item, size_t engine, const SuiteAnswer *answer);

// Asks every engine for every position, each as a new game; `on_answer` is called in the order of
// the positions and then of the engines, by one thread at a time, whatever the concurrency. An
// engine that fails is started again; one that cannot be started or used ends the run with its
// message. When the run is cancelled, answers may be missing, and OK is returned. To be called by
// the main thread where there are other ranks.
MUST_CHECK Status suite_run(const Suite *suite, const SuiteConfig *config, SuiteCallback *on_answer,
                            void *context);
// How many files and pipes such a run may have open here at a time.
uint64_t suite_descriptors(const SuiteConfig *config);

// --- one position, on whatever rank ---

// Puts it to a player whose new game begins there. Where a fault is returned, or the player
// resigned, the answer tells of it.
Fault suite_ask(const Player *player, const Limits *limits, const SuiteItem *item,
                SuiteAnswer *out);

// The jobs of a suite: a position for an engine each. Workers share an EngineSet.
extern const DistService suite_service;
void suite_job_pack(size_t engine, const SuiteItem *item, Str *out);

// What a position asks for, without its names.
void suite_item_pack(const SuiteItem *item, Str *out);
// Where the bytes are something else, in->failed is set; the same below.
void suite_item_unpack(ByteReader *in, SuiteItem *out);
void suite_answer_pack(const SuiteAnswer *answer, Str *out);
void suite_answer_unpack(ByteReader *in, SuiteAnswer *out);
