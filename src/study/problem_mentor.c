// SPDX-License-Identifier: GPL-3.0-or-later
// Learning from a mentor's scores: the mean absolute error is to be made small. It is that of the
// static score, or, where labels are resolved, of the value behind captures, which is exact for
// each organism and no longer linear in its weights. Static scores may be another engine's.
#include "base/hash.h"
#include "base/mem.h"
#include "fitness/coefficient_set.h"
#include "fitness/mentor.h"
#include "fitness/mentor_set.h"
#include "study/problem_kind.h"
#include "study/trees.h"

#include <stdlib.h>
#include <string.h>

typedef struct Mentor {
    MentorSet sets[SET_NB];
    CountMatrix sample; // of the generation at hand
    // Where labels are resolved; else there is nothing here.
    bool resolves;
    Forest *forests[SET_NB];
    ForestRules rules;
    Str notes;
    bool *wanted; // of the training set: the sample of a generation
} Mentor;

static Mentor *mentor_of(const Problem *problem) {
    return problem->state;
}

static Status compile(Problem *problem, const RunConfig *config) {
    Mentor *mentor = mentor_of(problem);
    PlayedSet positions[SET_NB];
    TreesOrder order = {
        .family = problem->family,
        .kind = FOREST_VALUES,
        .rules = {(ForestQuiescence)config->quiescence, (unsigned)config->depth, 0},
        .max_bytes = (size_t)config->max_memory << 20,
        .cache = str_text(&config->forest_cache),
        .tell = config->tell,
    };
    for (int set = 0; set < SET_NB; set++)
        positions[set] = mentor->sets[set].positions;
    mentor->wanted = mem_alloc((positions[SET_TRAINING].count + 1) * sizeof *mentor->wanted);
    const Status status =
        trees_compile(&order, positions, SET_NB, problem->pool, mentor->forests, &mentor->notes);
    mentor->rules = order.rules;
    // The trees hold all that is needed of them.
    for (int set = 0; set < SET_NB; set++)
        played_set_free(&mentor->sets[set].positions);
    return status;
}

// Coefficients stand alone: what looks at positions cannot be had of them.
static Status check_foreign(const Problem *problem, const RunConfig *config) {
    if (config->tempo || config->quiet_only || config->resolve)
        return error_set(ERR_ARG,
                         "%s needs positions, and a file of coefficients has none: declare a "
                         "parameter for what the engine counts, leave out what it should not learn",
                         config->tempo        ? "tempo"
                         : config->quiet_only ? "quiet-only"
                                              : "resolve");
    if (problem->header->label != LABEL_CENTIPAWNS)
        return error_set(
            ERR_ARG,
            "%s: its labels are results of games, not a mentor's scores: falconer tune "
            "fits to them",
            str_text(&problem->names[SET_TRAINING]));
    return OK;
}

static Status load_set(Problem *problem, int set, const MentorSetOptions *options) {
    MentorSet *out = &mentor_of(problem)->sets[set];
    const char *path = str_text(&problem->names[set]);
    return problem->header != NULL ? coefficient_set_load(out, path, problem->header, options)
                                   : mentor_set_load(out, path, options, problem->pool);
}

static Status load(Problem *problem, const RunConfig *config) {
    const MentorSetOptions options = {.family = problem->family,
                                      .tempo = config->tempo,
                                      .quiet_only = config->quiet_only,
                                      .keep_positions = config->resolve,
                                      .limits = {(int)config->clamp,
                                                 (MentorTreatment)config->beyond,
                                                 (MentorTreatment)config->mates}};
    Mentor *mentor = problem->state = mem_alloc_zero(1, sizeof *mentor);
    Status status = OK;
    mentor->resolves = config->resolve;
    if (config->resolve && config->tempo)
        return error_set(ERR_ARG, "tempo and resolve do not go together: whose turn it is changes "
                                  "along the captures");
    if (config->resolve && problem->family->taper != NULL)
        return error_set(ERR_ARG,
                         "family %s is tapered: its values behind captures cannot be compared with "
                         "a mentor's scores, its static ones can",
                         problem->family->name);
    if (problem->header != NULL)
        status = check_foreign(problem, config);
    counts_init(&mentor->sample, mentor_row_terms(&options));
    for (int set = 0; set < SET_NB && status == OK; set++)
        if (problem->names[set].length > 0)
            status = load_set(problem, set, &options);
    return status == OK && mentor->resolves ? compile(problem, config) : status;
}

static void unload(Problem *problem) {
    Mentor *mentor = mentor_of(problem);
    for (int set = 0; set < SET_NB; set++) {
        mentor_set_free(&mentor->sets[set]);
        forest_free(mentor->forests[set]);
    }
    str_free(&mentor->notes);
    free(mentor->wanted);
    counts_free(&mentor->sample);
    free(mentor);
}

// The least error is known for static scores alone.
static const CountMatrix *matrix_of(const Problem *problem, ProblemSet set) {
    return mentor_of(problem)->resolves ? NULL : &mentor_of(problem)->sets[set].matrix;
}

static size_t size_of(const Problem *problem, ProblemSet set) {
    return mentor_of(problem)->sets[set].matrix.count;
}

static Status static_errors(Problem *problem, ProblemSet set, const uint32_t *rows,
                            size_t row_count, const int32_t *coefficients, size_t organisms,
                            int64_t *errors) {
    Mentor *mentor = mentor_of(problem);
    const CountMatrix *matrix = &mentor->sets[set].matrix;
    if (rows != NULL) {
        const Status status = counts_gather(&mentor->sample, matrix, rows, row_count);
        if (status != OK)
            return status;
        matrix = &mentor->sample;
    }
    return mentor_errors(matrix, coefficients, organisms, problem->pool, errors);
}

static Status resolved_errors(Problem *problem, ProblemSet set, const uint32_t *rows,
                              size_t row_count, const int32_t *coefficients, size_t organisms,
                              int64_t *errors) {
    const Mentor *mentor = mentor_of(problem);
    const CountMatrix *matrix = &mentor->sets[set].matrix;
    if (rows != NULL) {
        memset(mentor->wanted, 0, matrix->count * sizeof *mentor->wanted);
        for (size_t i = 0; i < row_count; i++)
            mentor->wanted[rows[i]] = true;
    }
    return forest_errors(mentor->forests[set], rows == NULL ? NULL : mentor->wanted, matrix->labels,
                         coefficients, organisms, problem->pool, errors);
}

static Status score(Problem *problem, ProblemSet set, const uint32_t *rows, size_t row_count,
                    const int32_t *coefficients, size_t organisms, int64_t *scores) {
    const Status status = (mentor_of(problem)->resolves ? resolved_errors : static_errors)(
        problem, set, rows, row_count, coefficients, organisms, scores);
    for (size_t i = 0; i < organisms; i++)
        scores[i] = -scores[i];
    return status;
}

// The lines and what was made of them: clamped labels are other data, and so are resolved ones.
static uint64_t hash_of(const Problem *problem, ProblemSet set) {
    const Mentor *mentor = mentor_of(problem);
    const MentorSet *data = &mentor->sets[set];
    const uint64_t hash = hash_bytes(data->hash, data->matrix.labels,
                                     data->matrix.count * sizeof *data->matrix.labels);
    return mentor->resolves ? hash_bytes(hash, &mentor->rules, sizeof mentor->rules) : hash;
}

static void describe(const Problem *problem, ProblemSet set, Str *out) {
    const Mentor *mentor = mentor_of(problem);
    mentor_set_describe(&mentor->sets[set], out);
    if (mentor->resolves)
        str_addf(out, ", resolved by %s to depth %u", quiescence_names[mentor->rules.quiescence],
                 mentor->rules.depth);
    if (mentor->notes.length > 0)
        str_addf(out, " (%s)", str_text(&mentor->notes));
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
