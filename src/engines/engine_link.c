// SPDX-License-Identifier: GPL-3.0-or-later
#include "engines/engine_link.h"

#include "base/mem.h"
#include "engines/command.h"

#include <stdlib.h>

enum {
    WRITE_MS = 5000, // an engine that does not read its input for so long hangs
    QUIT_MS = 500,
    QUIT_FAILED_MS = 20,
    STDERR_MAX_BYTES = 64 << 20,
};

Status engine_link_open(EngineLink *link, const EngineSpec *spec, int cancel_fd) {
    *link = (EngineLink){0};
    if (spec->command == NULL)
        return error_set(ERR_ARG, "%s: no cmd= to start", spec->name);
    char **words = command_words(spec);
    Process *process = NULL;
    const ProcessConfig config = {
        .argv = (const char *const *)words,
        .dir = spec->dir,
        .stderr_path = spec->stderr_path,
        .cancel_fd = cancel_fd,
        .limits = {(uint64_t)spec->memory_mb, (uint64_t)spec->cpu_s, STDERR_MAX_BYTES}};
    Status status = process_start(&process, &config);
    command_free(words);
    if (status != OK) {
        error_prefix("%s", spec->name);
        return status;
    }
    *link = (EngineLink){.spec = spec, .process = process};
    return OK;
}

void engine_link_close(EngineLink *link, const char *farewell) {
    if (link->process != NULL && link->fault == FAULT_NONE) {
        Status ignored =
            process_write(link->process, view_from_string(farewell), deadline_in_ms(QUIT_MS));
        (void)ignored;
    }
    process_close(link->process, link->fault == FAULT_NONE ? QUIT_MS : QUIT_FAILED_MS);
    free(link->why);
    *link = (EngineLink){0};
}

Status engine_link_check(const EngineLink *link) {
    return link->fault == FAULT_NONE ? OK : error_set(ERR_ENGINE, "%s", link->why);
}

Status engine_link_fail(EngineLink *link, Fault fault) {
    error_prefix("%s", link->spec->name);
    link->fault = fault;
    free(link->why);
    link->why = mem_copy_string(error_message());
    return ERR_ENGINE;
}

static Status fail_ended(EngineLink *link, const char *when) {
    char end[PROCESS_EXIT_SIZE];
    process_describe_end(link->process, end);
    error_set(ERR_ENGINE, "%s %s", end, when);
    return engine_link_fail(link, FAULT_CRASHED);
}

Status engine_link_fail_read(EngineLink *link, ProcessRead kind, const char *when) {
    if (kind == PROCESS_EOF)
        return fail_ended(link, when);
    if (kind == PROCESS_CANCELLED) {
        error_set(ERR_ENGINE, "cancelled");
        return engine_link_fail(link, FAULT_CANCELLED);
    }
    error_set(ERR_ENGINE, "no answer %s", when);
    return engine_link_fail(link, FAULT_STALLED);
}

Status engine_link_send(EngineLink *link, StrView text, const char *when) {
    Status status = process_write(link->process, text, deadline_in_ms(WRITE_MS));
    if (status == ERR_ENGINE)
        return fail_ended(link, when);
    if (status == OK)
        return OK;
    return engine_link_fail(link, status == ERR_ARG ? FAULT_CANCELLED : FAULT_STALLED);
}
