// SPDX-License-Identifier: GPL-3.0-or-later
#include "match/play/player_engine.h"

#include "chess/fen.h"

#include <poll.h>

PlayerFault player_fault_of(EngineFault fault) {
    switch (fault) {
    case ENGINE_STALLED:
        return PLAYER_STALLED;
    case ENGINE_NONSENSE:
        return PLAYER_NONSENSE;
    case ENGINE_CANCELLED:
        return PLAYER_CANCELLED;
    case ENGINE_FINE:
    case ENGINE_CRASHED:
        break;
    }
    return PLAYER_CRASHED;
}

static bool is_cancelled(int cancel_fd) {
    struct pollfd fd = {.fd = cancel_fd, .events = POLLIN};
    return cancel_fd >= 0 && poll(&fd, 1, 0) > 0;
}

PlayerFault player_fault_of_start(Status status, int cancel_fd) {
    if (is_cancelled(cancel_fd))
        return PLAYER_CANCELLED;
    return status == ERR_ENGINE ? PLAYER_CRASHED : PLAYER_REFUSED;
}

PlayerFault player_judge_answer(const char *name, const Position *pos, bool is_late,
                                const PlayerAnswer *answer) {
    if (is_late) {
        error_set(ERR_ENGINE, "%s: took too long", name);
        return PLAYER_LATE;
    }
    if (answer->move != MOVE_NONE)
        return PLAYER_FINE;
    char fen[FEN_SIZE];
    fen_write(pos, fen);
    error_set(ERR_ENGINE, "%s: illegal move %s in %s", name, answer->text, fen);
    return PLAYER_NONSENSE;
}
