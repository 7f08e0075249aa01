// SPDX-License-Identifier: GPL-3.0-or-later
// Schedules as properties: who meets whom how often, with which colours, from which openings. The
// results told are drawn, so that many tournaments are seen.
#include "match/schedule/schedule.h"

#include "base/rng.h"
#include "match/schedule/matching.h"
#include "tests/unit/testing.h"

#include <stdlib.h>
#include <string.h>

enum { PLAYERS_MAX = 24, GAMES_SEEN_MAX = 20000 };

typedef struct Seen {
    uint64_t games;
    int met[PLAYERS_MAX][PLAYERS_MAX]; // games
    int whites[PLAYERS_MAX];           // less blacks
    int worst_lead;                    // of one colour, at any time
    int played[PLAYERS_MAX];
    int points[PLAYERS_MAX];
    uint64_t rounds;
    int winner;
} Seen;

static void note(Seen *seen, const MatchGame *game, int points, const ScheduleConfig *config) {
    assert_int_equal(game->index, seen->games);
    assert_true(game->white >= 0 && game->white < config->players);
    assert_true(game->black >= 0 && game->black < config->players);
    assert_true(game->white != game->black);
    seen->games++;
    seen->met[game->white][game->black]++;
    seen->whites[game->white]++;
    seen->whites[game->black]--;
    seen->played[game->white]++;
    seen->played[game->black]++;
    seen->points[game->white] += points;
    seen->points[game->black] += 2 - points;
    if (game->round + 1 > seen->rounds)
        seen->rounds = game->round + 1;
    int leads[] = {seen->whites[game->white], -seen->whites[game->black]};
    for (int i = 0; i < 2; i++)
        if (leads[i] > seen->worst_lead)
            seen->worst_lead = leads[i];
}

// Plays a whole tournament with drawn results; checks what holds for every kind on the way. Some
// games are asked for before earlier ones are told, as a runner does.
static Seen run(const ScheduleConfig *config, uint32_t seed) {
    Schedule *schedule = schedule_new(config);
    MatchGame *games = calloc(GAMES_SEEN_MAX, sizeof *games);
    Rng rng = rng_at(seed, 1, 2, 3);
    Seen seen = {0};
    uint64_t told = 0;
    for (;;) {
        MatchGame game;
        ScheduleStep step = schedule_next(schedule, &game);
        if (step == SCHEDULE_GAME) {
            int points = (int)rng_below(&rng, 3);
            assert_true(seen.games < GAMES_SEEN_MAX);
            games[seen.games] = game;
            // A second game is its pair's first with colours reversed.
            bool is_pair = false;
            for (uint64_t i = seen.games; game.is_second && i-- > 0 && !is_pair;)
                is_pair = games[i].opening == game.opening && games[i].white == game.black &&
                          games[i].black == game.white && !games[i].is_second;
            assert_true(!game.is_second || is_pair);
            note(&seen, &game, points, config);
            games[game.index].round = (uint64_t)points; // kept until it is told
        }
        bool is_waiting = step == SCHEDULE_WAIT;
        assert_true(!is_waiting || told < seen.games);
        if (told < seen.games && (step != SCHEDULE_GAME || rng_below(&rng, 2) == 0)) {
            schedule_tell(schedule, &games[told], (int)games[told].round);
            told++;
        } else if (step == SCHEDULE_DONE) {
            break;
        }
    }
    assert_int_equal(seen.games, schedule_total(schedule));
    seen.winner = schedule_winner(schedule);
    schedule_free(schedule);
    free(games);
    return seen;
}

static void test_round_robin(void **state) {
    (void)state;
    for (int players = 2; players <= 12; players++)
        for (int games = 1; games <= 4; games++)
            for (uint64_t rounds = 1; rounds <= 3; rounds++) {
                ScheduleConfig config = {.kind = SCHEDULE_ROUND_ROBIN,
                                         .players = players,
                                         .rounds = rounds,
                                         .games = games};
                Seen seen = run(&config, 0);
                int each = (int)rounds * games;
                assert_int_equal(seen.games, each * players * (players - 1) / 2);
                for (int a = 0; a < players; a++) {
                    assert_true(abs(seen.whites[a]) <= 1);
                    for (int b = 0; b < a; b++) {
                        assert_int_equal(seen.met[a][b] + seen.met[b][a], each);
                        assert_true(abs(seen.met[a][b] - seen.met[b][a]) <= 1);
                    }
                }
            }
}

static void test_round_robin_goes_round_by_round(void **state) {
    (void)state;
    // Nobody plays twice before all have played: boards are independent.
    ScheduleConfig config = {.kind = SCHEDULE_ROUND_ROBIN, .players = 8, .rounds = 1, .games = 1};
    Schedule *schedule = schedule_new(&config);
    for (int turn = 0; turn < 7; turn++) {
        unsigned seen = 0;
        for (int board = 0; board < 4; board++) {
            MatchGame game;
            assert_int_equal(schedule_next(schedule, &game), SCHEDULE_GAME);
            seen |= 1u << game.white | 1u << game.black;
        }
        assert_int_equal(seen, 0xFF);
    }
    schedule_free(schedule);
}

static void test_gauntlet(void **state) {
    (void)state;
    for (int players = 2; players <= 9; players++)
        for (int games = 1; games <= 3; games++) {
            ScheduleConfig config = {
                .kind = SCHEDULE_GAUNTLET, .players = players, .rounds = 3, .games = games};
            Seen seen = run(&config, 0);
            assert_int_equal(seen.games, 3 * games * (players - 1));
            assert_true(abs(seen.whites[0]) <= 1);
            for (int b = 1; b < players; b++)
                assert_int_equal(seen.met[0][b] + seen.met[b][0], 3 * games);
        }
}

static void test_two_players(void **state) {
    (void)state;
    for (int games = 1; games <= 2; games++) {
        ScheduleConfig config = {.kind = SCHEDULE_ROUND_ROBIN,
                                 .players = 2,
                                 .rounds = 10 / (uint64_t)games,
                                 .games = games};
        Schedule *schedule = schedule_new(&config);
        for (uint64_t i = 0; i < 10; i++) {
            MatchGame game;
            assert_int_equal(schedule_next(schedule, &game), SCHEDULE_GAME);
            assert_int_equal(game.opening, i / 2);
            assert_int_equal(game.white, i % 2);
            assert_int_equal(game.is_second, i % 2);
        }
        schedule_free(schedule);
    }
}

static void test_every_pair_has_openings_of_its_own(void **state) {
    (void)state;
    ScheduleConfig config = {.kind = SCHEDULE_ROUND_ROBIN, .players = 5, .rounds = 4, .games = 1};
    Schedule *schedule = schedule_new(&config);
    int uses[20] = {0};
    MatchGame game;
    while (schedule_next(schedule, &game) == SCHEDULE_GAME) {
        assert_true(game.opening < 20);
        uses[game.opening]++;
        schedule_tell(schedule, &game, 1);
    }
    for (int i = 0; i < 20; i++)
        assert_int_equal(uses[i], 2);
    schedule_free(schedule);
}

static MatchGame next_of(Schedule *schedule) {
    MatchGame game;
    assert_int_equal(schedule_next(schedule, &game), SCHEDULE_GAME);
    schedule_tell(schedule, &game, game.white < game.black ? 2 : 0);
    return game;
}

// Four games of each encounter of four players, in every kind of tournament.
static void test_policies(void **state) {
    (void)state;
    for (int kind = 0; kind < SCHEDULE_KIND_NB; kind++)
        for (int policy = 0; policy < POLICY_NB; policy++) {
            ScheduleConfig config = {.kind = (ScheduleKind)kind,
                                     .players = 4,
                                     .rounds = 1,
                                     .games = 4,
                                     .policy = (OpeningPolicy)policy};
            Schedule *schedule = schedule_new(&config);
            for (uint64_t i = 0; i < 8; i++) {
                MatchGame game = next_of(schedule);
                uint64_t encounter = i / 4;
                assert_int_equal(game.is_second, i % 2);
                if (policy != POLICY_DEFAULT)
                    assert_int_equal(game.opening, policy == POLICY_ROUND ? 0 : encounter);
            }
            schedule_free(schedule);
        }
}

// Games of one each are pairs only where the opening stays for two rounds.
static void test_new_openings_make_no_pairs(void **state) {
    (void)state;
    ScheduleConfig config = {.players = 2, .rounds = 6, .games = 1, .policy = POLICY_ENCOUNTER};
    Schedule *schedule = schedule_new(&config);
    for (uint64_t i = 0; i < 6; i++) {
        MatchGame game = next_of(schedule);
        assert_int_equal(game.opening, i);
        assert_int_equal(game.white, i % 2);
        assert_false(game.is_second);
    }
    schedule_free(schedule);
}

static void test_colors_are_kept(void **state) {
    (void)state;
    for (int reverses = 0; reverses < 2; reverses++) {
        ScheduleConfig config = {.players = 2,
                                 .rounds = 3,
                                 .games = 2,
                                 .keeps_colors = true,
                                 .reverses_colors = reverses == 1};
        Schedule *schedule = schedule_new(&config);
        for (uint64_t i = 0; i < 6; i++) {
            MatchGame game = next_of(schedule);
            assert_int_equal(game.opening, i);
            assert_int_equal(game.white, reverses);
            assert_false(game.is_second);
        }
        schedule_free(schedule);
    }
}

static void test_colors_are_reversed(void **state) {
    (void)state;
    for (int kind = 0; kind < SCHEDULE_KIND_NB; kind++) {
        ScheduleConfig config = {.kind = (ScheduleKind)kind, .players = 4, .rounds = 1, .games = 2};
        Schedule *plain = schedule_new(&config);
        config.reverses_colors = true;
        Schedule *reversed = schedule_new(&config);
        for (int i = 0; i < 4; i++) {
            MatchGame one = next_of(plain), other = next_of(reversed);
            assert_int_equal(one.white, other.black);
            assert_int_equal(one.opening, other.opening);
            assert_int_equal(one.is_second, other.is_second);
        }
        schedule_free(plain);
        schedule_free(reversed);
    }
}

static void test_long_schedules_cost_nothing(void **state) {
    (void)state;
    ScheduleConfig config = {
        .kind = SCHEDULE_ROUND_ROBIN, .players = 100, .rounds = 100000000, .games = 1000};
    Schedule *schedule = schedule_new(&config);
    MatchGame game;
    assert_int_equal(schedule_next(schedule, &game), SCHEDULE_GAME);
    assert_int_equal(schedule_total(schedule), 4950ull * 100000000 * 1000);
    schedule_free(schedule);
}

// Until everybody has met everybody nobody needs to meet again, whatever the results, when the
// rounds are few; and nobody is left without an opponent more than once.
static void test_swiss(void **state) {
    (void)state;
    for (int players = 2; players <= 21; players++)
        for (uint32_t seed = 0; seed < 6; seed++) {
            int games = 1 + (int)(seed % 2);
            uint64_t rounds = (uint64_t)players / 2;
            ScheduleConfig config = {
                .kind = SCHEDULE_SWISS, .players = players, .rounds = rounds, .games = games};
            Seen seen = run(&config, seed);
            assert_int_equal(seen.rounds, rounds);
            for (int a = 0; a < players; a++) {
                assert_true(seen.played[a] >= games * ((int)rounds - players % 2));
                for (int b = 0; b < a; b++)
                    assert_true(seen.met[a][b] + seen.met[b][a] <= games);
            }
            if (games == 2)
                assert_true(seen.worst_lead <= 1);
            else
                assert_true(seen.worst_lead <= 3);
        }
}

// Trying everything: whether all of `left` can be matched.
static bool can_match(const bool *edges, int n, unsigned left) {
    if (left == 0)
        return true;
    int a = __builtin_ctz(left);
    for (int b = a + 1; b < n; b++)
        if (left >> b & 1 && edges[a * n + b] && can_match(edges, n, left & ~(1u << a | 1u << b)))
            return true;
    return false;
}

// One round of a Swiss tournament; `is_new` tells who has not met, the bye being the last. True
// when somebody met again.
static bool run_swiss_round(Schedule *schedule, int players, bool *is_new, int n, Rng *rng) {
    unsigned seen = 0;
    bool is_repeated = false;
    for (int i = 0; i < players / 2; i++) {
        MatchGame game;
        assert_int_equal(schedule_next(schedule, &game), SCHEDULE_GAME);
        seen |= 1u << game.white | 1u << game.black;
        is_repeated = is_repeated || !is_new[game.white * n + game.black];
        is_new[game.white * n + game.black] = is_new[game.black * n + game.white] = false;
        schedule_tell(schedule, &game, (int)rng_below(rng, 3));
    }
    if (n > players) {
        int without = __builtin_ctz(~seen);
        assert_int_equal(seen, ((1u << players) - 1) & ~(1u << without));
        is_repeated = is_repeated || !is_new[without * n + players];
        is_new[without * n + players] = is_new[players * n + without] = false;
    }
    return is_repeated;
}

static void test_swiss_repeats_only_what_it_must(void **state) {
    (void)state;
    for (int players = 3; players <= 9; players++)
        for (uint32_t seed = 0; seed < 40; seed++) {
            ScheduleConfig config = {
                .kind = SCHEDULE_SWISS, .players = players, .rounds = 10, .games = 1};
            Schedule *schedule = schedule_new(&config);
            Rng rng = rng_at(seed, 7, 0, 0);
            int n = players + players % 2;
            bool is_new[100];
            for (int i = 0; i < 100; i++)
                is_new[i] = i / n != i % n;
            for (int round = 0; round < 10; round++) {
                bool is_avoidable = can_match(is_new, n, (1u << n) - 1);
                bool is_repeated = run_swiss_round(schedule, players, is_new, n, &rng);
                assert_int_equal(is_repeated, !is_avoidable);
            }
            schedule_free(schedule);
        }
}

static void test_swiss_pairs_by_score(void **state) {
    (void)state;
    ScheduleConfig config = {.kind = SCHEDULE_SWISS, .players = 8, .rounds = 3, .games = 2};
    Schedule *schedule = schedule_new(&config);
    int points[8] = {0};
    for (int round = 0; round < 3; round++)
        for (int i = 0; i < 8; i++) {
            MatchGame game;
            assert_int_equal(schedule_next(schedule, &game), SCHEDULE_GAME);
            assert_int_equal(game.round, round);
            // With the better always winning there are groups of 8, 4 and 4, 2, 4 and 2.
            if (i % 2 == 0)
                assert_int_equal(points[game.white], points[game.black]);
            int white_points = game.white < game.black ? 2 : 0;
            schedule_tell(schedule, &game, white_points);
            if (i % 2 == 1) {
                points[game.white] += 2 * white_points;
                points[game.black] += 4 - 2 * white_points;
            }
        }
    // Three rounds find the best of eight.
    assert_int_equal(points[0], 12);
    assert_int_equal(points[7], 0);
    schedule_free(schedule);
}

static void test_knockout(void **state) {
    (void)state;
    for (int players = 2; players <= 17; players++)
        for (uint32_t seed = 0; seed < 5; seed++) {
            ScheduleConfig config = {
                .kind = SCHEDULE_KNOCKOUT, .players = players, .rounds = 1, .games = 2};
            Seen seen = run(&config, seed);
            assert_true(seen.winner >= 0 && seen.winner < players);
            int matches = 0;
            for (int a = 0; a < players; a++) {
                assert_int_equal(seen.whites[a], 0);
                for (int b = 0; b < a; b++) {
                    int met = seen.met[a][b] + seen.met[b][a];
                    assert_int_equal(seen.met[a][b], seen.met[b][a]);
                    assert_true(met <= 2 + 2 * SCHEDULE_EXTRA_PAIRS);
                    matches += met > 0;
                }
            }
            assert_int_equal(matches, players - 1);
        }
}

// Where the better always wins the first wins; the second meets it in the last match only. Where
// all is drawn the first wins too, after all the pairs of games there may be.
static void test_knockout_bracket(void **state) {
    (void)state;
    for (int is_drawn = 0; is_drawn < 2; is_drawn++) {
        ScheduleConfig config = {.kind = SCHEDULE_KNOCKOUT, .players = 6, .rounds = 1, .games = 2};
        Schedule *schedule = schedule_new(&config);
        MatchGame game = {0}, last = {0};
        uint64_t games = 0;
        while (schedule_next(schedule, &game) == SCHEDULE_GAME) {
            schedule_tell(schedule, &game, is_drawn ? 1 : game.white < game.black ? 2 : 0);
            last = game;
            games++;
        }
        assert_int_equal(schedule_winner(schedule), 0);
        assert_int_equal(last.white + last.black, 1);
        assert_int_equal(last.round, 2);
        assert_int_equal(games, 5 * 2 * (is_drawn ? 1 + SCHEDULE_EXTRA_PAIRS : 1));
        schedule_free(schedule);
    }
}

static void test_matching(void **state) {
    (void)state;
    for (uint32_t seed = 0; seed < 3000; seed++) {
        Rng rng = rng_at(seed, 0, 0, 0);
        int n = 2 + 2 * (int)rng_below(&rng, 5);
        unsigned density = 1 + rng_below(&rng, 6), left = (1u << n) - 1;
        bool edges[100] = {0};
        for (int a = 0; a < n; a++)
            for (int b = 0; b < a; b++)
                edges[a * n + b] = edges[b * n + a] = rng_below(&rng, 8) < density;
        Matching *matching = matching_new(edges, n);
        bool is_complete = matching_complete(matching);
        assert_int_equal(is_complete, can_match(edges, n, left));
        for (int a = 0; is_complete && a < n; a++)
            for (int b = a + 1; b < n; b++) {
                if (!(left >> a & 1) || !(left >> b & 1) || !edges[a * n + b])
                    continue;
                unsigned rest = left & ~(1u << a | 1u << b);
                bool may = can_match(edges, n, rest);
                assert_int_equal(matching_take(matching, a, b), may);
                left = may ? rest : left;
            }
        assert_true(!is_complete || left == 0);
        matching_free(matching);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_robin),
        cmocka_unit_test(test_round_robin_goes_round_by_round),
        cmocka_unit_test(test_gauntlet),
        cmocka_unit_test(test_two_players),
        cmocka_unit_test(test_every_pair_has_openings_of_its_own),
        cmocka_unit_test(test_policies),
        cmocka_unit_test(test_new_openings_make_no_pairs),
        cmocka_unit_test(test_colors_are_kept),
        cmocka_unit_test(test_colors_are_reversed),
        cmocka_unit_test(test_long_schedules_cost_nothing),
        cmocka_unit_test(test_swiss),
        cmocka_unit_test(test_swiss_repeats_only_what_it_must),
        cmocka_unit_test(test_swiss_pairs_by_score),
        cmocka_unit_test(test_knockout),
        cmocka_unit_test(test_knockout_bracket),
        cmocka_unit_test(test_matching),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
