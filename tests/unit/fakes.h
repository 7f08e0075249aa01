// SPDX-License-Identifier: GPL-3.0-or-later
// For tests that start the fake engine, which is built beside the tests' folder.
#pragma once

#include "engines/spec.h"

#include <errno.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

// For what must happen: on a busy machine it may take long, and only a broken program waits so
// long.
enum { PATIENT_MS = 600000 };

// A fake engine of that name with a mode ("crash 3") and more words of its description.
static inline EngineSpec fake_spec_of(const char *program, const char *mode, const char *words) {
    char path[PATH_MAX] = {0}, text[PATH_MAX + 512];
    if (readlink("/proc/self/exe", path, sizeof path - 32) < 0)
        fail_msg("no /proc/self/exe");
    *strrchr(path, '/') = '\0';
    snprintf(text, sizeof text, "\"cmd=%s/../%s %s\" name=fake %s", path, program, mode, words);
    EngineSpec spec = engine_spec_init();
    assert_int_equal(engine_spec_parse(&spec, text), OK);
    assert_int_equal(engine_spec_finish(&spec), OK);
    return spec;
}

static inline EngineSpec fake_spec(const char *mode, const char *words) {
    return fake_spec_of("fake_engine", mode, words);
}

// Orphans of engines become our children, so that none can hide.
static inline int adopt_orphans(void **state) {
    (void)state;
    return prctl(PR_SET_CHILD_SUBREAPER, 1);
}

// Fails when any process of ours, or left behind by one of ours, is still alive.
static inline void assert_no_process(void) {
    for (int tries = 0; tries < PATIENT_MS; tries++) {
        pid_t pid = waitpid(-1, NULL, WNOHANG);
        if (pid < 0 && errno == ECHILD)
            return;
        if (pid == 0)
            usleep(1000);
    }
    fail_msg("a process was left behind");
}
