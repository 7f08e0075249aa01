// SPDX-License-Identifier: GPL-3.0-or-later
#include "engines/guard.h"

#include "base/clock.h"
#include "engines/guard_cgroup.h"
#include "engines/guard_tree.h"
#include "engines/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    CHILD_FILES = 1024, // what programs expect, and all that select() can do
    COPY_SIZE = 1 << 16,
    SWEEP_NAP_MS = 20,
    EXIT_MISUSED = 2,
    EXIT_NO_ENGINE = 127,
};

const char guard_name[] = GUARD_NAME;

static const int64_t forever_ns = INT64_MAX;

// How far the engine's end has come.
typedef enum Stage { STAGE_RUNS, STAGE_ASKED, STAGE_TERM, STAGE_ENDED } Stage;

typedef struct Guard {
    char **argv;
    const char *dir; // NULL: where we are
    ProcessLimits limits;
    pid_t engine;        // also the id of its group
    int signals, errors; // -1: its stderr is not limited
    int stderr_to[2];    // the pipe behind `errors`
    GuardCgroup cgroup;
    Stage stage;
    int64_t next_ns; // when the stage is over
} Guard;

static void tell(GuardNews news, int code, int value) {
    const GuardReport report = {news, code, value};
    // Where nobody is left to read it, that is found out elsewhere.
    (void)!send(GUARD_CONTROL_FD, &report, sizeof report, MSG_NOSIGNAL | MSG_DONTWAIT);
}

// --- starting ---

static void lower_limit(int resource, uint64_t soft, uint64_t hard) {
    struct rlimit limit;
    if (soft == 0 || getrlimit(resource, &limit) != 0)
        return;
    if (limit.rlim_cur > soft)
        limit.rlim_cur = soft;
    if (limit.rlim_max > hard)
        limit.rlim_max = hard;
    setrlimit(resource, &limit);
}

static void set_limits(const ProcessLimits *limits) {
    lower_limit(RLIMIT_NOFILE, CHILD_FILES, RLIM_INFINITY);
    lower_limit(RLIMIT_AS, limits->memory_mb << 20, limits->memory_mb << 20);
    lower_limit(RLIMIT_CPU, limits->cpu_s, limits->cpu_s + 1);
}

// In the child, which shares our memory until it becomes the engine. Returns the errno of failure.
static int become_engine(const Guard *guard, pid_t parent) {
    sigset_t none;
    sigemptyset(&none);
    if (setpgid(0, 0) != 0 || prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 ||
        (guard->stderr_to[1] >= 0 && dup2(guard->stderr_to[1], STDERR_FILENO) < 0) ||
        (guard->dir != NULL && chdir(guard->dir) != 0))
        return errno;
    // A parent that died before prctl has already sent its signal to nobody.
    if (getppid() != parent)
        return ESRCH;
    if (guard->cgroup.procs >= 0)
        (void)!write(guard->cgroup.procs, "0", 1);
    set_limits(&guard->limits);
    close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
    sigprocmask(SIG_SETMASK, &none, NULL);
    execvp(guard->argv[0], guard->argv);
    return errno;
}

// 0, or the errno that kept the child from becoming the engine. It comes through a pipe, which is
// closed where the child succeeds: memory is not shared where a sanitizer makes vfork a fork.
[[gnu::noinline]] static int spawn(Guard *guard) {
    int news[2], error = 0;
    if (pipe2(news, O_CLOEXEC) != 0)
        return errno;
    const pid_t self = getpid(), pid = vfork();
    if (pid == 0) {
        const int failure = become_engine(guard, self);
        (void)!write(news[1], &failure, sizeof failure);
        _exit(EXIT_NO_ENGINE);
    }
    const int reason = errno;
    guard->engine = pid;
    close(news[1]);
    while (pid > 0 && read(news[0], &error, sizeof error) < 0 && errno == EINTR)
        ;
    close(news[0]);
    return pid < 0 ? reason : error;
}

static int open_stderr_pipe(Guard *guard) {
    if (guard->limits.stderr_bytes == 0)
        return 0;
    if (pipe2(guard->stderr_to, O_CLOEXEC) != 0 ||
        fcntl(guard->stderr_to[0], F_SETFL, O_NONBLOCK) != 0)
        return errno;
    guard->errors = guard->stderr_to[0];
    return 0;
}

static int start(Guard *guard) {
    int error = open_stderr_pipe(guard);
    if (error != 0)
        return error;
    guard_cgroup_open(&guard->cgroup);
    // Eyas is to list its weights: they can be set, and labels tell which they were.
    setenv("EYAS_TUNABLE", "1", 1);
    error = spawn(guard);
    // They are the engine's: only its own copies may keep its pipes open.
    close(STDIN_FILENO);
    close(STDOUT_FILENO);
    if (guard->stderr_to[1] >= 0)
        close(guard->stderr_to[1]);
    return error;
}

// --- stderr ---

static void append(int file, const char *text, size_t length) {
    while (length > 0) {
        const ssize_t wrote = write(file, text, length);
        if (wrote <= 0)
            return; // a full disk: it is dropped
        text += wrote;
        length -= (size_t)wrote;
    }
}

// Several guards can share the file: it is its size that counts, and who fills it says so.
static void append_within(int file, uint64_t most, const char *text, size_t length) {
    struct stat about;
    if (fstat(file, &about) != 0 || (uint64_t)about.st_size > most)
        return;
    const uint64_t room = most - (uint64_t)about.st_size;
    append(file, text, length < room ? length : (size_t)room);
    if (length <= room)
        return;
    static const char rest[] = "\nfalconer: this file is full: the rest is dropped\n";
    append(file, rest, sizeof rest - 1);
}

// False when there is nothing to read.
static bool copy_errors(Guard *guard) {
    char text[COPY_SIZE];
    const ssize_t got = guard->errors < 0 ? 0 : read(guard->errors, text, sizeof text);
    if (got > 0) {
        append_within(STDERR_FILENO, guard->limits.stderr_bytes, text, (size_t)got);
    } else if (guard->errors >= 0 && (got == 0 || errno != EAGAIN)) {
        close(guard->errors);
        guard->errors = -1;
    }
    return got > 0;
}

// --- ending ---

static void ask_to_end(Guard *guard, int grace_ms) {
    const int64_t next_ns = clock_now_ns() + (int64_t)grace_ms * 1000000;
    if (guard->stage > STAGE_ASKED || next_ns >= guard->next_ns)
        return;
    guard->stage = STAGE_ASKED;
    guard->next_ns = next_ns;
}

static void take_order(Guard *guard) {
    GuardOrder order;
    const ssize_t got = recv(GUARD_CONTROL_FD, &order, sizeof order, MSG_DONTWAIT);
    if (got == sizeof order)
        ask_to_end(guard, order.grace_ms);
    else if (got >= 0 || (errno != EAGAIN && errno != EINTR))
        ask_to_end(guard, 0); // nobody is there any more
}

// Others that became our children are reaped as they end; the engine is not until its group is
// killed, so that the number of the group stays its own.
static void look_at_children(Guard *guard) {
    for (;;) {
        siginfo_t info = {0};
        if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT | __WALL) != 0 || info.si_pid == 0)
            return;
        if (info.si_pid == guard->engine) {
            tell(GUARD_ENDED, info.si_code, info.si_status);
            guard->stage = STAGE_ENDED;
            return;
        }
        waitpid(info.si_pid, NULL, WNOHANG | __WALL);
    }
}

static void take_signals(Guard *guard) {
    struct signalfd_siginfo info;
    while (read(guard->signals, &info, sizeof info) == sizeof info)
        if (info.ssi_signo != SIGCHLD)
            ask_to_end(guard, 0);
    look_at_children(guard);
}

static void go_to_next_stage(Guard *guard) {
    const bool is_first = guard->stage == STAGE_ASKED;
    kill(-guard->engine, is_first ? SIGTERM : SIGKILL);
    // A stopped process hears SIGTERM only when it goes on.
    if (is_first)
        kill(-guard->engine, SIGCONT);
    guard->stage = STAGE_TERM;
    guard->next_ns = is_first ? clock_now_ns() + (int64_t)GUARD_TERM_MS * 1000000 : forever_ns;
}

static int poll_ms(int64_t until_ns) {
    const int64_t left = until_ns - clock_now_ns();
    return until_ns == forever_ns ? -1 : left <= 0 ? 0 : (int)(left / 1000000) + 1;
}

static void watch(Guard *guard) {
    bool is_watched = true;
    while (guard->stage != STAGE_ENDED) {
        struct pollfd fds[] = {{.fd = guard->signals, .events = POLLIN},
                               {.fd = is_watched ? GUARD_CONTROL_FD : -1, .events = POLLIN},
                               {.fd = guard->errors, .events = POLLIN}};
        if (poll(fds, sizeof fds / sizeof fds[0], poll_ms(guard->next_ns)) < 0)
            continue;
        if (fds[1].revents != 0)
            take_order(guard);
        is_watched = is_watched && (fds[1].revents & POLLHUP) == 0;
        if (fds[0].revents != 0)
            take_signals(guard);
        if (fds[2].revents != 0)
            copy_errors(guard);
        if (guard->stage != STAGE_ENDED && clock_now_ns() >= guard->next_ns)
            go_to_next_stage(guard);
    }
}

// Ends what is left: the engine's group at once, then whatever else has become our child.
static void sweep(Guard *guard) {
    const int64_t start_ns = clock_now_ns();
    kill(-guard->engine, SIGKILL);
    guard_cgroup_kill(&guard->cgroup);
    while (!guard_tree_reap() && clock_now_ns() - start_ns < GUARD_SWEEP_MS * 1000000ll) {
        guard_cgroup_kill(&guard->cgroup);
        guard_tree_kill_children();
        struct pollfd ended = {.fd = guard->signals, .events = POLLIN};
        poll(&ended, 1, SWEEP_NAP_MS);
        struct signalfd_siginfo ignored;
        while (read(guard->signals, &ignored, sizeof ignored) > 0)
            ;
    }
    while (copy_errors(guard))
        ;
    guard_cgroup_close(&guard->cgroup);
}

// --- the program ---

static bool read_plan(Guard *guard, int argc, char **argv) {
    unsigned long long memory_mb, cpu_s, stderr_bytes;
    if (argc <= GUARD_ARG_ENGINE ||
        sscanf(argv[GUARD_ARG_LIMITS], GUARD_LIMITS_FORMAT, &memory_mb, &cpu_s, &stderr_bytes) != 3)
        return false;
    *guard = (Guard){.argv = argv + GUARD_ARG_ENGINE,
                     .dir = argv[GUARD_ARG_DIR][0] == '\0' ? NULL : argv[GUARD_ARG_DIR],
                     .limits = {memory_mb, cpu_s, stderr_bytes},
                     .errors = -1,
                     .stderr_to = {-1, -1},
                     .cgroup = {.procs = -1},
                     .next_ns = forever_ns};
    return true;
}

// A group of its own keeps signals of the terminal away; other signals wait to be read.
static bool set_up(Guard *guard) {
    sigset_t all;
    sigfillset(&all);
    if (sigprocmask(SIG_SETMASK, &all, NULL) != 0 || setpgid(0, 0) != 0 ||
        prctl(PR_SET_CHILD_SUBREAPER, 1) != 0 || fcntl(GUARD_CONTROL_FD, F_SETFD, FD_CLOEXEC) != 0)
        return false;
    sigemptyset(&all);
    static const int heard[] = {SIGCHLD, SIGTERM, SIGINT, SIGQUIT};
    for (size_t i = 0; i < sizeof heard / sizeof heard[0]; i++)
        sigaddset(&all, heard[i]);
    guard->signals = signalfd(-1, &all, SFD_CLOEXEC | SFD_NONBLOCK);
    prctl(PR_SET_NAME, GUARD_NAME);
    return guard->signals >= 0;
}

static int run(int argc, char **argv) {
    Guard guard;
    if (!read_plan(&guard, argc, argv))
        return EXIT_MISUSED;
    int error = set_up(&guard) ? start(&guard) : errno;
    if (error != 0) {
        tell(GUARD_FAILED, 0, error);
        if (guard.engine > 0)
            sweep(&guard);
        guard_cgroup_close(&guard.cgroup);
        return EXIT_NO_ENGINE;
    }
    tell(GUARD_STARTED, 0, guard.engine);
    look_at_children(&guard);
    watch(&guard);
    sweep(&guard);
    return 0;
}

// Before main() of whatever program this is linked into, so that none of them must know of it.
__attribute__((constructor)) static void guard_instead_of_main(int argc, char **argv) {
    if (argc > 0 && strcmp(argv[GUARD_ARG_NAME], GUARD_NAME) == 0)
        _exit(run(argc, argv));
}
