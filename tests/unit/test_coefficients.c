// SPDX-License-Identifier: GPL-3.0-or-later
// Another engine's coefficients: exactly what it scores by, the same optimum as from positions, and
// refusals with file and line.
#include "pooled.h"

#include "dumping.h"
#include "fitness/linear/mentor.h"
#include "optimum/certified.h"

#include <math.h>

static Status load(const char *path, MentorSet *set, CoefficientHeader **header) {
    Status status = coefficient_header_load(header, path);
    if (status != OK)
        return status;
    const MentorSetOptions options = {.family = &(*header)->family, .header = *header};
    status = mentor_set_load(set, path, &options, pool);
    if (status != OK)
        coefficient_header_destroy(*header);
    return status;
}

static void load_ok(const char *path, MentorSet *set, CoefficientHeader **header) {
    if (load(path, set, header) != OK)
        fail_msg("%s", error_message());
}

static void load_text(const char *text, MentorSet *set, CoefficientHeader **header) {
    char path[TESTING_PATH];
    testing_write(path, "text.txt", text, strlen(text));
    load_ok(path, set, header);
}

static void discard(MentorSet *set, CoefficientHeader *header) {
    mentor_set_free(set);
    coefficient_header_destroy(header);
}

// --- properties ---

// Whatever the weights: the label less the score the engine itself computes, in its exact parts.
static void check_scores(const Family *family) {
    enum { POSITIONS = 60 };
    char path[TESTING_PATH];
    Rng rng = rng_at(3, 0, 0, 0);
    PgnGame game = {0};
    Str text = {0};
    Position positions[POSITIONS];
    int offsets[POSITIONS];
    dumping_header(&text, family, "centipawns", family->scale);
    for (int i = 0; i < POSITIONS; i++) {
        offsets[i] = (int)rng_below(&rng, 2001) - 1000;
        do {
            testing_random_game(&game, &rng, rng_below(&rng, 80));
            positions[i] = game.final;
        } while (!dumping_position(&text, family, &positions[i], i - 30, offsets[i]));
    }
    testing_write(path, "scores.txt", text.text, text.length);
    MentorSet set;
    CoefficientHeader *header;
    load_ok(path, &set, &header);
    assert_int_equal(set.matrix.count, POSITIONS);
    for (int repeat = 0; repeat < 20; repeat++) {
        int parameters[TERMS_MAX];
        int32_t residuals[POSITIONS];
        family_randomize(family, &rng, parameters);
        mentor_residuals(&set.matrix, parameters, residuals);
        for (int i = 0; i < POSITIONS; i++) {
            Trace trace;
            family_trace(family, &positions[i], &trace);
            const int score = family_dot(family, &positions[i], &trace, parameters) + offsets[i];
            assert_int_equal(residuals[i], (i - 30) * family->scale - score);
        }
    }
    discard(&set, header);
    pgn_game_free(&game);
    str_free(&text);
}

static void test_scores_are_the_engine_s(void **state) {
    (void)state;
    check_scores(&family_maestro);
    check_scores(&family_falcon); // tapered
}

static Problem *make_problem(const char *path, const char *words) {
    RunConfig config;
    Problem *problem;
    char data[TESTING_PATH + 16];
    run_config_init(&config);
    snprintf(data, sizeof data, "data %s", path);
    mentoring_set(&config, data);
    mentoring_set(&config, words);
    if (problem_create(&problem, &config, pool) != OK)
        fail_msg("%s", error_message());
    run_config_free(&config);
    return problem;
}

static void test_same_errors_and_optimum_as_from_positions(void **state) {
    (void)state;
    char epd[TESTING_PATH], dump[TESTING_PATH];
    Rng rng = rng_at(5, 0, 0, 0);
    mentoring_write(epd, "mentor.epd", 300, 80, 9);
    dumping_convert(dump, "mentor.txt", epd, &family_maestro);
    Problem *from_epd = make_problem(epd, "algorithm de chromosome real");
    Problem *from_dump = make_problem(dump, "algorithm de family coefficients chromosome real");
    const EvolveSpace *space = problem_space(from_dump);
    assert_int_equal(space_fingerprint(space), space_fingerprint(problem_space(from_epd)));
    for (int repeat = 0; repeat < 100; repeat++) {
        double organism[TERMS_MAX];
        int64_t scores[2];
        space_randomize(space, &rng, organism);
        assert_int_equal(problem_judge(from_epd, SET_TRAINING, organism, 1, &scores[0]), OK);
        assert_int_equal(problem_judge(from_dump, SET_TRAINING, organism, 1, &scores[1]), OK);
        assert_int_equal(scores[0], scores[1]);
    }
    CertifiedOptimum limits[2];
    assert_int_equal(mentoring_optimum(from_epd, &limits[0]), OK);
    assert_int_equal(mentoring_optimum(from_dump, &limits[1]), OK);
    assert_int_equal(limits[0].result.whole_bound, limits[1].result.whole_bound);
    assert_true(fabs(certified_bound(&limits[0]) - certified_bound(&limits[1])) < 1e-6);
    certified_free(&limits[0]);
    certified_free(&limits[1]);
    problem_destroy(from_epd);
    problem_destroy(from_dump);
}

static void assert_small(const char *text) {
    MentorSet set;
    CoefficientHeader *header;
    static const int16_t counts[3][2] = {{4, -8}, {0, 0}, {0, 32767}};
    static const int32_t labels[3] = {48, -31, 120000};
    load_text(text, &set, &header);
    assert_int_equal(header->label, LABEL_CENTIPAWNS);
    assert_int_equal(header->family.scale, 4);
    assert_int_equal(header->family.term_count, 2);
    assert_string_equal(header->family.terms[1].name, "B[1].x");
    assert_int_equal(header->family.terms[0].low, -10);
    assert_int_equal(header->family.terms[0].start, 2);
    assert_int_equal(set.matrix.count, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(set.matrix.labels[i], labels[i]);
        for (size_t term = 0; term < 2; term++)
            assert_int_equal(counts_at(&set.matrix, i, term), counts[i][term]);
    }
    discard(&set, header);
}

static void test_how_it_is_written_changes_nothing(void **state) {
    (void)state;
    char packed[TESTING_PATH], plain[TESTING_PATH];
    MentorSet sets[2];
    CoefficientHeader *headers[2];
    assert_small(dumping_small);
    assert_small("\xEF\xBB\xBF"
                 "falconer-coefficients 1\r\n\r\n# a comment\r\nparam A -10 10 2 # another\r\n"
                 "  counts   4\r\nparam\tB[1].x 0 1000 100\r\nlabel centipawns\r\n\r\n"
                 "12 ;  1:-8   0:+4\r\n# more\r\n-7;offset:3 0:0\r\n\r\n30000; 1:32767");
    testing_write(plain, "small.txt", dumping_small, strlen(dumping_small));
    testing_write(packed, "small.txt.zst", dumping_small, strlen(dumping_small));
    load_ok(plain, &sets[0], &headers[0]);
    load_ok(packed, &sets[1], &headers[1]);
    assert_int_equal(sets[0].hash, sets[1].hash);
    for (int i = 0; i < 2; i++)
        discard(&sets[i], headers[i]);
}

static void test_results_are_half_points(void **state) {
    (void)state;
    static const char text[] = "falconer-coefficients 1\nlabel result\nparam A 0 9 1\n"
                               "1; 0:1\n0.5;\n0;\n1-0;\n1/2-1/2;\n0-1;\n1.0;\n1/2;\n0.0;\n";
    char path[TESTING_PATH];
    CoefficientReader *reader;
    CoefficientPosition position;
    bool got;
    testing_write(path, "results.txt", text, strlen(text));
    assert_int_equal(coefficient_reader_open(&reader, path), OK);
    for (int i = 0; i < 9; i++) {
        assert_int_equal(coefficient_reader_next(reader, &position, &got), OK);
        assert_true(got);
        assert_int_equal(position.label, 2 - i % 3);
        assert_int_equal(position.count, i == 0);
    }
    assert_int_equal(coefficient_reader_next(reader, &position, &got), OK);
    assert_false(got);
    coefficient_reader_close(reader);
}

static void test_values_come_back_in_order(void **state) {
    (void)state;
    char path[TESTING_PATH];
    MentorSet set;
    CoefficientHeader *header;
    Weights weights, again;
    Str text = {0};
    load_text(dumping_small, &set, &header);
    weights_init(&weights, &header->family);
    weights.parameters[1] = 7;
    str_add(&weights.lineage, "a note\n");
    testing_path(path, "values.txt");
    assert_int_equal(weights_save_values(&weights, path), OK);
    assert_int_equal(file_read(path, 1000, &text), OK);
    assert_string_equal(str_text(&text), "# a note\nA 2\nB[1].x 7\n");
    assert_int_equal(weights_load_own(&again, path, &header->family), OK);
    assert_memory_equal(again.parameters, weights.parameters, 2 * sizeof *weights.parameters);
    weights_free(&again);
    assert_int_equal(weights_load_own(&again, path, &family_maestro), ERR_PARSE);
    testing_path(path, "own.weights");
    assert_int_equal(weights_save(&weights, path), OK);
    assert_int_equal(weights_load_own(&again, path, &header->family), OK);
    assert_memory_equal(again.parameters, weights.parameters, 2 * sizeof *weights.parameters);
    weights_free(&again);
    // Nobody plays with them here.
    assert_int_equal(weights_load(&again, path), ERR_PARSE);
    assert_message("another engine");
    weights_free(&weights);
    str_free(&text);
    discard(&set, header);
}

static void test_limits_on_scores(void **state) {
    (void)state;
    char path[TESTING_PATH];
    MentorSet set;
    CoefficientHeader *header;
    testing_write(path, "limits.txt", dumping_small, strlen(dumping_small));
    assert_int_equal(coefficient_header_load(&header, path), OK);
    MentorSetOptions options = {
        .family = &header->family, .header = header, .limits = {.clamp = 10}};
    assert_int_equal(mentor_set_load(&set, path, &options, pool), OK);
    assert_int_equal(set.totals.used, 1);
    assert_int_equal(set.totals.beyond, 2);
    mentor_set_free(&set);
    options.limits.beyond = MENTOR_CLAMP;
    assert_int_equal(mentor_set_load(&set, path, &options, pool), OK);
    assert_int_equal(set.totals.used, 3);
    assert_int_equal(set.matrix.labels[0], 40);
    mentor_set_free(&set);
    options.limits = (MentorLimits){.clamp = 1};
    assert_int_equal(mentor_set_load(&set, path, &options, pool), ERR_ARG);
    assert_message("3 beyond the limit");
    coefficient_header_destroy(header);
}

// --- refusals ---

#define FIRST  "falconer-coefficients 1\n"
#define HEADER FIRST "label centipawns\nparam A 0 9 1\nparam B -9 9 1\n"

static const struct {
    const char *text;
    int line;
    const char *part;
} bad_texts[] = {
    {"label centipawns\n", 1, "the first line must be 'falconer-coefficients 1'"},
    {"\n" HEADER "1; 0:1\n", 1, "the first line must be"},
    {"falconer-coefficients 2\n", 1, "version 2 of the format"},
    {"falconer-coefficients\n", 1, "expected 'falconer-coefficients 1'"},
    {"falconer-coefficients 1 1\n", 1, "expected"},
    {HEADER, 5, "there are no positions"},
    {FIRST "label centipawns\n1; 0:1\n", 3, "must declare parameters"},
    {FIRST "param A 0 9 1\n1; 0:1\n", 3, "must say 'label centipawns'"},
    {FIRST "label pawns\n", 2, "expected 'label centipawns' or 'label result'"},
    {FIRST "label result now\n", 2, "expected 'label centipawns'"},
    {HEADER "label result\n", 5, "the label was said already"},
    {FIRST "counts 4\ncounts 4\n", 3, "the counts were said already"},
    {FIRST "counts 0\n", 2, "from 1 to 32767"},
    {FIRST "counts 40000\n", 2, "from 1 to 32767"},
    {HEADER "taper 24\n", 5, "'taper' is neither label, counts nor param"},
    {HEADER "param A 0 9 1\n", 5, "A was declared already, as index 0"},
    {HEADER "param C 9 0 1\n", 5, "low bound 9 is above its high bound 0"},
    {HEADER "param C 0 9 10\n", 5, "its default 10 is not from 0 to 9"},
    {HEADER "param C 0 9\n", 5, "expected 'param NAME LOW HIGH DEFAULT'"},
    {HEADER "param C 0 9 1.5\n", 5, "in whole numbers"},
    {HEADER "param C 0 9 1 1\n", 5, "expected 'param NAME LOW HIGH DEFAULT'"},
    {HEADER "param C 0 1000001 1\n", 5, "bounds must be from -1000000 to 1000000"},
    {HEADER "param C,D 0 9 1\n", 5, "'C,D' cannot be a name"},
    {HEADER "param 3 0 9 1\n", 5, "'3' cannot be a name"},
    {HEADER "param family 0 9 1\n", 5, "'family' cannot be a name"},
    {HEADER "param\n", 5, "cannot be a name"},
    {HEADER "param ABCDEFGHIJABCDEFGHIJABCDEFGHIJABCDEFGHIJK 0 9 1\n", 5, "cannot be a name"},
    {HEADER "1; 0:1\n1; 2:1\n", 6, "there is no index '2': the header declares 0 to 1"},
    {HEADER "1; -1:1\n", 5, "there is no index '-1'"},
    {HEADER "1; A:1\n", 5, "there is no index 'A'"},
    {HEADER "1; 0:1 1:2 0:1\n", 5, "index 0 is there twice"},
    {HEADER "1; 0:0 0:1\n", 5, "index 0 is there twice"},
    {HEADER "1; 0:1.5\n", 5, "index 0: '1.5' is no count"},
    {HEADER "1; 0:\n", 5, "index 0: '' is no count"},
    {HEADER "1; 0:32768\n", 5, "from -32767 to 32767"},
    {HEADER "1; 0\n", 5, "'0' is not INDEX:COUNT"},
    {HEADER "1; 0:1; 1:1\n", 5, "'1;' is no count"},
    {HEADER "1; offset:0 offset:1\n", 5, "two offsets"},
    {HEADER "1; offset:30001\n", 5, "must be a whole number from -30000 to 30000"},
    {HEADER "1 0:1\n", 5, "expected 'LABEL; INDEX:COUNT"},
    {HEADER "1.5; 0:1\n", 5, "'1.5' is no label"},
    {HEADER "30001; 0:1\n", 5, "from -30000 to 30000"},
    {HEADER "1-0; 0:1\n", 5, "'1-0' is no label"},
    {HEADER "1; 0:1\nparam C 0 9 1\n", 6, "the header ends where they begin"},
    {FIRST "label result\nparam A 0 9 1\n2; 0:1\n", 4, "'2' is no result"},
    {FIRST "label result\nparam A 0 9 1\n-1; 0:1\n", 4, "'-1' is no result"},
    {FIRST "label centipawns\nparam A 0 1000000 1\n1; 0:32767\n", 4, "more than 32 bits hold"},
};

static void test_bad_input_is_refused_with_its_line(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof bad_texts / sizeof *bad_texts; i++) {
        char path[TESTING_PATH], place[TESTING_PATH + 16];
        MentorSet set;
        CoefficientHeader *header;
        testing_write(path, "bad.txt", bad_texts[i].text, strlen(bad_texts[i].text));
        if (load(path, &set, &header) == OK)
            fail_msg("case %zu: it was read, but: %s", i, bad_texts[i].part);
        snprintf(place, sizeof place, "%s:%d: ", path, bad_texts[i].line);
        assert_message(place);
        assert_message(bad_texts[i].part);
    }
}

static void refuse_problem(const char *words, const char *part) {
    RunConfig config;
    Problem *problem;
    run_config_init(&config);
    mentoring_set(&config, words);
    if (problem_create(&problem, &config, pool) == OK)
        fail_msg("'%s' was taken", words);
    assert_message(part);
    run_config_free(&config);
}

static void test_what_does_not_go_together(void **state) {
    (void)state;
    char path[TESTING_PATH], other[TESTING_PATH], words[3 * TESTING_PATH];
    static const struct {
        const char *text, *part;
    } tests[] = {
        {HEADER "1; 0:1\n", "its header is not that of the training set: counts are in parts of 1"},
        {"falconer-coefficients 1\nlabel result\ncounts 4\nparam A -10 10 2\n1; 0:1\n",
         "labels are result, not centipawns"},
        {"falconer-coefficients 1\nlabel centipawns\ncounts 4\nparam A -10 10 2\n1; 0:1\n",
         "there are 1 parameters, not 2"},
        {"falconer-coefficients 1\nlabel centipawns\ncounts 4\nparam A -10 10 2\nparam C 0 1000 "
         "1\n1; 0:1\n",
         "parameter 1 is C from 0 to 1000, not B[1].x"},
    };
    testing_write(path, "train.txt", dumping_small, strlen(dumping_small));
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
        testing_write(other, "test.txt", tests[i].text, strlen(tests[i].text));
        snprintf(words, sizeof words, "family coefficients chromosome gray data %s test %s", path,
                 other);
        refuse_problem(words, tests[i].part);
    }
    static const char *const settings[][2] = {
        {"family maestro", "these are coefficients of another engine"},
        {"family coefficients", "gray, binary and real go with any"},
        {"family coefficients chromosome gray tempo yes", "tempo needs positions"},
        {"family coefficients chromosome gray quiet-only yes", "quiet-only needs positions"},
        {"family coefficients chromosome gray resolve yes", "resolve needs positions"},
        {"family coefficients chromosome gray fitness moves", "fitness must be mentor"},
        {"family coefficients chromosome gray fitness games", "fitness must be mentor"},
        {"family coefficients chromosome gray only C", "there is no parameter 'C'"},
    };
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        snprintf(words, sizeof words, "%s data %s", settings[i][0], path);
        refuse_problem(words, settings[i][1]);
    }
    snprintf(words, sizeof words, "family coefficients chromosome gray data %s,%s", path, path);
    refuse_problem(words, "are learned from one file");
    static const char results[] = FIRST "label result\nparam A 0 9 1\n1; 0:1\n";
    testing_write(path, "results.txt", results, strlen(results));
    snprintf(words, sizeof words, "family coefficients chromosome gray data %s", path);
    refuse_problem(words, "falconer tune");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scores_are_the_engine_s),
        cmocka_unit_test(test_same_errors_and_optimum_as_from_positions),
        cmocka_unit_test(test_how_it_is_written_changes_nothing),
        cmocka_unit_test(test_results_are_half_points),
        cmocka_unit_test(test_values_come_back_in_order),
        cmocka_unit_test(test_limits_on_scores),
        cmocka_unit_test(test_bad_input_is_refused_with_its_line),
        cmocka_unit_test(test_what_does_not_go_together),
    };
    return cmocka_run_group_tests(tests, pooled_set_up, pooled_tear_down);
}
