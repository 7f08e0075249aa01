// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/steps.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/folder.h"
#include "base/mem.h"
#include "base/shell.h"
#include "papers/record_step.h"
#include "tools/args.h"
#include "tools/commands.h"
#include "tools/print.h"
#include "tools/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SHOWN_LINES = 8, LOG_MAX = 1 << 26, NOTE_EVERY_S = 2 };

// --- a command line as words ---

typedef struct Words {
    char **items; // owned, ended by NULL
    size_t count, capacity;
} Words;

static Words split(const char *command) {
    Words words = {0};
    CLEANUP(str_free) Str word = {0};
    while (shell_next_word(&command, &word)) {
        words.items = mem_grow(words.items, &words.capacity, words.count + 2, sizeof *words.items);
        words.items[words.count++] = mem_copy_string(str_text(&word));
        words.items[words.count] = NULL;
    }
    return words;
}

static void words_free(Words *words) {
    for (size_t i = 0; i < words->count; i++)
        free(words->items[i]);
    free(words->items);
}

// --- what it prints ---

// Standard output and error as they were before they went to a file.
typedef struct SavedOutput {
    int out, err;
} SavedOutput;

static Status redirect_output(SavedOutput *saved, const char *path) {
    fflush(stdout);
    fflush(stderr);
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0)
        return error_set(ERR_IO, "%s: %s", path, strerror(errno));
    saved->out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
    saved->err = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0);
    dup2(fd, STDOUT_FILENO);
    dup2(fd, STDERR_FILENO);
    close(fd);
    return OK;
}

static void restore_output(const SavedOutput *saved) {
    fflush(stdout);
    fflush(stderr);
    dup2(saved->out, STDOUT_FILENO);
    dup2(saved->err, STDERR_FILENO);
    close(saved->out);
    close(saved->err);
}

static void show_end(const char *path) {
    CLEANUP(str_free) Str text = {0};
    if (file_read(path, LOG_MAX, &text) != OK)
        return;
    size_t at = text.length, lines = 0;
    while (at > 0 && (lines += at < text.length && text.text[at - 1] == '\n') < SHOWN_LINES)
        at--;
    print_text(stderr, str_text(&text) + at);
}

// --- its time ---

// Writes down now and then how long a step goes on, so that not even a kill loses its time.
typedef struct Timekeeper {
    const Plan *plan;
    const Step *step;
    int64_t start_ns;
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t is_over_now;
    bool is_over, has_thread;
} Timekeeper;

static Status note_time(const Timekeeper *keeper) {
    return plan_note(keeper->plan, keeper->step, clock_seconds_since(keeper->start_ns));
}

static void *keep_time(void *context) {
    Timekeeper *keeper = context;
    pthread_mutex_lock(&keeper->mutex);
    while (!keeper->is_over) {
        struct timespec until;
        clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_sec += NOTE_EVERY_S;
        pthread_cond_timedwait(&keeper->is_over_now, &keeper->mutex, &until);
        // A note that fails is made up for by the next; the last one's failure is told.
        if (!keeper->is_over)
            (void)note_time(keeper);
    }
    pthread_mutex_unlock(&keeper->mutex);
    return NULL;
}

static Status timekeeper_start(Timekeeper *keeper, const Plan *plan, const Step *step) {
    *keeper = (Timekeeper){.plan = plan, .step = step, .start_ns = clock_now_ns()};
    TRY(note_time(keeper));
    pthread_condattr_t clock;
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_mutex_init(&keeper->mutex, NULL);
    pthread_cond_init(&keeper->is_over_now, &clock);
    pthread_condattr_destroy(&clock);
    // Signals are for the step.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    keeper->has_thread = pthread_create(&keeper->thread, NULL, keep_time, keeper) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return OK;
}

static void timekeeper_stop(Timekeeper *keeper) {
    pthread_mutex_lock(&keeper->mutex);
    keeper->is_over = true;
    pthread_cond_signal(&keeper->is_over_now);
    pthread_mutex_unlock(&keeper->mutex);
    if (keeper->has_thread)
        pthread_join(keeper->thread, NULL);
    pthread_cond_destroy(&keeper->is_over_now);
    pthread_mutex_destroy(&keeper->mutex);
}

// --- a step ---

// Whether runs of evolution were begun, which go on by another command.
static bool is_begun(const Plan *plan, const Step *step) {
    CLEANUP(str_free) Str path = {0};
    if (step->output == NULL)
        return false;
    str_addf(&path, "%s/%s/config.ini", plan->folder, step->output);
    return access(str_text(&path), F_OK) == 0;
}

static Status run_command(const Plan *plan, const Step *step, const char *log, int *exit_code) {
    SavedOutput saved = {-1, -1};
    CLEANUP(str_free) Str command = {0};
    TRY(redirect_output(&saved, log));
    if (is_begun(plan, step))
        str_add(&command, step->resume);
    else
        plan_add_command(plan, step, &command);
    Words words = split(str_text(&command));
    *exit_code = falconer_run((int)words.count, words.items);
    restore_output(&saved);
    words_free(&words);
    return OK;
}

// Runs a step and writes down how long it took.
static Status time_command(Plan *plan, Step *step, const char *log, int *exit_code) {
    Timekeeper keeper;
    TRY(timekeeper_start(&keeper, plan, step));
    const Status status = run_command(plan, step, log, exit_code);
    timekeeper_stop(&keeper);
    TRY(status);
    const double seconds = clock_seconds_since(keeper.start_ns);
    if (*exit_code == EXIT_DONE)
        plan_ask_versions(step);
    return *exit_code == EXIT_DONE ? plan_done(plan, step, seconds) : note_time(&keeper);
}

static bool run_step(Plan *plan, Step *step) {
    CLEANUP(str_free) Str log = {0};
    str_addf(&log, "%s/log/%s.txt", plan->folder, step->name);
    int exit_code = EXIT_FAILED;
    const Status status = time_command(plan, step, str_text(&log), &exit_code);
    if (status == OK && exit_code == EXIT_DONE)
        return true;
    print_out("stopped\n");
    fflush(stdout);
    if (status == OK && signals_came()) {
        print_err("falconer reproduce: step %s was interrupted; the same command goes on\n",
                  step->name);
        return false;
    }
    if (status == OK)
        show_end(str_text(&log));
    print_err("falconer reproduce: step %s failed: %s\n", step->name,
              status == OK ? str_text(&log) : error_message());
    return false;
}

static Status create_folders(const Plan *plan) {
    CLEANUP(str_free) Str path = {0};
    str_addf(&path, "%s/log", plan->folder);
    TRY(plan_begin(plan));
    return folder_create(str_text(&path));
}

// --- the folder ---

// Commands run in the plan's folder, so that none of them names it and it can be moved.
typedef struct Place {
    int back;     // a descriptor of the folder we came from
    char *folder; // the plan's, as it was named there; owned
} Place;

// What a user named from there is found from here too.
static void keep_data_folder(void) {
    const char *const data = getenv("FALCONER_DATA");
    CLEANUP(mem_free_at)
    char *path = data == NULL || data[0] == '/' ? NULL : realpath(data, NULL);
    if (path != NULL)
        setenv("FALCONER_DATA", path, 1);
}

static Status enter(Plan *plan, Place *place) {
    TRY(create_folders(plan));
    keep_data_folder();
    char *path = realpath(plan->folder, NULL);
    place->back = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (path == NULL || place->back < 0 || chdir(path) != 0) {
        free(path);
        return error_set(ERR_IO, "%s: %s", plan->folder, strerror(errno));
    }
    place->folder = plan->folder;
    plan->folder = path;
    return OK;
}

static void leave(Plan *plan, Place *place) {
    if (place->folder != NULL) {
        free(plan->folder);
        plan->folder = place->folder;
        if (fchdir(place->back) != 0)
            print_err("falconer reproduce: cannot go back: %s\n", strerror(errno));
    }
    if (place->back >= 0)
        close(place->back);
}

// --- one step after the other ---

// Takes a step from its record; false where it must be run.
static bool restore(Plan *plan, Step *step) {
    CLEANUP(str_free) Str reason = {0};
    bool is_restored = false;
    if (record_restore(plan, step, &is_restored, &reason) != OK)
        str_setf(&reason, "%s", error_message());
    if (is_restored)
        print_out("from the record of commit %s\n", str_text(&step->recorded));
    else if (reason.length > 0)
        print_out("has a record that is not used: %s\n%34s", str_text(&reason), "");
    return is_restored;
}

static bool run_and_keep(Plan *plan, Step *step) {
    print_out("about %4.0f s ... ", step->estimate);
    fflush(stdout);
    record_drop_restored(plan, step);
    if (!run_step(plan, step))
        return false;
    CLEANUP(str_free) Str note = {0};
    const Status status = record_keep(plan, step, &note);
    print_out("%.1f s%s%s\n", step->seconds, note.length == 0 ? "" : "; ", str_text(&note));
    if (status == OK)
        return true;
    print_failure("falconer reproduce");
    return false;
}

static double seconds_until(int64_t ns) {
    return (double)(ns - clock_now_ns()) / 1e9;
}

static StepsEnd run_in_time(Plan *plan, Step *step, double seconds_left) {
    if (step->estimate > seconds_left) {
        print_out("about %4.0f s: not begun, there is no time left\n", step->estimate);
        return STEPS_LEFT;
    }
    return run_and_keep(plan, step) ? STEPS_DONE : STEPS_FAILED;
}

// A step that was not recorded may read games that a record does not have: they are played first.
static StepsEnd run_with_games(Plan *plan, Step *step, int64_t until_ns) {
    Step *needed;
    while ((needed = record_find_unplayed(plan, step)) != NULL) {
        print_out("needs the games of %s: ", needed->name);
        needed->seconds = -1;
        str_clear(&needed->recorded);
        const StepsEnd end = run_in_time(plan, needed, seconds_until(until_ns));
        if (end != STEPS_DONE)
            return end;
        print_out("%34s", "");
    }
    return run_in_time(plan, step, seconds_until(until_ns));
}

// Why a step is left out, if it is: it was not asked for, or reads what another left out would have
// written.
static bool is_left_out(const Plan *plan, const Step *step) {
    const Step *const needed = plan_find_needed(plan, step);
    if (!plan_is_asked_for(plan, step))
        print_out("left out\n");
    else if (needed != NULL)
        print_out("left out: it needs %s\n", needed->name);
    else
        return false;
    return true;
}

static StepsEnd take_step(Plan *plan, Step *step, int64_t until_ns) {
    if (step->seconds >= 0) {
        CLEANUP(str_free) Str note = {0};
        const Status status = record_keep_missing(plan, step, &note);
        print_out("already done%s%s\n", note.length == 0 ? "" : "; ", str_text(&note));
        if (status == OK)
            return STEPS_DONE;
        print_failure("falconer reproduce");
        return STEPS_FAILED;
    }
    if (restore(plan, step))
        return STEPS_DONE;
    return is_left_out(plan, step) ? STEPS_LEFT_OUT : run_with_games(plan, step, until_ns);
}

// Runs all steps that are asked for and for which there is time.
static StepsEnd run_all_steps(Plan *plan, double most_seconds) {
    const int64_t until_ns =
        most_seconds > 0 ? clock_now_ns() + (int64_t)(most_seconds * 1e9) : INT64_MAX;
    StepsEnd all = STEPS_DONE;
    for (size_t i = 0; i < plan->count; i++) {
        print_out("[%zu/%zu] %-24s ", i + 1, plan->count, plan->steps[i].name);
        const StepsEnd end = take_step(plan, &plan->steps[i], until_ns);
        if (end == STEPS_LEFT_OUT)
            all = end;
        else if (end != STEPS_DONE)
            return end;
    }
    return all;
}

StepsEnd steps_run(Plan *plan, double most_seconds) {
    Place place = {.back = -1};
    StepsEnd end = STEPS_FAILED;
    if (enter(plan, &place) == OK)
        end = run_all_steps(plan, most_seconds);
    else
        print_failure("falconer reproduce");
    leave(plan, &place);
    return end;
}
