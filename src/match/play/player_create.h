// SPDX-License-Identifier: GPL-3.0-or-later
// The player that a description tells of, whatever its kind.
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
