// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/gunzip.h"

#include "base/mem.h"

#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>
#include <zlib.h>

enum { INPUT_SIZE = 1 << 16, GZIP_WINDOW = 15 + 16 };

struct Gunzip {
    z_stream stream;
    int fd;
    off_t offset; // of what is read next
    bool is_over;
    unsigned char input[INPUT_SIZE];
};

Gunzip *gunzip_open(int fd) {
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

size_t gunzip_read(Gunzip *gunzip, void *buffer, size_t size) {
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

void gunzip_close(Gunzip *gunzip) {
    if (gunzip == NULL)
        return;
    inflateEnd(&gunzip->stream);
    free(gunzip);
}
