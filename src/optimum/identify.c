// SPDX-License-Identifier: GPL-3.0-or-later
#include "optimum/identify.h"

#include "base/mem.h"
#include "optimum/columns.h"
#include "optimum/eigen.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// Hall and Sheather's bandwidth for the median is this times n^(-1/3):
// z(0.975)^(2/3) (1.5 phi(0)^2)^(1/3).
static const double hall_sheather = 0.971559;
static const double rare_share = 0.01, inflation_max = 10, correlation_max = 0.95;
// Eigenvalues of a matrix with ones on its diagonal: below this, a direction has no data at all.
static const double null_eigenvalue = 1e-11;
// How much of a weight (squared) may lie in such directions by rounding alone.
static const double null_share = 1e-9;
// A residual this small belongs to a position that the solution goes through.
static const double zero_residual = 1e-6;

typedef struct Gram {
    size_t count;   // weights that are counted and not fixed
    size_t *column; // owned: which these are
    double *length; // owned: root of the sum of the squares of their counts
    double *cosine; // owned: count by count
} Gram;

static void describe(const Columns *columns, size_t j, double weight, WeightEvidence *out) {
    const int16_t *column = columns_at(columns, j);
    int64_t sum = 0;
    *out = (WeightEvidence){.partner = j};
    for (size_t i = 0; i < columns->rows; i++) {
        out->positions += column[i] != 0;
        sum += abs(column[i]);
    }
    double rows = (double)columns->rows, low = columns->low[j], high = columns->high[j];
    out->mean_count = rows == 0 ? 0 : (double)sum / rows;
    out->standard_error = out->inflation = low == high ? NAN : INFINITY;
    if (out->positions == 0)
        out->flags |= IDENTIFY_NEVER;
    else if ((double)out->positions < rare_share * rows)
        out->flags |= IDENTIFY_RARE;
    double near = 1e-9 * (high - low);
    if (low == high)
        out->flags |= IDENTIFY_FIXED;
    else if (weight <= low + near || weight >= high - near)
        out->flags |= IDENTIFY_AT_BOUND;
}

static double dot(const Columns *columns, size_t a, size_t b) {
    const int16_t *first = columns_at(columns, a), *second = columns_at(columns, b);
    int64_t sum = 0;
    for (size_t i = 0; i < columns->rows; i++)
        sum += first[i] * second[i];
    return (double)sum;
}

static Gram gram_create(const Columns *columns, const WeightEvidence *evidence) {
    Gram gram = {.column = mem_alloc_zero(columns->count + 1, sizeof *gram.column),
                 .length = mem_alloc_zero(columns->count + 1, sizeof *gram.length)};
    for (size_t j = 0; j < columns->count; j++) {
        if ((evidence[j].flags & (IDENTIFY_NEVER | IDENTIFY_FIXED)) != 0)
            continue;
        gram.column[gram.count] = j;
        gram.length[gram.count++] = sqrt(dot(columns, j, j));
    }
    gram.cosine = mem_alloc_zero(gram.count * gram.count + 1, sizeof *gram.cosine);
    for (size_t a = 0; a < gram.count; a++)
        for (size_t b = 0; b <= a; b++) {
            double cosine =
                dot(columns, gram.column[a], gram.column[b]) / (gram.length[a] * gram.length[b]);
            gram.cosine[a * gram.count + b] = gram.cosine[b * gram.count + a] = a == b ? 1 : cosine;
        }
    return gram;
}

static void gram_free(Gram *gram) {
    free(gram->column);
    free(gram->length);
    free(gram->cosine);
}

static void find_partners(const Gram *gram, WeightEvidence *evidence) {
    for (size_t a = 0; a < gram->count; a++) {
        WeightEvidence *of_a = &evidence[gram->column[a]];
        for (size_t b = 0; b < gram->count; b++) {
            double cosine = gram->cosine[a * gram->count + b];
            if (a == b || fabs(cosine) <= fabs(of_a->correlation))
                continue;
            of_a->correlation = cosine;
            of_a->partner = gram->column[b];
        }
    }
}

// The diagonal of the inverse of the cosines; overwrites them. Returns the rank.
static size_t inflate(Gram *gram, WeightEvidence *evidence) {
    size_t n = gram->count, rank = 0;
    double *values = mem_alloc_zero(n + 1, sizeof *values);
    double *vectors = mem_alloc_zero(n * n + 1, sizeof *vectors);
    eigen_symmetric(n, gram->cosine, values, vectors);
    for (size_t k = 0; k < n; k++)
        rank += values[k] > null_eigenvalue;
    for (size_t a = 0; a < n; a++) {
        double lost = 0, inflation = 0;
        for (size_t k = 0; k < n; k++) {
            double share = vectors[a * n + k] * vectors[a * n + k];
            if (values[k] > null_eigenvalue)
                inflation += share / values[k];
            else
                lost += share;
        }
        evidence[gram->column[a]].inflation = lost > null_share ? INFINITY : inflation;
    }
    free(values);
    free(vectors);
    return rank;
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Residuals in order, without as many zeros as the solution fits by construction. Returns how many.
static size_t sort_residuals(const Columns *columns, const double *weights, size_t rank,
                             double *out) {
    for (size_t i = 0; i < columns->rows; i++)
        out[i] = columns->labels[i];
    for (size_t j = 0; j < columns->count; j++)
        for (size_t i = 0; i < columns->rows; i++)
            out[i] -= weights[j] * columns_at(columns, j)[i];
    size_t kept = 0;
    for (size_t i = 0, dropped = 0; i < columns->rows; i++) {
        if (fabs(out[i]) < zero_residual && dropped < rank)
            dropped++;
        else
            out[kept++] = out[i];
    }
    qsort(out, kept, sizeof *out, by_value);
    return kept;
}

// One over the density of the residuals at their median: the slope of their quantiles there.
// Infinite when too few positions are left to tell.
static double sparsity_of(const Columns *columns, const double *weights, size_t rank) {
    double *residuals = mem_alloc_zero(columns->rows + 1, sizeof *residuals);
    size_t kept = sort_residuals(columns, weights, rank, residuals);
    double n = (double)columns->rows, width = ceil(hall_sheather * n / cbrt(n));
    size_t half = (size_t)width > rank + 1 ? (size_t)width : rank + 1, middle = kept / 2;
    double sparsity = INFINITY;
    if (half > middle || middle + half >= kept)
        half = middle < kept - middle ? middle : kept - middle - 1;
    if (kept > 2 && columns->rows > rank)
        sparsity = (residuals[middle + half] - residuals[middle - half]) * (double)kept /
                   (2 * (double)half);
    free(residuals);
    return sparsity;
}

Status identify(const OptimumProblem *problem, const double *weights, WeightEvidence *out) {
    CLEANUP(columns_free) Columns columns = {0};
    TRY(columns_create(&columns, problem));
    for (size_t j = 0; j < columns.count; j++)
        describe(&columns, j, weights[j], &out[j]);
    Gram gram = gram_create(&columns, out);
    find_partners(&gram, out);
    size_t rank = inflate(&gram, out);
    double sparsity = sparsity_of(&columns, weights, rank);
    for (size_t a = 0; a < gram.count; a++) {
        WeightEvidence *of_a = &out[gram.column[a]];
        bool is_lost = isinf(of_a->inflation) || isinf(sparsity);
        of_a->standard_error =
            is_lost ? INFINITY : sparsity / 2 * sqrt(of_a->inflation) / gram.length[a];
        if (of_a->inflation > inflation_max || fabs(of_a->correlation) > correlation_max)
            of_a->flags |= IDENTIFY_COLLINEAR;
    }
    gram_free(&gram);
    return OK;
}

const char *identify_flags_text(unsigned flags, char *buffer, size_t size) {
    static const struct {
        unsigned flag;
        const char *name;
    } names[] = {
        {IDENTIFY_NEVER, "never counted"}, {IDENTIFY_RARE, "rare"},
        {IDENTIFY_COLLINEAR, "collinear"}, {IDENTIFY_AT_BOUND, "at a bound"},
        {IDENTIFY_FIXED, "fixed"},
    };
    size_t used = 0;
    buffer[0] = '\0';
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if ((flags & names[i].flag) != 0 && used < size)
            used += (size_t)snprintf(buffer + used, size - used, "%s%s", used == 0 ? "" : ", ",
                                     names[i].name);
    return buffer;
}
