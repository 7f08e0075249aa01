// SPDX-License-Identifier: GPL-3.0-or-later
// A world whose ranks are threads of the test: messages are handed over in memory.
#pragma once

#include "base/mem.h"
#include "dist/crew.h"
#include "dist/serve.h"

#include <pthread.h>
#include <stdlib.h>

typedef struct RankingLetter {
    int from;
    Str bytes;
    struct RankingLetter *next;
} RankingLetter;

// Letters in the order they came.
typedef struct RankingBox {
    RankingLetter *first, **last;
} RankingBox;

typedef struct RankingRank {
    DistWorld world;
    struct Ranking *all;
    pthread_t thread;
    RankingBox letters, spread;
} RankingRank;

typedef struct Ranking {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    RankingRank *ranks;
    int count;
    const DistService *const *services;
    size_t service_count;
    DistCrew *crew;
} Ranking;

static inline void ranking_put(Ranking *all, RankingBox *box, int from, Str bytes) {
    RankingLetter *letter = mem_alloc(sizeof *letter);
    *letter = (RankingLetter){from, bytes, NULL};
    pthread_mutex_lock(&all->lock);
    *box->last = letter;
    box->last = &letter->next;
    pthread_cond_broadcast(&all->changed);
    pthread_mutex_unlock(&all->lock);
}

static inline bool ranking_take(Ranking *all, RankingBox *box, bool waits, int *from, Str *bytes) {
    pthread_mutex_lock(&all->lock);
    while (waits && box->first == NULL)
        pthread_cond_wait(&all->changed, &all->lock);
    RankingLetter *letter = box->first;
    if (letter != NULL) {
        box->first = letter->next;
        if (box->first == NULL)
            box->last = &box->first;
    }
    pthread_mutex_unlock(&all->lock);
    if (letter == NULL)
        return false;
    str_free(bytes);
    *bytes = letter->bytes;
    *from = letter->from;
    free(letter);
    return true;
}

static inline void ranking_send(void *self, int to, Str *bytes) {
    RankingRank *rank = self;
    ranking_put(rank->all, &rank->all->ranks[to].letters, rank->world.rank, *bytes);
    *bytes = (Str){0};
}

static inline bool ranking_receive(void *self, int *from, Str *bytes) {
    RankingRank *rank = self;
    return ranking_take(rank->all, &rank->letters, false, from, bytes);
}

static inline void ranking_spread(void *self, Str *bytes) {
    RankingRank *rank = self;
    int from;
    if (rank->world.rank > 0) {
        ranking_take(rank->all, &rank->spread, true, &from, bytes);
        return;
    }
    for (int i = 1; i < rank->all->count; i++) {
        Str copy = {0};
        str_append(&copy, str_text(bytes), bytes->length);
        ranking_put(rank->all, &rank->all->ranks[i].spread, 0, copy);
    }
}

static inline void *ranking_serve(void *argument) {
    RankingRank *rank = argument;
    dist_serve(&rank->world, rank->all->services, rank->all->service_count);
    return NULL;
}

// Ranks 1 and above serve at once; `crew` is rank 0's.
static inline Ranking *ranking_open(int ranks, const DistService *const *services, size_t count) {
    Ranking *all = mem_alloc_zero(1, sizeof *all);
    *all = (Ranking){.count = ranks, .services = services, .service_count = count};
    pthread_mutex_init(&all->lock, NULL);
    pthread_cond_init(&all->changed, NULL);
    all->ranks = mem_alloc_zero((size_t)ranks, sizeof *all->ranks);
    for (int i = 0; i < ranks; i++) {
        RankingRank *rank = &all->ranks[i];
        rank->all = all;
        rank->letters.last = &rank->letters.first;
        rank->spread.last = &rank->spread.first;
        rank->world = (DistWorld){.rank = i,
                                  .ranks = ranks,
                                  .self = rank,
                                  .send = ranking_send,
                                  .receive = ranking_receive,
                                  .spread = ranking_spread};
    }
    for (int i = 1; i < ranks; i++)
        pthread_create(&all->ranks[i].thread, NULL, ranking_serve, &all->ranks[i]);
    all->crew = dist_crew_new(&all->ranks[0].world);
    return all;
}

static inline void ranking_close(Ranking *all) {
    Str bytes = {0};
    int from;
    dist_crew_free(all->crew);
    for (int i = 1; i < all->count; i++)
        pthread_join(all->ranks[i].thread, NULL);
    for (int i = 0; i < all->count; i++)
        while (ranking_take(all, &all->ranks[i].letters, false, &from, &bytes))
            ;
    str_free(&bytes);
    pthread_cond_destroy(&all->changed);
    pthread_mutex_destroy(&all->lock);
    free(all->ranks);
    free(all);
}
