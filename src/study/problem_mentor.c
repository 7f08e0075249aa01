// SPDX-License-Identifier: GPL-3.0-or-later
// Learning from a mentor's scores: the mean absolute error is to be made small.
#include "base/hash.h"
#include "base/mem.h"
#include "fitness/mentor.h"
#include "fitness/mentor_set.h"
#include "study/problem_kind.h"

#include <stdlib.h>

typedef struct Mentor {
    MentorSet sets[SET_NB];
    CountMatrix sample; // of the generation at hand
} Mentor;

static Mentor *mentor_of(const Problem *problem) {
    return problem->state;
}

static Status load(Problem *problem, const RunConfig *config) {
    const MentorSetOptions options = {.family = problem->family,
                                      .tempo = config->tempo,
                                      .quiet_only = config->quiet_only,
                                      .clamp = (int)config->clamp,
                                      .beyond = (MentorTreatment)config->beyond,
                                      .mates = (MentorTreatment)config->mates};
    Mentor *mentor = problem->state = mem_alloc_zero(1, sizeof *mentor);
    Status status = OK;
    counts_init(&mentor->sample, mentor_row_terms(&options));
    for (int set = 0; set < SET_NB && status == OK; set++)
        if (problem->names[set].length > 0)
            status = mentor_set_load(&mentor->sets[set], str_text(&problem->names[set]), &options,
                                     problem->pool);
    return status;
}

static void unload(Problem *problem) {
    Mentor *mentor = mentor_of(problem);
    for (int set = 0; set < SET_NB; set++)
        mentor_set_free(&mentor->sets[set]);
    counts_free(&mentor->sample);
    free(mentor);
}

static const CountMatrix *matrix_of(const Problem *problem, ProblemSet set) {
    return &mentor_of(problem)->sets[set].matrix;
}

static size_t size_of(const Problem *problem, ProblemSet set) {
    return matrix_of(problem, set)->count;
}

static Status score(Problem *problem, ProblemSet set, const uint32_t *rows, size_t row_count,
                    const int32_t *coefficients, size_t organisms, int64_t *scores) {
    const CountMatrix *matrix = matrix_of(problem, set);
    Status status = OK;
    if (rows != NULL) {
        status = counts_gather(&mentor_of(problem)->sample, matrix, rows, row_count);
        matrix = &mentor_of(problem)->sample;
    }
    if (status == OK)
        status = mentor_errors(matrix, coefficients, organisms, problem->pool, scores);
    for (size_t i = 0; i < organisms; i++)
        scores[i] = -scores[i];
    return status;
}

// The lines and what was made of them: clamped labels are other data.
static uint64_t hash_of(const Problem *problem, ProblemSet set) {
    const MentorSet *data = &mentor_of(problem)->sets[set];
    return hash_bytes(data->hash, data->matrix.labels,
                      data->matrix.count * sizeof *data->matrix.labels);
}

static void describe(const Problem *problem, ProblemSet set, Str *out) {
    mentor_set_describe(&mentor_of(problem)->sets[set], out);
}

const ProblemKind problem_mentor = {
    .goal = {.name = "error",
             .unit = "centipawns",
             .short_unit = "cp",
             .per_position = -1,
             .is_in_units = true,
             .watched = SET_TEST},
    .load = load,
    .unload = unload,
    .size = size_of,
    .score = score,
    .hash = hash_of,
    .describe = describe,
    .matrix = matrix_of,
};
