// SPDX-License-Identifier: GPL-3.0-or-later
// Swiss: players are ranked by points, those named first before others of equal points. From the
// top, each gets the best opponent it can have so that all others still find one: of the same score
// if possible, the upper half of a score against its lower half. With an odd number somebody has a
// bye, which counts like a won encounter and comes twice only when all have had one.
#include "base/error.h"
#include "base/mem.h"
#include "match/schedule/matching.h"
#include "match/schedule/schedule_internal.h"

#include <stdlib.h>

enum { COLOR_LEAD_MAX = 2 }; // games more with one colour than with the other

typedef struct Pairing {
    Schedule *schedule;
    int count; // of players, and the bye where their number is odd
    int *order;
    int open; // of `order`, who are not paired yet
    bool *edges;
    Matching *matching;
} Pairing;

static void free_pairing(Pairing *pairing) {
    matching_free(pairing->matching);
    free(pairing->order);
    free(pairing->edges);
}

static bool is_bye(const Schedule *schedule, int player) {
    return player == schedule->config.players;
}

static unsigned *meetings_of(Schedule *schedule, int a, int b) {
    return &schedule->meetings[a * (schedule->config.players + 1) + b];
}

static bool ranks_before(const Schedule *schedule, int a, int b) {
    if (is_bye(schedule, a) || is_bye(schedule, b))
        return is_bye(schedule, b);
    int64_t more = schedule->players[a].points - schedule->players[b].points;
    return more != 0 ? more > 0 : a < b;
}

static void rank_players(Pairing *pairing) {
    for (int i = 0; i < pairing->count; i++) {
        int at = i;
        for (; at > 0 && ranks_before(pairing->schedule, i, pairing->order[at - 1]); at--)
            pairing->order[at] = pairing->order[at - 1];
        pairing->order[at] = i;
    }
    pairing->open = pairing->count;
}

// With an odd number of games somebody's lead in one colour grows.
static bool colors_clash(const Schedule *schedule, int a, int b) {
    if (schedule->config.games % 2 == 0 || is_bye(schedule, a) || is_bye(schedule, b))
        return false;
    int one = schedule->players[a].whites, other = schedule->players[b].whites;
    return (one >= COLOR_LEAD_MAX && other >= COLOR_LEAD_MAX) ||
           (one <= -COLOR_LEAD_MAX && other <= -COLOR_LEAD_MAX);
}

// Who may meet whom. Level 0: nobody again, nor with a third white game more than black ones; 1:
// colours no matter; then once again, twice again and so on.
static void draw_edges(Pairing *pairing, unsigned level) {
    for (int a = 0; a < pairing->count; a++)
        for (int b = 0; b < pairing->count; b++) {
            unsigned met = *meetings_of(pairing->schedule, a, b);
            bool may =
                level == 0 ? met == 0 && !colors_clash(pairing->schedule, a, b) : met < level;
            pairing->edges[a * pairing->count + b] = a != b && may;
        }
}

// Whose turn it is to have White.
static bool first_has_white(const Schedule *schedule, int first, int second) {
    const SchedulePlayer *a = &schedule->players[first], *b = &schedule->players[second];
    if (a->whites != b->whites)
        return a->whites < b->whites;
    // Even: who was Black last; at the beginning, every second board begins with the lower half.
    return schedule->round == 0 ? first % 2 == 0 : !a->had_white;
}

static void pair_players(Pairing *pairing, int first, int second) {
    Schedule *schedule = pairing->schedule;
    ++*meetings_of(schedule, first, second);
    ++*meetings_of(schedule, second, first);
    if (is_bye(schedule, second))
        schedule->players[first].points += 2 * schedule->config.games;
    else if (first_has_white(schedule, first, second))
        schedule_add_encounter(schedule, first, second, 0);
    else
        schedule_add_encounter(schedule, second, first, 0);
}

// The n-th choice, from 0, of the player at the front, as a place in `order`: first down from the
// middle of those with its score, then up from there, then whoever follows.
static int choice_at(const Pairing *pairing, int n) {
    const Schedule *schedule = pairing->schedule;
    const int *order = pairing->order;
    int group = 1;
    while (group < pairing->open && !is_bye(schedule, order[group]) &&
           schedule->players[order[group]].points == schedule->players[order[0]].points)
        group++;
    int half = group / 2;
    if (n >= group - 1)
        return n + 1;
    return n < group - half ? half + n : group - 1 - n;
}

static void remove_pair(Pairing *pairing, int place) {
    int left = 0;
    for (int i = 1; i < pairing->open; i++)
        if (i != place)
            pairing->order[left++] = pairing->order[i];
    pairing->open = left;
}

static void pair_all(Pairing *pairing) {
    while (pairing->open > 0) {
        int first = pairing->order[0], n = 0, place, second;
        do {
            place = choice_at(pairing, n++);
            second = pairing->order[place];
        } while (!pairing->edges[first * pairing->count + second] ||
                 !matching_take(pairing->matching, first, second));
        pair_players(pairing, first, second);
        remove_pair(pairing, place);
    }
}

bool schedule_next_swiss(Schedule *schedule) {
    if (schedule->told > 0)
        schedule->round++;
    if (schedule->round == schedule->config.rounds)
        return false;
    schedule->wave_count = 0;
    int count = schedule->config.players + schedule->config.players % 2;
    const size_t n = (size_t)count;
    CLEANUP(free_pairing)
    Pairing pairing = {.schedule = schedule,
                       .count = count,
                       .order = mem_alloc_zero(n, sizeof(int)),
                       .edges = mem_alloc_zero(n * n, sizeof(bool))};
    rank_players(&pairing);
    for (unsigned level = 0;; level++) {
        draw_edges(&pairing, level);
        pairing.matching = matching_new(pairing.edges, count);
        if (matching_complete(pairing.matching))
            break;
        matching_free(pairing.matching);
    }
    pair_all(&pairing);
    return true;
}
