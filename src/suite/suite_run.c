// SPDX-License-Identifier: GPL-3.0-or-later
#include "suite/suite_run.h"

#include "dist/workers.h"
#include "engines/process.h"
#include "suite/suite_ask.h"

// Jobs are numbered by positions, then by engines.
typedef struct SuiteRun {
    const Suite *suite;
    size_t engine_count;
    SuiteCallback *on_answer;
    void *context;
} SuiteRun;

static DistNext next_item(void *context, uint64_t number, Str *job) {
    const SuiteRun *run = context;
    suite_job_pack(number % run->engine_count, &run->suite->items[number / run->engine_count], job);
    return DIST_JOB;
}

static Status take_answer(void *context, uint64_t number, StrView bytes) {
    const SuiteRun *run = context;
    ByteReader in = {.rest = bytes};
    SuiteAnswer answer;
    suite_answer_unpack(&in, &answer);
    if (!bytes_are_done(&in))
        return error_set(ERR_PARSE, "malformed answer");
    run->on_answer(run->context, number / run->engine_count, number % run->engine_count, &answer);
    return OK;
}

uint64_t suite_descriptors(const SuiteConfig *config) {
    return process_descriptors((uint64_t)config->concurrency, config->engine_count);
}

Status suite_run(const Suite *suite, const SuiteConfig *config, SuiteCallback *on_answer,
                 void *context) {
    CLEANUP(engine_set_close) EngineSet engines = {0};
    CLEANUP(dist_workers_close_at) DistWorkers *workers = NULL;
    CLEANUP(str_free) Str bytes = {0};
    TRY(engine_set_open(&engines, config->engines, config->engine_count));
    if (config->ranks != NULL)
        engine_set_pack(&engines, &bytes);
    const DistWorkersConfig who = {.service = &suite_service,
                                   .self = &engines,
                                   .threads = config->concurrency,
                                   .ranks = config->ranks,
                                   .context = view_of(str_text(&bytes), bytes.length),
                                   .rank_threads = config->concurrency,
                                   .may_hang = true,
                                   .cancel_fd = config->cancel_fd};
    SuiteRun run = {suite, config->engine_count, on_answer, context};
    const DistJobs jobs = {.context = &run,
                           .order = DIST_IN_ORDER_WITH_GAPS,
                           .count = suite->count * config->engine_count,
                           .next = next_item,
                           .done = take_answer};
    TRY(dist_workers_open(&workers, &who));
    return dist_workers_run(workers, &jobs);
}
