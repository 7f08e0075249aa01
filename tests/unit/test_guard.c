// SPDX-License-Identifier: GPL-3.0-or-later
// Engines with descendants of all kinds, and every way in which they or we can end: nothing is
// left.
#include "engines/client.h"
#include "engines/process.h"
#include "tests/unit/fakes.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>

// Engines with a child in the group, with a daemon outside of it, and behind a wrapper.
static const char *const families[] = {"child", "daemon", "wrapped"};
enum { FAMILIES = sizeof families / sizeof families[0], PIDS_MAX = 16, WAIT_MS = 60000 };

enum { NOBODY = 65534 };

static char pids_path[sizeof "/tmp/falconer-test-guard-XXXXXX"];

static EngineClient *open_fake(const EngineSpec *spec) {
    EngineClient *client = NULL;
    const ClientConfig config = {.spec = spec, .cancel_fd = -1, .start_ms = WAIT_MS};
    assert_int_equal(truncate(pids_path, 0), 0);
    if (client_open(&client, &config) != OK)
        fail_msg("%s", error_message());
    return client;
}

// The processes that the engine told of.
static int read_pids(pid_t pids[PIDS_MAX]) {
    FILE *file = fopen(pids_path, "r");
    assert_non_null(file);
    int count = 0;
    for (int pid; count < PIDS_MAX && fscanf(file, "%d", &pid) == 1;)
        pids[count++] = pid;
    fclose(file);
    return count;
}

static pid_t parent_of(pid_t pid) {
    char path[64];
    int parent = -1;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%*d (%*[^)]) %*c %d", &parent), 1);
    fclose(file);
    return parent;
}

// The first process that a fake tells of is the one that the guard started.
static pid_t find_guard(void) {
    pid_t pids[PIDS_MAX];
    assert_true(read_pids(pids) > 0);
    const pid_t guard = parent_of(pids[0]);
    assert_int_equal(parent_of(guard), getpid());
    return guard;
}

static Status go(EngineClient *client) {
    EngineAnswer answer;
    const Limits go = {.depth = 1, .cap_ms = WAIT_MS};
    return client_go(client, &go, NULL, &answer);
}

static void test_descendants_end_with_the_client(void **state) {
    (void)state;
    for (int i = 0; i < FAMILIES; i++) {
        EngineSpec spec = fake_spec(families[i], "");
        EngineClient *client = open_fake(&spec);
        assert_int_equal(go(client), OK);
        client_close(client);
        assert_no_process();
        engine_spec_deinit(&spec);
    }
}

static void test_descendants_end_with_the_engine(void **state) {
    (void)state;
    static const char *const modes[] = {"daemon-crash", "orphan-crash"};
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        EngineSpec spec = fake_spec(modes[i], "");
        EngineClient *client = open_fake(&spec);
        assert_int_equal(go(client), ERR_ENGINE);
        assert_non_null(strstr(error_message(), "killed by signal 11"));
        // They end before the client is closed.
        pid_t pids[PIDS_MAX];
        for (int count = read_pids(pids); count > 0; count--)
            while (kill(pids[count - 1], 0) == 0)
                usleep(1000);
        client_close(client);
        assert_no_process();
        engine_spec_deinit(&spec);
    }
}

// What a signal to the guard leaves: the engine has ended, and says so.
static void check_guard_gets(int number, const char *mode, const char *message) {
    EngineSpec spec = fake_spec(mode, "");
    EngineClient *client = open_fake(&spec);
    assert_int_equal(kill(find_guard(), number), 0);
    Status status;
    do
        status = client_sync(client);
    while (status == OK);
    assert_int_equal(status, ERR_ENGINE);
    if (strstr(error_message(), message) == NULL)
        fail_msg("'%s' is not in '%s'", message, error_message());
    client_close(client);
    assert_no_process();
    engine_spec_deinit(&spec);
}

static void test_guard_is_asked_to_end(void **state) {
    (void)state;
    for (int i = 0; i < FAMILIES; i++)
        check_guard_gets(SIGTERM, families[i],
                         strcmp(families[i], "wrapped") == 0 ? "fake: " : "killed by signal 15");
    check_guard_gets(SIGTERM, "ignore-term", "killed by signal 9");
}

// Those that left the engine's group cannot be found then, where there are no control groups.
static void test_guard_is_killed(void **state) {
    (void)state;
    check_guard_gets(SIGKILL, "child", "ended with its guard process");
    check_guard_gets(SIGKILL, "wrapped", "ended with its guard process");
}

// We, with an engine, end by a signal that nobody can catch.
static void test_we_are_killed(void **state) {
    (void)state;
    for (int i = 0; i < FAMILIES; i++) {
        int ready[2];
        char byte;
        assert_int_equal(pipe2(ready, O_CLOEXEC), 0);
        const pid_t pid = fork();
        assert_true(pid >= 0);
        if (pid == 0) {
            alarm(WAIT_MS / 1000); // also where this test fails
            EngineSpec spec = fake_spec(families[i], "");
            EngineClient *client = open_fake(&spec);
            (void)!write(ready[1], client == NULL ? "" : "x", 1);
            for (;;)
                pause();
        }
        assert_int_equal(read(ready[0], &byte, 1), 1);
        assert_int_equal(kill(pid, SIGKILL), 0);
        assert_no_process();
        close(ready[0]);
        close(ready[1]);
    }
}

static Process *start_shell(const char *script, const char *stderr_path, ProcessLimits limits) {
    Process *process = NULL;
    const char *const argv[] = {"sh", "-c", script, NULL};
    const ProcessConfig config = {argv, NULL, stderr_path, -1, limits};
    if (process_start(&process, &config) != OK)
        fail_msg("%s", error_message());
    return process;
}

static void assert_line(Process *process, const char *expected) {
    StrView line;
    Deadline deadline = deadline_in_ms(WAIT_MS);
    assert_int_equal(process_read(process, &deadline, &line), PROCESS_LINE);
    if (!view_equals(line, expected))
        fail_msg("'%.*s' is not '%s'", (int)line.length, line.text, expected);
}

static void test_limits(void **state) {
    (void)state;
    Process *process = start_shell("ulimit -v; ulimit -t; while :; do :; done", NULL,
                                   (ProcessLimits){.memory_mb = 300, .cpu_s = 1});
    assert_line(process, "307200");
    assert_line(process, "1");
    StrView line;
    char end[PROCESS_EXIT_SIZE];
    Deadline deadline = deadline_in_ms(WAIT_MS);
    assert_int_equal(process_read(process, &deadline, &line), PROCESS_EOF);
    process_describe_end(process, end);
    assert_non_null(strstr(end, "killed by signal 24"));
    process_close(process, 0);
    assert_no_process();
}

// Two engines share a file: it is full once, and says so once.
static void test_stderr_is_limited(void **state) {
    (void)state;
    char path[] = "/tmp/falconer-test-stderr-XXXXXX", text[256] = "";
    close(mkstemp(path));
    for (int i = 0; i < 2; i++) {
        Process *process =
            start_shell("printf 'one\\ntwo\\n' >&2; printf '%0100d' 0 >&2; echo done", path,
                        (ProcessLimits){.stderr_bytes = 10});
        assert_line(process, "done");
        process_close(process, WAIT_MS);
    }
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    unlink(path);
    assert_string_equal(text, "one\ntwo\n00\nfalconer: this file is full: the rest is dropped\n");
    assert_no_process();
}

// The signals of a line of /proc/PID/status, without the two that are the C library's own:
// whoever was started by posix_spawn, as by make, has them ignored, and cannot change that.
static void assert_signals(Process *process, const char *name, unsigned long long expected) {
    StrView line;
    Deadline deadline = deadline_in_ms(WAIT_MS);
    const unsigned long long internal = 3ull << 31;
    assert_int_equal(process_read(process, &deadline, &line), PROCESS_LINE);
    assert_true(line.length > strlen(name) && strncmp(line.text, name, strlen(name)) == 0);
    assert_int_equal(strtoull(line.text + strlen(name), NULL, 16) & ~internal, expected);
}

// What falconer ignores its engines do not, but for what nohup said.
static void test_signals(void **state) {
    (void)state;
    static const char script[] = "grep SigIgn /proc/self/status; grep SigBlk /proc/self/status";
    signal(SIGHUP, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    Process *process = start_shell(script, NULL, (ProcessLimits){0});
    assert_signals(process, "SigIgn:\t", 1); // SIGHUP
    assert_signals(process, "SigBlk:\t", 0);
    process_close(process, WAIT_MS);
    signal(SIGHUP, SIG_DFL);
    process = start_shell(script, NULL, (ProcessLimits){0});
    assert_signals(process, "SigIgn:\t", 0);
    process_close(process, WAIT_MS);
    signal(SIGXFSZ, SIG_DFL);
    assert_no_process();
}

static int set_up(void **state) {
    strcpy(pids_path, "/tmp/falconer-test-guard-XXXXXX");
    const int fd = mkstemp(pids_path);
    if (fd < 0)
        return -1;
    close(fd);
    setenv("FAKE_ENGINE_PIDS", pids_path, 1);
    return adopt_orphans(state);
}

static int tear_down(void **state) {
    (void)state;
    return unlink(pids_path);
}

// Control groups are the administrator's as a rule: without them descendants are found one by one.
static int give_up_rights(void) {
    EngineSpec spec = fake_spec("", "");
    int failed = setresuid(NOBODY, NOBODY, NOBODY);
    // The folders above it can be closed to others.
    *strchr(spec.command, ' ') = '\0';
    failed |= access(spec.command, X_OK);
    engine_spec_deinit(&spec);
    return failed;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_descendants_end_with_the_client),
        cmocka_unit_test(test_descendants_end_with_the_engine),
        cmocka_unit_test(test_guard_is_asked_to_end),
        cmocka_unit_test(test_guard_is_killed),
        cmocka_unit_test(test_we_are_killed),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_stderr_is_limited),
        cmocka_unit_test(test_signals),
    };
    chess_init();
    int failed = cmocka_run_group_tests(tests, set_up, tear_down);
    if (geteuid() == 0 && give_up_rights() == 0)
        failed += cmocka_run_group_tests_name("without rights", tests, set_up, tear_down);
    return failed;
}
