// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/pack.h"

#include "base/mem.h"

#include <archive.h>
#include <archive_entry.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/stat.h>

struct Packer {
    struct archive *archive;
    PackSink *sink; // NULL once nothing more may go out
    void *context;
    Status sink_status;
};

// What libarchive calls to get rid of bytes.
static la_ssize_t give_to_sink(struct archive *archive, void *context, const void *data,
                               size_t size) {
    Packer *packer = context;
    if (packer->sink == NULL)
        return (la_ssize_t)size;
    packer->sink_status = packer->sink(packer->context, data, size);
    if (packer->sink_status == OK)
        return (la_ssize_t)size;
    archive_set_error(archive, ARCHIVE_FATAL, "the sink failed");
    return -1;
}

// The sink's own failure, message and all, before libarchive's.
static Status fail(const Packer *packer) {
    if (packer->sink_status != OK)
        return packer->sink_status;
    const char *why = archive_error_string(packer->archive);
    return error_set(ERR_IO, "cannot be packed: %s", why == NULL ? "no reason given" : why);
}

// Files are written once and read often: more effort than usual, and still tens of megabytes a
// second.
static const char level[] = "12";

static bool begin(Packer *packer) {
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
                   archive_write_open(archive, packer, NULL, give_to_sink, NULL) == ARCHIVE_OK &&
                   archive_write_header(archive, entry) == ARCHIVE_OK;
    archive_entry_free(entry);
    return is_good;
}

Status packer_open(Packer **out, PackSink *sink, void *context) {
    Packer *packer = mem_alloc_zero(1, sizeof *packer);
    packer->sink = sink;
    packer->context = context;
    packer->archive = archive_write_new();
    *out = packer;
    if (packer->archive != NULL && begin(packer))
        return OK;
    Status status =
        packer->archive == NULL ? error_set(ERR_LIMIT, "no memory to pack") : fail(packer);
    packer_free(packer);
    *out = NULL;
    return status;
}

Status packer_write(Packer *packer, const void *data, size_t size) {
    if (size == 0 || archive_write_data(packer->archive, data, size) == (la_ssize_t)size)
        return OK;
    return fail(packer);
}

Status packer_finish(Packer *packer) {
    int code = archive_write_close(packer->archive);
    packer->sink = NULL;
    return code == ARCHIVE_OK ? OK : fail(packer);
}

void packer_free(Packer *packer) {
    if (packer == NULL)
        return;
    packer->sink = NULL;
    if (packer->archive != NULL)
        archive_write_free(packer->archive);
    free(packer);
}
