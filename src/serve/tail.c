// SPDX-License-Identifier: GPL-3.0-or-later
#include "serve/tail.h"

#include "base/mem.h"
#include "serve/plain_file.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TAIL_BLOCK = 1 << 18 };

static int64_t change_ns(const struct stat *info) {
    return info->st_mtim.tv_sec * INT64_C(1000000000) + info->st_mtim.tv_nsec;
}

static bool is_new(const Tail *tail, const struct stat *info) {
    return info->st_ino != tail->file || (uint64_t)info->st_size != tail->size ||
           change_ns(info) != tail->time_ns;
}

bool tail_has_news(const Tail *tail, const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && is_new(tail, &info);
}

bool tail_note_news(Tail *tail, const char *path) {
    struct stat info;
    if (stat(path, &info) != 0 || !is_new(tail, &info))
        return false;
    *tail =
        (Tail){.file = info.st_ino, .size = (uint64_t)info.st_size, .time_ns = change_ns(&info)};
    return true;
}

// Hands out the whole lines of a block; returns how many bytes they took.
static size_t take_lines(char *block, size_t length, uint64_t at, const TailEvents *events) {
    size_t done = 0;
    for (;;) {
        char *end = memchr(block + done, '\n', length - done);
        if (end == NULL)
            return done;
        *end = '\0';
        events->take(events->context, view_of(block + done, (size_t)(end - block) - done),
                     at + done);
        done = (size_t)(end - block) + 1;
    }
}

static Status read_lines(int file, Tail *tail, const TailEvents *events) {
    size_t capacity = TAIL_BLOCK, held = 0;
    CLEANUP(mem_free_at) char *block = mem_alloc(capacity);
    for (;;) {
        const ssize_t got =
            pread(file, block + held, capacity - held, (off_t)(tail->read_to + held));
        if (got < 0)
            return error_set(ERR_IO, "%s", strerror(errno));
        if (got == 0)
            return OK;
        held += (size_t)got;
        const size_t done = take_lines(block, held, tail->read_to, events);
        tail->read_to += done;
        held -= done;
        memmove(block, block + done, held);
        if (held < capacity)
            continue;
        if (capacity >= TAIL_LINE_MAX)
            return error_set(ERR_LIMIT, "a line of more than %d bytes", TAIL_LINE_MAX);
        block = mem_resize(block, capacity *= 2);
    }
}

static Status read_open(int file, Tail *tail, const TailEvents *events) {
    struct stat info;
    if (fstat(file, &info) != 0)
        return error_set(ERR_IO, "%s", strerror(errno));
    if (info.st_ino != tail->file || (uint64_t)info.st_size < tail->read_to) {
        *tail = (Tail){.file = info.st_ino};
        events->restart(events->context);
    }
    tail->size = (uint64_t)info.st_size;
    tail->time_ns = change_ns(&info);
    return read_lines(file, tail, events);
}

Status tail_read(Tail *tail, const char *path, const TailEvents *events) {
    const int file = plain_open(path);
    if (file < 0)
        return errno == ENOENT ? OK : error_set(ERR_IO, "%s: %s", path, strerror(errno));
    const Status status = read_open(file, tail, events);
    close(file);
    if (status != OK)
        error_prefix("%s", path);
    return status;
}
