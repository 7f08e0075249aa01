// SPDX-License-Identifier: GPL-3.0-or-later
// SPSA (Spall 1992) with the schedule that fishtest and OpenBench use: two organisms, offset from
// the current values by the same step in opposite directions in every parameter, play each other,
// and the values follow the winner. A generation is a batch of such pairs around the same values.
// Uses the maths library: the same results on one kind of machine only.
#include "evolve/pairs.h"
#include "evolve/random.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum {
    SPSA_GAMES = OPTIONS_COMMON,
    SPSA_STEP,
    SPSA_RATE,
    SPSA_AVERAGE,
    SPSA_OPTION_COUNT,
};

static const Setting options[] = {
    OPTIONS_FOR_ALL(2, "64", "1000"),
    OPTION_WHOLE("games", 2, 1000, "2", "games of a pair of organisms; even"),
    OPTION_REAL("step", 1e-6, 1e9, "6",
                "how far off an organism is in the end, in units of each parameter: of games, "
                "what moves the score by a centipawn on average"),
    OPTION_REAL("rate", 1e-9, 10, "0.002",
                "how far a pair moves the values in the end, in steps for each game won more"),
    OPTION_REAL("average", 0, 1, "0.5",
                "the result is the mean over the last generations, so large a share of all; 0: the "
                "last values"),
};
static_assert(sizeof options / sizeof *options == SPSA_OPTION_COUNT, "one row per option");

// Exponents of the decreasing step and rate, and what share of all pairs the rate starts late by.
static const double step_exponent = 0.101, rate_exponent = 0.602, delay = 0.1;

typedef struct Spsa {
    Population pairs; // rows 2i and 2i + 1 are a pair
    double *values;   // so far
    double *mean;     // of the values of late generations: the result
    size_t mean_of;   // so many
    double *steps;    // of each parameter in the end
    double *paces;    // how fast each follows
    double *signs;    // of each pair: which way its first row is off
    EvolveMeeting *meetings;
} Spsa;

static const EvolveField fields[] = {
    FIELD_ARRAY(Spsa, pairs.rows, 1, ALL_PARAMETERS, KEPT_ORGANISMS),
    FIELD_ARRAY(Spsa, signs, 1, ALL_PARAMETERS, NOT_KEPT),
    FIELD_ARRAY(Spsa, meetings, 1, MEMBERS, NOT_KEPT),
    FIELD_ARRAY(Spsa, values, 1, PARAMETERS, KEPT_DOUBLES),
    FIELD_ARRAY(Spsa, steps, 1, PARAMETERS, KEPT_DOUBLES),
    FIELD_ARRAY(Spsa, paces, 1, PARAMETERS, KEPT_DOUBLES),
    FIELD_ARRAY(Spsa, mean, 1, PARAMETERS, KEPT_DOUBLES),
    FIELD_VALUE(Spsa, mean_of, KEPT_SIZE),
};

static size_t pair_count(const Spsa *spsa) {
    return spsa->pairs.size / 2;
}

static double pairs_in_all(const Spsa *spsa, const EvolveRun *run) {
    return ((double)run->generations + 1) * (double)pair_count(spsa);
}

// Counted from 1 over the whole run.
static double number_of(const Spsa *spsa, uint32_t generation, size_t pair) {
    return (double)generation * (double)pair_count(spsa) + (double)pair + 1;
}

// How much wider than in the end the steps of a pair are.
static double width_at(const Spsa *spsa, const EvolveRun *run, double pair) {
    return pow(pairs_in_all(spsa, run) / pair, step_exponent);
}

static double rate_at(const Spsa *spsa, const EvolveRun *run, double pair) {
    const double all = pairs_in_all(spsa, run), late = delay * all;
    const double width = width_at(spsa, run, pair);
    return run->options[SPSA_RATE] * pow((late + all) / (late + pair), rate_exponent) / width;
}

// Where parameters are whole numbers, both of a pair are rounded up or down by the same chance, so
// that the mean is kept.
static void draw_pair(Spsa *spsa, const EvolveRun *run, uint32_t generation, size_t pair) {
    const size_t width = spsa->pairs.width;
    double *plus = spsa->pairs.rows + 2 * pair * width, *minus = plus + width;
    double *signs = spsa->signs + pair * width;
    const double wider = width_at(spsa, run, number_of(spsa, generation, pair));
    Rng rng = evolve_rng(run->seed, run->run, generation, (uint32_t)pair, USE_DIFFERENCE);
    for (size_t j = 0; j < width; j++) {
        signs[j] = rng_below(&rng, 2) == 0 ? -1 : 1;
        const double off = signs[j] * wider * spsa->steps[j], chance = rng_real(&rng);
        const double up = spsa->values[j] + off, down = spsa->values[j] - off;
        plus[j] = pairs_clamp(run, j, run->space->is_integer ? floor(up + chance) : up);
        minus[j] = pairs_clamp(run, j, run->space->is_integer ? floor(down + chance) : down);
    }
}

static void draw(Spsa *spsa, const EvolveRun *run, uint32_t generation) {
    for (size_t pair = 0; pair < pair_count(spsa); pair++)
        draw_pair(spsa, run, generation, pair);
    pairs_meet(&spsa->pairs, run->options[SPSA_GAMES], spsa->meetings);
}

static Status create(void *state, const EvolveRun *run) {
    Spsa *spsa = state;
    TRY(pairs_open(&spsa->pairs, run, "spsa", run->options[SPSA_GAMES]));
    population_start(run, spsa->values, 1);
    for (size_t j = 0; j < spsa->pairs.width; j++) {
        spsa->steps[j] = pairs_step(run, j, run->options[SPSA_STEP], 0);
        spsa->paces[j] = run->paces != NULL ? run->paces[j] : 1;
    }
    memcpy(spsa->mean, spsa->values, spsa->pairs.width * sizeof *spsa->mean);
    draw(spsa, run, run->generation);
    return OK;
}

static const EvolveMeeting *ask_meetings(void *state, size_t *count) {
    const Spsa *spsa = state;
    *count = pair_count(spsa);
    return spsa->meetings;
}

// The mean of the last generations' values is nearer to the optimum than the last ones, which games
// by luck have moved (Polyak and Juditsky 1992).
static void average(Spsa *spsa, const EvolveRun *run) {
    const double late = (1 - run->options[SPSA_AVERAGE]) * run->generations;
    spsa->mean_of = run->generation > late ? spsa->mean_of + 1 : 1;
    for (size_t j = 0; j < spsa->pairs.width; j++)
        spsa->mean[j] = pairs_clamp(
            run, j, spsa->mean[j] + (spsa->values[j] - spsa->mean[j]) / (double)spsa->mean_of);
}

static Status tell_meetings(void *state, const EvolveRun *run, const EvolveResult *results,
                            bool *generation_over) {
    Spsa *spsa = state;
    const size_t width = spsa->pairs.width;
    for (size_t pair = 0; pair < pair_count(spsa); pair++) {
        const double number = number_of(spsa, run->generation, pair);
        const double won = (double)results[pair].wins - (double)results[pair].losses;
        const double part = rate_at(spsa, run, number) * won;
        for (size_t j = 0; j < width; j++)
            spsa->values[j] +=
                part * spsa->signs[pair * width + j] * spsa->paces[j] * spsa->steps[j];
    }
    for (size_t j = 0; j < width; j++)
        spsa->values[j] = pairs_clamp(run, j, spsa->values[j]);
    average(spsa, run);
    *generation_over = true;
    draw(spsa, run, run->generation + 1);
    return OK;
}

static const double *best(const void *state) {
    const Spsa *spsa = state;
    return spsa->mean;
}

// What was drawn is drawn again.
static Status load(void *state, const EvolveRun *run, ByteReader *in) {
    Spsa *spsa = state;
    for (size_t j = 0; j < spsa->pairs.width; j++) {
        const double value = spsa->values[j], mean = spsa->mean[j];
        in->failed = in->failed || !(pairs_clamp(run, j, value) == value) ||
                     !(pairs_clamp(run, j, mean) == mean) || !(spsa->steps[j] >= 0) ||
                     !(spsa->paces[j] >= 0);
    }
    if (!in->failed)
        draw(spsa, run, run->generation);
    return OK;
}

const EvolveAlgorithm evolve_spsa = {
    .name = "spsa",
    .summary = "pairs on either side of the current values play each other (SPSA)",
    .options = options,
    .option_count = SPSA_OPTION_COUNT,
    .state_size = sizeof(Spsa),
    .fields = fields,
    .field_count = sizeof fields / sizeof *fields,
    .uses_units = true,
    .takes_one_start = true,
    .create = create,
    .ask_meetings = ask_meetings,
    .tell_meetings = tell_meetings,
    .best = best,
    .load = load,
};
