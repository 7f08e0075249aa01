// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/temporary.h"

#include "base/str.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

static const char infix[] = ".falconer-", ending[] = ".tmp";
static const char letters[] = "abcdefghijklmnopqrstuvwxyz234567"; // 5 bits each
enum {
    RANDOM_LETTERS = 6,
    INFIX_LENGTH = sizeof infix - 1,
    ENDING_LENGTH = sizeof ending - 1,
    ADDED = INFIX_LENGTH + RANDOM_LETTERS + ENDING_LENGTH,
    NEW_FILE_MODE = 0666,
    TRIES_MAX = 100,
};

// --- names ---

// Where the last part of a path begins.
static size_t last_part(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash == NULL ? 0 : (size_t)(slash - path) + 1;
}

// A name near the limit is cut, so that what is added fits.
static StrView stem_of(const char *target) {
    const char *name = target + last_part(target);
    const size_t length = strlen(name), most = NAME_MAX - ADDED;
    return view_of(name, length < most ? length : most);
}

static char *name_for(const char *target) {
    const StrView stem = stem_of(target);
    uint32_t bits = 0;
    Str name = {0};
    // The random pool is always there; without it O_EXCL and the next try still hold.
    (void)!getrandom(&bits, sizeof bits, 0);
    str_append(&name, target, last_part(target));
    str_append(&name, stem.text, stem.length);
    str_add(&name, infix);
    for (int i = 0; i < RANDOM_LETTERS; i++, bits >>= 5)
        str_append(&name, &letters[bits % 32], 1);
    str_add(&name, ending);
    return name.text;
}

static bool is_temporary(const char *name) {
    const size_t length = strlen(name);
    if (length <= ADDED)
        return false;
    const char *added = name + length - ADDED;
    return memcmp(added, infix, INFIX_LENGTH) == 0 &&
           strspn(added + INFIX_LENGTH, letters) == RANDOM_LETTERS &&
           strcmp(added + INFIX_LENGTH + RANDOM_LETTERS, ending) == 0;
}

static bool is_temporary_of(const char *name, StrView stem) {
    return is_temporary(name) && strlen(name) == stem.length + ADDED &&
           memcmp(name, stem.text, stem.length) == 0;
}

// --- sweeping ---

static bool is_same_file(int folder, const char *name, const struct stat *file) {
    struct stat named;
    return fstatat(folder, name, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
           named.st_dev == file->st_dev && named.st_ino == file->st_ino;
}

// Only a plain file whose lock can be had: where there are no locks, nothing is removed.
static void remove_if_left(int folder, const char *name) {
    const int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    struct stat info;
    if (fd < 0)
        return;
    if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && flock(fd, LOCK_EX | LOCK_NB) == 0 &&
        is_same_file(folder, name, &info))
        (void)unlinkat(folder, name, 0);
    close(fd);
}

// NULL as `stem`: those of any target.
static void sweep(const char *directory, const StrView *stem) {
    DIR *folder = opendir(directory);
    if (folder == NULL)
        return;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;)
        if (stem == NULL ? is_temporary(entry->d_name) : is_temporary_of(entry->d_name, *stem))
            remove_if_left(dirfd(folder), entry->d_name);
    closedir(folder);
}

void temporary_sweep_target(const char *target) {
    const StrView stem = stem_of(target);
    CLEANUP(str_free) Str directory = {0};
    str_append(&directory, target, last_part(target));
    sweep(directory.length == 0 ? "." : str_text(&directory), &stem);
}

void temporary_sweep_folder(const char *directory) {
    sweep(directory, NULL);
}

// --- creating ---

// False when somebody swept it away between its creation and its lock.
static bool lock(int fd, const char *name) {
    struct stat info;
    if (flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        return false;
    return fstat(fd, &info) == 0 && is_same_file(AT_FDCWD, name, &info);
}

// False, with errno, where it cannot be; EEXIST where another name may do.
static bool try_one(const char *name, mode_t mode, int *fd) {
    *fd = open(name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
    if (*fd < 0)
        return false;
    if (lock(*fd, name))
        return true;
    close(*fd);
    *fd = -1;
    errno = EEXIST;
    return false;
}

Status temporary_create(const char *target, char **name, int *fd) {
    struct stat old;
    const bool is_there = stat(target, &old) == 0;
    // The kernel takes off the umask. What is private stays so from the first moment.
    const mode_t mode = is_there ? old.st_mode & 0777 : NEW_FILE_MODE;
    bool is_made = false;
    errno = EEXIST;
    for (int i = 0; i < TRIES_MAX && !is_made && errno == EEXIST; i++) {
        free(i == 0 ? NULL : *name);
        *name = name_for(target);
        is_made = try_one(*name, mode, fd);
    }
    if (is_made) {
        if (is_there)
            (void)fchmod(*fd, old.st_mode & 07777);
        return OK;
    }
    const int reason = errno;
    free(*name);
    *name = NULL;
    return error_set(ERR_IO, "cannot write beside it: %s", strerror(reason));
}
