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
    void *worker = reading->pass->workers[thread];
    PgnChunk chunk = {0};
    PgnGame game = {0};
    Status status;
    while ((status = next_chunk(reading, &chunk)) == OK && chunk.length > 0) {
        take_games(reading, worker, &chunk, &game);
        status = share(reading, worker);
        if (status != OK)
            break;
    }
    pgn_chunk_free(&chunk);
    pgn_game_free(&game);
    return status;
}

Status games_pass(const GamesPass *pass, const char *path, GamesPassTotals *totals) {
    Reading reading = {.pass = pass};
    *totals = (GamesPassTotals){0};
    Status status = pgn_chunks_open(&reading.chunks, path);
    if (status != OK)
        return status;
    pthread_mutex_init(&reading.cutting, NULL);
    pthread_mutex_init(&reading.sharing, NULL);
    status = dist_pool_run(pass->pool, (size_t)dist_pool_threads(pass->pool), work, &reading);
    totals->bytes = pgn_chunks_bytes(reading.chunks);
    totals->too_long = pgn_chunks_too_long(reading.chunks);
    if (status == OK)
        status = pgn_check_found(reading.games, reading.real, path);
    pthread_mutex_destroy(&reading.cutting);
    pthread_mutex_destroy(&reading.sharing);
    pgn_chunks_close(reading.chunks);
    return status;
}
