// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/move_match.h"

#include "base/mem.h"
#include "fitness/forest_plain.h"

#include <math.h>
#include <stdlib.h>

const char *const move_class_names[CLASS_NB] = {"captures", "king moves", "pawn moves",
                                                "piece moves"};

MoveClass move_class(const Position *pos, Move move) {
    const PieceType type = piece_type(pos->board[move_from(move)]);
    if (!move_is_quiet(pos, move))
        return CLASS_CAPTURE;
    return type == KING ? CLASS_KING : type == PAWN ? CLASS_PAWN : CLASS_PIECE;
}

static void count_one(MatchCount *count, bool is_hit) {
    count->positions++;
    count->hits += is_hit;
}

static void count_item(MoveMatch *match, const PlayedItem *item, bool is_hit) {
    count_one(&match->all, is_hit);
    count_one(item->is_in_other ? &match->shared : &match->unshared, is_hit);
    count_one(&match->phases[phase_of_material(material_of(&item->pos))], is_hit);
    count_one(&match->classes[move_class(&item->pos, item->played)], is_hit);
}

// --- ranks: the plain search knows them ---

typedef struct Ranking {
    const PlayedSet *set;
    const Family *family;
    const ForestRules *rules;
    int coefficients[COEFFICIENTS_MAX];
    unsigned *ranks;
} Ranking;

static Status rank_one(void *context, size_t index, int worker) {
    (void)worker;
    const Ranking *ranking = context;
    ranking->ranks[index] = forest_plain_rank(&ranking->set->items[index], ranking->family,
                                              ranking->coefficients, ranking->rules);
    return OK;
}

static Status find_ranks(Ranking *ranking, DistPool *pool, double *mean) {
    const size_t count = ranking->set->count;
    uint64_t sum = 0;
    ranking->ranks = mem_alloc((count + 1) * sizeof *ranking->ranks);
    const Status status = dist_pool_run(pool, count, rank_one, ranking);
    for (size_t i = 0; i < count && status == OK; i++)
        sum += ranking->ranks[i];
    *mean = (double)sum / (double)count;
    free(ranking->ranks);
    return status;
}

// --- hits ---

static Status count_hits(const PlayedSet *set, const Forest *forest, const int32_t *coefficients,
                         DistPool *pool, MoveMatch *out) {
    bool *marks = mem_alloc((set->count + 1) * sizeof *marks);
    int64_t won = 0, lost = 0;
    Status status = forest_marks(forest, coefficients, TIES_BY_ORDER, pool, marks);
    if (status == OK)
        status = forest_hits(forest, coefficients, 1, TIES_WON, pool, &won);
    if (status == OK)
        status = forest_hits(forest, coefficients, 1, TIES_LOST, pool, &lost);
    for (size_t i = 0; i < set->count && status == OK; i++)
        count_item(out, &set->items[i], marks[i]);
    out->ties = (uint64_t)(won - lost);
    free(marks);
    return status;
}

Status match_weights(const PlayedSet *set, const Weights *weights, const ForestRules *rules,
                     DistPool *pool, MoveMatch *out) {
    const Family *family = weights->family;
    Ranking ranking = {.set = set, .family = family, .rules = rules};
    int32_t limits[COEFFICIENTS_MAX], guide[COEFFICIENTS_MAX], coefficients[COEFFICIENTS_MAX];
    family->expand(weights->parameters, ranking.coefficients);
    for (size_t i = 0; i < family->coefficient_count; i++)
        coefficients[i] = guide[i] = ranking.coefficients[i];
    family_limits(family, limits);
    const ForestConfig config = {family, *rules, limits, guide, 0};
    Forest *forest;
    *out = (MoveMatch){0};
    Status status = forest_compile(&forest, set, &config, pool);
    if (status != OK)
        return status;
    status = count_hits(set, forest, coefficients, pool, out);
    forest_free(forest);
    return status == OK ? find_ranks(&ranking, pool, &out->mean_rank) : status;
}

void match_predictions(const PlayedSet *set, MoveMatch *out) {
    *out = (MoveMatch){.mean_rank = NAN};
    for (size_t i = 0; i < set->count; i++)
        if (set->items[i].predicted != MOVE_NONE)
            count_item(out, &set->items[i], set->items[i].predicted == set->items[i].played);
}

double match_rate(const MatchCount *count) {
    return count->positions == 0 ? (double)NAN
                                 : 100 * (double)count->hits / (double)count->positions;
}

double match_half_width(const MatchCount *count) {
    const double n = (double)count->positions, z = 1.959964;
    if (count->positions == 0)
        return NAN;
    const double p = (double)count->hits / n, middle = (p + z * z / (2 * n)) / (1 + z * z / n);
    const double half = z * sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n);
    return 100 * (half + fabs(middle - p));
}
