// SPDX-License-Identifier: GPL-3.0-or-later
// What GECCO 2008 and GPEM 2010 have in common: FALCON scores positions, MAESTRO's weights are
// evolved to give the same scores, and the same search plays with either. Both evolutions stand
// side by side: the paper's procedure to the letter, and that of `play`, on quiet positions.
#pragma once

#include "papers/page.h"

typedef struct MentorPaper {
    const char *preset;       // the paper's procedure
    const char *positions[2]; // to learn from, and to test with
    bool has_engines_solve;   // the suite: by the clock then, else by nodes, which repeats
} MentorPaper;

// Who plays. EVOL* is that of `play`.
typedef enum MentorPlayer {
    PLAYER_FALCON,
    PLAYER_EVOL,
    PLAYER_LITERAL,
    PLAYER_FIG3,
    PLAYER_MAESTRO,
    PLAYER_RANDORG,
    MENTOR_PLAYERS,
} MentorPlayer;
const char *mentor_name(MentorPlayer player);

enum { MENTOR_RUNS = 10 };

// --- plans ---

// Labels of both parts by FALCON at this depth (0: its static scores), as steps train-DEPTH and
// test-DEPTH. False, with nothing planned, where the engine that gives them is not there.
bool mentor_plan_labels(Plan *plan, const MentorPaper *paper, int depth);
// Both evolutions from the labels of depth 2, as "literal" and "play", and "randorg".
void mentor_plan_evolution(Plan *plan, const MentorPaper *paper);
// Appends "name=NAME weights=FILE".
void mentor_add_player(const Plan *plan, MentorPlayer player, Str *out);
// All pairs of the players at fixed nodes, as "pairs".
void mentor_plan_pairs(Plan *plan, const MentorPlayer *players, size_t count, double estimate);
// One player against the other engines, the same time for each move of both. Nothing without any.
void mentor_plan_others(Plan *plan, const char *step, MentorPlayer player);
// The tactical suite, as "tactics".
void mentor_plan_tactics(Plan *plan, const MentorPaper *paper, const MentorPlayer *players,
                         size_t count, double estimate);
// The nodes of a move in matches between organisms.
int mentor_nodes(const Plan *plan);
// The limit of the suite for organisms and for engines, in words.
const char *mentor_tactics_limit(const Plan *plan, const MentorPaper *paper);

// --- pages ---

// Why there are two evolutions, the curve (Fig. 2), the errors, the values (Fig. 3) and the claims
// on learning.
MUST_CHECK Status mentor_tell_learning(const Plan *plan, Page *page, const MentorPaper *paper);

// A match of the paper, in percent of the first one's points.
typedef struct PaperMatch {
    const char *first, *second;
    double percent;
    const char *table; // where it stands there
} PaperMatch;
// All pairs that were played, with the paper's where it has them.
MUST_CHECK Status mentor_tell_pairs(const Plan *plan, Page *page, const PaperMatch *theirs,
                                    size_t count);
// A claim on a match of two organisms: ours from "pairs".
MUST_CHECK Status mentor_claim_match(const Plan *plan, Page *page, const char *claim,
                                     const PaperMatch *theirs);
// One player's matches with the other engines.
typedef struct Gauntlet {
    const char *step;
    MentorPlayer player;
    double percent; // that the paper's player scored against CRAFTY
} Gauntlet;
// A row for each engine met, and for all of them together.
MUST_CHECK Status mentor_tell_others(const Plan *plan, Page *page, const Gauntlet *gauntlets,
                                     size_t count, const char *note);
// Appends where the paper's percentage lies beside our interval.
void mentor_judge(Str *out, const MeetingScore *ours, double percent);

// What a program of the paper solved of the 879 positions of ECM.
typedef struct PaperSolved {
    const char *program;
    int solved;
    const char *table;
} PaperSolved;
MUST_CHECK Status mentor_tell_tactics(const Plan *plan, Page *page, const MentorPaper *paper,
                                      const PaperSolved *theirs, size_t count);
