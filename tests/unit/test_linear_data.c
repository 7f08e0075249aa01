// SPDX-License-Identifier: GPL-3.0-or-later
#include "pooled.h"

#include "fitness/linear/linear_data.h"
#include "fitness/linear/linear_slope.h"
#include "mentoring.h"

#include <limits.h>
#include <math.h>

static const char start[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

static Status read_text(LinearPair *pair, const char *text, const LinearDataOptions *options) {
    char path[TESTING_PATH];
    testing_write(path, "set.epd", text, strlen(text));
    linear_pair_init(pair, options->family);
    return linear_pair_read(pair, path, options, pool);
}

// The score of a set's position is the family's own, for White, and so is the mentor's.
static void test_scores_are_those_of_the_family(void **state) {
    (void)state;
    char path[TESTING_PATH];
    mentoring_write(path, "many.epd", 400, 0, 3);
    for (size_t f = 0; families[f] != NULL; f++) {
        const Family *family = families[f];
        const LinearDataOptions options = {.family = family, .needs_scores = true};
        int32_t whole[COEFFICIENTS_MAX];
        double coefficients[COEFFICIENTS_MAX];
        LinearPair pair;
        linear_pair_init(&pair, family);
        assert_int_equal(linear_pair_read(&pair, path, &options, pool), OK);
        assert_int_equal(pair.training.set.count, 400);
        family_start(family, whole);
        for (size_t i = 0; i < family->coefficient_count; i++)
            coefficients[i] = whole[i];
        float *scores = malloc(400 * sizeof *scores);
        assert_int_equal(linear_scores(&pair.training.set, coefficients, pool, scores), OK);
        Str text = {0};
        assert_int_equal(file_read(path, 1 << 20, &text), OK);
        StrView rest = view_of(str_text(&text), text.length);
        for (size_t i = 0; i < 400; i++) {
            Epd epd = {0};
            const char *end = memchr(rest.text, '\n', rest.length);
            const size_t length = (size_t)(end - rest.text);
            int64_t label;
            assert_int_equal(epd_parse(&epd, view_of(rest.text, length)), OK);
            assert_true(epd_get_int(&epd, "ce", &label));
            const int64_t sign = position_turn(&epd.pos) == WHITE ? 1 : -1;
            const double expected =
                (double)family->score(&epd.pos, whole, NULL) / (double)family->scale;
            assert_true(fabs(expected - (double)scores[i]) < 0.01);
            assert_int_equal((int64_t)pair.training.scores[i], sign * label);
            rest = view_of(end + 1, rest.length - length - 1);
            epd_free(&epd);
        }
        str_free(&text);
        free(scores);
        linear_pair_free(&pair);
    }
}

static void test_results_and_what_lacks_them(void **state) {
    (void)state;
    char text[1024];
    const LinearDataOptions options = {.family = &family_falcon, .needs_results = true};
    LinearPair pair;
    snprintf(text, sizeof text,
             "# a comment\n%s w KQkq - c9 \"1-0\";\n%s b KQkq - c9 \"0-1\";\n\n"
             "%s w KQkq - c9 \"1/2-1/2\";\n%s w KQkq - c9 \"*\";\n%s w KQkq - ce 12;\n",
             start, start, start, start, start);
    assert_int_equal(read_text(&pair, text, &options), OK);
    const float expected[] = {1, 0, 0.5f};
    assert_int_equal(pair.totals.lines, 5);
    assert_int_equal(pair.totals.no_result, 2);
    assert_int_equal(pair.training.set.count, 3);
    assert_memory_equal(pair.training.results, expected, sizeof expected);
    Str words = {0};
    mentor_totals_describe(&pair.totals, &options.limits, &words);
    assert_string_equal(str_text(&words), "3 of 5 positions used, 2 without a result");
    str_free(&words);
    linear_pair_free(&pair);
}

static void test_bad_positions_are_refused_with_their_place(void **state) {
    (void)state;
    char text[1024];
    LinearDataOptions options = {.family = &family_falcon, .needs_results = true};
    LinearPair pair;
    snprintf(text, sizeof text, "%s w KQkq - c9 \"1-0\";\n%s w KQkq - c9 \"2-0\";\n", start, start);
    assert_int_equal(read_text(&pair, text, &options), ERR_PARSE);
    assert_message("set.epd:2: `c9` is '2-0'");
    linear_pair_free(&pair);
    snprintf(text, sizeof text, "%s w KQkq - ce 1;\n", start);
    assert_int_equal(read_text(&pair, text, &options), ERR_ARG);
    assert_message("none of the 1 positions has a result");
    linear_pair_free(&pair);
    options = (LinearDataOptions){.family = &family_falcon, .needs_scores = true};
    snprintf(text, sizeof text, "%s w KQkq - ce 32000; dm 9;\n", start);
    assert_int_equal(read_text(&pair, text, &options), ERR_ARG);
    assert_message("no position is left of 1 (0 without a score, 1 mates");
    linear_pair_free(&pair);
    snprintf(text, sizeof text, "%s w KQkq - ce 32000;\n%s w KQkq - ce 9999; dm 3;\n", start,
             start);
    assert_int_equal(read_text(&pair, text, &options), OK);
    assert_int_equal(pair.totals.mates, 1);
    assert_int_equal((int)pair.training.scores[0], 32000);
    linear_pair_free(&pair);
    options.limits.mates = MENTOR_CLAMP;
    assert_int_equal(read_text(&pair, text, &options), ERR_ARG);
    linear_pair_free(&pair);
}

static void test_what_is_held_out_depends_on_the_position_and_the_seed(void **state) {
    (void)state;
    char path[TESTING_PATH];
    size_t counts[2];
    mentoring_write(path, "many.epd", 1000, 0, 4);
    for (uint64_t seed = 0; seed < 2; seed++) {
        const LinearDataOptions options = {
            .family = &family_maestro, .needs_scores = true, .holdout = {0.2, seed}};
        LinearPair pair;
        linear_pair_init(&pair, options.family);
        // The same file twice: copies are on the same side.
        assert_int_equal(linear_pair_read(&pair, path, &options, pool), OK);
        counts[seed] = pair.held_out.set.count;
        assert_int_equal(pair.training.set.count + counts[seed], 1000);
        assert_int_equal(linear_pair_read(&pair, path, &options, pool), OK);
        assert_int_equal(pair.held_out.set.count, 2 * counts[seed]);
        assert_int_equal(pair.totals.used, 2000);
        assert_true(counts[seed] > 140 && counts[seed] < 260);
        linear_pair_free(&pair);
    }
    assert_int_not_equal(counts[0], counts[1]);
}

static uint64_t game_of(const char *operations, unsigned *ply) {
    char line[200];
    Epd epd = {0};
    snprintf(line, sizeof line, "%s w KQkq - %s", start, operations);
    assert_int_equal(epd_parse(&epd, view_of(line, strlen(line))), OK);
    const uint64_t game = linear_game_of(&epd, ply);
    epd_free(&epd);
    return game;
}

static void test_id_names_the_game_and_the_ply(void **state) {
    (void)state;
    unsigned ply;
    const uint64_t alone = game_of("ce 1;", &ply);
    assert_int_equal(ply, UINT_MAX);
    const uint64_t game = game_of("id \"A - B, ply 31\";", &ply);
    assert_int_equal(ply, 31);
    assert_true(game != alone);
    assert_true(game_of("id \"A - B, ply 4\";", &ply) == game);
    assert_int_equal(ply, 4);
    assert_true(game_of("id \"A - C, ply 4\";", &ply) != game);
    // The last mark counts; what is no number is no mark.
    assert_true(game_of("id \"A, ply 3, ply 5\";", &ply) != game_of("id \"A, ply 5\";", &ply));
    static const char *const unnamed[] = {"id \"A - B\";", "id \"A, ply x\";", "id \"A, ply 3x\";",
                                          "id \", ply \";", "id \"A, ply 99999999999\";"};
    for (size_t i = 0; i < sizeof unnamed / sizeof *unnamed; i++) {
        game_of(unnamed[i], &ply);
        assert_int_equal(ply, UINT_MAX);
    }
}

static void test_c8_names_the_game(void **state) {
    (void)state;
    unsigned ply;
    const uint64_t game = game_of("c8 \"01ab\"; id \"A - B, ply 31\";", &ply);
    assert_int_equal(ply, 31);
    assert_true(game_of("c8 \"01ab\"; id \"B - A, ply 4\";", &ply) == game);
    assert_true(game_of("c8 \"01ac\"; id \"A - B, ply 31\";", &ply) != game);
    assert_true(game_of("c8 \"01ab\";", &ply) == game);
    assert_int_equal(ply, UINT_MAX);
}

static void test_openings_and_mates_are_left_out(void **state) {
    (void)state;
    const LinearDataOptions options = {
        .family = &family_maestro, .needs_results = true, .skips_mates = true, .skip_plies = 16};
    char text[1024];
    LinearPair pair;
    snprintf(text, sizeof text,
             "%s w KQkq - c9 \"1-0\"; id \"A, ply 15\";\n"
             "%s w KQkq - c9 \"1-0\"; id \"A, ply 16\";\n"
             "%s w KQkq - c9 \"1-0\"; dm 7;\n"
             "7k/8/6K1/8/8/8/8/R7 w - - c9 \"1-0\";\n",
             start, start, start);
    assert_int_equal(read_text(&pair, text, &options), OK);
    assert_int_equal(pair.totals.early, 1);
    assert_int_equal(pair.totals.mates, 2);
    assert_int_equal(pair.training.set.count, 1);
    linear_pair_free(&pair);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scores_are_those_of_the_family),
        cmocka_unit_test(test_results_and_what_lacks_them),
        cmocka_unit_test(test_bad_positions_are_refused_with_their_place),
        cmocka_unit_test(test_id_names_the_game_and_the_ply),
        cmocka_unit_test(test_c8_names_the_game),
        cmocka_unit_test(test_openings_and_mates_are_left_out),
        cmocka_unit_test(test_what_is_held_out_depends_on_the_position_and_the_seed),
    };
    return cmocka_run_group_tests(tests, pooled_set_up, pooled_tear_down);
}
