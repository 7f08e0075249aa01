// SPDX-License-Identifier: GPL-3.0-or-later
// The runs of an argument, from the files in their folders.
#include "base/lines.h"
#include "base/mem.h"
#include "base/shell.h"
#include "compare/compare.h"
#include "run/files/run_log.h"
#include "run/files/verdict_file.h"
#include "run/run_folder.h"
#include "run/verdict.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINE_MAX_BYTES = 1 << 16, HASH_DIGITS = 16, FOLDERS_MOST = 10000 };

static bool exists(const char *directory, const char *name) {
    CLEANUP(str_free) Str path = {0};
    str_addf(&path, "%s/%s", directory, name);
    return access(str_text(&path), F_OK) == 0;
}

// --- best.weights: what the run ended with ---

// What is read of the lineage in a file of weights.
typedef struct Ending {
    char hash[HASH_DIGITS + 1];
    double training, test;
} Ending;

// The hash in "data: FILE (0123456789abcdef): ...".
static void take_hash(const char *text, Ending *out) {
    for (const char *at = strchr(text, '('); at != NULL; at = strchr(at + 1, '('))
        if (strspn(at + 1, "0123456789abcdef") == HASH_DIGITS && at[HASH_DIGITS + 1] == ')') {
            snprintf(out->hash, sizeof out->hash, "%.*s", HASH_DIGITS, at + 1);
            return;
        }
}

// "error: 107.5 centipawns on the training set, 103.8 on the last sample, 109.8 on the test set".
static void take_figures(const char *text, Ending *out) {
    char *end;
    const double training = strtod(text, &end);
    if (end != text && strstr(end, " on the training set") != NULL)
        out->training = training;
    const char *test = strstr(text, " on the test set");
    while (test != NULL && test > text && test[-1] != ' ')
        test--;
    if (test != NULL)
        out->test = strtod(test, NULL);
}

static void take_lineage(const char *line, const char *goal, Ending *out) {
    const size_t length = strlen(goal);
    if (strncmp(line, "# data: ", 8) == 0 || strncmp(line, "# games: ", 9) == 0)
        take_hash(line, out);
    else if (strncmp(line, "# ", 2) == 0 && strncmp(line + 2, goal, length) == 0 &&
             line[2 + length] == ':')
        take_figures(line + 2 + length + 1, out);
}

static Status read_ending(const char *directory, const char *goal, Ending *out) {
    CLEANUP(str_free) Str path = {0};
    CLEANUP(lines_close_at) LineReader *lines = NULL;
    *out = (Ending){.training = NAN, .test = NAN};
    str_addf(&path, "%s/best.weights", directory);
    TRY(lines_open(&lines, str_text(&path), LINE_MAX_BYTES));
    for (;;) {
        CLEANUP(str_free) Str line = {0};
        StrView view;
        TRY(lines_next(lines, &view));
        if (view.text == NULL)
            break;
        str_append(&line, view.text, view.length);
        take_lineage(str_text(&line), goal, out);
    }
    return out->hash[0] != '\0'
               ? OK
               : error_set(ERR_PARSE, "%s: it does not tell the data it is from", str_text(&path));
}

// By games, a run is worth what its verdict says.
static Status read_verdict(const char *directory, double *percent) {
    CLEANUP(str_free) Str path = {0};
    VerdictCounts counts;
    str_addf(&path, "%s/verdict.csv", directory);
    if (access(str_text(&path), F_OK) != 0)
        return error_set(ERR_ARG,
                         "%s has no verdict (verdict-games = 0): there is nothing to compare",
                         directory);
    TRY(verdict_file_read(str_text(&path), &counts));
    *percent = verdict_percent(&(DuelScore){counts.games, counts.pairs});
    return OK;
}

// --- the log ---

static void take_line(void *context, size_t index, const RunLogLine *line) {
    CompareRun *run = context;
    (void)index;
    MEM_ADD(run->points, run->count, run->capacity) = (ComparePoint){
        .reached = {[WHEN_ENDED] = line->generation,
                    [WHEN_EVALUATIONS] = (double)line->evaluations,
                    [WHEN_SECONDS] = NAN},
        .best = line->best,
        .held_out = line->held_out,
    };
}

static Status read_curve(const char *directory, CompareRun *run) {
    TRY(run_log_each(directory, take_line, run));
    if (!exists(directory, "timings.csv"))
        return OK;
    CLEANUP(mem_free_at) double *times = mem_alloc((run->count + 1) * sizeof *times);
    TRY(run_log_times(directory, times, run->count));
    for (size_t i = 0; i < run->count; i++)
        run->points[i].reached[WHEN_SECONDS] = times[i];
    return OK;
}

// --- runs ---

static Status refuse_unfinished(const char *folder, const char *directory, RunFitness fitness) {
    CLEANUP(str_free) Str word = {0};
    shell_quote(&word, folder);
    return error_set(ERR_ARG, "%s is not finished; falconer %s --resume %s goes on with it",
                     directory, fitness == FITNESS_GAMES ? "coevolve" : "evolve", str_text(&word));
}

static Status add_run(CompareGroup *group, const char *folder, const char *directory) {
    const ProblemGoal *goal = problem_goal_of(group->fitness);
    Ending ending;
    if (!exists(directory, "best.weights"))
        return refuse_unfinished(folder, directory, group->fitness);
    TRY(read_ending(directory, goal->name, &ending));
    if (group->fitness == FITNESS_GAMES)
        TRY(read_verdict(directory, &ending.training));
    if (isnan(ending.training))
        return error_set(ERR_PARSE, "%s/best.weights does not tell the %s of the run", directory,
                         goal->name);
    if (group->data.length == 0)
        str_add(&group->data, ending.hash);
    if (strcmp(str_text(&group->data), ending.hash) != 0)
        return error_set(ERR_ARG, "%s: its runs learned from different data (%s and %s)",
                         group->name, str_text(&group->data), ending.hash);
    CompareRun *run = &MEM_ADD(group->runs, group->count, group->capacity);
    *run = (CompareRun){
        .figures = {[COMPARE_TEST] = ending.test, [COMPARE_TRAINING] = ending.training}};
    return read_curve(directory, run);
}

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

// What all runs of a group have in common.
static Status take_settings(CompareGroup *group, const RunConfig *config) {
    const char *test = base_name(str_text(&config->test));
    const char *algorithm = config->algorithm.algorithm->name;
    if (group->count == 0) {
        group->fitness = (RunFitness)config->fitness;
        group->draws_afresh = config->sample > 0;
        str_add(&group->test, test);
        str_add(&group->algorithm, algorithm);
    }
    if (group->fitness != (RunFitness)config->fitness)
        return error_set(ERR_ARG, "%s: its runs are judged by different kinds of fitness",
                         group->name);
    if (strcmp(str_text(&group->test), test) != 0)
        return error_set(ERR_ARG, "%s: its runs have different test sets (%s and %s)", group->name,
                         str_text(&group->test), test);
    if (strstr(str_text(&group->algorithm), algorithm) == NULL)
        str_addf(&group->algorithm, ", %s", algorithm);
    group->draws_afresh = group->draws_afresh || config->sample > 0;
    return OK;
}

static Status add_folder(CompareGroup *group, const char *folder) {
    CLEANUP(run_config_free) RunConfig config = {0};
    CLEANUP(str_free) Str directory = {0};
    run_config_init(&config);
    TRY(run_open(folder, &config));
    TRY(take_settings(group, &config));
    for (uint32_t i = 0; i < config.runs; i++) {
        run_directory(folder, &config, i, &directory);
        TRY(add_run(group, folder, str_text(&directory)));
    }
    return OK;
}

// One of several runs alone: its settings are those of the folder around it.
static Status add_one_of_several(CompareGroup *group, const char *around) {
    CLEANUP(run_config_free) RunConfig config = {0};
    run_config_init(&config);
    TRY(run_open(around, &config));
    TRY(take_settings(group, &config));
    return add_run(group, around, group->name);
}

static Status add_inside(CompareGroup *group, const char *folder, struct dirent **names,
                         int count) {
    for (int i = 0; i < count && i < FOLDERS_MOST; i++) {
        CLEANUP(str_free) Str inside = {0};
        str_addf(&inside, "%s/%s", folder, names[i]->d_name);
        if (names[i]->d_name[0] != '.' && exists(str_text(&inside), "config.ini"))
            TRY(add_folder(group, str_text(&inside)));
    }
    return group->count > 0 ? OK
                            : error_set(ERR_ARG,
                                        "%s holds no runs: there is no config.ini in it, nor in a "
                                        "folder in it",
                                        folder);
}

Status compare_read_group(CompareGroup *group, const char *folder) {
    *group = (CompareGroup){.name = mem_copy_string(folder)};
    for (size_t end = strlen(group->name); end > 1 && group->name[end - 1] == '/';)
        group->name[--end] = '\0';
    if (exists(group->name, "config.ini"))
        return add_folder(group, group->name);
    CLEANUP(str_free) Str around = {0};
    str_addf(&around, "%s/..", group->name);
    if (exists(group->name, "log.jsonl") && exists(str_text(&around), "config.ini"))
        return add_one_of_several(group, str_text(&around));
    struct dirent **names = NULL;
    const int count = scandir(group->name, &names, NULL, alphasort);
    if (count < 0)
        return error_set(ERR_IO, "%s: %s", group->name, strerror(errno));
    const Status status = add_inside(group, group->name, names, count);
    for (int i = 0; i < count; i++)
        free(names[i]);
    free(names);
    return status;
}

void compare_free_group(CompareGroup *group) {
    for (size_t i = 0; i < group->count; i++)
        free(group->runs[i].points);
    free(group->runs);
    free(group->name);
    str_free(&group->data);
    str_free(&group->test);
    str_free(&group->algorithm);
}
