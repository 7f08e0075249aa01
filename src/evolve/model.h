// SPDX-License-Identifier: GPL-3.0-or-later
// A quadratic model of the loss around a point of whole numbers, put together from differences
// between neighbours. On a ridge one number must make up for another; the model knows which.
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct Model {
    size_t size;
    bool has_slopes;
    double *centre, *slopes, *curvatures; // of each number
    double *couplings; // of each two, over the root of their curvatures: within -1..1
} Model;

void model_open(Model *model, size_t size);
void model_close(Model *model);
// How many doubles the model holds from `centre` on, for saving.
size_t model_doubles(const Model *model);

// The slope and curvature along one number, from the loss gained by two different steps along it.
// A curvature that is not positive is taken for noise: the last one stands.
void model_see_axis(Model *model, size_t i, const double steps[2], const double gains[2]);
// The coupling of two numbers, from the loss gained by a step along each and by both together.
void model_see_pair(Model *model, size_t i, size_t j, const double steps[2], const double gains[3]);

// The whole-number move from the centre, within low..high for each number, that the model likes
// best: `part` of the way to its minimum, rounded with care.
void model_minimize(const Model *model, const double *low, const double *high, double part,
                    double *move);
