// SPDX-License-Identifier: GPL-3.0-or-later
#include "serve/started.h"

#include "base/file.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/owner.h"
#include "serve/locks.h"
#include "serve/plain_file.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { RECORD_MAX = 1 << 16 };

const char *const started_state_names[STARTED_STATE_NB] = {
    [STARTED_BEGINS] = "starting", [STARTED_RUNS] = "running",
    [STARTED_STOPS] = "stopping",  [STARTED_ELSEWHERE] = "running elsewhere",
    [STARTED_STOPPED] = "stopped", [STARTED_FINISHED] = "finished",
    [STARTED_FAILED] = "failed",
};

void started_run_free(StartedRun *run) {
    str_free(&run->name);
    str_free(&run->folder);
    str_free(&run->verb);
    str_free(&run->command);
}

void started_free(StartedRuns *runs) {
    for (size_t i = 0; i < runs->count; i++)
        started_run_free(&runs->runs[i]);
    free(runs->runs);
    *runs = (StartedRuns){0};
}

static void add_path(const StartedRun *run, const char *name, Str *out) {
    str_addf(out, "%s/%s", str_text(&run->folder), name);
}

static bool has_file(const StartedRun *run, const char *name) {
    CLEANUP(str_free) Str path = {0};
    add_path(run, name, &path);
    return plain_exists(str_text(&path));
}

// What its process writes first, and goes on by.
static const char *settings_file(const StartedRun *run) {
    return strcmp(str_text(&run->verb), "match") == 0 ? "config" : "config.ini";
}

// --- records ---

Status started_write(const StartedRun *run) {
    CLEANUP(str_free) Str path = {0};
    CLEANUP(str_free) Str text = {0};
    const ProcessId *process = &run->process;
    add_path(run, STARTED_RECORD, &path);
    str_addf(&text, "{\"verb\":\"%s\",\"command\":", str_text(&run->verb));
    json_add_string(&text, str_text(&run->command));
    str_addf(&text,
             ",\"threads\":%" PRId64 ",\"when\":%" PRId64 ",\"stopping\":%d,\"pid\":%" PRId64
             ",\"began\":%" PRId64 ",\"boot\":\"%s\"}\n",
             run->threads, run->when_s, run->is_stopping, process->pid, process->began,
             process->boot);
    return file_write(str_text(&path), text.text, text.length);
}

static void take_text(StrView record, const char *key, Str *out) {
    StrView value;
    if (json_find(record, key, &value))
        json_add_unescaped(out, value);
}

static bool is_verb(const char *verb) {
    return strcmp(verb, "evolve") == 0 || strcmp(verb, "coevolve") == 0 ||
           strcmp(verb, "match") == 0;
}

static bool read_record(StartedRun *run) {
    CLEANUP(str_free) Str path = {0};
    CLEANUP(str_free) Str text = {0};
    CLEANUP(str_free) Str boot = {0};
    int64_t stopping;
    ProcessId *process = &run->process;
    add_path(run, STARTED_RECORD, &path);
    if (plain_read(str_text(&path), RECORD_MAX, &text) != OK)
        return false;
    const StrView record = view_of(str_text(&text), text.length);
    take_text(record, "verb", &run->verb);
    take_text(record, "command", &run->command);
    take_text(record, "boot", &boot);
    snprintf(process->boot, sizeof process->boot, "%s", str_text(&boot));
    const bool is_whole = json_find_int(record, "threads", &run->threads) &&
                          json_find_int(record, "when", &run->when_s) &&
                          json_find_int(record, "stopping", &stopping) &&
                          json_find_int(record, "pid", &process->pid) &&
                          json_find_int(record, "began", &process->began);
    run->is_stopping = is_whole && stopping != 0;
    return is_whole && run->threads > 0 && is_verb(str_text(&run->verb));
}

// --- what they are at ---

static StartedState judge(const StartedRun *run, const Locks *locks) {
    const char *folder = str_text(&run->folder);
    const bool has_begun = has_file(run, settings_file(run));
    const bool is_held = locks_hold(locks, folder);
    if (process_id_is_alive(&run->process) &&
        (!is_held || locks_hold_by(locks, folder, (int)run->process.pid)))
        return run->is_stopping ? STARTED_STOPS : has_begun ? STARTED_RUNS : STARTED_BEGINS;
    if (is_held)
        return STARTED_ELSEWHERE;
    if (!has_begun)
        return STARTED_FAILED;
    return has_file(run, "report.html") ? STARTED_FINISHED : STARTED_STOPPED;
}

static void look_at(StartedRuns *runs, const char *root, const char *name, const Locks *locks) {
    CLEANUP(started_run_free) StartedRun run = {0};
    struct stat info;
    str_add(&run.name, name);
    str_addf(&run.folder, "%s/%s/%s", root, STARTED_FOLDER, name);
    if (name[0] == '.' || runs->count == STARTED_LIST_MAX ||
        lstat(str_text(&run.folder), &info) != 0 || !S_ISDIR(info.st_mode) || !read_record(&run))
        return;
    run.state = judge(&run, locks);
    MEM_ADD(runs->runs, runs->count, runs->capacity) = TAKE(run);
}

static int compare_runs(const void *a, const void *b) {
    const StartedRun *one = a, *other = b;
    const int by_time = MEM_ORDER(other->when_s, one->when_s);
    return by_time != 0 ? by_time : strcmp(str_text(&other->name), str_text(&one->name));
}

void started_read(StartedRuns *out, const char *root) {
    CLEANUP(str_free) Str path = {0};
    CLEANUP(locks_free) Locks locks = {0};
    struct dirent **entries;
    struct stat info;
    *out = (StartedRuns){0};
    str_addf(&path, "%s/%s", root, STARTED_FOLDER);
    // A link would lead out of what is served.
    const int count = lstat(str_text(&path), &info) == 0 && S_ISDIR(info.st_mode)
                          ? scandir(str_text(&path), &entries, NULL, alphasort)
                          : -1;
    if (count < 0)
        return;
    locks_read(&locks);
    for (int i = 0; i < count; i++) {
        look_at(out, root, entries[i]->d_name, &locks);
        free(entries[i]);
    }
    free(entries);
    MEM_SORT(out->runs, out->count, compare_runs);
}

StartedRun *started_find(const StartedRuns *runs, const char *name) {
    for (size_t i = 0; i < runs->count; i++)
        if (strcmp(str_text(&runs->runs[i].name), name) == 0)
            return &runs->runs[i];
    return NULL;
}

size_t started_count_running(const StartedRuns *runs) {
    size_t count = 0;
    for (size_t i = 0; i < runs->count; i++)
        count += runs->runs[i].state <= STARTED_STOPS;
    return count;
}

Status started_check_record_owner(const StartedRun *run, const char *root) {
    CLEANUP(str_free) Str path = {0};
    str_addf(&path, "%s/%s", root, STARTED_FOLDER);
    TRY(owner_check(str_text(&path)));
    TRY(owner_check(str_text(&run->folder)));
    str_clear(&path);
    add_path(run, STARTED_RECORD, &path);
    return owner_check(str_text(&path));
}

Status started_check_owner(const StartedRun *run, const char *root) {
    CLEANUP(str_free) Str path = {0};
    TRY(started_check_record_owner(run, root));
    add_path(run, settings_file(run), &path);
    return owner_check(str_text(&path));
}

void started_add_output(const StartedRun *run, Str *out) {
    CLEANUP(str_free) Str path = {0};
    struct stat info;
    add_path(run, STARTED_OUTPUT, &path);
    if (lstat(str_text(&path), &info) != 0 || !S_ISREG(info.st_mode) || info.st_size <= 0)
        return;
    const size_t size = (size_t)info.st_size;
    const size_t told = size < STARTED_OUTPUT_TOLD ? size : STARTED_OUTPUT_TOLD;
    // What cannot be read is not told.
    (void)!plain_read_part(str_text(&path), size - told, told, out);
}
