// SPDX-License-Identifier: GPL-3.0-or-later
// A file is a header, a row for each chunk, and the words of all chunks, each from a multiple of
// eight bytes on. All of it is under a hash, which accidents do not pass. What was made to pass
// must still be sound trees: no file can lead the interpreter astray.
#include "fitness/moves/forest_file.h"

#include "base/file.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/owner.h"
#include "fitness/moves/forest_internal.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
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
    TRY(outfile_write(file, chunk->words, bytes));
    return outfile_write(file, zeros, padded(bytes) - bytes);
}

Status forest_save(const Forest *forest, uint64_t key, const char *path, DistPool *pool) {
    CLEANUP(mem_free_at) Row *rows = mem_alloc_zero(forest->chunk_count + 1, sizeof *rows);
    CLEANUP(outfile_discard_at) OutFile *file = NULL;
    const size_t rows_size = forest->chunk_count * sizeof *rows;
    Header header = {.version = FILE_VERSION,
                     .key = key,
                     .chunks = forest->chunk_count,
                     .bytes = fill_rows(forest, rows)};
    Hashing hashing = {forest, rows};
    TRY(dist_pool_run(pool, forest->chunk_count, hash_chunk, &hashing));
    memcpy(header.magic, magic, sizeof magic);
    header.rows_hash = hash_words(HASH_START, rows, rows_size);
    header.hash = header_hash(&header);
    TRY(outfile_open(&file, path));
    TRY(outfile_write(file, &header, sizeof header));
    TRY(outfile_write(file, rows, rows_size));
    for (size_t i = 0; i < forest->chunk_count; i++)
        TRY(write_words(file, &forest->chunks[i]));
    return outfile_commit(TAKE(file));
}

// --- reading ---

typedef struct Loading {
    Forest *forest;
    const PlayedSet *set;
    const char *path;
    int descriptor;
    size_t size; // of the file
    Row *rows;   // owned
} Loading;

static Status fail(const char *path, const char *reason) {
    return error_set(ERR_PARSE, "%s: %s", path, reason);
}

// Reads all of a part; the file may have become shorter since it was opened.
static Status read_part(const Loading *loading, void *out, size_t size, size_t offset) {
    char *to = out;
    while (size > 0) {
        const ssize_t got = pread(loading->descriptor, to, size, (off_t)offset);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return error_set(ERR_IO, "%s: %s", loading->path, strerror(errno));
        if (got == 0)
            return fail(loading->path, "is cut short");
        to += got;
        offset += (size_t)got;
        size -= (size_t)got;
    }
    return OK;
}

static Status read_header(const Loading *loading, Header *header) {
    return loading->size < sizeof *header ? fail(loading->path, "is cut short")
                                          : read_part(loading, header, sizeof *header, 0);
}

static Status check_header(const Loading *loading, const Header *header, uint64_t key) {
    if (memcmp(header->magic, magic, sizeof magic) != 0 || header->version != FILE_VERSION)
        return fail(loading->path, "holds no trees of this version");
    if (header->hash != header_hash(header))
        return fail(loading->path, "its header is damaged");
    const size_t chunks = loading->forest->chunk_count;
    if (header->key != key || header->chunks != chunks)
        return fail(loading->path, "holds the trees of other positions, rules or weights");
    if (header->bytes != loading->size || loading->size - sizeof *header < chunks * sizeof(Row))
        return fail(loading->path, "is cut short");
    return OK;
}

// The positions that a chunk must have.
static size_t positions_of(const Loading *loading, size_t index) {
    const size_t left = loading->set->count - index * FOREST_CHUNK;
    return left < FOREST_CHUNK ? left : FOREST_CHUNK;
}

// Words must lie within the file, and positions be those of the set.
static bool row_is_sound(const Loading *loading, size_t index) {
    const Row *row = &loading->rows[index];
    return row->offset <= loading->size && row->count <= FOREST_WORDS_MOST &&
           row->count * sizeof(uint16_t) <= loading->size - row->offset &&
           row->positions == positions_of(loading, index);
}

static Status read_rows(Loading *loading, const Header *header, size_t max_bytes) {
    const size_t chunks = loading->forest->chunk_count, size = chunks * sizeof(Row);
    size_t bytes = 0;
    loading->rows = mem_alloc(size + 1);
    TRY(read_part(loading, loading->rows, size, sizeof *header));
    if (hash_words(HASH_START, loading->rows, size) != header->rows_hash)
        return fail(loading->path, "is damaged");
    for (size_t i = 0; i < chunks; i++) {
        if (!row_is_sound(loading, i))
            return fail(loading->path, "is damaged");
        bytes += loading->rows[i].count * sizeof(uint16_t);
    }
    return max_bytes == 0 || bytes <= max_bytes
               ? OK
               : error_set(ERR_LIMIT, "%s: takes %zu bytes of memory", loading->path, bytes);
}

static Status read_chunk(void *context, size_t index, int worker) {
    (void)worker;
    const Loading *loading = context;
    const Row *row = &loading->rows[index];
    ForestChunk *chunk = &loading->forest->chunks[index];
    const size_t size = row->count * sizeof *chunk->words;
    *chunk = (ForestChunk){.words = mem_alloc(size + 1),
                           .count = row->count,
                           .capacity = row->count,
                           .positions = row->positions,
                           .moves = row->moves,
                           .nodes = row->nodes,
                           .differences = row->differences};
    for (size_t i = 0; i < chunk->positions; i++)
        chunk->places[i] =
            (ForestPlace){row->places[i].start, row->places[i].end, row->wide >> i & 1};
    TRY(read_part(loading, chunk->words, size, row->offset));
    const bool is_whole = hash_words(HASH_START, chunk->words, size) == row->hash &&
                          forest_chunk_is_sound(loading->forest, chunk);
    return is_whole ? OK : fail(loading->path, "is damaged");
}

static Status check_position(const Forest *forest, const PlayedSet *set, size_t number,
                             const ForestConfig *config, const char *path) {
    const ForestChunk *chunk = &forest->chunks[number / FOREST_CHUNK];
    const ForestPlace *place = &chunk->places[number % FOREST_CHUNK];
    ForestChunk anew = {0};
    const Status status = forest_compile_chunk(&anew, forest->kind, &set->items[number], 1, config);
    CLEANUP(mem_free_at) uint16_t *words = anew.words;
    TRY(status);
    return anew.count == place->end - place->start && anew.places[0].is_wide == place->is_wide &&
                   memcmp(words, chunk->words + place->start, anew.count * sizeof *words) == 0
               ? OK
               : fail(path, "holds trees that this program would compile otherwise");
}

// Compiles a few positions anew: a program whose terms or moves changed without a new version must
// not go by old trees.
static Status check_sample(const Forest *forest, const PlayedSet *set, const ForestConfig *config,
                           const char *path) {
    for (size_t i = 0; i < CHECKED && i < set->count; i++)
        TRY(check_position(forest, set, i * set->count / CHECKED % set->count, config, path));
    return OK;
}

// Opens a plain file that nobody else can have written.
static Status open_file(Loading *loading) {
    struct stat is;
    // A pipe would wait for somebody to write.
    loading->descriptor = open(loading->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (loading->descriptor < 0 || fstat(loading->descriptor, &is) != 0)
        return error_set(ERR_IO, "%s: %s", loading->path, strerror(errno));
    if (!S_ISREG(is.st_mode))
        return fail(loading->path, "is no plain file");
    loading->size = (size_t)is.st_size;
    return owner_check_open(loading->descriptor, loading->path);
}

static Status load(Loading *loading, const ForestConfig *config, DistPool *pool) {
    Header header;
    Forest *forest = loading->forest;
    TRY(open_file(loading));
    TRY(read_header(loading, &header));
    TRY(check_header(loading, &header, forest_key(forest->kind, loading->set, config)));
    TRY(read_rows(loading, &header, config->max_bytes));
    TRY(dist_pool_run(pool, forest->chunk_count, read_chunk, loading));
    return check_sample(forest, loading->set, config, loading->path);
}

static void loading_free(Loading *loading) {
    if (loading->descriptor >= 0)
        close(loading->descriptor);
    free(loading->rows);
    forest_free(loading->forest);
}

Status forest_load(Forest **out, ForestKind kind, const PlayedSet *set, const ForestConfig *config,
                   const char *path, DistPool *pool) {
    CLEANUP(loading_free)
    Loading loading = {
        .forest = forest_new(kind, set->count, config), .set = set, .path = path, .descriptor = -1};
    TRY(load(&loading, config, pool));
    forest_add_totals(loading.forest);
    *out = TAKE(loading.forest);
    assert(forest_is_valid(*out));
    return OK;
}
