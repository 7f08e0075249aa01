// SPDX-License-Identifier: GPL-3.0-or-later
// Starts, stops and resumes runs for pages: processes that go on without the server.
#pragma once

#include "serve/started.h"

#include <pthread.h>

enum { STARTER_RUNNING_MAX = 3 }; // at a time

typedef struct Starter {
    pthread_mutex_t lock;
    const char *root; // borrowed: the real path of the folder that runs are made in
    pid_t children[STARTER_RUNNING_MAX + 1];
    size_t child_count; // that were started by this server and not reaped yet
} Starter;

void starter_open(Starter *starter, const char *root);
void starter_close(Starter *starter);

// What is to be started: `falconer VERB WORD...`, in a folder that is called `stem`, with a number
// where there is one already. The words for folder and threads are added.
typedef struct StarterOrder {
    const char *verb, *stem;
    const char *const *words;
    size_t word_count;
    int64_t threads;
} StarterOrder;

// Appends the command as a user would type it, with the folder it would get now.
void starter_write_command(const Starter *starter, const StarterOrder *order, Str *out);
// Starts it; `name` becomes that of its folder. ERR_LIMIT where enough runs are at work already.
MUST_CHECK Status starter_start(Starter *starter, const StarterOrder *order, Str *name);
// Asks the run of that name to stop: the process that works in its folder, if a page started it.
MUST_CHECK Status starter_stop(Starter *starter, const char *name);
// Lets a stopped run go on. ERR_ARG where others can have written its folder.
MUST_CHECK Status starter_resume(Starter *starter, const char *name);
// Takes notice of processes that have ended; to be called now and then.
void starter_reap(Starter *starter);
