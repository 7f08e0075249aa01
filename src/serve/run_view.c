// SPDX-License-Identifier: GPL-3.0-or-later
#include "serve/run_view.h"

#include "base/ini.h"
#include "base/json.h"
#include "base/mem.h"
#include "run/files/run_log.h"
#include "serve/columns.h"
#include "serve/plain_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SETTINGS_MAX = 1 << 20, RESULTS_MAX = 1 << 22 };

void run_view_free(RunView *run) {
    free(run->points);
    str_free(&run->fitness);
    str_free(&run->family);
    str_free(&run->variant);
    str_free(&run->algorithm);
    str_free(&run->data);
    str_free(&run->start);
}

// --- settings ---

static const ProblemGoal *goal_of(const char *fitness) {
    static const char *const names[] = {
#define FITNESS(id, name, kind, way) #name,
#include "settings/fitness.def"
#undef FITNESS
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], fitness) == 0)
            return problem_goal_of((RunFitness)i);
    return NULL;
}

static Status take_setting(void *context, const char *section, const char *key, const char *value) {
    RunView *run = context;
    const bool is_algorithm = strcmp(section, "algorithm") == 0;
    Str *text = strcmp(key, "fitness") == 0                ? &run->fitness
                : strcmp(key, "family") == 0               ? &run->family
                : strcmp(key, "data") == 0                 ? &run->data
                : strcmp(key, "start") == 0                ? &run->start
                : is_algorithm && strcmp(key, "name") == 0 ? &run->algorithm
                                                           : NULL;
    if (text != NULL)
        str_setf(text, "%s", value);
    if (is_algorithm && strcmp(key, "generations") == 0)
        run->generations = strtod(value, NULL);
    if (is_algorithm && strcmp(key, "evaluations") == 0)
        run->evaluations = strtod(value, NULL);
    return OK;
}

// One of several runs has them in the folder above it.
void run_view_settings_folder(const RunView *run, const char *folder, Str *out) {
    const char *slash = strrchr(folder, '/');
    const size_t length =
        run->is_one_of_several && slash != NULL ? (size_t)(slash - folder) : strlen(folder);
    str_setf(out, "%.*s", (int)length, folder);
}

static void shared_path(const RunView *run, const char *folder, const char *name, Str *out) {
    run_view_settings_folder(run, folder, out);
    str_addf(out, "/%s", name);
}

static void read_settings(RunView *run, const char *folder) {
    CLEANUP(str_free) Str path = {0};
    CLEANUP(str_free) Str text = {0};
    str_addf(&path, "%s/config.ini", folder);
    run->is_one_of_several = !plain_exists(str_text(&path));
    shared_path(run, folder, "config.ini", &path);
    if (plain_read(str_text(&path), SETTINGS_MAX, &text) != OK)
        return;
    run->has_settings =
        ini_read_text(view_of(str_text(&text), text.length), "config.ini", take_setting, run) == OK;
    run->goal = goal_of(str_text(&run->fitness));
}

// --- the log ---

static void restart(void *context) {
    RunView *run = context;
    run->count = 0;
    run->damaged = 0;
    run->is_finished = false;
}

static void take_line(void *context, StrView text, uint64_t at) {
    (void)at;
    RunView *run = context;
    RunLogLine line;
    if (json_check(text) != OK || run_log_parse(text.text, &line) != OK) {
        run->damaged++;
        return;
    }
    // A run that was resumed begins where its last checkpoint was.
    while (run->count > 0 && run->points[run->count - 1].generation >= line.generation)
        run->count--;
    MEM_ADD(run->points, run->count, run->capacity) =
        (RunPoint){line.generation,  (double)line.evaluations, line.best,   line.mean,
                   line.held_out,    line.diversity,           line.mother, line.father,
                   line.has_survived};
}

// --- results ---

static double number_of(StrView line, const char *key) {
    StrView value;
    double number;
    return json_find(line, key, &value) && view_to_number(value, &number) ? number : NAN;
}

static void read_results(RunView *run, const char *folder) {
    CLEANUP(str_free) Str path = {0};
    CLEANUP(str_free) Str text = {0};
    const char *dash = strrchr(folder, '-');
    const long wanted = run->is_one_of_several && dash != NULL ? strtol(dash + 1, NULL, 10) : 1;
    run->optimum = run->test = run->training = run->paper = NAN;
    shared_path(run, folder, "results.jsonl", &path);
    if (plain_read(str_text(&path), RESULTS_MAX, &text) != OK)
        return;
    for (char *line = text.text, *end; line != NULL && *line != '\0'; line = end) {
        end = strchr(line, '\n');
        const size_t length = end == NULL ? strlen(line) : (size_t)(end++ - line);
        const StrView view = view_of(line, length);
        int64_t number;
        if (!json_find_int(view, "run", &number) || number != wanted)
            continue;
        run->optimum = number_of(view, "optimum");
        run->test = number_of(view, "test");
        run->training = number_of(view, "training");
        run->paper = number_of(view, "paper");
    }
}

static bool finish(RunView *run, const char *folder) {
    CLEANUP(str_free) Str path = {0};
    const double known = run->test;
    const bool was_finished = run->is_finished;
    if (was_finished && !isnan(known))
        return false;
    str_addf(&path, "%s/best.weights", folder);
    run->is_finished = run->count > 0 && plain_exists(str_text(&path));
    if (run->is_finished && (!was_finished || isnan(run->test)))
        read_results(run, folder);
    return run->is_finished != was_finished || isnan(known) != isnan(run->test);
}

bool run_view_update(RunView *run, const char *folder) {
    CLEANUP(str_free) Str path = {0};
    const TailEvents events = {run, restart, take_line};
    str_addf(&path, "%s/log.jsonl", folder);
    if (!run->has_settings)
        read_settings(run, folder);
    const bool has_news = tail_has_news(&run->log, str_text(&path));
    if (has_news && tail_read(&run->log, str_text(&path), &events) != OK)
        run->damaged++;
    return finish(run, folder) || has_news;
}

// --- what is told of it ---

double run_view_progress(const RunView *run) {
    if (run->is_finished)
        return 1;
    if (run->count == 0)
        return 0;
    const RunPoint *last = &run->points[run->count - 1];
    if (run->generations > 0)
        return fmin(1, last->generation / run->generations);
    return run->evaluations > 0 ? fmin(1, last->evaluations / run->evaluations) : NAN;
}

static bool less_is_better(const RunView *run) {
    return run->goal == NULL || run->goal->per_position < 0;
}

double run_view_best(const RunView *run) {
    double best = NAN;
    for (size_t i = 0; i < run->count; i++) {
        const double value = run->points[i].best;
        if (isnan(best) || (less_is_better(run) ? value < best : value > best))
            best = value;
    }
    return best;
}

static double best_at(const void *points, size_t index) {
    return ((const RunPoint *)points)[index].best;
}
static double mean_at(const void *points, size_t index) {
    return ((const RunPoint *)points)[index].mean;
}
static double held_out_at(const void *points, size_t index) {
    return ((const RunPoint *)points)[index].held_out;
}
static double diversity_at(const void *points, size_t index) {
    return ((const RunPoint *)points)[index].diversity;
}
static double generation_at(const void *points, size_t index) {
    return ((const RunPoint *)points)[index].generation;
}
static double evaluations_at(const void *points, size_t index) {
    return ((const RunPoint *)points)[index].evaluations;
}

static void write_text(Str *out, const char *key, const char *text) {
    str_addf(out, ",\"%s\":", key);
    json_add_string(out, text);
}

static void write_number(Str *out, const char *key, double number) {
    str_addf(out, ",\"%s\":", key);
    json_add_number(out, number);
}

void run_view_write_summary(const RunView *run, Str *out) {
    write_text(out, "unit", run->goal == NULL ? "" : run->goal->short_unit);
    write_text(out, "figure", run->goal == NULL ? "figure" : run->goal->name);
    str_addf(out, ",\"less\":%s", less_is_better(run) ? "true" : "false");
    write_text(out, "algorithm", str_text(&run->algorithm));
    write_text(out, "family", str_text(&run->family));
    write_number(out, "progress", run_view_progress(run));
    write_number(out, "generation",
                 run->count == 0 ? NAN : (double)run->points[run->count - 1].generation);
    write_number(out, "generations", run->generations > 0 ? run->generations : NAN);
    write_number(out, "best", run_view_best(run));
    // Organisms that learn by meetings have no figures: how far they differ is what can be told.
    write_number(out, "diversity", run->count == 0 ? NAN : run->points[run->count - 1].diversity);
    str_add(out, ",\"curve\":");
    columns_write_thinned(run->points, run->count,
                          isnan(run_view_best(run)) ? diversity_at : best_at, COLUMNS_SMALL, out);
}

void run_view_write(const RunView *run, size_t from, Str *out) {
    static const struct {
        const char *key;
        ColumnAt *at;
    } columns[] = {
        {"generation_at", generation_at},
        {"evaluations_at", evaluations_at},
        {"best_at", best_at},
        {"mean_at", mean_at},
        {"held_out_at", held_out_at},
        {"diversity_at", diversity_at},
    };
    const size_t first = from < run->count ? from : run->count;
    run_view_write_summary(run, out);
    write_text(out, "fitness", str_text(&run->fitness));
    write_text(out, "data", str_text(&run->data));
    write_text(out, "note",
               run->goal == NULL || run->goal->curve_note == NULL ? "" : run->goal->curve_note);
    write_number(out, "optimum", run->is_finished ? run->optimum : NAN);
    write_number(out, "test", run->is_finished ? run->test : NAN);
    write_number(out, "training", run->is_finished ? run->training : NAN);
    write_number(out, "paper", run->is_finished ? run->paper : NAN);
    str_addf(out, ",\"damaged\":%llu,\"from\":%zu,\"count\":%zu", (unsigned long long)run->damaged,
             first, run->count);
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        str_addf(out, ",\"%s\":", columns[i].key);
        columns_write(run->points, first, run->count, columns[i].at, out);
    }
}
