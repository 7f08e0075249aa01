// SPDX-License-Identifier: GPL-3.0-or-later
#include "serve/error_view.h"

#include "base/json.h"
#include "base/mem.h"
#include "base/owner.h"
#include "chess/fen.h"
#include "fitness/mentor_fitness.h"
#include "run/run_folder.h"
#include "serve/plain_file.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { ERROR_SETTINGS_MAX = 1 << 20 };

void error_view_open(ErrorView *view) {
    *view = (ErrorView){0};
    pthread_mutex_init(&view->lock, NULL);
}

static void forget(ErrorView *view) {
    problem_destroy(view->problem);
    dist_pool_free(view->pool);
    if (view->has_config)
        run_config_free(&view->config);
    str_clear(&view->settings);
    view->problem = NULL;
    view->pool = NULL;
    view->has_config = false;
}

void error_view_close(ErrorView *view) {
    forget(view);
    str_free(&view->folder);
    str_free(&view->settings);
    pthread_mutex_destroy(&view->lock);
}

// --- the problem of a run ---

// A run names the files it learns from: only one that is the user's own is believed.
static Status check_owner(const char *folder, const char *settings) {
    TRY(owner_check(folder));
    return owner_check(settings);
}

static Status check_data(const RunConfig *config) {
    struct stat info;
    if (config->fitness != FITNESS_MENTOR || config->resolve || config->tempo)
        return error_set(ERR_ARG, "this is told of runs that learn from a mentor's scores, without "
                                  "'resolve' and 'tempo'");
    if (strchr(str_text(&config->data), ',') != NULL)
        return error_set(ERR_ARG, "this is told of runs that learn from one mentor");
    if (stat(str_text(&config->data), &info) == 0 &&
        (!S_ISREG(info.st_mode) || info.st_size > ERROR_DATA_MAX))
        return error_set(ERR_ARG, "the training set of this run is too large to be looked at here");
    return OK;
}

static Status load(ErrorView *view, const char *folder) {
    view->has_config = true;
    run_config_init(&view->config);
    TRY(run_open(folder, &view->config));
    TRY(check_data(&view->config));
    str_clear(&view->config.test);
    view->pool = dist_pool_new(1);
    return problem_create(&view->problem, &view->config, view->pool);
}

// The problem of a folder, loaded unless it is at hand.
static Status find_problem(ErrorView *view, const char *folder) {
    CLEANUP(str_free) Str path = {0};
    CLEANUP(str_free) Str text = {0};
    str_addf(&path, "%s/config.ini", folder);
    TRY(check_owner(folder, str_text(&path)));
    TRY(plain_read(str_text(&path), ERROR_SETTINGS_MAX, &text));
    if (view->problem != NULL && strcmp(str_text(&view->folder), folder) == 0 &&
        strcmp(str_text(&view->settings), str_text(&text)) == 0)
        return OK;
    forget(view);
    str_setf(&view->folder, "%s", folder);
    str_add(&view->settings, str_text(&text));
    const Status status = load(view, folder);
    if (status != OK)
        forget(view);
    return status;
}

// --- what is told ---

static void take_parameters(const Problem *problem, const Weights *weights, double *out) {
    const EvolveSpace *space = problem_space(problem);
    for (size_t i = 0; i < space->count; i++) {
        const int term = family_find_term(weights->family, space->parameters[i].name);
        out[i] = space_nearest(space, i, term < 0 ? 0 : weights->parameters[term]);
    }
}

static void write_position(const MentorMiss *miss, Str *out) {
    const double sign = position_turn(&miss->position) == WHITE ? 1 : -1;
    char fen[FEN_SIZE];
    fen_write(&miss->position, fen);
    str_addf(out, "{\"fen\":\"%s\",\"turn\":\"%s\",\"wanted\":", fen, sign > 0 ? "white" : "black");
    json_add_number(out, sign * miss->wanted);
    str_add(out, ",\"found\":");
    json_add_number(out, sign * miss->found);
    str_add(out, "}");
}

static Status write_positions(ErrorView *view, const double *parameters, Str *out) {
    CLEANUP(mem_free_at)
    MentorMiss *misses = mem_alloc_zero(ERROR_POSITIONS, sizeof *misses);
    size_t count = ERROR_POSITIONS;
    TRY(mentor_data_worst(view->problem, parameters, misses, &count));
    str_add(out, ",\"positions\":[");
    for (size_t i = 0; i < count; i++) {
        str_add(out, i == 0 ? "" : ",");
        write_position(&misses[i], out);
    }
    str_add(out, "]");
    return OK;
}

static double figure_of(const Problem *problem, int64_t score) {
    return problem_figure(problem, (double)score, problem_size(problem, SET_TRAINING));
}

// The organism itself, and once for each parameter with that of the other.
static Status write_terms(ErrorView *view, const double *own, const double *other, Str *out) {
    const EvolveSpace *space = problem_space(view->problem);
    const size_t width = space->count;
    CLEANUP(mem_free_at) double *rows = mem_alloc((width + 1) * width * sizeof *rows);
    CLEANUP(mem_free_at) int64_t *scores = mem_alloc((width + 1) * sizeof *scores);
    for (size_t i = 0; i <= width; i++) {
        memcpy(rows + i * width, own, width * sizeof *rows);
        if (i < width)
            rows[i * width + i] = other[i];
    }
    TRY(problem_judge(view->problem, SET_TRAINING, rows, width + 1, scores));
    str_add(out, "{\"figure\":");
    json_add_number(out, figure_of(view->problem, scores[width]));
    str_add(out, ",\"terms\":{");
    for (size_t i = 0; i < width; i++) {
        str_add(out, i == 0 ? "" : ",");
        json_add_string(out, space->parameters[i].name);
        str_add(out, ":");
        json_add_number(out, figure_of(view->problem, scores[i]));
    }
    str_add(out, "}");
    return OK;
}

static Status write_all(ErrorView *view, const char *folder, const Weights *organism,
                        const Weights *other, Str *out) {
    TRY(find_problem(view, folder));
    const size_t width = problem_space(view->problem)->count;
    CLEANUP(mem_free_at) double *own = mem_alloc(2 * width * sizeof *own);
    if (organism->family != problem_family(view->problem) || other->family != organism->family)
        return error_set(ERR_ARG, "these are not of the family of the run");
    take_parameters(view->problem, organism, own);
    take_parameters(view->problem, other, own + width);
    TRY(write_terms(view, own, own + width, out));
    TRY(write_positions(view, own, out));
    str_add(out, "}");
    return OK;
}

Status error_view_write(ErrorView *view, const char *folder, const Weights *organism,
                        const Weights *other, Str *out) {
    pthread_mutex_lock(&view->lock);
    const Status status = write_all(view, folder, organism, other, out);
    pthread_mutex_unlock(&view->lock);
    return status;
}
