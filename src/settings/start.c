// SPDX-License-Identifier: GPL-3.0-or-later
#include "settings/start.h"

#include "base/mem.h"
#include "run/files/population_file.h"
#include "run/files/run_rank.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void start_free(StartOrganisms *organisms) {
    free(organisms->organisms);
    *organisms = (StartOrganisms){0};
}

// Room for one more, which the caller fills in.
static double *add_organism(StartOrganisms *out, size_t width) {
    out->organisms =
        mem_grow(out->organisms, &out->capacity, (out->count + 1) * width, sizeof *out->organisms);
    return out->organisms + width * out->count++;
}

static Status check_organism(const FamilySpace *space, const double *organism, const char *path) {
    for (size_t i = 0; i < space->space.count; i++) {
        const EvolveParameter *parameter = &space->parameters[i];
        if (!(organism[i] >= parameter->low && organism[i] <= parameter->high))
            return error_set(ERR_ARG, "%s: %s is %.15g, and must be from %.15g to %.15g", path,
                             parameter->name, organism[i], parameter->low, parameter->high);
    }
    return OK;
}

static Status take_weights(const FamilySpace *space, const char *path, StartOrganisms *out) {
    Weights weights;
    Status status = weights_load(&weights, path);
    if (status != OK)
        return status;
    if (weights.family == space->family) {
        double *organism = add_organism(out, space->space.count);
        for (size_t i = 0; i < space->space.count; i++)
            organism[i] = weights.parameters[i];
        status = check_organism(space, organism, path);
    } else {
        status = error_set(ERR_ARG, "%s: weights of family %s, where %s is evolved", path,
                           weights.family->name, space->family->name);
    }
    weights_free(&weights);
    return status;
}

// --- folders of runs ---

static bool is_directory(const char *path) {
    struct stat is;
    return stat(path, &is) == 0 && S_ISDIR(is.st_mode);
}

// The folder of one of several runs, or of the only one.
static void run_path(const char *folder, size_t runs, size_t index, Str *out) {
    str_clear(out);
    str_add(out, folder);
    if (runs > 0)
        str_addf(out, "/run-%02zu", index + 1);
}

// 0 where the folder is that of a single run.
static size_t count_runs(const char *folder) {
    Str path = {0};
    size_t runs = 0;
    do
        run_path(folder, 1, runs, &path);
    while (is_directory(str_text(&path)) && ++runs > 0);
    str_free(&path);
    return runs;
}

static Status take_bests(const FamilySpace *space, const char *folder, StartOrganisms *out) {
    const size_t runs = count_runs(folder);
    Str path = {0};
    Status status = OK;
    for (size_t i = 0; (i < runs || i == 0) && status == OK; i++) {
        run_path(folder, runs, i, &path);
        str_add(&path, "/best.weights");
        status = take_weights(space, str_text(&path), out);
    }
    str_free(&path);
    return status;
}

// All of a last population, or the best of it: as many as the generations to come have.
static Status take_population(const FamilySpace *space, const RunConfig *config,
                              const char *directory, StartOrganisms *out) {
    const size_t width = space->space.count;
    const size_t most = (size_t)config->algorithm.values[OPTION_POPULATION];
    double *organisms;
    size_t count;
    const Status status =
        config->start_take == TAKE_TOP
            ? population_read_best(directory, &space->space, most, &organisms, &count)
            : population_read(directory, &space->space, &organisms, &count);
    for (size_t i = 0; i < count; i++)
        memcpy(add_organism(out, width), organisms + i * width, width * sizeof *organisms);
    free(organisms);
    return status;
}

static Status take_median(const FamilySpace *space, const RunConfig *config, const char *folder,
                          StartOrganisms *out) {
    const size_t runs = count_runs(folder);
    Str path = {0};
    size_t median = 0;
    // The runs were ranked when all were over; who ranks them here could only rank otherwise.
    Status status = runs == 0 ? OK : run_rank_read_median(folder, &median);
    run_path(folder, runs, median, &path);
    if (status == OK)
        status = take_population(space, config, str_text(&path), out);
    str_free(&path);
    return status;
}

// --- the whole ---

static Status take_item(const FamilySpace *space, const RunConfig *config, const char *name,
                        StartOrganisms *out) {
    if (is_directory(name))
        return config->start_take == TAKE_BESTS ? take_bests(space, name, out)
                                                : take_median(space, config, name, out);
    return take_weights(space, name, out);
}

Status start_read(const FamilySpace *space, const RunConfig *config, StartOrganisms *out) {
    StrView left = view_of(str_text(&config->start_from), config->start_from.length);
    Str name = {0};
    Status status = OK;
    while (left.length > 0 && status == OK) {
        const char *comma = memchr(left.text, ',', left.length);
        const size_t length = comma == NULL ? left.length : (size_t)(comma - left.text);
        const size_t used = comma == NULL ? length : length + 1;
        const StrView item = view_trim(view_of(left.text, length));
        str_clear(&name);
        str_append(&name, item.text, item.length);
        left = view_of(left.text + used, left.length - used);
        status = item.length == 0 ? error_set(ERR_ARG, "there is a comma without a name")
                                  : take_item(space, config, str_text(&name), out);
        if (status != OK)
            error_prefix("start-from");
    }
    str_free(&name);
    return status;
}
