// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/syncer.h"

#include "base/mem.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct Syncer {
    int files[SYNCER_FILES_MAX];
    size_t count;
    pthread_t thread;
    bool has_thread;
    pthread_mutex_t lock;   // guards everything below
    pthread_cond_t changed; // is_stopping
    bool is_dirty, is_stopping;
    int failure; // an errno, 0 for none
};

// What is no plain file cannot be synced, and need not be.
static int sync_files(const Syncer *syncer) {
    int failure = 0;
    for (size_t i = 0; i < syncer->count; i++)
        if (syncer->files[i] >= 0 && fdatasync(syncer->files[i]) != 0 && errno != EINVAL &&
            errno != EROFS && errno != EINTR && failure == 0)
            failure = errno;
    return failure;
}

static void sync_dirty(Syncer *syncer) {
    const bool is_dirty = syncer->is_dirty;
    syncer->is_dirty = false;
    if (!is_dirty)
        return;
    pthread_mutex_unlock(&syncer->lock);
    const int failure = sync_files(syncer);
    pthread_mutex_lock(&syncer->lock);
    if (syncer->failure == 0)
        syncer->failure = failure;
}

static void *run(void *context) {
    Syncer *syncer = context;
    struct timespec until;
    pthread_mutex_lock(&syncer->lock);
    while (!syncer->is_stopping) {
        clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_sec += SYNCER_SECONDS;
        while (!syncer->is_stopping &&
               pthread_cond_timedwait(&syncer->changed, &syncer->lock, &until) == 0)
            ;
        sync_dirty(syncer);
    }
    pthread_mutex_unlock(&syncer->lock);
    return NULL;
}

// Signals are for the threads that play.
static void start_thread(Syncer *syncer) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    syncer->has_thread = pthread_create(&syncer->thread, NULL, run, syncer) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

Syncer *syncer_start(const int *files, size_t count) {
    Syncer *syncer = mem_alloc_zero(1, sizeof *syncer);
    pthread_condattr_t attributes;
    syncer->count = count < SYNCER_FILES_MAX ? count : SYNCER_FILES_MAX;
    memcpy(syncer->files, files, syncer->count * sizeof *files);
    pthread_mutex_init(&syncer->lock, NULL);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&syncer->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    start_thread(syncer);
    return syncer;
}

static Status status_of(int failure) {
    return failure == 0 ? OK
                        : error_set(ERR_IO, "cannot be brought to the disk: %s", strerror(failure));
}

Status syncer_mark_dirty(Syncer *syncer) {
    pthread_mutex_lock(&syncer->lock);
    syncer->is_dirty = true;
    // Without a thread the work is done here.
    if (!syncer->has_thread)
        sync_dirty(syncer);
    const int failure = syncer->failure;
    pthread_mutex_unlock(&syncer->lock);
    return status_of(failure);
}

Status syncer_stop(Syncer *syncer) {
    if (syncer == NULL)
        return OK;
    pthread_mutex_lock(&syncer->lock);
    syncer->is_stopping = true;
    pthread_cond_signal(&syncer->changed);
    pthread_mutex_unlock(&syncer->lock);
    if (syncer->has_thread)
        pthread_join(syncer->thread, NULL);
    const int failure = syncer->failure != 0 ? syncer->failure : sync_files(syncer);
    pthread_cond_destroy(&syncer->changed);
    pthread_mutex_destroy(&syncer->lock);
    free(syncer);
    return status_of(failure);
}
