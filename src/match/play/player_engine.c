// SPDX-License-Identifier: GPL-3.0-or-later
#include "match/play/player_engine.h"

#include "chess/fen.h"

#include <poll.h>

static bool is_cancelled(int cancel_fd) {
    struct pollfd fd = {.fd = cancel_fd, .events = POLLIN};
    return cancel_fd >= 0 && poll(&fd, 1, 0) > 0;
}

Fault player_fault_of_start(Status status, int cancel_fd) {
    if (is_cancelled(cancel_fd))
        return FAULT_CANCELLED;
    return status == ERR_ENGINE ? FAULT_CRASHED : FAULT_REFUSED;
}

Fault player_judge_answer(const char *name, const Position *pos, bool is_late,
                          const PlayerAnswer *answer) {
    if (is_late) {
        error_set(ERR_ENGINE, "%s: took too long", name);
        return FAULT_LATE;
    }
    if (answer->move != MOVE_NONE)
        return FAULT_NONE;
    char fen[FEN_SIZE];
    fen_write(pos, fen);
    error_set(ERR_ENGINE, "%s: illegal move %s in %s", name, answer->text, fen);
    return FAULT_ILLEGAL;
}
