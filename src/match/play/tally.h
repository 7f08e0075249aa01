// SPDX-License-Identifier: GPL-3.0-or-later
// What has come of the games so far: results of each two players, and what each did wrong. Grows
// with the players, never with the games.
#pragma once

#include "match/play/game.h"
#include "match/rating/elo.h"
#include "match/schedule/schedule.h"

// Games of two players, from the first one's view.
typedef struct MeetingScore {
    GameCounts games;
    PairCounts pairs;
    uint64_t split_pairs; // of the even ones, those with a win and a loss; the others are two draws
    int last_points;      // half points of the first in the last game: half of a pair, perhaps
} MeetingScore;

// Counts a game by the first one's half points; `is_second`: it ends a pair.
void meeting_score_add(MeetingScore *meeting, int points, bool is_second);

typedef struct Tally {
    int players;
    uint64_t played;
    MeetingScore *meetings; // owned; of each two
    FaultCounts *faults;    // owned; of each
} Tally;

void tally_init(Tally *tally, int players);
void tally_deinit(Tally *tally);
// As many results as games, and no more faults than games; for assertions.
bool tally_is_valid(const Tally *tally);
// Counts a game. Games come in the order of the schedule.
void tally_add(Tally *tally, const MatchGame *game, GameResult result, Fault fault);

// Half points that White gets.
int match_white_points(GameResult result);

// The games of two players from `a`'s view, and all games of one.
MeetingScore tally_meeting(const Tally *tally, int a, int b);
MeetingScore tally_player(const Tally *tally, int player);
