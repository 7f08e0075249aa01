// SPDX-License-Identifier: GPL-3.0-or-later
// What all algorithms have in common: memory, counting, the best so far, when to stop, saving.
#include "base/hash.h"
#include "base/mem.h"
#include "evolve/algorithm.h"
#include "evolve/survival.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char MAGIC[8] = "falc-evo";
enum { FORMAT_VERSION = 1, HASH_SIZE = 8 };

struct Evolver {
    EvolveSetup setup;
    const EvolveAlgorithm *algorithm;
    void *state; // begins with a Population
    uint32_t generation;
    uint64_t evaluations;
    double *best;
    int64_t best_score;
    bool has_best;
    char stop_text[96];
};

#define ROW(name) &evolve_##name,
const EvolveAlgorithm *const evolve_algorithms[] = {EVOLVE_ALGORITHMS(ROW) NULL};
#undef ROW

const EvolveAlgorithm *evolve_find(const char *name) {
    for (size_t i = 0; evolve_algorithms[i] != NULL; i++)
        if (strcmp(evolve_algorithms[i]->name, name) == 0)
            return evolve_algorithms[i];
    return NULL;
}

static EvolveRun run_of(const Evolver *evolver) {
    const EvolveSetup *setup = &evolver->setup;
    return (EvolveRun){.space = &setup->space,
                       .options = setup->config.values,
                       .seed = setup->seed,
                       .run = setup->run,
                       .generation = evolver->generation,
                       .generations = (uint32_t)setup->config.values[OPTION_GENERATIONS],
                       .fresh_scores = setup->fresh_scores,
                       .start = setup->start,
                       .units = setup->units,
                       .paces = setup->paces,
                       .start_count = setup->start_count};
}

static Status check_setup(const EvolveSetup *setup) {
    const EvolveAlgorithm *algorithm = setup->config.algorithm;
    TRY(space_check(&setup->space));
    TRY(evolve_config_check(&setup->config));
    if (setup->run >= EVOLVE_RUNS_MAX)
        return error_set(ERR_ARG, "there may be %d runs of one seed", EVOLVE_RUNS_MAX);
    if (algorithm->needs_bits && setup->space.coding == EVOLVE_REAL)
        return error_set(ERR_ARG, "%s works on bit strings: give the parameters bits and a coding",
                         algorithm->name);
    double population = setup->config.values[OPTION_POPULATION];
    if (population > 0 && (double)setup->start_count > population)
        return error_set(ERR_ARG, "%zu organisms to start from are more than the population of %g",
                         setup->start_count, population);
    return OK;
}

// --- the state ---

static const EvolveField *fields_of(const EvolveAlgorithm *algorithm, size_t *count) {
    static const EvolveField rows =
        FIELD_ARRAY(Population, rows, 1, ALL_PARAMETERS, KEPT_ORGANISMS);
    const bool has_own = algorithm->field_count > 0 || algorithm->create != NULL;
    *count = has_own ? algorithm->field_count : 1;
    return has_own ? algorithm->fields : &rows;
}

static size_t length_of(const EvolveField *field, const Population *population) {
    const size_t counts[] = {[COUNT_MEMBERS] = population->size,
                             [COUNT_PARAMETERS] = population->width,
                             [COUNT_ALL_PARAMETERS] = population->size * population->width};
    return field->times * counts[field->count];
}

static void *place_of(const EvolveField *field, void *state) {
    return (char *)state + field->offset;
}

static void forget_parents(Population *population) {
    for (size_t i = 0; i < population->size && population->parents != NULL; i++)
        population->parents[i] =
            (EvolveParents){.mother = EVOLVE_NO_PARENT, .father = EVOLVE_NO_PARENT};
}

static Status make_state(Evolver *evolver) {
    const EvolveAlgorithm *algorithm = evolver->algorithm;
    const size_t size = algorithm->state_size;
    size_t count;
    const EvolveField *fields = fields_of(algorithm, &count);
    Population *population = mem_alloc_zero(1, size > 0 ? size : sizeof *population);
    evolver->state = population;
    population->size = (size_t)evolver->setup.config.values[OPTION_POPULATION];
    population->count = population->size;
    population->width = evolver->setup.space.count;
    for (size_t i = 0; i < count; i++) {
        void **array = place_of(&fields[i], population);
        if (fields[i].element == 0)
            continue;
        *array = population_alloc(length_of(&fields[i], population), fields[i].element);
        if (*array == NULL)
            return ERR_LIMIT;
    }
    if (algorithm->tells_parents) {
        population->parents = population_alloc(population->size, sizeof *population->parents);
        if (population->parents == NULL)
            return ERR_LIMIT;
        forget_parents(population);
    }
    const EvolveRun run = run_of(evolver);
    if (algorithm->create != NULL)
        return algorithm->create(population, &run);
    population_start(&run, population->rows, population->size);
    return OK;
}

static void free_state(Evolver *evolver) {
    size_t count;
    const EvolveField *fields = fields_of(evolver->algorithm, &count);
    if (evolver->state != NULL && evolver->algorithm->destroy != NULL)
        evolver->algorithm->destroy(evolver->state);
    for (size_t i = 0; evolver->state != NULL && i < count; i++)
        if (fields[i].element != 0)
            free(*(void **)place_of(&fields[i], evolver->state));
    if (evolver->state != NULL)
        free(((Population *)evolver->state)->parents);
    free(evolver->state);
}

static void keep_best(Evolver *evolver, const double *parameters, int64_t score) {
    memcpy(evolver->best, parameters, evolver->setup.space.count * sizeof *parameters);
    evolver->best_score = score;
    evolver->has_best = true;
}

Status evolver_create(Evolver **out, const EvolveSetup *setup) {
    TRY(check_setup(setup));
    CLEANUP(evolver_destroy_at) Evolver *evolver = mem_alloc_zero(1, sizeof *evolver);
    evolver->setup = *setup;
    evolver->algorithm = setup->config.algorithm;
    evolver->best = mem_alloc_zero(setup->space.count, sizeof *evolver->best);
    TRY(make_state(evolver));
    if (evolver_wants_meetings(evolver))
        keep_best(evolver, evolver->algorithm->best(evolver->state), 0);
    evolver->setup.start = evolver->setup.units = evolver->setup.paces = NULL;
    evolver->setup.start_count = 0;
    *out = evolver;
    evolver = NULL;
    return OK;
}

void evolver_destroy(Evolver *evolver) {
    if (evolver == NULL)
        return;
    free_state(evolver);
    free(evolver->best);
    free(evolver);
}

EvolveBatch evolver_ask(Evolver *evolver) {
    const Population *population = evolver->state;
    assert(
        population_is_valid(population, &evolver->setup.space, evolver->algorithm->leaves_boxes));
    return (EvolveBatch){.parameters = population->rows,
                         .count = population->count,
                         .width = population->width,
                         .generation = evolver->generation};
}

Status evolver_tell(Evolver *evolver, const int64_t *scores) {
    assert(!evolver_wants_meetings(evolver));
    EvolveBatch batch = evolver_ask(evolver);
    size_t best = survival_best(scores, batch.count);
    if (!evolver->has_best || evolver->setup.fresh_scores || scores[best] > evolver->best_score)
        keep_best(evolver, batch.parameters + best * batch.width, scores[best]);
    EvolveRun run = run_of(evolver);
    TRY(evolver->algorithm->tell(evolver->state, &run, scores));
    evolver->evaluations += batch.count;
    evolver->generation++;
    return OK;
}

bool evolver_wants_meetings(const Evolver *evolver) {
    return evolver->algorithm->ask_meetings != NULL;
}

bool evolver_ends_as_mean(const Evolver *evolver) {
    return evolver->algorithm->ends_as_mean;
}

const EvolveMeeting *evolver_ask_meetings(Evolver *evolver, size_t *count) {
    return evolver->algorithm->ask_meetings(evolver->state, count);
}

static Status check_results(const EvolveMeeting *meetings, const EvolveResult *results,
                            size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint64_t games = (uint64_t)results[i].wins + results[i].draws + results[i].losses;
        if (games != meetings[i].games)
            return error_set(ERR_ARG, "meeting %zu: %llu results of %u games", i,
                             (unsigned long long)games, meetings[i].games);
    }
    return OK;
}

Status evolver_tell_meetings(Evolver *evolver, const EvolveResult *results, bool *generation_over) {
    size_t count;
    const EvolveMeeting *meetings = evolver_ask_meetings(evolver, &count);
    TRY(check_results(meetings, results, count));
    for (size_t i = 0; i < count; i++)
        evolver->evaluations += meetings[i].games;
    EvolveRun run = run_of(evolver);
    TRY(evolver->algorithm->tell_meetings(evolver->state, &run, results, generation_over));
    if (*generation_over) {
        keep_best(evolver, evolver->algorithm->best(evolver->state), 0);
        evolver->generation++;
    }
    return OK;
}

const double *evolver_best(const Evolver *evolver, int64_t *score) {
    if (score != NULL)
        *score = evolver->best_score;
    return evolver->has_best ? evolver->best : NULL;
}

bool evolver_lineage(const Evolver *evolver, EvolveLineage *out) {
    return evolver->algorithm->lineage != NULL && evolver->algorithm->lineage(evolver->state, out);
}

bool evolver_parents(const Evolver *evolver, size_t place, EvolveParents *out) {
    const Population *population = evolver->state;
    if (population->parents == NULL || place >= population->size)
        return false;
    *out = population->parents[place];
    return out->mother != EVOLVE_NO_PARENT;
}

const EvolveSpace *evolver_space(const Evolver *evolver) {
    return &evolver->setup.space;
}

uint32_t evolver_generation(const Evolver *evolver) {
    return evolver->generation;
}

uint64_t evolver_evaluations(const Evolver *evolver) {
    return evolver->evaluations;
}

const char *evolver_stop_reason(Evolver *evolver) {
    const double *options = evolver->setup.config.values;
    char *text = evolver->stop_text;
    if (evolver->generation > options[OPTION_GENERATIONS])
        snprintf(text, sizeof evolver->stop_text, "%.0f generations done",
                 options[OPTION_GENERATIONS]);
    else if (options[OPTION_EVALUATIONS] > 0 &&
             (double)evolver->evaluations >= options[OPTION_EVALUATIONS])
        snprintf(text, sizeof evolver->stop_text, "%llu evaluations done",
                 (unsigned long long)evolver->evaluations);
    else if (evolver->algorithm->stop_reason != NULL)
        return evolver->algorithm->stop_reason(evolver->state);
    else
        return NULL;
    return text;
}

// --- saving ---

static void save_field(const EvolveField *field, void *state, Str *out) {
    void *place = place_of(field, state);
    const size_t length = length_of(field, state);
    if (field->kept == KEPT_FLAG)
        bytes_add_u8(out, *(bool *)place);
    else if (field->kept == KEPT_SIZE)
        bytes_add_u64(out, *(size_t *)place);
    else if (field->kept == KEPT_SCORES)
        bytes_add_i64s(out, *(int64_t **)place, length);
    else if (field->kept != NOT_KEPT)
        bytes_add_doubles(out, *(double **)place, length);
}

static void load_field(const EvolveField *field, void *state, const EvolveSpace *space,
                       ByteReader *in) {
    void *place = place_of(field, state);
    const size_t length = length_of(field, state);
    if (field->kept == KEPT_FLAG)
        *(bool *)place = bytes_u8(in) != 0;
    else if (field->kept == KEPT_SIZE)
        *(size_t *)place = bytes_u64(in);
    else if (field->kept == KEPT_SCORES)
        bytes_i64s(in, *(int64_t **)place, length);
    else if (field->kept == KEPT_ORGANISMS)
        population_load(space, in, *(double **)place, length / space->count);
    else if (field->kept == KEPT_DOUBLES)
        bytes_doubles(in, *(double **)place, length);
}

static void save_parents(const Population *population, Str *out) {
    for (size_t i = 0; i < population->size && population->parents != NULL; i++) {
        const EvolveParents *parents = &population->parents[i];
        bytes_add_u32(out, parents->mother);
        bytes_add_u32(out, parents->father);
        bytes_add_i64(out, parents->mother_score);
        bytes_add_i64(out, parents->father_score);
        bytes_add_u8(out, parents->is_survivor);
    }
}

// Versions before 0.3.0 saved none.
static void load_parents(const Population *population, ByteReader *in) {
    const bool are_there = in->rest.length > 0;
    for (size_t i = 0; are_there && i < population->size && population->parents != NULL; i++)
        population->parents[i] = (EvolveParents){.mother = bytes_u32(in),
                                                 .father = bytes_u32(in),
                                                 .mother_score = bytes_i64(in),
                                                 .father_score = bytes_i64(in),
                                                 .is_survivor = bytes_u8(in) != 0};
}

static void save_state(const Evolver *evolver, Str *out) {
    size_t count;
    const EvolveField *fields = fields_of(evolver->algorithm, &count);
    for (size_t i = 0; i < count; i++)
        save_field(&fields[i], evolver->state, out);
    if (evolver->algorithm->save != NULL)
        evolver->algorithm->save(evolver->state, out);
    save_parents(evolver->state, out);
}

static Status load_state(Evolver *evolver, ByteReader *in) {
    size_t count;
    const EvolveField *fields = fields_of(evolver->algorithm, &count);
    const EvolveRun run = run_of(evolver);
    for (size_t i = 0; i < count; i++)
        load_field(&fields[i], evolver->state, run.space, in);
    if (!in->failed && evolver->algorithm->load != NULL)
        TRY(evolver->algorithm->load(evolver->state, &run, in));
    load_parents(evolver->state, in);
    return OK;
}

void evolver_save(const Evolver *evolver, Str *out) {
    const EvolveSetup *setup = &evolver->setup;
    size_t start = out->length;
    str_append(out, MAGIC, sizeof MAGIC);
    bytes_add_u32(out, FORMAT_VERSION);
    bytes_add_u64(out, evolve_config_fingerprint(&setup->config));
    bytes_add_u64(out, space_fingerprint(&setup->space));
    bytes_add_u64(out, setup->seed);
    bytes_add_u32(out, setup->run);
    bytes_add_u8(out, setup->fresh_scores);
    bytes_add_u32(out, evolver->generation);
    bytes_add_u64(out, evolver->evaluations);
    bytes_add_u8(out, evolver->has_best);
    bytes_add_i64(out, evolver->best_score);
    bytes_add_doubles(out, evolver->best, setup->space.count);
    save_state(evolver, out);
    bytes_add_u64(out, hash_bytes(HASH_START, out->text + start, out->length - start));
}

static Status check_frame(StrView bytes) {
    if (bytes.length < sizeof MAGIC + 4 + HASH_SIZE || memcmp(bytes.text, MAGIC, sizeof MAGIC) != 0)
        return error_set(ERR_PARSE, "this is no checkpoint of an evolution");
    size_t size = bytes.length - HASH_SIZE;
    ByteReader tail = {.rest = view_of(bytes.text + size, HASH_SIZE)};
    if (bytes_u64(&tail) != hash_bytes(HASH_START, bytes.text, size))
        return error_set(ERR_PARSE, "the checkpoint is damaged: its checksum is wrong");
    return OK;
}

static Status check_same_setup(ByteReader *in, const EvolveSetup *setup) {
    uint32_t version = bytes_u32(in);
    if (version != FORMAT_VERSION)
        return error_set(ERR_PARSE, "the checkpoint has format %u, and this program reads %d",
                         version, FORMAT_VERSION);
    if (bytes_u64(in) != evolve_config_fingerprint(&setup->config))
        return error_set(ERR_ARG,
                         "the checkpoint was made with another algorithm or other options");
    if (bytes_u64(in) != space_fingerprint(&setup->space))
        return error_set(ERR_ARG, "the checkpoint is of other parameters");
    uint64_t seed = bytes_u64(in);
    uint32_t run = bytes_u32(in);
    if (seed != setup->seed || run != setup->run)
        return error_set(ERR_ARG, "the checkpoint is of seed %llu, run %u, not seed %llu, run %u",
                         (unsigned long long)seed, run, (unsigned long long)setup->seed,
                         setup->run);
    if (bytes_u8(in) != setup->fresh_scores)
        return error_set(ERR_ARG, "the checkpoint differs in whether scores are fresh");
    return OK;
}

static Status load_rest(Evolver *evolver, ByteReader *in) {
    evolver->generation = bytes_u32(in);
    evolver->evaluations = bytes_u64(in);
    evolver->has_best = bytes_u8(in) != 0;
    evolver->best_score = bytes_i64(in);
    bytes_doubles(in, evolver->best, evolver->setup.space.count);
    if (!in->failed)
        TRY(load_state(evolver, in));
    // The checksum finds damage; this finds parameters that no algorithm would have asked for.
    if (!bytes_are_done(in) || !population_is_valid(evolver->state, &evolver->setup.space,
                                                    evolver->algorithm->leaves_boxes))
        return error_set(ERR_PARSE, "the checkpoint does not make sense");
    return OK;
}

Status evolver_load(Evolver **out, const EvolveSetup *setup, StrView bytes) {
    TRY(check_frame(bytes));
    ByteReader in = {
        .rest = view_of(bytes.text + sizeof MAGIC, bytes.length - sizeof MAGIC - HASH_SIZE)};
    TRY(check_same_setup(&in, setup));
    EvolveSetup without_start = *setup;
    without_start.start = without_start.units = without_start.paces = NULL;
    without_start.start_count = 0;
    CLEANUP(evolver_destroy_at) Evolver *evolver = NULL;
    TRY(evolver_create(&evolver, &without_start));
    TRY(load_rest(evolver, &in));
    *out = evolver;
    evolver = NULL;
    return OK;
}
