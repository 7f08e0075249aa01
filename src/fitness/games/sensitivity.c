// SPDX-License-Identifier: GPL-3.0-or-later
#include "fitness/games/sensitivity.h"

#include "base/mem.h"
#include "base/rng.h"
#include "chess/movegen.h"

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

// Positions, and what the organism says of them.
typedef struct Seen {
    Position *positions;
    int *scores;
    size_t count;
} Seen;

static double see_term(const Weights *organism, size_t term, const Seen *seen) {
    const Family *family = organism->family;
    int changed[COEFFICIENTS_MAX];
    const int by = change_term(organism, term, changed);
    double squares = 0;
    for (size_t i = 0; i < seen->count && by > 0; i++) {
        const int moved = family->score(&seen->positions[i], changed, NULL) - seen->scores[i];
        squares += pow((double)moved / family->scale / by, 2);
    }
    return seen->count == 0 ? 0 : sqrt(squares / (double)seen->count);
}

// Every other position of a game is one after a random move: a search scores many such, in which
// more hangs and is threatened than in games.
static void take_positions(const GameTask *task, const GameMoves *game, uint32_t number,
                           Seen *seen) {
    Rng rng = rng_at(0, number, 0, 0);
    Position pos = task->start;
    Move moves[MOVES_MAX];
    for (size_t i = 0; i < game->count; i++) {
        Undo undo;
        Position *out = &seen->positions[seen->count++];
        *out = pos;
        const size_t count = movegen(&pos, MOVES_ALL, moves);
        position_make(out, i % 2 == 0 ? game->moves[i] : moves[rng_below(&rng, (uint32_t)count)],
                      &undo);
        position_make(&pos, game->moves[i], &undo);
    }
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

// The root mean square of each term over positions of the games.
static void measure(const Weights *organism, const GameTask *tasks, const GameMoves *games,
                    size_t game_count, double *out) {
    const Family *family = organism->family;
    int coefficients[COEFFICIENTS_MAX];
    size_t plies = 0;
    for (size_t i = 0; i < game_count; i++)
        plies += games[i].count;
    CLEANUP(mem_free_at) Position *positions = mem_alloc((plies + 1) * sizeof *positions);
    CLEANUP(mem_free_at) int *scores = mem_alloc((plies + 1) * sizeof *scores);
    Seen seen = {positions, scores, 0};
    for (size_t i = 0; i < game_count; i++)
        take_positions(&tasks[i], &games[i], (uint32_t)i, &seen);
    family_expand(family, organism->parameters, coefficients);
    for (size_t i = 0; i < seen.count; i++)
        scores[i] = family->score(&positions[i], coefficients, NULL);
    for (size_t i = 0; i < family->term_count; i++)
        out[i] = see_term(organism, i, &seen);
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
