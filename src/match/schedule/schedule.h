// SPDX-License-Identifier: GPL-3.0-or-later
// Who meets whom, with which colours and from which opening: one game after the other, as a
// function of the settings and of the results told so far. No game is made before it is asked for,
// so that long tournaments cost no memory.
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef enum ScheduleKind {
    SCHEDULE_ROUND_ROBIN, // everybody meets everybody once a round
    SCHEDULE_GAUNTLET,    // the first player meets each of the others once a round
    SCHEDULE_SWISS,       // those of equal score meet, nobody twice while that can be avoided
    SCHEDULE_KNOCKOUT,    // the loser of a match is out
    SCHEDULE_KIND_NB,
} ScheduleKind;

// As the command line spells them.
extern const char *const schedule_names[SCHEDULE_KIND_NB];

enum {
    SCHEDULE_PLAYERS_MAX = 256,
    SCHEDULE_GAMES_MAX = 1000, // of an encounter
    // A knock-out match that is even goes on with so many pairs of games at the most; then the
    // player who was named first goes through.
    SCHEDULE_EXTRA_PAIRS = 4,
};

// When games go on to the next opening.
typedef enum OpeningPolicy {
    POLICY_DEFAULT,   // after the two games that have colours reversed
    POLICY_ENCOUNTER, // with the next encounter
    POLICY_ROUND,     // with the next round: all encounters of a round have one
    POLICY_NB,
} OpeningPolicy;

// As the command line spells them.
extern const char *const opening_policy_names[POLICY_NB];

typedef struct ScheduleConfig {
    ScheduleKind kind;
    int players; // at least 2
    uint64_t rounds;
    int games; // of an encounter; a knock-out match has rounds * games
    OpeningPolicy policy;
    bool keeps_colors;    // no game has colours reversed; round-robin and gauntlet alone
    bool reverses_colors; // who would have White has Black
} ScheduleConfig;

// A game of the schedule.
typedef struct MatchGame {
    uint64_t index;   // from 0, in the order of the schedule
    uint64_t round;   // from 0
    uint64_t opening; // number of its opening
    int white, black; // which players
    bool is_second;   // colours reversed, from the opening that these two played just before
} MatchGame;

typedef enum ScheduleStep {
    SCHEDULE_GAME, // here it is
    SCHEDULE_WAIT, // the next game depends on results that have not been told
    SCHEDULE_DONE,
} ScheduleStep;

typedef struct Schedule Schedule;

Schedule *schedule_new(const ScheduleConfig *config);
// NULL is fine.
void schedule_free(Schedule *schedule);
// Whether its counters agree with each other and with the wave.
bool schedule_is_valid(const Schedule *schedule);
// The next game, if it is known yet.
ScheduleStep schedule_next(Schedule *schedule, MatchGame *out);
// Tells a game's result, in White's half points. Games are told in their order.
void schedule_tell(Schedule *schedule, const MatchGame *game, int white_points);
// How many games there will be, as far as is known now: only a knock-out can have more.
uint64_t schedule_total(const Schedule *schedule);
// Who won a knock-out that is done; -1 otherwise.
int schedule_winner(const Schedule *schedule);
