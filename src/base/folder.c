// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/folder.h"

#include "base/str.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAMES_TOLD = 4 };

static Status make_one(const char *path) {
    if (mkdir(path, 0777) == 0 || errno == EEXIST)
        return OK;
    return error_set(ERR_IO, "%s: %s", path, strerror(errno));
}

Status folder_create(const char *path) {
    CLEANUP(str_free) Str part = {0};
    const size_t length = strlen(path);
    if (length == 0)
        return error_set(ERR_ARG, "a folder needs a name");
    for (size_t i = 1; i <= length; i++)
        if (path[i] == '/' || i == length) {
            str_clear(&part);
            str_append(&part, path, i);
            TRY(make_one(str_text(&part)));
        }
    return OK;
}

static bool is_written(const char *name, const char *const *patterns) {
    while (*patterns != NULL && fnmatch(*patterns, name, FNM_PERIOD) != 0)
        patterns++;
    return *patterns != NULL;
}

Status folder_check_unused(const char *path, const char *const *patterns, const char *what) {
    struct dirent **entries;
    const int count = scandir(path, &entries, NULL, alphasort);
    CLEANUP(str_free) Str names = {0};
    int found = 0;
    if (count < 0)
        return errno == ENOENT ? OK : error_set(ERR_IO, "%s: %s", path, strerror(errno));
    for (int i = 0; i < count; i++) {
        if (is_written(entries[i]->d_name, patterns) && found++ < NAMES_TOLD)
            str_addf(&names, "%s%s", names.length == 0 ? "" : ", ", entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    if (found > NAMES_TOLD)
        str_addf(&names, " and %d more", found - NAMES_TOLD);
    if (found == 0)
        return OK;
    return error_set(ERR_ARG,
                     "%s holds %s, which %s would write over: move what is yours away, or name "
                     "another folder",
                     path, str_text(&names), what);
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
