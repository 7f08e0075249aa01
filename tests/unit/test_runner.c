// SPDX-License-Identifier: GPL-3.0-or-later
// Matches of fake engines: the order of results, faults, breaking off, tournaments of many,
// openings with moves, and stopping when a test is decided.
#include "match/play/runner.h"

#include "chess/fen.h"
#include "chess/pgn.h"
#include "match/play/game_text.h"
#include "tests/unit/fakes.h"

#include <fcntl.h>
#include <stdlib.h>

typedef struct Log {
    uint64_t started, ended;
    bool in_order;
    uint64_t hash; // of all moves, in order
    uint64_t plies;
    Fault faults[64];
    int cancel_after, cancel_fd; // 0: never
    Str pgn;
} Log;

static void on_start(void *context, const MatchGame *game, uint64_t total) {
    Log *log = context;
    assert_int_equal(game->index, log->started);
    assert_true(game->index < total);
    log->started++;
}

static void on_end(void *context, const MatchGame *game, const GameRecord *record,
                   const Tally *tally) {
    Log *log = context;
    log->in_order = log->in_order && game->index == log->ended;
    if (game->index < 64)
        log->faults[game->index] = record->fault;
    log->ended++;
    log->plies += record->count;
    for (size_t i = 0; i < record->count; i++)
        log->hash = (log->hash ^ record->moves[i]) * 0x100000001B3u;
    assert_int_equal(tally->played, log->ended);
    if (log->cancel_after != 0 && log->ended == (uint64_t)log->cancel_after)
        assert_int_equal(write(log->cancel_fd, "x", 1), 1);
    GameSide sides[COLOR_NB] = {{.limits = {.depth = 1}}, {.limits = {.clock = {.time_ms = 1500}}}};
    GameNames names = {"test", "a \"b\"", "c", game->index + 1, sides, NULL, false};
    assert_int_equal(game_write_pgn(record, &names, &log->pgn), OK);
}

// What is left of a match when it is over.
typedef struct Outcome {
    uint64_t played;
    MeetingScore score; // of the first two
    FaultCounts faults[2];
    bool is_over;
    int winner;
} Outcome;

static Status play(const MatchConfig *config, Log *log, Outcome *out) {
    Match *match = match_new(config);
    MatchEvents events = {log, on_start, on_end};
    log->in_order = true;
    Status status = match_play(match, &events);
    const Tally *tally = match_tally(match);
    *out = (Outcome){.played = tally->played,
                     .score = tally_meeting(tally, 0, 1),
                     .faults = {tally->faults[0], tally->faults[1]},
                     .is_over = match_is_over(match),
                     .winner = match_winner(match)};
    match_free(match);
    assert_no_process();
    return status;
}

static Status run_match(const char *first, const char *second, MatchConfig *config, uint64_t games,
                        Log *log, Outcome *out) {
    EngineSpec specs[2] = {fake_spec(first, "depth=1"), fake_spec(second, "depth=1")};
    config->engines = specs;
    config->schedule = (ScheduleConfig){
        .kind = SCHEDULE_ROUND_ROBIN, .players = 2, .rounds = games / 2, .games = 2};
    if (config->cap_ms == 0)
        config->cap_ms = PATIENT_MS;
    config->rules.max_moves = 40;
    Status status = play(config, log, out);
    engine_spec_deinit(&specs[0]);
    engine_spec_deinit(&specs[1]);
    return status;
}

static void test_same_games_for_any_concurrency(void **state) {
    (void)state;
    uint64_t hash = 0;
    for (int concurrency = 1; concurrency <= 4; concurrency += 3) {
        MatchConfig config = {.concurrency = concurrency, .cancel_fd = -1};
        Log log = {0};
        Outcome got;
        assert_int_equal(run_match("", "", &config, 12, &log, &got), OK);
        assert_int_equal(log.ended, 12);
        assert_true(log.in_order && got.is_over);
        const GameCounts *games = &got.score.games;
        assert_int_equal(games->wins + games->losses + games->draws, 12);
        uint64_t pairs = 0;
        for (int i = 0; i < PAIR_RESULTS; i++)
            pairs += got.score.pairs.results[i];
        assert_int_equal(pairs, 6);
        // The same engine on both sides: each pair is the same game twice.
        assert_int_equal(got.score.pairs.results[2], 6);
        if (hash != 0)
            assert_int_equal(hash, log.hash);
        hash = log.hash;
        str_free(&log.pgn);
    }
}

static void test_written_games_can_be_read(void **state) {
    (void)state;
    MatchConfig config = {.concurrency = 1, .cancel_fd = -1};
    Log log = {0};
    Outcome got;
    assert_int_equal(run_match("", "illegal 7", &config, 2, &log, &got), OK);
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
    assert_int_equal(got.faults[1].of[FAULT_ILLEGAL], 1);
    assert_int_equal(pgn_parse(game, rest, true, &used), PGN_STEP_END);
    assert_int_equal(plies, log.plies);
    assert_null(strstr(log.pgn.text, "e1e5"));
    pgn_game_free(game);
    free(game);
    str_free(&log.pgn);
}

// Each kind of failure costs that game only. A fault recurs because the engine is started again.
static void check_faults(const char *mode, int64_t cap_ms, Fault fault) {
    Log log = {0};
    Outcome got;
    // A good engine that is beyond the cap had no processor: then both have more time.
    for (bool is_fair = false; !is_fair; cap_ms *= 4) {
        MatchConfig config = {.concurrency = 2, .cap_ms = cap_ms, .cancel_fd = -1};
        str_free(&log.pgn);
        log = (Log){0};
        assert_int_equal(run_match("", mode, &config, 4, &log, &got), OK);
        is_fair = got.faults[0].of[FAULT_STALLED] == 0 || cap_ms >= PATIENT_MS;
    }
    assert_int_equal(log.ended, 4);
    for (int i = 0; i < 4; i++)
        assert_int_equal(log.faults[i], fault);
    assert_int_equal(got.score.games.wins, 4);
    assert_int_equal(got.faults[1].of[fault], 4);
    assert_int_equal(fault_total(&got.faults[1]), 4);
    assert_int_equal(fault_total(&got.faults[0]), 0);
    str_free(&log.pgn);
}

static void test_faults(void **state) {
    (void)state;
    check_faults("crash 3", PATIENT_MS, FAULT_CRASHED);
    check_faults("exit 2", PATIENT_MS, FAULT_CRASHED);
    check_faults("close-output 2", PATIENT_MS, FAULT_CRASHED);
    check_faults("hang 2", 300, FAULT_STALLED);
}

static void test_hopeless_engines_end_the_match(void **state) {
    (void)state;
    static const char *const modes[] = {"crash-at-start", "exit 1"};
    for (size_t i = 0; i < 2; i++) {
        MatchConfig config = {.concurrency = 2, .cancel_fd = -1};
        Log log = {0};
        Outcome got;
        assert_int_equal(run_match(modes[i], "", &config, 1000, &log, &got), ERR_ENGINE);
        assert_true(log.ended < 100 && !got.is_over);
        str_free(&log.pgn);
    }
}

// Also one that says so only when it has moved.
static void test_refusing_late_ends_the_match(void **state) {
    (void)state;
    EngineSpec specs[2] = {fake_spec("", "depth=1"),
                           fake_spec_of("fake_xboard", "no-sd 3", "proto=xboard depth=1")};
    MatchConfig config = {.engines = specs,
                          .schedule = {SCHEDULE_ROUND_ROBIN, 2, 2, 2},
                          .concurrency = 1,
                          .cap_ms = PATIENT_MS,
                          .cancel_fd = -1};
    Log log = {0};
    Outcome got;
    assert_int_equal(play(&config, &log, &got), ERR_ENGINE);
    assert_non_null(strstr(error_message(), "does not know depth="));
    assert_int_equal(log.ended, 0);
    for (int i = 0; i < 2; i++)
        engine_spec_deinit(&specs[i]);
    str_free(&log.pgn);
}

static void test_cancelled(void **state) {
    (void)state;
    int fds[2];
    assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
    MatchConfig config = {.concurrency = 3, .cancel_fd = fds[0]};
    Log log = {.cancel_after = 5, .cancel_fd = fds[1]};
    Outcome got;
    assert_int_equal(run_match("", "", &config, 100000, &log, &got), OK);
    assert_true(got.played >= 5 && got.played < 100 && !got.is_over && log.in_order);
    assert_int_equal(got.played, log.ended);
    close(fds[0]);
    close(fds[1]);
    str_free(&log.pgn);
}

static void test_clock(void **state) {
    (void)state;
    EngineSpec specs[2] = {fake_spec("", "tc=9999"), fake_spec("late 150", "tc=2/0.25")};
    MatchConfig config = {.engines = specs,
                          .schedule = {SCHEDULE_ROUND_ROBIN, 2, 1, 2},
                          .concurrency = 2,
                          .cancel_fd = -1};
    Log log = {0};
    Outcome got;
    assert_int_equal(play(&config, &log, &got), OK);
    // Its first move takes 150 of 250 ms, or more on a busy machine; the second runs out.
    assert_int_equal(got.faults[1].of[FAULT_LATE], 2);
    assert_int_equal(got.faults[0].of[FAULT_LATE], 0);
    assert_true(log.plies <= 6);
    assert_non_null(strstr(log.pgn.text, "loses on time"));
    for (int i = 0; i < 2; i++)
        engine_spec_deinit(&specs[i]);
    str_free(&log.pgn);
}

// Every kind of tournament, with more engines than a thread may keep running.
static void test_tournaments_of_many(void **state) {
    (void)state;
    enum { PLAYERS = 5 };
    static const uint64_t games[] = {20, 8, 8, 8};
    // At 13 a thread has seats for two engines only.
    static const int concurrency[][2] = {{13, 2}, {13, 2}, {1, 4}, {1, 4}};
    EngineSpec specs[PLAYERS];
    for (int i = 0; i < PLAYERS; i++)
        specs[i] = fake_spec("", "depth=1");
    for (int kind = 0; kind < SCHEDULE_KIND_NB; kind++) {
        uint64_t hash = 0;
        for (int i = 0; i < 2; i++) {
            bool is_swiss = kind == SCHEDULE_SWISS;
            MatchConfig config = {.engines = specs,
                                  .schedule = {(ScheduleKind)kind, PLAYERS, is_swiss ? 2 : 1, 2},
                                  .concurrency = concurrency[kind][i],
                                  .rules = {.max_moves = 5},
                                  .cap_ms = PATIENT_MS,
                                  .cancel_fd = -1};
            Log log = {0};
            Outcome got;
            assert_int_equal(play(&config, &log, &got), OK);
            assert_true(got.is_over && log.in_order);
            // Equal engines draw all their matches: the first of a knock-out goes through.
            bool is_knockout = kind == SCHEDULE_KNOCKOUT;
            assert_int_equal(got.played,
                             games[kind] * (is_knockout ? 1 + SCHEDULE_EXTRA_PAIRS : 1));
            assert_int_equal(got.winner, is_knockout ? 0 : -1);
            assert_true(hash == 0 || hash == log.hash);
            hash = log.hash;
            str_free(&log.pgn);
        }
    }
    for (int i = 0; i < PLAYERS; i++)
        engine_spec_deinit(&specs[i]);
}

// The first game that is not among the first 16 * concurrency of the schedule waits for the
// slowest: nothing piles up behind a game that takes long, and nothing is lost.
static void test_one_slow_game(void **state) {
    (void)state;
    EngineSpec specs[3] = {fake_spec("", "depth=1"), fake_spec("", "depth=1"),
                           fake_spec("late 30", "depth=1")};
    MatchConfig config = {.engines = specs,
                          .schedule = {SCHEDULE_ROUND_ROBIN, 3, 8, 2},
                          .concurrency = 2,
                          .rules = {.max_moves = 2},
                          .cap_ms = PATIENT_MS,
                          .cancel_fd = -1};
    Log log = {0};
    Outcome got;
    assert_int_equal(play(&config, &log, &got), OK);
    assert_true(got.is_over && log.in_order);
    assert_int_equal(got.played, 48);
    for (int i = 0; i < 3; i++)
        engine_spec_deinit(&specs[i]);
    str_free(&log.pgn);
}

// A decided test ends the match at the same game for any number of threads.
static void test_decided_by_sprt(void **state) {
    (void)state;
    SprtConfig sprt = {.elo0 = 0, .elo1 = 100, .alpha = 0.05, .beta = 0.05};
    uint64_t played = 0;
    for (int concurrency = 1; concurrency <= 6; concurrency += 5) {
        MatchConfig config = {.concurrency = concurrency, .sprt = &sprt, .cancel_fd = -1};
        Log log = {0};
        Outcome got;
        assert_int_equal(run_match("", "illegal-always", &config, 2000, &log, &got), OK);
        assert_true(got.is_over);
        assert_true(got.played > 2 && got.played < 100);
        assert_int_equal(sprt_from_pairs(&sprt, &got.score.pairs).verdict, SPRT_H1);
        assert_true(played == 0 || played == got.played);
        played = got.played;
        str_free(&log.pgn);
    }
}

// Games that were played before are taken for played: the rest is what it would have been.
static void test_recalled_games(void **state) {
    (void)state;
    EngineSpec specs[2] = {fake_spec("", "depth=1"), fake_spec("illegal-always", "depth=1")};
    MatchConfig config = {.engines = specs,
                          .schedule = {SCHEDULE_ROUND_ROBIN, 2, 4, 2},
                          .concurrency = 2,
                          .cap_ms = PATIENT_MS,
                          .cancel_fd = -1};
    Match *match = match_new(&config);
    for (int i = 0; i < 3; i++) {
        MatchGame game;
        assert_true(match_recall(match, &game));
        assert_int_equal(game.index, i);
        match_recall_result(match, &game, game.white == 0 ? RESULT_WHITE_WINS : RESULT_BLACK_WINS,
                            FAULT_ILLEGAL);
    }
    Log log = {.started = 3, .ended = 3};
    MatchEvents events = {&log, on_start, on_end};
    assert_int_equal(match_play(match, &events), OK);
    assert_true(match_is_over(match));
    assert_int_equal(match_tally(match)->faults[1].of[FAULT_ILLEGAL], 8);
    MeetingScore score = tally_meeting(match_tally(match), 1, 0);
    assert_int_equal(score.games.losses, 8);
    assert_int_equal(score.pairs.results[0], 4);
    match_free(match);
    for (int i = 0; i < 2; i++)
        engine_spec_deinit(&specs[i]);
    str_free(&log.pgn);
    assert_no_process();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_games_for_any_concurrency),
        cmocka_unit_test(test_written_games_can_be_read),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_hopeless_engines_end_the_match),
        cmocka_unit_test(test_refusing_late_ends_the_match),
        cmocka_unit_test(test_cancelled),
        cmocka_unit_test(test_clock),
        cmocka_unit_test(test_tournaments_of_many),
        cmocka_unit_test(test_one_slow_game),
        cmocka_unit_test(test_decided_by_sprt),
        cmocka_unit_test(test_recalled_games),
    };
    chess_init();
    return cmocka_run_group_tests(tests, adopt_orphans, NULL);
}
