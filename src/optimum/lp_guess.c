// SPDX-License-Identifier: GPL-3.0-or-later
// Huber's function, which is quadratic near 0 and then goes on straight, by Newton's method, with
// less and less of it quadratic: so it tends to the least absolute errors. Only rows near 0 take
// part in the matrix. (Madsen and Nielsen 1993.)
#include "optimum/lp_guess.h"

#include "base/cholesky.h"
#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    LANES = 8,       // a row's counts are padded to a multiple of these
    ROUNDS_MAX = 40, // ten are usual
};

static const double ridge = 1e-7; // of a diagonal: columns may depend on each other
static const double inertia =
    1e-3; // keeps weights where they are, of which hardly any row near 0 knows anything
static const double narrower = 0.5; // each time

typedef struct Guess {
    const LpDual *lp;
    int16_t *counts; // owned: by rows, padded
    double *row;     // owned: the counts of the row at hand
    double *weights; // owned, of the columns
    double *gram;    // owned: columns by columns, of which the lower half is filled
    double *side;    // owned: the right hand side
    double *squares; // owned: of each column's counts, the sum
    size_t stride;   // columns, padded
} Guess;

static Guess guess_create(const LpDual *lp) {
    const size_t stride = (lp->columns + LANES - 1) / LANES * LANES;
    Guess guess = {.lp = lp,
                   .counts = mem_alloc_zero(lp->rows * stride + 1, sizeof *guess.counts),
                   .row = mem_alloc_zero(stride + 1, sizeof *guess.row),
                   .weights = mem_alloc_zero(stride + 1, sizeof *guess.weights),
                   .gram = mem_alloc_zero(stride * stride + 1, sizeof *guess.gram),
                   .side = mem_alloc_zero(stride + 1, sizeof *guess.side),
                   .squares = mem_alloc_zero(stride + 1, sizeof *guess.squares),
                   .stride = stride};
    for (size_t j = 0; j < lp->columns; j++)
        for (size_t i = 0; i < lp->rows; i++) {
            const int16_t count = lp->counts[j * lp->rows + i];
            guess.counts[i * stride + j] = count;
            guess.squares[j] += lp->most[i] * (count * count);
        }
    return guess;
}

static void guess_free(Guess *guess) {
    free(guess->counts);
    free(guess->row);
    free(guess->weights);
    free(guess->gram);
    free(guess->side);
    free(guess->squares);
}

static void add_near(Guess *guess, size_t i, double share) {
    const double *counts = guess->row;
    for (size_t a = 0; a < guess->stride; a++)
        guess->row[a] = guess->counts[i * guess->stride + a];
    for (size_t a = 0; a < guess->lp->columns; a++) {
        const double factor = share * counts[a];
        double *line = guess->gram + a * guess->stride;
        if (factor == 0)
            continue;
        for (size_t b = 0; b <= a; b += LANES)
            for (size_t lane = b; lane < b + LANES; lane++)
                line[lane] += factor * counts[lane];
        guess->side[a] += factor * guess->lp->targets[i];
    }
}

static void add_far(Guess *guess, size_t i, double slope) {
    const int16_t *counts = guess->counts + i * guess->stride;
    for (size_t a = 0; a < guess->stride; a++)
        guess->side[a] += slope * counts[a];
}

// The equations of a step, whose rows within `width` of 0 are quadratic. Returns how many these
// are.
static size_t find_equations(Guess *guess, const double *residuals, double width) {
    const LpDual *lp = guess->lp;
    const size_t stride = guess->stride;
    size_t near = 0;
    memset(guess->gram, 0, stride * stride * sizeof *guess->gram);
    memset(guess->side, 0, stride * sizeof *guess->side);
    for (size_t i = 0; i < lp->rows; i++) {
        if (fabs(residuals[i]) > width) {
            add_far(guess, i, copysign(lp->most[i], residuals[i]));
            continue;
        }
        add_near(guess, i, lp->most[i] / width);
        near++;
    }
    for (size_t a = 0; a < lp->columns; a++) {
        const double hold = inertia * guess->squares[a] / width;
        guess->gram[a * stride + a] += hold;
        guess->side[a] += hold * guess->weights[a];
    }
    return near;
}

// The weights that are not fixed, the others being where they are. False where there is no
// solution.
static bool solve_free(Guess *guess, const bool *is_fixed) {
    const size_t n = guess->lp->columns;
    CLEANUP(mem_free_at) double *matrix = mem_alloc_zero(n * n + 1, sizeof *matrix);
    CLEANUP(mem_free_at) double *x = mem_alloc_zero(n + 1, sizeof *x);
    size_t count = 0, row = 0;
    for (size_t a = 0; a < n; a++)
        count += !is_fixed[a];
    for (size_t a = 0; a < n; a++) {
        if (is_fixed[a])
            continue;
        x[row] = guess->side[a];
        for (size_t b = 0, column = 0; b < n; b++) {
            const double value =
                a > b ? guess->gram[a * guess->stride + b] : guess->gram[b * guess->stride + a];
            if (is_fixed[b])
                x[row] -= value * guess->weights[b];
            else
                matrix[row * count + column++] = a == b ? value * (1 + ridge) : value;
        }
        row++;
    }
    cholesky_factorize(matrix, count);
    cholesky_solve_lower(matrix, count, x);
    cholesky_solve_upper(matrix, count, x);
    row = 0;
    for (size_t a = 0; a < n; a++)
        if (!is_fixed[a] && !isfinite(guess->weights[a] = x[row++]))
            return false;
    return true;
}

// Weights beyond their range go to its end, and the others are found anew.
static bool find_weights(Guess *guess) {
    const LpDual *lp = guess->lp;
    CLEANUP(mem_free_at) bool *is_fixed = mem_alloc_zero(lp->columns + 1, sizeof *is_fixed);
    for (bool fixed_one = true; fixed_one;) {
        fixed_one = false;
        if (!solve_free(guess, is_fixed))
            return false;
        for (size_t j = 0; j < lp->columns; j++) {
            const double inside = fmin(fmax(guess->weights[j], 0), lp->widths[j]);
            if (inside == guess->weights[j])
                continue;
            guess->weights[j] = inside;
            is_fixed[j] = fixed_one = true;
        }
    }
    return true;
}

void lp_find_residuals(const LpDual *lp, const double *weights, double *residuals) {
    memcpy(residuals, lp->targets, lp->rows * sizeof *residuals);
    for (size_t j = 0; j < lp->columns; j++) {
        const int16_t *column = lp->counts + j * lp->rows;
        for (size_t i = 0; i < lp->rows; i++)
            residuals[i] -= weights[j] * column[i];
    }
}

static double largest_of(const LpDual *lp, const double *residuals) {
    double largest = 0;
    for (size_t i = 0; i < lp->rows; i++)
        largest = fmax(largest, fabs(residuals[i]));
    return largest;
}

static double mean_of(const LpDual *lp, const double *residuals) {
    double sum = 0;
    for (size_t i = 0; i < lp->rows; i++)
        sum += fabs(residuals[i]);
    return sum / (double)lp->rows;
}

bool lp_guess_residuals(const LpDual *lp, size_t few, double *residuals) {
    CLEANUP(guess_free) Guess guess = guess_create(lp);
    size_t near = lp->rows;
    lp_find_residuals(lp, guess.weights, residuals);
    double width = largest_of(lp, residuals);
    for (int round = 0; near > few && width > 0 && round < ROUNDS_MAX; round++) {
        near = find_equations(&guess, residuals, width);
        if (!find_weights(&guess))
            return false;
        lp_find_residuals(lp, guess.weights, residuals);
        width = round == 0 ? mean_of(lp, residuals) : width * narrower;
    }
    return true;
}
