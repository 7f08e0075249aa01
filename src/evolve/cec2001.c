// SPDX-License-Identifier: GPL-3.0-or-later
// CEC 2001: members in a vector learn by meeting each other. The one at the cursor plays one drawn
// from those after it, the loser becomes a copy of the winner, and copies vary. At the end of a
// generation the vector is reversed. The boxes are those of the start: members may leave them.
#include "base/mem.h"
#include "evolve/common_options.h"
#include "evolve/mutation.h"
#include "evolve/population.h"
#include "evolve/random.h"
#include "evolve/storage.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    CEC_GAMES = OPTIONS_COMMON,
    CEC_START_STEP,
    CEC_CLEAR_SPREAD,
    CEC_NARROW_SPREAD,
    CEC_WINNER_SPREAD,
    CEC_LEVEL_SPREAD,
    CEC_LEAST_DEVIATION,
    CEC_RESCUE_RATE,
    CEC_RESCUE_STEP,
    CEC_OPTION_COUNT,
};

static const EvolveOption options[] = {
    COMMON_OPTIONS(2, 50, 44),
    {"games", EVOLVE_WHOLE, 1, 1000000, 2, "games of a meeting", NULL},
    {"start-step", EVOLVE_FRACTION, 0, 1e9, 1,
     "members start so many steps of this above the low bounds; 0: anywhere", NULL},
    {"clear-spread", EVOLVE_FRACTION, 0, 100, 2,
     "spread of the copy after a meeting won in every game, in deviations", NULL},
    {"narrow-spread", EVOLVE_FRACTION, 0, 100, 1, "the same after a meeting won by less", NULL},
    {"winner-spread", EVOLVE_FRACTION, 0, 100, 0.2, "spread of the winner itself then", NULL},
    {"level-spread", EVOLVE_FRACTION, 0, 100, 0.5, "spread of both after a level meeting", NULL},
    {"least-deviation", EVOLVE_FRACTION, 0, 1e9, 0.2,
     "a parameter that varies less over the population is stirred", NULL},
    {"rescue-rate", EVOLVE_FRACTION, 0, 1, 0.1, "chance of each member to be stirred", NULL},
    {"rescue-step", EVOLVE_FRACTION, 0, 1e9, 0.1, "how far it is stirred at most", NULL},
};
static_assert(sizeof options / sizeof *options == CEC_OPTION_COUNT, "one row per option");

typedef struct Cec {
    size_t population, width, cursor;
    unsigned games;
    double *vector, *deviations;
    EvolveMeeting *meetings; // from the cursor on, as many as share no member
    size_t meeting_count;
    bool *busy;
} Cec;

// The meetings that can be played at once: up to the first with a member that has one already, for
// that member may be another one afterwards.
static void plan_meetings(Cec *cec, const EvolveRun *run, uint32_t generation) {
    memset(cec->busy, 0, cec->population * sizeof *cec->busy);
    cec->meeting_count = 0;
    for (size_t first = cec->cursor; first + 1 < cec->population; first++) {
        Rng rng = evolve_rng(run->seed, run->run, generation, (uint32_t)first, USE_MEETING);
        size_t second = first + 1 + rng_below(&rng, (uint32_t)(cec->population - first - 1));
        if (cec->busy[first] || cec->busy[second])
            return;
        cec->busy[first] = cec->busy[second] = true;
        cec->meetings[cec->meeting_count++] = (EvolveMeeting){first, second, cec->games};
    }
}

// Draws the members anew that are random, from the multiples of a step.
static void start_in_steps(Cec *cec, const EvolveRun *run, double step) {
    for (size_t i = run->start_count; i < cec->population; i++) {
        Rng rng = evolve_run_rng(run, i, USE_START);
        for (size_t j = 0; j < cec->width; j++) {
            const EvolveParameter *box = &run->space->parameters[j];
            const double steps = floor((box->high - box->low) / step);
            const uint32_t chosen = rng_below(&rng, steps < 1e9 ? (uint32_t)steps + 1 : 1u << 30);
            cec->vector[i * cec->width + j] = box->low + step * chosen;
        }
    }
}

static Status create(void **state, const EvolveRun *run) {
    Cec *cec = mem_alloc_zero(1, sizeof *cec);
    *state = cec;
    size_t population = (size_t)run->options[OPTION_POPULATION], width = run->space->count;
    cec->population = population;
    cec->width = width;
    cec->games = (unsigned)run->options[CEC_GAMES];
    cec->vector = storage_new(population, width * sizeof(double));
    cec->meetings = storage_new(population, sizeof *cec->meetings);
    cec->busy = storage_new(population, sizeof *cec->busy);
    if (cec->vector == NULL || cec->meetings == NULL || cec->busy == NULL)
        return ERR_LIMIT;
    cec->deviations = mem_alloc_zero(width, sizeof(double));
    population_start(run, cec->vector, population);
    if (run->options[CEC_START_STEP] > 0)
        start_in_steps(cec, run, run->options[CEC_START_STEP]);
    plan_meetings(cec, run, run->generation);
    return OK;
}

static void destroy(void *state) {
    Cec *cec = state;
    free(cec->vector);
    free(cec->deviations);
    free(cec->meetings);
    free(cec->busy);
    free(cec);
}

static void ask(void *state, const double **parameters, size_t *count) {
    const Cec *cec = state;
    *parameters = cec->vector;
    *count = cec->population;
}

static const EvolveMeeting *ask_meetings(void *state, size_t *count) {
    const Cec *cec = state;
    *count = cec->meeting_count;
    return cec->meetings;
}

static bool is_fixed(const EvolveRun *run, size_t parameter) {
    return run->space->parameters[parameter].low == run->space->parameters[parameter].high;
}

static void vary(Cec *cec, const EvolveRun *run, size_t member, double spread, Rng *rng) {
    for (size_t j = 0; j < cec->width; j++)
        if (!is_fixed(run, j))
            cec->vector[member * cec->width + j] += mutation_step(spread, cec->deviations[j], rng);
}

static void copy_member(Cec *cec, size_t from, size_t to) {
    memcpy(cec->vector + to * cec->width, cec->vector + from * cec->width,
           cec->width * sizeof *cec->vector);
}

static void learn_meeting(Cec *cec, const EvolveRun *run, const EvolveMeeting *meeting,
                          const EvolveResult *result) {
    Rng rng = evolve_run_rng(run, meeting->first, USE_CLONING);
    mutation_deviations(cec->vector, cec->population, cec->width, cec->deviations);
    if (result->wins == result->losses) {
        vary(cec, run, meeting->first, run->options[CEC_LEVEL_SPREAD], &rng);
        vary(cec, run, meeting->second, run->options[CEC_LEVEL_SPREAD], &rng);
        return;
    }
    bool first_won = result->wins > result->losses;
    size_t winner = first_won ? meeting->first : meeting->second;
    size_t loser = first_won ? meeting->second : meeting->first;
    bool clear = (first_won ? result->wins : result->losses) == meeting->games;
    copy_member(cec, winner, loser);
    vary(cec, run, loser, run->options[clear ? CEC_CLEAR_SPREAD : CEC_NARROW_SPREAD], &rng);
    if (!clear)
        vary(cec, run, winner, run->options[CEC_WINNER_SPREAD], &rng);
}

// Parameters on which the members have come to agree are stirred a little.
static void rescue_diversity(Cec *cec, const EvolveRun *run) {
    mutation_deviations(cec->vector, cec->population, cec->width, cec->deviations);
    for (size_t i = 0; i < cec->population; i++) {
        Rng rng = evolve_run_rng(run, i, USE_RESCUE);
        for (size_t j = 0; j < cec->width; j++) {
            double chance = rng_real(&rng), step = 2 * rng_real(&rng) - 1;
            if (!is_fixed(run, j) && cec->deviations[j] < run->options[CEC_LEAST_DEVIATION] &&
                chance < run->options[CEC_RESCUE_RATE])
                cec->vector[i * cec->width + j] += step * run->options[CEC_RESCUE_STEP];
        }
    }
}

static void reverse_vector(Cec *cec) {
    for (size_t i = 0; i < cec->population / 2; i++)
        for (size_t j = 0; j < cec->width; j++) {
            double *a = cec->vector + i * cec->width + j;
            double *b = cec->vector + (cec->population - 1 - i) * cec->width + j, kept = *a;
            *a = *b;
            *b = kept;
        }
}

static Status tell_meetings(void *state, const EvolveRun *run, const EvolveResult *results,
                            bool *generation_over) {
    Cec *cec = state;
    for (size_t i = 0; i < cec->meeting_count; i++)
        learn_meeting(cec, run, &cec->meetings[i], &results[i]);
    cec->cursor += cec->meeting_count;
    *generation_over = cec->cursor + 1 >= cec->population;
    if (*generation_over) {
        rescue_diversity(cec, run);
        reverse_vector(cec);
        cec->cursor = 0;
    }
    plan_meetings(cec, run, run->generation + *generation_over);
    return OK;
}

// The end of the vector, where winners gather, is its beginning once it is reversed.
static size_t best_row(const void *state) {
    (void)state;
    return 0;
}

static void save(const void *state, Str *out) {
    const Cec *cec = state;
    bytes_add_u64(out, cec->cursor);
    bytes_add_doubles(out, cec->vector, cec->population * cec->width);
}

static Status load(void *state, const EvolveRun *run, ByteReader *in) {
    Cec *cec = state;
    uint64_t cursor = bytes_u64(in);
    bytes_doubles(in, cec->vector, cec->population * cec->width);
    if (cursor >= cec->population - 1)
        in->failed = true;
    cec->cursor = in->failed ? 0 : cursor;
    plan_meetings(cec, run, run->generation);
    return OK;
}

const EvolveAlgorithm evolve_cec2001 = {
    .name = "cec2001",
    .summary = "members of a vector learn by playing each other (CEC 2001)",
    .options = options,
    .option_count = CEC_OPTION_COUNT,
    .leaves_boxes = true,
    .create = create,
    .ask = ask,
    .ask_meetings = ask_meetings,
    .tell_meetings = tell_meetings,
    .best_row = best_row,
    .save = save,
    .load = load,
    .destroy = destroy,
};
