// SPDX-License-Identifier: GPL-3.0-or-later
// A process that was written down is the same one later, or none: whatever number it had.
#include "serve/process_id.h"

#include "testing.h"

#include <signal.h>
#include <sys/wait.h>

static pid_t start_sleeper(void) {
    const pid_t pid = fork();
    if (pid == 0)
        for (;;)
            pause();
    assert_true(pid > 0);
    return pid;
}

static void test_a_process_and_its_end(void **state) {
    (void)state;
    ProcessId process;
    int status;
    const pid_t pid = start_sleeper();
    assert_int_equal(process_id_of(pid, &process), OK);
    assert_true(process_id_is_alive(&process));
    assert_int_equal(process_id_interrupt(&process), OK);
    siginfo_t info;
    assert_int_equal(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
    assert_false(process_id_is_alive(&process)); // though it was not reaped yet
    assert_int_equal(process_id_interrupt(&process), ERR_ARG);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
    assert_false(process_id_is_alive(&process));
    assert_int_equal(process_id_of(pid, &process), ERR_IO);
}

// The number of a process is not enough: another moment, or another start of the machine, is
// another process.
static void test_another_process_of_that_number(void **state) {
    (void)state;
    ProcessId process;
    int status;
    const pid_t pid = start_sleeper();
    assert_int_equal(process_id_of(pid, &process), OK);
    ProcessId earlier = process, elsewhere = process, none = {0}, all = {.pid = -1};
    earlier.began--;
    elsewhere.boot[0] = elsewhere.boot[0] == '0' ? '1' : '0';
    const ProcessId *others[] = {&earlier, &elsewhere, &none, &all};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        assert_false(process_id_is_alive(others[i]));
        assert_int_equal(process_id_interrupt(others[i]), ERR_ARG);
    }
    assert_int_equal(waitpid(pid, &status, WNOHANG), 0);
    kill(pid, SIGKILL);
    waitpid(pid, &status, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_process_and_its_end),
        cmocka_unit_test(test_another_process_of_that_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
