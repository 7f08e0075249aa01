// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/file.h"

#include "base/mem.h"
#include "base/pack.h"
#include "base/stream.h"
#include "base/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BUFFER_SIZE = 1 << 16 };

struct OutFile {
    char *path;      // what the user named
    char *target;    // the same with symbolic links resolved
    char *temporary; // NULL when written directly
    Packer *packer;  // NULL when written as it is
    int fd;
    size_t used;
    char buffer[BUFFER_SIZE];
};

static Status fail(const OutFile *file, const char *what) {
    return error_set(ERR_IO, "%s: %s: %s", file->path, what, strerror(errno));
}

static void outfile_free(OutFile *file) {
    packer_free(file->packer);
    if (file->fd >= 0)
        close(file->fd);
    free(file->path);
    free(file->target);
    free(file->temporary);
    free(file);
}

static Status open_beside(OutFile *file) {
    temporary_sweep_target(file->target);
    const Status status = temporary_create(file->target, &file->temporary, &file->fd);
    if (status != OK)
        error_prefix("%s", file->path);
    return status;
}

// As a PackSink: the bytes go to the disk as they are.
static Status write_all(void *context, const void *bytes, size_t size) {
    const OutFile *file = context;
    const char *data = bytes;
    while (size > 0) {
        ssize_t count = write(file->fd, data, size);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return fail(file, "cannot be written");
        data += count;
        size -= (size_t)count;
    }
    return OK;
}

static bool is_named_zst(const char *path) {
    size_t length = strlen(path);
    return length > 4 && strcmp(path + length - 4, ".zst") == 0;
}

Status outfile_open(OutFile **out, const char *path) {
    OutFile *file = mem_alloc_zero(1, sizeof *file);
    file->fd = -1;
    file->path = mem_copy_string(path);
    char *resolved = realpath(path, NULL);
    file->target = resolved != NULL ? resolved : mem_copy_string(path);
    struct stat info;
    Status status = OK;
    bool exists = stat(file->target, &info) == 0;
    if (exists && S_ISDIR(info.st_mode)) {
        status = error_set(ERR_IO, "%s: is a directory, not a file", path);
    } else if (exists && !S_ISREG(info.st_mode)) {
        file->fd = open(file->target, O_WRONLY | O_CLOEXEC);
        status = file->fd < 0 ? fail(file, "cannot be written") : OK;
    } else {
        status = open_beside(file);
    }
    if (status == OK && is_named_zst(path))
        status = packer_open(&file->packer, write_all, file);
    if (status != OK) {
        outfile_discard(file);
        file = NULL;
    }
    *out = file;
    return status;
}

static Status put_out(OutFile *file, const void *data, size_t size) {
    return file->packer == NULL ? write_all(file, data, size)
                                : packer_write(file->packer, data, size);
}

static Status flush(OutFile *file) {
    size_t used = file->used;
    file->used = 0;
    return put_out(file, file->buffer, used);
}

Status outfile_write(OutFile *file, const void *data, size_t size) {
    if (size > sizeof file->buffer - file->used) {
        Status status = flush(file);
        if (status != OK)
            return status;
        if (size >= sizeof file->buffer)
            return put_out(file, data, size);
    }
    if (size > 0)
        memcpy(file->buffer + file->used, data, size);
    file->used += size;
    return OK;
}

// A rename is on disk only when its directory is.
static void sync_directory(const char *target) {
    char *copy = mem_copy_string(target);
    int fd = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    free(copy);
    if (fd < 0)
        return;
    (void)fsync(fd);
    close(fd);
}

static Status finish(OutFile *file) {
    Status status = flush(file);
    if (status == OK && file->packer != NULL)
        status = packer_finish(file->packer);
    if (status != OK || file->temporary == NULL)
        return status;
    if (fsync(file->fd) != 0)
        return fail(file, "cannot be written");
    // Another descriptor holds the lock until the temporary has its name.
    const int fd = file->fd;
    file->fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    if (close(fd) != 0)
        return fail(file, "cannot be written");
    if (rename(file->temporary, file->target) != 0)
        return fail(file, "cannot be replaced");
    sync_directory(file->target);
    free(file->temporary);
    file->temporary = NULL;
    return OK;
}

Status outfile_commit(OutFile *file) {
    Status status = finish(file);
    outfile_discard(file);
    return status;
}

void outfile_discard(OutFile *file) {
    if (file == NULL)
        return;
    if (file->temporary != NULL)
        unlink(file->temporary);
    outfile_free(file);
}

Status file_write(const char *path, const void *data, size_t size) {
    OutFile *file;
    Status status = outfile_open(&file, path);
    if (status != OK)
        return status;
    status = outfile_write(file, data, size);
    if (status == OK)
        return outfile_commit(file);
    outfile_discard(file);
    return status;
}

Status file_read(const char *path, size_t max, Str *out) {
    Stream *stream;
    Status status = stream_open(&stream, path);
    if (status != OK)
        return status;
    // The size of a plain file is known: one byte more than that finds its end.
    size_t first = (size_t)stream_bytes_there(stream) + 1;
    size_t room = first > BUFFER_SIZE && first <= max ? first : BUFFER_SIZE;
    size_t got = room, total = 0;
    while (status == OK && got == room) {
        room = total == 0 ? room : BUFFER_SIZE;
        out->text = mem_grow(out->text, &out->capacity, out->length + room + 1, 1);
        status = stream_read(stream, out->text + out->length, room, &got);
        total += got;
        if (status == OK && total > max)
            status = error_set(ERR_LIMIT, "%s: more than %zu bytes", path, max);
        if (status == OK)
            out->length += got;
        out->text[out->length] = '\0';
    }
    stream_close(stream);
    return status;
}

Status file_read_raw(const char *path, Str *out) {
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat info;
    if (fd < 0)
        return error_set(ERR_IO, "%s: %s", path, strerror(errno));
    Status status = OK;
    if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode))
        status = error_set(ERR_IO, "%s: is no plain file, which could be read twice", path);
    ssize_t count = 1;
    while (status == OK && count > 0) {
        const size_t room = out->length == 0 ? (size_t)info.st_size + 1 : BUFFER_SIZE;
        out->text = mem_grow(out->text, &out->capacity, out->length + room + 1, 1);
        count = read(fd, out->text + out->length, room);
        if (count < 0 && errno == EINTR)
            count = 1;
        else if (count < 0)
            status = error_set(ERR_IO, "%s: %s", path, strerror(errno));
        else
            out->length += (size_t)count;
        out->text[out->length] = '\0';
    }
    close(fd);
    return status;
}
