// SPDX-License-Identifier: GPL-3.0-or-later
#include "fitness/ranking.h"

#include "base/mem.h"
#include "match/rating/rating.h"

#include <stdlib.h>
#include <string.h>

enum { GAMES = 2 };
static const double prior = 2; // virtual draws: nobody is infinitely strong

struct Ranking {
    size_t size, pairs, asked, rounds;
    RatingResult *results; // of each pair of organisms, colours aside
    double *elo;
    size_t *order; // by rating, the best first
    EvolveMeeting *meetings;
    size_t meeting_count;
};

static size_t pair_count(size_t size) {
    return size * (size - 1) / 2;
}

Ranking *ranking_new(size_t size, size_t pairs) {
    Ranking *ranking = mem_alloc_zero(1, sizeof *ranking);
    const size_t all = pair_count(size);
    ranking->size = size;
    ranking->pairs = pairs;
    ranking->results = mem_alloc_zero(all, sizeof *ranking->results);
    ranking->meetings = mem_alloc_zero(all, sizeof *ranking->meetings);
    ranking->elo = mem_alloc_zero(size, sizeof *ranking->elo);
    ranking->order = mem_alloc_zero(size, sizeof *ranking->order);
    for (size_t i = 0; i < size; i++)
        ranking->order[i] = i;
    return ranking;
}

void ranking_free(Ranking *ranking) {
    if (ranking == NULL)
        return;
    free(ranking->results);
    free(ranking->meetings);
    free(ranking->elo);
    free(ranking->order);
    free(ranking);
}

static void add_meeting(Ranking *ranking, size_t first, size_t second) {
    ranking->meetings[ranking->meeting_count++] =
        (EvolveMeeting){first < second ? first : second, first < second ? second : first, GAMES};
}

static void plan_all(Ranking *ranking) {
    for (size_t i = 0; i < ranking->size; i++)
        for (size_t j = i + 1; j < ranking->size; j++)
            add_meeting(ranking, i, j);
}

// The first with the second, the third with the fourth; in every other round the second with the
// third.
static size_t first_neighbour(size_t size, size_t round) {
    return size > 2 ? round % 2 : 0;
}

static void plan_neighbours(Ranking *ranking) {
    const size_t shift = first_neighbour(ranking->size, ranking->rounds);
    for (size_t i = shift; i + 1 < ranking->size; i += 2)
        add_meeting(ranking, ranking->order[i], ranking->order[i + 1]);
}

const EvolveMeeting *ranking_ask(Ranking *ranking, size_t *count) {
    ranking->meeting_count = 0;
    if (ranking->asked < ranking->pairs && ranking->rounds == 0)
        plan_all(ranking);
    else if (ranking->asked < ranking->pairs)
        plan_neighbours(ranking);
    ranking->asked += ranking->meeting_count;
    *count = ranking->meeting_count;
    return ranking->meetings;
}

// Where the result of two organisms stands, the first being the smaller.
static RatingResult *result_of(Ranking *ranking, size_t first, size_t second) {
    return &ranking->results[pair_count(second) + first];
}

// The best first; the number decides between equals. Few organisms: insertion is quick enough.
static void sort(Ranking *ranking) {
    size_t *order = ranking->order;
    for (size_t i = 0; i < ranking->size; i++) {
        size_t at = i;
        for (; at > 0 && ranking->elo[order[at - 1]] < ranking->elo[i]; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
}

void ranking_tell(Ranking *ranking, const EvolveResult *results) {
    RatingConfig config = rating_defaults(RATING_LOGISTIC);
    config.prior = prior;
    for (size_t i = 0; i < ranking->meeting_count; i++) {
        const EvolveMeeting *meeting = &ranking->meetings[i];
        RatingResult *sum = result_of(ranking, meeting->first, meeting->second);
        sum->white = (uint32_t)meeting->first;
        sum->black = (uint32_t)meeting->second;
        sum->wins += results[i].wins;
        sum->draws += results[i].draws;
        sum->losses += results[i].losses;
    }
    ranking->rounds++;
    Ratings *ratings =
        ratings_compute(ranking->results, pair_count(ranking->size), ranking->size, &config);
    for (size_t i = 0; i < ranking->size; i++)
        ranking->elo[i] = ratings->players[i].elo;
    ratings_free(ratings);
    sort(ranking);
}

const double *ranking_elo(const Ranking *ranking) {
    return ranking->elo;
}

size_t ranking_total(size_t size, size_t pairs) {
    size_t total = pairs > 0 ? pair_count(size) : 0;
    for (size_t round = 1; total < pairs; round++)
        total += (size - first_neighbour(size, round)) / 2;
    return total;
}
