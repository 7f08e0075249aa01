// SPDX-License-Identifier: GPL-3.0-or-later
#include "match/play/tally.h"

#include "base/mem.h"

#include <assert.h>
#include <stdlib.h>

void tally_init(Tally *tally, int players) {
    size_t n = (size_t)players;
    *tally = (Tally){.players = players,
                     .meetings = mem_alloc_zero(n * n, sizeof *tally->meetings),
                     .faults = mem_alloc_zero(n, sizeof *tally->faults)};
}

void tally_deinit(Tally *tally) {
    free(tally->meetings);
    free(tally->faults);
    *tally = (Tally){0};
}

bool tally_is_valid(const Tally *tally) {
    uint64_t games = 0, faults = 0;
    for (int a = 0; a < tally->players; a++) {
        faults += fault_total(&tally->faults[a]);
        for (int b = a + 1; b < tally->players; b++) {
            const GameCounts *counts = &tally->meetings[a * tally->players + b].games;
            games += counts->wins + counts->draws + counts->losses;
        }
    }
    return games == tally->played && faults <= games;
}

int match_white_points(GameResult result) {
    return result == RESULT_WHITE_WINS ? 2 : result == RESULT_DRAW ? 1 : 0;
}

// Only the half of the matrix with a < b is filled.
static MeetingScore *meeting_at(const Tally *tally, int a, int b) {
    assert(a < b);
    return &tally->meetings[a * tally->players + b];
}

void meeting_score_add(MeetingScore *meeting, int points, bool is_second) {
    meeting->games.wins += points == 2;
    meeting->games.draws += points == 1;
    meeting->games.losses += points == 0;
    if (is_second) {
        meeting->pairs.results[meeting->last_points + points]++;
        meeting->split_pairs += meeting->last_points + points == 2 && points != 1;
    }
    meeting->last_points = points;
}

void tally_add(Tally *tally, const MatchGame *game, GameResult result, Fault fault) {
    bool is_white_first = game->white < game->black;
    MeetingScore *meeting = is_white_first ? meeting_at(tally, game->white, game->black)
                                           : meeting_at(tally, game->black, game->white);
    int white = match_white_points(result), points = is_white_first ? white : 2 - white;
    meeting_score_add(meeting, points, game->is_second);
    tally->played++;
    // All faults are the loser's.
    fault_count(&tally->faults[white == 0 ? game->white : game->black], fault);
    assert(tally_is_valid(tally));
}

static MeetingScore reversed(const MeetingScore *score) {
    MeetingScore out = {
        .games = {score->games.losses, score->games.wins, score->games.draws},
        .split_pairs = score->split_pairs,
        .last_points = 2 - score->last_points,
    };
    for (int i = 0; i < PAIR_RESULTS; i++)
        out.pairs.results[i] = score->pairs.results[PAIR_RESULTS - 1 - i];
    return out;
}

MeetingScore tally_meeting(const Tally *tally, int a, int b) {
    return a < b ? *meeting_at(tally, a, b) : reversed(meeting_at(tally, b, a));
}

MeetingScore tally_player(const Tally *tally, int player) {
    MeetingScore sum = {0};
    for (int other = 0; other < tally->players; other++) {
        if (other == player)
            continue;
        MeetingScore one = tally_meeting(tally, player, other);
        sum.games.wins += one.games.wins;
        sum.games.losses += one.games.losses;
        sum.games.draws += one.games.draws;
        sum.split_pairs += one.split_pairs;
        for (int i = 0; i < PAIR_RESULTS; i++)
            sum.pairs.results[i] += one.pairs.results[i];
    }
    return sum;
}
