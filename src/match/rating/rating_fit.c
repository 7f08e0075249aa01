// SPDX-License-Identifier: GPL-3.0-or-later
// Newton's method; each step solves its linear equations by conjugate gradients, which need the
// meetings only, so that long chains of players and thousands of them cost little.
// (Minorisation-maximisation finds the same maximum; the test does so.)
#include "match/rating/rating_internal.h"

#include "base/error.h"
#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NEWTON_MAX = 100, HALVINGS_MAX = 40, SOLVE_MAX = 5000 };

static const double step_max = 3;       // natural units, about 500 Elo
static const double precision = 1e-8;   // of the ratings: far below what anybody prints
static const double solve_error = 1e-6; // of the linear equations, relative
static const double rounding = 1e-14;   // of a sum, relative
// Advantage and draw Elo that no result bounds stay finite: they are drawn to 0 as weakly as if
// they were within 1,000 Elo two times in three.
static const double parameter_pull = RATING_ELO_PER_UNIT * RATING_ELO_PER_UNIT / (1000.0 * 1000.0);

// Unknowns: the ratings, then the advantage, then the draw Elo.
typedef struct Newton {
    const RatingProblem *problem;
    RatingFit *fit;
    size_t size;
    double *stiffness, *skew; // of each meeting
    double draw_stiffness;    // of the draws' own term
    double *gradient, *diagonal, *step, *residual, *direction, *product, *scaled;
} Newton;

static double sigmoid(double x) {
    return 1 / (1 + exp(-x));
}

static double log_sigmoid(double x) {
    return x > 0 ? -log1p(exp(-x)) : x - log1p(exp(x));
}

static double difference_of(const RatingFit *fit, const Meeting *m) {
    return fit->ratings[m->white] - fit->ratings[m->black] + fit->advantage;
}

double rating_stiffness(const RatingFit *fit, const Meeting *m) {
    double d = difference_of(fit, m);
    double f = sigmoid(d - fit->draw_elo), g = sigmoid(-d - fit->draw_elo);
    return m->up * f * (1 - f) + m->down * g * (1 - g);
}

double rating_likelihood(const RatingFit *fit, const Meeting *m, double difference) {
    double d = difference + fit->advantage;
    return m->up * log_sigmoid(d - fit->draw_elo) + m->down * log_sigmoid(-d - fit->draw_elo);
}

static double total_likelihood(const RatingProblem *problem, const RatingFit *fit) {
    double sum = 0;
    for (size_t i = 0; i < problem->count; i++) {
        const Meeting *m = &problem->meetings[i];
        sum += rating_likelihood(fit, m, fit->ratings[m->white] - fit->ratings[m->black]);
    }
    if (problem->fits_advantage)
        sum -= parameter_pull * fit->advantage * fit->advantage / 2;
    if (!problem->fits_draw_elo)
        return sum;
    if (fit->draw_elo <= 0)
        return -INFINITY;
    double own = 2 * fit->draw_elo + log1p(-exp(-2 * fit->draw_elo));
    return sum + problem->draws * own - parameter_pull * fit->draw_elo * fit->draw_elo / 2;
}

// Fills gradient and diagonal, and what the product below needs, at the present ratings.
static void differentiate(Newton *n) {
    const RatingProblem *problem = n->problem;
    size_t a = problem->players, e = a + 1;
    double D = n->fit->draw_elo;
    memset(n->gradient, 0, n->size * sizeof *n->gradient);
    memset(n->diagonal, 0, n->size * sizeof *n->diagonal);
    for (size_t i = 0; i < problem->count; i++) {
        const Meeting *m = &problem->meetings[i];
        double d = difference_of(n->fit, m);
        double f = sigmoid(d - D), g = sigmoid(-d - D);
        double rise = m->up * (1 - f), fall = m->down * (1 - g);
        n->stiffness[i] = rise * f + fall * g;
        n->skew[i] = fall * g - rise * f;
        n->gradient[m->white] += rise - fall;
        n->gradient[m->black] -= rise - fall;
        n->gradient[a] += rise - fall;
        n->gradient[e] -= rise + fall;
        n->diagonal[m->white] += n->stiffness[i];
        n->diagonal[m->black] += n->stiffness[i];
        n->diagonal[a] += n->stiffness[i];
    }
    n->diagonal[e] = n->diagonal[a] + parameter_pull;
    n->diagonal[a] += parameter_pull;
    n->gradient[a] -= parameter_pull * n->fit->advantage;
    n->draw_stiffness = 0;
    if (problem->fits_draw_elo) {
        double rest = -expm1(-2 * D);
        n->gradient[e] += 2 * problem->draws / rest - parameter_pull * D;
        n->draw_stiffness = 4 * problem->draws * exp(-2 * D) / (rest * rest);
        n->diagonal[e] += n->draw_stiffness;
    }
    if (!problem->fits_advantage)
        n->gradient[a] = 0;
    if (!problem->fits_draw_elo)
        n->gradient[e] = 0;
}

// out = minus the Hessian times v. Parameters that are not fitted are 0 in v and stay so.
static void multiply(const Newton *n, const double *v, double *out) {
    const RatingProblem *problem = n->problem;
    size_t a = problem->players, e = a + 1;
    memset(out, 0, n->size * sizeof *out);
    for (size_t i = 0; i < problem->count; i++) {
        const Meeting *m = &problem->meetings[i];
        double d = v[m->white] - v[m->black] + v[a];
        double force = n->stiffness[i] * d + n->skew[i] * v[e];
        out[m->white] += force;
        out[m->black] -= force;
        out[a] += force;
        out[e] += n->skew[i] * d + n->stiffness[i] * v[e];
    }
    out[a] = problem->fits_advantage ? out[a] + parameter_pull * v[a] : 0;
    out[e] = problem->fits_draw_elo ? out[e] + (parameter_pull + n->draw_stiffness) * v[e] : 0;
}

static double dot(const double *x, const double *y, size_t size) {
    double sum = 0;
    for (size_t i = 0; i < size; i++)
        sum += x[i] * y[i];
    return sum;
}

static void scale_down(const Newton *n) {
    for (size_t i = 0; i < n->size; i++)
        n->scaled[i] = n->diagonal[i] > 0 ? n->residual[i] / n->diagonal[i] : 0;
}

// Solves for the step: minus the Hessian times it is the gradient. The equations are singular (a
// group can be moved as a whole) but agree with each other, which is all the method needs.
static void solve(Newton *n) {
    size_t bytes = n->size * sizeof(double);
    memset(n->step, 0, bytes);
    memcpy(n->residual, n->gradient, bytes);
    scale_down(n);
    memcpy(n->direction, n->scaled, bytes);
    double energy = dot(n->residual, n->scaled, n->size);
    // What rounding leaves of a gradient points anywhere, also where the equations are singular.
    double noise = 0;
    for (size_t i = 0; i < n->size; i++)
        noise += rounding * rounding * n->diagonal[i];
    double enough = fmax(solve_error * solve_error * energy, noise);
    for (int round = 0; round < SOLVE_MAX && energy > enough; round++) {
        multiply(n, n->direction, n->product);
        double curvature = dot(n->direction, n->product, n->size);
        if (!(curvature > 0))
            break;
        double length = energy / curvature;
        for (size_t i = 0; i < n->size; i++) {
            n->step[i] += length * n->direction[i];
            n->residual[i] -= length * n->product[i];
        }
        scale_down(n);
        double next = dot(n->residual, n->scaled, n->size);
        for (size_t i = 0; i < n->size; i++)
            n->direction[i] = n->scaled[i] + next / energy * n->direction[i];
        energy = next;
    }
}

static void move(Newton *n, double share) {
    for (size_t i = 0; i < n->problem->players; i++)
        n->fit->ratings[i] += share * n->step[i];
    n->fit->advantage += share * n->step[n->problem->players];
    n->fit->draw_elo += share * n->step[n->problem->players + 1];
}

// Takes the step, or what part of it makes the results likelier. Returns the largest move.
static double advance(Newton *n, double *likelihood) {
    double largest = 0, share = 1, there;
    for (size_t i = 0; i < n->size; i++)
        largest = fmax(largest, fabs(n->step[i]));
    if (largest > step_max)
        share = step_max / largest;
    move(n, share);
    for (int i = 0; i < HALVINGS_MAX; i++) {
        there = total_likelihood(n->problem, n->fit);
        // Close to the maximum rounding may hide that it rises.
        if (there >= *likelihood - 1e-12 * fabs(*likelihood)) {
            *likelihood = there;
            return share * largest;
        }
        share /= 2;
        move(n, -share);
    }
    move(n, -share);
    return 0;
}

void rating_maximize(const RatingProblem *problem, RatingFit *fit) {
    Newton n = {.problem = problem, .fit = fit, .size = problem->players + 2};
    CLEANUP(mem_free_at)
    double *memory = mem_alloc_zero(7 * n.size + 2 * problem->count, sizeof *memory);
    double **vectors[] = {&n.gradient,  &n.diagonal, &n.step,  &n.residual,
                          &n.direction, &n.product,  &n.scaled};
    for (size_t i = 0; i < 7; i++)
        *vectors[i] = memory + i * n.size;
    n.stiffness = memory + 7 * n.size;
    n.skew = n.stiffness + problem->count;
    double likelihood = total_likelihood(problem, fit);
    for (int round = 0; round < NEWTON_MAX; round++) {
        differentiate(&n);
        solve(&n);
        if (advance(&n, &likelihood) < precision)
            break;
    }
}
