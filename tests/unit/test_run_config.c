// SPDX-License-Identifier: GPL-3.0-or-later
// Settings of a run: read, written, refused.
#include "mentoring.h"

#include <dirent.h>

static Status parse(RunConfig *config, const char *text) {
    return run_config_parse(config, view_from_string(text), "some.ini");
}

// Writes, reads and writes again.
static void assert_round_trip(const RunConfig *config) {
    Str first = {0}, second = {0};
    RunConfig again;
    run_config_init(&again);
    run_config_write(config, &first);
    if (run_config_parse(&again, view_of(str_text(&first), first.length), "written") != OK)
        fail_msg("%s", error_message());
    run_config_write(&again, &second);
    assert_string_equal(str_text(&first), str_text(&second));
    run_config_free(&again);
    str_free(&first);
    str_free(&second);
}

static void draw_options(RunConfig *config, Rng *rng) {
    const EvolveAlgorithm *algorithm = config->algorithm.algorithm;
    for (size_t i = 0; i < algorithm->option_count; i++) {
        const Setting *option = &algorithm->options[i];
        const double value = option->low + (option->high - option->low) * rng_real(rng);
        char text[64];
        size_t choices = 0;
        while (option->choices != NULL && option->choices[choices] != NULL)
            choices++;
        if (option->type == SETTING_CHOICE)
            snprintf(text, sizeof text, "%s", option->choices[rng_below(rng, (uint32_t)choices)]);
        else if (option->type == SETTING_WHOLE)
            snprintf(text, sizeof text, "%.0f", value);
        else
            snprintf(text, sizeof text, "%.17g", value);
        if (run_config_set(config, option->name, text) != OK)
            fail_msg("%s", error_message());
    }
}

static void test_what_is_written_is_read_back(void **state) {
    (void)state;
    Rng rng = rng_at(1, 0, 0, 0);
    for (size_t i = 0; evolve_algorithms[i] != NULL; i++)
        for (int repeat = 0; repeat < 50; repeat++) {
            RunConfig config;
            run_config_init(&config);
            assert_round_trip(&config);
            assert_int_equal(run_config_set(&config, "algorithm", evolve_algorithms[i]->name), OK);
            draw_options(&config, &rng);
            assert_round_trip(&config);
            run_config_free(&config);
        }
}

static void test_every_setting(void **state) {
    (void)state;
    static const struct {
        const char *name, *good, *bad;
    } cases[] = {
        {"fitness", "mentor", "luck"},
        {"family", "maestro", "\n"},
        {"chromosome", "maestro-224", "a\tb"},
        {"data", "/a path/with blanks; and # more = x.epd", "/line\nbreak"},
        {"test", "", " x"},
        {"sample", "1000", "-1"},
        {"seed", "0", "-1"},
        {"seed", "9007199254740993", "1e3"},
        {"runs", "9999", "0"},
        {"start", "weights/maestro-hand.weights", "x "},
        {"freeze", "PAWN_VALUE=100,BISHOP_PAIR", "\r"},
        {"only", "PAWN_VALUE", "\x7f"},
        {"bounds", "PAWN_VALUE:90:110", "\v"},
        {"command", "falconer evolve 'a b'", "a\nb"},
        {"tempo", "yes", "1"},
        {"quiet-only", "yes", "true"},
        {"clamp", "30000", "30001"},
        {"beyond", "clamp", "cut"},
        {"mates", "clamp", ""},
        {"start-from", "a,b/c", "a\nb"},
        {"start-take", "population", "all"},
        {"schedule", "random", "swiss"},
        {"match-games", "10", "0"},
        {"play-nodes", "0", "-1"},
        {"profile", "plain", "fast"},
        {"algorithm", "de", "DE"},
        {"population", "500", "0"},
        {"generations", "0", "-1"},
        {"evaluations", "1e6", "many"},
        {"crossover-rate", "1", "1.01"},
        {"crossover-rate", "0", "nan"},
        {"adapt-rate", "0.5", "-0.1"},
    };
    RunConfig config;
    run_config_init(&config);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (run_config_set(&config, cases[i].name, cases[i].good) != OK)
            fail_msg("%s = %s: %s", cases[i].name, cases[i].good, error_message());
        if (run_config_set(&config, cases[i].name, cases[i].bad) == OK)
            fail_msg("%s = %s was taken", cases[i].name, cases[i].bad);
        if (strcmp(cases[i].name, "algorithm") != 0)
            assert_message(cases[i].name);
        assert_round_trip(&config);
    }
    assert_string_equal(str_text(&config.bounds), "PAWN_VALUE:90:110");
    assert_int_equal(config.seed, 9007199254740993);
    assert_int_equal(evolve_config_get(&config.algorithm, "population"), 500);
    run_config_free(&config);
}

static void test_messages_of_bad_presets(void **state) {
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"[run]\npopulaton = 5\n", "some.ini:2: there is no setting 'populaton' in section [run]: "
                                   "did you mean 'population'?"},
        {"[algorithm]\nname = ga\nmutaton-rate = 0.1\n",
         "some.ini:3: algorithm ga has no setting 'mutaton-rate': did you mean 'mutation-rate'?"},
        {"[algorithm]\nname = genetic\n",
         "some.ini:2: there is no algorithm 'genetic'; there are "},
        {"[algorithm]\npopulation = 0\n", "some.ini:2: population must be a whole number from 2"},
        {"[algorithm]\ncrossover-rate = 1.5\n",
         "some.ini:2: crossover-rate must be a number from 0 to 1,"},
        {"[algorithm]\nselection = roulette\n",
         "some.ini:2: selection must be one of proportional,"},
        {"[run]\nsample = few\n", "some.ini:2: sample must be a whole number from 0 to 1000000000"},
        {"[run]\nruns = 0\n", "some.ini:2: runs must be a whole number from 1 to 9999, not '0'"},
        {"[mentor]\nmates = keep\n", "some.ini:2: mates must be one of drop, clamp, not 'keep'"},
        {"[mentor]\nseed = 1\n",
         "some.ini:2: setting 'seed' belongs in section [run], not in [mentor]"},
        {"[algorithm]\nseed = 1\n",
         "some.ini:2: setting 'seed' belongs in section [run], not in [algorithm]"},
        {"[run]\npopulation = 5\n",
         "some.ini:2: setting 'population' belongs in section [algorithm], not in [run]"},
        {"[algoritm]\nname = ga\n",
         "some.ini:2: there is no section [algoritm]: did you mean 'algorithm'?"},
        {"[settings]\nseed = 1\n",
         "some.ini:2: there is no section [settings]; there are [run], [mentors], [algorithm], "},
        {"seed = 1\n", "some.ini:1: setting 'seed' stands before any section"},
        {"[run\nseed = 1\n", "some.ini:1: a section without its ']'"},
        {"[run]\nseed\n", "some.ini:2: neither a section, a comment, nor 'key = value'"},
        {"[run]\n= 5\n", "some.ini:2: a value without a name"},
        {"[run]\n\n; fine\nseed = 1 ; no comment here\n", "some.ini:4: seed must be"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        RunConfig config;
        run_config_init(&config);
        assert_int_not_equal(parse(&config, cases[i].text), OK);
        assert_message(cases[i].message);
        run_config_free(&config);
    }
    RunConfig config;
    run_config_init(&config);
    assert_int_equal(run_config_set(&config, "sede", "1"), ERR_ARG);
    assert_message("did you mean 'seed'?");
    assert_int_equal(run_config_parse(&config, view_of("[run]\nse\0ed = 1", 14), "nul.ini"),
                     ERR_PARSE);
    assert_message("nul.ini:2: a NUL byte");
    assert_int_not_equal(run_config_load(&config, "no-such-preset"), OK);
    assert_message("no-such-preset.ini");
    setenv("FALCONER_DATA", ".", 1);
    assert_int_not_equal(run_config_load(&config, "another"), OK);
    assert_message("; there are ");
    assert_message("gecco2008");
    assert_int_not_equal(run_config_load(&config, "geco2008"), OK);
    assert_message("did you mean 'gecco2008'?");
    run_config_free(&config);
}

static void test_line_ends_blanks_and_remarks_do_not_matter(void **state) {
    (void)state;
    RunConfig config;
    run_config_init(&config);
    assert_int_equal(parse(&config, "# one\r\n\r\n [ run ] \r\n  seed=7\r\n\tdata =  a b.epd \r\n"
                                    ";[x\n[algorithm]\nname= de\npopulation =33"),
                     OK);
    assert_int_equal(config.seed, 7);
    assert_string_equal(str_text(&config.data), "a b.epd");
    assert_int_equal(evolve_config_get(&config.algorithm, "population"), 33);
    run_config_free(&config);
}

static void test_settings_that_do_not_fit_each_other(void **state) {
    (void)state;
    RunConfig config;
    run_config_init(&config);
    assert_int_equal(run_config_check(&config), ERR_ARG);
    assert_message("--data");
    mentoring_set(&config, "data x.epd mates clamp");
    assert_int_equal(run_config_check(&config), ERR_ARG);
    assert_message("clamp");
    mentoring_set(&config, "clamp 500");
    assert_int_equal(run_config_check(&config), OK);
    mentoring_set(&config, "algorithm cec2001");
    assert_int_equal(run_config_check(&config), ERR_ARG);
    assert_message("cec2001 learns from games");
    mentoring_set(&config, "fitness games");
    assert_int_equal(run_config_check(&config), OK);
    mentoring_set(&config, "verdict-games 7");
    assert_int_equal(run_config_check(&config), ERR_ARG);
    assert_message("verdict-games must be even");
    mentoring_set(&config, "play-nodes 0 verdict-games 8");
    assert_int_equal(run_config_check(&config), ERR_ARG);
    assert_message("play-nodes or play-depth");
    run_config_free(&config);
}

static void test_all_presets_load_and_check(void **state) {
    (void)state;
    struct dirent **entries;
    int found = 0;
    setenv("FALCONER_DATA", ".", 1);
    const int count = scandir("experiments", &entries, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        char *dot = strstr(entries[i]->d_name, ".ini");
        if (dot != NULL) {
            RunConfig config;
            run_config_init(&config);
            *dot = '\0';
            // By its name alone, as a user would.
            Status status = run_config_load(&config, entries[i]->d_name);
            // What another engine dumped is the user's own to name.
            if (status == OK && strcmp(str_text(&config.family), FAMILY_COEFFICIENTS) == 0)
                status = run_config_set(&config, "data", "dumped.txt");
            if (status != OK || run_config_check(&config) != OK)
                fail_msg("%s: %s", entries[i]->d_name, error_message());
            assert_round_trip(&config);
            run_config_free(&config);
            found++;
        }
        free(entries[i]);
    }
    free(entries);
    assert_true(found >= 4);
}

static void assert_listed(const RunConfig *config, const char *text, bool is_listed) {
    Str list = {0};
    run_config_describe(config, &list);
    if ((strstr(str_text(&list), text) != NULL) != is_listed)
        fail_msg("%s %s in\n%s", text, is_listed ? "is not" : "is", str_text(&list));
    str_free(&list);
}

static void test_the_list_has_what_applies(void **state) {
    (void)state;
    RunConfig config;
    run_config_init(&config);
    assert_listed(&config, "--data ", true);
    assert_listed(&config, "(maestro; maestro, vazquez, ", true);
    assert_listed(&config, "(maestro-230; maestro-230, maestro-224, binary, gray)", true);
    assert_listed(&config, "(ga; ga, ", true);
    assert_listed(&config, "cec2001", false);
    assert_listed(&config, "--mutation-rate ", true);
    assert_listed(&config, "(drop; drop or clamp)", true);
    assert_listed(&config, "(1; 1 to 9999)", true);
    assert_listed(&config, "--play-nodes ", false);
    assert_listed(&config, "--command ", false);
    assert_listed(&config, "change nothing here: mentors-target, ", true);
    mentoring_set(&config, "fitness games algorithm cec2001");
    assert_listed(&config, "--play-nodes ", true);
    assert_listed(&config, "--data ", false);
    assert_listed(&config, "--tempo ", false);
    assert_listed(&config, "--schedule ", false);
    mentoring_set(&config, "algorithm cmaes");
    assert_listed(&config, "binary, gray, real)", true);
    run_config_free(&config);
}

// Settings of one kind of fitness, and one that makes more of them matter.
static void test_settings_that_change_nothing_are_told(void **state) {
    (void)state;
    static const struct {
        const char *fitness, *name, *value, *used, *unused;
    } cases[] = {
        {"mentor", "resolve", "no", "quiet-only", "depth"},
        {"mentor", "resolve", "yes", "depth", "validation"},
        {"mentor", "resolve", "yes", "forest-cache", "match-games"},
        {"moves", "surrogate", "0", "positions", "temperature"},
        {"moves", "surrogate", "9", "temperature", "clamp"},
        {"moves", "surrogate", "9", "tempo", "openings"},
        {"games", "algorithm", "ga", "match-games", "data"},
        {"games", "algorithm", "cec2001", "start-from", "match-games"},
        {"games", "algorithm", "cec2001", "population", "resolve"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        RunConfig config;
        run_config_init(&config);
        assert_int_equal(run_config_set(&config, "fitness", cases[i].fitness), OK);
        assert_int_equal(run_config_set(&config, cases[i].name, cases[i].value), OK);
        assert_int_equal(run_config_check_use(&config, cases[i].used), OK);
        assert_int_equal(run_config_check_use(&config, cases[i].unused), ERR_ARG);
        assert_message("changes nothing here, where organisms learn");
        run_config_free(&config);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_written_is_read_back),
        cmocka_unit_test(test_every_setting),
        cmocka_unit_test(test_messages_of_bad_presets),
        cmocka_unit_test(test_line_ends_blanks_and_remarks_do_not_matter),
        cmocka_unit_test(test_settings_that_do_not_fit_each_other),
        cmocka_unit_test(test_settings_that_change_nothing_are_told),
        cmocka_unit_test(test_all_presets_load_and_check),
        cmocka_unit_test(test_the_list_has_what_applies),
    };
    return cmocka_run_group_tests(tests, testing_set_up, testing_tear_down);
}
