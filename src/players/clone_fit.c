// SPDX-License-Identifier: GPL-3.0-or-later
#include "players/clone.h"

#include "base/mem.h"
#include "base/moments.h"
#include "base/rng.h"
#include "fitness/gradient/surrogate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const double clone_leashes_cp[CLONE_LEASHES] = {2, 4, 8, 16, 32};

enum { USE_DRAW = 4, FOLD = 5 }; // a fifth of the games is held back

// --- descents ---

// What both sets share, and what belongs to one of them.
typedef struct Fitting {
    const CloneFitConfig *config;
    const CloneSet *set;
    DistPool *pool;
    SlopeKind kind;
    size_t terms;
    double start[TERMS_MAX], low[TERMS_MAX], high[TERMS_MAX];
    Leaves *leaves;
    uint32_t *counts; // of each position, for the next descent
} Fitting;

static void count_all(Fitting *fitting, uint32_t times) {
    for (size_t i = 0; i < fitting->set->played.count; i++)
        fitting->counts[i] = times;
}

static Status find_leaves(Fitting *fitting, const double *values) {
    const LeavesConfig config = {.family = fitting->config->start->family,
                                 .rules = fitting->config->rules};
    int32_t whole[TERMS_MAX];
    for (size_t i = 0; i < fitting->terms; i++)
        whole[i] = (int32_t)lround(values[i]);
    leaves_free(fitting->leaves);
    fitting->leaves = NULL;
    return leaves_find(&fitting->leaves, &fitting->set->played, &config, whole, fitting->pool);
}

// From `values`, over the positions as they count.
static Status descend(Fitting *fitting, double leash_cp, double *values) {
    const LeavesCounted counted = {fitting->leaves, fitting->counts};
    const double leash = leash_cp * fitting->config->start->family->unit;
    size_t positions = 0;
    for (size_t i = 0; i < fitting->set->played.count; i++)
        positions += fitting->counts[i];
    const SlopeSource source = leaves_counted_source(&counted);
    // A prior of the start's values, wherever a descent begins, each with the leash as its
    // deviation.
    const SurrogateConfig steps = {fitting->config->steps,
                                   fitting->kind,
                                   fitting->low,
                                   fitting->high,
                                   1 / (leash * leash * (double)positions),
                                   fitting->start};
    return surrogate_descend(&source, &steps, fitting->pool, values);
}

// --- the leash, chosen on games held back ---

// Of whole groups; where these are too few, of games. Both are numbered in random order, or by
// year.
static void count_fold(Fitting *fitting, bool is_back) {
    const CloneSet *set = fitting->set;
    const uint32_t *numbers = set->group_count >= 2 * FOLD ? set->groups : set->games;
    for (size_t i = 0; i < set->played.count; i++)
        fitting->counts[i] = (numbers[i] % FOLD == 0) == is_back;
}

static Status add_losses(Fitting *fitting, double losses[CLONE_LEASHES]) {
    double values[TERMS_MAX], gradient[TERMS_MAX];
    const LeavesCounted counted = {fitting->leaves, fitting->counts};
    Slope slope = {.gradient = gradient};
    for (size_t i = 0; i < CLONE_LEASHES; i++) {
        memcpy(values, fitting->start, sizeof values);
        count_fold(fitting, false);
        TRY(descend(fitting, clone_leashes_cp[i], values));
        count_fold(fitting, true);
        TRY(leaves_counted_slope(&counted, values, fitting->kind, fitting->pool, &slope));
        losses[i] += slope.loss / WHO_NB;
    }
    return OK;
}

// --- fits and draws ---

static Status fit_all(Fitting *fitting, double leash_cp, CloneFit *out) {
    memcpy(out->values, fitting->start, fitting->terms * sizeof *out->values);
    count_all(fitting, 1);
    for (unsigned round = 0; round < fitting->config->rounds; round++) {
        // The first leaves are those of the start, and were found at the beginning.
        if (round > 0)
            TRY(find_leaves(fitting, out->values));
        TRY(descend(fitting, leash_cp, out->values));
    }
    TRY(find_leaves(fitting, out->values));
    out->hits = leaves_totals(fitting->leaves).hits;
    leaves_reach(fitting->leaves, out->reach);
    return OK;
}

// As many games as there are, each drawn from all of them.
static void draw_games(Fitting *fitting, uint32_t run, uint32_t who) {
    const CloneSet *set = fitting->set;
    CLEANUP(mem_free_at) uint32_t *times = mem_alloc_zero(set->game_count + 1, sizeof *times);
    Rng rng = rng_at(fitting->config->seed, run, who, USE_DRAW);
    for (size_t i = 0; i < set->game_count; i++)
        times[rng_below(&rng, (uint32_t)set->game_count)]++;
    for (size_t i = 0; i < set->played.count; i++)
        fitting->counts[i] = times[set->games[i]];
}

static Status fit_draws(Fitting *fitting, double leash_cp, uint32_t who, CloneFit *out) {
    Moments moments[TERMS_MAX] = {0};
    double values[TERMS_MAX];
    for (uint32_t run = 0; run < fitting->config->runs; run++) {
        draw_games(fitting, run, who);
        memcpy(values, out->values, fitting->terms * sizeof *values);
        TRY(descend(fitting, leash_cp, values));
        for (size_t i = 0; i < fitting->terms; i++)
            moments_add(&moments[i], values[i]);
    }
    for (size_t i = 0; i < fitting->terms; i++)
        out->deviations[i] = moments_deviation(&moments[i]);
    return OK;
}

// --- all of it ---

static Status begin(Fitting *fitting, const CloneFitConfig *config, const CloneSet *set,
                    DistPool *pool) {
    const Family *family = config->start->family;
    *fitting = (Fitting){.config = config,
                         .set = set,
                         .pool = pool,
                         .kind = {LOSS_SURPRISE, config->temperature_cp * family->unit},
                         .terms = family->term_count};
    for (size_t i = 0; i < fitting->terms; i++) {
        fitting->start[i] = config->start->parameters[i];
        fitting->low[i] = family->terms[i].low;
        fitting->high[i] = family->terms[i].high;
    }
    fitting->counts = mem_alloc((set->played.count + 1) * sizeof *fitting->counts);
    return find_leaves(fitting, fitting->start);
}

static Status check_family(const Family *family) {
    if (family->coefficient_count == family->term_count && family->coefficient_names == NULL)
        return OK;
    return error_set(ERR_ARG, "family %s is not linear in its weights: take maestro or falcon",
                     family->name);
}

static void fittings_free(Fitting **fittings) {
    for (int who = 0; who < WHO_NB; who++) {
        leaves_free((*fittings)[who].leaves);
        free((*fittings)[who].counts);
    }
    free(*fittings);
}

Status clone_fit(const CloneFitConfig *config, const CloneSet *const sets[WHO_NB], DistPool *pool,
                 CloneFit out[WHO_NB], double losses[CLONE_LEASHES], unsigned *leash) {
    CLEANUP(fittings_free) Fitting *fittings = mem_alloc_zero(WHO_NB, sizeof *fittings);
    const size_t terms = config->start->family->term_count;
    TRY(check_family(config->start->family));
    memset(losses, 0, CLONE_LEASHES * sizeof *losses);
    *leash = 0;
    for (int who = 0; who < WHO_NB; who++) {
        out[who] = (CloneFit){.values = mem_alloc_zero(terms, sizeof(double)),
                              .deviations = mem_alloc_zero(terms, sizeof(double)),
                              .reach = mem_alloc_zero(terms, sizeof(double))};
        TRY(begin(&fittings[who], config, sets[who], pool));
        TRY(add_losses(&fittings[who], losses));
    }
    for (unsigned i = 1; i < CLONE_LEASHES; i++)
        *leash = losses[i] < losses[*leash] ? i : *leash;
    for (uint32_t who = 0; who < WHO_NB; who++) {
        TRY(fit_all(&fittings[who], clone_leashes_cp[*leash], &out[who]));
        TRY(fit_draws(&fittings[who], clone_leashes_cp[*leash], who, &out[who]));
    }
    return OK;
}

void clone_fit_free(CloneFit *fit) {
    free(fit->values);
    free(fit->deviations);
    free(fit->reach);
    *fit = (CloneFit){0};
}

void clone_fit_weights(const CloneFit *fit, const Weights *start, Weights *out) {
    weights_init(out, start->family);
    for (size_t i = 0; i < start->family->term_count; i++)
        out->parameters[i] = (int)lround(fit->values[i]);
}
