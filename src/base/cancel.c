// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/cancel.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

Status cancel_open(int *fd) {
    *fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    return *fd >= 0 ? OK : error_set(ERR_IO, "cannot watch for signals: %s", strerror(errno));
}

void cancel_close(int fd) {
    if (fd >= 0)
        close(fd);
}

void cancel_request(int fd) {
    (void)eventfd_write(fd, 1);
}

bool cancel_is_requested(int fd) {
    struct pollfd watched = {.fd = fd, .events = POLLIN};
    return fd >= 0 && poll(&watched, 1, 0) > 0;
}
