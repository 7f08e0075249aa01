// SPDX-License-Identifier: GPL-3.0-or-later
// Whole runs with the fake engine that has number options: any number of threads, stopped and
// resumed, engines that fail.
#include "engine_tuning/engine_tune.h"
#include "tests/unit/fakes.h"
#include "tests/unit/testing.h"

#include <fcntl.h>
#include <math.h>

typedef struct Watch {
    int batches, stop_after, stop_fd;
} Watch;

static void on_batch(void *context, const TuneOutcome *so_far) {
    Watch *watch = context;
    assert_true(so_far->race_games > 0);
    if (++watch->batches == watch->stop_after)
        assert_int_equal(write(watch->stop_fd, "x", 1), 1);
}

static TuneConfig make_config(const char *mode) {
    TuneConfig config = tune_config_init();
    config.spec = fake_spec_of("fake_tunable", mode, "depth=1");
    config.engine = strdup("cmd=fake");
    assert_int_equal(tune_options_add(&config.options, "A:0:100:5:20"), OK);
    assert_int_equal(tune_options_add(&config.options, "B:0:100:5:80"), OK);
    str_add(&config.openings, "tests/data/openings.epd");
    config.seed = 4;
    config.games = 64;
    config.verdict_games = 4;
    config.seats = 8;
    return config;
}

// Runs in a folder of that name; stops after some batches where `watch` says so.
static Status run(const TuneConfig *config, const char *name, int concurrency, Watch *watch,
                  TuneOutcome *out) {
    char path[TESTING_PATH];
    int fds[2];
    assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
    watch->stop_fd = fds[1];
    testing_path(path, name);
    const TuneFiles files = {path, concurrency, fds[0], NULL};
    const TuneEvents events = {watch, on_batch};
    const Status status = engine_tune_run(config, &files, &events, out);
    close(fds[0]);
    close(fds[1]);
    assert_no_process();
    return status;
}

static void begin(const TuneConfig *config, const char *name) {
    char path[TESTING_PATH];
    testing_path(path, name);
    assert_int_equal(engine_tune_begin(config, path), OK);
}

static void read_games(const char *name, Str *out) {
    char path[TESTING_PATH];
    testing_path(path, name);
    strncat(path, "/games.jsonl", sizeof path - strlen(path) - 1);
    assert_int_equal(file_read(path, 1 << 24, out), OK);
}

// The way of the values has a row for each round, and ends where the run did; strength is told over
// each option and their pair.
static void check_landscape(const TuneConfig *config, const TuneOutcome *outcome) {
    const TuneLandscape *land = &outcome->landscape;
    assert_int_equal(land->size, 2);
    assert_int_equal(land->rounds, 64 / 8);
    assert_true(land->games[0] == 8 && land->games[land->rounds - 1] == 64);
    assert_int_equal(land->map_count, 1);
    assert_true(land->order[0] != land->order[1] &&
                land->slices[land->order[0]].span >= land->slices[land->order[1]].span);
    for (size_t i = 0; i < 2; i++) {
        const TuneSlice *slice = &land->slices[i];
        assert_true(slice->values[0] <= outcome->best[i] &&
                    slice->values[TUNE_SLICE_POINTS - 1] >= outcome->best[i]);
        for (size_t k = 0; k < TUNE_SLICE_POINTS; k++)
            assert_true(isfinite(slice->elo[k]) && slice->deviations[k] >= 0);
        if (config->method == TUNE_BY_RACE)
            assert_memory_equal(&land->path[2 * (land->rounds - 1) + i], &outcome->best[i],
                                sizeof(double));
    }
    Report *page = tune_outcome_report(config, outcome);
    Str html = {0};
    report_write_html(page, &html);
    assert_non_null(strstr(str_text(&html), "Line chart: Values over games"));
    assert_non_null(strstr(str_text(&html), "Contour map: "));
    assert_non_null(strstr(str_text(&html), "<title>start: "));
    assert_null(strstr(str_text(&html), "nan"));
    str_free(&html);
    report_destroy(page);
}

static void check_threads_and_stops(TuneMethod method, const char *first, const char *second) {
    TuneConfig config = make_config("");
    config.method = method;
    TuneOutcome one, other;
    Str games = {0}, again = {0};
    begin(&config, first);
    assert_int_equal(run(&config, first, 1, &(Watch){0}, &one), OK);
    assert_false(one.is_stopped);
    assert_int_equal(one.race_games, 64);
    assert_true(one.verdict.games <= 4);
    read_games(first, &games);
    begin(&config, second);
    int stops = 0;
    for (int stop_after = 1;; stop_after += 3, stops++) {
        Watch watch = {.stop_after = stop_after};
        assert_int_equal(run(&config, second, 3, &watch, &other), OK);
        if (!other.is_stopped)
            break;
        tune_outcome_free(&other);
    }
    assert_true(stops > 1);
    read_games(second, &again);
    assert_string_equal(str_text(&games), str_text(&again));
    assert_memory_equal(one.best, other.best, 2 * sizeof *one.best);
    assert_memory_equal(&one.race, &other.race, sizeof one.race);
    assert_memory_equal(&one.verdict.pairs, &other.verdict.pairs, sizeof one.verdict.pairs);
    check_landscape(&config, &one);
    assert_memory_equal(one.landscape.slices, other.landscape.slices,
                        2 * sizeof *one.landscape.slices);
    assert_memory_equal(one.landscape.maps, other.landscape.maps, sizeof *one.landscape.maps);
    assert_memory_equal(one.landscape.path, other.landscape.path,
                        2 * one.landscape.rounds * sizeof *one.landscape.path);
    Str text = {0};
    tune_outcome_describe(&config, &one, &text);
    assert_non_null(strstr(str_text(&text), "Verdict: "));
    assert_true((strstr(str_text(&text), "saved: ") != NULL) == (method == TUNE_BY_RACE));
    assert_true((strstr(str_text(&text), "games of SPSA") != NULL) == (method == TUNE_BY_SPSA));
    for (size_t i = 0; i < 2; i++)
        assert_true(one.best[i] >= 0 && one.best[i] <= 100 && fmod(one.best[i], 5) == 0);
    str_free(&text);
    str_free(&games);
    str_free(&again);
    tune_outcome_free(&one);
    tune_outcome_free(&other);
    tune_config_free(&config);
}

static void test_threads_and_stops_change_nothing(void **state) {
    (void)state;
    check_threads_and_stops(TUNE_BY_RACE, "one", "other");
    check_threads_and_stops(TUNE_BY_SPSA, "spsa-one", "spsa-other");
}

static void test_crashes_lose_their_games(void **state) {
    (void)state;
    TuneConfig config = make_config("crash");
    TuneOutcome outcome;
    config.options.items[0].start = 85;
    begin(&config, "crash");
    assert_int_equal(run(&config, "crash", 2, &(Watch){0}, &outcome), OK);
    assert_true(outcome.faults.of[FAULT_CRASHED] > 0);
    tune_outcome_free(&outcome);
    tune_config_free(&config);
}

static void test_refused_options_end_the_run(void **state) {
    (void)state;
    TuneConfig config = make_config("");
    TuneOutcome outcome;
    assert_int_equal(tune_options_add(&config.options, "Nope:0:10:1:5"), OK);
    begin(&config, "refused");
    assert_int_equal(run(&config, "refused", 2, &(Watch){0}, &outcome), ERR_ENGINE);
    assert_non_null(strstr(error_message(), "Nope"));
    tune_outcome_free(&outcome);
    tune_config_free(&config);
}

static void test_verdicts(void **state) {
    (void)state;
    TuneConfig config = make_config("");
    double best[2] = {70, 30};
    TuneOutcome outcome = {.best = best};
    static const struct {
        SprtVerdict verdict;
        PairCounts pairs;
        const char *words, *why;
    } rows[] = {
        {SPRT_H1, {{10, 20, 38, 20, 12}}, "Verdict: better than the start values: +", "accepted"},
        {SPRT_H0, {{10, 20, 38, 20, 12}}, "Verdict: not better than the start values: +", "accept"},
        {SPRT_GOES_ON,
         {{10, 20, 38, 20, 12}},
         "Verdict: not shown to be better than the start values: +",
         "has not decided (LLR 0.00 within 0.00 to 0.00).\n"},
        // What all games show counts, though the test would go on.
        {SPRT_GOES_ON,
         {{1, 4, 20, 40, 35}},
         "Verdict: better than the start values: +",
         "; the interval of all games is above 0.\n"},
        {SPRT_GOES_ON,
         {{35, 40, 20, 4, 1}},
         "Verdict: not better than the start values: -",
         "; the interval of all games is below 0.\n"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Str text = {0};
        outcome.verdict = (TuneTest){.games = 200, .pairs = rows[i].pairs};
        outcome.verdict.sprt.verdict = rows[i].verdict;
        tune_outcome_describe(&config, &outcome, &text);
        assert_non_null(strstr(str_text(&text), rows[i].words));
        assert_non_null(strstr(str_text(&text), rows[i].why));
        assert_non_null(strstr(str_text(&text), "600 more games"));
        assert_non_null(strstr(str_text(&text), "Options: option.A=70 option.B=30\n"));
        str_free(&text);
    }
    // A few games tell nothing.
    outcome.verdict = (TuneTest){.games = 20, .pairs = {{0, 0, 0, 0, 10}}};
    assert_string_equal(tune_outcome_conclusion(&config, &outcome), "not shown to be better");
    best[0] = 20;
    best[1] = 80;
    Str text = {0};
    tune_outcome_describe(&config, &outcome, &text);
    assert_non_null(strstr(str_text(&text), "nothing better than the start values"));
    str_free(&text);
    tune_config_free(&config);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_threads_and_stops_change_nothing, adopt_orphans),
        cmocka_unit_test_setup(test_crashes_lose_their_games, adopt_orphans),
        cmocka_unit_test_setup(test_refused_options_end_the_run, adopt_orphans),
        cmocka_unit_test(test_verdicts),
    };
    return cmocka_run_group_tests(tests, testing_set_up, testing_tear_down);
}
