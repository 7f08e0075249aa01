// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/strength.h"

#include "base/file.h"
#include "base/mem.h"
#include "run/files/genes_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { FILE_BYTES_MAX = 1 << 16 };

static const char header[] =
    "generation,games,wins,draws,losses,pairs 0,pairs 1/2,pairs 1,pairs 3/2,pairs 2\n";

// --- organisms ---

typedef struct Stages {
    const EvolveSpace *space;
    uint32_t generations[STRENGTH_POINTS]; // of the points
    double *rows;                          // an organism each
    bool is_known[STRENGTH_POINTS];
} Stages;

static size_t point_of(const Stages *stages, uint32_t generation) {
    size_t i = 0;
    while (i < STRENGTH_POINTS && stages->generations[i] != generation)
        i++;
    return i;
}

// The best of a generation comes before its mean.
static void take_genes(void *context, uint32_t generation, GenesOf of, const double *values) {
    Stages *stages = context;
    const EvolveSpace *space = stages->space;
    const size_t point = point_of(stages, generation);
    if (point == STRENGTH_POINTS || of == GENES_DEVIATION || stages->is_known[point])
        return;
    double *row = stages->rows + point * space->count;
    for (size_t i = 0, next = 0; i < space->count; i++)
        if (space->parameters[i].low < space->parameters[i].high)
            row[i] = values[next++];
    stages->is_known[point] = true;
}

static void take_last(void *context, uint32_t generation, GenesOf of, const double *values) {
    uint32_t *last = context;
    (void)of, (void)values;
    *last = generation;
}

// What earlier generations came to. Parameters that cannot change are those of the result.
static Status find_stages(const VerdictSetup *setup, Stages *stages) {
    const size_t width = setup->players->width;
    uint32_t last = 0;
    TRY(genes_each(setup->directory, stages->space, take_last, &last));
    for (uint32_t i = 0; i < STRENGTH_POINTS; i++) {
        stages->generations[i] = (uint32_t)((uint64_t)last * (i + 1) / STRENGTH_POINTS);
        memcpy(stages->rows + i * width, setup->players->parameters, width * sizeof *stages->rows);
    }
    // The result itself is the last.
    stages->is_known[STRENGTH_POINTS - 1] = true;
    return genes_each(setup->directory, stages->space, take_genes, stages);
}

// --- games ---

static Status play_points(Problem *problem, const VerdictSetup *setup, const Stages *stages,
                          Strength *strength, bool *is_done) {
    const size_t width = setup->players->width, bytes = width * sizeof(double);
    CLEANUP(mem_free_at) double *players = mem_alloc(setup->players->count * bytes);
    Progress progress;
    Status status = OK;
    memcpy(players, setup->players->parameters, setup->players->count * bytes);
    progress_start(&progress, setup->progress, "games of the curve of strength",
                   STRENGTH_POINTS * setup->games, 0);
    for (size_t i = 0; i < STRENGTH_POINTS && status == OK && *is_done; i++) {
        if (!stages->is_known[i])
            continue;
        const uint64_t before = strength->count * setup->games;
        DuelScore score = {0};
        memcpy(players, stages->rows + i * width, bytes);
        const EvolveBatch batch = {players, setup->players->count, width, 0};
        status = verdict_play(problem, setup, &batch, 0, before, &progress, &score, is_done);
        strength->points[strength->count++] =
            (StrengthPoint){stages->generations[i], {setup->games, score.games, score.pairs}};
    }
    progress_end(&progress);
    return status;
}

// --- the file ---

static Status write_file(const char *path, const Strength *strength) {
    CLEANUP(str_free) Str text = {0};
    str_add(&text, header);
    for (size_t i = 0; i < strength->count; i++) {
        str_addf(&text, "%" PRIu32 ",", strength->points[i].generation);
        verdict_file_add_row(&strength->points[i].counts, &text);
    }
    return file_write(path, text.text, text.length);
}

static bool read_point(StrView line, StrengthPoint *out) {
    const char *comma = line.length == 0 ? NULL : memchr(line.text, ',', line.length);
    int64_t generation;
    if (comma == NULL ||
        !view_to_int(view_of(line.text, (size_t)(comma - line.text)), &generation) ||
        generation < 0 || generation > UINT32_MAX)
        return false;
    const size_t used = (size_t)(comma + 1 - line.text);
    out->generation = (uint32_t)generation;
    return verdict_file_read_row(view_of(line.text + used, line.length - used), &out->counts);
}

static bool read_points(StrView text, Strength *out) {
    while (text.length > 0) {
        const char *end = memchr(text.text, '\n', text.length);
        const size_t used = end == NULL ? text.length : (size_t)(end + 1 - text.text);
        if (out->count == STRENGTH_POINTS ||
            !read_point(view_of(text.text, used), &out->points[out->count++]))
            return false;
        text = view_of(text.text + used, text.length - used);
    }
    return true;
}

Status strength_read(const char *directory, Strength *out) {
    CLEANUP(str_free) Str path = {0};
    CLEANUP(str_free) Str text = {0};
    const size_t start = sizeof header - 1;
    *out = (Strength){0};
    str_addf(&path, "%s/strength.csv", directory);
    if (access(str_text(&path), F_OK) != 0)
        return OK;
    TRY(file_read(str_text(&path), FILE_BYTES_MAX, &text));
    const bool is_whole = text.length >= start && memcmp(text.text, header, start) == 0 &&
                          read_points(view_of(text.text + start, text.length - start), out);
    return is_whole ? OK
                    : error_set(ERR_PARSE,
                                "%s: damaged: not the counts of matches; move it away to have the "
                                "games played again",
                                str_text(&path));
}

// Whether each point has as many games as are asked for.
static bool is_whole(const Strength *strength, uint64_t games) {
    for (size_t i = 0; i < strength->count; i++)
        if (strength->points[i].counts.played != games)
            return false;
    return strength->count > 0;
}

Status strength_reach(Problem *problem, const VerdictSetup *setup, bool *is_done) {
    CLEANUP(str_free) Str path = {0};
    Strength strength;
    *is_done = true;
    TRY(strength_read(setup->directory, &strength));
    if (setup->games == 0 || is_whole(&strength, setup->games))
        return OK;
    const EvolveSpace *space = problem_space(problem);
    CLEANUP(mem_free_at)
    double *rows = mem_alloc(STRENGTH_POINTS * space->count * sizeof *rows);
    Stages stages = {.space = space, .rows = rows};
    strength = (Strength){0};
    TRY(find_stages(setup, &stages));
    TRY(play_points(problem, setup, &stages, &strength, is_done));
    str_addf(&path, "%s/strength.csv", setup->directory);
    return *is_done ? write_file(str_text(&path), &strength) : OK;
}
