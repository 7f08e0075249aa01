// SPDX-License-Identifier: GPL-3.0-or-later
// Runs of evolution on disk: the same bytes on any number of threads, and however often a run is
// stopped and goes on.
#include "running.h"

#include "base/folder.h"

static const char *const algorithms[] = {"ga", "memetic", "halves", "de", "cmaes"};
enum { ALGORITHMS = sizeof algorithms / sizeof *algorithms };

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

static void test_stages_change_no_byte(void **state) {
    (void)state;
    for (size_t i = 0; i < ALGORITHMS; i++) {
        char words[256], whole[64], stages[64];
        write_words(words, sizeof words, algorithms[i]);
        snprintf(whole, sizeof whole, "%s-1", algorithms[i]);
        snprintf(stages, sizeof stages, "%s-stages", algorithms[i]);
        run_in_stages(words, stages, 2 + (uint32_t)i);
        assert_same_run(whole, stages);
    }
}

// A run and the data beside it go on where they are moved together.
static void test_a_folder_that_was_moved_finds_its_data(void **state) {
    (void)state;
    RunConfig config;
    CLEANUP(str_free) Str text = {0};
    char here[TESTING_PATH], there[TESTING_PATH], path[TESTING_PATH + 32], data[TESTING_PATH + 32];
    testing_path(here, "here");
    testing_path(there, "there");
    assert_int_equal(folder_create(here), OK);
    assert_int_equal(file_read(training, 1 << 20, &text), OK);
    snprintf(data, sizeof data, "%s/beside.epd", here);
    assert_int_equal(file_write(data, text.text, text.length), OK);
    configure(&config, "algorithm ga population 4 generations 2 seed 5");
    str_setf(&config.data, "%s,%s", data, training);
    snprintf(path, sizeof path, "%s/run", here);
    assert_int_equal(run_begin(path, &config), OK);
    run_config_free(&config);
    assert_int_equal(rename(here, there), 0);
    read_at("there", "run/config.ini", &text);
    assert_null(strstr(str_text(&text), here));
    run_config_init(&config);
    snprintf(path, sizeof path, "%s/run", there);
    assert_int_equal(run_open(path, &config), OK);
    char *const real = realpath(there, NULL);
    snprintf(data, sizeof data, "%s/beside.epd,", real);
    free(real);
    assert_int_equal(strncmp(str_text(&config.data), data, strlen(data)), 0);
    assert_non_null(strstr(str_text(&config.data), training));
    run_config_free(&config);
}

// Three runs, whole, stopped anywhere and in stages: the same bytes, and the first is that of a run
// alone.
static void compare_three(const char *words) {
    Rng rng = rng_at((uint64_t)getpid(), 1, 0, 0);
    char three[256], command[2 * TESTING_PATH];
    snprintf(command, sizeof command, "rm -rf '%s'/three* '%s'/alone", testing_directory,
             testing_directory);
    assert_int_equal(system(command), 0);
    snprintf(three, sizeof three, "%s runs 3", words);
    run_whole(three, "three", 2);
    (void)run_in_pieces(three, "three-pieces", &rng);
    run_in_stages(three, "three-stages", 3);
    run_in_stages(three, "three-parts", 7);
    for (size_t other = 0; other < 3; other++) {
        static const char *const others[] = {"three-pieces", "three-stages", "three-parts"};
        assert_true(is_same_file("three", others[other], "config.ini"));
        for (int run = 1; run <= 3; run++)
            for (size_t i = 1; i < sizeof files / sizeof *files; i++) {
                char name[64];
                snprintf(name, sizeof name, "run-%02d/%s", run, files[i]);
                if (!is_same_file("three", others[other], name))
                    fail_msg("%s of %s differs", name, others[other]);
            }
    }
    // Runs of one seed are different runs.
    assert_false(is_same_file("three/run-01", "three/run-02", "log.jsonl"));
    run_whole(words, "alone", 1);
    assert_true(is_same_file("alone", "three/run-01", "log.jsonl"));
    assert_true(is_same_file("alone", "three/run-01", "population.csv"));
}

static void test_several_runs_are_stopped_anywhere_too(void **state) {
    (void)state;
    compare_three(
        "algorithm ga population 24 generations 30 seed 5 tempo yes quiet-only yes sample 20");
}

// On the same positions in every generation runs are judged together; batches may differ in size.
static void test_runs_that_go_on_together_are_as_alone(void **state) {
    (void)state;
    compare_three("algorithm ga population 24 generations 30 seed 5 sample 0");
    compare_three("algorithm cmaes chromosome real population 9 generations 40 seed 2 sample 0");
}

// The second begins anew when the others are halfway, so that they end before it.
static void test_runs_that_end_early_leave_the_others_alone(void **state) {
    (void)state;
    static const char words[] = "algorithm ga population 24 generations 30 seed 5 sample 0 runs 3";
    RunConfig config;
    RunOutcome outcomes[3];
    char directory[TESTING_PATH], command[TESTING_PATH + 32];
    run_whole(words, "together", 2);
    testing_path(directory, "apart");
    configure(&config, words);
    assert_int_equal(run_begin(directory, &config), OK);
    for (uint32_t stage = 1; stage <= 2; stage++) {
        assert_int_equal(run_some(&config, directory, 2, (RunStage){stage, 2}, NULL, outcomes),
                         stage == 2);
        for (int i = 0; i < 3; i++)
            run_outcome_free(&outcomes[i]);
        snprintf(command, sizeof command, "rm -r '%s/run-02'", directory);
        if (stage == 1)
            assert_int_equal(system(command), 0);
    }
    run_config_free(&config);
    for (int run = 1; run <= 3; run++) {
        char together[32], apart[32];
        snprintf(together, sizeof together, "together/run-%02d", run);
        snprintf(apart, sizeof apart, "apart/run-%02d", run);
        for (size_t i = 1; i < sizeof files / sizeof *files; i++)
            assert_true(is_same_file(together, apart, files[i]));
    }
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
    assert_non_null(strstr(str_text(&text), "\"held_out\":"));
    str_free(&text);
}

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
    assert_true(run_some(&config, directory, 1, (RunStage){0}, NULL, &outcome));
    assert_int_equal(outcome.generation, 40);
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_threads_change_no_byte),
        cmocka_unit_test(test_stopping_and_going_on_change_no_byte),
        cmocka_unit_test(test_stages_change_no_byte),
        cmocka_unit_test(test_a_folder_that_was_moved_finds_its_data),
        cmocka_unit_test(test_several_runs_are_stopped_anywhere_too),
        cmocka_unit_test(test_runs_that_go_on_together_are_as_alone),
        cmocka_unit_test(test_runs_that_end_early_leave_the_others_alone),
        cmocka_unit_test(test_the_log_has_a_line_for_each_generation),
        cmocka_unit_test(test_a_finished_run_is_not_run_again),
        cmocka_unit_test(test_directories),
        cmocka_unit_test(test_settings_that_cannot_work_are_told_before),
    };
    return cmocka_run_group_tests(tests, running_set_up, testing_tear_down);
}
