// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/steps.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/folder.h"
#include "base/mem.h"
#include "base/shell.h"
#include "tools/args.h"
#include "tools/commands.h"
#include "tools/print.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SHOWN_LINES = 8, LOG_MAX = 1 << 26 };

// --- a command line as words ---

typedef struct Words {
    char **items; // owned, ended by NULL
    size_t count, capacity;
} Words;

static Words split(const char *command) {
    Words words = {0};
    Str word = {0};
    while (shell_next_word(&command, &word)) {
        words.items = vec_grow(words.items, &words.capacity, words.count + 2, sizeof *words.items);
        words.items[words.count++] = mem_copy_string(str_text(&word));
        words.items[words.count] = NULL;
    }
    str_free(&word);
    return words;
}

static void words_free(Words *words) {
    for (size_t i = 0; i < words->count; i++)
        free(words->items[i]);
    free(words->items);
}

// --- what it prints ---

// Standard output and error, put aside while they go to a file.
typedef struct Aside {
    int out, err;
} Aside;

static Status put_aside(Aside *aside, const char *path) {
    fflush(stdout);
    fflush(stderr);
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0)
        return error_set(ERR_IO, "%s: %s", path, strerror(errno));
    aside->out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
    aside->err = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0);
    dup2(fd, STDOUT_FILENO);
    dup2(fd, STDERR_FILENO);
    close(fd);
    return OK;
}

static void put_back(const Aside *aside) {
    fflush(stdout);
    fflush(stderr);
    dup2(aside->out, STDOUT_FILENO);
    dup2(aside->err, STDERR_FILENO);
    close(aside->out);
    close(aside->err);
}

static void show_end(const char *path) {
    Str text = {0};
    if (file_read(path, LOG_MAX, &text) == OK) {
        size_t at = text.length, lines = 0;
        while (at > 0 && (lines += at < text.length && text.text[at - 1] == '\n') < SHOWN_LINES)
            at--;
        print_text(stderr, str_text(&text) + at);
    }
    str_free(&text);
}

// --- a step ---

// Whether runs of evolution were begun, which go on by another command.
static bool is_begun(const Plan *plan, const Step *step) {
    Str path = {0};
    str_addf(&path, "%s/%s/config.ini", plan->folder, step->name);
    const bool is_there = step->resume != NULL && access(str_text(&path), F_OK) == 0;
    str_free(&path);
    return is_there;
}

static void log_path(const Plan *plan, const Step *step, Str *out) {
    str_addf(out, "%s/log/%s.txt", plan->folder, step->name);
}

static Status run_aside(const Plan *plan, const Step *step, const char *log, int *exit_code) {
    Aside aside = {-1, -1};
    Status status = put_aside(&aside, log);
    if (status != OK)
        return status;
    Str command = {0};
    if (is_begun(plan, step))
        str_add(&command, step->resume);
    else
        plan_add_command(plan, step, &command);
    Words words = split(str_text(&command));
    *exit_code = falconer_run((int)words.count, words.items);
    put_back(&aside);
    words_free(&words);
    str_free(&command);
    return OK;
}

static bool run_step(Plan *plan, Step *step) {
    Str log = {0};
    log_path(plan, step, &log);
    const int64_t start_ns = clock_now_ns();
    int exit_code = EXIT_FAILED;
    Status status = run_aside(plan, step, str_text(&log), &exit_code);
    if (status == OK && exit_code == EXIT_DONE)
        status = plan_done(plan, step, clock_seconds_since(start_ns));
    const bool is_done = status == OK && exit_code == EXIT_DONE;
    if (!is_done) {
        print_out("stopped\n");
        fflush(stdout);
        if (status == OK)
            show_end(str_text(&log));
        print_err("falconer reproduce: step %s did not end: %s\n", step->name,
                  status == OK ? str_text(&log) : error_message());
    }
    str_free(&log);
    return is_done;
}

static Status create_folders(const Plan *plan) {
    Str path = {0};
    str_addf(&path, "%s/log", plan->folder);
    Status status = folder_create(str_text(&path));
    str_free(&path);
    return status;
}

bool steps_run(Plan *plan) {
    if (create_folders(plan) != OK) {
        print_failure("falconer reproduce");
        return false;
    }
    for (size_t i = 0; i < plan->count; i++) {
        Step *step = &plan->steps[i];
        print_out("[%zu/%zu] %-24s ", i + 1, plan->count, step->name);
        if (step->seconds >= 0) {
            print_out("is there\n");
            continue;
        }
        print_out("about %4.0f s ... ", step->estimate);
        fflush(stdout);
        if (!run_step(plan, step))
            return false;
        print_out("%.1f s\n", step->seconds);
    }
    return true;
}
