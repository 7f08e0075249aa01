// SPDX-License-Identifier: GPL-3.0-or-later
#include "evolve/cma.h"

#include "base/mem.h"
#include "evolve/algorithm.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static size_t matrix_size(const Cma *cma) {
    return cma->is_separable ? cma->size : cma->size * cma->size;
}

static double *diagonal(const Cma *cma, size_t i) {
    return &cma->covariance[cma->is_separable ? i : i * cma->size + i];
}

void cma_open(Cma *cma, size_t size, bool is_separable) {
    *cma = (Cma){.size = size, .is_separable = is_separable};
    cma->mean = mem_alloc_zero(3 * size, sizeof(double));
    cma->path = cma->mean + size;
    cma->sigma_path = cma->mean + 2 * size;
    cma->covariance = mem_alloc_zero(2 * matrix_size(cma), sizeof(double));
    cma->factor = cma->covariance + matrix_size(cma);
}

void cma_close(Cma *cma) {
    free(cma->mean);
    free(cma->covariance);
    free(cma->weights);
    free(cma->whites);
    free(cma->steps);
    *cma = (Cma){0};
}

// The constants of the tutorial, its table 1, without negative weights.
static void set_constants(Cma *cma) {
    double n = (double)cma->size, sum = 0, squares = 0;
    cma->mu = cma->lambda / 2;
    for (size_t i = 0; i < cma->mu; i++) {
        cma->weights[i] = log((double)cma->lambda / 2 + 0.5) - log((double)i + 1);
        sum += cma->weights[i];
    }
    for (size_t i = 0; i < cma->mu; i++) {
        cma->weights[i] /= sum;
        squares += cma->weights[i] * cma->weights[i];
    }
    double mu = cma->effective_mu = 1 / squares;
    cma->c_sigma = (mu + 2) / (n + mu + 5);
    cma->c_path = (4 + mu / n) / (n + 4 + 2 * mu / n);
    double faster = cma->is_separable ? (n + 2) / 3 : 1; // Ros and Hansen 2008
    cma->c_one = fmin(1, faster * 2 / ((n + 1.3) * (n + 1.3) + mu));
    cma->c_mu = fmin(1 - cma->c_one, faster * 2 * (mu - 2 + 1 / mu) / ((n + 2) * (n + 2) + mu));
    cma->damping = 1 + 2 * fmax(0, sqrt((mu - 1) / (n + 1)) - 1) + cma->c_sigma;
    cma->expected_length = sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n));
}

Status cma_start(Cma *cma, size_t lambda, double sigma) {
    if (lambda != cma->lambda) {
        free(cma->weights);
        free(cma->whites);
        free(cma->steps);
        cma->lambda = lambda;
        cma->weights = population_alloc(lambda, sizeof(double));
        cma->whites = population_alloc(lambda, cma->size * sizeof(double));
        cma->steps = population_alloc(lambda, cma->size * sizeof(double));
        if (cma->weights == NULL || cma->whites == NULL || cma->steps == NULL)
            return ERR_LIMIT;
    }
    set_constants(cma);
    cma->sigma = sigma;
    cma->iteration = cma->factor_age = 0;
    memset(cma->path, 0, 2 * cma->size * sizeof(double));
    memset(cma->covariance, 0, 2 * matrix_size(cma) * sizeof(double));
    for (size_t i = 0; i < cma->size; i++)
        *diagonal(cma, i) = cma->factor[diagonal(cma, i) - cma->covariance] = 1;
    return OK;
}

void cma_sample(Cma *cma, const EvolveRun *run, uint32_t generation) {
    size_t n = cma->size;
    for (size_t i = 0; i < cma->lambda; i++) {
        Rng rng = evolve_rng(run->seed, run->run, generation, (uint32_t)i, USE_SAMPLE);
        double *white = cma->whites + i * n, *step = cma->steps + i * n;
        for (size_t j = 0; j < n; j++)
            white[j] = random_normal(&rng);
        for (size_t j = 0; j < n; j++) {
            if (cma->is_separable) {
                step[j] = cma->factor[j] * white[j];
                continue;
            }
            step[j] = 0;
            for (size_t k = 0; k <= j; k++)
                step[j] += cma->factor[j * n + k] * white[k];
        }
    }
}

// False when the covariance is not positive definite.
static bool factorize(Cma *cma) {
    size_t n = cma->size;
    const double *c = cma->covariance;
    double *a = cma->factor;
    for (size_t i = 0; i < n && cma->is_separable; i++) {
        if (!(c[i] > 0))
            return false;
        a[i] = sqrt(c[i]);
    }
    for (size_t i = 0; i < n && !cma->is_separable; i++)
        for (size_t j = 0; j <= i; j++) {
            double sum = c[i * n + j];
            for (size_t k = 0; k < j; k++)
                sum -= a[i * n + k] * a[j * n + k];
            if (i == j && !(sum > 0))
                return false;
            a[i * n + j] = i == j ? sqrt(sum) : sum / a[j * n + j];
        }
    return true;
}

// The mean of the best samples' rows, by weight.
static void weigh(const Cma *cma, const double *rows, const uint32_t *order, double *out) {
    memset(out, 0, cma->size * sizeof *out);
    for (size_t i = 0; i < cma->mu; i++)
        for (size_t j = 0; j < cma->size; j++)
            out[j] += cma->weights[i] * rows[order[i] * cma->size + j];
}

// Moves an evolution path: an average over time that has variance 1 under random selection.
static double move_path(double *path, const double *step, size_t n, double rate, double scale) {
    double squares = 0;
    for (size_t j = 0; j < n; j++) {
        path[j] = (1 - rate) * path[j] + scale * sqrt(rate * (2 - rate)) * step[j];
        squares += path[j] * path[j];
    }
    return sqrt(squares);
}

static void move_covariance(Cma *cma, const uint32_t *order, double keep) {
    size_t n = cma->size;
    for (size_t i = 0; i < matrix_size(cma); i++)
        cma->covariance[i] *= keep;
    for (size_t s = 0; s <= cma->mu; s++) { // the path first, then the samples
        const double *row = s == 0 ? cma->path : cma->steps + order[s - 1] * n;
        double rate = s == 0 ? cma->c_one : cma->c_mu * cma->weights[s - 1];
        for (size_t i = 0; i < n; i++) {
            if (cma->is_separable) {
                cma->covariance[i] += rate * row[i] * row[i];
                continue;
            }
            for (size_t j = 0; j <= i; j++)
                cma->covariance[i * n + j] += rate * row[i] * row[j];
        }
    }
}

void cma_learn(Cma *cma, const uint32_t *order) {
    size_t n = cma->size;
    double *white = mem_alloc(2 * n * sizeof *white), *step = white + n;
    weigh(cma, cma->whites, order, white);
    weigh(cma, cma->steps, order, step);
    for (size_t j = 0; j < n; j++)
        cma->mean[j] += cma->sigma * step[j];
    cma->iteration++;
    double root = sqrt(cma->effective_mu);
    double length = move_path(cma->sigma_path, white, n, cma->c_sigma, root);
    double grown = sqrt(1 - pow(1 - cma->c_sigma, 2.0 * cma->iteration));
    bool steady = length / grown / cma->expected_length < 1.4 + 2 / ((double)n + 1);
    move_path(cma->path, step, n, cma->c_path, steady ? root : 0);
    double lost = steady ? 0 : cma->c_one * cma->c_path * (2 - cma->c_path);
    move_covariance(cma, order, 1 - cma->c_one - cma->c_mu + lost);
    double change = cma->c_sigma / cma->damping * (length / cma->expected_length - 1);
    cma->sigma *= exp(fmin(1, change));
    free(white);
    // A matrix that has hardly changed need not be factored again.
    cma->factor_age++;
    if (cma->factor_age * 10 * (double)n * (cma->c_one + cma->c_mu) >= 1 && factorize(cma))
        cma->factor_age = 0;
}

double cma_deviation(const Cma *cma, size_t dimension) {
    return cma->sigma * sqrt(*diagonal(cma, dimension));
}

void cma_raise(Cma *cma, const double *least) {
    size_t raised = 0;
    for (size_t i = 0; i < cma->size; i++)
        raised += cma_deviation(cma, i) < least[i];
    // Where all are too small it is the common factor that is.
    double ratio = INFINITY;
    for (size_t i = 0; i < cma->size && raised == cma->size; i++)
        ratio = fmin(ratio, least[i] / cma_deviation(cma, i));
    if (raised == cma->size)
        cma->sigma *= ratio;
    for (size_t i = 0; i < cma->size; i++)
        if (cma_deviation(cma, i) < least[i])
            *diagonal(cma, i) = least[i] / cma->sigma * (least[i] / cma->sigma);
}

bool cma_is_sound(const Cma *cma) {
    double low = INFINITY, high = 0;
    for (size_t i = 0; i < cma->size; i++) {
        low = fmin(low, *diagonal(cma, i));
        high = fmax(high, *diagonal(cma, i));
    }
    double allowed_age = 2 + 1 / (10 * (double)cma->size * (cma->c_one + cma->c_mu));
    return isfinite(high) && low > 0 && high / low < 1e14 && isfinite(cma->sigma) &&
           cma->sigma > 0 && cma->sigma < 1e9 && cma->factor_age <= allowed_age;
}

void cma_save(const Cma *cma, Str *out) {
    bytes_add_double(out, cma->sigma);
    bytes_add_u32(out, cma->iteration);
    bytes_add_u32(out, cma->factor_age);
    bytes_add_doubles(out, cma->mean, 3 * cma->size);
    bytes_add_doubles(out, cma->covariance, 2 * matrix_size(cma));
}

void cma_load(Cma *cma, ByteReader *in) {
    cma->sigma = bytes_double(in);
    cma->iteration = bytes_u32(in);
    cma->factor_age = bytes_u32(in);
    bytes_doubles(in, cma->mean, 3 * cma->size);
    bytes_doubles(in, cma->covariance, 2 * matrix_size(cma));
}
