// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/stream.h"

#include "base/mem.h"
#include "base/supplied.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

// --- a cut gzip file ---

enum { INPUT_SIZE = 1 << 16, GZIP_WINDOW = 15 + 16 };

// The bytes of a damaged or cut gzip file up to the damage: libarchive keeps back the last 64 KiB.
typedef struct Gunzip {
    z_stream stream;
    int fd;
    off_t offset; // of what is read next
    bool is_over;
    unsigned char input[INPUT_SIZE];
} Gunzip;

// Reads the file from its front; the position of `fd` is kept. NULL when there is no memory.
static Gunzip *gunzip_open(int fd) {
    Gunzip *gunzip = mem_alloc_zero(1, sizeof *gunzip);
    gunzip->fd = fd;
    if (inflateInit2(&gunzip->stream, GZIP_WINDOW) == Z_OK)
        return gunzip;
    free(gunzip);
    return NULL;
}

// False at the end of the file, or where it cannot be read.
static bool refill(Gunzip *gunzip) {
    const ssize_t got = pread(gunzip->fd, gunzip->input, INPUT_SIZE, gunzip->offset);
    if (got <= 0)
        return false;
    gunzip->offset += got;
    gunzip->stream.next_in = gunzip->input;
    gunzip->stream.avail_in = (unsigned)got;
    return true;
}

// Fills the buffer as far as bytes can be had; fewer than `size` are the last.
static size_t gunzip_read(Gunzip *gunzip, void *buffer, size_t size) {
    z_stream *stream = &gunzip->stream;
    size_t done = 0;
    while (done < size && !gunzip->is_over) {
        if (stream->avail_in == 0 && !refill(gunzip)) {
            gunzip->is_over = true;
            break;
        }
        const size_t room = size - done < INPUT_SIZE ? size - done : INPUT_SIZE;
        stream->next_out = (unsigned char *)buffer + done;
        stream->avail_out = (unsigned)room;
        const int code = inflate(stream, Z_SYNC_FLUSH);
        done += room - stream->avail_out;
        // Several files may be packed one behind the other.
        gunzip->is_over = code == Z_STREAM_END ? inflateReset(stream) != Z_OK
                                               : code != Z_OK && code != Z_BUF_ERROR;
    }
    return done;
}

static void gunzip_close(Gunzip *gunzip) {
    if (gunzip == NULL)
        return;
    inflateEnd(&gunzip->stream);
    free(gunzip);
}

// --- files and archives ---

enum { CHUNK = 1 << 16 };

struct Stream {
    char *name;
    int fd;
    uint64_t bytes_read, bytes_there;
    struct archive *archive; // NULL for plain text
    const void *block;       // what libarchive unpacked and was not read yet
    size_t block_left;
    bool in_member;           // a member's data is being read
    uint64_t unpacked;        // bytes given so far, of an archive
    bool is_gzip, is_binary;  // by the first bytes; no text begins with control characters
    Gunzip *rest;             // reads on where libarchive gave up, NULL before
    char *message;            // why it did, reported behind the last byte
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

// What libarchive calls to get bytes.
static la_ssize_t feed_archive(struct archive *archive, void *context, const void **out) {
    Stream *stream = context;
    *out = stream->chunk;
    if (stream->ahead != 0) {
        size_t count = stream->ahead;
        stream->ahead = 0;
        return (la_ssize_t)count;
    }
    size_t got;
    if (read_file(stream, stream->chunk, sizeof stream->chunk, &got) != OK) {
        archive_set_error(archive, errno, "%s", strerror(errno));
        return -1;
    }
    return (la_ssize_t)got;
}

static Status fail_with_archive(const Stream *stream) {
    const char *why = archive_error_string(stream->archive);
    return error_set(ERR_IO, "%s: damaged or truncated archive: %s", stream->name,
                     why == NULL ? "it ends too soon" : why);
}

// libarchive failed. Of a packed text what it keeps back is given before the failure is told; of
// several members, or of a pipe, it cannot be had.
static Status give_the_rest(Stream *stream, Status status) {
    char passed[4096];
    const int format = archive_format(stream->archive);
    if (!stream->is_gzip || stream->bytes_there == 0 ||
        (format != 0 && format != ARCHIVE_FORMAT_RAW))
        return status;
    stream->message = mem_copy_string(error_message());
    stream->rest = gunzip_open(stream->fd);
    for (uint64_t left = stream->unpacked; stream->rest != NULL && left > 0;) {
        const size_t count = left < sizeof passed ? (size_t)left : sizeof passed;
        if (gunzip_read(stream->rest, passed, count) < count)
            break;
        left -= count;
    }
    return stream->rest != NULL ? OK : status;
}

static Status read_rest(Stream *stream, char *buffer, size_t size, size_t *got) {
    *got = gunzip_read(stream->rest, buffer, size);
    return *got == size ? OK : error_set(ERR_IO, "%s", stream->message);
}

static Status open_archive(Stream *stream) {
    stream->archive = archive_read_new();
    if (stream->archive == NULL)
        return error_set(ERR_LIMIT, "%s: no memory to unpack it", stream->name);
    archive_read_support_filter_all(stream->archive);
    // Not all formats: some are known by text so plain that games would pass for them.
    archive_read_support_format_zip(stream->archive);
    archive_read_support_format_7zip(stream->archive);
    archive_read_support_format_rar(stream->archive);
    archive_read_support_format_rar5(stream->archive);
    archive_read_support_format_tar(stream->archive);
    archive_read_support_format_raw(stream->archive);
    stream->is_binary = (unsigned char)(stream->chunk[0] - ' ') > '~' - ' ' ||
                        (unsigned char)(stream->chunk[1] - ' ') > '~' - ' ';
    stream->is_gzip = stream->ahead >= 2 && memcmp(stream->chunk, "\x1f\x8b", 2) == 0;
    if (archive_read_open(stream->archive, stream, NULL, feed_archive, NULL) != ARCHIVE_OK)
        return give_the_rest(stream, fail_with_archive(stream));
    return OK;
}

// A file that ends in the header of its packing is none to libarchive, which takes it for text.
static Status check_filter(const Stream *stream) {
    if (!stream->is_binary || archive_format(stream->archive) != ARCHIVE_FORMAT_RAW ||
        archive_filter_code(stream->archive, 0) != ARCHIVE_FILTER_NONE)
        return OK;
    return error_set(ERR_IO, "%s: damaged or truncated archive: it ends in its header",
                     stream->name);
}

// Goes to the next member that is a file; `*found` is false after the last.
static Status next_member(Stream *stream, bool *found) {
    struct archive_entry *entry;
    *found = false;
    for (;;) {
        int code = archive_read_next_header(stream->archive, &entry);
        if (code == ARCHIVE_EOF)
            return OK;
        if (code < ARCHIVE_WARN)
            return fail_with_archive(stream);
        mode_t type = archive_entry_filetype(entry);
        if (type != 0 && type != AE_IFREG)
            continue;
        *found = true;
        return check_filter(stream);
    }
}

// Makes some bytes of the current block available, going on to the next block or member as needed.
// A seam between members is a line break, so that the last line of one and the first of the next
// stay two lines. (archive_read_data would lose what came before a damage.)
static Status next_block(Stream *stream, bool *found) {
    *found = true;
    if (!stream->in_member) {
        TRY(next_member(stream, &stream->in_member));
        *found = stream->in_member;
        return OK;
    }
    la_int64_t offset;
    int code =
        archive_read_data_block(stream->archive, &stream->block, &stream->block_left, &offset);
    if (code == ARCHIVE_EOF) {
        stream->in_member = false;
        stream->block = "\n";
        stream->block_left = 1;
        return OK;
    }
    if (code == ARCHIVE_OK || code == ARCHIVE_WARN)
        return OK;
    stream->block_left = 0;
    return fail_with_archive(stream);
}

static Status read_archive(Stream *stream, char *buffer, size_t size, size_t *got) {
    *got = 0;
    while (*got < size) {
        if (stream->block_left == 0) {
            bool found;
            Status status = next_block(stream, &found);
            if (status == OK && !found)
                return OK;
            if (status != OK)
                status = give_the_rest(stream, status);
            if (status != OK)
                return status;
        }
        if (stream->rest != NULL) {
            size_t more;
            const Status status = read_rest(stream, buffer + *got, size - *got, &more);
            *got += more;
            return status;
        }
        size_t count = size - *got < stream->block_left ? size - *got : stream->block_left;
        if (count == 0)
            continue; // an empty member has no block
        memcpy(buffer + *got, stream->block, count);
        stream->block = (const char *)stream->block + count;
        stream->block_left -= count;
        stream->unpacked += count;
        *got += count;
    }
    return OK;
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
    return is_packed(stream->chunk, stream->ahead) ? open_archive(stream) : OK;
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
    if (stream->rest != NULL)
        return read_rest(stream, buffer, size, got);
    if (stream->archive != NULL)
        return read_archive(stream, buffer, size, got);
    return read_plain(stream, buffer, size, got);
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
    if (stream->archive != NULL)
        archive_read_free(stream->archive);
    if (stream->fd > STDIN_FILENO)
        close(stream->fd);
    gunzip_close(stream->rest);
    free(stream->message);
    free(stream->name);
    free(stream);
}
