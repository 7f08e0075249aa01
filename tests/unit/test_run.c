// SPDX-License-Identifier: GPL-3.0-or-later
// Runs of evolution on disk: the same bytes on any number of threads, and however often a run is
// stopped and goes on.
#include "study/run.h"

#include "mentoring.h"
#include "study/checkpoint.h"

#include <pthread.h>
#include <sys/stat.h>

static const char *const algorithms[] = {"ga", "memetic", "halves", "de", "cmaes"};
enum { ALGORITHMS = sizeof algorithms / sizeof *algorithms, STOPS_MOST = 60 };
// All that is told of a run but its timings.
static const char *const files[] = {"config.ini", "log.jsonl", "population.csv", "best.weights",
                                    "checkpoint"};

// For tests that need a run which is not over at once.
static const char long_words[] = "algorithm ga population 24 generations 400 seed 5";

static char training[TESTING_PATH], test[TESTING_PATH];

// Tells a run to stop after a while, as a user would.
typedef struct Stopper {
    atomic_bool stop;
    useconds_t after_us;
} Stopper;

static void *stop_later(void *context) {
    Stopper *stopper = context;
    usleep(stopper->after_us);
    atomic_store(&stopper->stop, true);
    return NULL;
}

static void configure(RunConfig *config, const char *words) {
    char more[2 * TESTING_PATH + 64];
    run_config_init(config);
    snprintf(more, sizeof more, "data %s test %s sample 60", training, test);
    mentoring_set(config, more);
    mentoring_set(config, words);
}

// Begins or goes on; `stopper` may be NULL. True when all runs are finished.
static bool run_some(const RunConfig *config, const char *directory, int threads, Stopper *stopper,
                     RunOutcome *outcomes) {
    DistPool *pool = dist_pool_new(threads);
    Problem *problem;
    pthread_t thread;
    const RunFiles run_files = {.directory = directory,
                                .stop = stopper == NULL ? NULL : &stopper->stop};
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

static void run_whole(const char *words, const char *name, int threads) {
    char directory[TESTING_PATH];
    RunConfig config;
    RunOutcome outcomes[8];
    testing_path(directory, name);
    configure(&config, words);
    if (run_begin(directory, &config) != OK)
        fail_msg("%s", error_message());
    assert_true(run_some(&config, directory, threads, NULL, outcomes));
    for (int64_t i = 0; i < config.runs; i++)
        run_outcome_free(&outcomes[i]);
    run_config_free(&config);
}

// Stops and goes on until it is finished; how often it was stopped.
static int run_in_pieces(const char *words, const char *name, Rng *rng) {
    char directory[TESTING_PATH];
    RunConfig config;
    RunOutcome outcomes[8];
    int stops = 0;
    testing_path(directory, name);
    configure(&config, words);
    assert_int_equal(run_begin(directory, &config), OK);
    run_config_free(&config);
    for (bool is_finished = false; !is_finished; stops += !is_finished) {
        Stopper stopper = {.after_us = rng_below(rng, 4000)};
        run_config_init(&config);
        assert_int_equal(run_open(directory, &config), OK);
        is_finished = run_some(&config, directory, 1 + (int)rng_below(rng, 3),
                               stops < STOPS_MOST ? &stopper : NULL, outcomes);
        for (int64_t i = 0; i < config.runs; i++)
            run_outcome_free(&outcomes[i]);
        run_config_free(&config);
    }
    return stops;
}

static void read_at(const char *directory, const char *name, Str *out) {
    char path[TESTING_PATH];
    snprintf(path, sizeof path, "%s/%s/%s", testing_directory, directory, name);
    str_clear(out);
    if (file_read(path, 1 << 24, out) != OK)
        fail_msg("%s", error_message());
}

static bool is_same_file(const char *a, const char *b, const char *name) {
    Str first = {0}, second = {0};
    read_at(a, name, &first);
    read_at(b, name, &second);
    const bool same = first.length == second.length &&
                      memcmp(str_text(&first), str_text(&second), first.length) == 0;
    str_free(&first);
    str_free(&second);
    return same;
}

static void assert_same_run(const char *a, const char *b) {
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (!is_same_file(a, b, files[i]))
            fail_msg("%s and %s differ in %s", a, b, files[i]);
}

static void write_words(char *out, size_t size, const char *algorithm) {
    snprintf(out, size, "algorithm %s population 24 generations 40 seed 5", algorithm);
}

// --- properties ---

static void test_threads_change_no_byte(void **state) {
    (void)state;
    for (size_t i = 0; i < ALGORITHMS; i++) {
        char words[256], one[64], other[64];
        write_words(words, sizeof words, algorithms[i]);
        snprintf(one, sizeof one, "%s-1", algorithms[i]);
        run_whole(words, one, 1);
        for (int threads = 2; threads <= 7; threads += 5) {
            snprintf(other, sizeof other, "%s-%d", algorithms[i], threads);
            run_whole(words, other, threads);
            assert_same_run(one, other);
        }
    }
}

static void test_stopping_and_going_on_change_no_byte(void **state) {
    (void)state;
    Rng rng = rng_at((uint64_t)getpid(), 0, 0, 0); // other moments each time
    int stops = 0;
    for (size_t i = 0; i < ALGORITHMS; i++) {
        char words[256], whole[64], pieces[64];
        write_words(words, sizeof words, algorithms[i]);
        snprintf(whole, sizeof whole, "%s-1", algorithms[i]);
        snprintf(pieces, sizeof pieces, "%s-pieces", algorithms[i]);
        stops += run_in_pieces(words, pieces, &rng);
        assert_same_run(whole, pieces);
    }
    assert_true(stops > 0);
}

static void test_several_runs_are_stopped_anywhere_too(void **state) {
    (void)state;
    Rng rng = rng_at((uint64_t)getpid(), 1, 0, 0);
    static const char words[] = "algorithm ga population 24 generations 30 seed 5 runs 3 tempo yes "
                                "quiet-only yes sample 20";
    run_whole(words, "three", 2);
    (void)run_in_pieces(words, "three-pieces", &rng);
    assert_true(is_same_file("three", "three-pieces", "config.ini"));
    for (int run = 1; run <= 3; run++)
        for (size_t i = 1; i < sizeof files / sizeof *files; i++) {
            char name[64];
            snprintf(name, sizeof name, "run-%02d/%s", run, files[i]);
            if (!is_same_file("three", "three-pieces", name))
                fail_msg("%s differs", name);
        }
    // Runs of one seed are different runs, and the first is the one of a run alone.
    assert_false(is_same_file("three", "three", "run-01/log.jsonl") &&
                 is_same_file("three/run-01", "three/run-02", "log.jsonl"));
    run_whole("algorithm ga population 24 generations 30 seed 5 tempo yes quiet-only yes sample 20",
              "alone", 1);
    assert_true(is_same_file("alone", "three/run-01", "log.jsonl"));
}

static void test_the_log_has_a_line_for_each_generation(void **state) {
    (void)state;
    Str text = {0};
    size_t lines = 0;
    read_at("ga-1", "log.jsonl", &text);
    for (size_t i = 0; i < text.length; i++)
        lines += text.text[i] == '\n';
    assert_int_equal(lines, 41);
    assert_non_null(strstr(str_text(&text), "{\"generation\":40,"));
    assert_non_null(strstr(str_text(&text), "\"test\":"));
    str_free(&text);
}

// --- a run that is there already ---

static void test_a_finished_run_is_not_run_again(void **state) {
    (void)state;
    char directory[TESTING_PATH], path[TESTING_PATH + 16];
    RunConfig config;
    RunOutcome outcome;
    Str text = {0};
    testing_path(directory, "ga-2");
    snprintf(path, sizeof path, "%s/log.jsonl", directory);
    assert_int_equal(file_write(path, "touched", 7), OK);
    run_config_init(&config);
    assert_int_equal(run_open(directory, &config), OK);
    assert_true(run_some(&config, directory, 1, NULL, &outcome));
    assert_int_equal(outcome.generation, 41);
    assert_true(outcome.training_error > 0 && outcome.test_error > 0);
    read_at("ga-2", "log.jsonl", &text);
    assert_string_equal(str_text(&text), "touched");
    assert_int_equal(run_begin(directory, &config), ERR_ARG);
    assert_message("holds a run already");
    assert_message("--resume");
    str_free(&text);
    run_outcome_free(&outcome);
    run_config_free(&config);
}

// Opens a run, and tries to go on with it.
static Status try_run(const char *name, bool from_previous) {
    char directory[TESTING_PATH];
    RunConfig config;
    RunOutcome outcome = {0};
    DistPool *pool = dist_pool_new(1);
    Problem *problem = NULL;
    testing_path(directory, name);
    run_config_init(&config);
    Status status = run_open(directory, &config);
    const RunFiles run_files = {.directory = directory, .from_previous = from_previous};
    if (status == OK)
        status = problem_create(&problem, &config, pool);
    if (status == OK)
        status = run_all(problem, &config, &run_files, &outcome);
    run_outcome_free(&outcome);
    problem_destroy(problem);
    dist_pool_free(pool);
    run_config_free(&config);
    return status;
}

static bool stop_twice(const RunConfig *config, const char *directory) {
    bool is_finished = false;
    if (run_begin(directory, config) != OK)
        fail_msg("%s", error_message());
    while (!is_finished && !checkpoint_exists(directory, true)) {
        Stopper stopper = {.after_us = 1000};
        RunOutcome outcome;
        is_finished = run_some(config, directory, 1, &stopper, &outcome);
        run_outcome_free(&outcome);
    }
    return !is_finished;
}

// A run with two checkpoints, neither of them its last. Where the machine was so busy that the run
// went on to its end, once more.
static void begin_and_stop_twice(const char *name) {
    char directory[TESTING_PATH], command[TESTING_PATH + 16];
    RunConfig config;
    testing_path(directory, name);
    snprintf(command, sizeof command, "rm -rf '%s'", directory);
    configure(&config, long_words);
    while (!stop_twice(&config, directory))
        assert_int_equal(system(command), 0);
    run_config_free(&config);
}

static void damage(const char *directory, const char *name) {
    char path[TESTING_PATH];
    Str bytes = {0};
    read_at(directory, name, &bytes);
    bytes.text[bytes.length / 2] ^= 4;
    snprintf(path, sizeof path, "%s/%s/%s", testing_directory, directory, name);
    assert_int_equal(file_write(path, bytes.text, bytes.length), OK);
    str_free(&bytes);
}

static void test_a_damaged_checkpoint_and_the_one_before(void **state) {
    (void)state;
    begin_and_stop_twice("damaged");
    damage("damaged", "checkpoint");
    assert_int_equal(try_run("damaged", false), ERR_PARSE);
    assert_message(
        "damaged/checkpoint: damaged: its checksum is wrong; the checkpoint before it is "
        "of generation ");
    assert_message("--previous");
    assert_int_equal(try_run("damaged", true), OK);
    assert_same_run("damaged", "long");

    begin_and_stop_twice("hopeless");
    damage("hopeless", "checkpoint");
    damage("hopeless", "checkpoint.previous");
    assert_int_equal(try_run("hopeless", false), ERR_PARSE);
    assert_message("hopeless/checkpoint: damaged");
    assert_int_equal(try_run("hopeless", true), ERR_PARSE);
}

static void test_previous_is_not_for_good_checkpoints(void **state) {
    (void)state;
    begin_and_stop_twice("good");
    assert_int_equal(try_run("good", true), OK);
    assert_same_run("good", "long");
}

static void test_a_checkpoint_that_is_gone(void **state) {
    (void)state;
    char path[TESTING_PATH];
    begin_and_stop_twice("gone");
    testing_path(path, "gone/checkpoint");
    assert_int_equal(unlink(path), 0);
    assert_int_equal(try_run("gone", false), ERR_IO);
    assert_message("--previous");
    assert_int_equal(try_run("gone", true), OK);
    assert_same_run("gone", "long");
}

static void test_other_data_or_settings_are_refused(void **state) {
    (void)state;
    char path[TESTING_PATH];
    Str text = {0}, other = {0};
    begin_and_stop_twice("other");
    assert_int_equal(file_read(training, 1 << 24, &text), OK);
    str_append(&other, text.text, text.length);
    str_add(&other, "4k3/8/8/8/8/8/4P3/4K3 w - - ce 100;\n");
    assert_int_equal(file_write(training, other.text, other.length), OK);
    assert_int_equal(try_run("other", false), ERR_ARG);
    assert_message("other data or settings");
    assert_int_equal(file_write(training, text.text, text.length), OK);

    read_at("other", "config.ini", &other);
    char *at = strstr(other.text, "seed = 5");
    at[7] = '6';
    testing_path(path, "other/config.ini");
    assert_int_equal(file_write(path, other.text, other.length), OK);
    assert_int_equal(try_run("other", false), ERR_ARG);
    assert_message("seed 5, run 0, not seed 6");
    at[7] = '5';
    assert_int_equal(file_write(path, other.text, other.length), OK);
    assert_int_equal(try_run("other", false), OK);
    assert_same_run("other", "long");
    str_free(&text);
    str_free(&other);
}

static void test_a_log_that_was_cut(void **state) {
    (void)state;
    char path[TESTING_PATH];
    begin_and_stop_twice("cut");
    testing_path(path, "cut/log.jsonl");
    assert_int_equal(truncate(path, 10), 0);
    assert_int_equal(try_run("cut", false), ERR_PARSE);
    assert_message("log.jsonl is shorter than its checkpoint says");
}

static void test_one_process_at_a_time(void **state) {
    (void)state;
    char directory[TESTING_PATH];
    RunConfig config;
    int lock;
    begin_and_stop_twice("held");
    testing_path(directory, "held");
    assert_int_equal(run_lock(directory, &lock), OK);
    assert_int_equal(try_run("held", false), ERR_ARG);
    assert_message("held: another process is working on this run");
    configure(&config, "");
    assert_int_equal(run_begin(directory, &config), ERR_ARG);
    run_config_free(&config);
    run_unlock(lock);
    assert_int_equal(try_run("held", false), OK);
    assert_same_run("held", "long");
}

static void test_what_a_kill_leaves_is_removed(void **state) {
    (void)state;
    char left[TESTING_PATH], kept[TESTING_PATH];
    begin_and_stop_twice("left");
    testing_write(left, "left/checkpoint.aB3xY9", "half", 4);
    testing_write(kept, "left/notes.txt", "mine", 4);
    assert_int_equal(try_run("left", false), OK);
    assert_int_not_equal(access(left, F_OK), 0);
    assert_int_equal(access(kept, F_OK), 0);
    assert_same_run("left", "long");
}

static void test_a_run_that_failed_at_its_very_end(void **state) {
    (void)state;
    char path[TESTING_PATH];
    begin_and_stop_twice("end");
    testing_path(path, "end/best.weights");
    assert_int_equal(mkdir(path, 0777), 0);
    assert_int_equal(try_run("end", false), ERR_IO);
    assert_message("end/best.weights: is a directory");
    assert_int_equal(rmdir(path), 0);
    assert_int_equal(try_run("end", false), OK);
    assert_same_run("end", "long");
}

// --- directories ---

static void test_directories(void **state) {
    (void)state;
    char directory[TESTING_PATH], file[TESTING_PATH];
    RunConfig config, again;
    configure(&config, "runs 12");
    testing_path(directory, "a/b/c/");
    assert_int_equal(run_begin(directory, &config), OK);
    run_config_init(&again);
    assert_int_equal(run_open(directory, &again), OK);
    assert_int_equal(again.runs, 12);
    testing_path(directory, "a/b/c/run-12");
    assert_int_equal(access(directory, F_OK), 0);
    assert_int_equal(run_open("/no/such/run", &again), ERR_IO);
    assert_message("/no/such/run holds no run");
    testing_write(file, "plain-file", "x", 1);
    assert_int_equal(run_begin(file, &config), ERR_IO);
    assert_message("Not a directory");
    assert_int_equal(run_begin("", &config), ERR_ARG);
    run_config_free(&again);
    run_config_free(&config);
}

static void test_settings_that_cannot_work_are_told_before(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"algorithm ga selection proportional scaling raw", "scaling raw takes no negative score"},
        {"algorithm memetic neighbours 1", "neighbours must be 0 (automatic) or at least"},
        {"algorithm cmaes population 2", "population must be 0 (automatic) or at least 4"},
    };
    DistPool *pool = dist_pool_new(1);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        RunConfig config;
        Problem *problem;
        configure(&config, cases[i][0]);
        assert_int_equal(problem_create(&problem, &config, pool), OK);
        assert_int_equal(run_check(problem, &config), ERR_ARG);
        assert_message(cases[i][1]);
        problem_destroy(problem);
        run_config_free(&config);
    }
    RunConfig config;
    Problem *problem;
    configure(&config, "sample 100000");
    assert_int_equal(problem_create(&problem, &config, pool), ERR_ARG);
    assert_message("--sample 0 takes them all");
    run_config_free(&config);
    dist_pool_free(pool);
}

static int set_up(void **state) {
    const int failed = testing_set_up(state);
    mentoring_write(training, "training.epd", 200, 50, 1);
    mentoring_write(test, "test.epd", 100, 50, 2);
    run_whole(long_words, "long", 1);
    return failed;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_threads_change_no_byte),
        cmocka_unit_test(test_stopping_and_going_on_change_no_byte),
        cmocka_unit_test(test_several_runs_are_stopped_anywhere_too),
        cmocka_unit_test(test_the_log_has_a_line_for_each_generation),
        cmocka_unit_test(test_a_finished_run_is_not_run_again),
        cmocka_unit_test(test_a_damaged_checkpoint_and_the_one_before),
        cmocka_unit_test(test_previous_is_not_for_good_checkpoints),
        cmocka_unit_test(test_a_checkpoint_that_is_gone),
        cmocka_unit_test(test_other_data_or_settings_are_refused),
        cmocka_unit_test(test_a_log_that_was_cut),
        cmocka_unit_test(test_one_process_at_a_time),
        cmocka_unit_test(test_what_a_kill_leaves_is_removed),
        cmocka_unit_test(test_a_run_that_failed_at_its_very_end),
        cmocka_unit_test(test_directories),
        cmocka_unit_test(test_settings_that_cannot_work_are_told_before),
    };
    return cmocka_run_group_tests(tests, set_up, testing_tear_down);
}
