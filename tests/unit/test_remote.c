// SPDX-License-Identifier: GPL-3.0-or-later
// Matches, labels and suites on ranks that are threads: the same as on one, whatever engines do,
// and no engine is left behind.
#include "chess/fen.h"
#include "chess/san.h"
#include "data/label/label.h"
#include "data/label/label_ask.h"
#include "match/play/match_worker.h"
#include "match/play/runner.h"
#include "suite/suite_file.h"
#include "suite/suite_run.h"
#include "tests/unit/fakes.h"
#include "tests/unit/testing.h"
#include "tests/unit/thread_ranks.h"

#include <fcntl.h>

enum { RANKS_MAX = 4, POSITIONS = 24 };

static const DistService *const services[] = {&match_service, &label_service, &suite_service};

// Ranks 1 and above; NULL for a world of one. Close with home().
static ThreadRanks *away(int ranks) {
    return ranks == 1 ? NULL : thread_ranks_open(ranks, services, 3);
}
static void home(ThreadRanks *all) {
    if (all != NULL)
        thread_ranks_close(all);
    assert_no_process();
}
static DistRanks *ranks_of(const ThreadRanks *all) {
    return all == NULL ? NULL : all->others;
}

// --- matches ---

typedef struct Log {
    uint64_t started, ended, hash;
    uint64_t crashed;
    uint64_t cancel_at; // the start of that game; 0: never
    int cancel_fd;
} Log;

static void on_start(void *context, const MatchGame *game, uint64_t total) {
    Log *log = context;
    assert_int_equal(game->index, log->started++);
    assert_true(game->index < total);
    if (log->started == log->cancel_at)
        assert_int_equal(write(log->cancel_fd, "x", 1), 1);
}

static void on_end(void *context, const MatchGame *game, const GameRecord *record,
                   const Tally *tally) {
    Log *log = context;
    (void)tally;
    assert_int_equal(game->index, log->ended++);
    log->crashed += record->fault == FAULT_CRASHED;
    log->hash = log->hash * 31 + record->ending;
    for (size_t i = 0; i < record->count; i++)
        log->hash = (log->hash ^ record->moves[i]) * 0x100000001B3u;
}

typedef struct Players {
    const char *modes[3];
    int count;
} Players;

static Status play(const Players *players, MatchConfig *config, int ranks, Log *log,
                   bool *is_over) {
    EngineSpec specs[3];
    ThreadRanks *all = away(ranks);
    const MatchEvents events = {log, on_start, on_end};
    for (int i = 0; i < players->count; i++)
        specs[i] = fake_spec(players->modes[i], "depth=1");
    config->engines = specs;
    config->schedule.players = players->count;
    config->ranks = ranks_of(all);
    config->concurrency = config->concurrency == 0 ? 1 : config->concurrency;
    config->rules.max_moves = 12;
    config->cap_ms = PATIENT_MS;
    config->cancel_fd = log->cancel_at == 0 ? -1 : config->cancel_fd;
    Match *match = match_new(config);
    const Status status = match_play(match, &events);
    *is_over = match_is_over(match);
    match_free(match);
    home(all);
    for (int i = 0; i < players->count; i++)
        engine_spec_deinit(&specs[i]);
    return status;
}

// The same games for any number of ranks.
static void assert_same_match(const Players *players, MatchConfig config) {
    uint64_t hash = 0;
    for (int ranks = 1; ranks <= RANKS_MAX; ranks++) {
        Log log = {0};
        MatchConfig copy = config;
        bool is_over;
        copy.concurrency = ranks % 2 + 1;
        assert_int_equal(play(players, &copy, ranks, &log, &is_over), OK);
        assert_true(is_over && log.ended > 0);
        assert_true(hash == 0 || hash == log.hash);
        hash = log.hash;
    }
}

static void test_matches_are_the_same(void **state) {
    (void)state;
    const Players two = {{"", ""}, 2}, three = {{"", "history", ""}, 3};
    assert_same_match(&two, (MatchConfig){.schedule = {SCHEDULE_ROUND_ROBIN, 0, 6, 2}});
    assert_same_match(&three, (MatchConfig){.schedule = {SCHEDULE_SWISS, 0, 2, 2}});
    assert_same_match(&three, (MatchConfig){.schedule = {SCHEDULE_KNOCKOUT, 0, 1, 2}});
}

static void test_a_decided_test_ends_them(void **state) {
    (void)state;
    const SprtConfig sprt = {.elo0 = 0, .elo1 = 100, .alpha = 0.05, .beta = 0.05};
    const Players players = {{"", "illegal-always"}, 2};
    assert_same_match(&players,
                      (MatchConfig){.schedule = {SCHEDULE_ROUND_ROBIN, 0, 500, 2}, .sprt = &sprt});
}

static void test_a_crash_costs_that_game(void **state) {
    (void)state;
    const Players players = {{"", "crash 3"}, 2};
    Log log = {0};
    bool is_over;
    MatchConfig config = {.schedule = {SCHEDULE_ROUND_ROBIN, 0, 4, 2}};
    assert_int_equal(play(&players, &config, 3, &log, &is_over), OK);
    assert_true(is_over);
    assert_int_equal(log.crashed, 8);
}

static void test_hopeless_engines_end_it(void **state) {
    (void)state;
    const Players players = {{"crash-at-start", ""}, 2};
    Log log = {0};
    bool is_over;
    MatchConfig config = {.schedule = {SCHEDULE_ROUND_ROBIN, 0, 1000, 2}};
    assert_int_equal(play(&players, &config, 3, &log, &is_over), ERR_ENGINE);
    assert_true(log.ended < 100 && !is_over);
}

static void test_matches_are_cancelled(void **state) {
    (void)state;
    int fds[2];
    assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
    // Every rank has an engine that hangs by then, or soon.
    const Players players = {{"", "hang 2"}, 2};
    Log log = {.cancel_at = RANKS_MAX, .cancel_fd = fds[1]};
    bool is_over;
    MatchConfig config = {.schedule = {SCHEDULE_ROUND_ROBIN, 0, 5000, 2}, .cancel_fd = fds[0]};
    assert_int_equal(play(&players, &config, RANKS_MAX, &log, &is_over), OK);
    assert_true(log.ended < RANKS_MAX && !is_over);
    close(fds[0]);
    close(fds[1]);
}

// --- labels ---

static Status label(const char *mode, int ranks, Str *out, LabelTally *tally) {
    char path[TESTING_PATH];
    LabelSet set;
    Mentor mentor;
    LabelCounts counts;
    EngineSpec spec = fake_spec(mode, "depth=1");
    ThreadRanks *all = away(ranks);
    testing_path(path, "in.epd");
    assert_int_equal(label_set_load(&set, path), OK);
    testing_path(path, "out.epd");
    assert_int_equal(mentor_prepare(&mentor, &spec, 1, -1), OK);
    const LabelConfig config = {.mentor = &mentor,
                                .ranks = ranks_of(all),
                                .concurrency = 1,
                                .rank_concurrency = 1,
                                .cap_ms = PATIENT_MS,
                                .cancel_fd = -1};
    const Status status = label_run(&set, &config, tally);
    if (status == OK) {
        assert_int_equal(label_set_write(&set, path, &(LabelSource){"Fake", "", 1}, &counts), OK);
        assert_int_equal(file_read(path, 1 << 20, out), OK);
    }
    label_set_free(&set);
    mentor_free(&mentor);
    engine_spec_deinit(&spec);
    home(all);
    return status;
}

// A file of positions, in both forms.
static void write_positions(void) {
    char path[TESTING_PATH];
    Str labels = {0}, suite = {0};
    PgnGame game = {0};
    for (uint32_t i = 0; i < POSITIONS; i++) {
        Rng rng = rng_at(5, i, 0, 0);
        char fen[FEN_SIZE];
        Move move;
        do {
            testing_random_game(&game, &rng, 4 + i);
            move = MOVE_NONE;
            Move moves[MOVES_MAX];
            if (movegen(&game.final, MOVES_ALL, moves) > 0)
                move = moves[0];
        } while (move == MOVE_NONE);
        char san[SAN_SIZE];
        fen_write_board(&game.final, fen);
        san_write(&game.final, move, san);
        str_addf(&labels, "%s id \"%u\";\n", fen, i);
        str_addf(&suite, "%s %s %s; id \"p.%u\"; c0 \"%s=10\";\n", fen, i % 2 == 0 ? "bm" : "am",
                 san, i, san);
    }
    testing_write(path, "in.epd", labels.text, labels.length);
    testing_write(path, "suite.epd", suite.text, suite.length);
    pgn_game_free(&game);
    str_free(&labels);
    str_free(&suite);
}

static void test_labels_are_the_same(void **state) {
    (void)state;
    static const char *const modes[] = {"history", "crash 5", "poison"};
    for (int i = 0; i < 3; i++) {
        Str one = {0};
        LabelTally tally;
        assert_int_equal(label(modes[i], 1, &one, &tally), OK);
        for (int ranks = 2; ranks <= RANKS_MAX; ranks += 2) {
            Str many = {0};
            assert_int_equal(label(modes[i], ranks, &many, &tally), OK);
            assert_string_equal(str_text(&one), str_text(&many));
            assert_true(tally.asked + tally.failed > 0 && !tally.is_cancelled);
            str_free(&many);
        }
        str_free(&one);
    }
}

static void test_failing_mentors_are_given_up(void **state) {
    (void)state;
    Str none = {0};
    LabelTally tally;
    assert_int_equal(label("illegal-always", 2, &none, &tally), ERR_ENGINE);
    assert_non_null(strstr(error_message(), "times in a row; the last time: fake: illegal move"));
    assert_false(tally.is_cancelled);
}

static void test_trials_come_back(void **state) {
    (void)state;
    LabelTrial trial = {.failures = 2, .hangs = 1}, again;
    Str bytes = {0};
    str_add(&trial.text, "no answer");
    label_trial_pack(&trial, &bytes);
    assert_int_equal(label_trial_unpack(view_of(bytes.text, bytes.length), &again), OK);
    assert_false(again.is_answered);
    assert_int_equal(again.failures, 2);
    assert_int_equal(again.hangs, 1);
    assert_string_equal(str_text(&again.text), "no answer");
    str_free(&again.text);
    for (size_t length = 0; length < bytes.length; length++)
        assert_int_equal(label_trial_unpack(view_of(bytes.text, length), &again), ERR_PARSE);
    str_free(&trial.text);
    str_free(&bytes);
}

// --- suites ---

typedef struct Answers {
    const Suite *suite;
    Str text;
    size_t count, next, failed;
} Answers;

// Everything but times.
static void take_answer(void *context, size_t item, size_t engine, const SuiteAnswer *answer) {
    Answers *answers = context;
    SuiteAnswer timeless = *answer;
    timeless.elapsed_ms = timeless.solution_ms = 0;
    suite_line_write(&answers->suite->items[item], engine == 0 ? "a" : "b", &timeless,
                     &answers->text);
    // In order; when a run has stopped, some may be missing.
    assert_true(item * 2 + engine >= answers->next);
    answers->next = item * 2 + engine + 1;
    answers->count++;
    answers->failed += answer->error[0] != '\0';
}

static Status solve(const char *mode, int ranks, Answers *answers) {
    char path[TESTING_PATH];
    Suite suite;
    EngineSpec engines[2] = {fake_spec("wavers", "depth=4"), fake_spec(mode, "depth=4")};
    ThreadRanks *all = away(ranks);
    testing_path(path, "suite.epd");
    assert_int_equal(suite_load(&suite, path), OK);
    *answers = (Answers){.suite = &suite};
    const SuiteConfig config = {engines, 2, 1, -1, ranks_of(all)};
    const Status status = suite_run(&suite, &config, take_answer, answers);
    suite_free(&suite);
    for (int i = 0; i < 2; i++)
        engine_spec_deinit(&engines[i]);
    home(all);
    return status;
}

static void test_suites_are_the_same(void **state) {
    (void)state;
    Answers one, many;
    assert_int_equal(solve("mates", 1, &one), OK);
    assert_int_equal(one.count, 2 * POSITIONS);
    for (int ranks = 2; ranks <= RANKS_MAX; ranks++) {
        assert_int_equal(solve("mates", ranks, &many), OK);
        assert_string_equal(str_text(&one.text), str_text(&many.text));
        str_free(&many.text);
    }
    str_free(&one.text);
    // Engines that crash, once each, cost that position only.
    assert_int_equal(solve("crash 1", 3, &many), OK);
    assert_int_equal(many.count, 2 * POSITIONS);
    assert_int_equal(many.failed, POSITIONS);
    str_free(&many.text);
    assert_int_not_equal(solve("crash-at-start", 3, &many), OK);
    str_free(&many.text);
}

static void test_positions_and_answers_come_back(void **state) {
    (void)state;
    char path[TESTING_PATH];
    Suite suite;
    SuiteItem item;
    SuiteAnswer answer = {.move = 77,
                          .is_solved = true,
                          .is_mate = true,
                          .score = -3,
                          .nodes = UINT64_MAX,
                          .solution_ms = 5,
                          .error = "x"},
                answer_again;
    Str bytes = {0}, again = {0};
    testing_path(path, "suite.epd");
    assert_int_equal(suite_load(&suite, path), OK);
    suite_item_pack(&suite.items[3], &bytes);
    suite_answer_pack(&answer, &bytes);
    ByteReader in = {.rest = view_of(bytes.text, bytes.length)};
    suite_item_unpack(&in, &item);
    suite_answer_unpack(&in, &answer_again);
    assert_true(bytes_are_done(&in));
    assert_int_equal(item.grade_count, suite.items[3].grade_count);
    suite_item_pack(&item, &again);
    suite_answer_pack(&answer_again, &again);
    assert_int_equal(bytes.length, again.length);
    assert_memory_equal(bytes.text, again.text, bytes.length);
    for (size_t length = 0; length < bytes.length; length++) {
        in = (ByteReader){.rest = view_of(bytes.text, length)};
        suite_item_unpack(&in, &item);
        suite_answer_unpack(&in, &answer_again);
        assert_false(bytes_are_done(&in));
    }
    suite_free(&suite);
    str_free(&bytes);
    str_free(&again);
}

static int set_up(void **state) {
    if (testing_set_up(state) != 0)
        return 1;
    write_positions();
    return adopt_orphans(state);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_matches_are_the_same),
        cmocka_unit_test(test_a_decided_test_ends_them),
        cmocka_unit_test(test_a_crash_costs_that_game),
        cmocka_unit_test(test_hopeless_engines_end_it),
        cmocka_unit_test(test_matches_are_cancelled),
        cmocka_unit_test(test_labels_are_the_same),
        cmocka_unit_test(test_failing_mentors_are_given_up),
        cmocka_unit_test(test_trials_come_back),
        cmocka_unit_test(test_suites_are_the_same),
        cmocka_unit_test(test_positions_and_answers_come_back),
    };
    return cmocka_run_group_tests(tests, set_up, testing_tear_down);
}
