// SPDX-License-Identifier: GPL-3.0-or-later
#include "fitness/linear/linear_set.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

void linear_set_init(LinearSet *set, size_t counts, bool is_tapered) {
    *set = (LinearSet){.counts = counts, .is_tapered = is_tapered};
}

void linear_set_free(LinearSet *set) {
    for (size_t i = 0; i < set->block_count; i++) {
        free(set->blocks[i]->cells);
        free(set->blocks[i]->present);
        free(set->blocks[i]);
    }
    free(set->blocks);
    *set = (LinearSet){0};
}

size_t linear_set_coefficients(const LinearSet *set) {
    return set->is_tapered ? 2 * set->counts : set->counts;
}

static size_t cell_bytes(const LinearSet *set, bool is_wide) {
    return set->counts * LINEAR_BLOCK * (is_wide ? sizeof(int16_t) : sizeof(int8_t));
}

size_t linear_set_bytes(const LinearSet *set) {
    size_t bytes = 0;
    for (size_t i = 0; i < set->block_count; i++)
        bytes += sizeof *set->blocks[i] + cell_bytes(set, set->blocks[i]->is_wide);
    return bytes;
}

// Where a count lies among the cells of its block.
static size_t cell_of(const LinearSet *set, size_t place, size_t count) {
    return (place / LINEAR_LANES * set->counts + count) * LINEAR_LANES + place % LINEAR_LANES;
}

static void *new_cells(const LinearSet *set, bool is_wide) {
    void *cells = aligned_alloc(LINEAR_LANES, cell_bytes(set, is_wide));
    if (cells != NULL)
        memset(cells, 0, cell_bytes(set, is_wide));
    return cells;
}

static Status refuse_memory(const LinearSet *set) {
    return error_set(ERR_LIMIT, "no memory for more than %zu positions (%zu MB)", set->count,
                     linear_set_bytes(set) >> 20);
}

// All counts, until a tile is full.
static uint64_t *new_present(const LinearSet *set) {
    const size_t words = linear_set_words(set);
    uint64_t *present = mem_alloc_zero(LINEAR_TILES * words + 1, sizeof *present);
    for (size_t tile = 0; tile < LINEAR_TILES; tile++)
        for (size_t i = 0; i < set->counts; i++)
            present[tile * words + i / 64] |= (uint64_t)1 << i % 64;
    return present;
}

static Status add_block(LinearSet *set) {
    LinearBlock *block = aligned_alloc(LINEAR_LANES, sizeof *block);
    void *cells = new_cells(set, false);
    if (block == NULL || cells == NULL) {
        free(block);
        free(cells);
        return refuse_memory(set);
    }
    memset(block, 0, sizeof *block);
    block->cells = cells;
    block->present = new_present(set);
    MEM_ADD(set->blocks, set->block_count, set->block_capacity) = block;
    return OK;
}

// Moved up by 128, what fits 8 bits has nothing beyond them.
static unsigned beyond_narrow(int16_t count) {
    return ((unsigned)count + 128) & 0xFF00;
}

static bool fits_narrow(const LinearSet *set, const LinearRow *row) {
    unsigned beyond = 0;
    if (row->where != NULL)
        for (size_t i = 0; i < row->where_count; i++)
            beyond |= beyond_narrow(row->counts[row->where[i]]);
    else
        for (size_t i = 0; i < set->counts; i++)
            beyond |= beyond_narrow(row->counts[i]);
    return beyond == 0;
}

static Status widen(const LinearSet *set, LinearBlock *block) {
    int16_t *cells = new_cells(set, true);
    if (cells == NULL)
        return refuse_memory(set);
    const int8_t *narrow = block->cells;
    for (size_t i = 0; i < set->counts * LINEAR_BLOCK; i++)
        cells[i] = narrow[i];
    free(block->cells);
    block->cells = cells;
    block->is_wide = true;
    return OK;
}

static LinearBlock *block_of(const LinearSet *set, size_t position) {
    return set->blocks[position / LINEAR_BLOCK];
}

static void put_count(LinearBlock *block, size_t cell, int16_t count) {
    if (block->is_wide)
        ((int16_t *)block->cells)[cell] = count;
    else
        ((int8_t *)block->cells)[cell] = (int8_t)count;
}

// Cells are 0 until they are written.
static void put_counts(const LinearSet *set, LinearBlock *block, size_t place,
                       const LinearRow *row) {
    const size_t first = cell_of(set, place, 0);
    if (row->where != NULL) {
        for (size_t i = 0; i < row->where_count; i++)
            put_count(block, first + row->where[i] * (size_t)LINEAR_LANES,
                      row->counts[row->where[i]]);
        return;
    }
    int8_t *narrow = block->cells;
    for (size_t i = 0; i < set->counts && !block->is_wide; i++)
        narrow[first + i * LINEAR_LANES] = (int8_t)row->counts[i];
    for (size_t i = 0; i < set->counts && block->is_wide; i++)
        put_count(block, first + i * LINEAR_LANES, row->counts[i]);
}

static bool is_zero(const void *row, size_t bytes) {
    const char *at = row;
    char any = 0;
    for (size_t i = 0; i < bytes; i++)
        any |= at[i];
    return any == 0;
}

// Of a tile that is full: the kernel passes over what none of its positions has.
static void mark_present(const LinearSet *set, LinearBlock *block, size_t tile) {
    const size_t bytes = LINEAR_LANES * (block->is_wide ? sizeof(int16_t) : sizeof(int8_t));
    const char *cells = (const char *)block->cells + tile * set->counts * bytes;
    uint64_t *present = block->present + tile * linear_set_words(set);
    for (size_t i = 0; i < set->counts; i++)
        if (is_zero(cells + i * bytes, bytes))
            present[i / 64] &= ~((uint64_t)1 << i % 64);
}

Status linear_set_add(LinearSet *set, const LinearRow *row) {
    const size_t place = set->count % LINEAR_BLOCK;
    Status status = set->count / LINEAR_BLOCK == set->block_count ? add_block(set) : OK;
    if (status != OK)
        return status;
    LinearBlock *block = block_of(set, set->count);
    if (!block->is_wide && !fits_narrow(set, row))
        status = widen(set, block);
    if (status != OK)
        return status;
    put_counts(set, block, place, row);
    if (place % LINEAR_LANES == LINEAR_LANES - 1)
        mark_present(set, block, place / LINEAR_LANES);
    block->middlegame[place] = row->middlegame;
    block->endgame[place] = row->endgame;
    block->targets[place] = row->target;
    block->weights[place] = row->weight;
    block->offsets[place] = row->offset;
    set->weight += (double)row->weight;
    set->count++;
    return OK;
}

int linear_set_count(const LinearSet *set, size_t position, size_t count) {
    const LinearBlock *block = block_of(set, position);
    const size_t cell = cell_of(set, position % LINEAR_BLOCK, count);
    return block->is_wide ? ((const int16_t *)block->cells)[cell]
                          : ((const int8_t *)block->cells)[cell];
}

float linear_set_target(const LinearSet *set, size_t position) {
    return block_of(set, position)->targets[position % LINEAR_BLOCK];
}

void linear_set_retarget(LinearSet *set, size_t position, float target) {
    block_of(set, position)->targets[position % LINEAR_BLOCK] = target;
}
