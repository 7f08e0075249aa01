// SPDX-License-Identifier: GPL-3.0-or-later
#include "fitness/moves/forest_plain.h"

#include "base/mem.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { INFINITE = INT_MAX - 1, MATED = -FOREST_MATE_WORTH };

typedef struct Plain {
    Position pos;
    const Family *family;
    const int *coefficients;
    const ForestRules *rules;
    PawnCache *cache;
} Plain;

static int static_score(const Plain *plain) {
    const int score = plain->family->score(&plain->pos, plain->coefficients, plain->cache);
    return position_turn(&plain->pos) == WHITE ? score : -score;
}

static int end_line(ForestLine *line, ForestEnd end, int value) {
    if (line != NULL) {
        line->count = 0;
        line->end = end;
    }
    return value;
}

static void lengthen_line(ForestLine *line, Move move, const ForestLine *below) {
    line->moves[0] = move;
    memcpy(line->moves + 1, below->moves, below->count * sizeof *below->moves);
    line->count = below->count + 1;
    line->end = below->end;
}

// As the side to move sees it; with the line to the leaf it comes from, where one is asked for.
static int quiesce(Plain *plain, unsigned ply, bool must_evade, int alpha, int beta,
                   ForestLine *line) {
    ForestChoices choices;
    ForestLine below;
    forest_choices(&plain->pos, plain->rules, ply, must_evade, &choices);
    if (choices.is_mate)
        return end_line(line, END_MATE, MATED);
    if (choices.is_stalemate)
        return end_line(line, END_STALEMATE, 0);
    int best = choices.may_stand ? end_line(line, END_STATIC, static_score(plain)) : -INFINITE;
    for (size_t i = 0; i < choices.count && best < beta; i++) {
        const bool is_check = choices.may_stand && move_is_quiet(&plain->pos, choices.moves[i]);
        Undo undo;
        alpha = best > alpha ? best : alpha;
        position_make(&plain->pos, choices.moves[i], &undo);
        const int value =
            -quiesce(plain, ply + 1, is_check, -beta, -alpha, line == NULL ? NULL : &below);
        position_unmake(&plain->pos, choices.moves[i], &undo);
        if (value > best && line != NULL)
            lengthen_line(line, choices.moves[i], &below);
        best = value > best ? value : best;
    }
    return best;
}

static int worth_of(Plain *plain, Move move, int alpha, int beta, ForestLine *line) {
    Undo undo;
    position_make(&plain->pos, move, &undo);
    const int value = -quiesce(plain, 0, false, -beta, -alpha, line);
    position_unmake(&plain->pos, move, &undo);
    return value;
}

void forest_plain_scores(const Position *pos, const Family *family, const int *coefficients,
                         const ForestRules *rules, PawnCache *cache, ForestScores *out) {
    Plain plain = {*pos, family, coefficients, rules, cache};
    out->count = movegen(pos, MOVES_ALL, out->moves);
    for (size_t i = 0; i < out->count; i++)
        out->scores[i] = worth_of(&plain, out->moves[i], -INFINITE, INFINITE, &out->lines[i]);
}

Move forest_plain_choice(const Position *pos, const Family *family, const int *coefficients,
                         const ForestRules *rules, int *value) {
    Plain plain = {*pos, family, coefficients, rules, NULL};
    Move moves[MOVES_MAX], chosen = MOVE_NONE;
    const size_t count = movegen(pos, MOVES_ALL, moves);
    int best = -INFINITE;
    for (size_t i = 0; i < count; i++) {
        // One below the best, so that equal moves are seen to be equal.
        const int worth = worth_of(&plain, moves[i], best - 1, INFINITE, NULL);
        const bool is_first =
            worth == best && forest_move_order(moves[i]) < forest_move_order(chosen);
        if (worth > best || is_first)
            chosen = moves[i];
        best = worth > best ? worth : best;
    }
    if (value != NULL)
        *value = best;
    return chosen;
}

bool forest_plain_hit(const PlayedItem *item, const Family *family, const int *coefficients,
                      const ForestRules *rules, ForestTies ties) {
    Plain plain = {item->pos, family, coefficients, rules, NULL};
    Move moves[MOVES_MAX];
    if (ties == TIES_BY_ORDER)
        return forest_plain_choice(&item->pos, family, coefficients, rules, NULL) == item->played;
    const size_t count = movegen(&item->pos, MOVES_ALL, moves);
    const int played = worth_of(&plain, item->played, -INFINITE, INFINITE, NULL);
    for (size_t i = 0; i < count; i++) {
        const int worth = worth_of(&plain, moves[i], -INFINITE, INFINITE, NULL);
        if (worth > played || (worth == played && ties == TIES_LOST && moves[i] != item->played))
            return false;
    }
    return true;
}

bool forest_plain_chooses(const PlayedItem *item, const Family *family, const int *coefficients,
                          const ForestRules *rules, PawnCache *cache) {
    Plain plain = {item->pos, family, coefficients, rules, cache};
    Move moves[MOVES_MAX];
    const size_t count = movegen(&item->pos, MOVES_ALL, moves);
    const unsigned order = forest_move_order(item->played);
    const int played = worth_of(&plain, item->played, -INFINITE, INFINITE, NULL);
    for (size_t i = 0; i < count; i++) {
        if (moves[i] == item->played)
            continue;
        // The least that would be chosen instead.
        const int enough = forest_move_order(moves[i]) < order ? played : played + 1;
        if (worth_of(&plain, moves[i], enough - 1, enough, NULL) >= enough)
            return false;
    }
    return true;
}

ForestRank forest_plain_rank(const PlayedItem *item, const Family *family, const int *coefficients,
                             const ForestRules *rules) {
    Plain plain = {item->pos, family, coefficients, rules, NULL};
    Move moves[MOVES_MAX];
    const size_t count = movegen(&item->pos, MOVES_ALL, moves);
    const int played = worth_of(&plain, item->played, -INFINITE, INFINITE, NULL);
    unsigned better = 0, equal_first = 0, equal = 0;
    for (size_t i = 0; i < count; i++) {
        const bool is_first = forest_move_order(moves[i]) < forest_move_order(item->played);
        const int worth = worth_of(&plain, moves[i], played - 1, played + 1, NULL);
        better += worth > played;
        equal += worth == played && moves[i] != item->played;
        equal_first += worth == played && is_first;
    }
    return (ForestRank){1 + better + equal_first, better == 0 && equal > 0};
}

int forest_plain_value(const Position *pos, const Family *family, const int *coefficients,
                       const ForestRules *rules) {
    Plain plain = {*pos, family, coefficients, rules, NULL};
    const int value = quiesce(&plain, 0, false, -INFINITE, INFINITE, NULL);
    return value == MATED ? -FOREST_MATE_VALUE : value == -MATED ? FOREST_MATE_VALUE : value;
}

int forest_plain_worth(const Position *pos, const Family *family, const int *coefficients,
                       const ForestRules *rules, PawnCache *cache, unsigned ply, bool must_evade) {
    Plain plain = {*pos, family, coefficients, rules, cache};
    return quiesce(&plain, ply, must_evade, -INFINITE, INFINITE, NULL);
}

typedef struct PlainHits {
    const PlayedSet *set;
    const Family *family;
    const ForestRules *rules;
    int coefficients[COEFFICIENTS_MAX];
    bool *marks;
} PlainHits;

static Status mark_one(void *context, size_t index, int worker) {
    (void)worker;
    const PlainHits *work = context;
    work->marks[index] = forest_plain_hit(&work->set->items[index], work->family,
                                          work->coefficients, work->rules, TIES_BY_ORDER);
    return OK;
}

Status forest_plain_hits(const PlayedSet *set, const Family *family, const ForestRules *rules,
                         const int32_t *coefficients, size_t organisms, DistPool *pool,
                         int64_t *hits) {
    PlainHits work = {.set = set, .family = family, .rules = rules};
    CLEANUP(mem_free_at) bool *marks = work.marks = mem_alloc((set->count + 1) * sizeof *marks);
    for (size_t i = 0; i < organisms; i++) {
        for (size_t j = 0; j < family->coefficient_count; j++)
            work.coefficients[j] = coefficients[i * family->coefficient_count + j];
        TRY(dist_pool_run(pool, set->count, mark_one, &work));
        hits[i] = 0;
        for (size_t j = 0; j < set->count; j++)
            hits[i] += marks[j];
    }
    return OK;
}
