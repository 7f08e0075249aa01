// SPDX-License-Identifier: GPL-3.0-or-later
#include "fitness/moves/move_match.h"

#include "base/mem.h"
#include "base/wilson.h"
#include "fitness/moves/forest_plain.h"

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
    count_one(&match->phases[phase_of_material(phase_material(&item->pos))], is_hit);
    count_one(&match->classes[move_class(&item->pos, item->played)], is_hit);
}

typedef struct Ranking {
    const PlayedSet *set;
    const Family *family;
    const ForestRules *rules;
    int coefficients[COEFFICIENTS_MAX];
    ForestRank *ranks;
} Ranking;

static Status rank_one(void *context, size_t index, int worker) {
    (void)worker;
    const Ranking *ranking = context;
    ranking->ranks[index] = forest_plain_rank(&ranking->set->items[index], ranking->family,
                                              ranking->coefficients, ranking->rules);
    return OK;
}

// For one organism the plain search is the cheaper one, and it needs no memory.
Status move_match_weights(const PlayedSet *set, const Weights *weights, const ForestRules *rules,
                          DistPool *pool, MoveMatch *out) {
    Ranking ranking = {.set = set, .family = weights->family, .rules = rules};
    uint64_t places = 0;
    *out = (MoveMatch){0};
    family_expand(weights->family, weights->parameters, ranking.coefficients);
    CLEANUP(mem_free_at)
    ForestRank *ranks = ranking.ranks = mem_alloc((set->count + 1) * sizeof *ranks);
    TRY(dist_pool_run(pool, set->count, rank_one, &ranking));
    for (size_t i = 0; i < set->count; i++) {
        count_item(out, &set->items[i], ranking.ranks[i].place == 1);
        out->ties += ranking.ranks[i].is_tied;
        places += ranking.ranks[i].place;
    }
    out->mean_rank = (double)places / (double)set->count;
    return OK;
}

void move_match_predictions(const PlayedSet *set, MoveMatch *out) {
    *out = (MoveMatch){.mean_rank = NAN};
    for (size_t i = 0; i < set->count; i++)
        if (set->items[i].predicted != MOVE_NONE)
            count_item(out, &set->items[i], set->items[i].predicted == set->items[i].played);
}

double move_match_rate(const MatchCount *count) {
    return count->positions == 0 ? (double)NAN
                                 : 100 * (double)count->hits / (double)count->positions;
}

double move_match_half_width(const MatchCount *count) {
    if (count->positions == 0)
        return NAN;
    const ShareInterval interval = wilson_interval(count->hits, count->positions);
    return 100 * fmax(interval.high - interval.share, interval.share - interval.low);
}
