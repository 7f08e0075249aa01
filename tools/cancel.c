// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/cancel.h"

#include "tools/commands.h"
#include "tools/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

// Written by the signal handler; everybody who waits for an engine sees it.
static int cancel_pipe[2] = {-1, -1};

static void on_signal(int number) {
    (void)number;
    const int saved = errno;
    const ssize_t ignored = write(cancel_pipe[1], "x", 1);
    (void)ignored;
    errno = saved;
}

Status cancel_on_signals(int *fd) {
    // Commands that follow each other in one process share the pipe: what was cancelled stays so.
    if (cancel_pipe[0] < 0 && pipe2(cancel_pipe, O_CLOEXEC | O_NONBLOCK) != 0)
        return error_set(ERR_IO, "pipe: %s", strerror(errno));
    signals_catch(on_signal, 0, falconer_ranks() != NULL);
    *fd = cancel_pipe[0];
    return OK;
}

void cancel_now(void) {
    on_signal(0);
}
