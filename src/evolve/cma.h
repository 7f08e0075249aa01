// SPDX-License-Identifier: GPL-3.0-or-later
// The normal distribution that CMA-ES samples from, and how it learns (Hansen, "The CMA Evolution
// Strategy: A Tutorial", 2016). Steps are whitened by the Cholesky factor of the covariance instead
// of its square root (Krause, Arbonès and Igel, 2016), so that no eigenvectors are needed.
#pragma once

#include "evolve/random.h"

typedef struct Cma {
    size_t size;       // dimensions
    size_t lambda;     // samples in a generation
    size_t mu;         // of which so many count
    bool is_separable; // the covariance is diagonal: matrices have one row
    double *weights, effective_mu;
    double c_sigma, c_path, c_one, c_mu, damping, expected_length;
    double sigma, *mean, *covariance, *factor, *path, *sigma_path;
    double *whites, *steps; // of each sample: the deviates, and these times the factor
    uint32_t iteration, factor_age;
} Cma;

void cma_open(Cma *cma, size_t size, bool is_separable);
void cma_close(Cma *cma);
// Restarts with `lambda` samples; the mean is the caller's to set. ERR_LIMIT if there is no
// room.
MUST_CHECK Status cma_start(Cma *cma, size_t lambda, double sigma);
// Draws the steps of all samples: sample i is mean + sigma * steps[i].
void cma_sample(Cma *cma, const EvolveRun *run, uint32_t generation);
// Learns from the samples in order, the best first.
void cma_learn(Cma *cma, const uint32_t *order);
// Raises the standard deviation of each dimension to at least this.
void cma_raise(Cma *cma, const double *least);
// Standard deviation of a dimension.
double cma_deviation(const Cma *cma, size_t dimension);
// False once the covariance cannot be factored any more or has lost all measure.
bool cma_is_sound(const Cma *cma);
void cma_save(const Cma *cma, Str *out);
// Into a distribution that was started with the same lambda.
void cma_load(Cma *cma, ByteReader *in);
