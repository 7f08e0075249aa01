// SPDX-License-Identifier: GPL-3.0-or-later
// Small runs of evolution on disk, told to stop at any moment, and compared byte by byte.
#pragma once

#include "mentoring.h"
#include "sized.h"

#include <pthread.h>

// Where a sanitizer watches, a run comes as far in three times the time.
enum { STOPS_MOST = SIZED(60, 12), STOP_AFTER_US = SIZED(4000, 12000) };

// All that is told of a run but its timings.
static const char *const files[] = {"config.ini",     "log.jsonl",    "genes.csv",
                                    "population.csv", "best.weights", "checkpoint"};

static char training[TESTING_PATH], test[TESTING_PATH];

// Tells a run to stop after a while, as a user would.
typedef struct Stopper {
    atomic_bool stop;
    useconds_t after_us;
} Stopper;

static inline void *stop_later(void *context) {
    Stopper *stopper = context;
    usleep(stopper->after_us);
    atomic_store(&stopper->stop, true);
    return NULL;
}

static inline void configure(RunConfig *config, const char *words) {
    char more[2 * TESTING_PATH + 64];
    run_config_init(config);
    snprintf(more, sizeof more, "data %s test %s sample 60", training, test);
    mentoring_set(config, more);
    mentoring_set(config, words);
}

// Begins or goes on; `stopper` may be NULL. True when all runs are finished.
static inline bool run_some(const RunConfig *config, const char *directory, int threads,
                            RunStage stage, Stopper *stopper, RunOutcome *outcomes) {
    DistPool *pool = dist_pool_new(threads);
    Problem *problem;
    pthread_t thread;
    const RunFiles run_files = {
        .directory = directory, .stage = stage, .stop = stopper == NULL ? NULL : &stopper->stop};
    if (problem_create(&problem, config, pool) != OK)
        fail_msg("%s", error_message());
    if (stopper != NULL)
        assert_int_equal(pthread_create(&thread, NULL, stop_later, stopper), 0);
    if (run_all(problem, config, &run_files, outcomes) != OK)
        fail_msg("%s", error_message());
    if (stopper != NULL)
        pthread_join(thread, NULL);
    problem_destroy(problem);
    dist_pool_free(pool);
    bool is_finished = true;
    for (int64_t i = 0; i < config->runs; i++)
        is_finished = is_finished && outcomes[i].is_finished;
    return is_finished;
}

static inline void run_whole(const char *words, const char *name, int threads) {
    char directory[TESTING_PATH];
    RunConfig config;
    RunOutcome outcomes[8];
    testing_path(directory, name);
    configure(&config, words);
    if (run_begin(directory, &config) != OK)
        fail_msg("%s", error_message());
    assert_true(run_some(&config, directory, threads, (RunStage){0}, NULL, outcomes));
    for (int64_t i = 0; i < config.runs; i++)
        run_outcome_free(&outcomes[i]);
    run_config_free(&config);
}

// Stops and goes on until it is finished; how often it was stopped.
static inline int run_in_pieces(const char *words, const char *name, Rng *rng) {
    char directory[TESTING_PATH];
    RunConfig config;
    RunOutcome outcomes[8];
    int stops = 0;
    testing_path(directory, name);
    configure(&config, words);
    assert_int_equal(run_begin(directory, &config), OK);
    run_config_free(&config);
    for (bool is_finished = false; !is_finished; stops += !is_finished) {
        // The first time at once: however busy the machine is, it is stopped.
        Stopper stopper = {.stop = stops == 0, .after_us = rng_below(rng, STOP_AFTER_US)};
        run_config_init(&config);
        assert_int_equal(run_open(directory, &config), OK);
        is_finished = run_some(&config, directory, 1 + (int)rng_below(rng, 3), (RunStage){0},
                               stops < STOPS_MOST ? &stopper : NULL, outcomes);
        for (int64_t i = 0; i < config.runs; i++)
            run_outcome_free(&outcomes[i]);
        run_config_free(&config);
    }
    return stops;
}

// Goes on stage by stage; each ends, and only the last is the end of all.
static inline void run_in_stages(const char *words, const char *name, uint32_t count) {
    char directory[TESTING_PATH];
    RunConfig config;
    RunOutcome outcomes[8];
    testing_path(directory, name);
    configure(&config, words);
    assert_int_equal(run_begin(directory, &config), OK);
    for (uint32_t i = 1; i <= count; i++) {
        const bool is_finished =
            run_some(&config, directory, 2, (RunStage){i, count}, NULL, outcomes);
        assert_true(is_finished == (i == count));
        for (int64_t run = 0; run < config.runs; run++)
            run_outcome_free(&outcomes[run]);
    }
    run_config_free(&config);
}

static inline void read_at(const char *directory, const char *name, Str *out) {
    char path[TESTING_PATH];
    snprintf(path, sizeof path, "%s/%s/%s", testing_directory, directory, name);
    str_clear(out);
    if (file_read(path, 1 << 24, out) != OK)
        fail_msg("%s", error_message());
}

static inline bool is_same_file(const char *a, const char *b, const char *name) {
    Str first = {0}, second = {0};
    read_at(a, name, &first);
    read_at(b, name, &second);
    const bool same = first.length == second.length &&
                      memcmp(str_text(&first), str_text(&second), first.length) == 0;
    str_free(&first);
    str_free(&second);
    return same;
}

static inline void assert_same_run(const char *a, const char *b) {
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (!is_same_file(a, b, files[i]))
            fail_msg("%s and %s differ in %s", a, b, files[i]);
}

// For cmocka's group: the scratch directory, and sets to learn from.
static inline int running_set_up(void **state) {
    const int failed = testing_set_up(state);
    mentoring_write(training, "training.epd", 200, 50, 1);
    mentoring_write(test, "test.epd", 100, 50, 2);
    return failed;
}

static inline Problem *create_problem(const char *words, RunConfig *config, DistPool *pool) {
    Problem *problem;
    configure(config, words);
    if (problem_create(&problem, config, pool) != OK)
        fail_msg("%s", error_message());
    return problem;
}
