// SPDX-License-Identifier: GPL-3.0-or-later
#include "serve/thinker.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void thinkers_open(Thinkers *thinkers) {
    sem_init(&thinkers->free, 0, THINKER_COUNT);
    atomic_init(&thinkers->is_ended, false);
}

void thinkers_close(Thinkers *thinkers) {
    sem_destroy(&thinkers->free);
}

static bool is_cancelled(void *context) {
    return atomic_load(&((Thinkers *)context)->is_ended);
}

static void hear_line(void *context, const SearchLine *line) {
    Thought *thought = context;
    if (line->rank != 1 || line->move_count == 0)
        return;
    thought->line_length =
        line->move_count < THOUGHT_LINE_MAX ? line->move_count : THOUGHT_LINE_MAX;
    memcpy(thought->line, line->moves, thought->line_length * sizeof *line->moves);
}

static void set_score(int score, Thought *out) {
    const int plies = SCORE_MATE - abs(score);
    out->has_score = true;
    out->is_mate = score_is_mate(score);
    out->score = !out->is_mate ? score : score > 0 ? (plies + 1) / 2 : -(plies + 1) / 2;
}

static Status think(Thinkers *thinkers, const Weights *weights, const PlayGame *game,
                    const Limits *limits, int noise_cp, Thought *out) {
    CLEANUP(tt_destroy_at) TT *tt = NULL;
    TRY(tt_create(&tt, THINKER_HASH_MB));
    CLEANUP(search_destroy_at) Search *search = search_create(weights, tt);
    const SearchListener listener = {out, hear_line};
    search_set_noise(search, noise_cp);
    search_set_cancel(search, is_cancelled, thinkers);
    search_prepare(search, false);
    const SearchResult result =
        search_run(search, &game->pgn.final, game->keys, game->key_count, limits, &listener);
    out->move = result.best;
    out->depth = result.depth;
    out->nodes = result.nodes;
    set_score(result.score, out);
    return OK;
}

Status thinkers_enter(Thinkers *thinkers) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += THINKER_WAIT_S;
    while (sem_timedwait(&thinkers->free, &until) != 0)
        if (errno != EINTR)
            return error_set(ERR_LIMIT, "the engine is busy with other pages: try again");
    return OK;
}

void thinkers_leave(Thinkers *thinkers) {
    sem_post(&thinkers->free);
}

Status thinkers_think(Thinkers *thinkers, const Weights *weights, const PlayGame *game,
                      const Limits *limits, int noise_cp, Thought *out) {
    *out = (Thought){0};
    if (game->end == GAME_CHECKMATE || game->end == GAME_STALEMATE)
        return error_set(ERR_ARG, "the game is over");
    TRY(thinkers_enter(thinkers));
    const Status status = think(thinkers, weights, game, limits, noise_cp, out);
    thinkers_leave(thinkers);
    return status;
}
