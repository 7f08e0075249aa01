// SPDX-License-Identifier: GPL-3.0-or-later
// Landscapes with known optima, and runs of algorithms on them.
#pragma once

#include "evolve/algorithm.h"
#include "evolve/loop.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LANDSCAPE_MAX = 32 };

typedef double (*Landscape)(const double *x, size_t n);

static inline double sphere(const double *x, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i] * x[i];
    return sum;
}

static inline double rosenbrock(const double *x, size_t n) {
    double sum = 0;
    for (size_t i = 0; i + 1 < n; i++) {
        double bend = x[i + 1] - x[i] * x[i], off = 1 - x[i];
        sum += 100 * bend * bend + off * off;
    }
    return sum;
}

static inline double rastrigin(const double *x, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i] * x[i] + 10 * (1 - cos(2 * M_PI * x[i]));
    return sum;
}

static inline int64_t score_of(double loss) {
    return -(int64_t)fmin(loss * 1e9, 9e18);
}

// Parameters in the box -4..6, whose middle is no optimum.
static inline EvolveSpace box_space(size_t count, EvolveCoding coding) {
    static EvolveParameter parameters[LANDSCAPE_MAX];
    for (size_t i = 0; i < LANDSCAPE_MAX; i++)
        parameters[i] = (EvolveParameter){"x", -4, 6, 16};
    return (EvolveSpace){parameters, count, coding, false};
}

// Sets options from "name value" pairs, ended by NULL.
static inline EvolveConfig config_of(const char *algorithm, const char *const *pairs) {
    assert_non_null(evolve_find(algorithm));
    EvolveConfig config = evolve_config_default(evolve_find(algorithm));
    for (size_t i = 0; pairs != NULL && pairs[i] != NULL; i += 2)
        if (evolve_config_set(&config, pairs[i], pairs[i + 1]) != OK)
            fail_msg("%s", error_message());
    return config;
}

static inline Status evaluate_landscape(void *context, const EvolveBatch *batch, int64_t *scores) {
    const Landscape *landscape = context;
    for (size_t i = 0; i < batch->count; i++)
        scores[i] = score_of((*landscape)(batch->parameters + i * batch->width, batch->width));
    return OK;
}

// The better one wins all its games. No member may be in two of the meetings asked for together.
static inline Status play_landscape(void *context, const EvolveBatch *batch,
                                    const EvolveMeeting *meetings, size_t count,
                                    EvolveResult *results) {
    const Landscape *landscape = context;
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j <= i; j++) {
            assert_true(meetings[i].first != meetings[j].second);
            assert_true(i == j || (meetings[i].first != meetings[j].first &&
                                   meetings[i].second != meetings[j].first &&
                                   meetings[i].second != meetings[j].second));
        }
    for (size_t i = 0; i < count; i++) {
        double first =
            (*landscape)(batch->parameters + meetings[i].first * batch->width, batch->width);
        double second =
            (*landscape)(batch->parameters + meetings[i].second * batch->width, batch->width);
        results[i] = (EvolveResult){0};
        if (first == second)
            results[i].draws = meetings[i].games;
        else
            *(first < second ? &results[i].wins : &results[i].losses) = meetings[i].games;
    }
    return OK;
}

static inline Evolver *create_ok(const EvolveSetup *setup) {
    Evolver *evolver;
    if (evolver_create(&evolver, setup) != OK)
        fail_msg("%s", error_message());
    return evolver;
}
