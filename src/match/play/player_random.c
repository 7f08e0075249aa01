// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/cancel.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/rng.h"
#include "chess/movegen.h"
#include "match/play/player_create.h"

#include <stdlib.h>

typedef struct RandomMover {
    uint64_t seed, course; // course: a hash of the start and the moves so far
    uint32_t plies;
    int cancel_fd;
} RandomMover;

static Fault new_game(void *self, const Position *start) {
    RandomMover *mover = self;
    if (cancel_is_requested(mover->cancel_fd)) {
        error_set(ERR_ARG, "cancelled");
        return FAULT_CANCELLED;
    }
    mover->course = hash_bytes(HASH_START, &start->key, sizeof start->key);
    mover->plies = 0;
    return FAULT_NONE;
}

static void push_move(void *self, Move move) {
    RandomMover *mover = self;
    mover->course = hash_bytes(mover->course, &move, sizeof move);
    mover->plies++;
}

static Fault think(void *self, const Position *pos, const Limits *limits,
                   const PlayerListener *listener, PlayerAnswer *out) {
    (void)limits;
    (void)listener;
    const RandomMover *mover = self;
    Move moves[MOVES_MAX];
    const uint32_t count = (uint32_t)movegen(pos, MOVES_ALL, moves);
    Rng rng =
        rng_at(mover->seed, (uint32_t)mover->course, (uint32_t)(mover->course >> 32), mover->plies);
    *out = (PlayerAnswer){.move = moves[rng_below(&rng, count)]};
    move_to_uci(pos, out->move, out->text);
    return FAULT_NONE;
}

static void close_player(void *self) {
    free(self);
}

Player player_random_create(uint64_t seed, int cancel_fd, const char *name) {
    static const PlayerOps ops = {new_game, push_move, think, NULL, close_player};
    RandomMover *mover = mem_alloc_zero(1, sizeof *mover);
    *mover = (RandomMover){.seed = seed, .cancel_fd = cancel_fd};
    return (Player){&ops, mover, name};
}
