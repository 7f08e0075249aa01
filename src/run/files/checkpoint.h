// SPDX-License-Identifier: GPL-3.0-or-later
// Where a run of evolution stands, on disk: written beside, flushed and renamed, with the one
// before it kept, so that there is always one to go on from.
#pragma once

#include "base/error.h"
#include "base/str.h"

typedef struct Checkpoint {
    uint64_t fingerprint; // of the data and settings it belongs to
    uint64_t log_length;  // bytes of the log that belong to what was done
    uint32_t generation;
    bool is_finished;
    int64_t best_sample_score; // once finished: of the best organism, on the last sample
    double *best;              // once finished: its parameters; owned
    size_t best_count;
    Str evolver; // owned
} Checkpoint;

enum { CHECKPOINT_VERSION = 1 };

void checkpoint_free(Checkpoint *checkpoint);
// Whether its parts fit each other: one that is finished has a best organism.
bool checkpoint_is_valid(const Checkpoint *checkpoint);
// Writes DIR/checkpoint; what was there becomes DIR/checkpoint.previous.
MUST_CHECK Status checkpoint_save(const Checkpoint *checkpoint, const char *directory);
// Reads it back, or the one before it. ERR_IO where there is none, ERR_PARSE where it is damaged or
// of another version, with the reason.
MUST_CHECK Status checkpoint_load(Checkpoint *out, const char *directory, bool previous);
// Makes the one before it the last, in place of what is there.
MUST_CHECK Status checkpoint_restore(const char *directory);
// True when there is one (the last, or the one before it).
bool checkpoint_exists(const char *directory, bool previous);
