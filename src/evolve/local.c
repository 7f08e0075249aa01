// SPDX-License-Identifier: GPL-3.0-or-later
#include "evolve/local.h"

#include "base/mem.h"
#include "evolve/survival.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Neighbours come in this order: two steps along each free parameter; a step along each free
// parameter together with the one `distance` after it; leaps to where the model points; the rest.
enum { LEAPS = 6 };

static size_t free_count(const LocalSearch *local) {
    return local->model.size;
}

static size_t first_leap(const LocalSearch *local) {
    return 3 * free_count(local);
}

size_t local_least_neighbours(const EvolveSpace *space) {
    size_t count = 0;
    for (size_t j = 0; j < space->count; j++)
        count += space->parameters[j].bits > 0;
    return 3 * count + LEAPS + 4;
}

static const BitGene *free_gene(const LocalSearch *local, size_t i) {
    return &local->code->genes[local->free_genes[i]];
}

// The largest number a gene can mean something by.
static double most_of(const BitGene *gene) {
    return floor((gene->high - gene->low) / gene->step + 0.5);
}

static double number_of(const BitGene *gene, double value) {
    return floor((value - gene->low) / gene->step + 0.5);
}

static double own_number(const LocalSearch *local, size_t i) {
    return number_of(free_gene(local, i), local->best[local->free_genes[i]]);
}

void local_open(LocalSearch *local, const BitCode *code, size_t neighbours) {
    size_t width = code->count, count = 0;
    *local = (LocalSearch){.code = code, .neighbours = neighbours, .distance = 1};
    local->best = mem_alloc_zero((3 + LOCAL_HISTORY) * width, sizeof(double));
    local->steps = local->best + width;
    local->combined = local->best + 2 * width;
    local->history = local->best + 3 * width;
    local->bits = mem_alloc_zero(code->words, sizeof *local->bits);
    local->free_genes = mem_alloc(width * sizeof *local->free_genes);
    for (size_t j = 0; j < width; j++)
        if (code->genes[j].bits > 0)
            local->free_genes[count++] = j;
    model_open(&local->model, count);
    for (size_t i = 0; i < count; i++)
        local->steps[i] = fmax(1, floor(most_of(free_gene(local, i)) / 8));
}

void local_close(LocalSearch *local) {
    free(local->best);
    free(local->bits);
    free(local->free_genes);
    model_close(&local->model);
}

void local_move(LocalSearch *local, const double *parameters) {
    size_t width = local->code->count, size = width * sizeof(double);
    if (local->has_best) {
        if (local->history_count == LOCAL_HISTORY) {
            memmove(local->history, local->history + width, (LOCAL_HISTORY - 1) * size);
            local->history_count--;
        }
        memcpy(local->history + local->history_count++ * width, local->best, size);
    }
    memmove(local->best, parameters, size);
    local->has_best = true;
}

// --- proposing ---

// The two steps to try along a free parameter: up and down, or twice to one side at a bound.
static void axis_steps(const LocalSearch *local, size_t i, double steps[2]) {
    double here = own_number(local, i), most = most_of(free_gene(local, i));
    double step = local->steps[i], up = most - here;
    steps[0] = up >= 1 ? fmin(step, up) : -fmin(2 * step, here);
    steps[1] = here >= 1 ? -fmin(step, here) : fmin(2 * step, up);
}

static void take_step(const LocalSearch *local, size_t i, double step, double *organism) {
    organism[local->free_genes[i]] += step * free_gene(local, i)->step;
}

static size_t partner_of(const LocalSearch *local, size_t i) {
    return (i + local->distance) % free_count(local);
}

// Steps along one or two parameters: the ones to learn from.
static void propose_step(const LocalSearch *local, size_t place, double *organism) {
    size_t count = free_count(local);
    double steps[2];
    if (place < 2 * count) {
        axis_steps(local, place / 2, steps);
        take_step(local, place / 2, steps[place % 2], organism);
        return;
    }
    size_t i = place - 2 * count;
    axis_steps(local, i, steps);
    take_step(local, i, steps[0], organism);
    axis_steps(local, partner_of(local, i), steps);
    take_step(local, partner_of(local, i), steps[0], organism);
}

// To the minimum of the model: all the way in its box, parts of the way, or within a few steps.
static void propose_leap(const LocalSearch *local, size_t place, double *organism) {
    static const struct {
        double part, reach;
    } kinds[LEAPS] = {{1, INFINITY},   {0.5, INFINITY}, {0.25, INFINITY},
                      {0.1, INFINITY}, {1, 4},          {1, 1}};
    const Model *model = &local->model;
    size_t count = model->size;
    double *low = mem_alloc(3 * count * sizeof *low), *high = low + count, *move = high + count;
    for (size_t i = 0; i < count; i++) {
        double reach = kinds[place].reach * local->steps[i];
        low[i] = fmax(-model->centre[i], -reach);
        high[i] = fmin(most_of(free_gene(local, i)) - model->centre[i], reach);
    }
    model_minimize(model, low, high, kinds[place].part, move);
    for (size_t i = 0; i < count; i++) {
        const BitGene *gene = free_gene(local, i);
        organism[local->free_genes[i]] = gene->low + gene->step * (model->centre[i] + move[i]);
    }
    free(low);
}

static void propose_pair(const LocalSearch *local, Rng *rng, double *organism) {
    for (int n = 0; n < 2; n++) {
        size_t i = rng_below(rng, (uint32_t)free_count(local));
        double step = 1 << rng_below(rng, 4);
        take_step(local, i, rng_u32(rng) >> 31 ? step : -step, organism);
    }
}

// Along the way from an earlier place to this one, and beyond.
static void propose_pattern(const LocalSearch *local, Rng *rng, double *organism) {
    size_t width = local->code->count;
    const double *then = local->history + rng_below(rng, (uint32_t)local->history_count) * width;
    double far = 3 * rng_real(rng);
    for (size_t j = 0; j < width; j++)
        organism[j] += far * (local->best[j] - then[j]);
}

static void propose_difference(const LocalSearch *local, Rng *rng, const double *population,
                               size_t count, double *organism) {
    size_t width = local->code->count;
    const double *a = population + rng_below(rng, (uint32_t)count) * width;
    const double *b = population + rng_below(rng, (uint32_t)count) * width;
    double far = rng_real(rng);
    for (size_t j = 0; j < width; j++)
        organism[j] += far * (a[j] - b[j]);
}

static void round_to_code(const LocalSearch *local, double *organism) {
    coding_encode(local->code, organism, local->bits);
    coding_decode(local->code, local->bits, organism);
}

void local_propose(const LocalSearch *local, const EvolveRun *run, uint32_t generation,
                   const double *population, size_t count, double *neighbours) {
    size_t width = local->code->count, leap = first_leap(local), rest = leap + LEAPS;
    for (size_t i = 0; i < local->neighbours; i++) {
        Rng rng = evolve_rng(run->seed, run->run, generation, (uint32_t)i, USE_LOCAL_SEARCH);
        double *organism = neighbours + i * width;
        bool is_combined = i == rest && local->has_combined;
        memcpy(organism, is_combined ? local->combined : local->best, width * sizeof *organism);
        if (i < leap)
            propose_step(local, i, organism);
        else if (i < rest && local->model.has_slopes)
            propose_leap(local, i - leap, organism);
        else if (i % 3 == 0 && local->history_count > 0 && !is_combined)
            propose_pattern(local, &rng, organism);
        else if (i % 3 == 1 && !is_combined)
            propose_difference(local, &rng, population, count, organism);
        else if (!is_combined)
            propose_pair(local, &rng, organism);
        round_to_code(local, organism);
    }
}

// --- learning ---

// Doubles or halves the step along one parameter. One that has become too small to try begins anew:
// small most of the time, to learn how the loss curves, and now and then at any size, to find
// other valleys.
static void adapt_step(LocalSearch *local, size_t i, bool helped, Rng *rng) {
    double step = local->steps[i] * (helped ? 2 : 0.5), most = most_of(free_gene(local, i)) / 2;
    if (step < 1 && rng_below(rng, 4) == 0)
        step = (1u << rng_below(rng, free_gene(local, i)->bits)) * (1 + rng_real(rng));
    else if (step < 1)
        step = 1 << rng_below(rng, 3);
    local->steps[i] = fmax(1, fmin(floor(step), floor(most)));
}

static void learn_axes(LocalSearch *local, int64_t own_score, const double *neighbours,
                       const int64_t *scores) {
    size_t width = local->code->count, helpful = 0;
    memcpy(local->combined, local->best, width * sizeof(double));
    for (size_t i = 0; i < free_count(local); i++) {
        size_t j = local->free_genes[i];
        size_t better = scores[2 * i] >= scores[2 * i + 1] ? 2 * i : 2 * i + 1;
        double steps[2], gains[2] = {(double)(own_score - scores[2 * i]),
                                     (double)(own_score - scores[2 * i + 1])};
        axis_steps(local, i, steps);
        local->model.centre[i] = own_number(local, i);
        if (steps[0] != steps[1])
            model_see_axis(&local->model, i, steps, gains);
        if (scores[better] > own_score) {
            local->combined[j] = neighbours[better * width + j];
            helpful++;
        }
    }
    local->model.has_slopes = true;
    local->has_combined = helpful > 1;
}

static void learn_pairs(LocalSearch *local, int64_t own_score, const int64_t *scores) {
    size_t count = free_count(local);
    for (size_t i = 0; i < count; i++) {
        size_t partner = partner_of(local, i);
        double own[2], others[2];
        axis_steps(local, i, own);
        axis_steps(local, partner, others);
        double steps[2] = {own[0], others[0]};
        double gains[3] = {(double)(own_score - scores[2 * i]),
                           (double)(own_score - scores[2 * partner]),
                           (double)(own_score - scores[2 * count + i])};
        if (partner != i)
            model_see_pair(&local->model, i, partner, steps, gains);
    }
    local->distance = local->distance < count / 2 ? local->distance + 1 : 1;
}

bool local_learn(LocalSearch *local, const EvolveRun *run, int64_t own_score,
                 const double *neighbours, const int64_t *scores) {
    Rng rng = evolve_run_rng(run, local->neighbours, USE_LOCAL_SEARCH);
    learn_axes(local, own_score, neighbours, scores);
    learn_pairs(local, own_score, scores);
    for (size_t i = 0; i < free_count(local); i++) {
        bool helped = scores[2 * i] > own_score || scores[2 * i + 1] > own_score;
        adapt_step(local, i, helped, &rng);
    }
    size_t best = survival_best(scores, local->neighbours);
    if (scores[best] <= own_score)
        return false;
    local_move(local, neighbours + best * local->code->count);
    return true;
}

// --- saving ---

void local_save(const LocalSearch *local, Str *out) {
    bytes_add_u8(out, local->has_best);
    bytes_add_u8(out, local->has_combined);
    bytes_add_u8(out, local->model.has_slopes);
    bytes_add_u64(out, local->history_count);
    bytes_add_u64(out, local->distance);
    bytes_add_doubles(out, local->best, (3 + LOCAL_HISTORY) * local->code->count);
    bytes_add_doubles(out, local->model.centre, model_doubles(&local->model));
}

void local_load(LocalSearch *local, const EvolveSpace *space, ByteReader *in) {
    local->has_best = bytes_u8(in) != 0;
    local->has_combined = bytes_u8(in) != 0;
    local->model.has_slopes = bytes_u8(in) != 0;
    uint64_t history_count = bytes_u64(in), distance = bytes_u64(in);
    bytes_doubles(in, local->best, (3 + LOCAL_HISTORY) * local->code->count);
    bytes_doubles(in, local->model.centre, model_doubles(&local->model));
    for (size_t j = 0; j < space->count; j++)
        in->failed |= local->has_best && space_nearest(space, j, local->best[j]) != local->best[j];
    for (size_t i = 0; i < free_count(local); i++)
        in->failed |= !(local->steps[i] >= 1 && local->steps[i] <= most_of(free_gene(local, i)));
    in->failed |= history_count > LOCAL_HISTORY || distance == 0 || distance > space->count;
    if (in->failed)
        return;
    local->history_count = history_count;
    local->distance = distance;
}
