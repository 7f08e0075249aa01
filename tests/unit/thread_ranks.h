// SPDX-License-Identifier: GPL-3.0-or-later
// A world whose ranks are threads of the test: messages are handed over in memory.
#pragma once

#include "base/mem.h"
#include "dist/ranks.h"
#include "dist/service.h"

#include <pthread.h>
#include <stdlib.h>

typedef struct ThreadMessage {
    int from;
    Str bytes;
    struct ThreadMessage *next;
} ThreadMessage;

// Letters in the order they came.
typedef struct ThreadQueue {
    ThreadMessage *first, **last;
} ThreadQueue;

typedef struct ThreadRank {
    DistWorld world;
    struct ThreadRanks *all;
    pthread_t thread;
    ThreadQueue messages, broadcast;
} ThreadRank;

typedef struct ThreadRanks {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    ThreadRank *ranks;
    int count;
    const DistService *const *services;
    size_t service_count;
    DistRanks *others; // as rank 0 sees them
} ThreadRanks;

static inline void thread_ranks_put(ThreadRanks *all, ThreadQueue *queue, int from, Str bytes) {
    ThreadMessage *message = mem_alloc(sizeof *message);
    *message = (ThreadMessage){from, bytes, NULL};
    pthread_mutex_lock(&all->lock);
    *queue->last = message;
    queue->last = &message->next;
    pthread_cond_broadcast(&all->changed);
    pthread_mutex_unlock(&all->lock);
}

static inline bool thread_ranks_take(ThreadRanks *all, ThreadQueue *queue, bool waits, int *from,
                                     Str *bytes) {
    pthread_mutex_lock(&all->lock);
    while (waits && queue->first == NULL)
        pthread_cond_wait(&all->changed, &all->lock);
    ThreadMessage *message = queue->first;
    if (message != NULL) {
        queue->first = message->next;
        if (queue->first == NULL)
            queue->last = &queue->first;
    }
    pthread_mutex_unlock(&all->lock);
    if (message == NULL)
        return false;
    str_free(bytes);
    *bytes = message->bytes;
    *from = message->from;
    free(message);
    return true;
}

static inline void thread_ranks_send(void *self, int to, Str *bytes) {
    ThreadRank *rank = self;
    thread_ranks_put(rank->all, &rank->all->ranks[to].messages, rank->world.rank, *bytes);
    *bytes = (Str){0};
}

static inline bool thread_ranks_receive(void *self, int *from, Str *bytes) {
    ThreadRank *rank = self;
    return thread_ranks_take(rank->all, &rank->messages, false, from, bytes);
}

static inline void thread_ranks_broadcast(void *self, Str *bytes) {
    ThreadRank *rank = self;
    int from;
    if (rank->world.rank > 0) {
        thread_ranks_take(rank->all, &rank->broadcast, true, &from, bytes);
        return;
    }
    for (int i = 1; i < rank->all->count; i++) {
        Str copy = {0};
        str_append(&copy, str_text(bytes), bytes->length);
        thread_ranks_put(rank->all, &rank->all->ranks[i].broadcast, 0, copy);
    }
}

static inline void *thread_ranks_serve(void *argument) {
    ThreadRank *rank = argument;
    dist_serve(&rank->world, rank->all->services, rank->all->service_count);
    return NULL;
}

// Ranks 1 and above serve at once.
static inline ThreadRanks *thread_ranks_open(int ranks, const DistService *const *services,
                                             size_t count) {
    ThreadRanks *all = mem_alloc_zero(1, sizeof *all);
    *all = (ThreadRanks){.count = ranks, .services = services, .service_count = count};
    pthread_mutex_init(&all->lock, NULL);
    pthread_cond_init(&all->changed, NULL);
    all->ranks = mem_alloc_zero((size_t)ranks, sizeof *all->ranks);
    for (int i = 0; i < ranks; i++) {
        ThreadRank *rank = &all->ranks[i];
        rank->all = all;
        rank->messages.last = &rank->messages.first;
        rank->broadcast.last = &rank->broadcast.first;
        rank->world = (DistWorld){.rank = i,
                                  .ranks = ranks,
                                  .self = rank,
                                  .send = thread_ranks_send,
                                  .receive = thread_ranks_receive,
                                  .broadcast = thread_ranks_broadcast};
    }
    for (int i = 1; i < ranks; i++)
        pthread_create(&all->ranks[i].thread, NULL, thread_ranks_serve, &all->ranks[i]);
    all->others = dist_ranks_new(&all->ranks[0].world);
    return all;
}

static inline void thread_ranks_close(ThreadRanks *all) {
    Str bytes = {0};
    int from;
    dist_ranks_free(all->others);
    for (int i = 1; i < all->count; i++)
        pthread_join(all->ranks[i].thread, NULL);
    for (int i = 0; i < all->count; i++)
        while (thread_ranks_take(all, &all->ranks[i].messages, false, &from, &bytes))
            ;
    str_free(&bytes);
    pthread_cond_destroy(&all->changed);
    pthread_mutex_destroy(&all->lock);
    free(all->ranks);
    free(all);
}
