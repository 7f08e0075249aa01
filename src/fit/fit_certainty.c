// SPDX-License-Identifier: GPL-3.0-or-later
// What the data know of each weight: the information matrix of the loss around the fit.
#include "base/cholesky.h"
#include "base/mem.h"
#include "fit/fit_pull.h"

#include <math.h>
#include <string.h>

typedef struct Information {
    const FitConfig *config;
    const LinearSet *set;
    size_t terms, free_count;
    double pull_weight; // of a pull beside a log likelihood, to the second derivative
    size_t *free_of;    // of each coefficient: its row, or SIZE_MAX where it is fixed
    double *matrix;     // of the free ones: lower triangle
    double *parts;      // what a position has of each row that is not 0
    size_t *rows;
} Information;

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
    double sum = 0;
    for (size_t i = 0; i < set->count; i++)
        sum += pow((double)scores[i] - (double)linear_set_target(set, i), 2);
    return fmax(1e-6, sum / (double)set->count);
}

static size_t take_parts(const Information *info, size_t position) {
    const LinearSet *set = info->set;
    const LinearBlock *block = set->blocks[position / LINEAR_BLOCK];
    const double shares[2] = {(double)block->middlegame[position % LINEAR_BLOCK],
                              (double)block->endgame[position % LINEAR_BLOCK]};
    const size_t each = set->is_tapered ? 2 : 1;
    size_t found = 0;
    for (size_t i = 0; i < set->counts; i++) {
        const int count = linear_set_count(set, position, i);
        for (size_t phase = 0; count != 0 && phase < each; phase++) {
            const size_t row = info->free_of[each * i + phase];
            if (row == SIZE_MAX || shares[phase] == 0)
                continue;
            info->rows[found] = row;
            info->parts[found++] = count * shares[phase];
        }
    }
    return found;
}

// Adds a position's products. Rows grow with the coefficients, so that every pair falls into the
// lower triangle.
static void add_products(Information *info, size_t position, double weight) {
    const size_t count = take_parts(info, position);
    for (size_t i = 0; i < count; i++) {
        double *row = info->matrix + info->rows[i] * info->free_count;
        const double part = weight * info->parts[i];
        for (size_t j = 0; j <= i; j++)
            row[info->rows[j]] += part * info->parts[j];
    }
}

// --- the same for tapered families, both coefficients of a count at once ---

typedef double Two __attribute__((vector_size(2 * sizeof(double)), aligned(8), may_alias));

// Whether no count has one coefficient that is free and one that is fixed.
static bool is_paired(const Information *info) {
    bool is_paired = info->set->is_tapered;
    for (size_t i = 0; is_paired && i + 1 < info->terms; i += 2)
        is_paired = (info->free_of[i] == SIZE_MAX) == (info->free_of[i + 1] == SIZE_MAX);
    return is_paired;
}

static size_t take_pairs(const Information *info, size_t position) {
    const LinearSet *set = info->set;
    const LinearBlock *block = set->blocks[position / LINEAR_BLOCK];
    const size_t place = position % LINEAR_BLOCK;
    const Two shares = {(double)block->middlegame[place], (double)block->endgame[place]};
    size_t found = 0;
    for (size_t i = 0; i < set->counts; i++) {
        const int count = linear_set_count(set, position, i);
        if (count == 0 || info->free_of[2 * i] == SIZE_MAX)
            continue;
        info->rows[found] = info->free_of[2 * i];
        *(Two *)(info->parts + 2 * found++) = shares * count;
    }
    return found;
}

// What add_products does, to the last bit; one number beside the diagonal falls into the upper
// triangle, which nobody reads.
static void add_paired_products(Information *info, size_t position, double weight) {
    const size_t count = take_pairs(info, position), n = info->free_count;
    for (size_t i = 0; i < count; i++) {
        double *row = info->matrix + info->rows[i] * n, *next = row + n;
        const double first = weight * info->parts[2 * i], second = weight * info->parts[2 * i + 1];
        for (size_t j = 0; j <= i; j++) {
            const Two pair = *(const Two *)(info->parts + 2 * j);
            *(Two *)(row + info->rows[j]) += pair * first;
            *(Two *)(next + info->rows[j]) += pair * second;
        }
    }
}

static void sum_up(Information *info, const float *scores) {
    const double spread = info->config->loss.is_probability ? 0 : spread_of(info->set, scores);
    info->pull_weight = spread > 0 ? 1 / spread : 2;
    const bool in_pairs = is_paired(info);
    for (size_t p = 0; p < info->set->count; p++) {
        const double weight = weight_of(info->config, (double)scores[p], spread);
        if (in_pairs)
            add_paired_products(info, p, weight);
        else
            add_products(info, p, weight);
    }
}

// The diagonal of the inverse, from the factor.
static double variance_of(const double *factor, size_t n, size_t row, double *scratch) {
    double sum = 0;
    memset(scratch, 0, n * sizeof *scratch);
    scratch[row] = 1;
    cholesky_solve_lower(factor, n, scratch);
    for (size_t i = row; i < n; i++)
        sum += scratch[i] * scratch[i];
    return sum;
}

// Positions of a game are one piece of evidence: sums over positions are scaled down to games. A
// pull adds what a prior of the same strength knows.
static void invert(Information *info, size_t games, FitCertainty *out) {
    const size_t n = info->free_count;
    const double scale = (double)games / (double)info->set->count;
    const double prior = info->pull_weight * info->config->pull * (double)games / (100 * 100);
    CLEANUP(mem_free_at) double *scratch = mem_alloc((n + 1) * sizeof *scratch);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j <= i; j++)
            info->matrix[i * n + j] *= scale;
        info->matrix[i * n + i] += fmax(prior, 1e-12);
    }
    cholesky_factorize(info->matrix, n);
    for (size_t i = 0; i < info->terms; i++) {
        out[i] = (FitCertainty){0, 1};
        if (info->free_of[i] == SIZE_MAX)
            continue;
        const double variance = variance_of(info->matrix, n, info->free_of[i], scratch);
        out[i].deviation = variance < 1e11 ? sqrt(variance) : (double)INFINITY;
        out[i].share = prior > 0 ? fmax(0, 1 - variance * prior) : variance < 1e11;
    }
}

Status fit_certainty(const FitConfig *config, const LinearSet *set, size_t games,
                     const double *coefficients, DistPool *pool, FitCertainty *out) {
    const size_t terms = linear_set_coefficients(set);
    Information info = {.config = config, .set = set, .terms = terms};
    CLEANUP(mem_free_at) size_t *indices = mem_alloc(2 * terms * sizeof *indices);
    CLEANUP(mem_free_at) double *parts = mem_alloc(terms * sizeof *parts);
    CLEANUP(mem_free_at) float *scores = mem_alloc((set->count + 1) * sizeof *scores);
    info.free_of = indices;
    info.rows = indices + terms;
    info.parts = parts;
    for (size_t i = 0; i < terms; i++)
        info.free_of[i] = config->low[i] < config->high[i] ? info.free_count++ : SIZE_MAX;
    CLEANUP(mem_free_at)
    double *matrix = mem_alloc_zero(info.free_count * info.free_count + 1, sizeof *matrix);
    info.matrix = matrix;
    TRY(linear_scores(set, coefficients, pool, scores));
    sum_up(&info, scores);
    invert(&info, games, out);
    return OK;
}
