// SPDX-License-Identifier: GPL-3.0-or-later
// Engines of the list at play for pages: few processes at a time, each of one page. One that has
// had nothing to do for a while is ended, and so is one that failed; it is started anew when it is
// asked again.
#pragma once

#include "chess/fen.h"
#include "engines/client.h"
#include "serve/thought.h"

#include <pthread.h>

enum {
    ENGINE_POOL_MAX = 4, // processes at a time
    ENGINE_POOL_WAIT_S = 30,
    ENGINE_POOL_IDLE_S = 120,
    ENGINE_PAGE_SIZE = 33, // a page's name for itself
};

typedef struct EngineSeat {
    const EngineSpec *spec; // NULL: nobody sits here
    EngineClient *client;   // owned; NULL while it is not started
    char page[ENGINE_PAGE_SIZE];
    bool is_busy;     // only its thread touches the rest
    bool is_anothers; // the client is of another engine or page
    int64_t used_ns;
    // The game it was last asked about, if it knows it, with its answer and its limits.
    bool has_game;
    char start[FEN_SIZE];
    Move moves[PLAY_PLIES_MAX + 1];
    size_t move_count;
    Limits limits;
} EngineSeat;

typedef struct EnginePool {
    pthread_mutex_t lock;
    pthread_cond_t freed;
    EngineSeat seats[ENGINE_POOL_MAX];
    int cancel_fd;
} EnginePool;

// Thinking ends when `cancel_fd` becomes readable.
void engine_pool_open(EnginePool *pool, int cancel_fd);
// Ends all engines. Nobody may be thinking.
void engine_pool_close(EnginePool *pool);

// Lets an engine think for a page, within limits of nodes or time. ERR_LIMIT where too many are at
// it; ERR_ENGINE where it failed, with what it did; ERR_ARG where it cannot take the limit or the
// position.
MUST_CHECK Status engine_pool_think(EnginePool *pool, const EngineSpec *spec, const char *page,
                                    const PlayGame *game, const Limits *limits, Thought *out);
// Ends the engines of a page that has gone, and those that have been idle for too long.
void engine_pool_leave(EnginePool *pool, const char *page);
void engine_pool_end_idle(EnginePool *pool);
