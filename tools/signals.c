// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/signals.h"

#include <signal.h>
#include <stddef.h>

void signals_catch(void (*handler)(int number), int flags, bool is_job) {
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1};
    const struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
    struct sigaction before;
    const size_t count = sizeof signals / sizeof *signals - (is_job ? 0 : 1);
    for (size_t i = 0; i < count; i++)
        if (sigaction(signals[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(signals[i], &action, NULL);
}
