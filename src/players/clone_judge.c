// SPDX-License-Identifier: GPL-3.0-or-later
#include "players/clone.h"

#include "base/mem.h"
#include "fitness/moves/move_scores.h"

#include <math.h>
#include <stdlib.h>

enum { CHUNK = 64 };
// The share of moves made for reasons that no weights know, any of them as likely: whoever
// overlooks a mate has not proved everything else wrong.
static const double slips = 0.01;

// What was seen of one position.
typedef struct Seen {
    bool is_hit[MODEL_NB];
    float log_likelihood[MODEL_NB];
    float expected[TRAIT_NB]; // of the generic organism
    unsigned traits;          // of the move that was played
    Phase phase;
} Seen;

// --- looking at positions ---

typedef struct Looking {
    const CloneJudging *judging;
    const CloneSet *set;
    MoveScoreSearch **searches; // one for each thread
    Seen *seen;
} Looking;

// Probabilities of all moves; returns whether the played one is chosen.
static bool weigh(const MoveScores *scores, CloneModel model, const CloneJudging *judging,
                  Move played, double *shares) {
    const Family *family = judging->models[model]->family;
    size_t best = 0;
    double total = 0;
    for (size_t i = 1; i < scores->count; i++) {
        const int more = scores->scores[i][model], most = scores->scores[best][model];
        const bool is_first =
            forest_move_order(scores->moves[i]) < forest_move_order(scores->moves[best]);
        if (more > most || (more == most && is_first))
            best = i;
    }
    const double top = scores->scores[best][model];
    for (size_t i = 0; i < scores->count; i++) {
        const double below = scores->scores[i][model] - top;
        shares[i] = exp(below / (judging->temperature_cp * family->scale));
        total += shares[i];
    }
    for (size_t i = 0; i < scores->count; i++)
        shares[i] = (1 - slips) * shares[i] / total + slips / (double)scores->count;
    return scores->moves[best] == played;
}

static void look_at(const Looking *looking, MoveScoreSearch *search, size_t index) {
    const PlayedItem *item = &looking->set->played.items[index];
    Seen *seen = &looking->seen[index];
    double shares[MOVES_MAX];
    MoveScores scores;
    move_scores_find(search, &item->pos, &scores);
    *seen = (Seen){.traits = move_traits(&item->pos, item->played),
                   .phase = phase_of_material(phase_material(&item->pos))};
    for (CloneModel model = 0; model < MODEL_NB; model++) {
        seen->is_hit[model] = weigh(&scores, model, looking->judging, item->played, shares);
        for (size_t i = 0; i < scores.count; i++)
            if (scores.moves[i] == item->played)
                seen->log_likelihood[model] = (float)log(shares[i]);
    }
    // The shares of the last model, the generic one, are left.
    for (size_t i = 0; i < scores.count; i++) {
        const unsigned traits = move_traits(&item->pos, scores.moves[i]);
        for (int trait = 0; trait < TRAIT_NB; trait++)
            if (traits >> trait & 1)
                seen->expected[trait] += (float)shares[i];
    }
}

static Status look_at_chunk(void *context, size_t index, int worker) {
    const Looking *looking = context;
    const size_t first = index * CHUNK, left = looking->set->played.count - first;
    for (size_t i = 0; i < (left < CHUNK ? left : CHUNK); i++)
        look_at(looking, looking->searches[worker], first + i);
    return OK;
}

static Status look(const CloneJudging *judging, const CloneSet *set, DistPool *pool, Seen **out) {
    const int threads = dist_pool_threads(pool);
    const Family *family = judging->models[0]->family;
    int coefficients[MODEL_NB][COEFFICIENTS_MAX];
    const int *each[MODEL_NB];
    for (int model = 0; model < MODEL_NB; model++) {
        family_expand(family, judging->models[model]->parameters, coefficients[model]);
        each[model] = coefficients[model];
    }
    Looking looking = {.judging = judging, .set = set};
    looking.searches = mem_alloc((size_t)threads * sizeof(MoveScoreSearch *));
    looking.seen = mem_alloc((set->played.count + 1) * sizeof *looking.seen);
    for (int i = 0; i < threads; i++)
        looking.searches[i] = move_scores_create(family, &judging->rules, each, MODEL_NB);
    const size_t chunks = (set->played.count + CHUNK - 1) / CHUNK;
    const Status status = dist_pool_run(pool, chunks, look_at_chunk, &looking);
    for (int i = 0; i < threads; i++)
        move_scores_destroy(looking.searches[i]);
    free(looking.searches);
    *out = looking.seen;
    return status;
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

static CloneFigure figure_of(const Sums *sums, uint64_t seed) {
    CloneFigure figure = {.chance = chance_of_signs(sums->differences, sums->games, seed)};
    for (int model = 0; model < MODEL_NB; model++)
        figure.models[model] = grouped_mean(sums->models[model], sums->sizes, sums->games);
    figure.difference = grouped_mean(sums->differences, sums->sizes, sums->games);
    for (size_t i = 0; i < sums->games; i++)
        figure.positions += (uint64_t)sums->sizes[i];
    return figure;
}

// Hits where a phase (or any, PHASE_NB) and a trait (or any, TRAIT_NB) are.
static CloneFigure match_where(const CloneSet *set, const Seen *seen, int phase, int trait,
                               uint64_t seed) {
    CLEANUP(sums_free) Sums sums = sums_create(set->game_count);
    for (size_t i = 0; i < set->played.count; i++)
        if ((phase == PHASE_NB || (int)seen[i].phase == phase) &&
            (trait == TRAIT_NB || (seen[i].traits >> trait & 1) != 0))
            sums_add(&sums, set->games[i], seen[i].is_hit[MODEL_CLONE],
                     seen[i].is_hit[MODEL_GENERIC]);
    return figure_of(&sums, seed);
}

static CloneFigure likelihood_of(const CloneSet *set, const Seen *seen, uint64_t seed) {
    CLEANUP(sums_free) Sums sums = sums_create(set->game_count);
    for (size_t i = 0; i < set->played.count; i++)
        sums_add(&sums, set->games[i], seen[i].log_likelihood[MODEL_CLONE],
                 seen[i].log_likelihood[MODEL_GENERIC]);
    return figure_of(&sums, seed);
}

// How often moves of a kind are made, and by how much more than expected.
static void count_made(const CloneSet *set, const Seen *seen, int trait, GroupedMean *made,
                       GroupedMean *surplus) {
    CLEANUP(sums_free) Sums sums = sums_create(set->game_count);
    for (size_t i = 0; i < set->played.count; i++)
        sums_add(&sums, set->games[i], seen[i].traits >> trait & 1,
                 (double)seen[i].expected[trait]);
    *made = grouped_mean(sums.models[0], sums.sizes, sums.games);
    *surplus = grouped_mean(sums.differences, sums.sizes, sums.games);
}

// The generic organism errs for everybody: what others do too is not the person's.
static CloneKind kind_of(const CloneSet *person, const Seen *persons, const CloneSet *others,
                         const Seen *theirs, int trait, uint64_t seed) {
    CloneKind kind = {.match = match_where(person, persons, PHASE_NB, trait, seed)};
    GroupedMean unused;
    count_made(person, persons, trait, &kind.made, &kind.surplus);
    count_made(others, theirs, trait, &unused, &kind.of_others);
    const double spread = hypot(kind.surplus.deviation, kind.of_others.deviation);
    kind.chance =
        spread > 0 ? chance_of_normal((kind.surplus.mean - kind.of_others.mean) / spread) : 1;
    return kind;
}

Status clone_judge(const CloneJudging *judging, const CloneSet *person, const CloneSet *others,
                   DistPool *pool, CloneVerdict *out) {
    CLEANUP(mem_free_at) Seen *persons = NULL;
    CLEANUP(mem_free_at) Seen *theirs = NULL;
    TRY(look(judging, person, pool, &persons));
    TRY(look(judging, others, pool, &theirs));
    out->match = match_where(person, persons, PHASE_NB, TRAIT_NB, judging->seed);
    out->likelihood = likelihood_of(person, persons, judging->seed);
    for (int phase = 0; phase < PHASE_NB; phase++)
        out->phases[phase] = match_where(person, persons, phase, TRAIT_NB, judging->seed);
    for (int trait = 0; trait < TRAIT_NB; trait++)
        out->kinds[trait] = kind_of(person, persons, others, theirs, trait, judging->seed);
    return OK;
}
