// SPDX-License-Identifier: GPL-3.0-or-later
#include "match/schedule/schedule.h"

#include "base/mem.h"
#include "match/schedule/schedule_internal.h"

#include <assert.h>
#include <stdlib.h>

const char *const schedule_names[SCHEDULE_KIND_NB] = {"round-robin", "gauntlet", "swiss",
                                                      "knockout"};

const char *const opening_policy_names[POLICY_NB] = {"default", "encounter", "round"};

static bool has_waves(const ScheduleConfig *config) {
    return config->kind == SCHEDULE_SWISS || config->kind == SCHEDULE_KNOCKOUT;
}

static uint64_t pairings_of(const ScheduleConfig *config) {
    uint64_t n = (uint64_t)config->players;
    return config->kind == SCHEDULE_GAUNTLET ? n - 1 : n * (n - 1) / 2;
}

static uint64_t total_of(const ScheduleConfig *config) {
    uint64_t n = (uint64_t)config->players, games = (uint64_t)config->games;
    switch (config->kind) {
    case SCHEDULE_SWISS:
        return config->rounds * (n / 2) * games;
    case SCHEDULE_KNOCKOUT:
        return (n - 1) * config->rounds * games;
    default:
        return pairings_of(config) * config->rounds * games;
    }
}

// The two of a pairing, by turning players around a circle in which one stands still; with an odd
// number the still place is empty. The first has White.
static void round_robin_pair(int players, uint64_t pairing, int *first, int *second) {
    int circle = players - 1 + players % 2; // how many turn
    int boards = players / 2;
    int turn = (int)(pairing / (uint64_t)boards), board = (int)(pairing % (uint64_t)boards);
    bool is_odd = players % 2 == 1;
    if (board == 0 && !is_odd) {
        *first = turn % 2 == 0 ? turn : circle;
        *second = turn % 2 == 0 ? circle : turn;
        return;
    }
    int distance = board + is_odd;
    int one = (turn + distance) % circle, other = (turn - distance + circle) % circle;
    *first = distance % 2 == 0 ? one : other;
    *second = distance % 2 == 0 ? other : one;
}

// Of a game in a round, which is `number` among all of these two.
static uint64_t fixed_opening(const ScheduleConfig *config, uint64_t round, uint64_t pairing,
                              uint64_t number) {
    const uint64_t pairings = pairings_of(config);
    switch (config->policy) {
    case POLICY_ENCOUNTER:
        return round * pairings + pairing;
    case POLICY_ROUND:
        return round;
    default: // the same game twice would tell nothing
        return (config->keeps_colors ? number : number / 2) * pairings + pairing;
    }
}

// Round-robin and gauntlet: the game of a number, from nothing but the number.
static MatchGame fixed_game_at(const ScheduleConfig *config, uint64_t index) {
    uint64_t games = (uint64_t)config->games, pairings = pairings_of(config);
    uint64_t encounter = index / games, round = encounter / pairings;
    uint64_t pairing = encounter % pairings;
    // Of the games of these two; games of one each make pairs across rounds, if the opening stays.
    uint64_t number = round * games + index % games;
    uint64_t from_opening = config->policy == POLICY_DEFAULT ? number : index % games;
    const bool is_swapped = !config->keeps_colors && number % 2 == 1;
    int first = 0, second = (int)pairing + 1;
    if (config->kind == SCHEDULE_ROUND_ROBIN)
        round_robin_pair(config->players, pairing, &first, &second);
    // The first of a gauntlet has both colours, also when it meets everybody once only. Between
    // two players, the first begins.
    bool is_reversed = config->kind == SCHEDULE_GAUNTLET && pairing % 2 == 1;
    is_reversed ^= is_swapped ^ config->reverses_colors;
    return (MatchGame){.index = index,
                       .round = round,
                       .opening = fixed_opening(config, round, pairing, number),
                       .white = is_reversed ? second : first,
                       .black = is_reversed ? first : second,
                       .is_second = !config->keeps_colors && from_opening % 2 == 1};
}

Schedule *schedule_new(const ScheduleConfig *config) {
    assert(config->players >= 2 && config->games >= 1);
    assert(!config->keeps_colors || !has_waves(config));
    Schedule *schedule = mem_alloc_zero(1, sizeof *schedule);
    size_t n = (size_t)config->players + 1;
    schedule->config = *config;
    schedule->total = total_of(config);
    if (!has_waves(config))
        return schedule;
    schedule->wave = mem_alloc_zero(n, sizeof *schedule->wave);
    schedule->players = mem_alloc_zero(n, sizeof *schedule->players);
    schedule->meetings = mem_alloc_zero(n * n, sizeof *schedule->meetings);
    schedule->wave_games = config->games;
    if (config->kind == SCHEDULE_KNOCKOUT)
        schedule_start_knockout(schedule);
    return schedule;
}

void schedule_free(Schedule *schedule) {
    if (schedule == NULL)
        return;
    free(schedule->wave);
    free(schedule->players);
    free(schedule->meetings);
    free(schedule->slots);
    free(schedule);
}

void schedule_add_encounter(Schedule *schedule, int first, int second, size_t slot) {
    schedule->wave[schedule->wave_count++] =
        (ScheduleEncounter){.first = first, .second = second, .slot = slot};
}

static uint64_t wave_end(const Schedule *schedule) {
    return schedule->wave_start + schedule->wave_count * (uint64_t)schedule->wave_games;
}

// How many openings further the encounter after this one begins.
static uint64_t openings_after(const Schedule *schedule, size_t encounter) {
    switch (schedule->config.policy) {
    case POLICY_ENCOUNTER:
        return 1;
    case POLICY_ROUND:
        return encounter + 1 == schedule->wave_count;
    default:
        return (uint64_t)(schedule->wave_games + 1) / 2;
    }
}

static bool next_wave(Schedule *schedule) {
    uint64_t start = wave_end(schedule);
    bool is_swiss = schedule->config.kind == SCHEDULE_SWISS;
    schedule->is_done =
        !(is_swiss ? schedule_next_swiss(schedule) : schedule_next_knockout(schedule));
    schedule->wave_start = start;
    if (schedule->is_done)
        schedule->wave_count = 0;
    for (size_t i = 0; i < schedule->wave_count; i++) {
        schedule->wave[i].opening = schedule->next_opening;
        schedule->next_opening += openings_after(schedule, i);
    }
    return !schedule->is_done;
}

static MatchGame wave_game_at(const Schedule *schedule, uint64_t index) {
    uint64_t at = index - schedule->wave_start, games = (uint64_t)schedule->wave_games;
    const ScheduleEncounter *encounter = &schedule->wave[at / games];
    uint64_t number = at % games;
    const bool is_second = number % 2 == 1;
    const bool is_reversed = is_second ^ schedule->config.reverses_colors;
    const bool goes_on = schedule->config.policy == POLICY_DEFAULT;
    return (MatchGame){.index = index,
                       .round = schedule->round,
                       .opening = encounter->opening + (goes_on ? number / 2 : 0),
                       .white = is_reversed ? encounter->second : encounter->first,
                       .black = is_reversed ? encounter->first : encounter->second,
                       .is_second = is_second};
}

bool schedule_is_valid(const Schedule *schedule) {
    if (schedule->told > schedule->started)
        return false;
    if (!has_waves(&schedule->config))
        return schedule->started <= schedule->total;
    return schedule->wave_count <= (size_t)schedule->config.players &&
           schedule->wave_start <= schedule->started && schedule->started <= wave_end(schedule);
}

ScheduleStep schedule_next(Schedule *schedule, MatchGame *out) {
    assert(schedule_is_valid(schedule));
    if (!has_waves(&schedule->config)) {
        if (schedule->started == schedule->total)
            return SCHEDULE_DONE;
        *out = fixed_game_at(&schedule->config, schedule->started++);
        return SCHEDULE_GAME;
    }
    if (!schedule->is_done && schedule->started == wave_end(schedule)) {
        if (schedule->told < schedule->started)
            return SCHEDULE_WAIT;
        next_wave(schedule);
    }
    if (schedule->is_done)
        return SCHEDULE_DONE;
    *out = wave_game_at(schedule, schedule->started++);
    return SCHEDULE_GAME;
}

void schedule_tell(Schedule *schedule, const MatchGame *game, int white_points) {
    assert(schedule_is_valid(schedule));
    assert(game->index == schedule->told && schedule->told < schedule->started);
    schedule->told++;
    if (!has_waves(&schedule->config))
        return;
    uint64_t at = game->index - schedule->wave_start;
    ScheduleEncounter *encounter = &schedule->wave[at / (uint64_t)schedule->wave_games];
    int gain = 2 * white_points - 2;
    encounter->balance += game->white == encounter->first ? gain : -gain;
    SchedulePlayer *white = &schedule->players[game->white];
    SchedulePlayer *black = &schedule->players[game->black];
    white->points += white_points;
    black->points += 2 - white_points;
    white->whites++;
    black->whites--;
    white->had_white = true;
    black->had_white = false;
}

uint64_t schedule_total(const Schedule *schedule) {
    return schedule->total;
}

int schedule_winner(const Schedule *schedule) {
    bool is_over = schedule->config.kind == SCHEDULE_KNOCKOUT && schedule->slot_count == 1;
    return is_over ? schedule->slots[0] : SCHEDULE_NOBODY;
}
