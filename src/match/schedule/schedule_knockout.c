// SPDX-License-Identifier: GPL-3.0-or-later
// Knock-out: a bracket in which the players named first meet as late as possible, and have the byes
// where their number is no power of two. An even match goes on by pairs of games.
#include "base/mem.h"
#include "match/schedule/schedule_internal.h"

void schedule_start_knockout(Schedule *schedule) {
    size_t players = (size_t)schedule->config.players, size = 1;
    while (size < players)
        size *= 2;
    schedule->slots = mem_alloc_zero(size, sizeof *schedule->slots);
    schedule->slot_count = size;
    // Each doubling puts beside every player the one that makes the sum of their numbers the same.
    for (size_t count = 1; count < size; count *= 2)
        for (size_t i = count; i-- > 0;) {
            int seed = schedule->slots[i];
            schedule->slots[2 * i] = seed;
            schedule->slots[2 * i + 1] = (int)(2 * count) - 1 - seed;
        }
    for (size_t i = 0; i < size; i++)
        if (schedule->slots[i] >= (int)players)
            schedule->slots[i] = SCHEDULE_NOBODY;
    schedule->round = (uint64_t)-1;
}

// Who goes through: by points, and where they are even for good, who was named first.
static int winner_of(const ScheduleEncounter *encounter) {
    int earlier = encounter->first < encounter->second ? encounter->first : encounter->second;
    if (encounter->balance == 0)
        return earlier;
    return encounter->balance > 0 ? encounter->first : encounter->second;
}

// Sends winners on; true when matches are left that are even and may go on.
static bool settle_wave(Schedule *schedule) {
    size_t left = 0;
    bool is_last = schedule->extra_pairs == SCHEDULE_EXTRA_PAIRS;
    for (size_t i = 0; i < schedule->wave_count; i++) {
        ScheduleEncounter *encounter = &schedule->wave[i];
        if (encounter->balance != 0 || is_last)
            schedule->slots[encounter->slot] = winner_of(encounter);
        else
            schedule->wave[left++] = *encounter;
    }
    schedule->wave_count = left;
    return left > 0;
}

bool schedule_next_knockout(Schedule *schedule) {
    const ScheduleConfig *config = &schedule->config;
    if (settle_wave(schedule)) {
        schedule->extra_pairs++;
        schedule->wave_games = 2;
        schedule->total += 2 * schedule->wave_count;
        return true;
    }
    if (schedule->round != (uint64_t)-1)
        schedule->slot_count /= 2;
    if (schedule->slot_count == 1)
        return false;
    schedule->round++;
    schedule->extra_pairs = 0;
    schedule->wave_games = (int)config->rounds * config->games;
    for (size_t i = 0; i < schedule->slot_count / 2; i++) {
        int first = schedule->slots[2 * i], second = schedule->slots[2 * i + 1];
        if (second == SCHEDULE_NOBODY)
            schedule->slots[i] = first;
        else
            schedule_add_encounter(schedule, first, second, i);
    }
    return true;
}
