// SPDX-License-Identifier: GPL-3.0-or-later
// Learning from a mentor's scores. Another kind of fitness would be another file behind problem.h.
#include "study/problem.h"

#include "base/hash.h"
#include "base/mem.h"
#include "evolve/random.h"
#include "fitness/mentor.h"
#include "fitness/mentor_set.h"
#include "study/locate.h"
#include "study/space.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { USE_POSITIONS = EVOLVE_USE_CALLER };

struct Problem {
    DistPool *pool;
    const Family *family;
    FamilySpace space;
    uint64_t seed;
    size_t sample_size;
    Str names[SET_NB]; // where the sets were found; empty for none
    MentorSet sets[SET_NB];
    // What one generation works with.
    CountMatrix sample;
    uint32_t *rows;
    int32_t *coefficients;
    size_t coefficient_capacity;
};

static Status load_set(Problem *problem, ProblemSet set, const Str *name,
                       const MentorSetOptions *options) {
    if (name->length == 0)
        return OK;
    const Status status = locate("data", str_text(name), &problem->names[set]);
    return status != OK ? status
                        : mentor_set_load(&problem->sets[set], str_text(&problem->names[set]),
                                          options, problem->pool);
}

static Status load_sets(Problem *problem, const RunConfig *config) {
    const MentorSetOptions options = {.family = problem->family,
                                      .tempo = config->tempo,
                                      .quiet_only = config->quiet_only,
                                      .clamp = (int)config->clamp,
                                      .beyond = (MentorTreatment)config->beyond,
                                      .mates = (MentorTreatment)config->mates};
    Status status = load_set(problem, SET_TRAINING, &config->data, &options);
    if (status == OK)
        status = load_set(problem, SET_TEST, &config->test, &options);
    if (status != OK)
        return status;
    const size_t count = problem->sets[SET_TRAINING].matrix.count, wanted = (size_t)config->sample;
    if (wanted > count)
        return error_set(ERR_ARG,
                         "%s: a sample of %zu positions cannot be drawn from %zu; --sample 0 takes "
                         "them all",
                         str_text(&problem->names[SET_TRAINING]), wanted, count);
    problem->sample_size = wanted == 0 || wanted == count ? 0 : wanted;
    problem->rows = mem_alloc((count + 1) * sizeof *problem->rows);
    counts_init(&problem->sample, problem->sets[SET_TRAINING].matrix.terms);
    return OK;
}

Status problem_create(Problem **out, const RunConfig *config, DistPool *pool) {
    Problem *problem = mem_alloc_zero(1, sizeof *problem);
    problem->pool = pool;
    problem->seed = (uint64_t)config->seed;
    Status status = run_config_check(config);
    if (status == OK)
        status = family_space_init(&problem->space, config, &problem->family);
    if (status == OK)
        status = load_sets(problem, config);
    if (status == OK)
        *out = problem;
    else
        problem_destroy(problem);
    return status;
}

void problem_destroy(Problem *problem) {
    if (problem == NULL)
        return;
    for (int set = 0; set < SET_NB; set++) {
        mentor_set_free(&problem->sets[set]);
        str_free(&problem->names[set]);
    }
    counts_free(&problem->sample);
    free(problem->rows);
    free(problem->coefficients);
    free(problem);
}

const EvolveSpace *problem_space(const Problem *problem) {
    return &problem->space.space;
}

const Family *problem_family(const Problem *problem) {
    return problem->family;
}

const double *problem_start(const Problem *problem, size_t *count) {
    *count = problem->space.has_start;
    return problem->space.has_start ? problem->space.start : NULL;
}

bool problem_draws_afresh(const Problem *problem) {
    return problem->sample_size > 0;
}

size_t problem_size(const Problem *problem, ProblemSet set) {
    return problem->sets[set].matrix.count;
}

size_t problem_sample_size(const Problem *problem) {
    return problem->sample_size > 0 ? problem->sample_size : problem_size(problem, SET_TRAINING);
}

double problem_figure(const Problem *problem, double score, size_t positions) {
    (void)problem;
    return -score / (double)positions;
}

// --- scores ---

// Maps organisms to coefficients: the family's, then the tempo's.
static void expand_all(Problem *problem, const double *parameters, size_t count) {
    const size_t width = problem->space.space.count, terms = problem->sets[0].matrix.terms;
    problem->coefficients = vec_grow(problem->coefficients, &problem->coefficient_capacity,
                                     count * terms, sizeof *problem->coefficients);
    for (size_t i = 0; i < count; i++) {
        int values[TERMS_MAX + 1], coefficients[COEFFICIENTS_MAX + 1];
        for (size_t j = 0; j < width; j++)
            values[j] = (int)parameters[i * width + j];
        problem->family->expand(values, coefficients);
        if (problem->space.has_tempo)
            coefficients[problem->family->coefficient_count] = values[width - 1];
        for (size_t j = 0; j < terms; j++)
            problem->coefficients[i * terms + j] = coefficients[j];
    }
}

static Status score(Problem *problem, const CountMatrix *matrix, const double *parameters,
                    size_t count, int64_t *scores) {
    expand_all(problem, parameters, count);
    const Status status =
        mentor_errors(matrix, problem->coefficients, count, problem->pool, scores);
    for (size_t i = 0; i < count; i++)
        scores[i] = -scores[i];
    return status;
}

// Draws the sample of a generation without replacement: the first places of a shuffle.
static void draw_rows(Problem *problem, uint32_t run, uint32_t generation) {
    const uint32_t count = (uint32_t)problem_size(problem, SET_TRAINING);
    Rng rng = evolve_rng(problem->seed, run, generation, 0, USE_POSITIONS);
    for (uint32_t i = 0; i < count; i++)
        problem->rows[i] = i;
    for (uint32_t i = 0; i < problem->sample_size; i++) {
        const uint32_t other = i + rng_below(&rng, count - i), row = problem->rows[other];
        problem->rows[other] = problem->rows[i];
        problem->rows[i] = row;
    }
}

Status problem_evaluate(Problem *problem, uint32_t run, const EvolveBatch *batch, int64_t *scores) {
    const CountMatrix *matrix = &problem->sets[SET_TRAINING].matrix;
    if (problem->sample_size > 0) {
        draw_rows(problem, run, batch->generation);
        const Status status =
            counts_gather(&problem->sample, matrix, problem->rows, problem->sample_size);
        if (status != OK)
            return status;
        matrix = &problem->sample;
    }
    return score(problem, matrix, batch->parameters, batch->count, scores);
}

Status problem_judge(Problem *problem, ProblemSet set, const double *parameters, size_t count,
                     int64_t *scores) {
    return score(problem, &problem->sets[set].matrix, parameters, count, scores);
}

const CountMatrix *problem_matrix(const Problem *problem, ProblemSet set) {
    return &problem->sets[set].matrix;
}

// --- words ---

void problem_weights(const Problem *problem, const double *parameters, Weights *out) {
    weights_init(out, problem->family);
    for (size_t i = 0; i < problem->family->term_count; i++)
        out->parameters[i] = (int)parameters[i];
    if (problem->space.has_tempo)
        str_addf(&out->lineage, "tempo: %d, for the side to move, not part of the family\n",
                 (int)parameters[problem->space.space.count - 1]);
}

void problem_describe(const Problem *problem, ProblemSet set, Str *out) {
    if (problem->names[set].length == 0)
        return;
    const char *path = str_text(&problem->names[set]), *slash = strrchr(path, '/');
    str_addf(out, "%s (%016" PRIx64 "): ", slash == NULL ? path : slash + 1,
             problem->sets[set].hash);
    mentor_set_describe(&problem->sets[set], out);
}

uint64_t problem_fingerprint(const Problem *problem) {
    uint64_t hash = space_fingerprint(&problem->space.space);
    for (int set = 0; set < SET_NB; set++) {
        hash = hash_bytes(hash, &problem->sets[set].hash, sizeof problem->sets[set].hash);
        hash = hash_bytes(hash, &problem->sets[set].totals, sizeof problem->sets[set].totals);
    }
    const uint64_t sample = problem->sample_size;
    hash = hash_bytes(hash, &problem->family->version, sizeof problem->family->version);
    return hash_bytes(hash, &sample, sizeof sample);
}
