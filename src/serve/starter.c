// SPDX-License-Identifier: GPL-3.0-or-later
#include "serve/starter.h"

#include "base/mem.h"
#include "base/owner.h"
#include "base/shell.h"
#include "serve/detached.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { NAMES_TRIED = 1000 };

void starter_open(Starter *starter, const char *root) {
    pthread_mutex_init(&starter->lock, NULL);
    starter->root = root;
}

void starter_close(Starter *starter) {
    pthread_mutex_destroy(&starter->lock);
}

// --- words ---

typedef struct Words {
    char **items; // owned, ended by NULL
    size_t count, capacity;
} Words;

static void add_word(Words *words, const char *word) {
    MEM_ADD(words->items, words->count, words->capacity) = mem_copy_string(word);
}

static void free_words(Words *words) {
    for (size_t i = 0; i < words->count; i++)
        free(words->items[i]);
    free(words->items);
}

static bool is_match(const char *verb) {
    return strcmp(verb, "match") == 0;
}

static void add_threads(Words *words, const char *verb, int64_t threads) {
    char number[24];
    snprintf(number, sizeof number, "%" PRId64, threads);
    add_word(words, is_match(verb) ? "-concurrency" : "--threads");
    add_word(words, number);
    if (!is_match(verb))
        add_word(words, "--no-progress");
}

static void make_words(const StarterOrder *order, const char *folder, Words *out) {
    add_word(out, "falconer");
    add_word(out, order->verb);
    for (size_t i = 0; i < order->word_count; i++)
        add_word(out, order->words[i]);
    add_threads(out, order->verb, order->threads);
    add_word(out, is_match(order->verb) ? "--resume" : "-o");
    add_word(out, folder);
}

static void quote_words(const Words *words, Str *out) {
    for (size_t i = 0; i < words->count; i++) {
        str_add(out, i == 0 ? "" : " ");
        shell_quote(out, words->items[i]);
    }
}

// --- folders ---

static void write_name(const char *stem, int number, Str *out) {
    str_setf(out, number == 1 ? "%s" : "%s-%d", stem, number);
}

// Makes `runs` if need be. No link is followed: it would lead out of what is served; and where
// others can write, they could put one in the place of a run's folder.
static Status open_runs(const Starter *starter, int *out) {
    const int root = open(starter->root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (root < 0)
        return error_set(ERR_IO, "%s: %s", starter->root, strerror(errno));
    (void)mkdirat(root, STARTED_FOLDER, 0755);
    *out = openat(root, STARTED_FOLDER, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    const int error = errno;
    close(root);
    CLEANUP(str_free) Str path = {0};
    str_addf(&path, "%s/%s", starter->root, STARTED_FOLDER);
    if (*out < 0)
        return error_set(ERR_IO, "%s: %s", str_text(&path), strerror(error));
    const Status status = owner_check_open(*out, str_text(&path));
    if (status != OK)
        close(*out);
    return status;
}

static Status make_folder(const Starter *starter, const char *stem, Str *name) {
    int runs = -1;
    TRY(open_runs(starter, &runs));
    int made = -1;
    for (int i = 1; i <= NAMES_TRIED && made != 0; i++) {
        write_name(stem, i, name);
        made = mkdirat(runs, str_text(name), 0755);
        if (made != 0 && errno != EEXIST)
            break;
    }
    const int error = errno;
    close(runs);
    return made == 0 ? OK
                     : error_set(ERR_IO, "%s/%s/%s: %s", starter->root, STARTED_FOLDER,
                                 str_text(name), strerror(error));
}

// The name that make_folder would find, if nobody comes before it.
static void find_name(const Starter *starter, const char *stem, Str *out) {
    CLEANUP(str_free) Str path = {0};
    struct stat info;
    for (int i = 1; i <= NAMES_TRIED; i++) {
        write_name(stem, i, out);
        str_setf(&path, "%s/%s/%s", starter->root, STARTED_FOLDER, str_text(out));
        if (lstat(str_text(&path), &info) != 0)
            return;
    }
}

void starter_write_command(const Starter *starter, const StarterOrder *order, Str *out) {
    CLEANUP(free_words) Words words = {0};
    CLEANUP(str_free) Str name = {0};
    CLEANUP(str_free) Str folder = {0};
    find_name(starter, order->stem, &name);
    str_addf(&folder, "%s/%s/%s", starter->root, STARTED_FOLDER, str_text(&name));
    make_words(order, str_text(&folder), &words);
    quote_words(&words, out);
}

// --- processes ---

static void reap(Starter *starter) {
    size_t kept = 0;
    for (size_t i = 0; i < starter->child_count; i++)
        if (!detached_is_over(starter->children[i]))
            starter->children[kept++] = starter->children[i];
    starter->child_count = kept;
}

void starter_reap(Starter *starter) {
    pthread_mutex_lock(&starter->lock);
    reap(starter);
    pthread_mutex_unlock(&starter->lock);
}

static int open_output(const StartedRun *run) {
    CLEANUP(str_free) Str path = {0};
    str_addf(&path, "%s/%s", str_text(&run->folder), STARTED_OUTPUT);
    return open(str_text(&path), O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0644);
}

// Starts this same program, in a folder where no file can be mistaken for one that comes with it,
// and writes down which process it is.
static Status launch(Starter *starter, StartedRun *run, Words *words) {
    pid_t pid;
    const int output = open_output(run);
    if (output < 0)
        return error_set(ERR_IO, "%s: %s", str_text(&run->folder), strerror(errno));
    MEM_ADD(words->items, words->count, words->capacity) = NULL;
    words->count--;
    const Status status =
        detached_start("/proc/self/exe", (const char *const *)words->items, "/", output, &pid);
    close(output);
    TRY(status);
    starter->children[starter->child_count++] = pid;
    TRY(process_id_of(pid, &run->process));
    run->is_stopping = false;
    return started_write(run);
}

static Status check_room(Starter *starter) {
    CLEANUP(started_free) StartedRuns runs = {0};
    const char *data = getenv("FALCONER_DATA");
    reap(starter);
    started_read(&runs, starter->root);
    if (started_count_running(&runs) >= STARTER_RUNNING_MAX ||
        starter->child_count >= STARTER_RUNNING_MAX)
        return error_set(ERR_LIMIT, "%d runs are at work already: stop one, or wait",
                         STARTER_RUNNING_MAX);
    if (data != NULL && data[0] != '/')
        return error_set(ERR_ARG, "FALCONER_DATA must begin with / for runs to find it");
    return OK;
}

static Status start(Starter *starter, const StarterOrder *order, Str *name) {
    CLEANUP(started_run_free) StartedRun run = {.threads = order->threads, .when_s = time(NULL)};
    CLEANUP(free_words) Words words = {0};
    TRY(check_room(starter));
    TRY(make_folder(starter, order->stem, name));
    str_add(&run.name, str_text(name));
    str_add(&run.verb, order->verb);
    str_addf(&run.folder, "%s/%s/%s", starter->root, STARTED_FOLDER, str_text(name));
    make_words(order, str_text(&run.folder), &words);
    quote_words(&words, &run.command);
    return launch(starter, &run, &words);
}

Status starter_start(Starter *starter, const StarterOrder *order, Str *name) {
    pthread_mutex_lock(&starter->lock);
    const Status status = start(starter, order, name);
    pthread_mutex_unlock(&starter->lock);
    return status;
}

// --- runs that are there ---

static Status stop(Starter *starter, StartedRun *run) {
    if (run->state == STARTED_ELSEWHERE)
        return error_set(ERR_ARG, "%s was not started by a page: stop it where you started it",
                         str_text(&run->name));
    if (run->state == STARTED_STOPS)
        return error_set(ERR_ARG, "%s was told to stop: it finishes what it is at",
                         str_text(&run->name));
    if (run->state > STARTED_STOPS)
        return error_set(ERR_ARG, "%s is %s", str_text(&run->name),
                         started_state_names[run->state]);
    TRY(started_check_record_owner(run, starter->root));
    // Written first: a second signal would end it before it has saved what it did.
    run->is_stopping = true;
    TRY(started_write(run));
    return process_id_interrupt(&run->process);
}

static Status resume(Starter *starter, StartedRun *run) {
    CLEANUP(free_words) Words words = {0};
    if (run->state != STARTED_STOPPED)
        return error_set(ERR_ARG, "%s is %s: there is nothing to go on with", str_text(&run->name),
                         started_state_names[run->state]);
    TRY(check_room(starter));
    TRY_PREFIX(started_check_owner(run, starter->root), "not resumed");
    add_word(&words, "falconer");
    add_word(&words, str_text(&run->verb));
    add_word(&words, "--resume");
    add_word(&words, str_text(&run->folder));
    add_threads(&words, str_text(&run->verb), run->threads);
    return launch(starter, run, &words);
}

static Status with_run(Starter *starter, const char *name, Status (*act)(Starter *, StartedRun *)) {
    CLEANUP(started_free) StartedRuns runs = {0};
    pthread_mutex_lock(&starter->lock);
    reap(starter);
    started_read(&runs, starter->root);
    StartedRun *run = started_find(&runs, name);
    const Status status =
        run == NULL ? error_set(ERR_ARG, "no page started a run of that name") : act(starter, run);
    pthread_mutex_unlock(&starter->lock);
    return status;
}

Status starter_stop(Starter *starter, const char *name) {
    return with_run(starter, name, stop);
}

Status starter_resume(Starter *starter, const char *name) {
    return with_run(starter, name, resume);
}
