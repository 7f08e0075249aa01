// SPDX-License-Identifier: GPL-3.0-or-later
#include "engines/guard_link.h"

#include "base/clock.h"
#include "base/mem.h"
#include "engines/guard_tree.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    FIRST_FREE_FD = 10,     // beyond those that the guard expects
    GUARD_SLACK_MS = 20000, // a guard that is so much later than it should be will never end
    ORPHAN_WAIT_MS = 2000,
};

// What the child needs between vfork and exec.
typedef struct Spawn {
    char *const *argv;
    int fds[GUARD_CONTROL_FD + 1];
    volatile int error;
} Spawn;

// In the child: only system calls, because other threads may hold any lock, and the memory is the
// parent's. Returns the errno of failure.
static int become_guard(const Spawn *spawn) {
    int fds[GUARD_CONTROL_FD + 1];
    // Signals are blocked, and stay so: handlers are the parent's, and must not run here. What
    // nohup had ignored stays ignored.
    for (int number = 1; number < NSIG; number++) {
        struct sigaction action;
        if (number != SIGHUP || sigaction(number, NULL, &action) != 0 ||
            action.sa_handler != SIG_IGN)
            signal(number, SIG_DFL);
    }
    for (int i = 0; i <= GUARD_CONTROL_FD; i++)
        if ((fds[i] = fcntl(spawn->fds[i], F_DUPFD_CLOEXEC, FIRST_FREE_FD)) < 0)
            return errno;
    for (int i = 0; i <= GUARD_CONTROL_FD; i++)
        if (dup2(fds[i], i) < 0)
            return errno;
    close_range(GUARD_CONTROL_FD + 1, ~0U, CLOSE_RANGE_CLOEXEC);
    execv("/proc/self/exe", spawn->argv);
    return errno;
}

// A copy of us that shares our memory until it executes the guard: fast, however big we are.
[[gnu::noinline]] static pid_t vfork_guard(Spawn *spawn) {
    const pid_t pid = vfork();
    if (pid == 0) {
        spawn->error = become_guard(spawn);
        _exit(127);
    }
    return pid;
}

static char **guard_argv(const GuardLaunch *launch, char *limits) {
    size_t count = 0;
    while (launch->argv[count] != NULL)
        count++;
    const char **argv = mem_alloc((GUARD_ARG_ENGINE + count + 1) * sizeof *argv);
    argv[GUARD_ARG_NAME] = guard_name;
    argv[GUARD_ARG_LIMITS] = limits;
    argv[GUARD_ARG_DIR] = launch->dir == NULL ? "" : launch->dir;
    memcpy(argv + GUARD_ARG_ENGINE, launch->argv, (count + 1) * sizeof *argv);
    return (char **)argv;
}

// False when the guard is gone.
static bool receive(const GuardLink *link, GuardReport *report) {
    ssize_t got;
    do
        got = recv(link->control, report, sizeof *report, 0);
    while (got < 0 && errno == EINTR);
    return got == sizeof *report;
}

static int reap(pid_t pid) {
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return status;
}

// Starts the guard; 0 or an errno.
static int spawn_guard(GuardLink *link, const GuardLaunch *launch, int control) {
    char limits[96];
    snprintf(limits, sizeof limits, GUARD_LIMITS_FORMAT,
             (unsigned long long)launch->limits.memory_mb, (unsigned long long)launch->limits.cpu_s,
             (unsigned long long)launch->limits.stderr_bytes);
    char **argv = guard_argv(launch, limits);
    Spawn spawn = {.argv = argv, .fds = {launch->in, launch->out, launch->err, control}};
    sigset_t all, mask;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &mask);
    link->guard = vfork_guard(&spawn);
    int error = link->guard < 0 ? errno : spawn.error;
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    free(argv);
    if (link->guard > 0 && error != 0)
        reap(link->guard);
    return error;
}

int guard_link_start(GuardLink *link, const GuardLaunch *launch) {
    int pair[2];
    *link = (GuardLink){.control = -1};
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
        return errno;
    int error = spawn_guard(link, launch, pair[1]);
    close(pair[1]);
    link->control = pair[0];
    GuardReport report;
    if (error == 0) {
        if (!receive(link, &report))
            report = (GuardReport){GUARD_FAILED, 0, ECHILD};
        if (report.news == GUARD_STARTED) {
            link->engine = report.value;
            return 0;
        }
        error = report.value;
        reap(link->guard);
    }
    close(link->control);
    return error;
}

static bool is_readable_within(int fd, int wait_ms) {
    const int64_t deadline_ns = clock_now_ns() + (int64_t)wait_ms * 1000000;
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    for (;;) {
        const int64_t left_ns = deadline_ns - clock_now_ns();
        const int count = poll(&ready, 1, left_ns <= 0 ? 0 : (int)(left_ns / 1000000) + 1);
        if (count > 0)
            return true;
        if (count == 0 && left_ns <= 0)
            return false;
    }
}

bool guard_link_wait(GuardLink *link, int wait_ms) {
    if (!link->is_ended && is_readable_within(link->control, wait_ms)) {
        if (!receive(link, &link->end))
            link->end = (GuardReport){.news = GUARD_FAILED};
        link->is_ended = true;
    }
    return link->is_ended;
}

// Of an engine whose guard was killed: the engine died with it, but others of its group did not.
// While there are any, the number is the group's; a process with that number is somebody else's.
static void kill_orphans(pid_t engine) {
    for (int waited_ms = 0; guard_tree_is_alive(engine); waited_ms++) {
        if (waited_ms == ORPHAN_WAIT_MS)
            return;
        nanosleep(&(struct timespec){0, 1000000}, NULL);
    }
    kill(-engine, SIGKILL);
}

void guard_link_close(GuardLink *link, int grace_ms) {
    const GuardOrder order = {grace_ms};
    (void)!send(link->control, &order, sizeof order, MSG_NOSIGNAL | MSG_DONTWAIT);
    // Its end of the socket closes when it is gone.
    const int wait_ms = grace_ms + GUARD_TERM_MS + GUARD_SWEEP_MS + GUARD_SLACK_MS;
    GuardReport last;
    bool is_there = true;
    while (is_there && is_readable_within(link->control, wait_ms))
        is_there = receive(link, &last);
    if (is_there)
        kill(link->guard, SIGKILL);
    const int status = reap(link->guard);
    if (!WIFEXITED(status))
        kill_orphans(link->engine);
    close(link->control);
    *link = (GuardLink){.control = -1};
}
