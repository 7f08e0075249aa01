// SPDX-License-Identifier: GPL-3.0-or-later
// Learning from a mentor's scores: the mean absolute error is to be made small. It is that of the
// static score, or, where labels are resolved, of the value behind captures, which is exact for
// each organism and no longer linear in its weights.
// Static scores may be another engine's. Where several mentors scored the positions it is the error
// against their one target, the mean of the errors by each, or the worst of them.
#include "fitness/mentor_fitness.h"

#include "base/hash.h"
#include "base/mem.h"
#include "fitness/fitness.h"
#include "fitness/linear/mentor.h"
#include "fitness/moves/forest.h"
#include "fitness/moves/forest_spill.h"

#include <stdlib.h>
#include <string.h>

// Counts of this many, positions times terms, and the optimum takes minutes: falconer optimum.
enum { OPTIMUM_CELLS_MAX = 100000 * 36 };

extern const FitnessKind fitness_mentor;

typedef struct Mentor {
    MentorSet sets[SET_NB];
    CountMatrix sample; // of the generation at hand
    // Where labels are resolved; else there is nothing here.
    bool resolves;
    Forest *forests[SET_NB];
    ForestRules rules;
    bool *wanted; // of the training set: the sample of a generation
    // Where there are several mentors.
    size_t mentors;
    PanelFitness fitness;
    MentorPanel panels[SET_NB];
} Mentor;

static Mentor *mentor_of(const Problem *problem) {
    return problem->state;
}

// All forests together stay within the memory, each with a share for its positions.
static void plant(Problem *problem, const RunConfig *config) {
    Mentor *mentor = mentor_of(problem);
    int32_t limits[COEFFICIENTS_MAX], guide[COEFFICIENTS_MAX];
    size_t positions = 0;
    for (int set = 0; set < SET_NB; set++)
        positions += mentor->sets[set].positions.count;
    family_limits(problem->family, limits);
    family_start(problem->family, guide);
    for (int set = 0; set < SET_NB; set++) {
        const PlayedSet *set_positions = &mentor->sets[set].positions;
        const double share = (double)set_positions->count / (double)positions;
        const ForestConfig order = {
            .family = problem->family,
            .rules = mentor->rules,
            .limits = limits,
            .guide = guide,
            .max_bytes = (size_t)(share * (double)(config->max_memory << 20)),
            .folder = forest_spill_folder(),
        };
        if (set_positions->count > 0)
            mentor->forests[set] = forest_new(FOREST_VALUES, set_positions, &order);
    }
    mentor->wanted =
        mem_alloc((mentor->sets[SET_TRAINING].positions.count + 1) * sizeof *mentor->wanted);
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
    if (problem->files[SET_TRAINING].count > 1)
        return error_set(ERR_ARG, "another engine's coefficients are learned from one file: name "
                                  "one each with --data and --test");
    if (problem->header->label != LABEL_CENTIPAWNS)
        return error_set(
            ERR_ARG,
            "%s: its labels are results of games, not a mentor's scores: falconer tune "
            "fits to them",
            str_text(&problem->files[SET_TRAINING].paths[0]));
    return OK;
}

// --- several mentors ---

// A message about mentor 2 had better name its file.
static Status name_mentors(const Problem *problem, Status status) {
    CLEANUP(str_free) Str names = {0};
    for (size_t m = 0; m < problem->files[SET_TRAINING].count; m++) {
        str_addf(&names, "%s%zu is ", m == 0 ? "" : ", ", m + 1);
        problem_mentor_name(problem, m, &names);
    }
    error_prefix("of the mentors (%s)", str_text(&names));
    return status;
}

// Scales are learned from the training set alone.
static Status make_panels(Problem *problem, const RunConfig *config) {
    Mentor *mentor = mentor_of(problem);
    const MentorSet *training = &mentor->sets[SET_TRAINING];
    Consensus consensus;
    mentor->fitness = (PanelFitness)config->mentors_fitness;
    // The worst mentor of a part need not be that of the whole.
    problem->cannot_divide = mentor->fitness == PANEL_WORST;
    if (mentor->fitness == PANEL_MEAN || mentor->fitness == PANEL_FRONT)
        problem->answers = mentor->mentors;
    const Status status =
        consensus_learn(&consensus, (ConsensusTarget)config->mentors_target,
                        (ConsensusMeasure)config->mentors_normalise, training->scores,
                        training->matrix.count, mentor->mentors);
    if (status != OK)
        return name_mentors(problem, status);
    for (int set = 0; set < SET_NB; set++)
        if (problem->files[set].count > 0)
            TRY(mentor_panel_create(&mentor->panels[set], &mentor->sets[set], &consensus,
                                    problem->family->scale));
    return OK;
}

bool mentor_data_of(const Problem *problem, ProblemSet set, MentorData *out) {
    const Mentor *mentor = mentor_of(problem);
    if (problem->kind != &fitness_mentor)
        return false;
    *out = (MentorData){.set = &mentor->sets[set],
                        .panel = &mentor->panels[set],
                        .fitness = mentor->fitness,
                        .resolves = mentor->resolves,
                        .forest = mentor->forests[set],
                        .space = &problem->space.space,
                        .unit = problem->family->scale,
                        .pool = problem->pool};
    return true;
}

bool mentor_data_of_several(const Problem *problem, ProblemSet set, MentorData *out) {
    return mentor_data_of(problem, set, out) && mentor_of(problem)->mentors > 1;
}

Status mentor_data_check_linear(const MentorData *data) {
    const CountMatrix *matrix = &data->set->matrix;
    const size_t rows = matrix->count * (data->fitness != PANEL_TARGET ? data->set->mentors : 1);
    if (data->resolves)
        return error_set(ERR_ARG, "values behind captures are not linear in the weights");
    if (matrix->terms != data->space->count)
        return error_set(ERR_ARG, "the optimum is known for families that are linear in their "
                                  "parameters, and this one is not");
    return rows * matrix->terms <= OPTIMUM_CELLS_MAX
               ? OK
               : error_set(ERR_ARG, "the set is so large that it takes minutes (falconer optimum)");
}

// What the linear programs of a front cannot do is found out before anything runs.
static Status check_front(const Problem *problem) {
    MentorData data;
    if (mentor_data_of_several(problem, SET_TRAINING, &data) && data.fitness == PANEL_FRONT)
        TRY_PREFIX(mentor_data_check_linear(&data), "mentors-fitness = front cannot be had here");
    return OK;
}

// --- reading ---

static Status load_set(Problem *problem, ProblemSet set, const MentorSetOptions *options) {
    MentorSet *out = &mentor_of(problem)->sets[set];
    const SetFiles *files = &problem->files[set];
    const char *paths[MENTORS_MAX];
    for (size_t i = 0; i < files->count; i++)
        paths[i] = str_text(&files->paths[i]);
    return files->count == 0
               ? OK
               : mentor_set_load_all(out, paths, files->count, options, problem->pool);
}

static Status check_resolve(const Problem *problem, const RunConfig *config) {
    if (config->resolve && config->tempo)
        return error_set(ERR_ARG, "tempo and resolve do not go together: whose turn it is changes "
                                  "along the captures");
    if (config->resolve && problem->family->taper != NULL)
        return error_set(ERR_ARG,
                         "family %s is tapered: its values behind captures cannot be compared with "
                         "a mentor's scores, its static ones can",
                         problem->family->name);
    return OK;
}

// What several mentors said, each by itself, and what is made of it.
static uint64_t hash_panel(const Mentor *mentor, ProblemSet set, uint64_t hash) {
    const size_t count = mentor->sets[set].matrix.count;
    const uint64_t fitness = mentor->fitness;
    if (mentor->mentors == 1)
        return hash;
    for (size_t m = 0; m < mentor->mentors && count > 0; m++)
        hash = hash_bytes(hash, mentor->panels[set].own[m], count * sizeof(int32_t));
    return hash_bytes(hash, &fitness, sizeof fitness);
}

// The lines and what was made of them: clamped labels are other data, and so are resolved ones.
static uint64_t hash_of(const Mentor *mentor, ProblemSet set) {
    const MentorSet *data = &mentor->sets[set];
    uint64_t hash = hash_bytes(data->hash, data->matrix.labels,
                               data->matrix.count * sizeof *data->matrix.labels);
    hash = hash_panel(mentor, set, hash);
    return mentor->resolves ? hash_bytes(hash, &mentor->rules, sizeof mentor->rules) : hash;
}

static void describe(const Mentor *mentor, ProblemSet set, Str *out) {
    mentor_set_describe(&mentor->sets[set], out);
    if (mentor->resolves)
        str_addf(out, ", resolved by %s to depth %u", quiescence_names[mentor->rules.quiescence],
                 mentor->rules.depth);
}

// An error on positions that were learned from is no test: whoever reads it is told.
static Status tell_shared(Problem *problem, const RunConfig *config) {
    Mentor *mentor = mentor_of(problem);
    const size_t count = mentor->sets[SET_TEST].matrix.count;
    CLEANUP(str_free) Str text = {0};
    size_t shared;
    TRY(mentor_set_count_shared(&mentor->sets[SET_TEST], &mentor->sets[SET_TRAINING], &shared));
    if (shared == 0)
        return OK;
    str_addf(&problem->data[SET_TEST].about, ", %zu of them in the training set too", shared);
    str_addf(
        &text,
        "%zu of %zu test position%s %s in the training set too: the test's error is lower than "
        "on positions that were never seen",
        shared, count, str_plural(count), shared == 1 ? "is" : "are");
    // Of the same set twice a new run says so itself (problem_check_test).
    if (config->tell != NULL && mentor->sets[SET_TEST].hash != mentor->sets[SET_TRAINING].hash)
        config->tell(str_text(&text));
    return OK;
}

static Status load(Problem *problem, const RunConfig *config) {
    MentorSetOptions options = {.family = problem->family,
                                .header = problem->header,
                                .tempo = config->tempo,
                                .quiet_only = config->quiet_only,
                                .keep_positions = config->resolve,
                                .keep_keys = true,
                                .limits = {(int)config->clamp, (MentorTreatment)config->beyond,
                                           (MentorTreatment)config->mates}};
    Mentor *mentor = problem->state = mem_alloc_zero(1, sizeof *mentor);
    mentor->resolves = config->resolve;
    mentor->rules = (ForestRules){(ForestQuiescence)config->quiescence, (unsigned)config->depth, 0};
    mentor->mentors = problem->files[SET_TRAINING].count;
    counts_init(&mentor->sample, mentor_row_terms(&options));
    TRY(check_resolve(problem, config));
    if (problem->header != NULL)
        TRY(check_foreign(problem, config));
    for (int set = 0; set < SET_NB; set++) {
        // Reports show positions of the training set; other ranks make none.
        options.keep_boards = set == SET_TRAINING && !config->is_helper;
        TRY(load_set(problem, (ProblemSet)set, &options));
    }
    if (mentor->mentors > 1)
        TRY(make_panels(problem, config));
    TRY(check_front(problem));
    if (mentor->resolves)
        plant(problem, config);
    for (int set = 0; set < SET_NB; set++) {
        ProblemData *data = &problem->data[set];
        data->size = mentor->sets[set].matrix.count;
        data->hash = hash_of(mentor, (ProblemSet)set);
        describe(mentor, (ProblemSet)set, &data->about);
    }
    return tell_shared(problem, config);
}

static void unload(Problem *problem) {
    Mentor *mentor = mentor_of(problem);
    for (int set = 0; set < SET_NB; set++) {
        mentor_set_free(&mentor->sets[set]);
        mentor_panel_free(&mentor->panels[set]);
        forest_free(mentor->forests[set]);
    }
    free(mentor->wanted);
    counts_free(&mentor->sample);
    free(mentor);
}

// --- errors ---

// Of static scores, against these labels of the set.
static Status static_errors(Problem *problem, const PositionBatch *batch, const int32_t *labels,
                            int64_t *errors) {
    Mentor *mentor = mentor_of(problem);
    CountMatrix matrix = mentor->sets[batch->set].matrix;
    const CountMatrix *judged = &matrix;
    matrix.labels = (int32_t *)labels;
    if (batch->rows != NULL) {
        TRY(counts_gather(&mentor->sample, &matrix, batch->rows, batch->row_count));
        judged = &mentor->sample;
    }
    return mentor_errors(judged, batch->coefficients, batch->organisms, problem->pool, errors);
}

static Status resolved_errors(Problem *problem, const PositionBatch *batch, const int32_t *labels,
                              int64_t *errors) {
    const Mentor *mentor = mentor_of(problem);
    if (batch->rows != NULL) {
        memset(mentor->wanted, 0, mentor->sets[batch->set].matrix.count * sizeof *mentor->wanted);
        for (size_t i = 0; i < batch->row_count; i++)
            mentor->wanted[batch->rows[i]] = true;
    }
    return forest_errors(mentor->forests[batch->set], batch->rows == NULL ? NULL : mentor->wanted,
                         labels, batch->coefficients, batch->organisms, problem->pool, errors);
}

static Status errors_against(Problem *problem, const PositionBatch *batch, const int32_t *labels,
                             int64_t *errors) {
    return (mentor_of(problem)->resolves ? resolved_errors : static_errors)(problem, batch, labels,
                                                                            errors);
}

// The sum of all mentors' errors, or the largest.
static Status panel_errors(Problem *problem, const PositionBatch *batch, int64_t *errors) {
    const Mentor *mentor = mentor_of(problem);
    CLEANUP(mem_free_at) int64_t *own = mem_alloc((batch->organisms + 1) * sizeof *own);
    memset(errors, 0, batch->organisms * sizeof *errors);
    for (size_t m = 0; m < mentor->mentors; m++) {
        TRY(errors_against(problem, batch, mentor->panels[batch->set].own[m], own));
        for (size_t i = 0; i < batch->organisms; i++)
            errors[i] = mentor->fitness != PANEL_WORST ? errors[i] + own[i]
                        : own[i] > errors[i]           ? own[i]
                                                       : errors[i];
    }
    return OK;
}

static Status score(Problem *problem, const PositionBatch *batch, int64_t *scores) {
    const Mentor *mentor = mentor_of(problem);
    if (mentor->mentors == 1 || mentor->fitness == PANEL_TARGET)
        TRY(errors_against(problem, batch, mentor->sets[batch->set].matrix.labels, scores));
    else
        TRY(panel_errors(problem, batch, scores));
    for (size_t i = 0; i < batch->organisms; i++)
        scores[i] = -scores[i];
    return OK;
}

Status mentor_data_judge(Problem *problem, ProblemSet set, size_t mentor, const double *parameters,
                         double *figure) {
    const PositionBatch batch = {
        .set = set, .coefficients = problem_expand(problem, parameters, NULL, 1), .organisms = 1};
    int64_t error;
    TRY(errors_against(problem, &batch, mentor_of(problem)->panels[set].own[mentor], &error));
    // By one mentor alone a position has one error.
    *figure = (double)problem->answers *
              problem_figure(problem, -(double)error, problem_size(problem, set));
    return OK;
}

static const PositionFitness positions = {.score = score, .takes_scores = true};

const FitnessKind fitness_mentor = {
    .goal = {.title = "Evolution from a mentor",
             .meaning = "An error is the mean of |mentor - organism| over positions, in "
                        "centipawns.",
             .curve = "Mean error by generation (log scale)",
             .name = "error",
             .unit = "centipawns",
             .short_unit = "cp",
             .per_position = -1,
             .is_in_units = true,
             .watched = SET_TEST},
    .load = load,
    .unload = unload,
    .positions = &positions,
};
