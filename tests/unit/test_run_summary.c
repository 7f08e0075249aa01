// SPDX-License-Identifier: GPL-3.0-or-later
// What is read back from the files of a run: its last generation, and how it went.
#include "base/file.h"
#include "run/files/population_file.h"
#include "run/files/run_log.h"
#include "run/run_summary.h"
#include "running.h"

#include <math.h>

enum { WIDTH = 5, ORGANISMS_MOST = 40 };

// --- population.csv ---

static const EvolveParameter parameters[WIDTH] = {{"FIXED", 100, 100, 0},
                                                  {"SMALL", -0.5, 0.5, 0},
                                                  {"LARGE", -1e9, 1e9, 0},
                                                  {"LOW", -100, 0, 0},
                                                  {"HIGH", 0, 1e-9, 0}};
static const EvolveSpace space = {parameters, WIDTH, EVOLVE_REAL, false};

static void test_a_population_comes_back_bit_for_bit(void **state) {
    (void)state;
    for (uint32_t round = 0; round < 50; round++) {
        double organisms[ORGANISMS_MOST * WIDTH], figures[ORGANISMS_MOST], *back;
        Rng rng = rng_at(1, round, 0, 0);
        const size_t count = 1 + rng_below(&rng, ORGANISMS_MOST);
        size_t back_count;
        for (size_t i = 0; i < count; i++) {
            space_randomize(&space, &rng, organisms + i * WIDTH);
            figures[i] = rng_real(&rng);
        }
        assert_int_equal(population_write(testing_directory, &space, "match", organisms,
                                          round % 2 == 0 ? figures : NULL, count),
                         OK);
        if (population_read(testing_directory, &space, &back, &back_count) != OK)
            fail_msg("%s", error_message());
        assert_int_equal(back_count, count);
        assert_memory_equal(back, organisms, count * WIDTH * sizeof *back);
        free(back);
    }
}

// Whatever the figures, no organism that was left is better than one that was taken, and those that
// were taken come in order.
static void test_the_best_of_a_population(void **state) {
    (void)state;
    for (uint32_t round = 0; round < 50; round++) {
        double organisms[ORGANISMS_MOST * WIDTH], figures[ORGANISMS_MOST], *best;
        Rng rng = rng_at(2, round, 0, 0);
        const size_t count = 1 + rng_below(&rng, ORGANISMS_MOST), most = 1 + rng_below(&rng, 12);
        const bool is_error = round % 2 == 0;
        size_t best_count;
        for (size_t i = 0; i < count; i++) {
            space_randomize(&space, &rng, organisms + i * WIDTH);
            figures[i] = rng_below(&rng, 8); // many are equal
        }
        assert_int_equal(population_write(testing_directory, &space, is_error ? "error" : "match",
                                          organisms, figures, count),
                         OK);
        assert_int_equal(population_read_best(testing_directory, &space, most, &best, &best_count),
                         OK);
        assert_int_equal(best_count, most < count ? most : count);
        bool is_taken[ORGANISMS_MOST] = {false};
        for (size_t rank = 0; rank < best_count; rank++) {
            size_t expected = count;
            for (size_t i = 0; i < count; i++)
                if (!is_taken[i] &&
                    (expected == count ||
                     (is_error ? figures[i] < figures[expected] : figures[i] > figures[expected])))
                    expected = i;
            is_taken[expected] = true;
            assert_memory_equal(best + rank * WIDTH, organisms + expected * WIDTH,
                                WIDTH * sizeof *best);
        }
        free(best);
    }
    double organism[WIDTH], *best;
    size_t count;
    Rng rng = rng_at(3, 0, 0, 0);
    space_randomize(&space, &rng, organism);
    assert_int_equal(population_write(testing_directory, &space, "match", organism, NULL, 1), OK);
    assert_int_equal(population_read_best(testing_directory, &space, 1, &best, &count), ERR_PARSE);
    assert_message("no figures");
}

static void test_a_bad_population_is_refused_with_its_line(void **state) {
    (void)state;
    static const char head[] = "organism,match,FIXED,SMALL,LARGE,LOW,HIGH\n0,1.0,100,0,0,0,0\n";
    static const char *const cases[][2] = {
        {"organism,match,FIXED,SMALL,LARGE,LOW\n", ":1: no column HIGH"},
        {"organism,match,FIXED,LARGE,SMALL,LOW,HIGH\n", ":1: no column SMALL"},
        {"organism,match,FIXED,SMALL,LARGE,LOW,HIGH,MORE\n", ":1: more columns"},
        {"organism,match,FIXED,SMALL,LARGE,LOW,HIGH\n", ": there is no organism"},
        {"1,1.0,100,0,0,0", ":3: '' is no value of HIGH"},
        {"1,1.0,100,0,0,1,0", ":3: '1' is no value of LOW"},
        {"1,1.0,100,nan,0,0,0", ":3: 'nan' is no value of SMALL"},
        {"1,1.0,100,0,0x,0,0", ":3: '0x' is no value of LARGE"},
        {"1,1.0,100,0,0,0,0,7", ":3: more values"},
        {",", ":3: '' is no value of FIXED"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char path[TESTING_PATH], text[512];
        double *organisms;
        size_t count;
        const bool is_body = strstr(cases[i][1], ":3:") != NULL;
        snprintf(text, sizeof text, "%s%s", is_body ? head : "", cases[i][0]);
        testing_write(path, "population.csv", text, strlen(text));
        assert_int_equal(population_read(testing_directory, &space, &organisms, &count), ERR_PARSE);
        assert_message(cases[i][1]);
        assert_null(organisms);
    }
    double *organisms;
    size_t count;
    assert_int_equal(population_read("/no/such", &space, &organisms, &count), ERR_IO);
}

// --- the summary of a run ---

// The first and the last line that were logged, and the mean of the population that was written.
static void check_summary(Problem *problem, const char *directory, const RunSummary *run) {
    double *organisms, sum = 0;
    size_t count;
    assert_int_equal(run->first.generation, 0);
    assert_int_equal(run->last.generation, 12);
    assert_true(run->first.best <= run->first.mean && run->last.best <= run->last.mean);
    assert_true(run->last.best < run->first.best);
    assert_true(run->seconds >= 0);
    assert_int_equal(population_read(directory, problem_space(problem), &organisms, &count), OK);
    assert_int_equal(count, 24);
    for (size_t i = 0; i < count; i++) {
        int64_t score;
        assert_int_equal(problem_judge(problem, SET_TEST,
                                       organisms + i * problem_space(problem)->count, 1, &score),
                         OK);
        sum += problem_figure(problem, (double)score, problem_size(problem, SET_TEST));
    }
    assert_true(fabs(sum / (double)count - run->test_mean) < 1e-9);
    free(organisms);
}

static void test_the_summary_is_what_the_files_say(void **state) {
    (void)state;
    static const char *const words[] = {
        "algorithm ga population 24 generations 12 seed 3 sample 0 runs 2",
        "algorithm halves population 24 generations 12 seed 3 sample 0 chromosome real runs 2"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        char name[32], directory[TESTING_PATH];
        RunConfig config;
        Problem *problem;
        DistPool *pool = dist_pool_new(1);
        snprintf(name, sizeof name, "summary-%zu", i);
        run_whole(words[i], name, 1);
        configure(&config, words[i]);
        assert_int_equal(problem_create(&problem, &config, pool), OK);
        for (int run = 1; run <= 2; run++) {
            RunSummary summary;
            snprintf(directory, sizeof directory, "%s/%s/run-%02d", testing_directory, name, run);
            if (run_summary_read(&summary, directory, problem) != OK)
                fail_msg("%s", error_message());
            check_summary(problem, directory, &summary);
        }
        problem_destroy(problem);
        run_config_free(&config);
        dist_pool_free(pool);
    }
}

static void test_a_log_that_cannot_be_read_is_told(void **state) {
    (void)state;
    char path[TESTING_PATH];
    RunConfig config;
    Problem *problem;
    RunSummary summary;
    DistPool *pool = dist_pool_new(1);
    configure(&config, "algorithm ga");
    assert_int_equal(problem_create(&problem, &config, pool), OK);
    testing_write(path, "log.jsonl", "{}\n", 3);
    assert_int_equal(run_summary_read(&summary, testing_directory, problem), ERR_PARSE);
    assert_message("log.jsonl:1: no line of a run's log");
    static const char line[] = "{\"generation\":0,\"best\":1,\"diversity\":0}\n";
    testing_write(path, "log.jsonl", line, sizeof line - 1);
    testing_write(path, "timings.csv", "generation\n", 11);
    assert_int_equal(run_summary_read(&summary, testing_directory, problem), ERR_PARSE);
    assert_message("timings.csv: no timings");
    unlink(path);
    problem_destroy(problem);
    run_config_free(&config);
    dist_pool_free(pool);
}

// --- what disks and kills do to the files ---

static void add_generations(uint64_t length, uint32_t first, uint32_t count, uint64_t *written) {
    RunLog log;
    if (run_log_open(&log, testing_directory, length) != OK)
        fail_msg("%s", error_message());
    const char *names[] = {"PAWN_VALUE", "KNIGHT_VALUE"};
    const double means[] = {100, 312.25}, deviations[] = {0.5, 7};
    const RunLogSpread spread = {2, names, means, deviations};
    for (uint32_t i = first; i < first + count; i++) {
        const RunLogLine line = {.generation = i,
                                 .evaluations = 100 * (i + 1),
                                 .best = i % 2 == 0 ? 61.5 - i : (double)NAN,
                                 .median = 70,
                                 .mean = 71.25,
                                 .worst = 90,
                                 .held_out = i == 0 ? (double)NAN : 65,
                                 .diversity = 0.25 / (i + 1),
                                 .draws = i % 2 == 0 ? (double)NAN : 12.5,
                                 .plies = 80.25,
                                 .unchanged = i % 2 == 0 ? (double)NAN : 3,
                                 .from_start = 7,
                                 .start_unchanged = 1,
                                 .spread = i % 2 == 0 ? NULL : &spread};
        assert_int_equal(run_log_add(&log, &line), OK);
    }
    *written = run_log_length(&log);
    assert_int_equal(run_log_close(&log), OK);
}

static void count_line(void *context, size_t index, const RunLogLine *line) {
    assert_int_equal(index, line->generation);
    const bool has_games = line->generation % 2 != 0 && line->draws == 12.5;
    assert_true(has_games ? line->plies == 80.25 : isnan(line->plies));
    assert_true(has_games
                    ? line->unchanged == 3 && line->from_start == 7 && line->start_unchanged == 1
                    : isnan(line->start_unchanged));
    ++*(size_t *)context;
}

static void test_every_flipped_bit_of_a_log_is_told(void **state) {
    (void)state;
    char path[TESTING_PATH];
    uint64_t length;
    size_t count = 0;
    Str text = {0};
    testing_path(path, "log.jsonl");
    unlink(path);
    add_generations(0, 0, 4, &length);
    assert_int_equal(run_log_each(testing_directory, count_line, &count), OK);
    assert_int_equal(count, 4);
    assert_int_equal(file_read(path, 1 << 20, &text), OK);
    for (size_t bit = 0; bit < 8 * text.length; bit++) {
        text.text[bit / 8] ^= (char)(1 << bit % 8);
        testing_write(path, "log.jsonl", text.text, text.length);
        if (run_log_each(testing_directory, count_line, &count) != ERR_PARSE)
            fail_msg("bit %zu of byte %zu was not missed", bit % 8, bit / 8);
        assert_message("log.jsonl:");
        text.text[bit / 8] ^= (char)(1 << bit % 8);
    }
    str_free(&text);
}

// Version 0.1.0 wrote no checksums; such a run may go on.
static void test_a_log_without_checksums_is_read(void **state) {
    (void)state;
    static const char old[] = "{\"generation\":0,\"evaluations\":9,\"best\":1,\"diversity\":0.5}\n";
    char path[TESTING_PATH];
    uint64_t length;
    size_t count = 0;
    testing_write(path, "log.jsonl", old, sizeof old - 1);
    add_generations(sizeof old - 1, 1, 3, &length);
    assert_int_equal(run_log_each(testing_directory, count_line, &count), OK);
    assert_int_equal(count, 4);
}

static void test_numbers_that_no_run_writes_are_refused(void **state) {
    (void)state;
    static const char *const lines[] = {
        "{\"generation\":0,\"evaluations\":9,\"best\":1e999,\"diversity\":0.5}",
        "{\"generation\":0,\"evaluations\":9,\"best\":x,\"diversity\":0.5}",
        "{\"generation\":0,\"evaluations\":-9,\"best\":1,\"diversity\":0.5}",
        "{\"generation\":1e300,\"evaluations\":9,\"best\":1,\"diversity\":0.5}",
        "{\"generation\":0,\"evaluations\":9,\"best\":1,\"diversity\":inf}",
    };
    RunLogLine line;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        assert_int_equal(run_log_parse(lines[i], &line), ERR_PARSE);
}

static void test_times_of_all_starts_add_up(void **state) {
    (void)state;
    char path[TESTING_PATH];
    uint64_t length;
    double seconds;
    static const char before[] = "generation,seconds\n0,70.000000\n1,100.500000\n2,140";
    testing_path(path, "log.jsonl");
    unlink(path);
    // Killed while it wrote the third time.
    testing_write(path, "timings.csv", before, sizeof before - 1);
    assert_int_equal(run_log_seconds(testing_directory, &seconds), OK);
    assert_true(seconds == 100.5);
    add_generations(0, 0, 1, &length);
    assert_int_equal(run_log_seconds(testing_directory, &seconds), OK);
    assert_true(seconds > 100.5);
    double more = seconds;
    add_generations(length, 1, 2, &length);
    assert_int_equal(run_log_seconds(testing_directory, &more), OK);
    assert_true(more > seconds);
    // Killed at its beginning.
    testing_write(path, "timings.csv", before, 7);
    add_generations(0, 0, 1, &length);
    assert_int_equal(run_log_seconds(testing_directory, &seconds), OK);
    assert_true(seconds >= 0);
    testing_write(path, "timings.csv", "mine\n", 5);
    RunLog log;
    assert_int_equal(run_log_open(&log, testing_directory, 0), ERR_PARSE);
    assert_message("timings.csv: no timings of a run");
    assert_int_equal(run_log_close(&log), OK);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_population_comes_back_bit_for_bit),
        cmocka_unit_test(test_the_best_of_a_population),
        cmocka_unit_test(test_a_bad_population_is_refused_with_its_line),
        cmocka_unit_test(test_the_summary_is_what_the_files_say),
        cmocka_unit_test(test_a_log_that_cannot_be_read_is_told),
        cmocka_unit_test(test_every_flipped_bit_of_a_log_is_told),
        cmocka_unit_test(test_a_log_without_checksums_is_read),
        cmocka_unit_test(test_numbers_that_no_run_writes_are_refused),
        cmocka_unit_test(test_times_of_all_starts_add_up),
    };
    return cmocka_run_group_tests(tests, running_set_up, testing_tear_down);
}
