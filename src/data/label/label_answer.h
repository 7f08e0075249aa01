// SPDX-License-Identifier: GPL-3.0-or-later
// What a mentor said of one position: taken from the engine, kept as a line of text, written into
// an EPD record.
#pragma once

#include "chess/epd.h"
#include "engines/client.h"

enum { LABEL_LINES_MAX = CLIENT_LINES_MAX, LABEL_MATE_CE = 32767, LABEL_MATE_LEAST = 30000 };

typedef struct LabelLine {
    Move move; // legal
    int score; // of the side to move: centipawns, or moves to mate (below 0: it is mated)
    int depth;
    bool is_mate;
} LabelLine;

// The best line first.
typedef struct LabelAnswer {
    LabelLine lines[LABEL_LINES_MAX];
    size_t count;
} LabelAnswer;

// Takes what an engine answered, up to `lines` lines. ERR_ENGINE when its move is illegal or it
// told no score. The move of the best line is the first of the line that was scored; a further line
// whose move is illegal, or was there before, is left out.
MUST_CHECK Status label_answer_take(const Position *pos, const EngineAnswer *answer, int lines,
                                    LabelAnswer *out);

// As text, for the cache: "e2e4 cp 35 2; d2d4 mate -3 2".
void label_answer_write(const Position *pos, const LabelAnswer *answer, Str *out);
// ERR_PARSE for what is no such text, or has a move that is illegal in the position.
MUST_CHECK Status label_answer_read(const Position *pos, StrView text, LabelAnswer *out);

// The score as EPD's ce has it: mates are +-(32767 - plies), and at least 30000, however far an
// engine says that they are.
int label_line_ce(const LabelLine *line);

// Removes what an older label left in the record: ce acd pm dm c1, and c2 ... up to `lines`.
void label_answer_clear(Epd *epd, int lines);
// Writes ce acd pm, dm for a mate, the mentor in c1, and each further line in c2 ... as "MOVE CE".
MUST_CHECK Status label_answer_put(const LabelAnswer *answer, const char *mentor, Epd *epd);
