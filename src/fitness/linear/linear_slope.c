// SPDX-License-Identifier: GPL-3.0-or-later
#include "fitness/linear/linear_slope.h"

#include "base/mem.h"
#include "fitness/gradient/slope.h"
#include "fitness/linear/linear_kernel.h"

#include <stdlib.h>
#include <string.h>

// Blocks are summed in parts whose number depends on the set alone, and parts in their order.
enum { PARTS_MAX = 256 };

typedef struct Task {
    const LinearSet *set;
    LinearWork *works; // one per worker
    SlopePart *parts;
    size_t part_blocks;
    bool with_gradient;
    float *scores;
    const float *known; // scores of all blocks
} Task;

static LinearWork *works_new(const LinearSet *set, const LinearLoss *loss,
                             const double *coefficients, DistPool *pool) {
    const size_t workers = (size_t)dist_pool_threads(pool);
    LinearWork *works = mem_alloc(workers * sizeof *works);
    for (size_t i = 0; i < workers; i++)
        linear_work_init(&works[i], set, loss, coefficients);
    return works;
}

static void works_free(LinearWork *works, DistPool *pool) {
    for (int i = 0; i < dist_pool_threads(pool); i++)
        linear_work_free(&works[i]);
    free(works);
}

static Status add_part(void *context, size_t index, int worker) {
    const Task *task = context;
    SlopePart *part = &task->parts[index];
    const size_t first = index * task->part_blocks, left = task->set->block_count - first;
    const size_t blocks = left < task->part_blocks ? left : task->part_blocks;
    for (size_t i = first; i < first + blocks; i++)
        linear_kernel_add(&task->works[worker], task->set->blocks[i], &part->loss,
                          task->with_gradient ? part->gradient : NULL);
    return OK;
}

static Status add_scored_part(void *context, size_t index, int worker) {
    const Task *task = context;
    const size_t first = index * task->part_blocks, left = task->set->block_count - first;
    const size_t blocks = left < task->part_blocks ? left : task->part_blocks;
    for (size_t i = first; i < first + blocks; i++)
        linear_kernel_add_scored(&task->works[worker], task->set->blocks[i],
                                 task->known + i * LINEAR_BLOCK, &task->parts[index].loss);
    return OK;
}

static size_t blocks_of_part(const LinearSet *set) {
    return (set->block_count + PARTS_MAX - 1) / PARTS_MAX + (set->block_count == 0);
}

Status linear_slope(const LinearSet *set, const LinearLoss *loss, const double *coefficients,
                    DistPool *pool, double *mean, double *gradient) {
    const size_t terms = linear_set_coefficients(set);
    Task task = {.set = set, .with_gradient = gradient != NULL};
    task.part_blocks = blocks_of_part(set);
    const size_t parts = (set->block_count + task.part_blocks - 1) / task.part_blocks;
    double *sums = mem_alloc(terms * sizeof *sums + 1);
    task.works = works_new(set, loss, coefficients, pool);
    task.parts = slope_parts_new(parts, terms);
    const Status status = dist_pool_run(pool, parts, add_part, &task);
    Slope slope = {.gradient = sums};
    slope_parts_sum(task.parts, parts, terms, 1, &slope);
    *mean = slope.loss / set->weight;
    for (size_t i = 0; i < terms && gradient != NULL; i++)
        gradient[i] = sums[i] / set->weight;
    works_free(task.works, pool);
    free(sums);
    return status;
}

Status linear_loss_of_scores(const LinearSet *set, const LinearLoss *loss, const float *scores,
                             DistPool *pool, double *mean) {
    const size_t terms = linear_set_coefficients(set);
    Task task = {.set = set, .known = scores, .part_blocks = blocks_of_part(set)};
    const size_t parts = (set->block_count + task.part_blocks - 1) / task.part_blocks;
    CLEANUP(mem_free_at) double *none = mem_alloc_zero(terms + 1, sizeof *none);
    task.works = works_new(set, loss, none, pool);
    task.parts = slope_parts_new(parts, terms);
    const Status status = dist_pool_run(pool, parts, add_scored_part, &task);
    Slope slope = {.gradient = none};
    slope_parts_sum(task.parts, parts, terms, 1, &slope);
    *mean = slope.loss / set->weight;
    works_free(task.works, pool);
    return status;
}

static Status score_block(void *context, size_t index, int worker) {
    const Task *task = context;
    float scores[LINEAR_BLOCK];
    const size_t first = index * LINEAR_BLOCK, left = task->set->count - first;
    linear_kernel_scores(&task->works[worker], task->set->blocks[index], scores);
    memcpy(task->scores + first, scores,
           (left < LINEAR_BLOCK ? left : LINEAR_BLOCK) * sizeof *scores);
    return OK;
}

Status linear_scores(const LinearSet *set, const double *coefficients, DistPool *pool,
                     float *scores) {
    const LinearLoss none = {0};
    Task task = {.set = set, .scores = scores};
    task.works = works_new(set, &none, coefficients, pool);
    const Status status = dist_pool_run(pool, set->block_count, score_block, &task);
    works_free(task.works, pool);
    return status;
}

// --- the twin ---

static double score_plain(const LinearSet *set, size_t position, const double *coefficients) {
    const LinearBlock *block = set->blocks[position / LINEAR_BLOCK];
    const size_t place = position % LINEAR_BLOCK;
    double middlegame = 0, endgame = 0;
    for (size_t i = 0; i < set->counts; i++) {
        const double count = linear_set_count(set, position, i);
        middlegame += count * coefficients[set->is_tapered ? 2 * i : i];
        if (set->is_tapered)
            endgame += count * coefficients[2 * i + 1];
    }
    return middlegame * (double)block->middlegame[place] + endgame * (double)block->endgame[place] +
           (double)block->offsets[place];
}

void linear_slope_plain(const LinearSet *set, const LinearLoss *loss, const double *coefficients,
                        double *mean, double *gradient) {
    *mean = 0;
    memset(gradient, 0, linear_set_coefficients(set) * sizeof *gradient);
    for (size_t p = 0; p < set->count; p++) {
        const LinearBlock *block = set->blocks[p / LINEAR_BLOCK];
        const size_t place = p % LINEAR_BLOCK;
        const double share = (double)block->weights[place] / set->weight;
        double slope;
        *mean += share * linear_loss_at(loss, score_plain(set, p, coefficients),
                                        (double)block->targets[place], &slope);
        slope *= share;
        for (size_t i = 0; i < set->counts; i++) {
            const double pull = slope * linear_set_count(set, p, i);
            gradient[set->is_tapered ? 2 * i : i] += pull * (double)block->middlegame[place];
            if (set->is_tapered)
                gradient[2 * i + 1] += pull * (double)block->endgame[place];
        }
    }
}
