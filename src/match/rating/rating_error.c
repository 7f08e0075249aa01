// SPDX-License-Identifier: GPL-3.0-or-later
#include "match/rating/rating_internal.h"

#include "base/error.h"
#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS_PER_DEVIATION = 8, STEPS = 50 * STEPS_PER_DEVIATION };

static const double pivot_min = 1e-12; // where rounding has left nothing
static const double tail = 0.025;      // beyond each end of the interval

// Lower triangle of the matrix becomes its Cholesky factor.
static void factor(double *matrix, size_t n, double *column) {
    for (size_t k = 0; k < n; k++) {
        double pivot = sqrt(fmax(matrix[k * n + k], pivot_min));
        matrix[k * n + k] = pivot;
        for (size_t i = k + 1; i < n; i++)
            column[i] = matrix[i * n + k] /= pivot;
        for (size_t i = k + 1; i < n; i++) {
            double *row = matrix + i * n, share = column[i];
            for (size_t j = k + 1; j <= i; j++)
                row[j] -= share * column[j];
        }
    }
}

// A lower triangle becomes its inverse, row by row.
static void invert_triangle(double *matrix, size_t n, double *row) {
    for (size_t i = 0; i < n; i++) {
        memset(row, 0, n * sizeof *row);
        for (size_t k = 0; k < i; k++) {
            const double *done = matrix + k * n;
            double share = matrix[i * n + k];
            for (size_t j = 0; j <= k; j++)
                row[j] -= share * done[j];
        }
        double pivot = matrix[i * n + i];
        row[i] = 1;
        for (size_t j = 0; j <= i; j++)
            matrix[i * n + j] = row[j] / pivot;
    }
}

void rating_invert(double *matrix, size_t n) {
    // Moving all players together costs nothing: a spring against it makes the matrix regular, and
    // is taken off again.
    double spring = 1 / (double)n;
    CLEANUP(mem_free_at) double *row = mem_alloc(n * sizeof *row + 1);
    CLEANUP(mem_free_at) double *out = mem_alloc_zero(n * n + 1, sizeof *out);
    for (size_t i = 0; i < n * n; i++)
        matrix[i] += spring;
    factor(matrix, n, row);
    invert_triangle(matrix, n, row);
    for (size_t k = 0; k < n; k++) {
        const double *from = matrix + k * n;
        for (size_t i = 0; i <= k; i++)
            for (size_t j = 0; j <= i; j++)
                out[i * n + j] += from[i] * from[j];
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++)
            matrix[i * n + j] = matrix[j * n + i] = out[i * n + j] - spring;
}

// The meetings of each player in a row, as in a table of contents.
typedef struct Rows {
    size_t *start;
    const Meeting **meetings;
} Rows;

static Rows rows_create(const RatingProblem *problem) {
    Rows rows = {mem_alloc_zero(problem->players + 2, sizeof *rows.start),
                 mem_alloc(2 * problem->count * sizeof *rows.meetings + 1)};
    for (size_t i = 0; i < problem->count; i++) {
        rows.start[problem->meetings[i].white + 2]++;
        rows.start[problem->meetings[i].black + 2]++;
    }
    for (size_t p = 2; p < problem->players + 2; p++)
        rows.start[p] += rows.start[p - 1];
    for (size_t i = 0; i < problem->count; i++) {
        const Meeting *m = &problem->meetings[i];
        rows.meetings[rows.start[m->white + 1]++] = m;
        rows.meetings[rows.start[m->black + 1]++] = m;
    }
    return rows;
}

static double likelihood_at(const Rows *rows, const RatingFit *fit, uint32_t player, double shift) {
    double sum = 0;
    for (size_t k = rows->start[player]; k < rows->start[player + 1]; k++) {
        const Meeting *m = rows->meetings[k];
        double difference = fit->ratings[m->white] - fit->ratings[m->black];
        sum += rating_likelihood(fit, m, difference + (m->white == player ? shift : -shift));
    }
    return sum;
}

// How far from the middle of `density` a share `tail` of its sum is left, going in `direction`.
static double distance(const double *density, double sum, int direction) {
    double beyond = 0;
    int at = direction * STEPS;
    for (; at != 0; at -= direction) {
        double share = density[STEPS + at] / sum;
        if (beyond + share >= tail)
            return fabs((double)at) + 0.5 - (tail - beyond) / share;
        beyond += share;
    }
    return 0;
}

static void hold_player(const Rows *rows, const RatingFit *fit, uint32_t player, double *plus,
                        double *minus) {
    double density[2 * STEPS + 1] = {0}, stiffness = 0, sum = 1;
    for (size_t k = rows->start[player]; k < rows->start[player + 1]; k++)
        stiffness += rating_stiffness(fit, rows->meetings[k]);
    *plus = *minus = INFINITY;
    if (!(stiffness > 0))
        return;
    double step = 1 / sqrt(stiffness) / STEPS_PER_DEVIATION;
    double top = likelihood_at(rows, fit, player, 0);
    density[STEPS] = 1;
    for (int direction = -1; direction <= 1; direction += 2)
        for (int i = 1; i <= STEPS; i++) {
            double shift = direction * i * step;
            double value = exp(likelihood_at(rows, fit, player, shift) - top);
            density[STEPS + direction * i] = value;
            sum += value;
            if (value < 1e-9)
                break;
        }
    *plus = step * distance(density, sum, 1);
    *minus = step * distance(density, sum, -1);
}

void rating_hold(const RatingProblem *problem, const RatingFit *fit, double *plus, double *minus) {
    Rows rows = rows_create(problem);
    for (uint32_t p = 0; p < problem->players; p++)
        hold_player(&rows, fit, p, &plus[p], &minus[p]);
    free(rows.start);
    free(rows.meetings);
}
