// SPDX-License-Identifier: GPL-3.0-or-later
// Differential evolution (Storn and Price 1997), with weights and crossover rates that each member
// carries and varies (jDE, Brest and others 2006). Members are real numbers inside; they are
// rounded where they are handed out.
#include "evolve/random.h"
#include "evolve/survival.h"

#include <assert.h>
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

static const Setting options[] = {
    OPTIONS_FOR_ALL(4, "60", "1000"),
    OPTION_CHOICE("scheme", "rand", scheme_names, "rand/1/bin or current-to-best/1/bin"),
    OPTION_REAL("weight", 0, 2, "0.5", "weight of a difference (F), to begin with"),
    OPTION_REAL("crossover-rate", 0, 1, "0.9",
                "chance of each parameter to change (CR), to begin with"),
    OPTION_REAL("jitter", 0, 1, "0.1", "how much the weight varies between parameters"),
    OPTION_REAL("adapt-rate", 0, 1, "0.1", "how often a member tries another F or CR"),
};
static_assert(sizeof options / sizeof *options == DE_OPTION_COUNT, "one row per option");

typedef struct De {
    Population handed;           // rounded; with fresh scores the members, then the trials
    double *members, *trials;    // real numbers
    double *rates, *trial_rates; // F and CR of each
    int64_t *scores;             // of the members
    bool has_scores;
} De;

static const EvolveField fields[] = {
    FIELD_ARRAY(De, handed.rows, 2, ALL_PARAMETERS, NOT_KEPT),
    FIELD_VALUE(De, has_scores, KEPT_FLAG),
    FIELD_ARRAY(De, members, 1, ALL_PARAMETERS, KEPT_DOUBLES),
    FIELD_ARRAY(De, trials, 1, ALL_PARAMETERS, KEPT_DOUBLES),
    FIELD_ARRAY(De, rates, 2, MEMBERS, KEPT_DOUBLES),
    FIELD_ARRAY(De, trial_rates, 2, MEMBERS, KEPT_DOUBLES),
    FIELD_ARRAY(De, scores, 1, MEMBERS, KEPT_SCORES),
};

static void round_rows(De *de, const EvolveRun *run, const double *from, size_t at) {
    const size_t width = de->handed.width;
    for (size_t i = 0; i < de->handed.size * width; i++)
        de->handed.rows[at * width + i] = space_nearest(run->space, i % width, from[i]);
}

// At first the members are judged, later the trials; where scores are fresh, both.
static void hand_out(De *de, const EvolveRun *run) {
    const size_t size = de->handed.size, members = !de->has_scores || run->fresh_scores ? size : 0;
    if (members > 0)
        round_rows(de, run, de->members, 0);
    if (de->has_scores)
        round_rows(de, run, de->trials, members);
    de->handed.count = members + (de->has_scores ? size : 0);
}

static Status create(void *state, const EvolveRun *run) {
    De *de = state;
    for (size_t i = 0; i < de->handed.size; i++) {
        de->rates[2 * i] = run->options[DE_WEIGHT];
        de->rates[2 * i + 1] = run->options[DE_CROSSOVER_RATE];
    }
    population_start(run, de->members, de->handed.size);
    hand_out(de, run);
    return OK;
}

// Three members that differ from each other and from `member`.
static void draw_three(const De *de, size_t member, Rng *rng, const double *drawn[3]) {
    size_t places[4] = {member};
    for (size_t n = 1; n < 4; n++) {
        bool taken = true;
        while (taken) {
            places[n] = rng_below(rng, (uint32_t)de->handed.size);
            taken = false;
            for (size_t i = 0; i < n; i++)
                taken |= places[i] == places[n];
        }
        drawn[n - 1] = de->members + places[n] * de->handed.width;
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
    const double *now = de->members + member * de->handed.width, *drawn[3];
    double *trial = de->trials + member * de->handed.width;
    draw_three(de, member, &rng, drawn);
    vary_rates(de, run, member, &rng);
    double weight = de->trial_rates[2 * member], rate = de->trial_rates[2 * member + 1];
    bool to_best = run->options[DE_SCHEME] == SCHEME_TO_BEST;
    size_t always = rng_below(&rng, (uint32_t)de->handed.width);
    for (size_t j = 0; j < de->handed.width; j++) {
        double chance = rng_real(&rng);
        double jittered = weight * (1 + run->options[DE_JITTER] * (rng_real(&rng) - 0.5));
        double base = to_best ? now[j] + jittered * (best[j] - now[j]) : drawn[2][j];
        double value = base + jittered * (drawn[0][j] - drawn[1][j]);
        bool taken = j == always || chance < rate;
        trial[j] = taken ? bounce(&run->space->parameters[j], now[j], value) : now[j];
    }
}

static void accept_better(De *de, const int64_t *scores) {
    for (size_t i = 0; i < de->handed.size; i++)
        if (scores[i] >= de->scores[i]) {
            de->scores[i] = scores[i];
            memcpy(de->members + i * de->handed.width, de->trials + i * de->handed.width,
                   de->handed.width * sizeof(double));
            memcpy(de->rates + 2 * i, de->trial_rates + 2 * i, 2 * sizeof(double));
        }
}

static Status tell(void *state, const EvolveRun *run, const int64_t *scores) {
    De *de = state;
    const size_t size = de->handed.size;
    const size_t members_told = run->fresh_scores || !de->has_scores ? size : 0;
    if (members_told != 0)
        memcpy(de->scores, scores, size * sizeof *scores);
    if (de->has_scores)
        accept_better(de, scores + members_told);
    de->has_scores = true;
    const double *best = de->members + survival_best(de->scores, size) * de->handed.width;
    for (size_t i = 0; i < size; i++)
        make_trial(de, run, i, best);
    hand_out(de, run);
    return OK;
}

static Status load(void *state, const EvolveRun *run, ByteReader *in) {
    (void)in;
    hand_out(state, run);
    return OK;
}

const EvolveAlgorithm evolve_de = {
    .name = "de",
    .summary = "differential evolution with rates that adapt",
    .options = options,
    .option_count = DE_OPTION_COUNT,
    .state_size = sizeof(De),
    .fields = fields,
    .field_count = sizeof fields / sizeof *fields,
    .create = create,
    .tell = tell,
    .load = load,
};
