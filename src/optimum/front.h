// SPDX-License-Identifier: GPL-3.0-or-later
// What can be traded between mentors: organisms of which none is better by all of them. Every
// mentor's error is convex in the weights, so that mixtures of mentors find the whole front.
#pragma once

#include "optimum/mentors_optimum.h"

typedef struct FrontPoint {
    double shares[MENTORS_MAX]; // of the mixture whose least error this is; together 1
    double errors[MENTORS_MAX]; // by each mentor, in centipawns per position
    int32_t *weights;           // owned: whole numbers
} FrontPoint;

typedef struct Front {
    FrontPoint *points; // owned: in the order of their errors by the first mentor
    size_t count, mentors;
    size_t tried; // mixtures, with those whose organisms others dominate
} Front;

// Solves every mixture of an even grid. The same for any number of threads.
MUST_CHECK Status front_trace(const MentorData *data, Front *out);
void front_free(Front *front);
