// SPDX-License-Identifier: GPL-3.0-or-later
// What is to be tuned: words, files, and what an engine must declare.
#include "engine_tuning/tune_config.h"
#include "tests/unit/fakes.h"
#include "tests/unit/testing.h"

static Status add(const char *text, TuneOption *out) {
    TuneOptions options = {0};
    Status status = tune_options_add(&options, text);
    if (status == OK)
        *out = options.items[0];
    if (status == OK)
        out->name = strdup(out->name);
    tune_options_free(&options);
    return status;
}

static void test_words(void **state) {
    (void)state;
    TuneOption option = {0};
    assert_int_equal(add("King Safety:0:200", &option), OK);
    assert_string_equal(option.name, "King Safety");
    assert_int_equal(option.low, 0);
    assert_int_equal(option.high, 200);
    assert_int_equal(option.step, 1);
    assert_false(option.has_start);
    free(option.name);
    assert_int_equal(add("a:b: -50 : 50 :10:-20", &option), OK);
    assert_string_equal(option.name, "a:b");
    assert_int_equal(option.low, -50);
    assert_int_equal(option.step, 10);
    assert_int_equal(option.start, -20);
    free(option.name);
    static const char *const bad[] = {
        "",
        "A",
        "A:1",
        ":0:10",
        "A:x:10",
        "A:10:10",
        "A:10:9",
        "A:0:10:0",
        "A:0:10:-1",
        "A:0:10:11",
        "A:0:10:1:11",
        "A:0:10:1:-1",
        "A:0:9999999999999",
        "A:0:1.5",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(add(bad[i], &option), ERR_ARG);
}

static void test_written_words_are_read_again(void **state) {
    (void)state;
    Rng rng = rng_at(7, 0, 0, 0);
    for (int i = 0; i < 200; i++) {
        const int64_t low = (int64_t)rng_below(&rng, 2000) - 1000;
        const int64_t high = low + 1 + rng_below(&rng, 1000);
        TuneOption one = {.name = (char *)"Name of it",
                          .low = low,
                          .high = high,
                          .step = 1 + rng_below(&rng, (uint32_t)(high - low)),
                          .has_start = rng_below(&rng, 2) == 0};
        one.start = one.has_start ? low + rng_below(&rng, (uint32_t)(high - low + 1)) : 0;
        Str text = {0};
        TuneOption two;
        tune_option_write(&one, &text);
        assert_int_equal(add(str_text(&text), &two), OK);
        assert_string_equal(one.name, two.name);
        free(two.name);
        two.name = one.name;
        assert_memory_equal(&one, &two, sizeof one);
        str_free(&text);
    }
}

static Status read_text(const char *name, const char *text, TuneOptions *out) {
    char path[TESTING_PATH];
    testing_write(path, name, text, strlen(text));
    *out = (TuneOptions){0};
    return tune_options_read(out, path);
}

static void test_files(void **state) {
    (void)state;
    TuneOptions options;
    assert_int_equal(read_text("a.ini", "; two\n[tune]\nA B = 0:10\nC = -5:5:2:1\n", &options), OK);
    assert_int_equal(options.count, 2);
    assert_string_equal(options.items[0].name, "A B");
    assert_int_equal(options.items[1].start, 1);
    tune_options_free(&options);
    assert_int_equal(
        read_text("a.json",
                  "{\"X\": {\"value\": 50, \"min_value\": 0, \"max_value\": 100, \"step\": 10},"
                  " \"Y\": {\"value\": -1, \"min_value\": -9, \"max_value\": 9}}",
                  &options),
        OK);
    assert_int_equal(options.count, 2);
    assert_string_equal(options.items[0].name, "X");
    assert_int_equal(options.items[0].start, 50);
    // SPSA's step is no grid.
    assert_int_equal(options.items[0].step, 1);
    assert_int_equal(options.items[1].low, -9);
    tune_options_free(&options);
    static const char *const bad[][2] = {
        {"b.ini", "[other]\nA = 0:10\n"},
        {"b.ini", "[tune]\nA = 0\n"},
        {"b.ini", "[tune]\n"},
        {"b.json", ""},
        {"b.json", "{"},
        {"b.json", "[]"},
        {"b.json", "{}"},
        {"b.json", "{\"X\": 5}"},
        {"b.json", "{\"X\": {\"value\": 5}}"},
        {"b.json", "{\"X\": {\"value\": 5.5, \"min_value\": 0, \"max_value\": 9}}"},
        {"b.json", "{\"X\": {\"value\": 50, \"min_value\": 0, \"max_value\": 9}}"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_not_equal(read_text(bad[i][0], bad[i][1], &options), OK);
        tune_options_free(&options);
    }
}

static void test_settings_are_read_again(void **state) {
    (void)state;
    TuneConfig one = tune_config_init(), two = tune_config_init();
    assert_int_equal(tune_config_set_engine(&one, "cmd=/bin/x\n'option.King Safety=0' nodes=100"),
                     OK);
    assert_int_equal(tune_options_add(&one.options, "King Safety:0:200:2:10"), OK);
    str_add(&one.openings, "o.epd");
    one.seed = 77;
    one.games = 640;
    one.sprt.elo1 = 7.25;
    assert_int_equal(tune_config_check(&one), OK);
    Str text = {0}, again = {0};
    char path[TESTING_PATH];
    tune_config_write(&one, &text);
    testing_write(path, "config.ini", text.text, text.length);
    assert_int_equal(tune_config_read(&two, path), OK);
    tune_config_write(&two, &again);
    assert_string_equal(str_text(&text), str_text(&again));
    assert_int_equal(two.spec.limits.nodes, 100);
    assert_int_equal(two.options.items[0].start, 10);
    str_free(&text);
    str_free(&again);
    tune_config_free(&one);
    tune_config_free(&two);
}

static void test_lines_of_openbench(void **state) {
    (void)state;
    static const char lines[] = "\n# a comment after the first line is fine\n";
    static const char *const wrong[] = {
        "A, int, 20, 0, 100, 5",          "A, int, 20, 0, 100, 5, 0.002, 1",
        ", int, 20, 0, 100, 5, 0.002",    "A, float, 20, 0, 100, 5, 0.002",
        "A, int, 20.5, 0, 100, 5, 0.002", "A, int, 20, 0, 100, 0, 0.002",
        "A, int, 20, 0, 100, 5, x",       "A, int, 120, 0, 100, 5, 0.002",
        "A, int, 20, 100, 0, 5, 0.002",
    };
    TuneOptions options = {0};
    Str text = {0};
    char path[TESTING_PATH];
    testing_path(path, "openbench.txt");
    str_addf(&text, "King Safety, int, 20.0, -5, 100, 2.5, 0.002%sB, int, 3, 0, 9, 1, 0.004\r\n",
             lines);
    assert_int_equal(file_write(path, text.text, text.length), OK);
    assert_int_equal(tune_options_read(&options, path), OK);
    assert_int_equal(options.count, 2);
    const TuneOption *first = &options.items[0];
    assert_string_equal(first->name, "King Safety");
    assert_true(first->start == 20 && first->low == -5 && first->high == 100 && first->step == 1);
    assert_true(first->c_end == 2.5 && first->r_end == 0.002 && options.items[1].r_end == 0.004);
    str_clear(&text);
    tune_option_write_openbench(first, 33, &text);
    assert_string_equal(str_text(&text), "King Safety, int, 33, -5, 100, 2.5, 0.002");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        TuneOptions none = {0};
        assert_int_not_equal(tune_options_add_openbench(&none, wrong[i]), OK);
        assert_int_equal(none.count, 0);
    }
    tune_options_free(&options);
    str_free(&text);
}

// What SPSA needs is in config.ini, and read back.
static void test_spsa_is_kept(void **state) {
    (void)state;
    TuneConfig one = tune_config_init(), two = tune_config_init();
    Str text = {0}, again = {0};
    char path[TESTING_PATH];
    testing_path(path, "spsa.ini");
    assert_int_equal(tune_config_set_engine(&one, "cmd=some-engine nodes=100"), OK);
    assert_int_equal(tune_options_add_openbench(&one.options, "A, int, 20, 0, 100, 2.5, 0.003"),
                     OK);
    assert_int_equal(tune_options_add(&one.options, "B:0:100:5:80"), OK);
    one.method = TUNE_BY_SPSA;
    assert_int_equal(tune_config_check(&one), ERR_ARG);
    one.games = 100;
    tune_config_write(&one, &text);
    assert_int_equal(file_write(path, text.text, text.length), OK);
    if (tune_config_read(&two, path) != OK)
        fail_msg("%s", error_message());
    tune_config_write(&two, &again);
    assert_string_equal(str_text(&text), str_text(&again));
    assert_true(two.method == TUNE_BY_SPSA && two.options.items[0].c_end == 2.5 &&
                two.options.items[0].r_end == 0.003 && two.options.items[1].c_end == 0);
    str_free(&text);
    str_free(&again);
    tune_config_free(&one);
    tune_config_free(&two);
}

// Checks one option of the fake with number options.
static Status check(const char *mode, const char *words, const char *option, TuneOption *out) {
    EngineSpec spec = fake_spec_of("fake_tunable", mode, words);
    TuneOptions options = {0};
    Position positions[2];
    position_set_start(&positions[0]);
    assert_int_equal(fen_parse("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
                               &positions[1]),
                     OK);
    assert_int_equal(tune_options_add(&options, option), OK);
    Status status = tune_options_check(&options, &spec, positions, 2, -1);
    if (status == OK)
        *out = options.items[0];
    tune_options_free(&options);
    engine_spec_deinit(&spec);
    assert_no_process();
    return status;
}

static void test_checked_against_the_engine(void **state) {
    (void)state;
    TuneOption option = {0};
    assert_int_equal(check("", "depth=1", "a:0:100", &option), OK);
    assert_int_equal(option.start, 20);
    assert_true(option.has_effect);
    assert_int_equal(check("", "depth=1 option.A=33", "A:0:100", &option), OK);
    assert_int_equal(option.start, 33);
    assert_int_equal(check("", "depth=1 option.A=33", "A:0:100:1:33", &option), OK);
    assert_int_equal(check("", "depth=1 option.A=33", "A:0:100:1:34", &option), ERR_ARG);
    assert_int_equal(check("", "depth=1", "Nope:0:100", &option), ERR_ARG);
    assert_int_equal(check("", "depth=1", "A:0:101", &option), ERR_ARG);
    assert_int_equal(check("", "depth=1", "A:-1:100", &option), ERR_ARG);
    assert_int_equal(check("", "depth=1", "A:30:100", &option), ERR_ARG);
    assert_int_equal(check("", "depth=1", "Style:0:1", &option), ERR_ARG);
    assert_int_equal(check("", "depth=1", "Idle:0:9", &option), ERR_ARG);
    assert_int_equal(check("deaf", "depth=1", "A:0:100", &option), ERR_ARG);
    assert_int_equal(check("crash", "depth=1", "A:0:100", &option), ERR_ENGINE);
    assert_int_equal(check("crash", "depth=1", "A:0:90", &option), OK);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_written_words_are_read_again),
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_settings_are_read_again),
        cmocka_unit_test(test_lines_of_openbench),
        cmocka_unit_test(test_spsa_is_kept),
        cmocka_unit_test_setup(test_checked_against_the_engine, adopt_orphans),
    };
    return cmocka_run_group_tests(tests, testing_set_up, testing_tear_down);
}
