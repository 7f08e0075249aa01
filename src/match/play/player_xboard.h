// SPDX-License-Identifier: GPL-3.0-or-later
// A player that is an XBoard engine in another process.
#pragma once

#include "engines/spec.h"
#include "match/play/player.h"

// Nothing is started before the first game. `spec` is borrowed; close with ops->close(self), in the
// thread that played. ERR_ARG for limits that the protocol does not have.
MUST_CHECK Status player_xboard_create(Player *out, const EngineSpec *spec, int cancel_fd);
