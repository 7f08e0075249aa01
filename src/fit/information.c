// SPDX-License-Identifier: GPL-3.0-or-later
#include "fit/information.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

typedef struct Summing {
    const FitConfig *config;
    const LinearSet *set;
    Information *out;
    double *parts; // what a position has of each row that is not 0
    size_t *rows;
} Summing;

// Of one position with a score: how much information on the score it carries.
static double weight_of(const FitConfig *config, double score, double spread) {
    if (!config->loss.is_probability)
        return 1 / spread;
    const double slope = config->loss.k * log(10) / 400;
    const double chance = linear_probability(score, config->loss.k);
    return chance * (1 - chance) * slope * slope;
}

// The mean square of what scores are off by: what a mentor's scores are taken to spread by.
static double spread_of(const LinearSet *set, const float *scores) {
    double squares = 0;
    for (size_t i = 0; i < set->count; i++)
        squares += pow((double)scores[i] - (double)linear_set_target(set, i), 2);
    return fmax(1e-6, squares / (double)set->count);
}

static size_t take_parts(const Summing *sum, size_t position) {
    const LinearSet *set = sum->set;
    const LinearBlock *block = set->blocks[position / LINEAR_BLOCK];
    const double shares[2] = {(double)block->middlegame[position % LINEAR_BLOCK],
                              (double)block->endgame[position % LINEAR_BLOCK]};
    const size_t each = set->is_tapered ? 2 : 1;
    size_t found = 0;
    for (size_t i = 0; i < set->counts; i++) {
        const int count = linear_set_count(set, position, i);
        for (size_t phase = 0; count != 0 && phase < each; phase++) {
            const size_t row = sum->out->free_of[each * i + phase];
            if (row == SIZE_MAX || shares[phase] == 0)
                continue;
            sum->rows[found] = row;
            sum->parts[found++] = count * shares[phase];
        }
    }
    return found;
}

// Adds a position's products. Rows grow with the coefficients, so that every pair falls into the
// lower triangle.
static void add_products(const Summing *sum, size_t position, double weight) {
    const size_t count = take_parts(sum, position);
    for (size_t i = 0; i < count; i++) {
        double *row = sum->out->matrix + sum->rows[i] * sum->out->free_count;
        const double part = weight * sum->parts[i];
        for (size_t j = 0; j <= i; j++)
            row[sum->rows[j]] += part * sum->parts[j];
    }
}

// --- the same for tapered families, both coefficients of a count at once ---

typedef double Two __attribute__((vector_size(2 * sizeof(double)), aligned(8), may_alias));

// Whether no count has one coefficient that is free and one that is fixed.
static bool is_paired(const Information *info, const LinearSet *set) {
    bool is_paired = set->is_tapered;
    for (size_t i = 0; is_paired && i + 1 < info->terms; i += 2)
        is_paired = (info->free_of[i] == SIZE_MAX) == (info->free_of[i + 1] == SIZE_MAX);
    return is_paired;
}

static size_t take_pairs(const Summing *sum, size_t position) {
    const LinearSet *set = sum->set;
    const LinearBlock *block = set->blocks[position / LINEAR_BLOCK];
    const size_t place = position % LINEAR_BLOCK;
    const Two shares = {(double)block->middlegame[place], (double)block->endgame[place]};
    size_t found = 0;
    for (size_t i = 0; i < set->counts; i++) {
        const int count = linear_set_count(set, position, i);
        if (count == 0 || sum->out->free_of[2 * i] == SIZE_MAX)
            continue;
        sum->rows[found] = sum->out->free_of[2 * i];
        *(Two *)(sum->parts + 2 * found++) = shares * count;
    }
    return found;
}

// What add_products does, to the last bit; one number beside the diagonal falls into the upper
// triangle, which nobody reads.
static void add_paired_products(const Summing *sum, size_t position, double weight) {
    const size_t count = take_pairs(sum, position), n = sum->out->free_count;
    for (size_t i = 0; i < count; i++) {
        double *row = sum->out->matrix + sum->rows[i] * n, *next = row + n;
        const double first = weight * sum->parts[2 * i], second = weight * sum->parts[2 * i + 1];
        for (size_t j = 0; j <= i; j++) {
            const Two pair = *(const Two *)(sum->parts + 2 * j);
            *(Two *)(row + sum->rows[j]) += pair * first;
            *(Two *)(next + sum->rows[j]) += pair * second;
        }
    }
}

static void sum_up(const Summing *sum, const float *scores) {
    const double spread = sum->config->loss.is_probability ? 0 : spread_of(sum->set, scores);
    const bool in_pairs = is_paired(sum->out, sum->set);
    sum->out->pull_weight = spread > 0 ? 1 / spread : 2;
    for (size_t i = 0; i < sum->out->positions; i++) {
        const size_t p = i * sum->set->count / sum->out->positions;
        const double weight = weight_of(sum->config, (double)scores[p], spread);
        (in_pairs ? add_paired_products : add_products)(sum, p, weight);
    }
}

Status information_find(Information *out, const FitConfig *config, const LinearSet *set,
                        size_t most, const double *coefficients, DistPool *pool) {
    const size_t terms = linear_set_coefficients(set);
    CLEANUP(mem_free_at) size_t *rows = mem_alloc(terms * sizeof *rows);
    CLEANUP(mem_free_at) double *parts = mem_alloc(terms * sizeof *parts);
    CLEANUP(mem_free_at) float *scores = mem_alloc((set->count + 1) * sizeof *scores);
    TRY(linear_scores(set, coefficients, pool, scores));
    *out = (Information){.terms = terms, .positions = set->count < most ? set->count : most};
    out->free_of = mem_alloc(terms * sizeof *out->free_of);
    for (size_t i = 0; i < terms; i++)
        out->free_of[i] = config->low[i] < config->high[i] ? out->free_count++ : SIZE_MAX;
    out->matrix = mem_alloc_zero(out->free_count * out->free_count + 1, sizeof *out->matrix);
    sum_up(&(Summing){config, set, out, parts, rows}, scores);
    return OK;
}

void information_free(Information *info) {
    free(info->free_of);
    free(info->matrix);
    *info = (Information){0};
}
