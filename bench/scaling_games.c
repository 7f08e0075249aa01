// SPDX-License-Identifier: GPL-3.0-or-later
// How long games of co-evolution take: plays games between organisms near given weights, as
// gecco2009-coevolve does, one after the other.
//   scaling_games WEIGHTS OPENINGS GAMES
// prints the seconds of CPU time that each took, a line each.
#include "base/mem.h"
#include "base/rng.h"
#include "fitness/games/games.h"
#include "match/play/openings.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ORGANISMS = 10, NODES = 5000, MOVES = 300 };

static double cpu_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

// Weights that differ by some percent, as those of a population do.
static void make_organisms(const Weights *start, Weights *organisms) {
    for (uint32_t i = 0; i < ORGANISMS; i++) {
        Rng rng = rng_at(1, i, 0, 0);
        weights_copy(&organisms[i], start);
        for (size_t j = 0; j < start->family->term_count; j++) {
            const Term *term = &start->family->terms[j];
            const int value = start->parameters[j] * (90 + (int)rng_below(&rng, 21)) / 100;
            organisms[i].parameters[j] = value < term->low    ? term->low
                                         : value > term->high ? term->high
                                                              : value;
        }
    }
}

static Status play_games(const Weights *organisms, const Openings *openings, size_t count) {
    const GamesConfig config = {.profile = PROFILE_PAPERS, .nodes = NODES, .max_moves = MOVES};
    DistPool *pool = dist_pool_new(1);
    Games *games = games_create(&config, pool);
    Status status = OK;
    for (size_t i = 0; i < count && status == OK; i++) {
        GameScore score;
        Opening opening;
        openings_at(openings, i / 2, &opening);
        const size_t white = i % ORGANISMS, black = (i / ORGANISMS + i + 1) % ORGANISMS;
        const GameTask task = {white, black == white ? (white + 1) % ORGANISMS : black,
                               opening.start};
        const double start = cpu_seconds();
        status = games_play(games, organisms, &task, 1, &score, NULL);
        printf("%.6f\n", cpu_seconds() - start);
    }
    games_destroy(games);
    dist_pool_free(pool);
    return status;
}

int main(int argc, char **argv) {
    Weights start, organisms[ORGANISMS] = {0};
    Openings *openings = NULL;
    chess_init();
    if (argc != 4) {
        fprintf(stderr, "scaling_games WEIGHTS OPENINGS GAMES\n");
        return 2;
    }
    const OpeningsConfig file = {.path = argv[2], .is_random = true, .seed = 1};
    Status status = weights_load(&start, argv[1]);
    if (status == OK)
        status = openings_load(&openings, &file);
    if (status == OK) {
        make_organisms(&start, organisms);
        status = play_games(organisms, openings, (size_t)atoi(argv[3]));
        for (int i = 0; i < ORGANISMS; i++)
            weights_free(&organisms[i]);
        weights_free(&start);
    }
    if (status != OK)
        fprintf(stderr, "scaling_games: %s\n", error_message());
    openings_free(openings);
    return status != OK;
}
