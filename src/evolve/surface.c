// SPDX-License-Identifier: GPL-3.0-or-later
// Evolution by games through a response surface (Box and Wilson 1951): organisms around the current
// values play each other, a quadratic is fitted to the results of all games so far, and the values
// move to its top. Unlike SPSA it learns how far to go in each parameter.
// Uses the maths library: the same results on one kind of machine only.
#include "evolve/pairs.h"
#include "evolve/quadratic.h"
#include "evolve/random.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum {
    SURFACE_GAMES = OPTIONS_COMMON,
    SURFACE_STEP,
    SURFACE_OPTION_COUNT,
};

static const Setting options[] = {
    OPTIONS_FOR_ALL(2, "64", "1000"),
    OPTION_WHOLE("games", 2, 1000, "2", "games of a pair of organisms; even"),
    OPTION_REAL("step", 1e-6, 1e9, "10",
                "deviation of organisms from the current values, in units of each parameter: of "
                "games, what moves the score by a centipawn on average"),
};
static_assert(sizeof options / sizeof *options == SURFACE_OPTION_COUNT, "one row per option");

static const double stride = 0.25; // steps that the values move at most in a generation

typedef struct Surface {
    Population pairs; // rows 2i and 2i + 1 are a pair
    double *start, *values, *steps;
    double *place, *low, *high; // all in steps from the start
    double *first, *second;
    EvolveMeeting *meetings;
    Quadratic quadratic;
} Surface;

static const EvolveField fields[] = {
    FIELD_ARRAY(Surface, pairs.rows, 1, ALL_PARAMETERS, KEPT_ORGANISMS),
    FIELD_ARRAY(Surface, meetings, 1, MEMBERS, NOT_KEPT),
    FIELD_ARRAY(Surface, start, 1, PARAMETERS, KEPT_DOUBLES),
    FIELD_ARRAY(Surface, values, 1, PARAMETERS, KEPT_DOUBLES),
    FIELD_ARRAY(Surface, steps, 1, PARAMETERS, KEPT_DOUBLES),
    FIELD_ARRAY(Surface, place, 1, PARAMETERS, NOT_KEPT),
    FIELD_ARRAY(Surface, low, 1, PARAMETERS, NOT_KEPT),
    FIELD_ARRAY(Surface, high, 1, PARAMETERS, NOT_KEPT),
    FIELD_ARRAY(Surface, first, 1, PARAMETERS, NOT_KEPT),
    FIELD_ARRAY(Surface, second, 1, PARAMETERS, NOT_KEPT),
};

// Every other pair is mirrored about the current values, which tells most of the slope; the others
// are independent, which tells of the curvature.
static void draw_pair(Surface *surface, const EvolveRun *run, uint32_t generation, size_t pair) {
    const size_t width = surface->pairs.width;
    double *first = surface->pairs.rows + 2 * pair * width, *second = first + width;
    Rng rng = evolve_rng(run->seed, run->run, generation, (uint32_t)pair, USE_SAMPLE);
    for (size_t j = 0; j < width; j++) {
        const double off = surface->steps[j] * random_normal(&rng);
        const double other = pair % 2 == 0 ? -off : surface->steps[j] * random_normal(&rng);
        const double a = surface->values[j] + off, b = surface->values[j] + other;
        first[j] = space_nearest(run->space, j, a);
        second[j] = space_nearest(run->space, j, b);
    }
}

static void draw(Surface *surface, const EvolveRun *run, uint32_t generation) {
    for (size_t pair = 0; pair < surface->pairs.size / 2; pair++)
        draw_pair(surface, run, generation, pair);
    pairs_meet(&surface->pairs, run->options[SURFACE_GAMES], surface->meetings);
}

static Status create(void *state, const EvolveRun *run) {
    Surface *surface = state;
    TRY(pairs_open(&surface->pairs, run, "surface", run->options[SURFACE_GAMES]));
    population_start(run, surface->values, 1);
    memcpy(surface->start, surface->values, surface->pairs.width * sizeof *surface->start);
    for (size_t j = 0; j < surface->pairs.width; j++)
        surface->steps[j] = pairs_step(run, j, run->options[SURFACE_STEP], 1e-9);
    TRY(quadratic_open(&surface->quadratic, surface->pairs.width));
    draw(surface, run, run->generation);
    return OK;
}

static const EvolveMeeting *ask_meetings(void *state, size_t *count) {
    const Surface *surface = state;
    *count = surface->pairs.size / 2;
    return surface->meetings;
}

static void to_steps(const Surface *surface, const double *values, double *out) {
    for (size_t j = 0; j < surface->pairs.width; j++)
        out[j] = (values[j] - surface->start[j]) / surface->steps[j];
}

// The values follow the top of the quadratic, a stride at a time, so that there are games around
// them before they move on.
static void follow(Surface *surface, const EvolveRun *run) {
    const size_t width = surface->pairs.width;
    quadratic_fit(&surface->quadratic);
    to_steps(surface, surface->values, surface->place);
    for (size_t j = 0; j < width; j++) {
        const EvolveParameter *box = &run->space->parameters[j];
        surface->low[j] =
            fmax(surface->place[j] - stride, (box->low - surface->start[j]) / surface->steps[j]);
        surface->high[j] =
            fmin(surface->place[j] + stride, (box->high - surface->start[j]) / surface->steps[j]);
    }
    quadratic_climb(&surface->quadratic, surface->low, surface->high, surface->place);
    for (size_t j = 0; j < width; j++)
        surface->values[j] =
            pairs_clamp(run, j, surface->start[j] + surface->place[j] * surface->steps[j]);
}

static Status tell_meetings(void *state, const EvolveRun *run, const EvolveResult *results,
                            bool *generation_over) {
    Surface *surface = state;
    const size_t width = surface->pairs.width;
    for (size_t pair = 0; pair < surface->pairs.size / 2; pair++) {
        const unsigned games = surface->meetings[pair].games;
        const double won = (double)results[pair].wins - (double)results[pair].losses;
        to_steps(surface, surface->pairs.rows + 2 * pair * width, surface->first);
        to_steps(surface, surface->pairs.rows + (2 * pair + 1) * width, surface->second);
        quadratic_add(&surface->quadratic, surface->first, surface->second, 0.5 + won / games / 2,
                      games);
    }
    follow(surface, run);
    *generation_over = true;
    draw(surface, run, run->generation + 1);
    return OK;
}

static const double *best(const void *state) {
    const Surface *surface = state;
    return surface->values;
}

static void save(const void *state, Str *out) {
    const Surface *surface = state;
    quadratic_save(&surface->quadratic, out);
}

// What was drawn is drawn again.
static Status load(void *state, const EvolveRun *run, ByteReader *in) {
    Surface *surface = state;
    for (size_t j = 0; j < surface->pairs.width; j++) {
        const double value = surface->values[j], start = surface->start[j];
        in->failed = in->failed || !(pairs_clamp(run, j, value) == value) ||
                     !(pairs_clamp(run, j, start) == start) || !(surface->steps[j] > 0);
    }
    quadratic_load(&surface->quadratic, in);
    if (!in->failed)
        draw(surface, run, run->generation);
    return OK;
}

static void destroy(void *state) {
    Surface *surface = state;
    quadratic_close(&surface->quadratic);
}

const EvolveAlgorithm evolve_surface = {
    .name = "surface",
    .summary = "games around the current values, which move to the top of a quadratic",
    .options = options,
    .option_count = SURFACE_OPTION_COUNT,
    .state_size = sizeof(Surface),
    .fields = fields,
    .field_count = sizeof fields / sizeof *fields,
    .uses_units = true,
    .takes_one_start = true,
    .create = create,
    .ask_meetings = ask_meetings,
    .tell_meetings = tell_meetings,
    .best = best,
    .save = save,
    .load = load,
    .destroy = destroy,
};
