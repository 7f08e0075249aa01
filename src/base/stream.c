// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/stream.h"

#include "base/mem.h"
#include "base/packing.h"
#include "base/supplied.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CHUNK = 1 << 16 };

struct Stream {
    char *name;
    int fd;
    uint64_t bytes_read, bytes_there;
    Unpacker *unpacker;       // NULL for plain text
    size_t ahead, ahead_used; // bytes of `chunk` read before it was known what the file is
    char chunk[CHUNK];
};

static Status fail_with_errno(const Stream *stream) {
    return error_set(ERR_IO, "%s: %s", stream->name, strerror(errno));
}

// Reads until `size` bytes or the end.
static Status read_file(Stream *stream, char *buffer, size_t size, size_t *got) {
    *got = 0;
    while (*got < size) {
        ssize_t count = read(stream->fd, buffer + *got, size - *got);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return fail_with_errno(stream);
        if (count == 0)
            break;
        *got += (size_t)count;
        stream->bytes_read += (uint64_t)count;
    }
    return OK;
}

// The first bytes of what we know to be packed; everything else is text. (Asking libarchive alone
// would take a text that happens to look like one of its rarer formats for an archive.)
static bool is_packed(const char *text, size_t length) {
    static const struct {
        const char *bytes;
        size_t length;
    } signatures[] = {
        {"\x1f\x8b", 2}, // gzip
        {"\x1f\x9d", 2}, // compress
        {"BZh", 3},      // bzip2
        {"\xfd"
         "7zXZ",
         5},                       // xz
        {"\x28\xb5\x2f\xfd", 4},   // zstd
        {"\x04\x22\x4d\x18", 4},   // lz4
        {"PK\x03\x04", 4},         // zip
        {"PK\x05\x06", 4},         // zip without members
        {"7z\xbc\xaf\x27\x1c", 6}, // 7-zip
        {"Rar!\x1a\x07", 6},       // rar
        {"LZIP", 4},               // lzip
    };
    for (size_t i = 0; i < sizeof signatures / sizeof signatures[0]; i++)
        if (length >= signatures[i].length &&
            memcmp(text, signatures[i].bytes, signatures[i].length) == 0)
            return true;
    return length > 262 && memcmp(text + 257, "ustar", 5) == 0; // tar
}

// What an unpacker calls to get bytes.
static Status feed(void *context, const void **bytes, size_t *count) {
    Stream *stream = context;
    *bytes = stream->chunk;
    *count = stream->ahead;
    stream->ahead = 0;
    return *count != 0 ? OK : read_file(stream, stream->chunk, sizeof stream->chunk, count);
}

static Status open_packed(Stream *stream) {
    const PackedInput input = {
        .name = stream->name,
        .head = stream->chunk,
        .head_size = stream->ahead,
        .fd = stream->bytes_there > 0 ? stream->fd : -1,
        .more = feed,
        .context = stream,
    };
    return unpacker_open(&stream->unpacker, &input);
}

static Status read_plain(Stream *stream, char *buffer, size_t size, size_t *got) {
    size_t first = stream->ahead - stream->ahead_used;
    first = first < size ? first : size;
    memcpy(buffer, stream->chunk + stream->ahead_used, first);
    stream->ahead_used += first;
    Status status = read_file(stream, buffer + first, size - first, got);
    *got += first;
    return status;
}

static Status open_file(Stream *stream, const char *path) {
    if (supplied_any())
        stream->fd = supplied_open(path);
    else
        stream->fd = strcmp(path, "-") == 0 ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (stream->fd < 0)
        return fail_with_errno(stream);
    struct stat info;
    if (fstat(stream->fd, &info) != 0)
        return fail_with_errno(stream);
    if (S_ISDIR(info.st_mode))
        return error_set(ERR_IO, "%s: is a directory, not a file", stream->name);
    if (S_ISREG(info.st_mode)) {
        stream->bytes_there = (uint64_t)info.st_size;
        (void)posix_fadvise(stream->fd, 0, 0, POSIX_FADV_SEQUENTIAL);
    }
    return OK;
}

static Status find_out_kind(Stream *stream) {
    TRY(read_file(stream, stream->chunk, sizeof stream->chunk, &stream->ahead));
    if (stream->ahead == 0)
        return error_set(ERR_IO, "%s: the file is empty", stream->name);
    return is_packed(stream->chunk, stream->ahead) ? open_packed(stream) : OK;
}

Status stream_open(Stream **out, const char *path) {
    CLEANUP(stream_close_at) Stream *stream = mem_alloc_zero(1, sizeof *stream);
    *out = NULL;
    stream->name = mem_copy_string(strcmp(path, "-") == 0 ? "standard input" : path);
    TRY(open_file(stream, path));
    TRY(find_out_kind(stream));
    *out = TAKE(stream);
    return OK;
}

Status stream_read(Stream *stream, void *buffer, size_t size, size_t *got) {
    return stream->unpacker != NULL ? unpacker_read(stream->unpacker, buffer, size, got)
                                    : read_plain(stream, buffer, size, got);
}

uint64_t stream_bytes_read(const Stream *stream) {
    return stream->bytes_read;
}

uint64_t stream_bytes_there(const Stream *stream) {
    return stream->bytes_there;
}

const char *stream_name(const Stream *stream) {
    return stream->name;
}

void stream_close(Stream *stream) {
    if (stream == NULL)
        return;
    unpacker_close(stream->unpacker);
    if (stream->fd > STDIN_FILENO)
        close(stream->fd);
    free(stream->name);
    free(stream);
}
