// SPDX-License-Identifier: GPL-3.0-or-later
// One line, rewritten in place while something long goes on: how much is done, how fast, how long
// it will take. Silent when its stream is no terminal, so that logs stay clean.
#pragma once

#include <stdint.h>
#include <stdio.h>

// One thread at a time may use it.
typedef struct Progress {
    FILE *out; // NULL: silent
    const char *unit;
    uint64_t total, first;
    int64_t started_ns, shown_ns;
} Progress;

// `unit` is what is counted ("positions"); `total` is 0 when it is not known; `first` were done
// before the start (a resumed run) and do not count for the rate.
void progress_start(Progress *progress, FILE *out, const char *unit, uint64_t total,
                    uint64_t first);
// Shows `done` and a note (or NULL), ten times a second at the most: call it as often as you like.
void progress_show(Progress *progress, uint64_t done, const char *note);
// Wipes the line.
void progress_end(Progress *progress);
