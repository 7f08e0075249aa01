// SPDX-License-Identifier: GPL-3.0-or-later
// A described engine that runs, whatever it speaks: its process, and why it failed. Failures are
// remembered: a link that failed once answers only with failure and is there to be closed.
#pragma once

#include "engines/fault.h"
#include "engines/process.h"
#include "engines/spec.h"

typedef struct EngineLink {
    const EngineSpec *spec; // borrowed
    Process *process;
    Fault fault;
    char *why; // the message of the failure
} EngineLink;

// Starts the engine's process. `link` is all zero where it fails.
MUST_CHECK Status engine_link_open(EngineLink *link, const EngineSpec *spec, int cancel_fd);
// Says `farewell` to an engine that has not failed, and makes sure of its end.
void engine_link_close(EngineLink *link, const char *farewell);

// OK, or the failure that was remembered.
MUST_CHECK Status engine_link_check(const EngineLink *link);
// Remembers a failure whose message is set already, without the engine's name. Returns ERR_ENGINE.
Status engine_link_fail(EngineLink *link, Fault fault);
// The failure that a read which brought no line stands for; `when` ends "no answer ...".
Status engine_link_fail_read(EngineLink *link, ProcessRead kind, const char *when);
// Writes all of the text, or fails; `when` tells what we were at.
MUST_CHECK Status engine_link_send(EngineLink *link, StrView text, const char *when);
