// SPDX-License-Identifier: GPL-3.0-or-later
#include "fitness/games/sensitivity.h"

#include "base/mem.h"
#include "chess/phase.h"

#include <math.h>
#include <stdlib.h>

// Many short games show more kinds of positions than a few good ones.
enum { GAMES_MAX = 128, NODES_MAX = 100, CHANGE = 16 };

// The numbers of a term a little up or down, whichever its bounds allow. Returns how far.
static int change_term(const Weights *organism, size_t term, int *coefficients) {
    const Family *family = organism->family;
    const Term *box = &family->terms[term];
    int parameters[TERMS_MAX];
    for (size_t i = 0; i < family->term_count; i++)
        parameters[i] = organism->parameters[i];
    int *value = &parameters[term];
    const int before = *value;
    *value = before + CHANGE <= box->high             ? before + CHANGE
             : before - CHANGE >= box->low            ? before - CHANGE
             : box->high - before > before - box->low ? box->high
                                                      : box->low;
    family_expand(family, parameters, coefficients);
    return abs(*value - before);
}

static double see_term(const Weights *organism, const int *coefficients, size_t term,
                       const Position *positions, size_t count) {
    const Family *family = organism->family;
    int changed[COEFFICIENTS_MAX];
    const int by = change_term(organism, term, changed);
    double squares = 0;
    for (size_t i = 0; i < count && by > 0; i++) {
        const int moved = family->score(&positions[i], changed, NULL) -
                          family->score(&positions[i], coefficients, NULL);
        squares += pow((double)moved / family->scale / by, 2);
    }
    return count == 0 ? 0 : sqrt(squares / (double)count);
}

static size_t take_positions(const GameTask *task, const GameMoves *game, Position *out) {
    Position pos = task->start;
    size_t count = 0;
    for (size_t i = 0; i < game->count; i++) {
        Undo undo;
        position_make(&pos, game->moves[i], &undo);
        if (position_is_quiet_for_both(&pos))
            out[count++] = pos;
    }
    return count;
}

static Status play_itself(const GamesConfig *config, const Weights *organism, const GameTask *tasks,
                          size_t count, DistPool *pool, GameMoves *moves) {
    GamesConfig quick = *config;
    quick.nodes = config->nodes == 0 || config->nodes > NODES_MAX ? NODES_MAX : config->nodes;
    Games *games = games_create(&quick, pool);
    GameScore scores[GAMES_MAX];
    const Status status = games_play(games, organism, tasks, count, scores, moves);
    games_destroy(games);
    return status;
}

// The root mean square of each term over all quiet positions of the games.
static void measure(const Weights *organism, const GameTask *tasks, const GameMoves *games,
                    size_t game_count, double *out) {
    int coefficients[COEFFICIENTS_MAX];
    size_t plies = 0, count = 0;
    for (size_t i = 0; i < game_count; i++)
        plies += games[i].count;
    CLEANUP(mem_free_at) Position *positions = mem_alloc((plies + 1) * sizeof *positions);
    for (size_t i = 0; i < game_count; i++)
        count += take_positions(&tasks[i], &games[i], positions + count);
    family_expand(organism->family, organism->parameters, coefficients);
    for (size_t i = 0; i < organism->family->term_count; i++)
        out[i] = see_term(organism, coefficients, i, positions, count);
}

Status sensitivity_measure(const GamesConfig *config, const Weights *organism,
                           const Position *openings, size_t count, DistPool *pool, double *out) {
    GameTask tasks[GAMES_MAX];
    GameMoves moves[GAMES_MAX] = {0};
    const size_t games = count < GAMES_MAX ? count : GAMES_MAX;
    for (size_t i = 0; i < games; i++)
        tasks[i] = (GameTask){0, 0, openings[i]};
    const Status status = play_itself(config, organism, tasks, games, pool, moves);
    if (status == OK)
        measure(organism, tasks, moves, games, out);
    game_moves_free(moves, games);
    return status;
}
