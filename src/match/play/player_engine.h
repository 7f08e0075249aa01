// SPDX-License-Identifier: GPL-3.0-or-later
// What players that are engines in other processes have in common.
#pragma once

#include "base/error.h"
#include "engines/engine_link.h"
#include "match/play/player.h"

// A listener and the position it hears of.
typedef struct PlayerHearing {
    const PlayerListener *listener;
    const Position *pos;
} PlayerHearing;

// The fault of a player whose engine could not be started.
Fault player_fault_of_start(Status status, int cancel_fd);
// The fault of an answer that came: too late, no legal move, or none.
Fault player_judge_answer(const char *name, const Position *pos, bool is_late,
                          const PlayerAnswer *answer);
