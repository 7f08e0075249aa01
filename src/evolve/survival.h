// SPDX-License-Identifier: GPL-3.0-or-later
// Survival: who enters the next generation as it is, and who is remembered after leaving.
#pragma once

#include "base/bytes.h"
#include "evolve/space.h"

typedef enum Survival { SURVIVAL_NONE, SURVIVAL_ELITISM, SURVIVAL_REPLICATE_BEST } Survival;

// Names in the order of the enum, NULL at the end.
extern const char *const survival_names[];

// The index of the best (worst) score; of equal ones the first.
size_t survival_best(const int64_t *scores, size_t count);
size_t survival_worst(const int64_t *scores, size_t count);

// Organisms that left by selection: at most `capacity` distinct ones, the best by score.
typedef struct Archive {
    double *parameters;
    int64_t *scores;
    size_t count, capacity, width;
} Archive;

Archive survival_archive_create(size_t capacity, size_t width);
void survival_archive_free(Archive *archive);
// Takes in an organism, unless a full archive holds only better ones. One that is there already
// keeps the better score.
void survival_archive_offer(Archive *archive, const double *parameters, int64_t score);
// A member drawn evenly, borrowed; NULL when there is none.
const double *survival_archive_draw(const Archive *archive, Rng *rng);
void survival_archive_save(const Archive *archive, Str *out);
// Fails, by in->failed, when it does not fit the archive or an organism not the space.
void survival_archive_load(Archive *archive, const EvolveSpace *space, ByteReader *in);
