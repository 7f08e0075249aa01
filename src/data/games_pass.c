// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/games_pass.h"

#include "chess/pgn_chunks.h"

#include <pthread.h>
#include <stdatomic.h>

typedef struct Reading {
    const GamesPass *pass;
    pthread_mutex_t cutting, sharing;
    atomic_ullong games, real; // counted so far
    PgnChunks *chunks;         // guarded by `cutting`, as is:
    bool has_failed;
} Reading;

static Status next_chunk(Reading *reading, PgnChunk *chunk) {
    Status status = OK;
    pthread_mutex_lock(&reading->cutting);
    chunk->length = 0;
    if (!reading->has_failed)
        status = pgn_chunks_next(reading->chunks, chunk);
    reading->has_failed |= status != OK;
    pthread_mutex_unlock(&reading->cutting);
    return status;
}

static Status share(Reading *reading, void *worker) {
    if (reading->pass->share == NULL)
        return OK;
    pthread_mutex_lock(&reading->sharing);
    Status status = reading->pass->share(worker);
    pthread_mutex_unlock(&reading->sharing);
    return status;
}

static void take_games(Reading *reading, void *worker, const PgnChunk *chunk, PgnGame *game) {
    const GamesPass *pass = reading->pass;
    uint64_t games = 0, real = 0;
    StrView text = view_of(chunk->text, chunk->length);
    size_t consumed;
    while (pgn_parse_wanted(game, text, true, &consumed, pass->wants, worker) == PGN_STEP_GAME) {
        while (!pass->take(worker, game))
            pgn_parse(game, text, true, &consumed);
        games++;
        real += pgn_is_game(game);
        text = view_of(text.text + consumed, text.length - consumed);
    }
    atomic_fetch_add(&reading->games, games);
    atomic_fetch_add(&reading->real, real);
}

// One job for each thread: chunks until there are no more.
static Status work(void *context, size_t index, int thread) {
    (void)index;
    Reading *reading = context;
    const GamesPass *pass = reading->pass;
    void *worker = (char *)pass->workers + (size_t)thread * pass->worker_size;
    CLEANUP(pgn_chunk_free) PgnChunk chunk = {0};
    CLEANUP(pgn_game_free) PgnGame game = {0};
    for (;;) {
        TRY(next_chunk(reading, &chunk));
        if (chunk.length == 0)
            return OK;
        take_games(reading, worker, &chunk, &game);
        TRY(share(reading, worker));
    }
}

Status games_pass(const GamesPass *pass, const char *path, GamesPassTotals *totals) {
    CLEANUP(pgn_chunks_close_at) PgnChunks *chunks = NULL;
    *totals = (GamesPassTotals){0};
    TRY(pgn_chunks_open(&chunks, path));
    Reading reading = {.pass = pass,
                       .cutting = PTHREAD_MUTEX_INITIALIZER,
                       .sharing = PTHREAD_MUTEX_INITIALIZER,
                       .chunks = chunks};
    const Status status =
        dist_pool_run(pass->pool, (size_t)dist_pool_threads(pass->pool), work, &reading);
    totals->bytes = pgn_chunks_bytes(chunks);
    totals->too_long = pgn_chunks_too_long(chunks);
    return status == OK ? pgn_check_found(reading.games, reading.real, path) : status;
}
