// SPDX-License-Identifier: GPL-3.0-or-later
// Players: the one that a description tells of, and each kind that needs no weights.
#pragma once

#include "engines/spec.h"
#include "eval/weights.h"
#include "match/play/player.h"

// weights= gives an organism inside the process, whose options are Hash (in MB), Profile and the
// search's switches; weights=random a random mover, whose option is Seed; proto=xboard an XBoard
// engine; all else a UCI engine. Engines are not started before the first game, but weights and
// options of players inside the process are read and checked here. `spec` is borrowed while the
// player lives; close with ops->close(self).
MUST_CHECK Status player_create(Player *out, const EngineSpec *spec, int cancel_fd);
// The same where the weights of an organism have been read before; they are copied. NULL for all
// other players.
MUST_CHECK Status player_create_from(Player *out, const EngineSpec *spec, const Weights *weights,
                                     int cancel_fd);
// Whether it plays with weights of a file.
bool player_has_weights(const EngineSpec *spec);

// An engine in another process, whatever it speaks. Nothing is started before the first game.
// `spec` is borrowed; close with ops->close(self), in the thread that played.
Player player_engine_create(const EngineSpec *spec, int cancel_fd);
// Options to be set before the next game and all after it, besides those of the description: the
// same process plays as another candidate. Borrowed until others are given.
void player_engine_set_options(const Player *player, const EngineOption *options, size_t count);

// What weights= says in place of a file.
#define PLAYER_RANDOM "random"
// A player that draws its moves: the lowest rung of every ladder. What it plays depends on its seed
// and on the game so far, so that games are the same again whatever was played before them.
// `cancel_fd` ends the match when it becomes readable; -1: none. `name` is borrowed; close with
// ops->close(self).
Player player_random_create(uint64_t seed, int cancel_fd, const char *name);
