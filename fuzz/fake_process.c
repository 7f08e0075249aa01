// SPDX-License-Identifier: GPL-3.0-or-later
#include "fuzz/fake_process.h"

#include "base/clock.h"
#include "base/mem.h"
#include "fuzz/fuzz.h"

#include <string.h>

struct Process {
    char *line; // given out last: as long as it is, so that a read beyond it is seen
    uint64_t bytes;
};

static StrView script;
static int running, started;

void fake_process_say(StrView input) {
    script = input;
    started = 0;
}

int fake_process_running(void) {
    return running;
}

int fake_process_started(void) {
    return started;
}

static StrView next_line(void) {
    const char *end = memchr(script.text, '\n', script.length);
    return view_of(script.text, end == NULL ? script.length : (size_t)(end - script.text));
}

static void skip_line(StrView line) {
    const size_t used = line.length + (line.length < script.length);
    script = view_of(script.text + used, script.length - used);
}

// Takes the next line where it is that event.
static bool take_event(const char *event) {
    const bool is_next = script.length > 0 && view_equals(next_line(), event);
    if (is_next)
        skip_line(next_line());
    return is_next;
}

Status process_start(Process **out, const ProcessConfig *config) {
    MUST_HOLD(config->argv[0] != NULL);
    if (take_event("!deaf"))
        return error_set(ERR_IO, "cannot start '%s'", config->argv[0]);
    *out = mem_alloc_zero(1, sizeof **out);
    running++;
    started++;
    return OK;
}

uint64_t process_descriptors(uint64_t places, uint64_t programs_each) {
    return places * programs_each;
}

Status process_write(Process *process, StrView text, Deadline deadline) {
    (void)process, (void)deadline;
    // Whatever an engine says, it is told whole lines, and no byte that ends a text early.
    MUST_HOLD(text.length > 0 && text.text[text.length - 1] == '\n');
    MUST_HOLD(memchr(text.text, '\0', text.length) == NULL);
    if (take_event("!deaf"))
        return error_set(ERR_ENGINE, "no longer reads its input");
    return take_event("!full") ? error_set(ERR_LIMIT, "does not read its input") : OK;
}

ProcessRead process_read(Process *process, Deadline *deadline, StrView *line) {
    free(process->line);
    process->line = NULL;
    *line = view_of("", 0);
    if (script.length == 0)
        return PROCESS_EOF;
    // Who only wants what is there already finds nothing.
    if (deadline->length_ns <= 0 || take_event("!timeout"))
        return PROCESS_TIMEOUT;
    if (take_event("!cancel"))
        return PROCESS_CANCELLED;
    const bool is_long = take_event("!long");
    const StrView said = next_line();
    size_t length = said.length;
    if (length > 0 && said.text[length - 1] == '\r')
        length--;
    process->line = mem_alloc(length);
    if (length > 0)
        memcpy(process->line, said.text, length);
    process->bytes += length + 1;
    *line = view_of(process->line, length);
    skip_line(said);
    return is_long ? PROCESS_LONG_LINE : PROCESS_LINE;
}

void process_measure_latency(Process *process, bool on) {
    (void)process, (void)on;
}

int64_t process_read_ns(const Process *process) {
    (void)process;
    return clock_now_ns();
}

int64_t process_latency_ns(const Process *process) {
    (void)process;
    return 0;
}

void process_describe_end(Process *process, char out[PROCESS_EXIT_SIZE]) {
    (void)process;
    snprintf(out, PROCESS_EXIT_SIZE, "closed its output");
}

void process_close(Process *process, int grace_ms) {
    (void)grace_ms;
    if (process == NULL)
        return;
    free(process->line);
    free(process);
    running--;
}
