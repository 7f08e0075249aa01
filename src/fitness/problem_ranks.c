// SPDX-License-Identifier: GPL-3.0-or-later
// A problem that other ranks of an MPI job judge with us: they make the same one of the same
// settings and files, and score all organisms of a batch on a part of the positions. (Parts of the
// organisms would do as well, but every rank would go through all data then.)
#include "base/bytes.h"
#include "base/locate.h"
#include "base/mem.h"
#include "chess/position.h"
#include "fitness/fitness.h"

#include <stdlib.h>
#include <string.h>

enum {
    GRAIN = 32,                           // positions that are not parted
    FILES_MAX = SET_NB * MENTORS_MAX + 2, // of all sets, the start and the evaluation
};

// --- on the other ranks ---

typedef struct Helper {
    RunConfig config;
    Problem *problem;
    int32_t *coefficients;
    int64_t *scores;
    size_t coefficient_capacity, score_capacity;
} Helper;

static Status read_settings(RunConfig *config, StrView context) {
    static const char *const files[] = {"data", "test", "start", "weights"};
    ByteReader in = {context, false};
    CLEANUP(str_free) Str value = {0};
    TRY(run_config_parse(config, bytes_text(&in), "rank 0's settings"));
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        const StrView text = bytes_text(&in);
        str_clear(&value);
        str_append(&value, text.text, text.length);
        TRY(run_config_set(config, files[i], str_text(&value)));
    }
    return bytes_are_done(&in) ? OK : error_set(ERR_PARSE, "malformed settings");
}

static Status open_service(void **self, StrView context, DistPool *pool) {
    Helper *helper = *self = mem_alloc_zero(1, sizeof *helper);
    chess_init();
    run_config_init(&helper->config);
    helper->config.is_helper = true;
    TRY(read_settings(&helper->config, context));
    return problem_create(&helper->problem, &helper->config, pool);
}

static uint64_t fingerprint_of(const void *self) {
    const Helper *helper = self;
    return problem_fingerprint(helper->problem);
}

static void close_service(void *self) {
    Helper *helper = self;
    problem_destroy(helper->problem);
    run_config_free(&helper->config);
    free(helper->coefficients);
    free(helper->scores);
    free(helper);
}

static Status answer_part(void *self, StrView work, Str *out) {
    Helper *helper = self;
    Problem *problem = helper->problem;
    ByteReader in = {work, false};
    ProblemSample sample;
    sample.is_all = bytes_u8(&in) != 0;
    sample.run = bytes_u32(&in);
    sample.generation = bytes_u32(&in);
    const size_t first = bytes_u32(&in), rows = bytes_u32(&in);
    const size_t count = bytes_u32(&in), terms = problem_terms(problem);
    const size_t positions = problem_sample_positions(problem, &sample);
    // As many organisms as there are bytes for, before there is memory for them.
    if (in.failed || in.rest.length != count * terms * sizeof *helper->coefficients ||
        rows > positions || first > positions - rows)
        return error_set(ERR_PARSE, "malformed part of the positions");
    helper->coefficients = mem_grow(helper->coefficients, &helper->coefficient_capacity,
                                    count * terms, sizeof *helper->coefficients);
    helper->scores =
        mem_grow(helper->scores, &helper->score_capacity, count, sizeof *helper->scores);
    bytes_i32s(&in, helper->coefficients, count * terms);
    problem_find_rows(problem, &sample);
    const PositionBatch batch = {SET_TRAINING, problem->rows + first, rows, helper->coefficients,
                                 count};
    TRY(problem->kind->positions->score(problem, &batch, helper->scores));
    bytes_add_i64s(out, helper->scores, count);
    return OK;
}

const DistService problem_service = {.name = "problem",
                                     .by_rank = true,
                                     .open = open_service,
                                     .answer = answer_part,
                                     .close = close_service,
                                     .fingerprint = fingerprint_of};

// --- on rank 0 ---

// Appends the paths of a set as one setting, and adds them to the files.
static void add_set(const SetFiles *set, const char **files, size_t *count, Str *context) {
    CLEANUP(str_free) Str list = {0};
    for (size_t i = 0; i < set->count; i++) {
        str_addf(&list, "%s%s", i == 0 ? "" : ",", str_text(&set->paths[i]));
        files[(*count)++] = str_text(&set->paths[i]);
    }
    bytes_add_text(context, view_of(str_text(&list), list.length));
}

// The same for a weights file, which may be none; a name that is no file stays as it is.
static Status add_weights(const Str *name, bool is_file, Str *path, const char **files,
                          size_t *count, Str *context) {
    if (!is_file) {
        str_add(path, str_text(name));
    } else if (name->length > 0) {
        TRY(locate("weights", str_text(name), path));
        files[(*count)++] = str_text(path);
    }
    bytes_add_text(context, view_of(str_text(path), path->length));
    return OK;
}

Status problem_ranks_open(Problem *problem, const RunConfig *config) {
    const char *files[FILES_MAX];
    size_t count = 0;
    CLEANUP(str_free) Str settings = {0};
    CLEANUP(str_free) Str context = {0};
    CLEANUP(str_free) Str start = {0};
    CLEANUP(str_free) Str evaluation = {0};
    if (dist_pool_ranks(problem->pool) == NULL)
        return OK;
    run_config_write(config, &settings);
    bytes_add_text(&context, view_of(str_text(&settings), settings.length));
    add_set(&problem->files[SET_TRAINING], files, &count, &context);
    add_set(&problem->files[SET_TEST], files, &count, &context);
    Profile profile;
    const bool is_file = !space_start_profile(config, &profile);
    TRY(add_weights(&config->start, is_file, &start, files, &count, &context));
    TRY(add_weights(&config->weights, true, &evaluation, files, &count, &context));
    const DistRemoteConfig setup = {.service = problem_service.name,
                                    .context = view_of(str_text(&context), context.length),
                                    .files = files,
                                    .file_count = count,
                                    .threads = dist_pool_rank_threads(problem->pool)};
    return dist_remote_open(&problem->remote, dist_pool_ranks(problem->pool), &setup);
}

Status problem_ranks_wait(Problem *problem) {
    return problem->remote == NULL
               ? OK
               : dist_remote_wait(problem->remote, problem_fingerprint(problem));
}

void problem_ranks_close(Problem *problem) {
    dist_remote_close(problem->remote);
    dist_pace_free(&problem->pace);
}

// A batch that is being judged.
typedef struct Batch {
    Problem *problem;
    const ProblemSample *sample;
    size_t positions, organisms, terms;
    const int32_t *coefficients;
    int64_t *scores, *part_scores;
    bool has_rows; // of the sample, here
} Batch;

static void add_scores(const Batch *batch) {
    for (size_t i = 0; i < batch->organisms; i++)
        batch->scores[i] += batch->part_scores[i];
}

static Status score_part(void *context, size_t first, size_t count) {
    Batch *batch = context;
    const bool is_whole = batch->sample->is_all && count == batch->positions;
    if (!batch->has_rows && !is_whole)
        problem_find_rows(batch->problem, batch->sample);
    batch->has_rows = true;
    const PositionBatch part = {SET_TRAINING, is_whole ? NULL : batch->problem->rows + first,
                                is_whole ? 0 : count, batch->coefficients, batch->organisms};
    TRY(batch->problem->kind->positions->score(batch->problem, &part, batch->part_scores));
    add_scores(batch);
    return OK;
}

static void pack_part(void *context, size_t first, size_t count, Str *out) {
    const Batch *batch = context;
    bytes_add_u8(out, batch->sample->is_all);
    bytes_add_u32(out, batch->sample->run);
    bytes_add_u32(out, batch->sample->generation);
    bytes_add_u32(out, (uint32_t)first);
    bytes_add_u32(out, (uint32_t)count);
    bytes_add_u32(out, (uint32_t)batch->organisms);
    bytes_add_i32s(out, batch->coefficients, batch->organisms * batch->terms);
}

static Status unpack_part(void *context, size_t first, size_t count, StrView answer) {
    const Batch *batch = context;
    ByteReader in = {answer, false};
    (void)first;
    (void)count;
    bytes_i64s(&in, batch->part_scores, batch->organisms);
    if (!bytes_are_done(&in))
        return error_set(ERR_PARSE, "sent malformed scores");
    add_scores(batch);
    return OK;
}

Status problem_ranks_score(Problem *problem, const ProblemSample *sample,
                           const int32_t *coefficients, size_t organisms, int64_t *scores) {
    CLEANUP(mem_free_at)
    int64_t *part_scores = mem_alloc((organisms + 1) * sizeof *part_scores);
    Batch batch = {.problem = problem,
                   .sample = sample,
                   .positions = problem_sample_positions(problem, sample),
                   .organisms = organisms,
                   .terms = problem_terms(problem),
                   .coefficients = coefficients,
                   .scores = scores,
                   .part_scores = part_scores};
    const DistParts parts = {&batch, GRAIN, (double)organisms, score_part, pack_part, unpack_part};
    memset(scores, 0, organisms * sizeof *scores);
    return dist_parts_run(problem->remote, &problem->pace, batch.positions, &parts);
}
