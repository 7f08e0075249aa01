// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/supplied.h"

#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef struct Supplied {
    char *path;
    int fd; // of a file in memory
} Supplied;

// A thread's own, like its last error: streams are opened in a hundred places that need not know of
// it.
static _Thread_local Supplied *files;
static _Thread_local size_t file_count, file_capacity;

static Status fill(int fd, const char *path, StrView bytes) {
    while (bytes.length > 0) {
        const ssize_t count = write(fd, bytes.text, bytes.length);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return error_set(ERR_IO, "%s: cannot be kept in memory: %s", path, strerror(errno));
        bytes = view_of(bytes.text + count, bytes.length - (size_t)count);
    }
    return OK;
}

Status supplied_add(const char *path, StrView bytes) {
    const int fd = memfd_create("supplied", MFD_CLOEXEC);
    if (fd < 0)
        return error_set(ERR_IO, "%s: cannot be kept in memory: %s", path, strerror(errno));
    MEM_ADD(files, file_count, file_capacity) = (Supplied){mem_copy_string(path), fd};
    return fill(fd, path, bytes);
}

void supplied_clear(void) {
    for (size_t i = 0; i < file_count; i++) {
        close(files[i].fd);
        free(files[i].path);
    }
    free(files);
    files = NULL;
    file_count = file_capacity = 0;
}

bool supplied_any(void) {
    return file_count > 0;
}

static const Supplied *find(const char *path) {
    for (size_t i = 0; i < file_count; i++)
        if (strcmp(files[i].path, path) == 0)
            return &files[i];
    return NULL;
}

int supplied_open(const char *path) {
    const Supplied *file = find(path);
    char name[64];
    if (file == NULL) {
        errno = ENOENT;
        return -1;
    }
    // By its name, so that every reader has a place of its own in it.
    snprintf(name, sizeof name, "/proc/self/fd/%d", file->fd);
    return open(name, O_RDONLY | O_CLOEXEC);
}

bool supplied_or_there(const char *path) {
    return supplied_any() ? find(path) != NULL : access(path, F_OK) == 0;
}
