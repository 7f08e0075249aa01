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
    CLEANUP(weights_free) Weights weights = {0};
    TRY(weights_load_own(&weights, path, space->family));
    if (weights.family != space->family)
        return error_set(ERR_ARG, "%s: weights of family %s, where %s is evolved", path,
                         weights.family->name, space->family->name);
    double *organism = add_organism(out, space->space.count);
    for (size_t i = 0; i < space->space.count; i++)
        organism[i] = weights.parameters[i];
    return check_organism(space, organism, path);
}

// --- folders of runs ---

static bool is_directory(const char *path) {
    struct stat is;
    return stat(path, &is) == 0 && S_ISDIR(is.st_mode);
}

// 0 where the folder is that of a single run.
static size_t count_runs(const char *folder) {
    for (size_t runs = 0;; runs++) {
        CLEANUP(str_free) Str path = {0};
        run_path(folder, true, runs, &path);
        if (!is_directory(str_text(&path)))
            return runs;
    }
}

static Status take_bests(const FamilySpace *space, const char *folder, StartOrganisms *out) {
    const size_t runs = count_runs(folder);
    for (size_t i = 0; i < runs || i == 0; i++) {
        CLEANUP(str_free) Str path = {0};
        run_path(folder, runs > 0, i, &path);
        str_add(&path, "/best.weights");
        TRY(take_weights(space, str_text(&path), out));
    }
    return OK;
}

// All of a last population, or the best of it: as many as the generations to come have.
static Status take_population(const FamilySpace *space, const RunConfig *config,
                              const char *directory, StartOrganisms *out) {
    const size_t width = space->space.count;
    const size_t most = (size_t)config->algorithm.values[OPTION_POPULATION];
    CLEANUP(mem_free_at) double *organisms = NULL;
    size_t count;
    TRY(config->start_take == TAKE_TOP
            ? population_read_best(directory, &space->space, most, &organisms, &count)
            : population_read(directory, &space->space, &organisms, &count));
    for (size_t i = 0; i < count; i++)
        memcpy(add_organism(out, width), organisms + i * width, width * sizeof *organisms);
    return OK;
}

static Status take_median(const FamilySpace *space, const RunConfig *config, const char *folder,
                          StartOrganisms *out) {
    const size_t runs = count_runs(folder);
    CLEANUP(str_free) Str path = {0};
    size_t median = 0;
    // The runs were ranked when all were over; who ranks them here could only rank otherwise.
    if (runs > 0)
        TRY(run_rank_read_median(folder, &median));
    run_path(folder, runs > 0, median, &path);
    return take_population(space, config, str_text(&path), out);
}

// --- the whole ---

static Status take_item(const FamilySpace *space, const RunConfig *config, StrView item,
                        StartOrganisms *out) {
    CLEANUP(str_free) Str name = {0};
    str_append(&name, item.text, item.length);
    if (item.length == 0)
        return error_set(ERR_ARG, "there is a comma without a name");
    if (!is_directory(str_text(&name)))
        return take_weights(space, str_text(&name), out);
    return config->start_take == TAKE_BESTS ? take_bests(space, str_text(&name), out)
                                            : take_median(space, config, str_text(&name), out);
}

Status start_read(const FamilySpace *space, const RunConfig *config, StartOrganisms *out) {
    StrView left = view_of(str_text(&config->start_from), config->start_from.length);
    while (left.length > 0) {
        const char *comma = memchr(left.text, ',', left.length);
        const size_t length = comma == NULL ? left.length : (size_t)(comma - left.text);
        const size_t used = comma == NULL ? length : length + 1;
        TRY_PREFIX(take_item(space, config, view_trim(view_of(left.text, length)), out),
                   "start-from");
        left = view_of(left.text + used, left.length - used);
    }
    return OK;
}
