// SPDX-License-Identifier: GPL-3.0-or-later
#include "serve/plain_file.h"

#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { READ_FLAGS = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY };

int plain_open(const char *path) {
    struct open_how how = {.flags = READ_FLAGS, .resolve = RESOLVE_NO_SYMLINKS};
    struct stat info;
    int file = (int)syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof how);
    // Where the system does not know the call, links are refused at the end of the path alone.
    if (file < 0 && (errno == ENOSYS || errno == EPERM))
        file = open(path, READ_FLAGS);
    if (file < 0)
        return -1;
    if (fstat(file, &info) == 0 && S_ISREG(info.st_mode))
        return file;
    close(file);
    errno = EINVAL;
    return -1;
}

static void close_at(int *file) {
    if (*file >= 0)
        close(*file);
}

static Status read_part(int file, uint64_t from, size_t length, Str *out) {
    str_reserve(out, length + 1);
    for (size_t done = 0; done < length;) {
        const ssize_t got =
            pread(file, out->text + out->length, length - done, (off_t)(from + done));
        if (got <= 0)
            return error_set(ERR_IO, "%s", got == 0 ? "ends too early" : strerror(errno));
        done += (size_t)got;
        out->length += (size_t)got;
        out->text[out->length] = '\0';
    }
    return OK;
}

Status plain_read_part(const char *path, uint64_t from, size_t length, Str *out) {
    CLEANUP(close_at) int file = plain_open(path);
    if (file < 0)
        return error_set(ERR_IO, "%s: %s", path, strerror(errno));
    TRY_PREFIX(read_part(file, from, length, out), "%s", path);
    return OK;
}

Status plain_read(const char *path, size_t max, Str *out) {
    CLEANUP(close_at) int file = plain_open(path);
    struct stat info;
    if (file < 0 || fstat(file, &info) != 0)
        return error_set(ERR_IO, "%s: %s", path, strerror(errno));
    if ((size_t)info.st_size > max)
        return error_set(ERR_LIMIT, "%s: more than %zu bytes", path, max);
    TRY_PREFIX(read_part(file, 0, (size_t)info.st_size, out), "%s", path);
    return OK;
}

bool plain_exists(const char *path) {
    CLEANUP(close_at) int file = plain_open(path);
    return file >= 0;
}
