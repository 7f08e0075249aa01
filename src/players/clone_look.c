// SPDX-License-Identifier: GPL-3.0-or-later
#include "players/clone_look.h"

#include "base/mem.h"
#include "fitness/moves/move_scores.h"

#include <math.h>
#include <stdlib.h>

enum { CHUNK = 64 };
// The share of moves made for reasons that no weights know, any of them as likely: whoever
// overlooks a mate has not proved everything else wrong.
static const double slips = 0.01;

typedef struct Looking {
    const CloneJudging *judging;
    const CloneSet *set;
    MoveScoreSearch **searches; // one for each thread
    CloneSeen *seen;
} Looking;

// Probabilities of all moves; returns the one that is chosen.
static Move weigh(const MoveScores *scores, CloneModel model, const CloneJudging *judging,
                  double *shares) {
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
    return scores->moves[best];
}

static void look_at(const Looking *looking, MoveScoreSearch *search, size_t index) {
    const PlayedItem *item = &looking->set->played.items[index];
    CloneSeen *seen = &looking->seen[index];
    double shares[MOVES_MAX];
    MoveScores scores;
    move_scores_find(search, &item->pos, &scores);
    *seen = (CloneSeen){.traits = move_traits(&item->pos, item->played),
                        .phase = phase_of_material(phase_material(&item->pos))};
    for (CloneModel model = 0; model < MODEL_NB; model++) {
        seen->chosen[model] = weigh(&scores, model, looking->judging, shares);
        seen->is_hit[model] = seen->chosen[model] == item->played;
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

Status clone_look(const CloneJudging *judging, const CloneSet *set, DistPool *pool,
                  CloneSeen **out) {
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
