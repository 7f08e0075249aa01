// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/folder.h"

#include "base/str.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static Status make_one(const char *path) {
    if (mkdir(path, 0777) == 0 || errno == EEXIST)
        return OK;
    return error_set(ERR_IO, "%s: %s", path, strerror(errno));
}

Status folder_create(const char *path) {
    Str part = {0};
    Status status = path[0] != '\0' ? OK : error_set(ERR_ARG, "a folder needs a name");
    const size_t length = strlen(path);
    for (size_t i = 1; i <= length && status == OK; i++)
        if (path[i] == '/' || i == length) {
            str_clear(&part);
            str_append(&part, path, i);
            status = make_one(str_text(&part));
        }
    str_free(&part);
    return status;
}

Status folder_lock(const char *path, const char *what, int *lock) {
    *lock = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (*lock < 0)
        return error_set(ERR_IO, "%s: %s", path, strerror(errno));
    // File systems that know no locks answer otherwise; there the user has to take care.
    if (flock(*lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        folder_unlock(*lock);
        *lock = -1;
        return error_set(ERR_ARG, "%s: another process is working on this %s", path, what);
    }
    return OK;
}

void folder_unlock(int lock) {
    if (lock >= 0)
        close(lock);
}
