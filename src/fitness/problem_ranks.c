// SPDX-License-Identifier: GPL-3.0-or-later
// A problem that other ranks of an MPI job judge with us: they make the same one of the same
// settings and files, and score all organisms of a batch on a part of the positions. (Parts of the
// organisms would do as well, but every rank would go through all data then.)
#include "base/bytes.h"
#include "base/locate.h"
#include "base/mem.h"
#include "chess/position.h"
#include "fitness/problem_kind.h"

#include <stdlib.h>
#include <string.h>

enum {
    GRAIN = 32,                           // positions that are not parted
    FILES_MAX = SET_NB * MENTORS_MAX + 1, // of all sets, and the start
};

static size_t problem_positions(const Problem *problem, const ProblemSample *sample) {
    return sample->is_all ? problem_size(problem, SET_TRAINING) : problem->sample_size;
}

// --- on the other ranks ---

typedef struct Helper {
    RunConfig config;
    Problem *problem;
    int32_t *coefficients;
    int64_t *scores;
    size_t coefficient_capacity, score_capacity;
} Helper;

// Fills in the positions of a sample, or all in their order.
static void find_rows(Problem *problem, const ProblemSample *sample) {
    if (!sample->is_all)
        problem_draw(problem, sample->run, sample->generation);
    for (uint32_t i = 0; i < problem_size(problem, SET_TRAINING) && sample->is_all; i++)
        problem->rows[i] = i;
}

static Status read_settings(RunConfig *config, StrView context) {
    static const char *const files[] = {"data", "test", "start"};
    ByteReader in = {context, false};
    Str value = {0};
    Status status = run_config_parse(config, bytes_text(&in), "rank 0's settings");
    for (size_t i = 0; i < sizeof files / sizeof *files && status == OK; i++) {
        const StrView text = bytes_text(&in);
        str_clear(&value);
        str_append(&value, text.text, text.length);
        status = run_config_set(config, files[i], str_text(&value));
    }
    str_free(&value);
    return status == OK && !bytes_are_done(&in)
               ? error_set(ERR_PARSE, "these bytes are no settings")
               : status;
}

static Status open_service(void **self, StrView context, DistPool *pool, int cancel_fd,
                           uint64_t *fingerprint) {
    (void)cancel_fd;
    Helper *helper = *self = mem_alloc_zero(1, sizeof *helper);
    chess_init();
    run_config_init(&helper->config);
    helper->config.is_helper = true;
    Status status = read_settings(&helper->config, context);
    if (status == OK)
        status = problem_create(&helper->problem, &helper->config, pool);
    if (status == OK)
        *fingerprint = problem_fingerprint(helper->problem);
    return status;
}

static void close_service(void *self) {
    Helper *helper = self;
    problem_destroy(helper->problem);
    run_config_free(&helper->config);
    free(helper->coefficients);
    free(helper->scores);
    free(helper);
}

static Status answer_part(void *self, int worker, StrView work, Str *out) {
    Helper *helper = self;
    Problem *problem = helper->problem;
    ByteReader in = {work, false};
    ProblemSample sample;
    sample.is_all = bytes_u8(&in) != 0;
    sample.run = bytes_u32(&in);
    sample.generation = bytes_u32(&in);
    const size_t first = bytes_u32(&in), rows = bytes_u32(&in);
    const size_t count = bytes_u32(&in), terms = problem_terms(problem);
    const size_t positions = problem_positions(problem, &sample);
    (void)worker;
    // As many organisms as there are bytes for, before there is memory for them.
    if (in.failed || in.rest.length != count * terms * sizeof *helper->coefficients ||
        rows > positions || first > positions - rows)
        return error_set(ERR_PARSE, "these bytes describe no part of the positions");
    helper->coefficients = mem_grow(helper->coefficients, &helper->coefficient_capacity,
                                    count * terms, sizeof *helper->coefficients);
    helper->scores =
        mem_grow(helper->scores, &helper->score_capacity, count, sizeof *helper->scores);
    bytes_i32s(&in, helper->coefficients, count * terms);
    find_rows(problem, &sample);
    const Status status = problem->kind->score(problem, SET_TRAINING, problem->rows + first, rows,
                                               helper->coefficients, count, helper->scores);
    if (status == OK)
        bytes_add_i64s(out, helper->scores, count);
    return status;
}

const DistService problem_service = {.name = "problem",
                                     .by_rank = true,
                                     .open = open_service,
                                     .answer = answer_part,
                                     .close = close_service};

// --- on rank 0 ---

// Appends the paths of a set as one setting, and adds them to the files.
static void add_set(const SetFiles *set, const char **files, size_t *count, Str *context) {
    Str list = {0};
    for (size_t i = 0; i < set->count; i++) {
        str_addf(&list, "%s%s", i == 0 ? "" : ",", str_text(&set->paths[i]));
        files[(*count)++] = str_text(&set->paths[i]);
    }
    bytes_add_text(context, view_of(str_text(&list), list.length));
    str_free(&list);
}

Status problem_ranks_open(Problem *problem, const RunConfig *config) {
    const char *files[FILES_MAX];
    size_t count = 0;
    Str settings = {0}, context = {0}, start = {0};
    // Games are sent one by one.
    if (dist_pool_ranks(problem->pool) == NULL || problem_is_games(problem))
        return OK;
    run_config_write(config, &settings);
    bytes_add_text(&context, view_of(str_text(&settings), settings.length));
    add_set(&problem->files[SET_TRAINING], files, &count, &context);
    add_set(&problem->files[SET_TEST], files, &count, &context);
    Status status = OK;
    if (config->start.length > 0) {
        status = locate("weights", str_text(&config->start), &start);
        files[count++] = str_text(&start);
    }
    bytes_add_text(&context, view_of(str_text(&start), start.length));
    const DistRemoteConfig setup = {.service = problem_service.name,
                                    .context = view_of(str_text(&context), context.length),
                                    .files = files,
                                    .file_count = count,
                                    .threads = dist_pool_rank_threads(problem->pool)};
    if (status == OK)
        status = dist_remote_open(&problem->remote, dist_pool_ranks(problem->pool), &setup);
    str_free(&settings);
    str_free(&context);
    str_free(&start);
    return status;
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
        find_rows(batch->problem, batch->sample);
    batch->has_rows = true;
    const uint32_t *rows = is_whole ? NULL : batch->problem->rows + first;
    const Status status =
        batch->problem->kind->score(batch->problem, SET_TRAINING, rows, is_whole ? 0 : count,
                                    batch->coefficients, batch->organisms, batch->part_scores);
    if (status == OK)
        add_scores(batch);
    return status;
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
        return error_set(ERR_PARSE, "what came back are no scores of these organisms");
    add_scores(batch);
    return OK;
}

Status problem_ranks_score(Problem *problem, const ProblemSample *sample,
                           const int32_t *coefficients, size_t organisms, int64_t *scores) {
    const bool adds_up = problem->kind->adds_up == NULL || problem->kind->adds_up(problem);
    Batch batch = {.problem = problem,
                   .sample = sample,
                   .positions = problem_positions(problem, sample),
                   .organisms = organisms,
                   .terms = problem_terms(problem),
                   .coefficients = coefficients,
                   .scores = scores,
                   .part_scores = mem_alloc((organisms + 1) * sizeof *batch.part_scores)};
    const DistParts parts = {&batch, GRAIN, (double)organisms, score_part, pack_part, unpack_part};
    memset(scores, 0, organisms * sizeof *scores);
    const Status status = organisms == 0 ? OK
                                         : dist_parts_run(adds_up ? problem->remote : NULL,
                                                          &problem->pace, batch.positions, &parts);
    free(batch.part_scores);
    return status;
}
