// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/packing.h"

#include "base/mem.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
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

// --- unpacking ---

struct Unpacker {
    PackedInput input;
    struct archive *archive;
    const void *block; // what libarchive unpacked and was not read yet
    size_t block_left;
    bool in_member;          // a member's data is being read
    uint64_t unpacked;       // bytes given so far
    bool is_gzip, is_binary; // by the first bytes; no text begins with control characters
    Gunzip *rest;            // reads on where libarchive gave up, NULL before
    char *message;           // why it did, reported behind the last byte
};

// What libarchive calls to get bytes.
static la_ssize_t feed_archive(struct archive *archive, void *context, const void **out) {
    const PackedInput *input = &((Unpacker *)context)->input;
    size_t count;
    if (input->more(input->context, out, &count) == OK)
        return (la_ssize_t)count;
    archive_set_error(archive, errno, "%s", strerror(errno));
    return -1;
}

static Status fail_with_archive(const Unpacker *unpacker) {
    const char *why = archive_error_string(unpacker->archive);
    return error_set(ERR_IO, "%s: damaged or truncated archive: %s", unpacker->input.name,
                     why == NULL ? "it ends too soon" : why);
}

// libarchive failed. Of a packed text what it keeps back is given before the failure is told; of
// several members, or of a pipe, it cannot be had.
static Status give_the_rest(Unpacker *unpacker, Status status) {
    char passed[4096];
    const int format = archive_format(unpacker->archive);
    if (!unpacker->is_gzip || unpacker->input.fd < 0 ||
        (format != 0 && format != ARCHIVE_FORMAT_RAW))
        return status;
    unpacker->message = mem_copy_string(error_message());
    unpacker->rest = gunzip_open(unpacker->input.fd);
    for (uint64_t left = unpacker->unpacked; unpacker->rest != NULL && left > 0;) {
        const size_t count = left < sizeof passed ? (size_t)left : sizeof passed;
        if (gunzip_read(unpacker->rest, passed, count) < count)
            break;
        left -= count;
    }
    return unpacker->rest != NULL ? OK : status;
}

static Status read_rest(Unpacker *unpacker, char *buffer, size_t size, size_t *got) {
    *got = gunzip_read(unpacker->rest, buffer, size);
    return *got == size ? OK : error_set(ERR_IO, "%s", unpacker->message);
}

static bool is_control(char byte) {
    return (unsigned char)(byte - ' ') > '~' - ' ';
}

static Status open_archive(Unpacker *unpacker) {
    const PackedInput *input = &unpacker->input;
    unpacker->archive = archive_read_new();
    if (unpacker->archive == NULL)
        return error_set(ERR_LIMIT, "%s: no memory to unpack it", input->name);
    archive_read_support_filter_all(unpacker->archive);
    // Not all formats: some are known by text so plain that games would pass for them.
    archive_read_support_format_zip(unpacker->archive);
    archive_read_support_format_7zip(unpacker->archive);
    archive_read_support_format_rar(unpacker->archive);
    archive_read_support_format_rar5(unpacker->archive);
    archive_read_support_format_tar(unpacker->archive);
    archive_read_support_format_raw(unpacker->archive);
    unpacker->is_binary =
        input->head_size >= 2 && (is_control(input->head[0]) || is_control(input->head[1]));
    unpacker->is_gzip = input->head_size >= 2 && memcmp(input->head, "\x1f\x8b", 2) == 0;
    if (archive_read_open(unpacker->archive, unpacker, NULL, feed_archive, NULL) != ARCHIVE_OK)
        return give_the_rest(unpacker, fail_with_archive(unpacker));
    return OK;
}

Status unpacker_open(Unpacker **out, const PackedInput *input) {
    CLEANUP(unpacker_close_at) Unpacker *unpacker = mem_alloc_zero(1, sizeof *unpacker);
    *out = NULL;
    unpacker->input = *input;
    TRY(open_archive(unpacker));
    *out = TAKE(unpacker);
    return OK;
}

// A file that ends in the header of its packing is none to libarchive, which takes it for text.
static Status check_filter(const Unpacker *unpacker) {
    if (!unpacker->is_binary || archive_format(unpacker->archive) != ARCHIVE_FORMAT_RAW ||
        archive_filter_code(unpacker->archive, 0) != ARCHIVE_FILTER_NONE)
        return OK;
    return error_set(ERR_IO, "%s: damaged or truncated archive: it ends in its header",
                     unpacker->input.name);
}

// Goes to the next member that is a file; `*found` is false after the last.
static Status next_member(Unpacker *unpacker, bool *found) {
    struct archive_entry *entry;
    *found = false;
    for (;;) {
        int code = archive_read_next_header(unpacker->archive, &entry);
        if (code == ARCHIVE_EOF)
            return OK;
        if (code < ARCHIVE_WARN)
            return fail_with_archive(unpacker);
        mode_t type = archive_entry_filetype(entry);
        if (type != 0 && type != AE_IFREG)
            continue;
        *found = true;
        return check_filter(unpacker);
    }
}

// Makes some bytes of the current block available, going on to the next block or member as needed.
// A seam between members is a line break, so that the last line of one and the first of the next
// stay two lines. (archive_read_data would lose what came before a damage.)
static Status next_block(Unpacker *unpacker, bool *found) {
    *found = true;
    if (!unpacker->in_member) {
        TRY(next_member(unpacker, &unpacker->in_member));
        *found = unpacker->in_member;
        return OK;
    }
    la_int64_t offset;
    int code = archive_read_data_block(unpacker->archive, &unpacker->block, &unpacker->block_left,
                                       &offset);
    if (code == ARCHIVE_EOF) {
        unpacker->in_member = false;
        unpacker->block = "\n";
        unpacker->block_left = 1;
        return OK;
    }
    if (code == ARCHIVE_OK || code == ARCHIVE_WARN)
        return OK;
    unpacker->block_left = 0;
    return fail_with_archive(unpacker);
}

static Status read_archive(Unpacker *unpacker, char *buffer, size_t size, size_t *got) {
    *got = 0;
    while (*got < size) {
        if (unpacker->block_left == 0) {
            bool found;
            Status status = next_block(unpacker, &found);
            if (status == OK && !found)
                return OK;
            if (status != OK)
                status = give_the_rest(unpacker, status);
            if (status != OK)
                return status;
        }
        if (unpacker->rest != NULL) {
            size_t more;
            const Status status = read_rest(unpacker, buffer + *got, size - *got, &more);
            *got += more;
            return status;
        }
        size_t count = size - *got < unpacker->block_left ? size - *got : unpacker->block_left;
        if (count == 0)
            continue; // an empty member has no block
        memcpy(buffer + *got, unpacker->block, count);
        unpacker->block = (const char *)unpacker->block + count;
        unpacker->block_left -= count;
        unpacker->unpacked += count;
        *got += count;
    }
    return OK;
}

Status unpacker_read(Unpacker *unpacker, char *buffer, size_t size, size_t *got) {
    return unpacker->rest != NULL ? read_rest(unpacker, buffer, size, got)
                                  : read_archive(unpacker, buffer, size, got);
}

void unpacker_close(Unpacker *unpacker) {
    if (unpacker == NULL)
        return;
    if (unpacker->archive != NULL)
        archive_read_free(unpacker->archive);
    gunzip_close(unpacker->rest);
    free(unpacker->message);
    free(unpacker);
}

// --- packing ---

struct Packer {
    struct archive *archive;
    PackedOutput output;
    bool is_over;  // nothing more may go out
    Status status; // of writing there
};

// What libarchive calls to get rid of bytes.
static la_ssize_t give_to_file(struct archive *archive, void *context, const void *data,
                               size_t size) {
    Packer *packer = context;
    if (packer->is_over)
        return (la_ssize_t)size;
    packer->status = packer->output.write(packer->output.context, data, size);
    if (packer->status == OK)
        return (la_ssize_t)size;
    archive_set_error(archive, ARCHIVE_FATAL, "the file failed");
    return -1;
}

// The file's own failure, message and all, before libarchive's.
static Status fail_packing(const Packer *packer) {
    if (packer->status != OK)
        return packer->status;
    const char *why = archive_error_string(packer->archive);
    return error_set(ERR_IO, "cannot be packed: %s", why == NULL ? "no reason given" : why);
}

// Files are written once and read often: more effort than usual, and still tens of megabytes a
// second.
static const char level[] = "12";

static bool begin_packing(Packer *packer) {
    struct archive *archive = packer->archive;
    struct archive_entry *entry = archive_entry_new();
    if (entry == NULL)
        return false;
    archive_entry_set_filetype(entry, AE_IFREG);
    // Blocks are for tapes: without the first two calls zeros would fill the last one.
    bool is_good = archive_write_set_bytes_per_block(archive, 0) == ARCHIVE_OK &&
                   archive_write_set_bytes_in_last_block(archive, 1) == ARCHIVE_OK &&
                   archive_write_add_filter_zstd(archive) == ARCHIVE_OK &&
                   archive_write_set_filter_option(archive, "zstd", "compression-level", level) ==
                       ARCHIVE_OK &&
                   archive_write_set_format_raw(archive) == ARCHIVE_OK &&
                   archive_write_open(archive, packer, NULL, give_to_file, NULL) == ARCHIVE_OK &&
                   archive_write_header(archive, entry) == ARCHIVE_OK;
    archive_entry_free(entry);
    return is_good;
}

Status packer_open(Packer **out, const PackedOutput *output) {
    CLEANUP(packer_close_at) Packer *packer = mem_alloc_zero(1, sizeof *packer);
    *out = NULL;
    packer->output = *output;
    packer->archive = archive_write_new();
    if (packer->archive == NULL)
        return error_set(ERR_LIMIT, "no memory to pack");
    if (!begin_packing(packer))
        return fail_packing(packer);
    *out = TAKE(packer);
    return OK;
}

Status packer_write(Packer *packer, const void *data, size_t size) {
    if (size == 0 || archive_write_data(packer->archive, data, size) == (la_ssize_t)size)
        return OK;
    return fail_packing(packer);
}

Status packer_finish(Packer *packer) {
    int code = archive_write_close(packer->archive);
    packer->is_over = true;
    return code == ARCHIVE_OK ? OK : fail_packing(packer);
}

void packer_close(Packer *packer) {
    if (packer == NULL)
        return;
    packer->is_over = true;
    if (packer->archive != NULL)
        archive_write_free(packer->archive);
    free(packer);
}
