// SPDX-License-Identifier: GPL-3.0-or-later
// Differential evolution (Storn and Price 1997), with weights and crossover rates that each member
// carries and varies (jDE, Brest and others 2006). Members are real numbers inside; they are
// rounded where they are handed out.
#include "base/mem.h"
#include "evolve/common_options.h"
#include "evolve/population.h"
#include "evolve/random.h"
#include "evolve/storage.h"
#include "evolve/survival.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    DE_SCHEME = OPTIONS_COMMON,
    DE_WEIGHT,
    DE_CROSSOVER_RATE,
    DE_JITTER,
    DE_ADAPT,
    DE_OPTION_COUNT,
};

typedef enum Scheme { SCHEME_RANDOM, SCHEME_TO_BEST } Scheme;
static const char *const scheme_names[] = {"rand", "current-to-best", NULL};

static const EvolveOption options[] = {
    COMMON_OPTIONS(4, 60, 1000),
    {"scheme", EVOLVE_CHOICE, 0, SCHEME_TO_BEST, SCHEME_RANDOM,
     "rand/1/bin or current-to-best/1/bin", scheme_names},
    {"weight", EVOLVE_FRACTION, 0, 2, 0.5, "weight of a difference (F), to begin with", NULL},
    {"crossover-rate", EVOLVE_FRACTION, 0, 1, 0.9,
     "chance of each parameter to change (CR), to begin with", NULL},
    {"jitter", EVOLVE_FRACTION, 0, 1, 0.1, "how much the weight varies between parameters", NULL},
    {"adapt-rate", EVOLVE_FRACTION, 0, 1, 0.1, "how often a member tries another F or CR", NULL},
};
static_assert(sizeof options / sizeof *options == DE_OPTION_COUNT, "one row per option");

typedef struct De {
    size_t population, width, asked;
    double *members, *trials;    // real numbers
    double *handed;              // what is asked: rounded
    double *rates, *trial_rates; // F and CR of each
    int64_t *scores;             // of the members
    bool has_scores, again;      // again: members are judged in every generation
} De;

static void hand_out(De *de, const EvolveRun *run, const double *members, size_t at) {
    for (size_t i = 0; i < de->population * de->width; i++)
        de->handed[at * de->width + i] = space_nearest(run->space, i % de->width, members[i]);
}

static Status create(void **state, const EvolveRun *run) {
    De *de = mem_alloc_zero(1, sizeof *de);
    *state = de;
    size_t population = (size_t)run->options[OPTION_POPULATION], width = run->space->count;
    de->population = population;
    de->width = width;
    de->again = run->fresh_scores;
    de->members = storage_new(population, width * sizeof(double));
    de->trials = storage_new(population, width * sizeof(double));
    de->handed = storage_new(2 * population, width * sizeof(double));
    de->rates = storage_new(population, 2 * sizeof(double));
    de->trial_rates = storage_new(population, 2 * sizeof(double));
    de->scores = storage_new(population, sizeof *de->scores);
    if (de->members == NULL || de->trials == NULL || de->handed == NULL || de->rates == NULL ||
        de->trial_rates == NULL || de->scores == NULL)
        return ERR_LIMIT;
    for (size_t i = 0; i < population; i++) {
        de->rates[2 * i] = run->options[DE_WEIGHT];
        de->rates[2 * i + 1] = run->options[DE_CROSSOVER_RATE];
    }
    population_start(run, de->members, population);
    hand_out(de, run, de->members, 0);
    de->asked = population;
    return OK;
}

static void destroy(void *state) {
    De *de = state;
    free(de->members);
    free(de->trials);
    free(de->handed);
    free(de->rates);
    free(de->trial_rates);
    free(de->scores);
    free(de);
}

static void ask(void *state, const double **parameters, size_t *count) {
    const De *de = state;
    *parameters = de->handed;
    *count = de->asked;
}

// Three members that differ from each other and from `member`.
static void draw_three(const De *de, size_t member, Rng *rng, const double *drawn[3]) {
    size_t places[4] = {member};
    for (size_t n = 1; n < 4; n++) {
        bool taken = true;
        while (taken) {
            places[n] = rng_below(rng, (uint32_t)de->population);
            taken = false;
            for (size_t i = 0; i < n; i++)
                taken |= places[i] == places[n];
        }
        drawn[n - 1] = de->members + places[n] * de->width;
    }
}

static void vary_rates(const De *de, const EvolveRun *run, size_t member, Rng *rng) {
    double *rates = de->trial_rates + 2 * member, adapt = run->options[DE_ADAPT];
    memcpy(rates, de->rates + 2 * member, 2 * sizeof *rates);
    if (rng_real(rng) < adapt)
        rates[0] = 0.1 + 0.9 * rng_real(rng);
    if (rng_real(rng) < adapt)
        rates[1] = rng_real(rng);
}

// Back into the box: half way between where the member is and the bound it would cross.
static double bounce(const EvolveParameter *parameter, double from, double to) {
    if (to < parameter->low)
        return (from + parameter->low) / 2;
    return to > parameter->high ? (from + parameter->high) / 2 : to;
}

static void make_trial(De *de, const EvolveRun *run, size_t member, const double *best) {
    Rng rng = evolve_run_rng(run, member, USE_DIFFERENCE);
    const double *now = de->members + member * de->width, *drawn[3];
    double *trial = de->trials + member * de->width;
    draw_three(de, member, &rng, drawn);
    vary_rates(de, run, member, &rng);
    double weight = de->trial_rates[2 * member], rate = de->trial_rates[2 * member + 1];
    bool to_best = run->options[DE_SCHEME] == SCHEME_TO_BEST;
    size_t always = rng_below(&rng, (uint32_t)de->width);
    for (size_t j = 0; j < de->width; j++) {
        double chance = rng_real(&rng);
        double jittered = weight * (1 + run->options[DE_JITTER] * (rng_real(&rng) - 0.5));
        double base = to_best ? now[j] + jittered * (best[j] - now[j]) : drawn[2][j];
        double value = base + jittered * (drawn[0][j] - drawn[1][j]);
        bool taken = j == always || chance < rate;
        trial[j] = taken ? bounce(&run->space->parameters[j], now[j], value) : now[j];
    }
}

static void accept_better(De *de, const int64_t *scores) {
    for (size_t i = 0; i < de->population; i++)
        if (scores[i] >= de->scores[i]) {
            de->scores[i] = scores[i];
            memcpy(de->members + i * de->width, de->trials + i * de->width,
                   de->width * sizeof(double));
            memcpy(de->rates + 2 * i, de->trial_rates + 2 * i, 2 * sizeof(double));
        }
}

static Status tell(void *state, const EvolveRun *run, const int64_t *scores) {
    De *de = state;
    size_t members_told = de->again || !de->has_scores ? de->population : 0;
    if (members_told != 0)
        memcpy(de->scores, scores, de->population * sizeof *scores);
    if (de->has_scores)
        accept_better(de, scores + members_told);
    de->has_scores = true;
    const double *best = de->members + survival_best(de->scores, de->population) * de->width;
    for (size_t i = 0; i < de->population; i++)
        make_trial(de, run, i, best);
    de->asked = de->again ? 2 * de->population : de->population;
    if (de->again)
        hand_out(de, run, de->members, 0);
    hand_out(de, run, de->trials, de->asked - de->population);
    return OK;
}

static void save(const void *state, Str *out) {
    const De *de = state;
    size_t numbers = de->population * de->width;
    bytes_add_u8(out, de->has_scores);
    bytes_add_doubles(out, de->members, numbers);
    bytes_add_doubles(out, de->trials, numbers);
    bytes_add_doubles(out, de->rates, 2 * de->population);
    bytes_add_doubles(out, de->trial_rates, 2 * de->population);
    for (size_t i = 0; i < de->population; i++)
        bytes_add_i64(out, de->scores[i]);
}

static Status load(void *state, const EvolveRun *run, ByteReader *in) {
    De *de = state;
    size_t numbers = de->population * de->width;
    de->has_scores = bytes_u8(in) != 0;
    bytes_doubles(in, de->members, numbers);
    bytes_doubles(in, de->trials, numbers);
    bytes_doubles(in, de->rates, 2 * de->population);
    bytes_doubles(in, de->trial_rates, 2 * de->population);
    for (size_t i = 0; i < de->population; i++)
        de->scores[i] = bytes_i64(in);
    bool both = de->again && de->has_scores;
    de->asked = both ? 2 * de->population : de->population;
    if (both || !de->has_scores)
        hand_out(de, run, de->members, 0);
    if (de->has_scores)
        hand_out(de, run, de->trials, de->asked - de->population);
    return OK;
}

const EvolveAlgorithm evolve_de = {
    .name = "de",
    .summary = "differential evolution with rates that adapt",
    .options = options,
    .option_count = DE_OPTION_COUNT,
    .create = create,
    .ask = ask,
    .tell = tell,
    .save = save,
    .load = load,
    .destroy = destroy,
};
