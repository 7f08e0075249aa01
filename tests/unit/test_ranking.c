// SPDX-License-Identifier: GPL-3.0-or-later
// Racing for an order: as many games as promised, most of them between neighbours, and a better
// order than equal shares give.
#include "fitness/ranking.h"

#include "base/rng.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { SIZE = 10 };

// Organism i is 40 Elo stronger than organism i + 1.
static EvolveResult play(const EvolveMeeting *meeting, Rng *luck) {
    const double ahead = 40 * ((double)meeting->second - (double)meeting->first);
    EvolveResult result = {0};
    for (unsigned game = 0; game < meeting->games; game++)
        if (rng_real(luck) < 1 / (1 + pow(10, -ahead / 400)))
            result.wins++;
        else
            result.losses++;
    return result;
}

// How many pairs of organisms are in the wrong order by the ratings.
static size_t wrong_pairs(const double *elo) {
    size_t wrong = 0;
    for (size_t i = 0; i < SIZE; i++)
        for (size_t j = i + 1; j < SIZE; j++)
            wrong += elo[i] < elo[j];
    return wrong;
}

static size_t race_all(Rng *luck, size_t pairs, size_t *neighbours) {
    Ranking *ranking = ranking_new(SIZE, pairs);
    EvolveResult results[SIZE * SIZE];
    size_t count, total = 0;
    *neighbours = 0;
    for (;;) {
        const EvolveMeeting *meetings = ranking_ask(ranking, &count);
        if (count == 0)
            break;
        for (size_t i = 0; i < count; i++) {
            assert_true(meetings[i].first < meetings[i].second && meetings[i].second < SIZE);
            assert_int_equal(meetings[i].games, 2);
            *neighbours += meetings[i].second - meetings[i].first <= 2;
            results[i] = play(&meetings[i], luck);
        }
        total += count;
        ranking_tell(ranking, results);
    }
    const size_t wrong = wrong_pairs(ranking_elo(ranking));
    double sum = 0;
    for (size_t i = 0; i < SIZE; i++)
        sum += ranking_elo(ranking)[i];
    assert_true(fabs(sum) < 1e-6);
    assert_int_equal(total, ranking_total(SIZE, pairs));
    assert_true(total >= pairs && total < pairs + SIZE * SIZE / 2);
    ranking_free(ranking);
    return wrong;
}

// Equal shares: a round robin of as many games.
static size_t share_all(Rng *luck, size_t rounds) {
    double points[SIZE] = {0};
    for (size_t i = 0; i < SIZE; i++)
        for (size_t j = i + 1; j < SIZE; j++)
            for (size_t round = 0; round < rounds; round++) {
                const EvolveResult result = play(&(EvolveMeeting){i, j, 2}, luck);
                points[i] += result.wins;
                points[j] += result.losses;
            }
    return wrong_pairs(points);
}

static void test_close_calls_get_the_games(void **state) {
    (void)state;
    Rng luck = rng_at(3, 0, 0, 0);
    size_t raced = 0, shared = 0;
    for (int trial = 0; trial < 100; trial++) {
        size_t neighbours;
        raced += race_all(&luck, 12 * SIZE * (SIZE - 1) / 2, &neighbours);
        assert_true(neighbours > 12 * SIZE * (SIZE - 1) / 4);
        shared += share_all(&luck, 12);
    }
    assert_true(raced < shared);
}

static void test_small_numbers(void **state) {
    (void)state;
    EvolveResult won = {.wins = 2};
    size_t count;
    for (size_t pairs = 0; pairs < 4; pairs++) {
        Ranking *ranking = ranking_new(2, pairs);
        for (size_t round = 0; round < pairs; round++) {
            const EvolveMeeting *meetings = ranking_ask(ranking, &count);
            assert_true(count == 1 && meetings[0].first == 0 && meetings[0].second == 1);
            ranking_tell(ranking, &won);
            assert_true(ranking_elo(ranking)[0] > 0 && isfinite(ranking_elo(ranking)[0]));
        }
        ranking_ask(ranking, &count);
        assert_int_equal(count, 0);
        assert_int_equal(ranking_total(2, pairs), pairs);
        ranking_free(ranking);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_close_calls_get_the_games),
        cmocka_unit_test(test_small_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
