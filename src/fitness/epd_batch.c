// SPDX-License-Identifier: GPL-3.0-or-later
#include "fitness/epd_batch.h"

#include "base/hash.h"
#include "base/lines.h"
#include "base/mem.h"
#include "fitness/coefficient_header.h"

#include <inttypes.h>
#include <stdlib.h>

typedef struct Item {
    size_t start, length; // in the batch's text
    uint64_t line;
} Item;

typedef struct Batch {
    const char *path;
    const EpdBatchReader *reader;
    Str text;
    Item *items;
    size_t count;
    Epd *epds; // one per worker
} Batch;

static Status read_item(void *context, size_t index, int worker) {
    const Batch *batch = context;
    const Item *item = &batch->items[index];
    Epd *epd = &batch->epds[worker];
    Status status = epd_parse(epd, view_of(batch->text.text + item->start, item->length));
    if (status == OK)
        status = epd_check(epd);
    if (status == OK)
        status = batch->reader->read(batch->reader->context, epd, index);
    if (status != OK)
        error_prefix("%s:%" PRIu64, batch->path, item->line);
    return status;
}

static Status take_batch(Batch *batch, DistPool *pool) {
    Status status = dist_pool_run(pool, batch->count, read_item, batch);
    for (size_t i = 0; i < batch->count && status == OK; i++)
        status = batch->reader->take(batch->reader->context, i);
    batch->count = 0;
    str_clear(&batch->text);
    return status;
}

static void add_line(Batch *batch, StrView line, uint64_t number) {
    const StrView text = view_trim(line);
    if (text.length == 0 || text.text[0] == '#')
        return;
    batch->items[batch->count++] = (Item){batch->text.length, text.length, number};
    str_append(&batch->text, text.text, text.length);
}

static Status refuse_coefficients(const char *path) {
    return error_set(ERR_ARG,
                     "%s: these are coefficients of another engine, not positions: falconer evolve "
                     "coefficients and falconer tune take them",
                     path);
}

static Status read_lines(Batch *batch, LineReader *lines, DistPool *pool, uint64_t *hash) {
    for (;;) {
        StrView line;
        Status status = lines_next(lines, &line);
        // Unpacking adds an empty line at the end: empty ones are nothing, to the hash too.
        if (status == OK && line.length > 0) {
            if (lines_number(lines) == 1 && coefficients_begin(line))
                return refuse_coefficients(batch->path);
            *hash = hash_bytes(hash_bytes(*hash, line.text, line.length), "\n", 1);
            add_line(batch, line, lines_number(lines));
        }
        const bool at_end = status == OK && line.text == NULL;
        if (status == OK && (at_end || batch->count == EPD_BATCH))
            status = take_batch(batch, pool);
        if (status != OK || at_end)
            return status;
    }
}

Status epd_batch_read(const char *path, const EpdBatchReader *reader, DistPool *pool,
                      uint64_t *hash) {
    LineReader *lines;
    Status status = lines_open(&lines, path, EPD_LINE_MAX);
    if (status != OK)
        return status;
    const size_t workers = (size_t)dist_pool_threads(pool);
    Batch batch = {.path = path, .reader = reader};
    batch.items = mem_alloc(EPD_BATCH * sizeof *batch.items);
    batch.epds = mem_alloc_zero(workers, sizeof *batch.epds);
    status = read_lines(&batch, lines, pool, hash);
    for (size_t i = 0; i < workers; i++)
        epd_free(&batch.epds[i]);
    free(batch.epds);
    free(batch.items);
    str_free(&batch.text);
    lines_close(lines);
    return status;
}
