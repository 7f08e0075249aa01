// SPDX-License-Identifier: GPL-3.0-or-later
#include "fitness/linear/epd_batch.h"

#include "base/hash.h"
#include "base/lines.h"
#include "base/mem.h"
#include "fitness/linear/coefficient_header.h"

#include <inttypes.h>
#include <stdlib.h>

typedef struct Item {
    size_t start, length; // in the file's text
    uint64_t line;
} Item;

// What is at hand of a file.
typedef struct File {
    const char *path;
    LineReader *lines;
    Str text;
    Item *items;
    size_t count;
    uint64_t hash;
} File;

typedef struct Batch {
    const EpdBatchReader *reader;
    File *files;
    size_t file_count;
    Epd *epds; // for each worker one of each file
    size_t epd_count;
    uint64_t before; // positions of earlier batches
} Batch;

// --- lines ---

static Status file_open(File *file, const char *path, uint64_t hash) {
    TRY(lines_open(&file->lines, path, EPD_LINE_MAX));
    file->path = path;
    file->items = mem_alloc(EPD_BATCH * sizeof *file->items);
    file->hash = hash;
    return OK;
}

static void file_close(File *file) {
    if (file->path == NULL)
        return;
    lines_close(file->lines);
    str_free(&file->text);
    free(file->items);
}

static void add_line(File *file, StrView line) {
    const StrView text = view_trim(line);
    if (text.length == 0 || text.text[0] == '#')
        return;
    file->hash = hash_bytes(hash_bytes(file->hash, line.text, line.length), "\n", 1);
    file->items[file->count++] = (Item){file->text.length, text.length, lines_number(file->lines)};
    str_append(&file->text, text.text, text.length);
}

static Status refuse_coefficients(const char *path) {
    return error_set(ERR_ARG,
                     "%s: these are coefficients of another engine, not positions: falconer evolve "
                     "coefficients and falconer tune take them",
                     path);
}

// Reads the next lines, EPD_BATCH or as many as are left.
static Status file_fill(File *file) {
    file->count = 0;
    str_clear(&file->text);
    while (file->count < EPD_BATCH) {
        StrView line;
        TRY(lines_next(file->lines, &line));
        if (line.text == NULL)
            return OK;
        if (lines_number(file->lines) == 1 && coefficient_header_is_first(line))
            return refuse_coefficients(file->path);
        // Unpacking adds an empty line at the end: empty ones are nothing, to the hash too.
        if (line.length > 0)
            add_line(file, line);
    }
    return OK;
}

// --- positions ---

static const char same_positions[] =
    "several mentors must have labelled the same positions, in the same order";

static Status parse_item(const File *file, size_t index, Epd *epd) {
    const Item *item = &file->items[index];
    TRY_PREFIX(epd_parse(epd, view_of(file->text.text + item->start, item->length)), "%s:%" PRIu64,
               file->path, item->line);
    TRY_PREFIX(epd_check(epd), "%s:%" PRIu64, file->path, item->line);
    return OK;
}

static Status read_item(void *context, size_t index, int worker) {
    const Batch *batch = context;
    const File *first = &batch->files[0];
    Epd *epds = &batch->epds[(size_t)worker * batch->file_count];
    for (size_t i = 0; i < batch->file_count; i++) {
        const File *file = &batch->files[i];
        TRY(parse_item(file, index, &epds[i]));
        if (epds[i].pos.key != epds[0].pos.key)
            return error_set(ERR_ARG,
                             "%s:%" PRIu64 ": this is not the position of %s:%" PRIu64 "; %s",
                             file->path, file->items[index].line, first->path,
                             first->items[index].line, same_positions);
    }
    TRY_PREFIX(batch->reader->read(batch->reader->context, epds, index), "%s:%" PRIu64, first->path,
               first->items[index].line);
    return OK;
}

// Files of different lengths are about the same positions only as far as the shortest goes.
static Status check_ends(const Batch *batch, size_t least) {
    const File *longer = NULL, *shorter = NULL;
    for (size_t i = 0; i < batch->file_count; i++) {
        if (batch->files[i].count > least)
            longer = &batch->files[i];
        else
            shorter = &batch->files[i];
    }
    return longer == NULL ? OK
                          : error_set(ERR_ARG,
                                      "%s:%" PRIu64 ": this position is not in %s, which ends "
                                      "after %" PRIu64 "; %s",
                                      longer->path, longer->items[least].line, shorter->path,
                                      batch->before + least, same_positions);
}

// Reads and takes what all files have of their next lines. `count` becomes how many that were.
static Status take_batch(Batch *batch, DistPool *pool, size_t *count) {
    size_t least = EPD_BATCH;
    for (size_t i = 0; i < batch->file_count; i++) {
        TRY(file_fill(&batch->files[i]));
        least = batch->files[i].count < least ? batch->files[i].count : least;
    }
    TRY(dist_pool_run(pool, least, read_item, batch));
    for (size_t i = 0; i < least; i++)
        TRY(batch->reader->take(batch->reader->context, i));
    TRY(check_ends(batch, least));
    batch->before += least;
    *count = least;
    return OK;
}

// One file's hash is its own; of several it is made of all.
static uint64_t hash_files(const Batch *batch, uint64_t hash) {
    if (batch->file_count == 1)
        return batch->files[0].hash;
    for (size_t i = 0; i < batch->file_count; i++)
        hash = hash_bytes(hash, &batch->files[i].hash, sizeof batch->files[i].hash);
    return hash;
}

static void batch_free(Batch *batch) {
    for (size_t i = 0; i < batch->epd_count; i++)
        epd_free(&batch->epds[i]);
    for (size_t i = 0; i < batch->file_count; i++)
        file_close(&batch->files[i]);
    free(batch->epds);
    free(batch->files);
}

Status epd_batch_read_all(const char *const *paths, size_t count, const EpdBatchReader *reader,
                          DistPool *pool, uint64_t *hash) {
    const size_t epds = (size_t)dist_pool_threads(pool) * count;
    CLEANUP(batch_free)
    Batch batch = {.reader = reader,
                   .file_count = count,
                   .files = mem_alloc_zero(count, sizeof *batch.files),
                   .epd_count = epds,
                   .epds = mem_alloc_zero(epds, sizeof *batch.epds)};
    for (size_t i = 0; i < count; i++)
        TRY(file_open(&batch.files[i], paths[i], *hash));
    for (size_t taken = EPD_BATCH; taken == EPD_BATCH;)
        TRY(take_batch(&batch, pool, &taken));
    *hash = hash_files(&batch, *hash);
    return OK;
}

Status epd_batch_read(const char *path, const EpdBatchReader *reader, DistPool *pool,
                      uint64_t *hash) {
    return epd_batch_read_all(&path, 1, reader, pool, hash);
}
