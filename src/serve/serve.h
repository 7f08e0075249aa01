// SPDX-License-Identifier: GPL-3.0-or-later
// The pages of `falconer serve`: what lies in folders of this machine, to look at and to play with
// in a browser.
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct ServeConfig {
    const char *const *folders; // what is served
    size_t folder_count;
    const char *engines; // the list of engines to play against; NULL: the user's own, if any
    bool is_read_only;   // pages start and stop nothing
    unsigned port;       // 0: any that is free
    int cancel_fd;       // ends the server when it becomes readable
    void *context;
    void (*tell)(void *context, const char *address); // called once it answers
} ServeConfig;

// Serves until it is told to end.
MUST_CHECK Status serve_run(const ServeConfig *config);
