// SPDX-License-Identifier: GPL-3.0-or-later
// A program that was stopped and goes on: who waits waits anew, and what was timed is done again.
#include "base/suspend.h"

#include "base/deadline.h"
#include "chess/fen.h"
#include "data/label/label_ask.h"
#include "match/play/game.h"
#include "match/play/player_create.h"
#include "suite/suite_run.h"
#include "tests/unit/fakes.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { THREADS = 8, ROUNDS = 200, GO = 3, CAP_MS = 120000 };

static char log_path[] = "/tmp/falconer-test-suspend-XXXXXX";

static void go_on(void) {
    assert_int_equal(kill(getpid(), SIGCONT), 0);
}

static void test_continues_are_counted(void **state) {
    (void)state;
    const uint64_t before = suspend_count();
    assert_int_equal(suspend_count(), before);
    go_on();
    assert_int_equal(suspend_count(), before + 1);
    assert_int_equal(suspend_count(), before + 1);
}

static void test_deadlines_start_anew(void **state) {
    (void)state;
    Deadline deadline = deadline_in_ms(CAP_MS);
    const int64_t first_ns = deadline.at_ns;
    assert_false(deadline_is_over(&deadline, first_ns));
    go_on();
    assert_false(deadline_is_over(&deadline, first_ns + 1));
    assert_true(deadline.at_ns > first_ns);
    assert_true(deadline_is_over(&deadline, deadline.at_ns + 1));
}

// --- threads ---

static atomic_uint_fast64_t counted; // what all must know by now
static atomic_bool is_over;

static void *look(void *unused) {
    (void)unused;
    bool is_behind = false;
    while (!atomic_load(&is_over)) {
        const uint64_t least = atomic_load(&counted);
        is_behind = is_behind || suspend_count() < least;
    }
    return is_behind ? "behind" : NULL;
}

// Whoever runs after the signal was sent knows of it, whoever takes it.
static void test_no_thread_is_behind(void **state) {
    (void)state;
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, look, NULL), 0);
    for (int i = 0; i < ROUNDS; i++) {
        const uint64_t before = suspend_count();
        go_on();
        atomic_store(&counted, before + 1);
        sched_yield();
    }
    atomic_store(&is_over, true);
    for (int i = 0; i < THREADS; i++) {
        void *problem;
        pthread_join(threads[i], &problem);
        assert_null(problem);
    }
}

// --- engines ---

// How many searches the engine was told to do.
static int count_searches(void) {
    char line[512];
    int count = 0;
    FILE *file = fopen(log_path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL)
        count += strncmp(line, "go", 2) == 0;
    fclose(file);
    return count;
}

static EngineSpec stopping_engine(int at_go, const char *words) {
    char mode[32];
    snprintf(mode, sizeof mode, "continue %d", at_go);
    assert_int_equal(truncate(log_path, 0), 0);
    return fake_spec(mode, words);
}

static GameRecord play(const char *words) {
    EngineSpec specs[COLOR_NB] = {stopping_engine(GO, words), fake_spec("", words)};
    Player players[COLOR_NB];
    GameConfig config = {.rules = {.max_moves = 10}, .cap_ms = CAP_MS};
    position_set_start(&config.start);
    for (int c = 0; c < COLOR_NB; c++) {
        assert_int_equal(player_create(&players[c], &specs[c], -1), OK);
        config.sides[c] = (GameSide){specs[c].limits, 0};
    }
    GameRecord record;
    game_play(&config, &players[WHITE], &players[BLACK], &record);
    for (int c = 0; c < COLOR_NB; c++) {
        players[c].ops->close(players[c].self);
        engine_spec_deinit(&specs[c]);
    }
    assert_no_process();
    return record;
}

static void test_games_against_the_clock_are_played_again(void **state) {
    (void)state;
    GameRecord plain = play("depth=1"), timed = play("tc=1000"), by_move = play("st=1000");
    const int ours = 10, theirs = 10, cut = 2 * GO - 1;
    assert_int_equal(plain.replays, 0);
    assert_int_equal(plain.count, ours + theirs);
    assert_int_equal(count_searches(), cut + ours + theirs);
    const GameRecord *const again[] = {&timed, &by_move};
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(again[i]->replays, 1);
        assert_int_equal(again[i]->ending, ENDING_TOO_LONG);
        assert_int_equal(again[i]->count, plain.count);
        assert_memory_equal(again[i]->moves, plain.moves, plain.count * sizeof *plain.moves);
    }
    game_record_deinit(&plain);
    game_record_deinit(&timed);
    game_record_deinit(&by_move);
}

static void check_label(const char *words, int searches) {
    EngineSpec spec = stopping_engine(1, words);
    LabelAsking asking = {&spec, 1, CAP_MS};
    void *worker = label_service.begin(&asking, -1);
    Str answer = {0};
    LabelTrial trial;
    const char *key = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    assert_int_equal(label_service.answer(worker, view_from_string(key), &answer), OK);
    assert_int_equal(label_trial_unpack(view_of(answer.text, answer.length), &trial), OK);
    assert_true(trial.is_answered);
    assert_int_equal(trial.failures, 0);
    assert_int_equal(count_searches(), searches);
    str_free(&trial.text);
    str_free(&answer);
    label_service.end(worker);
    engine_spec_deinit(&spec);
    assert_no_process();
}

static void test_labels_by_time_are_asked_again(void **state) {
    (void)state;
    check_label("depth=1", 1);
    check_label("st=1000", 2);
}

static void test_positions_of_suites_are_asked_again(void **state) {
    (void)state;
    EngineSpec spec = stopping_engine(1, "st=1000");
    SuiteItem item = {.max_points = 1};
    SuiteAnswer answer;
    EngineSet engines;
    Str job = {0}, bytes = {0};
    position_set_start(&item.pos);
    assert_int_equal(engine_set_open(&engines, &spec, 1), OK);
    void *worker = suite_service.begin(&engines, -1);
    suite_job_pack(0, &item, &job);
    assert_int_equal(suite_service.answer(worker, view_of(job.text, job.length), &bytes), OK);
    ByteReader in = {.rest = view_of(bytes.text, bytes.length)};
    suite_answer_unpack(&in, &answer);
    assert_string_equal(answer.error, "");
    assert_int_equal(count_searches(), 2);
    suite_service.end(worker);
    str_free(&job);
    str_free(&bytes);
    engine_set_close(&engines);
    engine_spec_deinit(&spec);
    assert_no_process();
}

static int set_up(void **state) {
    char pid[32];
    const int fd = mkstemp(log_path);
    if (fd < 0)
        return -1;
    close(fd);
    snprintf(pid, sizeof pid, "%d", (int)getpid());
    setenv("FAKE_ENGINE_TESTER", pid, 1);
    setenv("FAKE_ENGINE_LOG", log_path, 1);
    return adopt_orphans(state);
}

static int tear_down(void **state) {
    (void)state;
    return unlink(log_path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_continues_are_counted),
        cmocka_unit_test(test_deadlines_start_anew),
        cmocka_unit_test(test_no_thread_is_behind),
        cmocka_unit_test(test_games_against_the_clock_are_played_again),
        cmocka_unit_test(test_labels_by_time_are_asked_again),
        cmocka_unit_test(test_positions_of_suites_are_asked_again),
    };
    suspend_watch();
    chess_init();
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
