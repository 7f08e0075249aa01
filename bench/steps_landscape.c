// SPDX-License-Identifier: GPL-3.0-or-later
// steps_landscape PARAMETERS LOSS POTENTIAL SEEDS ALGORITHM [OPTION=VALUE]...: evolution by
// simulated games of which the answer is known. Strength is a quadratic of the parameters: changes
// of 5 units in all of them, each way by a coin, cost LOSS Elo, and the start lacks POTENTIAL Elo.
// One game in five between equals is drawn. Prints what came back: the mean over the
// seeds, and the least.
#include "base/mem.h"
#include "evolve/algorithm.h"
#include "evolve/evolve.h"
#include "evolve/random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PARAMETERS_MAX = 1000, FIRST_OPTION = 6 };
static const double draw_share = 0.2;

typedef struct Landscape {
    size_t count;
    double loss; // Elo of a parameter one unit off its top
    double tops[PARAMETERS_MAX];
} Landscape;

static int fail(void) {
    fprintf(stderr, "steps_landscape: %s\n", error_message());
    return 1;
}

static double strength(const Landscape *land, const double *parameters) {
    double sum = 0;
    for (size_t i = 0; i < land->count; i++)
        sum -= land->loss * pow(parameters[i] - land->tops[i], 2);
    return sum;
}

static EvolveResult play(Rng *rng, double elo, unsigned games) {
    EvolveResult result = {0};
    const double score = 1 / (1 + pow(10, -elo / 400));
    const double drawn = draw_share * 4 * score * (1 - score);
    for (unsigned i = 0; i < games; i++) {
        const double chance = rng_real(rng);
        if (chance < score - drawn / 2)
            result.wins++;
        else if (chance < score + drawn / 2)
            result.draws++;
        else
            result.losses++;
    }
    return result;
}

static Status evolve(const EvolveSetup *setup, const Landscape *land, Rng *rng, double *out) {
    CLEANUP(evolver_destroy_at) Evolver *evolver = NULL;
    TRY(evolver_create(&evolver, setup));
    CLEANUP(mem_free_at)
    EvolveResult *results =
        mem_alloc((size_t)setup->config.values[OPTION_POPULATION] * sizeof *results);
    while (evolver_stop_reason(evolver) == NULL) {
        size_t count;
        bool is_over;
        const EvolveBatch batch = evolver_ask(evolver);
        const EvolveMeeting *meetings = evolver_ask_meetings(evolver, &count);
        for (size_t i = 0; i < count; i++) {
            const double *first = batch.parameters + meetings[i].first * batch.width;
            const double *second = batch.parameters + meetings[i].second * batch.width;
            results[i] =
                play(rng, strength(land, first) - strength(land, second), meetings[i].games);
        }
        TRY(evolver_tell_meetings(evolver, results, &is_over));
    }
    *out = strength(land, evolver_best(evolver, NULL));
    return OK;
}

// What one seed wins back of what it lacks.
static Status win_back(EvolveSetup *setup, Landscape *land, double potential, double *out) {
    const double start[PARAMETERS_MAX] = {0};
    Rng rng = rng_at(setup->seed, 1, 0, 0);
    for (size_t i = 0; i < land->count; i++)
        land->tops[i] = random_normal(&rng);
    const double off = sqrt(potential / -strength(land, start));
    for (size_t i = 0; i < land->count; i++)
        land->tops[i] *= off;
    setup->start = start;
    setup->start_count = 1;
    double end;
    TRY(evolve(setup, land, &rng, &end));
    *out = end - strength(land, start);
    return OK;
}

int main(int argc, char **argv) {
    static Landscape land;
    static EvolveParameter parameters[PARAMETERS_MAX];
    double units[PARAMETERS_MAX], sum = 0, least = INFINITY;
    const EvolveAlgorithm *algorithm = argc < FIRST_OPTION ? NULL : evolve_find(argv[5]);
    land.count = argc < FIRST_OPTION ? 0 : strtoul(argv[1], NULL, 10);
    if (algorithm == NULL || land.count == 0 || land.count > PARAMETERS_MAX) {
        fputs(
            "usage: steps_landscape PARAMETERS LOSS POTENTIAL SEEDS ALGORITHM [OPTION=VALUE]...\n",
            stderr);
        return 2;
    }
    land.loss = strtod(argv[2], NULL) / (25 * (double)land.count);
    for (size_t i = 0; i < land.count; i++) {
        parameters[i] = (EvolveParameter){"x", -1000, 1000, 16};
        units[i] = 1;
    }
    EvolveSetup setup = {.space = {parameters, land.count, EVOLVE_REAL, false},
                         .config = evolve_config_default(algorithm),
                         .units = units};
    for (int i = FIRST_OPTION; i < argc; i++) {
        char *value = strchr(argv[i], '=');
        if (value == NULL)
            return 2;
        *value = '\0';
        if (evolve_config_set(&setup.config, argv[i], value + 1) != OK)
            return fail();
    }
    const unsigned long seeds = strtoul(argv[4], NULL, 10);
    for (setup.seed = 1; setup.seed <= seeds; setup.seed++) {
        double gain;
        if (win_back(&setup, &land, strtod(argv[3], NULL), &gain) != OK)
            return fail();
        sum += gain;
        least = fmin(least, gain);
    }
    printf("%.1f %.1f\n", sum / (double)seeds, least);
    return 0;
}
