// SPDX-License-Identifier: GPL-3.0-or-later
// Alpha-beta with one window for each organism: a node is left when all of them are done with it.
// Whoever goes on longer than its window asks for only finds values that are no use to it.
#include "fitness/moves/move_scores.h"

#include "base/mem.h"

#include <limits.h>
#include <stdlib.h>

enum { INFINITE = INT_MAX - 1, MATED = -FOREST_MATE_WORTH };

// One number per organism.
typedef struct Lanes {
    int at[MOVE_SCORES_LANES];
} Lanes;

struct MoveScoreSearch {
    const Family *family;
    ForestRules rules;
    Position pos;
    Lanes coefficients[COEFFICIENTS_MAX]; // those of all organisms side by side
};

MoveScoreSearch *move_scores_create(const Family *family, const ForestRules *rules,
                                    const int *const *coefficients, size_t organisms) {
    MoveScoreSearch *search = mem_alloc(sizeof *search);
    search->family = family;
    search->rules = *rules;
    for (size_t i = 0; i < family->coefficient_count; i++)
        for (size_t lane = 0; lane < MOVE_SCORES_LANES; lane++) // idle lanes follow the first
            search->coefficients[i].at[lane] = coefficients[lane < organisms ? lane : 0][i];
    return search;
}

void move_scores_destroy(MoveScoreSearch *search) {
    free(search);
}

static Lanes lanes_all(int value) {
    Lanes lanes;
    for (size_t i = 0; i < MOVE_SCORES_LANES; i++)
        lanes.at[i] = value;
    return lanes;
}

static void add_times(Lanes *sum, const Lanes *coefficients, int count) {
    for (size_t i = 0; i < MOVE_SCORES_LANES; i++)
        sum->at[i] += count * coefficients->at[i];
}

// As the side to move sees it.
static Lanes static_scores(const MoveScoreSearch *search) {
    const Family *family = search->family;
    Trace trace;
    Lanes middlegame = lanes_all(0), endgame = lanes_all(0);
    Taper taper = {1, 0};
    family_trace(family, &search->pos, &trace);
    if (family->taper == NULL) {
        for (size_t i = 0; i < family->feature_count; i++)
            if (trace.counts[i] != 0)
                add_times(&middlegame, &search->coefficients[i], trace.counts[i]);
    } else {
        taper = family->taper(&search->pos);
        for (size_t i = 0; i < family->feature_count; i++)
            if (trace.counts[i] != 0) {
                add_times(&middlegame, &search->coefficients[2 * i], trace.counts[i]);
                add_times(&endgame, &search->coefficients[2 * i + 1], trace.counts[i]);
            }
    }
    const int sign = position_turn(&search->pos) == WHITE ? 1 : -1;
    for (size_t i = 0; i < MOVE_SCORES_LANES; i++)
        middlegame.at[i] =
            sign * (middlegame.at[i] * taper.middlegame + endgame.at[i] * taper.endgame);
    return middlegame;
}

static bool is_done(const Lanes *best, const Lanes *beta) {
    bool is_below = false;
    for (size_t i = 0; i < MOVE_SCORES_LANES; i++)
        is_below |= best->at[i] < beta->at[i];
    return !is_below;
}

static Lanes quiesce(MoveScoreSearch *search, unsigned ply, bool must_evade, const Lanes *alpha,
                     const Lanes *beta) {
    ForestChoices choices;
    forest_choices(&search->pos, &search->rules, ply, must_evade, &choices);
    if (choices.is_mate)
        return lanes_all(MATED);
    if (choices.is_stalemate)
        return lanes_all(0);
    Lanes best = choices.may_stand ? static_scores(search) : lanes_all(-INFINITE);
    for (size_t i = 0; i < choices.count && !is_done(&best, beta); i++) {
        const Move move = choices.moves[i];
        const bool is_check = choices.may_stand && move_is_quiet(&search->pos, move);
        Lanes low, high;
        for (size_t lane = 0; lane < MOVE_SCORES_LANES; lane++) {
            const int reached = best.at[lane] > alpha->at[lane] ? best.at[lane] : alpha->at[lane];
            low.at[lane] = -beta->at[lane];
            high.at[lane] = -reached;
        }
        Undo undo;
        position_make(&search->pos, move, &undo);
        const Lanes value = quiesce(search, ply + 1, is_check, &low, &high);
        position_unmake(&search->pos, move, &undo);
        for (size_t lane = 0; lane < MOVE_SCORES_LANES; lane++)
            best.at[lane] = -value.at[lane] > best.at[lane] ? -value.at[lane] : best.at[lane];
    }
    return best;
}

void move_scores_find(MoveScoreSearch *search, const Position *pos, MoveScores *out) {
    const Lanes low = lanes_all(-INFINITE), high = lanes_all(INFINITE);
    search->pos = *pos;
    out->count = movegen(pos, MOVES_ALL, out->moves);
    for (size_t i = 0; i < out->count; i++) {
        Undo undo;
        position_make(&search->pos, out->moves[i], &undo);
        const Lanes value = quiesce(search, 0, false, &low, &high);
        position_unmake(&search->pos, out->moves[i], &undo);
        for (size_t lane = 0; lane < MOVE_SCORES_LANES; lane++)
            out->scores[i][lane] = -value.at[lane];
    }
}
