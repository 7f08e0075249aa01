// SPDX-License-Identifier: GPL-3.0-or-later
// The random mover: legal moves, all of them, the same again for the same seed and game.
#include "match/play/player_create.h"

#include "base/error.h"
#include "chess/movegen.h"
#include "match/play/game.h"
#include "match/play/player_create.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { DRAWS = 2000, STARTING_MOVES = 20 };

static void play(uint64_t white_seed, uint64_t black_seed, GameRecord *out) {
    const Limits limits = {.nodes = 1};
    GameConfig config = {
        .sides = {{limits, 10}, {limits, 10}}, .rules = {.max_moves = 200}, .cap_ms = 60000};
    position_set_start(&config.start);
    Player white = player_random_create(white_seed, -1, "white");
    Player black = player_random_create(black_seed, -1, "black");
    GameRecord first;
    // The second game must not show that there was a first.
    game_play(&config, &black, &white, &first);
    game_record_deinit(&first);
    game_play(&config, &white, &black, out);
    assert_int_equal(out->detail[0], '\0');
    white.ops->close(white.self);
    black.ops->close(black.self);
}

static bool is_same(const GameRecord *a, const GameRecord *b) {
    return a->count == b->count && memcmp(a->moves, b->moves, a->count * sizeof a->moves[0]) == 0;
}

static void test_games_repeat_by_seed(void **state) {
    (void)state;
    GameRecord one, same, other;
    for (uint64_t seed = 0; seed < 10; seed++) {
        play(seed, seed + 1, &one);
        play(seed, seed + 1, &same);
        play(seed, seed + 2, &other);
        assert_true(is_same(&one, &same));
        assert_false(is_same(&one, &other));
        game_record_deinit(&one);
        game_record_deinit(&same);
        game_record_deinit(&other);
    }
}

static size_t index_of(const Position *pos, Move move) {
    Move moves[MOVES_MAX];
    const size_t count = movegen(pos, MOVES_ALL, moves);
    for (size_t i = 0; i < count; i++)
        if (moves[i] == move)
            return i;
    fail_msg("not a legal move");
    return 0;
}

static void test_all_moves_are_equally_likely(void **state) {
    (void)state;
    Position start;
    int counts[STARTING_MOVES] = {0};
    const Limits limits = {0};
    position_set_start(&start);
    for (uint64_t seed = 0; seed < DRAWS; seed++) {
        Player player = player_random_create(seed, -1, "random");
        PlayerAnswer answer;
        assert_int_equal(player.ops->new_game(player.self, &start), FAULT_NONE);
        assert_int_equal(player.ops->think(player.self, &start, &limits, NULL, &answer),
                         FAULT_NONE);
        counts[index_of(&start, answer.move)]++;
        player.ops->close(player.self);
    }
    // Five deviations of a count around its mean of 100.
    for (int i = 0; i < STARTING_MOVES; i++)
        assert_in_range(counts[i], 51, 149);
}

static Status create(const char *words) {
    EngineSpec spec = engine_spec_init();
    Player player;
    assert_int_equal(engine_spec_parse(&spec, words), OK);
    assert_int_equal(engine_spec_finish(&spec), OK);
    Status status = player_create(&player, &spec, -1);
    if (status == OK)
        player.ops->close(player.self);
    engine_spec_deinit(&spec);
    return status;
}

static void test_descriptions(void **state) {
    (void)state;
    assert_int_equal(create("weights=random nodes=1"), OK);
    assert_int_equal(create("weights=random nodes=1 option.Seed=7"), OK);
    assert_int_equal(create("weights=random nodes=1 option.Seed=x"), ERR_ARG);
    assert_int_equal(create("weights=random nodes=1 option.Seed=-1"), ERR_ARG);
    assert_int_equal(create("weights=random nodes=1 option.Hash=1"), ERR_ARG);
}

static int set_up(void **state) {
    (void)state;
    chess_init();
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_games_repeat_by_seed),
        cmocka_unit_test(test_all_moves_are_equally_likely),
        cmocka_unit_test(test_descriptions),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
