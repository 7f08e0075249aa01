// SPDX-License-Identifier: GPL-3.0-or-later
// What was thought of a position, by our search or by another engine, as pages are told of it.
#pragma once

#include "board/play_game.h"

enum { THOUGHT_LINE_MAX = 12 }; // moves of the line that is told

typedef struct Thought {
    Move move;
    bool has_resigned; // in place of a move
    int depth;         // 0: not told
    uint64_t nodes;    // likewise
    bool has_score, is_mate;
    int score; // of the side to move: centipawns, or moves to mate
    Move line[THOUGHT_LINE_MAX];
    size_t line_length;
} Thought;

// Appends it as an object; scores are from White's view. The position is the game's last.
void thought_write(const Thought *thought, const PlayGame *game, Str *out);
// Reads the line that an engine wrote, as far as its moves are legal: in UCI, or as people write.
void thought_read_line(Thought *thought, const PlayGame *game, StrView text);
