// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/run_folder.h"

#include "base/file.h"
#include "base/folder.h"
#include "base/shell.h"
#include "base/temporary.h"
#include "run/files/checkpoint.h"

#include <unistd.h>

enum { CONFIG_MAX = 1 << 20 };

static void config_path(const char *directory, Str *out) {
    str_clear(out);
    str_addf(out, "%s/config.ini", directory);
}

void run_directory(const char *directory, const RunConfig *config, uint32_t index, Str *out) {
    str_clear(out);
    str_add(out, directory);
    if (config->runs > 1)
        str_addf(out, "/run-%02u", index + 1);
}

// --- one process at a time ---

Status run_lock(const char *directory, int *lock) {
    return folder_lock(directory, "run", lock);
}

void run_unlock(int lock) {
    folder_unlock(lock);
}

// --- the beginning ---

static bool holds_run(const char *directory, const RunConfig *config) {
    Str path = {0};
    config_path(directory, &path);
    bool holds = access(str_text(&path), F_OK) == 0;
    for (uint32_t i = 0; i < config->runs && !holds; i++) {
        run_directory(directory, config, i, &path);
        holds = checkpoint_exists(str_text(&path), false);
    }
    str_free(&path);
    return holds;
}

Status run_folder_refuse(const char *directory) {
    Str word = {0};
    shell_quote(&word, directory);
    const Status status =
        error_set(ERR_ARG,
                  "%s holds a run already: go on with it (--resume %s), or name another "
                  "directory with -o",
                  directory, word.text);
    str_free(&word);
    return status;
}

Status run_check_directory(const char *directory, const RunConfig *config) {
    static const char *const written[] = {
        "checkpoint",     "checkpoint.previous", "log.jsonl",    "timings.csv",
        "population.csv", "test-readings.jsonl", "best.weights", "undeveloped.weights",
        "values.txt",     "verdict.csv",         "front.csv",    "front-[0-9]*.weights",
        "report.html",    "report.txt",          "runs.csv",     NULL};
    static const char what[] = "a new run (there is no config.ini)";
    if (holds_run(directory, config))
        return run_folder_refuse(directory);
    Str path = {0};
    Status status = folder_check_unused(directory, written, what);
    for (uint32_t i = 0; i < config->runs && status == OK; i++) {
        run_directory(directory, config, i, &path);
        status = folder_check_unused(str_text(&path), written, what);
    }
    str_free(&path);
    return status;
}

// The settings come last: where they are, the rest is.
static Status fill_directory(const char *directory, const RunConfig *config) {
    Str path = {0}, text = {0};
    Status status = run_check_directory(directory, config);
    if (status != OK)
        return status;
    temporary_sweep_folder(directory);
    for (uint32_t i = 0; i < config->runs && status == OK; i++) {
        run_directory(directory, config, i, &path);
        status = folder_create(str_text(&path));
    }
    str_add(&text,
            "; The settings of this run, as resolved. Do not change them while it goes on.\n");
    run_config_write(config, &text);
    config_path(directory, &path);
    if (status == OK)
        status = file_write(str_text(&path), text.text, text.length);
    str_free(&path);
    str_free(&text);
    return status;
}

Status run_begin(const char *directory, const RunConfig *config) {
    int lock;
    Status status = folder_create(directory);
    if (status == OK)
        status = run_lock(directory, &lock);
    if (status != OK)
        return status;
    status = fill_directory(directory, config);
    run_unlock(lock);
    return status;
}

Status run_open(const char *directory, RunConfig *config) {
    Str path = {0}, text = {0};
    config_path(directory, &path);
    Status status = access(str_text(&path), F_OK) == 0
                        ? file_read(str_text(&path), CONFIG_MAX, &text)
                        : error_set(ERR_IO, "%s holds no run: there is no config.ini", directory);
    if (status == OK)
        status = run_config_parse(config, view_of(str_text(&text), text.length), str_text(&path));
    str_free(&path);
    str_free(&text);
    return status;
}
