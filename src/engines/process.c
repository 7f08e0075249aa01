// SPDX-License-Identifier: GPL-3.0-or-later
#include "engines/process.h"

#include "base/clock.h"
#include "base/mem.h"
#include "engines/guard_link.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    DESCRIPTORS_EACH = 4,     // two pipes, the guard, and how long we wait for a processor
    DESCRIPTORS_TO_START = 8, // while one is being started: the other ends, and more
    DESCRIPTORS_OTHERS = 64,  // of files, terminals, libraries
    BUFFER_SIZE = PROCESS_LINE_MAX + 1,
    END_WAIT_MS = 2000,
};

struct Process {
    GuardLink guard;
    int in, out, cancel;
    bool is_eof, is_skipping;
    int64_t read_ns, latency_ns;
    int schedstat;              // of this thread; -1 while latency is not measured
    size_t start, end, scanned; // of what is in the buffer and not yet given out
    char buffer[BUFFER_SIZE];
};

static pthread_once_t sigpipe_once = PTHREAD_ONCE_INIT;

// A write to a program that is gone must be an error, not our end.
static void ignore_sigpipe(void) {
    struct sigaction action;
    if (sigaction(SIGPIPE, NULL, &action) == 0 && action.sa_handler == SIG_DFL)
        signal(SIGPIPE, SIG_IGN);
}

static void close_fd(int *fd) {
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

static int open_stderr(const char *path) {
    if (path == NULL)
        return open("/dev/null", O_WRONLY | O_CLOEXEC);
    return open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
}

// Hundreds of engines need more files than a program is given at first, but may have.
static void raise_file_limit(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == limit.rlim_max)
        return;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
}

// Starts the program with the given ends of the pipes; returns 0 or an errno.
static int launch(Process *process, const ProcessConfig *config, int child_in, int child_out) {
    int err = open_stderr(config->stderr_path);
    if (err < 0)
        return errno;
    struct stat about;
    ProcessLimits limits = config->limits;
    // A terminal or /dev/null has no size.
    if (fstat(err, &about) != 0 || !S_ISREG(about.st_mode))
        limits.stderr_bytes = 0;
    const int error =
        guard_link_start(&process->guard, &(GuardLaunch){config->argv, config->dir, child_in,
                                                         child_out, err, limits});
    close_fd(&err);
    return error;
}

uint64_t process_descriptors(uint64_t places, uint64_t programs_each) {
    return places * (programs_each * DESCRIPTORS_EACH + DESCRIPTORS_TO_START) + DESCRIPTORS_OTHERS;
}

Status process_start(Process **out, const ProcessConfig *config) {
    pthread_once(&sigpipe_once, ignore_sigpipe);
    raise_file_limit();
    Process *process = mem_alloc(sizeof *process);
    memset(process, 0, offsetof(Process, buffer));
    int to[2] = {-1, -1}, from[2] = {-1, -1}, error;
    if (pipe2(to, O_CLOEXEC) != 0 || pipe2(from, O_CLOEXEC) != 0 ||
        fcntl(to[1], F_SETFL, O_NONBLOCK) != 0 || fcntl(from[0], F_SETFL, O_NONBLOCK) != 0)
        error = errno;
    else
        error = launch(process, config, to[0], from[1]);
    close_fd(&to[0]);
    close_fd(&from[1]);
    if (error != 0) {
        close_fd(&to[1]);
        close_fd(&from[0]);
        free(process);
        return error_set(ERR_IO, "cannot start '%s'%s%s%s: %s", config->argv[0],
                         config->dir == NULL ? "" : " in '", config->dir == NULL ? "" : config->dir,
                         config->dir == NULL ? "" : "'", strerror(error));
    }
    process->in = to[1];
    process->out = from[0];
    process->cancel = config->cancel_fd;
    process->schedstat = -1;
    *out = process;
    return OK;
}

static bool is_readable(int fd) {
    struct pollfd now = {.fd = fd, .events = POLLIN};
    return poll(&now, 1, 0) > 0;
}

// Waits until `fd` is ready; false with the reason when it is not. A program that is gone writes
// no more, even where a child of it holds the pipe open.
static bool wait_ready(const Process *process, int fd, short events, Deadline *deadline,
                       ProcessRead *reason) {
    struct pollfd fds[] = {{.fd = fd, .events = events},
                           {.fd = process->cancel, .events = POLLIN},
                           {.fd = process->guard.control, .events = POLLIN}};
    for (;;) {
        int64_t left = deadline->at_ns - clock_now_ns();
        if (left < 0)
            left = 0;
        struct timespec timeout = {left / 1000000000, left % 1000000000};
        int ready = ppoll(fds, sizeof fds / sizeof fds[0], &timeout, NULL);
        if (ready < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (ready == 0 && !deadline_is_over(deadline, clock_now_ns()))
            continue;
        if (ready > 0 && fds[1].revents != 0)
            *reason = PROCESS_CANCELLED;
        else if (ready > 0 && fds[0].revents != 0)
            return true;
        else if (ready > 0 && events == POLLIN && is_readable(fd))
            return true; // its last words came between the looks at the two
        else
            *reason = ready > 0 ? PROCESS_EOF : PROCESS_TIMEOUT;
        return false;
    }
}

Status process_write(Process *process, StrView text, Deadline deadline) {
    while (text.length > 0) {
        ssize_t wrote = write(process->in, text.text, text.length);
        if (wrote > 0) {
            text = view_of(text.text + wrote, text.length - (size_t)wrote);
            continue;
        }
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote < 0 && errno != EAGAIN)
            return error_set(ERR_ENGINE, "no longer reads its input (%s)", strerror(errno));
        ProcessRead reason;
        if (wait_ready(process, process->in, POLLOUT, &deadline, &reason))
            continue;
        if (reason == PROCESS_CANCELLED)
            return error_set(ERR_ARG, "cancelled");
        if (reason == PROCESS_EOF)
            return error_set(ERR_ENGINE, "no longer reads its input");
        return error_set(ERR_LIMIT, "does not read its input");
    }
    return OK;
}

static StrView cut_line(Process *process, size_t end, size_t next) {
    StrView line = view_of(process->buffer + process->start, end - process->start);
    if (line.length > 0 && line.text[line.length - 1] == '\r')
        line.length--;
    process->start = process->scanned = next;
    return line;
}

// A whole line of what was read, the rest of the output at its end, or a line too long for the
// buffer.
static bool find_line(Process *process, StrView *line, ProcessRead *kind) {
    while (process->start < process->end) {
        char *from = process->buffer + process->scanned;
        char *newline = memchr(from, '\n', process->end - process->scanned);
        bool is_full = process->end - process->start >= PROCESS_LINE_MAX;
        if (newline == NULL && !is_full && !process->is_eof) {
            process->scanned = process->end;
            return false;
        }
        size_t end = newline == NULL ? process->end : (size_t)(newline - process->buffer);
        *line = cut_line(process, end, newline == NULL ? end : end + 1);
        bool was_skipping = process->is_skipping;
        process->is_skipping = newline == NULL;
        if (was_skipping)
            continue;
        *kind = newline == NULL && is_full ? PROCESS_LONG_LINE : PROCESS_LINE;
        return true;
    }
    return false;
}

// How long this thread has waited for a processor in its life; 0 where nobody tells.
static int64_t run_delay_ns(const Process *process) {
    char text[64];
    ssize_t got = process->schedstat < 0 ? 0 : pread(process->schedstat, text, sizeof text, 0);
    StrView rest = view_of(text, got > 0 ? (size_t)got : 0);
    int64_t delay;
    view_next_word(&rest); // how long it ran
    return view_to_int(view_next_word(&rest), &delay) ? delay : 0;
}

static void fill_buffer(Process *process, int64_t delay_before_ns) {
    if (process->start == process->end) {
        process->start = process->end = process->scanned = 0;
    } else if (process->start > 0) {
        size_t kept = process->end - process->start;
        memmove(process->buffer, process->buffer + process->start, kept);
        process->scanned -= process->start;
        process->start = 0;
        process->end = kept;
    }
    ssize_t got =
        read(process->out, process->buffer + process->end, (size_t)PROCESS_LINE_MAX - process->end);
    if (got > 0) {
        process->end += (size_t)got;
        process->latency_ns = run_delay_ns(process) - delay_before_ns;
        process->read_ns = clock_now_ns() - process->latency_ns;
    } else if (got == 0 || (errno != EINTR && errno != EAGAIN)) {
        process->is_eof = true;
    }
}

ProcessRead process_read(Process *process, Deadline *deadline, StrView *line) {
    for (;;) {
        ProcessRead kind;
        // Also a flood of lines must end at the deadline.
        if (process->start < process->end && deadline_is_over(deadline, process->read_ns))
            return PROCESS_TIMEOUT;
        if (find_line(process, line, &kind))
            return kind;
        if (process->is_eof)
            return PROCESS_EOF;
        int64_t delay_ns = run_delay_ns(process);
        if (!wait_ready(process, process->out, POLLIN, deadline, &kind))
            return kind;
        fill_buffer(process, delay_ns);
    }
}

void process_measure_latency(Process *process, bool on) {
    if (on && process->schedstat < 0)
        process->schedstat = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
    else if (!on)
        close_fd(&process->schedstat);
}

int64_t process_read_ns(const Process *process) {
    return process->read_ns;
}

int64_t process_latency_ns(const Process *process) {
    return process->latency_ns;
}

void process_describe_end(Process *process, char out[PROCESS_EXIT_SIZE]) {
    const GuardReport *end = &process->guard.end;
    if (!guard_link_wait(&process->guard, END_WAIT_MS))
        snprintf(out, PROCESS_EXIT_SIZE, "closed its output");
    else if (end->news != GUARD_ENDED)
        snprintf(out, PROCESS_EXIT_SIZE, "ended with its guard process, which was killed");
    else if (end->code == CLD_EXITED)
        snprintf(out, PROCESS_EXIT_SIZE, "exited with code %d", end->value);
    else
        snprintf(out, PROCESS_EXIT_SIZE, "killed by signal %d (%s)", end->value,
                 strsignal(end->value));
}

void process_close(Process *process, int grace_ms) {
    if (process == NULL)
        return;
    close_fd(&process->in);
    close_fd(&process->out);
    close_fd(&process->schedstat);
    guard_link_close(&process->guard, grace_ms);
    free(process);
}
