// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/file.h"

#include "base/mem.h"
#include "base/packing.h"
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

// The bytes go to the disk as they are.
static Status write_all(const OutFile *file, const char *data, size_t size) {
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

// --- writing ---

static void outfile_free(OutFile *file) {
    packer_close(file->packer);
    if (file->fd >= 0)
        close(file->fd);
    free(file->path);
    free(file->target);
    free(file->temporary);
    free(file);
}

static Status open_beside(OutFile *file) {
    temporary_sweep_target(file->target);
    TRY_PREFIX(temporary_create(file->target, &file->temporary, &file->fd), "%s", file->path);
    return OK;
}

// Opens what is there already, where it is no plain file, or else a temporary beside it.
static Status open_target(OutFile *file) {
    struct stat info;
    if (stat(file->target, &info) != 0 || S_ISREG(info.st_mode))
        return open_beside(file);
    if (S_ISDIR(info.st_mode))
        return error_set(ERR_IO, "%s: is a directory, not a file", file->path);
    file->fd = open(file->target, O_WRONLY | O_CLOEXEC);
    return file->fd < 0 ? fail(file, "cannot be written") : OK;
}

// What a packer calls to get rid of bytes.
static Status take_packed(void *context, const void *bytes, size_t count) {
    return write_all(context, bytes, count);
}

Status outfile_open(OutFile **out, const char *path) {
    CLEANUP(outfile_discard_at) OutFile *file = mem_alloc_zero(1, sizeof *file);
    char *resolved = realpath(path, NULL);
    *out = NULL;
    file->fd = -1;
    file->path = mem_copy_string(path);
    file->target = resolved != NULL ? resolved : mem_copy_string(path);
    TRY(open_target(file));
    if (str_ends_with(path, ".zst"))
        TRY(packer_open(&file->packer, &(PackedOutput){take_packed, file}));
    *out = TAKE(file);
    return OK;
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
        TRY(flush(file));
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
    CLEANUP(mem_free_at) char *copy = mem_copy_string(target);
    int fd = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return;
    (void)fsync(fd);
    close(fd);
}

static Status finish(OutFile *file) {
    TRY(flush(file));
    if (file->packer != NULL)
        TRY(packer_finish(file->packer));
    if (file->temporary == NULL)
        return OK;
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
    CLEANUP(outfile_discard_at) OutFile *file = NULL;
    TRY(outfile_open(&file, path));
    TRY(outfile_write(file, data, size));
    return outfile_commit(TAKE(file));
}

// --- reading ---

Status file_read(const char *path, size_t max, Str *out) {
    CLEANUP(stream_close_at) Stream *stream = NULL;
    Status status = OK;
    TRY(stream_open(&stream, path));
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
    return status;
}

Status file_read_raw(const char *path, Str *out) {
    CLEANUP(file_close_at) FILE *file = fopen(path, "rbe");
    struct stat info;
    if (file == NULL)
        return error_set(ERR_IO, "%s: %s", path, strerror(errno));
    if (fstat(fileno(file), &info) != 0 || !S_ISREG(info.st_mode))
        return error_set(ERR_IO, "%s: is no plain file, which could be read twice", path);
    for (size_t count = 1; count > 0; out->length += count) {
        const size_t room = out->length == 0 ? (size_t)info.st_size + 1 : BUFFER_SIZE;
        out->text = mem_grow(out->text, &out->capacity, out->length + room + 1, 1);
        count = fread(out->text + out->length, 1, room, file);
        out->text[out->length + count] = '\0';
    }
    return ferror(file) ? error_set(ERR_IO, "%s: %s", path, strerror(errno)) : OK;
}
