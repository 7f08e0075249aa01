// SPDX-License-Identifier: GPL-3.0-or-later
#include "fitness/linear/counts.h"

#include "base/mem.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { FIRST_CAPACITY = 1024 };

void counts_init(CountMatrix *matrix, size_t terms) {
    *matrix = (CountMatrix){.terms = terms, .pairs = (terms + 1) / 2};
    matrix->largest = mem_alloc_zero(terms, sizeof *matrix->largest);
}

bool counts_are_valid(const CountMatrix *matrix) {
    return matrix->pairs == (matrix->terms + 1) / 2 && matrix->count <= matrix->capacity &&
           matrix->capacity % COUNTS_LANES == 0 && (matrix->capacity == 0 || matrix->cells != NULL);
}

static size_t whole_blocks(size_t count) {
    return (count + COUNTS_LANES - 1) / COUNTS_LANES * COUNTS_LANES;
}

static size_t cell_bytes(size_t terms, size_t capacity) {
    return capacity * ((terms + 1) / 2) * 2 * sizeof(int16_t);
}

// Bytes that `count` positions need.
static size_t bytes_for(size_t terms, size_t count) {
    return cell_bytes(terms, whole_blocks(count)) + whole_blocks(count) * sizeof(int32_t);
}

static void give_back(void *bytes, size_t size) {
    if (bytes != NULL)
        munmap(bytes, size);
}

void counts_free(CountMatrix *matrix) {
    give_back(matrix->cells, cell_bytes(matrix->terms, matrix->capacity));
    give_back(matrix->labels, matrix->capacity * sizeof *matrix->labels);
    free(matrix->largest);
    *matrix = (CountMatrix){0};
}

// Grows an array of whole pages, the new part zeroed; NULL when there is no memory, and the old one
// stands. Pages are moved, not copied, so that old and new are never in memory together, and those
// that are not used yet take none.
static void *grow(void *old, size_t old_size, size_t size) {
    void *bytes = old == NULL
                      ? mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
                      : mremap(old, old_size, size, MREMAP_MAYMOVE);
    return bytes == MAP_FAILED ? NULL : bytes;
}

// Room for `count` positions in all; ERR_LIMIT when there is not that much memory.
static Status reserve(CountMatrix *matrix, size_t count) {
    const size_t capacity = whole_blocks(count), before = matrix->capacity;
    if (capacity <= before)
        return OK;
    void *cells =
        grow(matrix->cells, cell_bytes(matrix->terms, before), cell_bytes(matrix->terms, capacity));
    void *labels = grow(matrix->labels, before * sizeof(int32_t), capacity * sizeof(int32_t));
    if (cells != NULL)
        matrix->cells = cells;
    if (labels != NULL)
        matrix->labels = labels;
    // One that grew alone has room that nobody uses.
    if (cells == NULL || labels == NULL)
        return error_set(ERR_LIMIT, "no memory for the counts of %zu positions (%zu MB)", count,
                         bytes_for(matrix->terms, count) >> 20);
    matrix->capacity = capacity;
    return OK;
}

// Empties it, and keeps the memory.
static void clear(CountMatrix *matrix) {
    if (matrix->count == 0)
        return;
    const size_t used = whole_blocks(matrix->count);
    memset(matrix->cells, 0, cell_bytes(matrix->terms, used));
    memset(matrix->labels, 0, used * sizeof *matrix->labels);
    memset(matrix->largest, 0, matrix->terms * sizeof *matrix->largest);
    matrix->largest_label = 0;
    matrix->count = 0;
}

static int32_t larger(int32_t most, int32_t value) {
    const int32_t absolute = value < 0 ? -value : value;
    return absolute > most ? absolute : most;
}

Status counts_add(CountMatrix *matrix, const int16_t *row, int32_t label) {
    if (matrix->count == matrix->capacity) {
        // Half as much again: at ten million positions, twice as much would be a gigabyte too many.
        const size_t more = matrix->capacity + matrix->capacity / 2;
        TRY(reserve(matrix, more > 0 ? more : FIRST_CAPACITY));
    }
    const size_t position = matrix->count++;
    for (size_t term = 0; term < matrix->terms; term++) {
        matrix->cells[counts_cell(matrix, position, term)] = row[term];
        matrix->largest[term] = larger(matrix->largest[term], row[term]);
    }
    matrix->labels[position] = label;
    matrix->largest_label = larger(matrix->largest_label, label);
    return OK;
}

Status counts_gather(CountMatrix *out, const CountMatrix *from, const uint32_t *rows,
                     size_t count) {
    assert(counts_are_valid(from) && out->terms == from->terms);
    TRY(reserve(out, count));
    clear(out);
    // Bounds that hold for all positions hold for some.
    memcpy(out->largest, from->largest, from->terms * sizeof *out->largest);
    out->largest_label = from->largest_label;
    out->count = count;
    for (size_t i = 0; i < count; i++) {
        const int16_t *source = from->cells + counts_cell(from, rows[i], 0);
        int16_t *target = out->cells + counts_cell(out, i, 0);
        for (size_t pair = 0; pair < out->pairs; pair++)
            memcpy(target + pair * 2 * COUNTS_LANES, source + pair * 2 * COUNTS_LANES,
                   2 * sizeof *target);
        out->labels[i] = from->labels[rows[i]];
    }
    return OK;
}
