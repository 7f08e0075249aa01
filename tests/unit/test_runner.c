// SPDX-License-Identifier: GPL-3.0-or-later
// Matches of fake engines: the schedule, the order of results, faults, and breaking off.
#include "match/runner.h"

#include "chess/fen.h"
#include "chess/pgn.h"
#include "match/game_pgn.h"
#include "tests/unit/fakes.h"

#include <fcntl.h>
#include <stdlib.h>

typedef struct Log {
    uint64_t started, ended;
    bool in_order;
    uint64_t hash; // of all moves, in order
    uint64_t plies;
    Ending endings[64];
    int cancel_after, cancel_fd; // 0: never
    Str pgn;
} Log;

static void on_start(void *context, const MatchGame *game) {
    Log *log = context;
    assert_int_equal(game->index, log->started);
    log->started++;
}

static void on_end(void *context, const MatchGame *game, const GameRecord *record,
                   const MatchScore *score) {
    Log *log = context;
    log->in_order = log->in_order && game->index == log->ended;
    if (game->index < 64)
        log->endings[game->index] = record->ending;
    log->ended++;
    log->plies += record->count;
    for (size_t i = 0; i < record->count; i++)
        log->hash = (log->hash ^ record->moves[i]) * 0x100000001B3u;
    assert_int_equal(score->played, log->ended);
    if (log->cancel_after != 0 && log->ended == (uint64_t)log->cancel_after)
        assert_int_equal(write(log->cancel_fd, "x", 1), 1);
    GameSide sides[COLOR_NB] = {{.limits = {.depth = 1}}, {.limits = {.time_ms = 1500}}};
    GameNames names = {"test", "a \"b\"", "c", game->index + 1, sides};
    assert_int_equal(game_write_pgn(record, &names, &log->pgn), OK);
}

static Status run_match(const char *first, const char *second, MatchConfig *config, Log *log,
                        MatchScore *score) {
    EngineSpec specs[2] = {fake_spec(first, "depth=1"), fake_spec(second, "depth=1")};
    config->engines[0] = &specs[0];
    config->engines[1] = &specs[1];
    if (config->cap_ms == 0)
        config->cap_ms = 5000;
    config->rules.max_moves = 40;
    log->in_order = true;
    MatchEvents events = {log, on_start, on_end};
    Status status = match_run(config, &events, score);
    engine_spec_deinit(&specs[0]);
    engine_spec_deinit(&specs[1]);
    assert_no_process();
    return status;
}

static void test_schedule(void **state) {
    (void)state;
    for (uint64_t i = 0; i < 10; i++) {
        MatchGame game = match_game_at(i);
        assert_int_equal(game.opening, i / 2);
        assert_int_equal(game.white, i % 2);
    }
}

static void test_same_games_for_any_concurrency(void **state) {
    (void)state;
    uint64_t hash = 0;
    for (int concurrency = 1; concurrency <= 4; concurrency += 3) {
        MatchConfig config = {.games = 12, .concurrency = concurrency, .cancel_fd = -1};
        Log log = {0};
        MatchScore score;
        assert_int_equal(run_match("", "", &config, &log, &score), OK);
        assert_int_equal(log.ended, 12);
        assert_true(log.in_order);
        assert_int_equal(score.games.wins + score.games.losses + score.games.draws, 12);
        uint64_t pairs = 0;
        for (int i = 0; i < PAIR_RESULTS; i++)
            pairs += score.pairs.results[i];
        assert_int_equal(pairs, 6);
        // The same engine on both sides: each pair is the same game twice.
        assert_int_equal(score.pairs.results[2], 6);
        if (hash != 0)
            assert_int_equal(hash, log.hash);
        hash = log.hash;
        str_free(&log.pgn);
    }
}

static void test_written_games_can_be_read(void **state) {
    (void)state;
    MatchConfig config = {.games = 2, .concurrency = 1, .cancel_fd = -1};
    Log log = {0};
    MatchScore score;
    assert_int_equal(run_match("", "illegal 7", &config, &log, &score), OK);
    PgnGame *game = calloc(1, sizeof *game);
    StrView rest = view_of(log.pgn.text, log.pgn.length);
    size_t used;
    uint64_t plies = 0;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(pgn_parse(game, rest, true, &used), PGN_STEP_GAME);
        assert_int_equal(game->problem.kind, PGN_FINE);
        assert_true(view_equals(pgn_tag(game, "White"), "a \"b\""));
        // The engine lives on after its illegal move, and its second game is a proper one.
        assert_int_equal(view_equals(pgn_tag(game, "Termination"), "illegal move"), i == 0);
        plies += game->move_count;
        rest = view_of(rest.text + used, rest.length - used);
    }
    assert_int_equal(score.faults[1].illegal, 1);
    assert_int_equal(pgn_parse(game, rest, true, &used), PGN_STEP_END);
    assert_int_equal(plies, log.plies);
    assert_null(strstr(log.pgn.text, "e1e5"));
    pgn_game_free(game);
    free(game);
    str_free(&log.pgn);
}

// Each kind of failure costs that game only. A fault recurs because the engine is started again.
static void check_faults(const char *mode, Ending ending, MatchFaults expected) {
    MatchConfig config = {.games = 4, .concurrency = 2, .cap_ms = 300, .cancel_fd = -1};
    Log log = {0};
    MatchScore score;
    assert_int_equal(run_match("", mode, &config, &log, &score), OK);
    assert_int_equal(log.ended, 4);
    for (int i = 0; i < 4; i++)
        assert_int_equal(log.endings[i], ending);
    assert_int_equal(score.games.wins, 4);
    assert_memory_equal(&score.faults[1], &expected, sizeof expected);
    assert_memory_equal(&score.faults[0], &(MatchFaults){0}, sizeof expected);
    str_free(&log.pgn);
}

static void test_faults(void **state) {
    (void)state;
    check_faults("crash 3", ENDING_CRASHED, (MatchFaults){.crashed = 4});
    check_faults("exit 2", ENDING_CRASHED, (MatchFaults){.crashed = 4});
    check_faults("close-output 2", ENDING_CRASHED, (MatchFaults){.crashed = 4});
    check_faults("hang 2", ENDING_STALLED, (MatchFaults){.stalled = 4});
}

static void test_hopeless_engines_end_the_match(void **state) {
    (void)state;
    static const char *const modes[] = {"crash-at-start", "exit 1"};
    for (size_t i = 0; i < 2; i++) {
        MatchConfig config = {.games = 1000, .concurrency = 2, .cancel_fd = -1};
        Log log = {0};
        MatchScore score;
        assert_int_equal(run_match(modes[i], "", &config, &log, &score), ERR_ENGINE);
        assert_true(log.ended < 100);
        str_free(&log.pgn);
    }
}

static void test_cancelled(void **state) {
    (void)state;
    int fds[2];
    assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
    MatchConfig config = {.games = 100000, .concurrency = 3, .cancel_fd = fds[0]};
    Log log = {.cancel_after = 5, .cancel_fd = fds[1]};
    MatchScore score;
    assert_int_equal(run_match("", "", &config, &log, &score), OK);
    assert_true(score.played >= 5 && score.played < 100);
    assert_int_equal(score.played, log.ended);
    close(fds[0]);
    close(fds[1]);
    str_free(&log.pgn);
}

static void test_clock(void **state) {
    (void)state;
    EngineSpec specs[2] = {fake_spec("", "tc=5"), fake_spec("late 150", "tc=2/0.25")};
    MatchConfig config = {
        .engines = {&specs[0], &specs[1]}, .games = 2, .concurrency = 2, .cancel_fd = -1};
    Log log = {.in_order = true};
    MatchScore score;
    MatchEvents events = {&log, on_start, on_end};
    assert_int_equal(match_run(&config, &events, &score), OK);
    // Its first move takes 150 of 250 ms; the second runs out.
    assert_int_equal(score.faults[1].late, 2);
    assert_true(log.plies >= 4 && log.plies <= 6);
    assert_non_null(strstr(log.pgn.text, "loses on time"));
    for (int i = 0; i < 2; i++)
        engine_spec_deinit(&specs[i]);
    str_free(&log.pgn);
    assert_no_process();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_schedule),
        cmocka_unit_test(test_same_games_for_any_concurrency),
        cmocka_unit_test(test_written_games_can_be_read),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_hopeless_engines_end_the_match),
        cmocka_unit_test(test_cancelled),
        cmocka_unit_test(test_clock),
    };
    chess_init();
    return cmocka_run_group_tests(tests, adopt_orphans, NULL);
}
