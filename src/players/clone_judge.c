// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/mem.h"
#include "players/clone_look.h"

#include <math.h>
#include <stdlib.h>

const double clone_level = 0.05, clone_least_ratio = 1.1, clone_least_found = 0.01;

// One side's moves, and what was seen of them.
typedef struct Moves {
    const CloneSet *set;
    CloneSeen *seen; // owned
} Moves;

static void moves_free(Moves *moves) {
    free(moves->seen);
}

// --- sums over games, whose moves are correlated ---

// Sums of each game: of each model, of their difference, and how many positions.
typedef struct Sums {
    double *models[MODEL_NB], *differences, *sizes;
    size_t games;
} Sums;

static Sums sums_create(size_t games) {
    double *memory = mem_alloc_zero((MODEL_NB + 2) * games + 1, sizeof *memory);
    return (Sums){{memory, memory + games}, memory + 2 * games, memory + 3 * games, games};
}

static void sums_free(Sums *sums) {
    free(sums->models[MODEL_CLONE]);
}

static void sums_add(Sums *sums, size_t game, double clone, double generic) {
    sums->models[MODEL_CLONE][game] += clone;
    sums->models[MODEL_GENERIC][game] += generic;
    sums->differences[game] += clone - generic;
    sums->sizes[game]++;
}

// --- figures of both models ---

// Which moves a figure is about: of a phase (or any, PHASE_NB) and a trait (or any, TRAIT_NB).
typedef struct Which {
    int phase, trait;
    bool is_likelihood; // how likely moves are, instead of whether they are chosen
} Which;

static Sums sums_where(const Moves *moves, Which which) {
    Sums sums = sums_create(moves->set->game_count);
    for (size_t i = 0; i < moves->set->played.count; i++) {
        const CloneSeen *seen = &moves->seen[i];
        if ((which.phase != PHASE_NB && (int)seen->phase != which.phase) ||
            (which.trait != TRAIT_NB && (seen->traits >> which.trait & 1) == 0))
            continue;
        double values[MODEL_NB];
        for (int model = 0; model < MODEL_NB; model++)
            values[model] = which.is_likelihood ? (double)seen->log_likelihood[model]
                                                : (double)seen->is_hit[model];
        sums_add(&sums, moves->set->games[i], values[MODEL_CLONE], values[MODEL_GENERIC]);
    }
    return sums;
}

static CloneFigure figure_where(const Moves sides[WHO_NB], Which which) {
    CLEANUP(sums_free) Sums person = sums_where(&sides[WHO_PERSON], which);
    CLEANUP(sums_free) Sums others = sums_where(&sides[WHO_OTHERS], which);
    CloneFigure figure = {0};
    for (int model = 0; model < MODEL_NB; model++)
        figure.models[model] = grouped_mean(person.models[model], person.sizes, person.games);
    figure.difference = grouped_mean(person.differences, person.sizes, person.games);
    figure.of_others = grouped_mean(others.differences, others.sizes, others.games);
    for (size_t i = 0; i < person.games; i++)
        figure.positions += (uint64_t)person.sizes[i];
    figure.chance =
        chance_of_means(&figure.difference, &figure.of_others, person.games + others.games);
    return figure;
}

// --- kinds of moves ---

// How often moves of a kind are made, and by how much more than expected.
static void count_made(const Moves *moves, int trait, GroupedMean *made, GroupedMean *surplus) {
    CLEANUP(sums_free) Sums sums = sums_create(moves->set->game_count);
    for (size_t i = 0; i < moves->set->played.count; i++)
        sums_add(&sums, moves->set->games[i], moves->seen[i].traits >> trait & 1,
                 (double)moves->seen[i].expected[trait]);
    *made = grouped_mean(sums.models[0], sums.sizes, sums.games);
    *surplus = grouped_mean(sums.differences, sums.sizes, sums.games);
}

// The generic organism errs for everybody: what others do too is not the person's.
static CloneKind kind_of(const Moves sides[WHO_NB], int trait) {
    CloneKind kind = {.match = figure_where(sides, (Which){PHASE_NB, trait, false})};
    GroupedMean unused;
    count_made(&sides[WHO_PERSON], trait, &kind.made, &kind.surplus);
    count_made(&sides[WHO_OTHERS], trait, &unused, &kind.of_others);
    kind.chance =
        chance_of_means(&kind.surplus, &kind.of_others,
                        sides[WHO_PERSON].set->game_count + sides[WHO_OTHERS].set->game_count);
    return kind;
}

double clone_kind_usual(const CloneKind *kind) {
    return kind->made.mean - (kind->surplus.mean - kind->of_others.mean);
}

// --- what stands ---

static void judge_kinds(CloneVerdict *verdict) {
    double chances[TRAIT_NB];
    bool stands[TRAIT_NB];
    for (int trait = 0; trait < TRAIT_NB; trait++)
        chances[trait] = verdict->kinds[trait].chance;
    chance_holm(chances, TRAIT_NB, clone_level, stands);
    for (int trait = 0; trait < TRAIT_NB; trait++) {
        CloneKind *kind = &verdict->kinds[trait];
        const double ratio = kind->made.mean / fmax(clone_kind_usual(kind), 1e-9);
        kind->stands =
            stands[trait] && (ratio >= clone_least_ratio || ratio <= 1 / clone_least_ratio);
    }
}

static void judge_found(CloneVerdict *verdict) {
    enum { ALL = TRAIT_NB + PHASE_NB };
    CloneFigure *figures[ALL];
    double chances[ALL];
    bool stands[ALL];
    for (int i = 0; i < ALL; i++) {
        figures[i] = i < TRAIT_NB ? &verdict->kinds[i].match : &verdict->phases[i - TRAIT_NB];
        chances[i] = figures[i]->chance;
    }
    chance_holm(chances, ALL, clone_level, stands);
    for (int i = 0; i < ALL; i++)
        figures[i]->stands = stands[i] && fabs(figures[i]->difference.mean -
                                               figures[i]->of_others.mean) >= clone_least_found;
}

Status clone_judge(const CloneJudging *judging, const CloneSet *person, const CloneSet *others,
                   DistPool *pool, CloneVerdict *out) {
    CLEANUP(moves_free) Moves persons = {person, NULL};
    CLEANUP(moves_free) Moves theirs = {others, NULL};
    TRY(clone_look(judging, person, pool, &persons.seen));
    TRY(clone_look(judging, others, pool, &theirs.seen));
    const Moves sides[WHO_NB] = {[WHO_PERSON] = persons, [WHO_OTHERS] = theirs};
    out->match = figure_where(sides, (Which){PHASE_NB, TRAIT_NB, false});
    out->likelihood = figure_where(sides, (Which){PHASE_NB, TRAIT_NB, true});
    out->match.stands = out->match.chance < clone_level;
    out->likelihood.stands = out->likelihood.chance < clone_level;
    for (int phase = 0; phase < PHASE_NB; phase++)
        out->phases[phase] = figure_where(sides, (Which){phase, TRAIT_NB, false});
    for (int trait = 0; trait < TRAIT_NB; trait++)
        out->kinds[trait] = kind_of(sides, trait);
    judge_kinds(out);
    judge_found(out);
    const bool is_shown = judging->weights_stand || out->likelihood.stands || out->match.stands;
    clone_choose_examples(person, persons.seen, is_shown, out);
    return OK;
}
