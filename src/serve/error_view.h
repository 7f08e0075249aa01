// SPDX-License-Identifier: GPL-3.0-or-later
// Where the error of an organism lies, in a run that learns from a mentor: the positions on which
// it is farthest off, and what each of its values costs beside another's. The training set is the
// one that the run's settings name, and is kept until another is asked for.
#pragma once

#include "eval/weights.h"
#include "fitness/problem.h"

#include <pthread.h>

enum { ERROR_POSITIONS = 6, ERROR_DATA_MAX = 1 << 26 }; // bytes of a training set

typedef struct ErrorView {
    pthread_mutex_t lock; // one is looked at at a time
    Str folder, settings; // of the problem at hand
    RunConfig config;
    bool has_config;
    DistPool *pool;
    Problem *problem; // NULL: none
} ErrorView;

void error_view_open(ErrorView *view);
void error_view_close(ErrorView *view);
// Appends an object: `figure`, the error on the whole training set; `positions`, the worst first,
// in centipawns from White's view; `terms`, what the figure becomes where one term alone has the
// value of `other`. The folder is the one with config.ini. ERR_ARG where the run learns from
// something else, others may write to its folder, or its training set is too large.
MUST_CHECK Status error_view_write(ErrorView *view, const char *folder, const Weights *organism,
                                   const Weights *other, Str *out);
