// SPDX-License-Identifier: GPL-3.0-or-later
// What a page needs of a match: the score of each two players, not the games.
#pragma once

#include "base/error.h"
#include "base/str.h"
#include "match/rating/elo.h"

// Games of two players, or of one against several, from the first one's view.
typedef struct PaperScore {
    GameCounts games;
    PairCounts pairs;
    double adjudicated; // games that ended so; NaN where it is not told
} PaperScore;

// Adds the games of one score to another.
void paper_score_add(PaperScore *sum, const PaperScore *score);

typedef struct PaperMeeting {
    char *first, *second; // owned; the first had White in their first game
    PaperScore score;
    int open_points; // half points of the first in a game that waits for the second of its pair; -1
} PaperMeeting;

typedef struct Meetings {
    PaperMeeting *items; // owned; in the order of the first games
    size_t count, capacity;
} Meetings;

// Adds up games.jsonl of a match.
MUST_CHECK Status meetings_read_games(Meetings *out, const char *path);
// The same as a file of its own, a line for each two, which is read where there are no games.
void meetings_write(const Meetings *meetings, Str *out);
MUST_CHECK Status meetings_read(Meetings *out, const char *path);
void meetings_free(Meetings *meetings);
// The games of `a` against `b`, or all of `a`'s where `b` is "", from a's view.
PaperScore meetings_between(const Meetings *meetings, const char *a, const char *b);
