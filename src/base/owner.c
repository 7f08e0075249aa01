// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/owner.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static Status check(const struct stat *is, const char *path) {
    const uid_t user = geteuid();
    if (is->st_uid != user && is->st_uid != 0)
        return error_set(ERR_ARG, "%s belongs to another user (number %lu)", path,
                         (unsigned long)is->st_uid);
    if ((is->st_mode & S_IWOTH) != 0)
        return error_set(ERR_ARG, "%s can be written by everybody", path);
    if ((is->st_mode & S_IWGRP) != 0 && is->st_gid != user)
        return error_set(ERR_ARG, "%s can be written by a group (number %lu)", path,
                         (unsigned long)is->st_gid);
    return OK;
}

Status owner_check(const char *path) {
    struct stat is;
    if (stat(path, &is) != 0)
        return error_set(ERR_IO, "%s: %s", path, strerror(errno));
    return check(&is, path);
}

Status owner_check_open(int descriptor, const char *path) {
    struct stat is;
    if (fstat(descriptor, &is) != 0)
        return error_set(ERR_IO, "%s: %s", path, strerror(errno));
    return check(&is, path);
}
