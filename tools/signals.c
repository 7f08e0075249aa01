// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/signals.h"

#include "tools/commands.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t came;
static void (*volatile command_handler)(int number); // of the command that runs

static void note_signal(int number) {
    came = 1;
    command_handler(number);
}

bool signals_came(void) {
    return came != 0;
}

void signals_catch(void (*handler)(int number), int flags, bool is_job) {
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1};
    const struct sigaction action = {.sa_handler = note_signal, .sa_flags = flags};
    struct sigaction before;
    const size_t count = sizeof signals / sizeof *signals - (is_job ? 0 : 1);
    command_handler = handler;
    for (size_t i = 0; i < count; i++)
        if (sigaction(signals[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(signals[i], &action, NULL);
}

// Written by the signal handler; everybody who waits for an engine sees it.
static int cancel_pipe[2] = {-1, -1};

static void on_signal(int number) {
    (void)number;
    const int saved = errno;
    const ssize_t ignored = write(cancel_pipe[1], "x", 1);
    (void)ignored;
    errno = saved;
}

Status signals_open(int *fd) {
    // Commands that follow each other in one process share the pipe: what was cancelled stays so.
    if (cancel_pipe[0] < 0 && pipe2(cancel_pipe, O_CLOEXEC | O_NONBLOCK) != 0)
        return error_set(ERR_IO, "pipe: %s", strerror(errno));
    signals_catch(on_signal, 0, falconer_ranks() != NULL);
    *fd = cancel_pipe[0];
    return OK;
}

void signals_send(void) {
    on_signal(0);
}
