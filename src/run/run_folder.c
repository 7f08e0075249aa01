// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/run_folder.h"

#include "base/file.h"
#include "base/folder.h"
#include "base/mem.h"
#include "base/shell.h"
#include "base/temporary.h"
#include "run/files/checkpoint.h"
#include "run/files/run_rank.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CONFIG_MAX = 1 << 20 };

static Str config_path(const char *directory) {
    Str path = {0};
    str_addf(&path, "%s/config.ini", directory);
    return path;
}

void run_directory(const char *directory, const RunConfig *config, uint32_t index, Str *out) {
    str_clear(out);
    run_path(directory, config->runs > 1, index, out);
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
    CLEANUP(str_free) Str path = config_path(directory);
    bool holds = access(str_text(&path), F_OK) == 0;
    for (uint32_t i = 0; i < config->runs && !holds; i++) {
        run_directory(directory, config, i, &path);
        holds = checkpoint_exists(str_text(&path), false);
    }
    return holds;
}

Status run_folder_refuse(const char *directory) {
    CLEANUP(str_free) Str word = {0};
    shell_quote(&word, directory);
    return error_set(ERR_ARG,
                     "%s holds a run already: go on with it (--resume %s), or name another "
                     "directory with -o",
                     directory, word.text);
}

Status run_check_directory(const char *directory, const RunConfig *config) {
    static const char *const written[] = {"checkpoint",
                                          "checkpoint.previous",
                                          "log.jsonl",
                                          "timings.csv",
                                          "genes.csv",
                                          "population.csv",
                                          "populations.csv",
                                          "meetings.csv",
                                          "test-readings.jsonl",
                                          "best.weights",
                                          "values.txt",
                                          "undeveloped.weights",
                                          "verdict.csv",
                                          "playoff.csv",
                                          "strength.csv",
                                          "front.csv",
                                          "front-[0-9]*.weights",
                                          "report.html",
                                          "report.txt",
                                          "runs.csv",
                                          "results.jsonl",
                                          "optimum.csv",
                                          NULL};
    static const char what[] = "a new run (there is no config.ini)";
    if (holds_run(directory, config))
        return run_folder_refuse(directory);
    CLEANUP(str_free) Str path = {0};
    TRY(folder_check_unused(directory, written, what));
    for (uint32_t i = 0; i < config->runs; i++) {
        run_directory(directory, config, i, &path);
        TRY(folder_check_unused(str_text(&path), written, what));
    }
    return OK;
}

// --- a folder that is moved ---

// Whether a line of settings names files.
static bool names_files(const char *line) {
    static const char *const keys[] = {
        "data = ", "test = ", "start = ", "openings = ", "verdict-openings = ", "start-from = "};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strncmp(line, keys[i], strlen(keys[i])) == 0)
            return true;
    return false;
}

// Replaces what paths begin with, in lists with commas too.
static void replace_folder(const char *text, const char *from, const char *to, Str *out) {
    bool is_start = false, is_path = names_files(text);
    const size_t length = strlen(from);
    for (const char *at = text; *at != '\0';) {
        if (is_start && is_path && strncmp(at, from, length) == 0) {
            str_add(out, to);
            at += length;
        }
        is_start = *at == ',' || (at[0] == ' ' && at > text && at[-1] == '=');
        if (*at == '\n')
            is_path = names_files(at + 1);
        if (*at != '\0')
            str_append(out, at++, 1);
    }
}

// The folder that holds the run's directory, with a slash; empty where the system does not tell.
static Str folder_above(const char *directory) {
    Str above = {0};
    CLEANUP(str_free) Str path = {0};
    str_addf(&path, "%s/..", directory);
    CLEANUP(mem_free_at) char *real = realpath(str_text(&path), NULL);
    if (real != NULL)
        str_addf(&above, "%s%s", real, strcmp(real, "/") == 0 ? "" : "/");
    return above;
}

// Files beside the run's directory are named from there, so that both can be moved together.
static void add_settings(const char *directory, const RunConfig *config, Str *out) {
    CLEANUP(str_free) Str text = {0};
    CLEANUP(str_free) Str above = folder_above(directory);
    run_config_write(config, &text);
    if (above.length > 1)
        replace_folder(str_text(&text), str_text(&above), "../", out);
    else
        str_add(out, str_text(&text));
}

// The settings come last: where they are, the rest is.
static Status fill_directory(const char *directory, const RunConfig *config) {
    CLEANUP(str_free) Str folder = {0};
    CLEANUP(str_free) Str text = {0};
    CLEANUP(str_free) Str path = config_path(directory);
    TRY(run_check_directory(directory, config));
    temporary_sweep_folder(directory);
    for (uint32_t i = 0; i < config->runs; i++) {
        run_directory(directory, config, i, &folder);
        TRY(folder_create(str_text(&folder)));
    }
    str_add(&text,
            "; The settings of this run, as resolved. Do not change them while it goes on.\n");
    add_settings(directory, config, &text);
    return file_write(str_text(&path), text.text, text.length);
}

Status run_begin(const char *directory, const RunConfig *config) {
    int lock;
    TRY(folder_create(directory));
    TRY(run_lock(directory, &lock));
    const Status status = fill_directory(directory, config);
    run_unlock(lock);
    return status;
}

Status run_open(const char *directory, RunConfig *config) {
    CLEANUP(str_free) Str path = config_path(directory);
    CLEANUP(str_free) Str text = {0};
    if (access(str_text(&path), F_OK) != 0)
        return error_set(ERR_IO, "%s holds no run: there is no config.ini", directory);
    TRY(file_read(str_text(&path), CONFIG_MAX, &text));
    CLEANUP(str_free) Str moved = {0};
    CLEANUP(str_free) Str above = folder_above(directory);
    replace_folder(str_text(&text), "../", str_text(&above), &moved);
    return run_config_parse(config, view_of(str_text(&moved), moved.length), str_text(&path));
}
