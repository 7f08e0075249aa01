// SPDX-License-Identifier: GPL-3.0-or-later
// A problem that other ranks of an MPI job judge with us: they make the same one of the same
// settings and files, and score parts of a batch.
#include "base/bytes.h"
#include "base/locate.h"
#include "base/mem.h"
#include "chess/position.h"
#include "study/problem_kind.h"

#include <stdlib.h>

enum {
    GRAIN = 16,                           // organisms that are judged together
    FILES_MAX = SET_NB * MENTORS_MAX + 1, // of all sets, and the start
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
    return status;
}

static Status open_service(void **self, StrView context, DistPool *pool, uint64_t *fingerprint) {
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

static Status score_here(Problem *problem, const ProblemSample *sample, const int32_t *coefficients,
                         size_t organisms, int64_t *scores) {
    const uint32_t *rows = sample->is_all ? NULL : problem->rows;
    return problem->kind->score(problem, SET_TRAINING, rows,
                                sample->is_all ? 0 : problem->sample_size, coefficients, organisms,
                                scores);
}

static Status answer_part(void *self, int worker, StrView work, Str *out) {
    Helper *helper = self;
    Problem *problem = helper->problem;
    ByteReader in = {work, false};
    const ProblemSample sample = {
        .is_all = bytes_u8(&in) != 0, .run = bytes_u32(&in), .generation = bytes_u32(&in)};
    const size_t count = bytes_u32(&in), terms = problem_terms(problem);
    (void)worker;
    helper->coefficients = vec_grow(helper->coefficients, &helper->coefficient_capacity,
                                    count * terms, sizeof *helper->coefficients);
    helper->scores =
        vec_grow(helper->scores, &helper->score_capacity, count, sizeof *helper->scores);
    bytes_i32s(&in, helper->coefficients, count * terms);
    if (!sample.is_all)
        problem_draw(problem, sample.run, sample.generation);
    const Status status = score_here(problem, &sample, helper->coefficients, count, helper->scores);
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
    if (dist_pool_crew(problem->pool) == NULL || problem_is_games(problem))
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
    const DistTeamSetup setup = {.service = problem_service.name,
                                 .context = view_of(str_text(&context), context.length),
                                 .files = files,
                                 .file_count = count,
                                 .threads = dist_pool_crew_threads(problem->pool)};
    if (status == OK)
        status = dist_team_open(&problem->team, dist_pool_crew(problem->pool), &setup);
    str_free(&settings);
    str_free(&context);
    str_free(&start);
    return status;
}

Status problem_ranks_wait(Problem *problem) {
    return problem->team == NULL ? OK : dist_team_wait(problem->team, problem_fingerprint(problem));
}

void problem_ranks_close(Problem *problem) {
    dist_team_close(problem->team);
    dist_pace_free(&problem->pace);
}

// A batch that is being judged.
typedef struct Batch {
    Problem *problem;
    const ProblemSample *sample;
    const int32_t *coefficients;
    int64_t *scores;
    size_t terms;
    bool is_drawn; // the sample, here
} Batch;

static Status score_part(void *context, size_t first, size_t count) {
    Batch *batch = context;
    if (!batch->is_drawn && !batch->sample->is_all)
        problem_draw(batch->problem, batch->sample->run, batch->sample->generation);
    batch->is_drawn = true;
    return score_here(batch->problem, batch->sample, batch->coefficients + first * batch->terms,
                      count, batch->scores + first);
}

static void pack_part(void *context, size_t first, size_t count, Str *out) {
    const Batch *batch = context;
    bytes_add_u8(out, batch->sample->is_all);
    bytes_add_u32(out, batch->sample->run);
    bytes_add_u32(out, batch->sample->generation);
    bytes_add_u32(out, (uint32_t)count);
    bytes_add_i32s(out, batch->coefficients + first * batch->terms, count * batch->terms);
}

static Status unpack_part(void *context, size_t first, size_t count, StrView answer) {
    const Batch *batch = context;
    ByteReader in = {answer, false};
    bytes_i64s(&in, batch->scores + first, count);
    return in.failed ? error_set(ERR_PARSE, "a rank answered with too few scores") : OK;
}

Status problem_ranks_score(Problem *problem, const ProblemSample *sample,
                           const int32_t *coefficients, size_t organisms, int64_t *scores) {
    Batch batch = {problem, sample, coefficients, scores, problem_terms(problem), false};
    const DistParts parts = {&batch, GRAIN, score_part, pack_part, unpack_part};
    return dist_spread_parts(problem->team, &problem->pace, organisms, &parts);
}
