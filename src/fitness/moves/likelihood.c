// SPDX-License-Identifier: GPL-3.0-or-later
#include "fitness/moves/likelihood.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

// From 15 to 225 centipawns and more.
static const double LOWEST = 15, STEP = 1.28;

double likelihood_temperature(unsigned step) {
    return LOWEST * pow(STEP, step);
}

double likelihood_of_move(const int *scores, size_t count, size_t chosen, double temperature) {
    int best = scores[0];
    double sum = 0;
    for (size_t i = 1; i < count; i++)
        best = scores[i] > best ? scores[i] : best;
    for (size_t i = 0; i < count; i++)
        sum += exp(((double)scores[i] - best) / temperature);
    const double share = exp(((double)scores[chosen] - best) / temperature) / sum;
    return log((1 - LIKELIHOOD_BLINDNESS) * share + LIKELIHOOD_BLINDNESS / (double)count);
}

// What one thread works with.
typedef struct Reader {
    MoveScoreSearch *search;
    MoveScores scores;
    PlayerMove *moves;
    size_t move_capacity;
} Reader;

typedef struct Work {
    const LikelihoodConfig *config;
    const PlayerGame *const *games;
    Reader *readers;
    Evidence *out;
} Work;

static bool is_chosen(const Move *moves, const int *scores, size_t count, size_t played) {
    for (size_t i = 0; i < count; i++) {
        const bool is_first = forest_move_order(moves[i]) < forest_move_order(moves[played]);
        if (scores[i] > scores[played] || (scores[i] == scores[played] && is_first))
            return false;
    }
    return true;
}

static void count_kind(const Position *pos, Move move, Evidence *out) {
    const bool is_quiet = move_is_quiet(pos, move);
    const PieceType type = piece_type(position_at(pos, move_from(move)));
    out->counts[is_quiet ? COUNT_PAWN + (type - PAWN) : COUNT_CAPTURE]++;
    out->counts[COUNT_CHECK] += position_gives_check(pos, move);
}

// Adds a position to the evidence.
static void add_move(const LikelihoodConfig *config, Reader *reader, const PlayerMove *move,
                     Evidence *out) {
    MoveScores *found = &reader->scores;
    int scores[MOVES_MAX];
    size_t played = 0;
    move_scores_find(reader->search, &move->pos, found);
    while (found->moves[played] != move->played)
        played++;
    for (size_t organism = 0; organism < config->organisms; organism++) {
        for (size_t i = 0; i < found->count; i++)
            scores[i] = found->scores[i][organism];
        out->hits[organism] += is_chosen(found->moves, scores, found->count, played);
        for (unsigned step = 0; step < LIKELIHOOD_STEPS; step++)
            out->log_likelihood[step][organism] += likelihood_of_move(
                scores, found->count, played, likelihood_temperature(step) * config->family->scale);
    }
    count_kind(&move->pos, move->played, out);
    out->moves++;
}

void evidence_add(Evidence *sum, const Evidence *added) {
    sum->moves += added->moves;
    for (size_t i = 0; i < COUNT_NB; i++)
        sum->counts[i] += added->counts[i];
    for (size_t i = 0; i < MOVE_SCORES_LANES; i++) {
        sum->hits[i] += added->hits[i];
        for (unsigned step = 0; step < LIKELIHOOD_STEPS; step++)
            sum->log_likelihood[step][i] += added->log_likelihood[step][i];
    }
}

static Status read_game(void *context, size_t index, int worker) {
    const Work *work = context;
    Reader *reader = &work->readers[worker];
    const PlayerGame *game = work->games[index];
    reader->moves = mem_grow(reader->moves, &reader->move_capacity, game->move_count + 1,
                             sizeof *reader->moves);
    const size_t count = player_game_moves(game, work->config->skip_plies, reader->moves);
    work->out[index] = (Evidence){0};
    for (size_t i = 0; i < count; i++)
        add_move(work->config, reader, &reader->moves[i], &work->out[index]);
    return OK;
}

Status likelihood_of_games(const LikelihoodConfig *config, const PlayerGame *const *games,
                           size_t count, DistPool *pool, Evidence *out) {
    const size_t threads = (size_t)dist_pool_threads(pool);
    Work work = {config, games, mem_alloc_zero(threads, sizeof *work.readers), out};
    for (size_t i = 0; i < threads; i++)
        work.readers[i].search = move_scores_create(config->family, &config->rules,
                                                    config->coefficients, config->organisms);
    const Status status = dist_pool_run(pool, count, read_game, &work);
    for (size_t i = 0; i < threads; i++) {
        move_scores_destroy(work.readers[i].search);
        free(work.readers[i].moves);
    }
    free(work.readers);
    return status;
}
