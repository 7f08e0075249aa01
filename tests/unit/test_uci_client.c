// SPDX-License-Identifier: GPL-3.0-or-later
// The client against engines that misbehave. After each test nothing of them is left.
#include "engines/client.h"

#include "base/clock.h"
#include "chess/movegen.h"
#include "engines/process.h"
#include "tests/unit/fakes.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/resource.h>

// `stop_ms` as in ClientConfig.
static EngineClient *open_stopping(const EngineSpec *spec, int stop_ms) {
    EngineClient *client = NULL;
    ClientConfig config = {.spec = spec,
                           .cancel_fd = -1,
                           .start_ms = PATIENT_MS,
                           .ready_ms = PATIENT_MS,
                           .stop_ms = stop_ms};
    Status status = client_open(&client, &config);
    if (status != OK)
        fail_msg("%s", error_message());
    return client;
}

static EngineClient *open_fake(const EngineSpec *spec) {
    return open_stopping(spec, 0);
}

static Limits go_within(int64_t cap_ms) {
    return (Limits){.depth = 1, .cap_ms = cap_ms};
}

// Plays `moves` against itself; the status of the last go.
static Status play(EngineClient *client, int moves, int64_t cap_ms, EngineAnswer *answer) {
    Position pos;
    Limits go = go_within(cap_ms);
    position_set_start(&pos);
    Status status = client_new_game(client, &pos);
    for (int i = 0; i < moves && status == OK; i++) {
        status = client_go(client, &go, NULL, answer);
        if (status != OK || answer->move == MOVE_NONE)
            break;
        Undo undo;
        assert_true(move_is_legal(&pos, answer->move));
        position_make(&pos, answer->move, &undo);
        client_push_move(client, answer->move);
    }
    return status;
}

static void close_fake(EngineClient *client, EngineSpec *spec) {
    client_close(client);
    engine_spec_deinit(spec);
    assert_no_process();
}

static void test_plays(void **state) {
    (void)state;
    EngineSpec spec = fake_spec("", "option.Hash=64 \"option.Clear Hash=\" option.style=wild");
    EngineClient *client = open_fake(&spec);
    EngineAnswer answer;
    assert_string_equal(client_id(client), "Fake");
    assert_int_equal(play(client, 30, PATIENT_MS, &answer), OK);
    assert_true((answer.info.has & UCI_INFO_SCORE) != 0);
    assert_string_equal(answer.line, answer.text);
    assert_false(answer.is_late);
    close_fake(client, &spec);
}

static void test_options_are_checked(void **state) {
    (void)state;
    EngineSpec spec = fake_spec("", "");
    EngineClient *client = open_fake(&spec);
    assert_int_equal(client_option_count(client), 8);
    const UciOption *option = client_option(client, "style");
    assert_int_equal(option->type, UCI_COMBO);
    assert_int_equal(option->choice_count, 2);
    assert_string_equal(option->choices[0], "Calm and Quiet");
    assert_int_equal(client_set_option(client, "Hash", "1025"), ERR_ARG);
    assert_string_equal(error_message(), "fake: option 'Hash' goes from 1 to 1024, not to 1025");
    assert_int_equal(client_set_option(client, "Hash", "many"), ERR_ARG);
    assert_int_equal(client_set_option(client, "Ponder", "yes"), ERR_ARG);
    assert_int_equal(client_set_option(client, "Style", "odd"), ERR_ARG);
    assert_int_equal(client_set_option(client, "Book File", "a\nquit"), ERR_ARG);
    assert_int_equal(client_set_option(client, "Broken", "1"), ERR_ARG);
    assert_string_equal(error_message(), "fake: it has no option 'Broken'");
    assert_int_equal(client_set_option(client, "hush", "1"), ERR_ARG);
    assert_string_equal(error_message(), "fake: it has no option 'hush': did you mean 'Hash'?");
    assert_int_equal(client_set_option(client, "Book File", "a b.bin"), OK);
    assert_int_equal(client_sync(client), OK);
    close_fake(client, &spec);
}

static void check_fault(const char *mode, int moves, int64_t cap_ms, Fault fault,
                        const char *message) {
    EngineSpec spec = fake_spec(mode, "");
    EngineClient *client = open_fake(&spec);
    EngineAnswer answer;
    assert_int_equal(play(client, moves, cap_ms, &answer), ERR_ENGINE);
    assert_int_equal(client_fault(client), fault);
    if (strstr(error_message(), message) == NULL)
        fail_msg("'%s' is not in '%s'", message, error_message());
    // A failed client stays failed, with the same message.
    Position start;
    position_set_start(&start);
    assert_int_equal(client_new_game(client, &start), ERR_ENGINE);
    assert_non_null(strstr(error_message(), message));
    close_fake(client, &spec);
}

static void test_crashes(void **state) {
    (void)state;
    check_fault("crash 3", 5, PATIENT_MS, FAULT_CRASHED, "fake: killed by signal 11");
    check_fault("exit 2", 5, PATIENT_MS, FAULT_CRASHED, "fake: exited with code 3 while thinking");
    check_fault("close-output", 5, PATIENT_MS, FAULT_CRASHED, "fake: closed its output");
    check_fault("orphan-crash 2", 5, PATIENT_MS, FAULT_CRASHED, "fake: killed by signal 11");
    check_fault("no-move", 5, PATIENT_MS, FAULT_ILLEGAL, "'bestmove' with no move");
}

static void test_hangs(void **state) {
    (void)state;
    check_fault("hang 2", 5, 100, FAULT_STALLED, "fake: no answer to go");
    check_fault("endless-flood", 5, 100, FAULT_STALLED, "fake: no answer to go");
}

static void test_survived(void **state) {
    (void)state;
    static const char *const modes[] = {"flood",       "garbage", "long-line",     "ignore-quit",
                                        "ignore-term", "child",   "slow-start 300"};
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        EngineSpec spec = fake_spec(modes[i], "");
        EngineClient *client = open_fake(&spec);
        EngineAnswer answer;
        if (play(client, 3, PATIENT_MS, &answer) != OK)
            fail_msg("%s: %s", modes[i], error_message());
        close_fake(client, &spec);
    }
}

static void test_illegal_moves_are_the_callers_affair(void **state) {
    (void)state;
    EngineSpec spec = fake_spec("illegal 2", "");
    EngineClient *client = open_fake(&spec);
    EngineAnswer answer;
    assert_int_equal(play(client, 3, PATIENT_MS, &answer), OK);
    assert_int_equal(answer.move, MOVE_NONE);
    assert_string_equal(answer.text, "e1e5");
    close_fake(client, &spec);
}

static void test_exact_scores_go_before_bounds(void **state) {
    (void)state;
    EngineSpec spec = fake_spec("bounds", "");
    EngineClient *client = open_fake(&spec);
    EngineAnswer answer;
    assert_int_equal(play(client, 1, PATIENT_MS, &answer), OK);
    assert_int_equal(answer.info.depth, 1);
    assert_int_not_equal(answer.info.score, 9999);
    assert_int_equal(answer.info.has & UCI_INFO_LOWER, 0);
    close_fake(client, &spec);
}

static void test_further_lines(void **state) {
    (void)state;
    EngineSpec spec = fake_spec("", "option.MultiPV=3");
    EngineClient *client = open_fake(&spec);
    EngineAnswer answer;
    assert_int_equal(play(client, 1, PATIENT_MS, &answer), OK);
    for (int i = 0; i < CLIENT_LINES_MAX - 1; i++) {
        const ClientLine *line = &answer.further[i];
        assert_int_equal((line->info.has & UCI_INFO_SCORE) != 0, i < 2);
        if (i >= 2)
            continue;
        assert_int_equal(line->info.score, answer.info.score - 10 * (i + 1));
        assert_string_not_equal(line->first, answer.text);
        assert_int_equal(strlen(line->first), 4);
    }
    close_fake(client, &spec);
}

static void test_late_answer(void **state) {
    (void)state;
    EngineSpec spec = fake_spec("late 200", "");
    EngineClient *client = open_stopping(&spec, PATIENT_MS);
    EngineAnswer answer;
    assert_int_equal(play(client, 1, 50, &answer), OK);
    assert_true(answer.is_late);
    assert_true(answer.elapsed_ns >= 200000000);
    assert_int_equal(play(client, 1, PATIENT_MS, &answer), OK);
    assert_false(answer.is_late);
    close_fake(client, &spec);
}

// The second of two answers is there before it is asked for, which must not give time back.
static void test_answers_twice(void **state) {
    (void)state;
    EngineSpec spec = fake_spec("twice", "");
    EngineClient *client = open_fake(&spec);
    EngineAnswer answer;
    Limits go = {.depth = 1, .cap_ms = PATIENT_MS};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(client_go(client, &go, NULL, &answer), OK);
        assert_true(answer.elapsed_ns >= 0);
        usleep(2000);
    }
    close_fake(client, &spec);
}

// One that knows no such limit would search until the cap, position after position.
static void test_nodes_not_obeyed(void **state) {
    (void)state;
    EngineSpec spec = fake_spec("tireless", "");
    EngineClient *client = open_fake(&spec);
    EngineAnswer answer;
    Limits go = {.nodes = 1000, .cap_ms = PATIENT_MS};
    assert_int_equal(client_go(client, &go, NULL, &answer), ERR_ENGINE);
    assert_int_equal(client_fault(client), FAULT_REFUSED);
    assert_non_null(strstr(error_message(), "fake: it does not obey 'go nodes 1000'"));
    close_fake(client, &spec);
}

static void check_refused_within(int start_ms, EngineSpec *spec, Status status,
                                 const char *message) {
    EngineClient *client = NULL;
    ClientConfig config = {.spec = spec, .cancel_fd = -1, .start_ms = start_ms};
    assert_int_equal(client_open(&client, &config), status);
    if (strstr(error_message(), message) == NULL)
        fail_msg("'%s' is not in '%s'", message, error_message());
    engine_spec_deinit(spec);
    assert_no_process();
}

static void check_refused(EngineSpec *spec, Status status, const char *message) {
    check_refused_within(PATIENT_MS, spec, status, message);
}

static void test_refused_at_start(void **state) {
    (void)state;
    EngineSpec spec = fake_spec("silent", "");
    check_refused_within(300, &spec, ERR_ENGINE, "fake: no answer during the handshake");
    spec = fake_spec("crash-at-start", "");
    check_refused(&spec, ERR_ENGINE, "fake: exited with code 7 during the handshake");
    spec = fake_spec("many-options", "");
    check_refused(&spec, ERR_ENGINE, "fake: declares more than 4096 options");
    spec = fake_spec("", "option.Nope=1");
    check_refused(&spec, ERR_ARG, "fake: it has no option 'Nope'");
    spec = fake_spec("", "cmd=/no/such/engine");
    check_refused(&spec, ERR_IO, "fake: cannot start '/no/such/engine': No such file");
    spec = fake_spec("", "cmd=/etc/passwd");
    check_refused(&spec, ERR_IO, "Permission denied");
    spec = fake_spec("", "dir=/no/such/folder");
    check_refused(&spec, ERR_IO, "'/no/such/folder': No such file");
    spec = fake_spec("", "cmd=cat");
    check_refused_within(300, &spec, ERR_ENGINE, "no answer during the handshake");
    spec = fake_spec("", "cmd=true");
    check_refused(&spec, ERR_ENGINE, "exited with code 0 during the handshake");
}

static void test_cancelled(void **state) {
    (void)state;
    int fds[2];
    assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
    EngineSpec spec = fake_spec("hang", "");
    EngineClient *client = NULL;
    ClientConfig config = {.spec = &spec, .cancel_fd = fds[0], .start_ms = PATIENT_MS};
    assert_int_equal(client_open(&client, &config), OK);
    assert_int_equal(write(fds[1], "x", 1), 1);
    EngineAnswer answer;
    Limits go = go_within(PATIENT_MS);
    assert_int_equal(client_go(client, &go, NULL, &answer), ERR_ENGINE);
    assert_int_equal(client_fault(client), FAULT_CANCELLED);
    close_fake(client, &spec);
    close(fds[0]);
    close(fds[1]);
}

// No descriptor may be lost over many engines.
// The engine has closed its input by the time it is told to quit.
static void test_closing_keeps_the_message(void **state) {
    (void)state;
    EngineSpec spec = engine_spec_init();
    assert_int_equal(engine_spec_set(&spec, "cmd=/bin/sh"), OK);
    assert_int_equal(engine_spec_set(&spec, "arg=-c"), OK);
    assert_int_equal(engine_spec_set(&spec, "arg=read -r uci; echo uciok; read -r isready; exec "
                                            "0<&-; echo readyok"),
                     OK);
    assert_int_equal(engine_spec_finish(&spec), OK);
    EngineClient *client = open_fake(&spec);
    error_set(ERR_ARG, "the reason");
    close_fake(client, &spec);
    assert_string_equal(error_message(), "the reason");
}

static void test_descriptors_are_returned(void **state) {
    (void)state;
    int before = dup(0);
    close(before);
    for (int i = 0; i < 20; i++) {
        EngineSpec spec = fake_spec(i % 2 == 0 ? "" : "crash", "");
        EngineClient *client = open_fake(&spec);
        EngineAnswer answer;
        (void)!play(client, 2, PATIENT_MS, &answer);
        close_fake(client, &spec);
    }
    int after = dup(0);
    close(after);
    assert_int_equal(before, after);
}

// Against a clock we know how long we waited for a processor, where the system tells; else not.
static void test_latency(void **state) {
    (void)state;
    bool is_told = access("/proc/thread-self/schedstat", R_OK) == 0;
    EngineSpec spec = fake_spec("late 1", "");
    EngineClient *client = open_fake(&spec);
    for (int has_clock = 0; has_clock < 2; has_clock++) {
        int64_t sum_ns = 0;
        for (int i = 0; i < 100; i++) {
            EngineAnswer answer;
            Limits go = go_within(PATIENT_MS);
            go.clock.time_ms = go.other.time_ms = has_clock ? 60000 : 0;
            int64_t start = clock_now_ns();
            assert_int_equal(client_go(client, &go, NULL, &answer), OK);
            assert_true(answer.latency_ns >= 0 && answer.elapsed_ns > 0);
            assert_true(answer.elapsed_ns + answer.latency_ns <= clock_now_ns() - start);
            sum_ns += answer.latency_ns;
        }
        assert_int_equal(sum_ns > 0, has_clock && is_told);
    }
    close_fake(client, &spec);
}

// A program is often given fewer files than many engines need, and may ask for more.
static void test_many_engines(void **state) {
    (void)state;
    enum { MANY = 12 };
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
    limit.rlim_cur = MANY;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
    EngineSpec specs[MANY];
    EngineClient *clients[MANY];
    for (int i = 0; i < MANY; i++) {
        specs[i] = fake_spec("", "");
        clients[i] = open_fake(&specs[i]);
    }
    EngineAnswer answer;
    for (int i = 0; i < MANY; i++)
        assert_int_equal(play(clients[i], 2, PATIENT_MS, &answer), OK);
    for (int i = 0; i < MANY; i++) {
        client_close(clients[i]);
        engine_spec_deinit(&specs[i]);
    }
    assert_no_process();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plays),
        cmocka_unit_test(test_latency),
        cmocka_unit_test(test_many_engines),
        cmocka_unit_test(test_options_are_checked),
        cmocka_unit_test(test_crashes),
        cmocka_unit_test(test_hangs),
        cmocka_unit_test(test_survived),
        cmocka_unit_test(test_illegal_moves_are_the_callers_affair),
        cmocka_unit_test(test_exact_scores_go_before_bounds),
        cmocka_unit_test(test_nodes_not_obeyed),
        cmocka_unit_test(test_further_lines),
        cmocka_unit_test(test_late_answer),
        cmocka_unit_test(test_answers_twice),
        cmocka_unit_test(test_refused_at_start),
        cmocka_unit_test(test_cancelled),
        cmocka_unit_test(test_closing_keeps_the_message),
        cmocka_unit_test(test_descriptors_are_returned),
    };
    chess_init();
    return cmocka_run_group_tests(tests, adopt_orphans, NULL);
}
