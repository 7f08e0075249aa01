// SPDX-License-Identifier: GPL-3.0-or-later
// Labelled sets: what becomes of each line, and that rows are what Eyas scores by.
#include "fitness/linear/mentor_set.h"
#include "mentoring.h"

static const MentorSetOptions plain = {.family = &family_maestro};

static Status load(MentorSet *set, const char *path, const MentorSetOptions *options, int threads) {
    DistPool *pool = dist_pool_new(threads);
    const Status status = mentor_set_load(set, path, options, pool);
    dist_pool_free(pool);
    return status;
}

static void load_text(MentorSet *set, const char *text, const MentorSetOptions *options) {
    char path[TESTING_PATH];
    testing_write(path, "hand.epd", text, strlen(text));
    if (load(set, path, options, 1) != OK)
        fail_msg("%s", error_message());
}

static Status load_bad(const char *text, const MentorSetOptions *options) {
    char path[TESTING_PATH];
    MentorSet set;
    testing_write(path, "bad.epd", text, strlen(text));
    return load(&set, path, options, 2);
}

static void assert_same(const MentorSet *a, const MentorSet *b) {
    assert_int_equal(a->hash, b->hash);
    assert_memory_equal(&a->totals, &b->totals, sizeof a->totals);
    assert_int_equal(a->matrix.count, b->matrix.count);
    for (size_t i = 0; i < a->matrix.count; i++) {
        assert_int_equal(a->matrix.labels[i], b->matrix.labels[i]);
        for (size_t term = 0; term < a->matrix.terms; term++)
            assert_int_equal(counts_at(&a->matrix, i, term), counts_at(&b->matrix, i, term));
    }
}

// --- properties ---

static void test_rows_times_coefficients_are_eyas_scores(void **state) {
    (void)state;
    Rng rng = rng_at(1, 0, 0, 0);
    Weights weights;
    PgnGame game = {0};
    const MentorSetOptions with_tempo = {.family = &family_maestro, .tempo = true};
    weights_init(&weights, &family_maestro);
    Evaluator *evaluator = evaluator_create(&weights, true);
    for (int i = 0; i < 300; i++) {
        int16_t row[COEFFICIENTS_MAX + 1];
        int coefficients[COEFFICIENTS_MAX + 1], score = 0;
        for (size_t term = 0; term < family_maestro.term_count; term++) {
            const Term *is = &family_maestro.terms[term];
            weights.parameters[term] =
                is->low + (int)rng_below(&rng, (uint32_t)(is->high - is->low + 1));
        }
        evaluator_set_weights(evaluator, &weights);
        testing_random_game(&game, &rng, rng_below(&rng, 80));
        family_expand(&family_maestro, weights.parameters, coefficients);
        mentor_row(&with_tempo, &game.final, row);
        for (size_t j = 0; j < family_maestro.coefficient_count; j++)
            score += row[j] * coefficients[j];
        assert_int_equal(row[family_maestro.coefficient_count], 1);
        if (abs(score) < EVAL_LIMIT)
            assert_int_equal(score, evaluator_score(evaluator, &game.final));
    }
    evaluator_destroy(evaluator);
    pgn_game_free(&game);
    weights_free(&weights);
}

// Shares and all: of tapered families too.
static void test_rows_times_coefficients_are_scores_of_every_family(void **state) {
    (void)state;
    Rng rng = rng_at(9, 0, 0, 0);
    PgnGame game = {0};
    for (int i = 0; i < 400; i++) {
        const Family *family = families[i % 4];
        const MentorSetOptions options = {.family = family, .tempo = true};
        int16_t row[COEFFICIENTS_MAX + 1];
        int parameters[TERMS_MAX], coefficients[COEFFICIENTS_MAX];
        int64_t dot = 0;
        family_randomize(family, &rng, parameters);
        family_expand(family, parameters, coefficients);
        testing_random_game(&game, &rng, rng_below(&rng, 160));
        const Position *pos = &game.final;
        assert_true(mentor_row(&options, pos, row));
        for (size_t j = 0; j < family->coefficient_count; j++)
            dot += row[j] * coefficients[j];
        const int sign = position_turn(pos) == WHITE ? 1 : -1;
        assert_int_equal(dot, sign * family->score(pos, coefficients, NULL));
        assert_int_equal(row[family->coefficient_count] * family->unit, family->scale);
    }
    assert_null(families[4]);
    pgn_game_free(&game);
}

static void test_rows_and_labels_are_the_file_s(void **state) {
    (void)state;
    char path[TESTING_PATH];
    MentorSet set;
    Weights weights;
    mentoring_write(path, "exact.epd", 300, 0, 2);
    assert_int_equal(load(&set, path, &plain, 2), OK);
    assert_int_equal(set.matrix.count, 300);
    assert_int_equal(weights_load(&weights, "weights/maestro-gecco2008.weights"), OK);
    int coefficients[COEFFICIENTS_MAX];
    family_expand(weights.family, weights.parameters, coefficients);
    for (size_t i = 0; i < set.matrix.count; i++) {
        int score = 0;
        for (size_t term = 0; term < set.matrix.terms; term++)
            score += counts_at(&set.matrix, i, term) * coefficients[term];
        assert_int_equal(score, set.matrix.labels[i]);
    }
    weights_free(&weights);
    mentor_set_free(&set);
}

static void test_threads_and_packing_change_nothing(void **state) {
    (void)state;
    char path[TESTING_PATH], packed[TESTING_PATH];
    Str part = {0}, text = {0};
    mentoring_write(path, "part.epd", 500, 300, 3);
    assert_int_equal(file_read(path, 1 << 24, &part), OK);
    for (int i = 0; i < 18; i++) // more than one batch
        str_append(&text, part.text, part.length);
    testing_write(path, "many.epd", text.text, text.length);
    testing_write(packed, "many.epd.zst", text.text, text.length);
    const MentorSetOptions options = {.family = &family_maestro,
                                      .tempo = true,
                                      .quiet_only = true,
                                      .limits = {.clamp = 400, .beyond = MENTOR_CLAMP}};
    MentorSet one, other;
    assert_int_equal(load(&one, path, &options, 1), OK);
    assert_int_equal(one.totals.lines, 9000);
    assert_int_equal(one.totals.used + one.totals.not_quiet, 9000);
    assert_true(one.totals.not_quiet > 0 && one.totals.beyond > 0);
    for (int threads = 2; threads <= 7; threads += 5) {
        assert_int_equal(load(&other, path, &options, threads), OK);
        assert_same(&one, &other);
        mentor_set_free(&other);
    }
    assert_int_equal(load(&other, packed, &options, 2), OK);
    assert_same(&one, &other);
    mentor_set_free(&other);
    mentor_set_free(&one);
    str_free(&part);
    str_free(&text);
}

// --- hand-made lines ---

#define BARE "4k3/8/8/8/8/8/4P3/4K3"
static const char scores[] =
    BARE " w - - ce 100;\n" BARE " b - - ce -150;\n" BARE " w - - ce 900;\n" BARE
         " w - - ce -900;\n" BARE " w - - ce 32760; dm 4;\n" BARE " w - - ce -32761; dm -3;\n" BARE
         " w - - ce 99999999999;\n" BARE " w - - ;\n\n# a remark\n";

static void test_without_a_limit_only_mates_go(void **state) {
    (void)state;
    MentorSet set;
    load_text(&set, scores, &plain);
    const MentorTotals expected = {.lines = 8, .used = 4, .unlabelled = 1, .mates = 2, .beyond = 1};
    assert_memory_equal(&set.totals, &expected, sizeof expected);
    assert_int_equal(set.matrix.labels[3], -900);
    mentor_set_free(&set);
}

static void test_beyond_the_limit_is_dropped_or_clamped(void **state) {
    (void)state;
    MentorSet set;
    MentorSetOptions options = {.family = &family_maestro, .limits = {.clamp = 500}};
    load_text(&set, scores, &options);
    const MentorTotals dropped = {.lines = 8, .used = 2, .unlabelled = 1, .mates = 2, .beyond = 3};
    assert_memory_equal(&set.totals, &dropped, sizeof dropped);
    mentor_set_free(&set);

    options.limits.beyond = MENTOR_CLAMP;
    options.limits.mates = MENTOR_CLAMP;
    load_text(&set, scores, &options);
    const MentorTotals clamped = {.lines = 8, .used = 7, .unlabelled = 1, .mates = 2, .beyond = 3};
    const int32_t labels[] = {100, -150, 500, -500, 500, -500, 500};
    assert_memory_equal(&set.totals, &clamped, sizeof clamped);
    assert_memory_equal(set.matrix.labels, labels, sizeof labels);
    Str text = {0};
    mentor_set_describe(&set, &text);
    assert_string_equal(str_text(&text), "7 of 8 positions used, 1 without a score, 2 mates "
                                         "clamped, 3 beyond the limit clamped");
    str_free(&text);
    mentor_set_free(&set);
}

static void test_a_score_at_the_limit_stands(void **state) {
    (void)state;
    MentorSet set;
    const MentorSetOptions options = {.family = &family_maestro, .limits = {.clamp = 900}};
    load_text(&set, scores, &options);
    assert_int_equal(set.totals.used, 4);
    assert_int_equal(set.totals.beyond, 1); // what no learner can use
    mentor_set_free(&set);
}

// `dm` makes a mate, and nothing else does.
static void test_mates_are_told_by_dm_alone(void **state) {
    (void)state;
    static const char text[] =
        BARE " w - - ce 31500;\n" BARE " b - - ce -32767;\n" BARE " w - - ce 9999; dm 3;\n" BARE
             " w - - ce -5; dm 2;\n" BARE " w - - ce 0; dm -2147483648;\n" BARE
             " w - - ce -32767; dm 0;\n" BARE " w - - ce 1000000;\n" BARE
             " w - - ce -1000001;\n" BARE " w - - ce 4294967297;\n";
    MentorSet set;
    load_text(&set, text, &plain);
    const MentorTotals dropped = {.lines = 9, .used = 3, .mates = 4, .beyond = 2};
    const int32_t scores_used[] = {31500, -32767, 1000000};
    assert_memory_equal(&set.totals, &dropped, sizeof dropped);
    assert_memory_equal(set.matrix.labels, scores_used, sizeof scores_used);
    mentor_set_free(&set);

    const MentorSetOptions options = {
        .family = &family_maestro,
        .limits = {.clamp = 700, .beyond = MENTOR_DROP, .mates = MENTOR_CLAMP}};
    load_text(&set, text, &options);
    const int32_t mates[] = {700, 700, -700, -700};
    assert_int_equal(set.totals.used, 4);
    assert_int_equal(set.totals.beyond, 5);
    assert_memory_equal(set.matrix.labels, mates, sizeof mates);
    mentor_set_free(&set);
}

static void test_only_quiet_positions(void **state) {
    (void)state;
    static const struct {
        const char *line;
        bool is_quiet;
    } cases[] = {
        {"4k3/8/8/3q4/4P3/8/8/4K3 w - - ce 1;", false},  // the mover takes the queen
        {"4k3/8/8/3q4/4P3/8/8/4K3 b - - ce 1;", false},  // the queen takes, or is taken
        {"4k3/8/8/8/8/8/4r3/4K3 w - - ce 1;", false},    // in check
        {"4k3/8/4p3/3p4/8/8/3R4/4K3 w - - ce 1;", true}, // the rook would be lost for a pawn
        {"4k3/8/8/3p4/8/8/3R4/4K3 w - - ce 1;", false},  // nobody guards the pawn
        {"4k3/P7/8/8/8/8/8/4K3 w - - ce 1;", false},     // promotes
        {"4k3/8/8/8/8/8/4P3/4K3 b - - ce 1;", true},
    };
    const MentorSetOptions options = {.family = &family_maestro, .quiet_only = true};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[256];
        MentorSet set;
        snprintf(text, sizeof text, "%s\n" BARE " w - - ce 5;\n", cases[i].line);
        load_text(&set, text, &options);
        if (set.totals.not_quiet == cases[i].is_quiet)
            fail_msg("%s", cases[i].line);
        mentor_set_free(&set);
    }
}

static void test_sides_see_the_same_position_from_both_ends(void **state) {
    (void)state;
    MentorSet set;
    load_text(&set, BARE " w - - ce 1;\r\n" BARE " b - - ce 1;", &plain);
    assert_int_equal(set.matrix.count, 2);
    assert_int_equal(counts_at(&set.matrix, 0, 0), 1);
    for (size_t term = 0; term < set.matrix.terms; term++)
        assert_int_equal(counts_at(&set.matrix, 0, term), -counts_at(&set.matrix, 1, term));
    mentor_set_free(&set);
}

static void test_bad_lines_name_file_and_line(void **state) {
    (void)state;
    assert_int_equal(load_bad(BARE " w - - ce 1;\n\n4k3/9 w - - ce 1;\n" BARE " x", &plain),
                     ERR_PARSE);
    assert_message("bad.epd:3: ");
    assert_int_equal(load_bad(BARE " w - - ce one;\n", &plain), ERR_PARSE);
    assert_message("bad.epd:1: ");
    assert_int_equal(load_bad(BARE " w - - ce 1; bm e2e5;\n", &plain), ERR_PARSE);
    MentorSet set;
    assert_int_not_equal(load(&set, "/no/such/set.epd", &plain, 1), OK);
    assert_message("/no/such/set.epd");
}

static void test_sets_of_which_nothing_is_left(void **state) {
    (void)state;
    assert_int_not_equal(load_bad("", &plain), OK);
    assert_int_equal(load_bad("\n# nothing\n", &plain), ERR_ARG);
    assert_int_equal(load_bad(BARE " w - - ;\n" BARE " b - - ;\n", &plain), ERR_ARG);
    assert_message("none of the 2 positions has a score");
    assert_message("falconer label");
    assert_int_equal(load_bad(BARE " w - - ;\n" BARE " b - - ce 32760; dm 4;\n", &plain), ERR_ARG);
    assert_message("no position is left of 2 (1 without a score, 1 mates");
    const MentorSetOptions unlimited = {.family = &family_maestro,
                                        .limits = {.mates = MENTOR_CLAMP}};
    assert_int_equal(load_bad(scores, &unlimited), ERR_ARG);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_times_coefficients_are_eyas_scores),
        cmocka_unit_test(test_rows_times_coefficients_are_scores_of_every_family),
        cmocka_unit_test(test_rows_and_labels_are_the_file_s),
        cmocka_unit_test(test_threads_and_packing_change_nothing),
        cmocka_unit_test(test_without_a_limit_only_mates_go),
        cmocka_unit_test(test_beyond_the_limit_is_dropped_or_clamped),
        cmocka_unit_test(test_a_score_at_the_limit_stands),
        cmocka_unit_test(test_mates_are_told_by_dm_alone),
        cmocka_unit_test(test_only_quiet_positions),
        cmocka_unit_test(test_sides_see_the_same_position_from_both_ends),
        cmocka_unit_test(test_bad_lines_name_file_and_line),
        cmocka_unit_test(test_sets_of_which_nothing_is_left),
    };
    return cmocka_run_group_tests(tests, testing_set_up, testing_tear_down);
}
