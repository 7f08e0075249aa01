// SPDX-License-Identifier: GPL-3.0-or-later
// What the fake engines share: ways to misbehave that need no protocol, and a move to answer with.
#pragma once

#include "chess/movegen.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FAKING_CHUNK = 4096, FAKING_LONG_LINE = 1 << 20, FAKING_FLOOD = 100 << 20 };

static inline void say(const char *line) {
    puts(line);
    fflush(stdout);
}

static inline void sleep_ms(long ms) {
    usleep((useconds_t)ms * 1000);
}

[[gnu::noreturn]] static inline void live_forever(void) {
    for (;;)
        pause();
}

// Appends a line to the file that an environment variable names.
static inline void note(const char *variable, const char *text) {
    const char *path = getenv(variable);
    FILE *file = path == NULL ? NULL : fopen(path, "a");
    if (file == NULL)
        return;
    fprintf(file, "%s\n", text);
    fclose(file);
}

static inline void note_pid(void) {
    char text[32];
    snprintf(text, sizeof text, "%d", (int)getpid());
    note("FAKE_ENGINE_PIDS", text);
}

// A child in the same group, which lives on and keeps the pipes open.
static inline void fork_child(void) {
    if (fork() != 0)
        return;
    note_pid();
    live_forever();
}

// A process in a session of its own, whose parent is gone; it lives on without our pipes.
static inline void fork_daemon(void) {
    const pid_t child = fork();
    if (child != 0) {
        waitpid(child, NULL, 0);
        return;
    }
    setsid();
    if (fork() != 0)
        _exit(0);
    note_pid();
    for (int fd = 0; fd <= STDERR_FILENO; fd++)
        close(fd);
    live_forever();
}

// As a script that starts the engine and waits for it: returns in the child.
static inline void wrap(void) {
    const pid_t child = fork();
    if (child == 0) {
        note_pid();
        return;
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0)
        ;
    _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

// Lines that begin with `start`; 0 bytes: without end.
static inline void flood(const char *start, size_t bytes) {
    char line[FAKING_CHUNK];
    memset(line, 'x', sizeof line);
    memcpy(line, start, strlen(start));
    line[sizeof line - 1] = '\n';
    for (size_t done = 0; bytes == 0 || done < bytes; done += sizeof line)
        fwrite(line, 1, sizeof line, stdout);
}

// What a terminal would obey: a reset, a title, C1 controls as UTF-8 and as bytes, marks of
// direction, a carriage return. No blanks, so that it is one word.
#define FAKING_HOSTILE                                                                             \
    "e9\033c\033]0;owned\a\302\233"                                                                \
    "2J\2332J\342\200\256\342\201\246\377\b\177\r"                                                 \
    "forged"

static inline void print_noise(void) {
    for (unsigned i = 0; i < 100000; i++)
        putchar((int)((i * 2654435761u) >> 24));
    putchar('\n');
}

static inline void print_long_line(const char *start) {
    fputs(start, stdout);
    for (int i = 0; i < FAKING_LONG_LINE; i++)
        putchar('y');
    putchar('\n');
}

// The ends that some modes come to: crash orphan-crash daemon-crash exit hang close-output. Returns
// in others.
static inline void end_badly(const char *mode) {
    if (strcmp(mode, "orphan-crash") == 0)
        fork_child();
    if (strcmp(mode, "crash") == 0 || strcmp(mode, "orphan-crash") == 0 ||
        strcmp(mode, "daemon-crash") == 0) {
        signal(SIGSEGV, SIG_DFL); // a sanitizer would make a tidy exit of it
        raise(SIGSEGV);
    }
    if (strcmp(mode, "exit") == 0)
        exit(3);
    if (strcmp(mode, "hang") == 0)
        live_forever();
    if (strcmp(mode, "close-output") == 0) {
        fclose(stdout);
        close(STDOUT_FILENO);
        live_forever();
    }
}

// A number that depends on the position alone; it chooses moves and scores.
static inline uint64_t hash_of_position(const Position *pos) {
    return (pos->key ^ pos->key >> 29) * 0x9E3779B97F4A7C15u;
}
