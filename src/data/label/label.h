// SPDX-License-Identifier: GPL-3.0-or-later
// Labelling: every position of a set put to a mentor, by several engine processes at a time, here
// and on other ranks. An answer depends on the position and the mentor alone, not on order or on
// what else is asked.
#pragma once

#include "data/label/label_cache.h"
#include "data/label/label_mentor.h"
#include "data/label/label_set.h"
#include "dist/ranks.h"

enum { LABEL_CONCURRENCY_MAX = 512 };

typedef struct LabelConfig {
    const Mentor *mentor;
    LabelCache *cache;    // NULL: none
    DistRanks *ranks;     // ranks whose engines are asked too; NULL: none
    int concurrency;      // engines at a time
    int rank_concurrency; // on each of those ranks; 0: one for each core that it may run on
    int64_t cap_ms;       // an engine that takes longer than its time and this hangs
    int cancel_fd;        // labelling ends when this becomes readable; -1: never
    // Called now and then by the caller's thread with how many positions have been asked.
    void (*on_progress)(void *context, size_t asked);
    // Called once, by the same thread, where the cache cannot be written: labelling goes on, and
    // writing is tried again from time to time.
    void (*on_unsaved)(void *context, const char *reason);
    void *context;
} LabelConfig;

typedef struct LabelTally {
    size_t asked;    // answered by the engine
    size_t failed;   // asked twice, and no good answer
    size_t restarts; // of engines that failed
    size_t unsaved;  // answers that could not be written to the cache
    bool is_cancelled;
} LabelTally;

// Takes from the cache what it has, and counts it. Positions without a legal move need no label.
MUST_CHECK Status label_look_up(LabelSet *set, LabelCache *cache, size_t *found, size_t *missing);

// Asks what is missing; to be called by the main thread where there are other ranks. An engine that
// fails is started again and the position asked once more; then it is left without an answer, with
// the reason. Engines that fail time after time, or will not start, end the run; answers that came
// before are in the cache, but for those `unsaved`.
MUST_CHECK Status label_run(LabelSet *set, const LabelConfig *config, LabelTally *tally);
