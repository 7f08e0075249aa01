// SPDX-License-Identifier: GPL-3.0-or-later
// A player that is a UCI engine in another process.
#pragma once

#include "engines/spec.h"
#include "match/play/player.h"

// Nothing is started before the first game. `spec` is borrowed; close with ops->close(self), in the
// thread that played.
Player player_uci_create(const EngineSpec *spec, int cancel_fd);

// Options to be set before the next game and all after it, besides those of the description: the
// same process plays as another candidate. Borrowed until others are given.
void player_uci_set_options(const Player *player, const EngineOption *options, size_t count);
