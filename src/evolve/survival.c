// SPDX-License-Identifier: GPL-3.0-or-later
#include "evolve/survival.h"

#include "base/mem.h"
#include "evolve/algorithm.h"

#include <stdlib.h>
#include <string.h>

const char *const survival_names[] = {"none", "elitism", "replicate-best", NULL};

size_t survival_best(const int64_t *scores, size_t count) {
    size_t best = 0;
    for (size_t i = 1; i < count; i++)
        if (scores[i] > scores[best])
            best = i;
    return best;
}

size_t survival_worst(const int64_t *scores, size_t count) {
    size_t worst = 0;
    for (size_t i = 1; i < count; i++)
        if (scores[i] < scores[worst])
            worst = i;
    return worst;
}

Archive survival_archive_create(size_t capacity, size_t width) {
    return (Archive){.parameters = mem_alloc_zero(capacity * width, sizeof(double)),
                     .scores = mem_alloc_zero(capacity, sizeof(int64_t)),
                     .capacity = capacity,
                     .width = width};
}

void survival_archive_free(Archive *archive) {
    free(archive->parameters);
    free(archive->scores);
    *archive = (Archive){0};
}

static size_t find_member(const Archive *archive, const double *parameters) {
    size_t i = 0;
    while (i < archive->count && memcmp(archive->parameters + i * archive->width, parameters,
                                        archive->width * sizeof *parameters) != 0)
        i++;
    return i;
}

void survival_archive_offer(Archive *archive, const double *parameters, int64_t score) {
    size_t place = find_member(archive, parameters);
    if (place < archive->count) {
        if (score > archive->scores[place])
            archive->scores[place] = score;
        return;
    }
    if (archive->count == archive->capacity) {
        if (archive->capacity == 0)
            return;
        place = survival_worst(archive->scores, archive->count);
        if (archive->scores[place] >= score)
            return;
    } else {
        archive->count++;
    }
    archive->scores[place] = score;
    memcpy(archive->parameters + place * archive->width, parameters,
           archive->width * sizeof *parameters);
}

const double *survival_archive_draw(const Archive *archive, Rng *rng) {
    if (archive->count == 0)
        return NULL;
    return archive->parameters + rng_below(rng, (uint32_t)archive->count) * archive->width;
}

void survival_archive_save(const Archive *archive, Str *out) {
    bytes_add_u64(out, archive->count);
    for (size_t i = 0; i < archive->count; i++) {
        bytes_add_i64(out, archive->scores[i]);
        bytes_add_doubles(out, archive->parameters + i * archive->width, archive->width);
    }
}

void survival_archive_load(Archive *archive, const EvolveSpace *space, ByteReader *in) {
    uint64_t count = bytes_u64(in);
    if (count > archive->capacity) {
        in->failed = true;
        return;
    }
    archive->count = count;
    for (size_t i = 0; i < count; i++) {
        archive->scores[i] = bytes_i64(in);
        population_load(space, in, archive->parameters + i * archive->width, 1);
    }
}
