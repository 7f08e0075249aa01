// SPDX-License-Identifier: GPL-3.0-or-later
// Eyas's search within the server, for pages: few at a time, each with limits.
#pragma once

#include "search/search.h"
#include "serve/thought.h"

#include <semaphore.h>
#include <stdatomic.h>

enum {
    THINKER_COUNT = 2, // searches at a time; others wait for their turn
    THINKER_WAIT_S = 30,
    THINKER_NODES_MAX = 5000000,
    THINKER_TIME_MS = 15000,
    THINKER_HASH_MB = 16,
};

typedef struct Thinkers {
    sem_t free;
    atomic_bool is_ended; // searches end at once
} Thinkers;

void thinkers_open(Thinkers *thinkers);
void thinkers_close(Thinkers *thinkers);

// Waits for a turn, for what computes like a search; ERR_LIMIT where all are busy for too long.
MUST_CHECK Status thinkers_enter(Thinkers *thinkers);
void thinkers_leave(Thinkers *thinkers);

// Within limits of nodes and time, and with so much noise on the moves (search_set_noise).
// ERR_LIMIT where all are busy for too long; ERR_ARG where there is no legal move.
MUST_CHECK Status thinkers_think(Thinkers *thinkers, const Weights *weights, const PlayGame *game,
                                 const Limits *limits, int noise_cp, Thought *out);
