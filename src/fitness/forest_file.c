// SPDX-License-Identifier: GPL-3.0-or-later
// A file is a header, a row for each chunk, and the words of all chunks, each from a multiple of
// eight bytes on. All of it is under a hash, so whatever passes is what was written: an accident
// cannot lead the interpreter astray.
#include "fitness/forest_file.h"

#include "base/file.h"
#include "base/hash.h"
#include "base/mem.h"
#include "fitness/forest_internal.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILE_VERSION = 1, ALIGNMENT = 8, CHECKED = 16 };
static const char magic[8] = "FALCTREE";

typedef struct Header {
    char magic[8];
    uint64_t version; // of the layout; in the machine's own byte order, as everything here
    uint64_t key, chunks, bytes;
    uint64_t rows_hash, hash; // of the rows; of this header before it
} Header;

// One chunk as it lies in the file. No gaps, so that it can be hashed as bytes.
typedef struct Row {
    uint64_t offset, count, hash; // of its words: bytes from the file's start, number, contents
    uint64_t positions, moves, nodes, differences;
    struct {
        uint32_t start, end;
    } places[FOREST_CHUNK];
    uint64_t wide; // one bit for each place
} Row;
static_assert(FOREST_CHUNK <= 64, "a bit for each position of a chunk");

static size_t padded(size_t bytes) {
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static uint64_t header_hash(const Header *header) {
    return hash_bytes(HASH_START, header, offsetof(Header, hash));
}

uint64_t forest_key(ForestKind kind, const PlayedSet *set, const ForestConfig *config) {
    const Family *family = config->family;
    const size_t terms = family->coefficient_count;
    const uint64_t numbers[] = {kind,
                                family->version,
                                terms,
                                config->rules.quiescence,
                                config->rules.depth,
                                config->rules.replies,
                                set->count};
    uint64_t key = hash_bytes(HASH_START, family->name, strlen(family->name));
    key = hash_bytes(key, numbers, sizeof numbers);
    key = hash_bytes(key, config->limits, terms * sizeof *config->limits);
    key = hash_bytes(key, config->guide, terms * sizeof *config->guide);
    for (size_t i = 0; i < set->count; i++) {
        key = hash_bytes(key, &set->items[i].pos, sizeof set->items[i].pos);
        key = hash_bytes(key, &set->items[i].played, sizeof set->items[i].played);
    }
    return key;
}

// --- writing ---

typedef struct Hashing {
    const Forest *forest;
    Row *rows;
} Hashing;

static Status hash_chunk(void *context, size_t index, int worker) {
    (void)worker;
    const Hashing *hashing = context;
    const ForestChunk *chunk = &hashing->forest->chunks[index];
    hashing->rows[index].hash =
        hash_words(HASH_START, chunk->words, chunk->count * sizeof *chunk->words);
    return OK;
}

// Fills all rows but their hashes; returns where the words end.
static uint64_t fill_rows(const Forest *forest, Row *rows) {
    uint64_t offset = sizeof(Header) + forest->chunk_count * sizeof *rows;
    for (size_t i = 0; i < forest->chunk_count; i++) {
        const ForestChunk *chunk = &forest->chunks[i];
        rows[i] = (Row){.offset = offset,
                        .count = chunk->count,
                        .positions = chunk->positions,
                        .moves = chunk->moves,
                        .nodes = chunk->nodes,
                        .differences = chunk->differences};
        for (size_t j = 0; j < chunk->positions; j++) {
            rows[i].places[j].start = chunk->places[j].start;
            rows[i].places[j].end = chunk->places[j].end;
            rows[i].wide |= (uint64_t)chunk->places[j].is_wide << j;
        }
        offset += padded(chunk->count * sizeof *chunk->words);
    }
    return offset;
}

static Status write_words(OutFile *file, const ForestChunk *chunk) {
    static const char zeros[ALIGNMENT] = {0};
    const size_t bytes = chunk->count * sizeof *chunk->words;
    const Status status = outfile_write(file, chunk->words, bytes);
    return status == OK ? outfile_write(file, zeros, padded(bytes) - bytes) : status;
}

Status forest_save(const Forest *forest, uint64_t key, const char *path, DistPool *pool) {
    Row *rows = mem_alloc_zero(forest->chunk_count + 1, sizeof *rows);
    const size_t rows_size = forest->chunk_count * sizeof *rows;
    Header header = {.version = FILE_VERSION,
                     .key = key,
                     .chunks = forest->chunk_count,
                     .bytes = fill_rows(forest, rows)};
    Hashing hashing = {forest, rows};
    OutFile *file = NULL;
    Status status = dist_pool_run(pool, forest->chunk_count, hash_chunk, &hashing);
    memcpy(header.magic, magic, sizeof magic);
    header.rows_hash = hash_words(HASH_START, rows, rows_size);
    header.hash = header_hash(&header);
    if (status == OK)
        status = outfile_open(&file, path);
    if (status == OK)
        status = outfile_write(file, &header, sizeof header);
    if (status == OK)
        status = outfile_write(file, rows, rows_size);
    for (size_t i = 0; i < forest->chunk_count && status == OK; i++)
        status = write_words(file, &forest->chunks[i]);
    free(rows);
    if (status == OK)
        return outfile_commit(file);
    outfile_discard(file);
    return status;
}

// --- mapping ---

static Status fail(const char *path, const char *reason) {
    return error_set(ERR_PARSE, "%s: %s", path, reason);
}

// What can be told before the words are looked at.
static Status check_header(const char *map, size_t size, uint64_t key, size_t chunks,
                           const char *path) {
    Header header;
    if (size < sizeof header)
        return fail(path, "is cut short");
    memcpy(&header, map, sizeof header);
    if (memcmp(header.magic, magic, sizeof magic) != 0 || header.version != FILE_VERSION)
        return fail(path, "holds no trees of this version");
    if (header.hash != header_hash(&header))
        return fail(path, "its header is damaged");
    if (header.key != key || header.chunks != chunks)
        return fail(path, "holds the trees of other positions, rules or weights");
    const size_t rows_size = chunks * sizeof(Row);
    if (header.bytes != size || size - sizeof header < rows_size)
        return fail(path, "is cut short");
    if (hash_words(HASH_START, map + sizeof header, rows_size) != header.rows_hash)
        return fail(path, "is damaged");
    return OK;
}

// Rows that were written by us have offsets within the file; check_header has proved that they
// were.
static void take_rows(Forest *forest) {
    const Row *rows = (const Row *)((const char *)forest->map + sizeof(Header));
    for (size_t i = 0; i < forest->chunk_count; i++) {
        ForestChunk *chunk = &forest->chunks[i];
        chunk->words = (uint16_t *)((char *)forest->map + rows[i].offset);
        chunk->count = rows[i].count;
        chunk->positions = rows[i].positions;
        chunk->moves = rows[i].moves;
        chunk->nodes = rows[i].nodes;
        chunk->differences = rows[i].differences;
        for (size_t j = 0; j < chunk->positions; j++)
            chunk->places[j] = (ForestPlace){rows[i].places[j].start, rows[i].places[j].end,
                                             rows[i].wide >> j & 1};
    }
}

static Status check_words(Forest *forest, const char *path, DistPool *pool) {
    Row *found = mem_alloc_zero(forest->chunk_count + 1, sizeof *found);
    const Row *rows = (const Row *)((const char *)forest->map + sizeof(Header));
    Hashing hashing = {forest, found};
    Status status = dist_pool_run(pool, forest->chunk_count, hash_chunk, &hashing);
    for (size_t i = 0; i < forest->chunk_count && status == OK; i++)
        if (found[i].hash != rows[i].hash)
            status = fail(path, "is damaged");
    free(found);
    return status;
}

// Compiles a few positions anew: a program whose terms or moves changed without a new version must
// not go by old trees.
static Status check_sample(const Forest *forest, const PlayedSet *set, const ForestConfig *config,
                           const char *path) {
    Status status = OK;
    for (size_t i = 0; i < CHECKED && i < set->count && status == OK; i++) {
        const size_t number = i * set->count / CHECKED % set->count;
        const ForestChunk *chunk = &forest->chunks[number / FOREST_CHUNK];
        const ForestPlace *place = &chunk->places[number % FOREST_CHUNK];
        ForestChunk anew = {0};
        status = forest_compile_chunk(&anew, forest->kind, &set->items[number], 1, config);
        if (status == OK &&
            (anew.count != place->end - place->start || anew.places[0].is_wide != place->is_wide ||
             memcmp(anew.words, chunk->words + place->start, anew.count * sizeof *anew.words) != 0))
            status = fail(path, "holds trees that this program would compile otherwise");
        free(anew.words);
    }
    return status;
}

static Status map_file(const char *path, void **map, size_t *size) {
    struct stat is;
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    *map = MAP_FAILED;
    if (descriptor >= 0 && fstat(descriptor, &is) == 0) {
        *size = (size_t)is.st_size;
        // An empty file cannot be mapped; nothing is found in it either.
        *map = mmap(NULL, *size > 0 ? *size : 1, PROT_READ, MAP_SHARED, descriptor, 0);
    }
    const Status status =
        *map == MAP_FAILED ? error_set(ERR_IO, "%s: %s", path, strerror(errno)) : OK;
    if (descriptor >= 0)
        close(descriptor);
    return status;
}

Status forest_map(Forest **out, ForestKind kind, const PlayedSet *set, const ForestConfig *config,
                  const char *path, DistPool *pool) {
    void *map;
    size_t size = 0;
    Status status = map_file(path, &map, &size);
    if (status != OK)
        return status;
    Forest *forest = forest_new(kind, set->count, config);
    forest->map = map;
    forest->map_size = size > 0 ? size : 1;
    status = check_header(map, size, forest_key(kind, set, config), forest->chunk_count, path);
    if (status == OK) {
        take_rows(forest);
        status = check_words(forest, path, pool);
    }
    if (status == OK)
        status = check_sample(forest, set, config, path);
    if (status == OK) {
        forest_add_totals(forest);
        *out = forest;
    } else {
        forest_free(forest);
    }
    return status;
}
