// SPDX-License-Identifier: GPL-3.0-or-later
// In place of the system's header where there are no threads, in a browser: locks are always free,
// and no thread can be started. The engine then thinks where it was asked to.
#pragma once

#include <errno.h>

typedef int pthread_t;
typedef int pthread_mutex_t;
typedef int pthread_once_t;
#define PTHREAD_ONCE_INIT 0

static inline int pthread_once(pthread_once_t *once, void (*routine)(void)) {
    if (*once == PTHREAD_ONCE_INIT) {
        *once = 1;
        routine();
    }
    return 0;
}

static inline int pthread_mutex_init(pthread_mutex_t *mutex, const void *attributes) {
    (void)attributes;
    *mutex = 0;
    return 0;
}

static inline int pthread_mutex_lock(pthread_mutex_t *mutex) {
    (void)mutex;
    return 0;
}

static inline int pthread_mutex_unlock(pthread_mutex_t *mutex) {
    (void)mutex;
    return 0;
}

static inline int pthread_mutex_destroy(pthread_mutex_t *mutex) {
    (void)mutex;
    return 0;
}

static inline int pthread_create(pthread_t *thread, const void *attributes,
                                 void *(*routine)(void *), void *context) {
    (void)thread, (void)attributes, (void)routine, (void)context;
    return EAGAIN;
}

static inline int pthread_join(pthread_t thread, void **result) {
    (void)thread, (void)result;
    return 0;
}
