// SPDX-License-Identifier: GPL-3.0-or-later
// Learning from a mentor's scores: the mean absolute error is to be made small. It is that of the
// static score, or, where labels are resolved, of the value behind captures, which is exact for
// each organism and no longer linear in its weights.
// Static scores may be another engine's. Where several mentors scored the positions it is the error
// against their one target, the mean of the errors by each, or the worst of them.
#include "base/hash.h"
#include "base/mem.h"
#include "fitness/linear/coefficient_set.h"
#include "fitness/linear/mentor.h"
#include "fitness/linear/mentor_panel.h"
#include "fitness/moves/trees.h"
#include "fitness/problem_kind.h"

#include <stdlib.h>
#include <string.h>

// Counts of this many, positions times terms, and the optimum takes minutes: falconer optimum.
enum { LIMIT_CELLS_MAX = 100000 * 36 };

typedef struct Mentor {
    MentorSet sets[SET_NB];
    CountMatrix sample; // of the generation at hand
    // Where labels are resolved; else there is nothing here.
    bool resolves;
    Forest *forests[SET_NB];
    ForestRules rules;
    Str notes;
    bool *wanted; // of the training set: the sample of a generation
    // Where there are several mentors.
    size_t mentors;
    PanelFitness fitness;
    MentorPanel panels[SET_NB];
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
        .only_reads = config->is_helper,
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
    Str names = {0};
    for (size_t m = 0; m < problem->files[SET_TRAINING].count; m++) {
        str_addf(&names, "%s%zu is ", m == 0 ? "" : ", ", m + 1);
        problem_mentor_name(problem, m, &names);
    }
    error_prefix("of the mentors (%s)", str_text(&names));
    str_free(&names);
    return status;
}

// Scales are learned from the training set alone.
static Status make_panels(Problem *problem, const RunConfig *config) {
    Mentor *mentor = mentor_of(problem);
    const MentorSet *training = &mentor->sets[SET_TRAINING];
    Consensus consensus;
    mentor->fitness = (PanelFitness)config->mentors_fitness;
    if (mentor->fitness == PANEL_MEAN || mentor->fitness == PANEL_FRONT)
        problem->answers = mentor->mentors;
    Status status = consensus_learn(&consensus, (ConsensusTarget)config->mentors_target,
                                    (ConsensusMeasure)config->mentors_normalise, training->scores,
                                    training->matrix.count, mentor->mentors);
    if (status != OK)
        return name_mentors(problem, status);
    for (int set = 0; set < SET_NB && status == OK; set++)
        if (problem->files[set].count > 0)
            status = mentor_panel_create(&mentor->panels[set], &mentor->sets[set], &consensus,
                                         problem->family->scale);
    return status;
}

static bool mentors_of(const Problem *problem, ProblemSet set, MentorsProblem *out) {
    const Mentor *mentor = mentor_of(problem);
    *out = (MentorsProblem){&mentor->sets[set], &mentor->panels[set], &problem->space.space,
                            problem->family->scale, problem->pool};
    return mentor->mentors > 1;
}

static Status check_size(const Mentor *mentor) {
    const CountMatrix *matrix = &mentor->sets[SET_TRAINING].matrix;
    const bool is_stacked = mentor->mentors > 1 && mentor->fitness != PANEL_TARGET;
    const size_t rows = matrix->count * (is_stacked ? mentor->mentors : 1);
    return rows * matrix->terms <= LIMIT_CELLS_MAX
               ? OK
               : error_set(ERR_ARG, "the set is so large that it takes minutes (falconer optimum)");
}

// What the linear programs of a front cannot do is found out before anything runs.
static Status check_front(const Problem *problem) {
    const Mentor *mentor = mentor_of(problem);
    MentorsProblem mentors;
    if (!mentors_of(problem, SET_TRAINING, &mentors) || mentor->fitness != PANEL_FRONT)
        return OK;
    Status status = mentor->resolves
                        ? error_set(ERR_ARG, "values behind captures are not linear in the weights")
                        : mentors_check(&mentors);
    if (status == OK)
        status = check_size(mentor);
    if (status != OK)
        error_prefix("mentors-fitness = front cannot be had here");
    return status;
}

static Status load_set(Problem *problem, ProblemSet set, const MentorSetOptions *options) {
    MentorSet *out = &mentor_of(problem)->sets[set];
    const SetFiles *files = &problem->files[set];
    const char *paths[MENTORS_MAX];
    for (size_t i = 0; i < files->count; i++)
        paths[i] = str_text(&files->paths[i]);
    if (files->count == 0)
        return OK;
    return problem->header != NULL
               ? coefficient_set_load(out, paths[0], problem->header, options)
               : mentor_set_load_all(out, paths, files->count, options, problem->pool);
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
    mentor->mentors = problem->files[SET_TRAINING].count;
    for (int set = 0; set < SET_NB && status == OK; set++)
        status = load_set(problem, (ProblemSet)set, &options);
    if (status == OK && mentor->mentors > 1)
        status = make_panels(problem, config);
    if (status == OK)
        status = check_front(problem);
    return status == OK && mentor->resolves ? compile(problem, config) : status;
}

static void unload(Problem *problem) {
    Mentor *mentor = mentor_of(problem);
    for (int set = 0; set < SET_NB; set++) {
        mentor_set_free(&mentor->sets[set]);
        mentor_panel_free(&mentor->panels[set]);
        forest_free(mentor->forests[set]);
    }
    str_free(&mentor->notes);
    free(mentor->wanted);
    counts_free(&mentor->sample);
    free(mentor);
}

// The least error is known for static scores alone.
static Status limit_of(const Problem *problem, Limit *out) {
    const Mentor *mentor = mentor_of(problem);
    MentorsProblem mentors;
    if (mentor->resolves)
        return error_set(ERR_ARG, "values behind captures are not linear in the weights");
    const Status status = check_size(mentor);
    if (status != OK)
        return status;
    return mentors_of(problem, SET_TRAINING, &mentors) && mentor->fitness != PANEL_TARGET
               ? mentors_limit(&mentors, mentor->fitness, out)
               : limit_solve(&mentor->sets[SET_TRAINING].matrix, &problem->space.space,
                             problem->family->scale, out);
}

static size_t size_of(const Problem *problem, ProblemSet set) {
    return mentor_of(problem)->sets[set].matrix.count;
}

// Against these labels, of the rows of the set.
static Status static_errors(Problem *problem, ProblemSet set, const int32_t *labels,
                            const uint32_t *rows, size_t row_count, const int32_t *coefficients,
                            size_t organisms, int64_t *errors) {
    Mentor *mentor = mentor_of(problem);
    CountMatrix matrix = mentor->sets[set].matrix;
    matrix.labels = (int32_t *)labels;
    if (rows == NULL)
        return mentor_errors(&matrix, coefficients, organisms, problem->pool, errors);
    const Status status = counts_gather(&mentor->sample, &matrix, rows, row_count);
    return status == OK
               ? mentor_errors(&mentor->sample, coefficients, organisms, problem->pool, errors)
               : status;
}

static Status resolved_errors(Problem *problem, ProblemSet set, const int32_t *labels,
                              const uint32_t *rows, size_t row_count, const int32_t *coefficients,
                              size_t organisms, int64_t *errors) {
    const Mentor *mentor = mentor_of(problem);
    if (rows != NULL) {
        memset(mentor->wanted, 0, mentor->sets[set].matrix.count * sizeof *mentor->wanted);
        for (size_t i = 0; i < row_count; i++)
            mentor->wanted[rows[i]] = true;
    }
    return forest_errors(mentor->forests[set], rows == NULL ? NULL : mentor->wanted, labels,
                         coefficients, organisms, problem->pool, errors);
}

static Status errors_against(Problem *problem, ProblemSet set, const int32_t *labels,
                             const uint32_t *rows, size_t row_count, const int32_t *coefficients,
                             size_t organisms, int64_t *errors) {
    return (mentor_of(problem)->resolves ? resolved_errors : static_errors)(
        problem, set, labels, rows, row_count, coefficients, organisms, errors);
}

// The sum of all mentors' errors, or the largest.
static Status panel_errors(Problem *problem, ProblemSet set, const uint32_t *rows, size_t row_count,
                           const int32_t *coefficients, size_t organisms, int64_t *errors) {
    const Mentor *mentor = mentor_of(problem);
    int64_t *own = mem_alloc((organisms + 1) * sizeof *own);
    Status status = OK;
    memset(errors, 0, organisms * sizeof *errors);
    for (size_t m = 0; m < mentor->mentors && status == OK; m++) {
        status = errors_against(problem, set, mentor->panels[set].own[m], rows, row_count,
                                coefficients, organisms, own);
        for (size_t i = 0; i < organisms && status == OK; i++)
            errors[i] = mentor->fitness != PANEL_WORST ? errors[i] + own[i]
                        : own[i] > errors[i]           ? own[i]
                                                       : errors[i];
    }
    free(own);
    return status;
}

static Status score(Problem *problem, ProblemSet set, const uint32_t *rows, size_t row_count,
                    const int32_t *coefficients, size_t organisms, int64_t *scores) {
    const Mentor *mentor = mentor_of(problem);
    const Status status =
        mentor->mentors == 1 || mentor->fitness == PANEL_TARGET
            ? errors_against(problem, set, mentor->sets[set].matrix.labels, rows, row_count,
                             coefficients, organisms, scores)
            : panel_errors(problem, set, rows, row_count, coefficients, organisms, scores);
    for (size_t i = 0; i < organisms; i++)
        scores[i] = -scores[i];
    return status;
}

static Status score_by(Problem *problem, ProblemSet set, size_t mentor, const int32_t *coefficients,
                       size_t organisms, int64_t *scores) {
    const Status status = errors_against(problem, set, mentor_of(problem)->panels[set].own[mentor],
                                         NULL, 0, coefficients, organisms, scores);
    for (size_t i = 0; i < organisms; i++)
        scores[i] = -scores[i];
    return status;
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

// The worst mentor of a part need not be that of the whole.
static bool adds_up(const Problem *problem) {
    const Mentor *mentor = mentor_of(problem);
    return mentor->mentors == 1 || mentor->fitness != PANEL_WORST;
}

// The lines and what was made of them: clamped labels are other data, and so are resolved ones.
static uint64_t hash_of(const Problem *problem, ProblemSet set) {
    const Mentor *mentor = mentor_of(problem);
    const MentorSet *data = &mentor->sets[set];
    uint64_t hash = hash_bytes(data->hash, data->matrix.labels,
                               data->matrix.count * sizeof *data->matrix.labels);
    hash = hash_panel(mentor, set, hash);
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
    .adds_up = adds_up,
    .hash = hash_of,
    .describe = describe,
    .limit = limit_of,
    .mentors = mentors_of,
    .score_by = score_by,
};
