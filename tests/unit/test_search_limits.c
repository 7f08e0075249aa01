// SPDX-License-Identifier: GPL-3.0-or-later
// Every search ends, with a legal move, whatever the limits; and the same search gives the same
// result, whatever else lives in the process.
#include "base/clock.h"
#include "searching.h"
#include "sized.h"
#include "walk.h"

#include <pthread.h>
#include <stdatomic.h>

static const char middle_game[] =
    "r2q1rk1/pp2bppp/2n1pn2/3p1b2/3P1B2/2NBPN2/PP3PPP/R2Q1RK1 w - - 0 10";

// Every test has an engine of its own.
static int set_up(void **state) {
    static Engine engine;
    engine = engine_open();
    *state = &engine;
    return 0;
}

static int tear_down(void **state) {
    engine_close(*state);
    return 0;
}

static void test_search_moves(void **state) {
    Engine *engine = *state;
    Game game;
    game_start(&game, middle_game);
    Move all[MOVES_MAX];
    size_t count = movegen(&game.pos, MOVES_ALL, all);
    for (size_t i = 0; i < count; i++) {
        Limits one = {.depth = 3, .move_count = 1, .moves = {all[i]}};
        assert_int_equal(engine_go(engine, &game, one).best, all[i]);
        Limits two = {.nodes = 500, .move_count = 2, .moves = {all[i], all[count - 1 - i]}};
        Move best = engine_go(engine, &game, two).best;
        assert_true(best == two.moves[0] || best == two.moves[1]);
    }
}

static void check_lines(Engine *engine, const char *fen, int lines, int depth) {
    Game game;
    Heard heard;
    Limits limits = {.depth = depth, .lines = lines};
    game_start(&game, fen);
    engine_forget(engine);
    search_prepare(engine->search, false);
    SearchResult result = engine_hear(engine, &game, &limits, &heard);
    int moves = (int)movegen_count(&game.pos);
    assert_int_equal(heard.ranks, lines < moves ? lines : moves);
    assert_int_equal(result.depth, depth);
    for (int i = 0; i < heard.ranks; i++) {
        assert_int_equal(heard.depths[i], depth);
        for (int j = 0; j < i; j++) {
            assert_true(heard.scores[j] >= heard.scores[i]);
            assert_int_not_equal(heard.firsts[j], heard.firsts[i]);
        }
    }
}

static void test_lines_are_distinct_and_sorted(void **state) {
    Engine *engine = *state;
    for (Profile profile = 0; profile < PROFILE_NB; profile++) {
        search_set_features(engine->search, features_of(profile));
        for (int depth = 1; depth <= SIZED(6, 4); depth++) {
            check_lines(engine, middle_game, 4, depth);
            check_lines(engine, "8/8/4k3/8/2R5/4K3/8/8 b - - 0 1", 5, depth);
        }
        check_lines(engine, middle_game, SEARCHING_LINES, 2);
        check_lines(engine, "7k/8/5K2/8/8/8/8/6Q1 b - - 0 1", 3, 5);
    }
    // The best line of several is the one that is found alone.
    engine_forget(engine);
    Move mate = engine_go_fen(engine, "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1",
                              (Limits){.depth = 4, .lines = 3})
                    .best;
    assert_int_equal(mate, move_make(square_make(3, 0), square_make(3, 7)));
}

// Limits that leave no time at all; engine_hear checks that moves, lines and scores are there.
static void search_in_no_time(Engine *engine, const Game *game, int64_t least_ms) {
    const Limits limits[] = {
        {.nodes = 1},
        {.depth = 1, .nodes = 100000},
        {.move_ms = least_ms},
        {.clock = {.time_ms = least_ms}},
        {.clock = {.time_ms = 1, .moves = 1}},
        {.mate = 1, .nodes = 50},
        {.nodes = 100, .lines = 3},
        {.infinite = true},
    };
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        Heard heard;
        search_prepare(engine->search, false);
        if (limits[i].infinite)
            search_stop(engine->search);
        engine_hear(engine, game, &limits[i], &heard);
    }
}

static Engine *walked;
static Profile walked_profile;

static void visit_position(Position *pos, Rng *rng) {
    if (rng_below(rng, 40) != 0)
        return;
    Game game = {.pos = *pos, .keys = {pos->key}, .key_count = 1};
    search_set_features(walked->search, features_of(walked_profile));
    search_in_no_time(walked, &game, 1);
    SearchResult result = engine_go(walked, &game, (Limits){.nodes = 1000});
    assert_true(result.nodes <= 1000 || result.depth <= 1);
    walked_profile = (walked_profile + 1) % PROFILE_NB;
}

static void test_random_positions(void **state) {
    walked = *state;
    walk(17, 6000, visit_position);
}

static void test_no_time(void **state) {
    Engine *engine = *state;
    for (Profile profile = 0; profile < PROFILE_NB; profile++) {
        search_set_features(engine->search, features_of(profile));
        for (size_t i = 0; i < WALK_STARTS; i++) {
            Game game;
            game_start(&game, walk_starts[i]);
            engine_forget(engine);
            search_in_no_time(engine, &game, 1);
        }
    }
}

static void test_limits_are_kept(void **state) {
    Engine *engine = *state;
    for (uint64_t nodes = 1000; nodes <= SIZED(64000, 16000); nodes *= 2) {
        Limits limits = {.nodes = nodes};
        assert_int_equal(engine_go_fen(engine, middle_game, limits).nodes, nodes);
    }
    for (int depth = 1; depth <= SIZED(8, 6); depth++) {
        Limits limits = {.depth = depth};
        assert_int_equal(engine_go_fen(engine, middle_game, limits).depth, depth);
    }
    // How much the search computes, not how long it takes: the machine may be busy.
    int64_t start = clock_now_ns();
    const clock_t computed = clock();
    engine_go_fen(engine, middle_game, (Limits){.move_ms = 50});
    assert_true(clock_seconds_since(start) >= 0.049);
    engine_go_fen(engine, middle_game, (Limits){.clock = {.time_ms = 290}});
    assert_true(clock() - computed < 5 * CLOCKS_PER_SEC);
}

// Where captures never end, the search still does.
static void test_many_queens(void **state) {
    Engine *engine = *state;
    static const char *const fens[] = {
        "1Q2Q1qk/qq4q1/Q3QQ1q/8/3QQ3/Q5q1/2Qqq2q/K7 w - - 0 1",
        "k2q1q1q/q1q1q1q1/1q6/8/8/6Q1/1Q1Q1Q1Q/Q1Q1Q2K w - - 0 1",
        "qqqqk3/qqqqq3/8/8/8/8/QQQQQ3/QQQQK3 w - - 0 1",
    };
    for (Profile profile = 0; profile < PROFILE_NB; profile++)
        for (size_t i = 0; i < sizeof fens / sizeof fens[0]; i++) {
            Game game;
            game_start(&game, fens[i]);
            search_set_features(engine->search, features_of(profile));
            assert_true(engine_go(engine, &game, (Limits){.nodes = 1}).nodes < 100000);
            search_in_no_time(engine, &game, 1);
        }
}

typedef struct Played {
    Move best[24];
    int scores[24];
    uint64_t nodes[24];
} Played;

// A game against itself at a fixed number of nodes per move.
static void play_game(Engine *engine, uint64_t nodes, Played *played) {
    Game game;
    game_start(&game, middle_game);
    *played = (Played){0};
    for (size_t i = 0; i < sizeof played->best / sizeof played->best[0]; i++) {
        SearchResult result = engine_go(engine, &game, (Limits){.nodes = nodes + 100 * i});
        played->best[i] = result.best;
        played->scores[i] = result.score;
        played->nodes[i] = result.nodes;
        if (result.best == MOVE_NONE)
            return;
        game_play(&game, result.best);
    }
}

static void test_games_are_reproducible(void **state) {
    Engine *engine = *state;
    for (Profile profile = 0; profile < PROFILE_NB; profile++) {
        Played first, again, fresh;
        search_set_features(engine->search, features_of(profile));
        engine_forget(engine);
        play_game(engine, 4000, &first);
        engine_forget(engine);
        play_game(engine, 4000, &again);
        assert_memory_equal(&first, &again, sizeof first);
        Engine other = engine_open();
        search_set_features(other.search, features_of(profile));
        play_game(&other, 4000, &fresh);
        assert_memory_equal(&first, &fresh, sizeof first);
        engine_close(&other);
    }
}

static void test_depths_are_reproducible(void **state) {
    Engine *engine = *state;
    for (size_t i = 0; i < WALK_STARTS; i++) {
        Limits limits = {.depth = SIZED(6, 5), .nodes = 100000};
        SearchResult first = engine_go_fen(engine, walk_starts[i], limits);
        SearchResult again = engine_go_fen(engine, walk_starts[i], limits);
        assert_int_equal(first.nodes, again.nodes);
        assert_int_equal(first.best, again.best);
        assert_int_equal(first.score, again.score);
    }
}

static void test_caches_change_nothing(void **state) {
    Engine *engine = *state;
    for (Profile profile = 0; profile < PROFILE_NB; profile++) {
        Played with, without, with_again;
        search_set_features(engine->search, features_of(profile));
        engine_forget(engine);
        play_game(engine, 5000, &with);
        search_set_caching(engine->search, false);
        engine_forget(engine);
        play_game(engine, 5000, &without);
        search_set_caching(engine->search, true);
        engine_forget(engine);
        play_game(engine, 5000, &with_again);
        assert_memory_equal(&with, &without, sizeof with);
        assert_memory_equal(&with, &with_again, sizeof with);
    }
}

// Other weights than the default: every term half-way to its upper bound.
static void set_odd_weights(Engine *engine) {
    const Family *family = engine->weights.family;
    for (size_t i = 0; i < family->term_count; i++) {
        int middle = (engine->weights.parameters[i] + family->terms[i].high) / 2;
        engine->weights.parameters[i] = middle;
    }
    search_set_weights(engine->search, &engine->weights);
}

static void test_engines_do_not_disturb_each_other(void **state) {
    Engine *plain = *state;
    Engine odd = engine_open();
    set_odd_weights(&odd);
    enum { SEARCHES = 16 };
    SearchResult alone[2][SEARCHES];
    Limits limits = {.nodes = 3000};
    Game games[SEARCHES];
    for (int i = 0; i < SEARCHES; i++)
        game_start(&games[i], i % 2 == 0 ? middle_game : walk_starts[i % WALK_STARTS]);
    for (int i = 0; i < SEARCHES; i++)
        alone[0][i] = engine_go(plain, &games[i], limits);
    for (int i = 0; i < SEARCHES; i++)
        alone[1][i] = engine_go(&odd, &games[i], limits);
    engine_forget(plain);
    engine_forget(&odd);
    bool differ = false;
    for (int i = 0; i < SEARCHES; i++) {
        SearchResult a = engine_go(plain, &games[i], limits);
        SearchResult b = engine_go(&odd, &games[i], limits);
        assert_int_equal(a.best, alone[0][i].best);
        assert_int_equal(a.score, alone[0][i].score);
        assert_int_equal(a.nodes, alone[0][i].nodes);
        assert_int_equal(b.best, alone[1][i].best);
        assert_int_equal(b.score, alone[1][i].score);
        assert_int_equal(b.nodes, alone[1][i].nodes);
        differ |= a.score != b.score;
    }
    assert_true(differ);
    engine_close(&odd);
}

static void test_weights_can_change(void **state) {
    Engine *engine = *state;
    Engine odd = engine_open();
    Played expected, got;
    set_odd_weights(&odd);
    play_game(&odd, 2000, &expected);
    engine_close(&odd);
    play_game(engine, 2000, &got);
    assert_memory_not_equal(&expected, &got, sizeof got);
    set_odd_weights(engine);
    engine_forget(engine);
    play_game(engine, 2000, &got);
    assert_memory_equal(&expected, &got, sizeof got);
}

static void test_threads(void **state) {
    Engine *engine = *state;
    for (unsigned threads = 1; threads <= 4; threads *= 2) {
        search_set_threads(engine->search, threads);
        for (size_t i = 0; i < WALK_STARTS; i++) {
            Game game;
            game_start(&game, walk_starts[i]);
            search_in_no_time(engine, &game, 1);
            engine_go(engine, &game, (Limits){.depth = 4});
            SearchResult result = engine_go(engine, &game, (Limits){.nodes = 3000});
            assert_true(result.nodes >= 3000 || result.best == MOVE_NONE);
        }
        // No depth: which one finds the shortest mate depends on how threads meet in the table.
        SearchResult mate =
            engine_go_fen(engine, "4r2k/6pp/8/6N1/2Q5/8/6PP/7K w - - 0 1", (Limits){.mate = 4});
        assert_int_equal(mate.score, score_mate_in(7));
    }
}

typedef struct Stopper {
    Search *search;
    int spins;
    _Atomic bool ready, stopped;
} Stopper;

static void *stop_soon(void *context) {
    Stopper *stopper = context;
    while (!atomic_load(&stopper->ready))
        ;
    for (int i = 0; i < stopper->spins; i++)
        atomic_load(&stopper->ready);
    atomic_store(&stopper->stopped, true);
    search_ponderhit(stopper->search);
    search_stop(stopper->search);
    return NULL;
}

// From at once to some time later, on several threads; a search that has reached its depth waits.
static void test_stops_from_another_thread(void **state) {
    Engine *engine = *state;
    Game game;
    game_start(&game, middle_game);
    for (int i = 0; i < 48; i++) {
        if (i % 16 == 0)
            search_set_threads(engine->search, 1u << i / 16);
        Limits limits = {.infinite = i % 2 == 0, .ponder = i % 2 != 0, .lines = i % 3};
        limits.depth = i % 5 == 0 ? 2 : 0;
        Stopper stopper = {.search = engine->search, .spins = i % 4 * 50000};
        Heard heard;
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, stop_soon, &stopper), 0);
        search_prepare(engine->search, limits.ponder);
        atomic_store(&stopper.ready, true);
        engine_hear(engine, &game, &limits, &heard);
        assert_true(atomic_load(&stopper.stopped));
        pthread_join(thread, NULL);
    }
}

// Hit before the search began: the clock runs from the start.
static void test_ponderhit_starts_the_clock(void **state) {
    Engine *engine = *state;
    Game game;
    Heard heard;
    Limits limits = {.ponder = true, .move_ms = 20};
    game_start(&game, middle_game);
    search_prepare(engine->search, true);
    search_ponderhit(engine->search);
    engine_hear(engine, &game, &limits, &heard);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_search_moves),
        TEST(test_lines_are_distinct_and_sorted),
        TEST(test_random_positions),
        TEST(test_no_time),
        TEST(test_many_queens),
        TEST(test_limits_are_kept),
        TEST(test_games_are_reproducible),
        TEST(test_depths_are_reproducible),
        TEST(test_caches_change_nothing),
        TEST(test_engines_do_not_disturb_each_other),
        TEST(test_weights_can_change),
        TEST(test_threads),
        TEST(test_stops_from_another_thread),
        TEST(test_ponderhit_starts_the_clock),
    };
    sized_to_threads("*thread*");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
