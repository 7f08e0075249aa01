// SPDX-License-Identifier: GPL-3.0-or-later
// What all kinds of fitness have in common: the space, the draw of positions, coefficients.
#include "fitness/problem.h"

#include "base/hash.h"
#include "base/locate.h"
#include "base/mem.h"
#include "base/supplied.h"
#include "evolve/random.h"
#include "fitness/fitness.h"
#include "fitness/linear/coefficient_reader.h"
#include "search/search_family.h"

#include <assert.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FITNESS(id, name, kind, way) extern const FitnessKind fitness_##name;
#include "settings/fitness.def"
#undef FITNESS

static const FitnessKind *const kinds[] = {
#define FITNESS(id, name, kind, way) [FITNESS_##id] = &fitness_##name,
#include "settings/fitness.def"
#undef FITNESS
};

// --- making one ---

// One file where the whole is the name of one, commas or not; else a list.
static Status find_files(const Str *list, const char *key, SetFiles *out) {
    StrView left = view_of(str_text(list), list->length);
    CLEANUP(str_free) Str name = {0};
    while (left.length > 0) {
        const bool is_one = supplied_or_there(left.text);
        const char *comma = is_one ? NULL : memchr(left.text, ',', left.length);
        const size_t length = comma == NULL ? left.length : (size_t)(comma - left.text);
        const StrView item = view_trim(view_of(left.text, length));
        if (out->count == MENTORS_MAX)
            return error_set(ERR_ARG, "%s: at most %d mentors can be learned from", key,
                             MENTORS_MAX);
        if (item.length == 0 || (comma != NULL && length + 1 == left.length))
            return error_set(ERR_ARG, "%s: there is a comma without a name", key);
        str_clear(&name);
        str_append(&name, item.text, item.length);
        TRY(locate("data", str_text(&name), &out->paths[out->count++]));
        left =
            view_of(left.text + length + (comma != NULL), left.length - length - (comma != NULL));
    }
    return OK;
}

static Status find_sets(Problem *problem, const RunConfig *config) {
    const SetFiles *training = &problem->files[SET_TRAINING], *test = &problem->files[SET_TEST];
    TRY(find_files(&config->data, "data", &problem->files[SET_TRAINING]));
    TRY(find_files(&config->test, "test", &problem->files[SET_TEST]));
    if (!problem->kind->positions->takes_scores && training->count + test->count > 2)
        return error_set(ERR_ARG, "moves are learned from one set: name one file each with --data "
                                  "and --test");
    if (test->count > 0 && test->count != training->count)
        return error_set(ERR_ARG,
                         "data names the files of %zu mentors and test those of %zu: the same "
                         "mentors must have labelled both, in the same order",
                         training->count, test->count);
    return OK;
}

// The family that the settings name, in its space. A foreign one is the training set's.
static Status find_family(Problem *problem, const RunConfig *config) {
    const PositionFitness *positions = problem->kind->positions;
    if (strcmp(str_text(&config->family), FAMILY_COEFFICIENTS) != 0)
        return family_space_init(&problem->space, config, &problem->family);
    if (positions == NULL || !positions->takes_scores)
        return error_set(ERR_ARG,
                         "family %s is another engine's, which can neither choose moves nor play "
                         "here: fitness must be mentor",
                         FAMILY_COEFFICIENTS);
    TRY(coefficient_header_load(&problem->header,
                                str_text(&problem->files[SET_TRAINING].paths[0])));
    problem->family = &problem->header->family;
    return space_of_family(&problem->space, config, problem->family);
}

static Status prepare_sample(Problem *problem, const RunConfig *config) {
    const size_t count = problem_size(problem, SET_TRAINING), wanted = (size_t)config->sample;
    if (wanted > count)
        return error_set(ERR_ARG,
                         "%s: a sample of %zu positions cannot be drawn from %zu; --sample 0 takes "
                         "them all",
                         str_text(&problem->files[SET_TRAINING].paths[0]), wanted, count);
    problem->sample_size = wanted == count ? 0 : wanted;
    problem->rows = mem_alloc((count + 1) * sizeof *problem->rows);
    if (problem->sample_size == 0)
        problem->memo = memo_create(problem->space.space.count);
    return OK;
}

static Status load_positions(Problem *problem, const RunConfig *config) {
    TRY(find_sets(problem, config));
    TRY(find_family(problem, config));
    TRY(problem_ranks_open(problem, config));
    TRY(problem->kind->load(problem, config));
    TRY(prepare_sample(problem, config));
    return problem_ranks_wait(problem);
}

// Ranks are sent games one by one. Each generation plays others, and scores are shares already.
static Status load_games(Problem *problem, const RunConfig *config) {
    problem->sample_size = 1;
    TRY(find_family(problem, config));
    return problem->kind->load(problem, config);
}

Status fitness_create(Problem **out, const FitnessKind *kind, const RunConfig *config,
                      DistPool *pool) {
    assert((kind->positions == NULL) != (kind->games == NULL) && run_config_is_valid(config));
    CLEANUP(problem_destroy_at) Problem *problem = mem_alloc_zero(1, sizeof *problem);
    problem->kind = kind;
    problem->pool = pool;
    problem->seed = (uint64_t)config->seed;
    problem->answers = 1;
    TRY(run_config_check(config));
    TRY((kind->games != NULL ? load_games : load_positions)(problem, config));
    *out = problem;
    problem = NULL;
    return OK;
}

Status problem_create(Problem **out, const RunConfig *config, DistPool *pool) {
    return fitness_create(out, kinds[config->fitness], config, pool);
}

Status problem_load_evaluation(const RunConfig *config, Weights *out) {
    const bool is_named = config->weights.length > 0;
    return weights_load_or_default(out, is_named ? str_text(&config->weights) : NULL);
}

bool problem_can_play(const Problem *problem) {
    return problem->kind->positions != NULL && problem->family == &family_search;
}

Status problem_create_players(Problem **out, const Problem *problem, const RunConfig *config) {
    RunConfig games = *config; // its texts stay the caller's
    games.fitness = FITNESS_GAMES;
    games.initial_position = true;
    games.schedule = GAMES_ROUND_ROBIN;
    games.playoff_games = games.start_spread = games.quiescence_checks = 0;
    games.start_from = games.verdict_openings = (Str){0};
    games.algorithm = evolve_config_default(&evolve_ga);
    return problem_create(out, &games, problem->pool);
}

Status problem_check_test(const Problem *problem) {
    const ProblemData *training = &problem->data[SET_TRAINING], *test = &problem->data[SET_TEST];
    if (problem_is_games(problem) || test->size == 0 || test->size != training->size ||
        test->hash != training->hash)
        return OK;
    return error_set(ERR_ARG,
                     "%s holds the same as the training set (checksum %016" PRIx64
                     "): name another with --test, or none with --test ''",
                     str_text(&problem->files[SET_TEST].paths[0]), test->hash);
}

void problem_destroy(Problem *problem) {
    if (problem == NULL)
        return;
    problem_ranks_close(problem);
    if (problem->state != NULL)
        problem->kind->unload(problem);
    for (int set = 0; set < SET_NB; set++) {
        for (size_t i = 0; i < MENTORS_MAX; i++)
            str_free(&problem->files[set].paths[i]);
        str_free(&problem->data[set].about);
    }
    start_free(&problem->starts);
    free(problem->rows);
    free(problem->coefficients);
    memo_destroy(problem->memo);
    coefficient_header_destroy(problem->header);
    free(problem);
}

// --- what it is ---

const EvolveSpace *problem_space(const Problem *problem) {
    return &problem->space.space;
}

const Family *problem_family(const Problem *problem) {
    return problem->family;
}

bool problem_is_games(const Problem *problem) {
    return problem->kind->games != NULL;
}

const double *problem_start(const Problem *problem, size_t *count) {
    if (problem->starts.count > 0) {
        *count = problem->starts.count;
        return problem->starts.organisms;
    }
    *count = problem->space.has_start;
    return problem->space.has_start ? problem->space.start : NULL;
}

const double *problem_start_values(const Problem *problem) {
    return problem->space.given;
}

const double *problem_units(const Problem *problem) {
    return problem_is_games(problem) ? problem->kind->games->units(problem) : NULL;
}

bool problem_draws_afresh(const Problem *problem) {
    return problem->sample_size > 0;
}

size_t problem_size(const Problem *problem, ProblemSet set) {
    return problem->data[set].size;
}

size_t problem_sample_size(const Problem *problem) {
    return problem->sample_size > 0 ? problem->sample_size : problem_size(problem, SET_TRAINING);
}

const ProblemGoal *problem_goal_of(RunFitness fitness) {
    return &kinds[fitness]->goal;
}

const ProblemGoal *problem_goal(const Problem *problem) {
    return &problem->kind->goal;
}

double problem_figure(const Problem *problem, double score, size_t positions) {
    const ProblemGoal *goal = &problem->kind->goal;
    const double unit = goal->is_in_units ? problem->family->scale : 1;
    const double errors = (double)positions * (double)problem->answers;
    const double figure = goal->per_position * score / errors / unit;
    return figure == 0 ? 0 : figure; // an error of 0 is not less than 0
}

size_t problem_terms(const Problem *problem) {
    return problem->family->coefficient_count + problem->space.has_tempo;
}

static const char *base_name(const Str *path) {
    const char *slash = strrchr(str_text(path), '/');
    return slash == NULL ? str_text(path) : slash + 1;
}

void problem_mentor_name(const Problem *problem, size_t mentor, Str *out) {
    const char *name = base_name(&problem->files[SET_TRAINING].paths[mentor]);
    const char *end = strstr(name, ".epd");
    str_append(out, name, end == NULL || end == name ? strlen(name) : (size_t)(end - name));
}

// --- scores ---

// A parameter as a family has it: algorithms that leave their boxes have other numbers, too.
static inline int family_value(const Problem *problem, size_t index, double value) {
    if (index >= problem->family->term_count)
        return (int)lround(value);
    const Term *term = &problem->family->terms[index];
    value = value >= term->low ? value : term->low;
    value = value <= term->high ? value : term->high;
    // Most values are whole, and rounding is a call.
    const int whole = (int)value;
    return whole == value ? whole : (int)lround(value);
}

// The bounds of all parameters, beside each other.
typedef struct Bounds {
    double low[TERMS_MAX + 1], high[TERMS_MAX + 1];
} Bounds;

static void find_bounds(const Problem *problem, Bounds *out) {
    for (size_t j = 0; j < problem->space.space.count; j++) {
        const bool has_term = j < problem->family->term_count;
        out->low[j] = has_term ? problem->family->terms[j].low : -INT_MAX;
        out->high[j] = has_term ? problem->family->terms[j].high : INT_MAX;
    }
}

// The same as family_value for each, where all are whole, in vectors; else false.
static bool take_whole(const Bounds *bounds, const double *organism, size_t width, int *values) {
    int parts = 0;
    for (size_t j = 0; j < width; j++) {
        double value = organism[j];
        value = value >= bounds->low[j] ? value : bounds->low[j];
        value = value <= bounds->high[j] ? value : bounds->high[j];
        values[j] = (int)value;
        parts |= values[j] != value;
    }
    return parts == 0;
}

static void expand(const Problem *problem, const Bounds *bounds, const double *organism,
                   int32_t *out) {
    const size_t width = problem->space.space.count, terms = problem_terms(problem);
    int values[TERMS_MAX + 1], coefficients[TERMS_MAX + 1];
    if (!take_whole(bounds, organism, width, values))
        for (size_t j = 0; j < width; j++)
            values[j] = family_value(problem, j, organism[j]);
    family_expand(problem->family, values, coefficients);
    if (problem->space.has_tempo)
        coefficients[problem->family->coefficient_count] =
            values[width - 1] * problem->family->unit;
    for (size_t j = 0; j < terms; j++)
        out[j] = coefficients[j];
}

const int32_t *problem_expand(Problem *problem, const double *parameters, const uint32_t *rows,
                              size_t count) {
    const size_t width = problem->space.space.count, terms = problem_terms(problem);
    problem->coefficients = mem_grow(problem->coefficients, &problem->coefficient_capacity,
                                     count * terms, sizeof *problem->coefficients);
    Bounds bounds; // too large to be cleared
    find_bounds(problem, &bounds);
    for (size_t i = 0; i < count; i++)
        expand(problem, &bounds, parameters + (rows == NULL ? i : rows[i]) * width,
               problem->coefficients + i * terms);
    return problem->coefficients;
}

size_t problem_sample_positions(const Problem *problem, const ProblemSample *sample) {
    return sample->is_all ? problem_size(problem, SET_TRAINING) : problem->sample_size;
}

// Without replacement: the first places of a shuffle.
void problem_find_rows(Problem *problem, const ProblemSample *sample) {
    const uint32_t count = (uint32_t)problem_size(problem, SET_TRAINING);
    for (uint32_t i = 0; i < count; i++)
        problem->rows[i] = i;
    if (sample->is_all)
        return;
    Rng rng = evolve_rng(problem->seed, sample->run, sample->generation, 0, USE_POSITIONS);
    for (uint32_t i = 0; i < problem->sample_size; i++) {
        const uint32_t other = i + rng_below(&rng, count - i), row = problem->rows[other];
        problem->rows[other] = problem->rows[i];
        problem->rows[i] = row;
    }
}

// On training positions: here, or by all ranks.
static Status score_training(Problem *problem, const ProblemSample *sample,
                             const int32_t *coefficients, size_t organisms, int64_t *scores) {
    PositionBatch batch = {
        .set = SET_TRAINING, .coefficients = coefficients, .organisms = organisms};
    if (organisms == 0)
        return OK;
    if (problem->remote != NULL && !problem->cannot_divide)
        return problem_ranks_score(problem, sample, coefficients, organisms, scores);
    if (!sample->is_all) {
        problem_find_rows(problem, sample);
        batch.rows = problem->rows;
        batch.row_count = problem->sample_size;
    }
    return problem->kind->positions->score(problem, &batch, scores);
}

// All positions in every generation: organisms that were there before keep their scores.
static Status score_new(Problem *problem, const double *organisms, size_t count, int64_t *scores) {
    const uint32_t *fresh;
    const size_t fresh_count = memo_sift(problem->memo, organisms, count, &fresh);
    CLEANUP(mem_free_at) int64_t *found = mem_alloc_zero(fresh_count + 1, sizeof *found);
    const int32_t *coefficients = problem_expand(problem, organisms, fresh, fresh_count);
    const ProblemSample all = {.is_all = true};
    const Status status = score_training(problem, &all, coefficients, fresh_count, found);
    if (status == OK)
        memo_fill(problem->memo, found, scores);
    else
        memo_forget(problem->memo);
    return status;
}

Status problem_evaluate(Problem *problem, uint32_t run, const EvolveBatch *batch, int64_t *scores) {
    if (problem->kind->games != NULL)
        return problem->kind->games->evaluate(problem, run, batch, scores);
    if (problem->memo != NULL)
        return score_new(problem, batch->parameters, batch->count, scores);
    return score_training(problem, &(ProblemSample){.run = run, .generation = batch->generation},
                          problem_expand(problem, batch->parameters, NULL, batch->count),
                          batch->count, scores);
}

uint64_t problem_stored(const Problem *problem) {
    return problem->kind->stored == NULL ? 0 : problem->kind->stored(problem);
}

Status problem_play(Problem *problem, uint32_t run, PlayPurpose purpose, const EvolveBatch *batch,
                    const EvolveMeeting *meetings, size_t count, EvolveResult *results) {
    return problem->kind->games->play(problem, run, purpose, batch, meetings, count, results);
}

const Encounter *problem_met(Problem *problem, size_t *count) {
    return problem->kind->games->met(problem, count);
}

Status problem_duel(Problem *problem, const EvolveBatch *players, uint64_t first, size_t pairs,
                    DuelScore *score) {
    return problem->kind->games->duel(problem, players, first, pairs, score);
}

size_t problem_playoff_openings(const Problem *problem) {
    return problem->kind->games->playoff_openings(problem);
}

size_t problem_duel_pairs(const Problem *problem) {
    return problem->kind->games->duel_pairs(problem);
}

Status problem_judge(Problem *problem, ProblemSet set, const double *parameters, size_t count,
                     int64_t *scores) {
    if (set == SET_TRAINING && problem->memo != NULL)
        return score_new(problem, parameters, count, scores);
    const int32_t *coefficients = problem_expand(problem, parameters, NULL, count);
    if (set == SET_TRAINING && count > 1)
        return score_training(problem, &(ProblemSample){.is_all = true}, coefficients, count,
                              scores);
    const PositionBatch batch = {.set = set, .coefficients = coefficients, .organisms = count};
    return problem->kind->positions->score(problem, &batch, scores);
}

// --- words ---

void problem_weights(const Problem *problem, const double *parameters, Weights *out) {
    weights_init(out, problem->family);
    for (size_t i = 0; i < problem->family->term_count; i++)
        out->parameters[i] = family_value(problem, i, parameters[i]);
    if (problem->space.has_tempo)
        str_addf(&out->lineage, "tempo: %d, for the side to move, not part of the family\n",
                 (int)parameters[problem->space.space.count - 1]);
}

void problem_describe(const Problem *problem, ProblemSet set, Str *out) {
    if (set == SET_VALIDATION && problem_size(problem, set) > 0)
        str_addf(out, "the last %zu position%s of the training set", problem_size(problem, set),
                 str_plural(problem_size(problem, set)));
    const SetFiles *files = &problem->files[set];
    if (files->count == 0)
        return;
    for (size_t i = 0; i < files->count; i++)
        str_addf(out, "%s%s", i == 0 ? "" : ", ", base_name(&files->paths[i]));
    str_addf(out, " (%016" PRIx64 "): %s", problem->data[set].hash,
             str_text(&problem->data[set].about));
}

uint64_t problem_fingerprint(const Problem *problem) {
    uint64_t hash = space_fingerprint(&problem->space.space);
    for (int set = 0; set < SET_NB; set++) {
        const uint64_t size = problem->data[set].size;
        hash = hash_bytes(hash, &problem->data[set].hash, sizeof problem->data[set].hash);
        hash = hash_bytes(hash, &size, sizeof size);
    }
    const uint64_t sample = problem->sample_size;
    hash = hash_bytes(hash, &problem->family->version, sizeof problem->family->version);
    return hash_bytes(hash, &sample, sizeof sample);
}
