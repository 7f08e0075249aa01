// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine_tuning/tune_landscape.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void tune_landscape_free(TuneLandscape *landscape) {
    free(landscape->games);
    free(landscape->path);
    free(landscape->slices);
    free(landscape->order);
    free(landscape->maps);
    *landscape = (TuneLandscape){0};
}

void tune_landscape_add_round(TuneLandscape *landscape, const Tuner *tuner, uint64_t games) {
    const size_t size = landscape->size = tuner_size(tuner), used = landscape->rounds * size;
    landscape->path =
        mem_grow(landscape->path, &landscape->path_capacity, used + size, sizeof *landscape->path);
    tuner_current(tuner, landscape->path + used);
    MEM_ADD(landscape->games, landscape->rounds, landscape->round_capacity) = (double)games;
}

// Evenly spread over what was tried of an option.
static void spread(const Tuner *tuner, const double *best, size_t option, double *out,
                   size_t count) {
    double low, high;
    tuner_tried(tuner, option, &low, &high);
    low = fmin(low, fmin(best[option], tuner_start(tuner)[option]));
    high = fmax(high, fmax(best[option], tuner_start(tuner)[option]));
    for (size_t i = 0; i < count; i++)
        out[i] = low + (high - low) * (double)i / (double)(count - 1);
}

// `place` is a copy of the best values, and is one again afterwards.
static void find_slice(Tuner *tuner, const double *best, size_t option, double *place,
                       TuneSlice *out) {
    double low = INFINITY, high = -INFINITY;
    spread(tuner, best, option, out->values, TUNE_SLICE_POINTS);
    for (size_t i = 0; i < TUNE_SLICE_POINTS; i++) {
        place[option] = out->values[i];
        out->elo[i] = tuner_strength(tuner, place, &out->deviations[i]);
        low = fmin(low, out->elo[i]);
        high = fmax(high, out->elo[i]);
    }
    place[option] = best[option];
    out->span = high - low;
}

static void find_map(Tuner *tuner, const double *best, double *place, TuneMap *out) {
    double deviation;
    spread(tuner, best, out->first, out->xs, TUNE_MAP_SIDE);
    spread(tuner, best, out->second, out->ys, TUNE_MAP_SIDE);
    for (size_t y = 0; y < TUNE_MAP_SIDE; y++)
        for (size_t x = 0; x < TUNE_MAP_SIDE; x++) {
            place[out->first] = out->xs[x];
            place[out->second] = out->ys[y];
            out->elo[y * TUNE_MAP_SIDE + x] = tuner_strength(tuner, place, &deviation);
        }
    place[out->first] = best[out->first];
    place[out->second] = best[out->second];
}

// A handful: sorted by insertion, so that equal ones stay in their order.
static void find_order(TuneLandscape *landscape) {
    for (size_t i = 0; i < landscape->size; i++) {
        size_t place = i;
        for (; place > 0 &&
               landscape->slices[landscape->order[place - 1]].span < landscape->slices[i].span;
             place--)
            landscape->order[place] = landscape->order[place - 1];
        landscape->order[place] = i;
    }
}

static void find_maps(TuneLandscape *landscape, Tuner *tuner, const double *best, double *place) {
    const size_t count = landscape->size < TUNE_MAP_OPTIONS ? landscape->size : TUNE_MAP_OPTIONS;
    landscape->maps = mem_alloc_zero(TUNE_MAPS_MAX, sizeof *landscape->maps);
    for (size_t i = 0; i < count; i++)
        for (size_t k = i + 1; k < count; k++) {
            TuneMap *map = &landscape->maps[landscape->map_count++];
            map->first = landscape->order[i];
            map->second = landscape->order[k];
            find_map(tuner, best, place, map);
        }
}

void tune_landscape_survey(TuneLandscape *landscape, Tuner *tuner, const double *best) {
    const size_t size = landscape->size = tuner_size(tuner);
    CLEANUP(mem_free_at) double *place = mem_alloc(size * sizeof *place);
    memcpy(place, best, size * sizeof *place);
    tuner_fit(tuner);
    landscape->slices = mem_alloc_zero(size, sizeof *landscape->slices);
    landscape->order = mem_alloc_zero(size, sizeof *landscape->order);
    for (size_t i = 0; i < size; i++)
        find_slice(tuner, best, i, place, &landscape->slices[i]);
    find_order(landscape);
    find_maps(landscape, tuner, best, place);
}
