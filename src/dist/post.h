// SPDX-License-Identifier: GPL-3.0-or-later
// A thread of a serving rank that is asked apart from the others, with its mailbox.
#pragma once

#include "dist/service.h"

#include <pthread.h>

typedef enum PostState { POST_IDLE, POST_GIVEN, POST_DONE, POST_CLOSING } PostState;

typedef struct Post {
    const DistService *service;
    void *self;
    int worker;
    bool has_thread; // else it works when it is given something
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    // Guarded by the lock.
    PostState state;
    Str work, answers;
} Post;

// Starts the threads. `self` is borrowed.
Post *posts_new(const DistService *service, void *self, int count);
// Returns when nobody works any more. The threads live on: engines end with their thread.
void posts_settle(Post *posts, int count);
void posts_free(Post *posts, int count);

// Pieces of work as in DIST_WORK: their number, then each. Copied; the last must have been taken.
void post_give(Post *post, StrView work);
// Appends what a DIST_DONE has after remote and worker about what was given last, once it is done;
// false before, and when it was taken.
bool post_take(Post *post, Str *out);

// The same at once, in this thread.
void post_answer(const DistService *service, void *self, int worker, StrView work, Str *out);
