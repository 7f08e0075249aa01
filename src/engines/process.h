// SPDX-License-Identifier: GPL-3.0-or-later
// Another program at the end of two pipes: lines in, lines out, deadlines, and a sure end. Knows no
// chess. A process is used by one thread at a time.
#pragma once

#include "base/deadline.h"
#include "base/error.h"
#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct Process Process;

// What a program may use; 0: no limit.
typedef struct ProcessLimits {
    uint64_t memory_mb, cpu_s; // address space and time of a processor, of each of its processes
    uint64_t stderr_bytes;     // size of the file at stderr_path; the rest is dropped
} ProcessLimits;

typedef struct ProcessConfig {
    const char *const *argv; // ended by NULL; argv[0] without a slash is looked up in PATH
    const char *dir;         // to run in, or NULL; a relative argv[0] is taken from there
    const char *stderr_path; // appended to; NULL: thrown away
    int cancel_fd;           // waiting ends when this becomes readable; -1: none
    ProcessLimits limits;
} ProcessConfig;

enum { PROCESS_LINE_MAX = 1 << 16, PROCESS_EXIT_SIZE = 96 };

// How a wait for a line ended.
typedef enum ProcessRead {
    PROCESS_LINE,
    PROCESS_LONG_LINE, // only the first PROCESS_LINE_MAX bytes of a line; the rest is skipped
    PROCESS_TIMEOUT,
    PROCESS_EOF, // it ended, or closed its output
    PROCESS_CANCELLED,
} ProcessRead;

// Starts the program under a guard (guard.h), which ends it and all of its descendants when the
// program itself ends, at process_close, or when we die, however we die. Makes this program ignore
// SIGPIPE. ERR_IO when it cannot be started, with the reason.
MUST_CHECK Status process_start(Process **out, const ProcessConfig *config);

// Descriptors that are open at the most where each of several places has so many programs, and
// starts one at a time.
uint64_t process_descriptors(uint64_t places, uint64_t programs_each);

// Writes everything, or fails: the program is gone (ERR_ENGINE), did not read in time (ERR_LIMIT),
// or the wait was cancelled (ERR_ARG).
MUST_CHECK Status process_write(Process *process, StrView text, Deadline deadline);

// The next line, without its end; borrowed until the next call. A line that arrived after the
// deadline is a timeout, and is still there for the next call.
ProcessRead process_read(Process *process, Deadline *deadline, StrView *line);

// From now on measures how long this thread waits for a processor once there is something to read,
// which costs two or three microseconds a read.
void process_measure_latency(Process *process, bool on);

// When the last bytes came in, and how long they lay there before this thread ran and saw them (0
// where it is not measured, or the system does not tell). Bytes that came in one by one during that
// wait are taken to have come at its beginning.
int64_t process_read_ns(const Process *process);
int64_t process_latency_ns(const Process *process);

// Says how it ended ("exited with code 3", "killed by signal 11 (Segmentation fault)", "closed its
// output"), waiting a moment for the end to be known.
void process_describe_end(Process *process, char out[PROCESS_EXIT_SIZE]);

// Closes the pipes, which asks it to end; after `grace_ms` SIGTERM, then SIGKILL, to its whole
// group and to all of its other descendants. Nothing of it that we may kill is left when this
// returns. NULL is fine.
void process_close(Process *process, int grace_ms);
