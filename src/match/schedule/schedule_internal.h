// SPDX-License-Identifier: GPL-3.0-or-later
// What the kinds of schedules share. Swiss and knock-out go in waves: encounters that are known
// together, and only when all their results are told comes the next wave.
#pragma once

#include "match/schedule/schedule.h"

#include <stddef.h>

enum { SCHEDULE_NOBODY = -1 };

typedef struct ScheduleEncounter {
    int first, second; // the first has White in the first game
    uint64_t opening;  // of the first two games; later ones take those that follow
    int balance;       // half points of the first less those of the second
    size_t slot;       // knock-out: where the winner goes
} ScheduleEncounter;

typedef struct SchedulePlayer {
    int64_t points; // in half points
    int whites;     // games with White less games with Black
    bool had_white; // in the last game
} SchedulePlayer;

struct Schedule {
    ScheduleConfig config;
    uint64_t started, told; // games
    uint64_t total;
    uint64_t round; // of the wave, from 0
    uint64_t next_opening;
    ScheduleEncounter *wave; // owned, as are all below
    size_t wave_count;
    uint64_t wave_start; // index of its first game
    int wave_games;      // of each encounter
    SchedulePlayer *players;
    unsigned *meetings; // Swiss: of each two; one player more than there are stands for the bye
    int *slots;         // knock-out: who is still in, in the order of the bracket
    size_t slot_count;
    int extra_pairs; // knock-out: of the round so far
    bool is_done;
};

// Fills the next wave from what was told; false when there is none.
bool schedule_next_swiss(Schedule *schedule);
void schedule_start_knockout(Schedule *schedule);
bool schedule_next_knockout(Schedule *schedule);

// Adds an encounter to the wave that is being filled.
void schedule_add_encounter(Schedule *schedule, int first, int second, size_t slot);
