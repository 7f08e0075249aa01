// SPDX-License-Identifier: GPL-3.0-or-later
#include "players/opening_model.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

// A position, or a move of one, and who was there how often.
typedef struct Visit {
    uint64_t key;
    uint32_t player, count;
} Visit;

struct OpeningModel {
    size_t players;
    Visit *visits;
    size_t count, capacity;
};

// How many games of everybody's weigh as much as the player's own, and how many moves a position
// is taken to have of which no choices are known.
static const double OTHERS = 3, UNSEEN = 0.5, CHOICES = 30;

OpeningModel *opening_model_create(size_t players) {
    OpeningModel *model = mem_alloc_zero(1, sizeof *model);
    model->players = players;
    return model;
}

void opening_model_destroy(OpeningModel *model) {
    if (model == NULL)
        return;
    free(model->visits);
    free(model);
}

static uint64_t choice_key(uint64_t position, Move move) {
    return (position ^ move) * 0x9E3779B97F4A7C15ULL;
}

static void add_visit(OpeningModel *model, uint64_t key, uint32_t player) {
    MEM_ADD(model->visits, model->count, model->capacity) = (Visit){key, player, 1};
}

// Calls back for each choice of the player's in the opening.
static void each_choice(const PlayerGame *game,
                        void visit(void *context, uint64_t position, Move move), void *context) {
    Position pos = game->start;
    for (size_t ply = 0; ply < game->move_count && ply < OPENING_PLIES; ply++) {
        Undo undo;
        if (position_turn(&pos) == game->side)
            visit(context, pos.key, game->moves[ply]);
        position_make(&pos, game->moves[ply], &undo);
    }
}

typedef struct Learner {
    OpeningModel *model;
    uint32_t player;
} Learner;

static void learn(void *context, uint64_t position, Move move) {
    const Learner *learner = context;
    add_visit(learner->model, position, learner->player);
    add_visit(learner->model, choice_key(position, move), learner->player);
}

void opening_model_add(OpeningModel *model, const PlayerGame *game) {
    each_choice(game, learn, &(Learner){model, game->player});
}

static int compare_visits(const void *left, const void *right) {
    const Visit *a = left, *b = right;
    if (a->key != b->key)
        return MEM_ORDER(a->key, b->key);
    return MEM_ORDER(a->player, b->player);
}

void opening_model_finish(OpeningModel *model) {
    size_t kept = 0;
    MEM_SORT(model->visits, model->count, compare_visits);
    for (size_t i = 0; i < model->count; i++) {
        if (kept > 0 && compare_visits(&model->visits[kept - 1], &model->visits[i]) == 0)
            model->visits[kept - 1].count++;
        else
            model->visits[kept++] = model->visits[i];
    }
    model->count = kept;
}

// The first visit of a key, or where it would be.
static size_t find_key(const OpeningModel *model, uint64_t key) {
    size_t low = 0, high = model->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (model->visits[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

typedef struct Scorer {
    const OpeningModel *model;
    double *scores;
    double *positions, *choices; // room for a count of each player
} Scorer;

static double counts_of(const OpeningModel *model, uint64_t key, double *counts) {
    double sum = 0;
    for (size_t i = 0; i < model->players; i++)
        counts[i] = 0;
    for (size_t i = find_key(model, key); i < model->count && model->visits[i].key == key; i++) {
        counts[model->visits[i].player] = model->visits[i].count;
        sum += model->visits[i].count;
    }
    return sum;
}

static void score(void *context, uint64_t position, Move move) {
    const Scorer *scorer = context;
    const double visits = counts_of(scorer->model, position, scorer->positions);
    const double chosen = counts_of(scorer->model, choice_key(position, move), scorer->choices);
    const double common = (chosen + UNSEEN) / (visits + UNSEEN * CHOICES);
    for (size_t i = 0; i < scorer->model->players; i++)
        scorer->scores[i] +=
            log((scorer->choices[i] + OTHERS * common) / (scorer->positions[i] + OTHERS));
}

void opening_model_score(const OpeningModel *model, const PlayerGame *game, double *scores) {
    CLEANUP(mem_free_at) double *counts = mem_alloc(2 * model->players * sizeof *counts);
    each_choice(game, score, &(Scorer){model, scores, counts, counts + model->players});
}
