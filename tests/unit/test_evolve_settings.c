// SPDX-License-Identifier: GPL-3.0-or-later
// Options and spaces: what is allowed is accepted everywhere, what is not is refused with a
// message.
#include "evolving.h"

#include "base/file.h"

static void test_options(void **state) {
    (void)state;
    static const struct {
        const char *name, *text, *message;
    } bad[] = {
        {"population", "0", "population must be a whole number from 2 to 1000000, not '0'"},
        {"population", "2000000",
         "population must be a whole number from 2 to 1000000, not '2000000'"},
        {"population", "2.5", "population must be a whole number from 2 to 1000000, not '2.5'"},
        {"population", "many", "population must be a whole number from 2 to 1000000, not 'many'"},
        {"population", "nan", "population must be a whole number from 2 to 1000000, not 'nan'"},
        {"crossover-rate", "1.5", "crossover-rate must be a number from 0 to 1, not '1.5'"},
        {"crossover", "double",
         "crossover must be one of none, single-point, uniform, not 'double'"},
        {"colour", "red", "algorithm ga has no setting 'colour'"},
    };
    EvolveConfig config = evolve_config_default(evolve_find("ga"));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(evolve_config_set(&config, bad[i].name, bad[i].text), ERR_ARG);
        assert_string_equal(error_message(), bad[i].message);
    }
    assert_int_equal(evolve_config_set(&config, "crossover", "uniform"), OK);
    assert_true(evolve_config_get(&config, "crossover") == 2);
    config.values[OPTION_POPULATION] = 0;
    assert_int_equal(evolve_config_check(&config), ERR_ARG);
    assert_null(evolve_find("gradient"));
}

// Tables are sound: defaults allowed, names distinct, the common options first.
static void test_tables_of_options(void **state) {
    (void)state;
    for (size_t a = 0; evolve_algorithms[a] != NULL; a++) {
        const EvolveAlgorithm *algorithm = evolve_algorithms[a];
        EvolveConfig config = evolve_config_default(algorithm);
        assert_int_equal(evolve_config_check(&config), OK);
        assert_true(algorithm->option_count <= EVOLVE_OPTIONS_MAX);
        assert_string_equal(algorithm->options[OPTION_POPULATION].name, "population");
        assert_string_equal(algorithm->options[OPTION_GENERATIONS].name, "generations");
        assert_string_equal(algorithm->options[OPTION_EVALUATIONS].name, "evaluations");
        for (size_t i = 0; i < algorithm->option_count; i++) {
            const Setting *option = &algorithm->options[i];
            assert_ptr_equal(evolve_config_find(algorithm, option->name), option);
            assert_true((option->type == SETTING_CHOICE) == (option->choices != NULL));
            assert_non_null(option->meaning);
        }
    }
}

static void assert_no_space(EvolveParameter parameter, EvolveCoding coding, bool is_integer,
                            const char *message) {
    EvolveSpace space = {&parameter, 1, coding, is_integer};
    assert_int_equal(space_check(&space), ERR_ARG);
    assert_string_equal(error_message(), message);
}

static void test_spaces(void **state) {
    (void)state;
    assert_no_space((EvolveParameter){"x", 3, 2, 4}, EVOLVE_REAL, false, "x: no box from 3 to 2");
    assert_no_space((EvolveParameter){"x", 0, NAN, 4}, EVOLVE_REAL, false,
                    "x: no box from 0 to nan");
    assert_no_space((EvolveParameter){"x", 0, 1.5, 4}, EVOLVE_REAL, true,
                    "x: the bounds 0 and 1.5 must be whole numbers of 32 bits");
    assert_no_space((EvolveParameter){"x", 0, 16, 4}, EVOLVE_GRAY, true,
                    "4 bits are too few for x, which goes from 0 to 16");
    assert_no_space((EvolveParameter){"x", 0, 16, 32}, EVOLVE_GRAY, true,
                    "the gene of x must have 1 to 31 bits, not 32");
    assert_no_space((EvolveParameter){"x", 7, 7, 0}, EVOLVE_GRAY, true,
                    "every parameter is fixed: there is nothing to evolve");
    EvolveSetup setup = {.space = box_space(2, EVOLVE_REAL), .config = config_of("ga", NULL)};
    Evolver *evolver;
    assert_int_equal(evolver_create(&evolver, &setup), ERR_ARG);
    assert_string_equal(error_message(),
                        "ga works on bit strings: give the parameters bits and a coding");
}

static const char *const small[] = {"population", "12", "generations", "40", NULL};

static Status evaluate_in_box(void *context, const EvolveBatch *batch, int64_t *scores) {
    const EvolveSpace *space = context;
    for (size_t i = 0; i < batch->count; i++) {
        const double *organism = batch->parameters + i * batch->width;
        for (size_t j = 0; j < batch->width; j++)
            assert_true(space_nearest(space, j, organism[j]) == organism[j]);
        scores[i] = -(int64_t)fabs(organism[0]) - (int64_t)(i % 3);
    }
    return OK;
}

// The smallest boxes, fixed parameters, negative bounds: organisms asked for are always in the box.
static void test_odd_spaces(void **state) {
    (void)state;
    static const EvolveParameter odd[][3] = {
        {{"bit", 0, 1, 1}},
        {{"down", -9, -7, 2}, {"fixed", 4, 4, 0}, {"up", -1000000, 1000000, 21}},
        {{"fixed", -3, -3, 0}, {"wide", -2147483647, 0, 31}, {"bit", 5, 6, 4}},
    };
    for (size_t s = 0; s < 3; s++)
        for (int kind = 0; kind < 4; kind++)
            for (size_t a = 0; evolve_algorithms[a] != NULL; a++) {
                EvolveSetup setup = {.config = config_of(evolve_algorithms[a]->name, small)};
                setup.space = (EvolveSpace){odd[s], s == 0 ? 1 : 3,
                                            kind % 2 == 0 ? EVOLVE_GRAY : EVOLVE_BINARY, kind < 2};
                setup.fresh_scores = kind == 1;
                Evolver *evolver = create_ok(&setup);
                EvolveLoop loop = {.context = &setup.space, .evaluate = evaluate_in_box};
                if (!evolver_wants_meetings(evolver))
                    assert_int_equal(evolve_run(evolver, &loop, NULL), OK);
                evolver_destroy(evolver);
            }
}

// A row as docs/evolution.md has it.
static void add_row(Str *row, const Setting *option) {
    str_addf(row, "| `%s` | ", option->name);
    str_addf(row, "%s | ", option->start);
    if (option->choices == NULL)
        str_addf(row, "%.15g to %.15g", option->low, option->high);
    for (size_t i = 0; option->choices != NULL && option->choices[i] != NULL; i++)
        str_addf(row, "%s%s", i == 0 ? "" : ", ", option->choices[i]);
    str_addf(row, " | %s |\n", option->meaning);
}

// The page tells what the tables say.
static void test_documentation(void **state) {
    (void)state;
    Str page = {0};
    if (file_read("docs/evolution.md", 1 << 20, &page) != OK)
        fail_msg("%s", error_message());
    for (size_t a = 0; evolve_algorithms[a] != NULL; a++) {
        const EvolveAlgorithm *algorithm = evolve_algorithms[a];
        Str heading = {0};
        str_addf(&heading, "\n### `%s`\n", algorithm->name);
        const char *section = strstr(str_text(&page), str_text(&heading));
        assert_non_null(section);
        const char *end = strstr(section + heading.length, "\n##");
        for (size_t i = 0; i < algorithm->option_count; i++) {
            Str row = {0};
            add_row(&row, &algorithm->options[i]);
            const char *found = strstr(section, str_text(&row));
            if (found == NULL || (end != NULL && found > end))
                fail_msg("docs/evolution.md, %s, lacks: %s", algorithm->name, str_text(&row));
            str_free(&row);
        }
        str_free(&heading);
    }
    str_free(&page);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_options),       cmocka_unit_test(test_tables_of_options),
        cmocka_unit_test(test_spaces),        cmocka_unit_test(test_odd_spaces),
        cmocka_unit_test(test_documentation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
