// SPDX-License-Identifier: GPL-3.0-or-later
// Runs that are there already: those that can go on end with the same bytes, and the others are
// refused.
#include "run/files/checkpoint.h"
#include "running.h"

#include <sys/stat.h>

// For tests that need a run which is not over at once.
static const char long_words[] = "algorithm ga population 24 generations 400 seed 5";

// Opens a run, and tries to go on with it.
static Status try_run_saving(const char *name, bool from_previous, int64_t checkpoint_every_ns) {
    char directory[TESTING_PATH];
    RunConfig config;
    RunOutcome outcome = {0};
    DistPool *pool = dist_pool_new(1);
    Problem *problem = NULL;
    testing_path(directory, name);
    run_config_init(&config);
    Status status = run_open(directory, &config);
    const RunFiles run_files = {.directory = directory,
                                .from_previous = from_previous,
                                .checkpoint_every_ns = checkpoint_every_ns};
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

static Status try_run(const char *name, bool from_previous) {
    return try_run_saving(name, from_previous, 0);
}

static bool stop_twice(const RunConfig *config, const char *directory) {
    bool is_finished = false;
    if (run_begin(directory, config) != OK)
        fail_msg("%s", error_message());
    while (!is_finished && !checkpoint_exists(directory, true)) {
        Stopper stopper = {.after_us = 1000};
        RunOutcome outcome;
        is_finished = run_some(config, directory, 1, (RunStage){0}, &stopper, &outcome);
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
    testing_write(left, "left/checkpoint.falconer-ab3xy7.tmp", "half", 4);
    testing_write(kept, "left/checkpoint.backup", "mine", 4);
    assert_int_equal(try_run("left", false), OK);
    assert_int_not_equal(access(left, F_OK), 0);
    assert_int_equal(access(kept, F_OK), 0);
    assert_same_run("left", "long");
}

static void test_files_of_others_stay(void **state) {
    (void)state;
    static const char *const names[] = {"best.weights", "log.jsonl", "report.txt", "population.csv",
                                        "front-03.weights"};
    char directory[TESTING_PATH], path[TESTING_PATH];
    Str text = {0};
    RunConfig config;
    configure(&config, "runs 2");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (int is_inside = 0; is_inside < 2; is_inside++) {
            char name[96];
            snprintf(name, sizeof name, "mine-%zu-%d", i, is_inside);
            testing_path(directory, name);
            assert_int_equal(mkdir(directory, 0777), 0);
            snprintf(name, sizeof name, "mine-%zu-%d/run-02", i, is_inside);
            testing_path(path, name);
            assert_int_equal(mkdir(path, 0777), 0);
            snprintf(name, sizeof name, "mine-%zu-%d/%s%s", i, is_inside,
                     is_inside ? "run-02/" : "", names[i]);
            testing_write(path, name, "mine", 4);
            assert_int_equal(run_begin(directory, &config), ERR_ARG);
            assert_message(names[i]);
            assert_message("which a new run (there is no config.ini) would write over");
            str_clear(&text);
            assert_int_equal(file_read(path, 100, &text), OK);
            assert_string_equal(str_text(&text), "mine");
        }
    str_free(&text);
    run_config_free(&config);
}

static void test_a_log_that_goes_on_with_something_else(void **state) {
    (void)state;
    static const char *const notes[] = {"my notes", "my notes\n", "{\"generation\":"};
    char path[TESTING_PATH];
    Str text = {0}, before = {0};
    begin_and_stop_twice("noted");
    testing_path(path, "noted/log.jsonl");
    assert_int_equal(file_read(path, 1 << 20, &before), OK);
    for (int i = 0; i < 3; i++) {
        str_clear(&text);
        str_append(&text, before.text, before.length);
        str_add(&text, notes[i]);
        assert_int_equal(file_write(path, text.text, text.length), OK);
        if (i == 2)
            break;
        assert_int_equal(try_run("noted", false), ERR_PARSE);
        assert_message("noted/log.jsonl: what is behind byte ");
        str_clear(&text);
        assert_int_equal(file_read(path, 1 << 20, &text), OK);
        assert_int_equal(text.length, before.length + strlen(notes[i]));
    }
    // The beginning of a line is what a kill leaves.
    assert_int_equal(try_run("noted", false), OK);
    assert_same_run("noted", "long");
    str_free(&text);
    str_free(&before);
}

// As if it had been killed after its last generation, with a checkpoint due after each.
static void test_a_run_that_failed_at_its_very_end(void **state) {
    (void)state;
    char directory[TESTING_PATH], path[TESTING_PATH];
    static const char words[] = "algorithm ga population 24 generations 12";
    RunConfig config;
    run_whole(words, "end-whole", 1);
    testing_path(directory, "end");
    configure(&config, words);
    assert_int_equal(run_begin(directory, &config), OK);
    run_config_free(&config);
    testing_path(path, "end/best.weights");
    assert_int_equal(mkdir(path, 0777), 0);
    assert_int_equal(try_run_saving("end", false, 1), ERR_IO);
    assert_message("end/best.weights: is a directory");
    assert_true(checkpoint_exists(directory, true));
    testing_path(path, "end/population.csv");
    assert_int_equal(access(path, F_OK), 0);
    testing_path(path, "end/best.weights");
    assert_int_equal(rmdir(path), 0);
    assert_int_equal(try_run("end", false), OK);
    assert_same_run("end", "end-whole");
}

static int set_up(void **state) {
    const int failed = running_set_up(state);
    run_whole(long_words, "long", 1);
    return failed;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_damaged_checkpoint_and_the_one_before),
        cmocka_unit_test(test_previous_is_not_for_good_checkpoints),
        cmocka_unit_test(test_a_checkpoint_that_is_gone),
        cmocka_unit_test(test_other_data_or_settings_are_refused),
        cmocka_unit_test(test_a_log_that_was_cut),
        cmocka_unit_test(test_one_process_at_a_time),
        cmocka_unit_test(test_what_a_kill_leaves_is_removed),
        cmocka_unit_test(test_files_of_others_stay),
        cmocka_unit_test(test_a_log_that_goes_on_with_something_else),
        cmocka_unit_test(test_a_run_that_failed_at_its_very_end),
    };
    return cmocka_run_group_tests(tests, set_up, testing_tear_down);
}
