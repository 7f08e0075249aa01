// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/suspend.h"

#include <pthread.h>
#include <signal.h>
#include <time.h>

// How often this process went on, as the kernel reported it.
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static uint64_t count;

static sigset_t only_sigcont(void) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGCONT);
    return set;
}

void suspend_watch(void) {
    const sigset_t set = only_sigcont();
    pthread_sigmask(SIG_BLOCK, &set, NULL);
}

uint64_t suspend_count(void) {
    const sigset_t set = only_sigcont();
    const struct timespec now = {0};
    // Locked from the taking to the counting, or another thread could see neither.
    pthread_mutex_lock(&mutex);
    if (sigtimedwait(&set, NULL, &now) == SIGCONT)
        count++;
    const uint64_t so_far = count;
    pthread_mutex_unlock(&mutex);
    return so_far;
}
