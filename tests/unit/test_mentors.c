// SPDX-License-Identifier: GPL-3.0-or-later
// Several mentors: the same positions or nothing, fitness by the worst, by the mean and as a front
// against plain sums over all weights, and runs that do not depend on threads or stops.
#include "optimum/front.h"
#include "running.h"
#include "sized.h"

#include <math.h>

// A set of random positions as several mentors would score them: each Fig. 3's weights times a
// scale, off by up to 60 centipawns.
static void write_mentors(const char *name, size_t mentors, size_t count, uint32_t seed) {
    static const double scales[] = {0.8, 1, 1.3};
    char path[TESTING_PATH], file[64];
    Weights weights;
    assert_int_equal(weights_load(&weights, "weights/maestro-gecco2008.weights"), OK);
    Evaluator *evaluator = evaluator_create(&weights, false);
    for (size_t m = 0; m < mentors; m++) {
        Rng rng = rng_at(seed, 3, 0, 0), noise = rng_at(seed, 4, (uint32_t)m, 0);
        PgnGame game = {0};
        Str text = {0};
        for (size_t i = 0; i < count; i++) {
            testing_random_game(&game, &rng, 5 + rng_below(&rng, 60));
            Epd epd = {.pos = game.final};
            const int score = evaluator_score(evaluator, &epd.pos) + (int)rng_below(&noise, 121);
            assert_int_equal(epd_set_int(&epd, "ce", (int)lround(scales[m] * (score - 60))), OK);
            epd_write(&epd, &text);
            str_add(&text, "\n");
            epd_free(&epd);
        }
        snprintf(file, sizeof file, "%s-%zu.epd", name, m + 1);
        testing_write(path, file, str_text(&text), text.length);
        pgn_game_free(&game);
        str_free(&text);
    }
    evaluator_destroy(evaluator);
    weights_free(&weights);
}

static void list_files(const char *name, size_t mentors, Str *out) {
    str_clear(out);
    for (size_t m = 0; m < mentors; m++)
        str_addf(out, "%s%s/%s-%zu.epd", m == 0 ? "" : ",", testing_directory, name, m + 1);
}

static Status open_problem(Problem **out, RunConfig *config, const char *name, size_t mentors,
                           const char *words, DistPool *pool) {
    Str list = {0};
    list_files(name, mentors, &list);
    run_config_init(config);
    assert_int_equal(run_config_set(config, "data", str_text(&list)), OK);
    mentoring_set(config, words);
    str_free(&list);
    return problem_create(out, config, pool);
}

static double figure_of(Problem *problem, const double *parameters) {
    int64_t score;
    assert_int_equal(problem_judge(problem, SET_TRAINING, parameters, 1, &score), OK);
    return problem_figure(problem, (double)score, problem_size(problem, SET_TRAINING));
}

static void draw(const EvolveSpace *space, Rng *rng, double *out) {
    for (size_t i = 0; i < space->count; i++) {
        const EvolveParameter *is = &space->parameters[i];
        out[i] = is->low + rng_below(rng, (uint32_t)(is->high - is->low) + 1);
    }
}

// --- figures ---

static void test_figures_are_those_of_the_mentors(void **state) {
    (void)state;
    static const char *const ways[] = {"mean", "worst", "front"};
    DistPool *pool = dist_pool_new(2);
    Rng rng = rng_at(1, 0, 0, 0);
    write_mentors("figures", 3, 150, 1);
    for (size_t i = 0; i < 3; i++) {
        char words[128];
        RunConfig config;
        Problem *problem;
        double parameters[TERMS_MAX + 1];
        snprintf(words, sizeof words, "mentors-target fitted mentors-fitness %s", ways[i]);
        assert_int_equal(open_problem(&problem, &config, "figures", 3, words, pool), OK);
        for (int repeat = 0; repeat < 20; repeat++) {
            double sum = 0, worst = 0;
            draw(problem_space(problem), &rng, parameters);
            for (size_t m = 0; m < 3; m++) {
                double error;
                assert_int_equal(mentor_data_judge(problem, SET_TRAINING, m, parameters, &error),
                                 OK);
                sum += error;
                worst = fmax(worst, error);
            }
            const double expected = i == 1 ? worst : sum / 3;
            assert_true(fabs(figure_of(problem, parameters) - expected) < 1e-6);
        }
        problem_destroy(problem);
        run_config_free(&config);
    }
    dist_pool_free(pool);
}

// A mentor alone and three times the same mentor are one.
static void test_equal_mentors_are_one(void **state) {
    (void)state;
    static const char *const ways[] = {"target", "mean", "worst"};
    DistPool *pool = dist_pool_new(1);
    Rng rng = rng_at(2, 0, 0, 0);
    Str list = {0};
    write_mentors("equal", 1, 100, 2);
    str_addf(&list, "%s/equal-1.epd,%s/equal-1.epd,%s/equal-1.epd", testing_directory,
             testing_directory, testing_directory);
    for (size_t i = 0; i < 3; i++) {
        RunConfig alone_config, config;
        Problem *alone, *problem;
        double parameters[TERMS_MAX + 1];
        assert_int_equal(open_problem(&alone, &alone_config, "equal", 1, "", pool), OK);
        run_config_init(&config);
        assert_int_equal(run_config_set(&config, "data", str_text(&list)), OK);
        assert_int_equal(run_config_set(&config, "mentors-fitness", ways[i]), OK);
        assert_int_equal(problem_create(&problem, &config, pool), OK);
        for (int repeat = 0; repeat < 20; repeat++) {
            draw(problem_space(problem), &rng, parameters);
            assert_true(fabs(figure_of(alone, parameters) - figure_of(problem, parameters)) < 1e-9);
        }
        problem_destroy(alone);
        problem_destroy(problem);
        run_config_free(&alone_config);
        run_config_free(&config);
    }
    str_free(&list);
    dist_pool_free(pool);
}

// --- limits against all weights there are ---

// Two weights of few values: every organism can be tried.
static const char few[] =
    "only PAWN_VALUE,KNIGHT_VALUE bounds PAWN_VALUE:60:110,KNIGHT_VALUE:250:340 ";

static void take_values(const EvolveSpace *space, int pawn, int knight, double *out) {
    for (size_t i = 0; i < space->count; i++)
        out[i] = space->parameters[i].low;
    out[0] = pawn;
    out[1] = knight;
}

static void test_limits_are_below_all_weights(void **state) {
    (void)state;
    static const char *const ways[] = {"target", "mean", "worst"};
    DistPool *pool = dist_pool_new(1);
    write_mentors("limits", 3, 120, 3);
    for (size_t i = 0; i < 3; i++) {
        char words[256];
        RunConfig config;
        Problem *problem;
        CertifiedOptimum optimum;
        double parameters[TERMS_MAX + 1], least = INFINITY;
        snprintf(words, sizeof words, "%s mentors-fitness %s", few, ways[i]);
        assert_int_equal(open_problem(&problem, &config, "limits", 3, words, pool), OK);
        if (mentoring_optimum(problem, &optimum) != OK)
            fail_msg("%s", error_message());
        for (int pawn = 60; pawn <= 110; pawn++)
            for (int knight = 250; knight <= 340; knight++) {
                take_values(problem_space(problem), pawn, knight, parameters);
                least = fmin(least, figure_of(problem, parameters));
            }
        // Real weights do no worse than whole ones, and the bound is as good as they are.
        assert_true(certified_bound(&optimum) <= certified_error(&optimum) + 1e-9);
        assert_true(certified_error(&optimum) <= least + 1e-3);
        assert_true(certified_error(&optimum) - certified_bound(&optimum) < 1e-3 * least);
        assert_true(certified_whole_error(&optimum) >= least - 1e-9);
        assert_true(certified_whole_error(&optimum) <= least * 1.005);
        certified_free(&optimum);
        problem_destroy(problem);
        run_config_free(&config);
    }
    dist_pool_free(pool);
}

// No organism at all is better by every mentor than a point of the front.
static void test_the_front_is_one(void **state) {
    (void)state;
    for (size_t mentors = 2; mentors <= 3; mentors++) {
        char words[256];
        RunConfig config;
        Problem *problem;
        MentorData panel;
        Front front, again;
        double errors[MENTORS_MAX], parameters[TERMS_MAX + 1];
        DistPool *pool = dist_pool_new(3);
        write_mentors("front", mentors, 80, 4);
        snprintf(words, sizeof words, "%s mentors-fitness front", few);
        assert_int_equal(open_problem(&problem, &config, "front", mentors, words, pool), OK);
        assert_true(mentor_data_of_several(problem, SET_TRAINING, &panel));
        if (front_trace(&panel, &front) != OK)
            fail_msg("%s", error_message());
        assert_int_equal(front.tried, 21);
        assert_true(front.count > 1 && front.count <= front.tried);
        for (int pawn = 60; pawn <= 110; pawn += SIZED(1, 5))
            for (int knight = 250; knight <= 340; knight += SIZED(1, 5)) {
                take_values(problem_space(problem), pawn, knight, parameters);
                mentors_errors(&panel, parameters, errors);
                for (size_t i = 0; i < front.count; i++) {
                    // The mixture's error is within a rounding of weights of the least.
                    double mixed = 0, point = 0;
                    for (size_t m = 0; m < mentors; m++) {
                        mixed += front.points[i].shares[m] * errors[m] / 80;
                        point += front.points[i].shares[m] * front.points[i].errors[m];
                    }
                    assert_true(mixed >= point * 0.999);
                }
            }
        panel.pool = dist_pool_new(1);
        assert_int_equal(front_trace(&panel, &again), OK);
        assert_int_equal(front.count, again.count);
        for (size_t i = 0; i < front.count; i++) {
            assert_memory_equal(front.points[i].errors, again.points[i].errors, sizeof errors);
            assert_true(i == 0 || front.points[i].errors[0] >= front.points[i - 1].errors[0]);
        }
        front_free(&front);
        front_free(&again);
        problem_destroy(problem);
        run_config_free(&config);
        dist_pool_free(panel.pool);
        dist_pool_free(pool);
    }
}

// --- sets that do not go together ---

static void refuse(const char *first, const char *second, const char *message) {
    char a[TESTING_PATH], b[TESTING_PATH];
    const MentorSetOptions options = {.family = &family_maestro};
    MentorSet set;
    DistPool *pool = dist_pool_new(2);
    testing_write(a, "a.epd", first, strlen(first));
    testing_write(b, "b.epd", second, strlen(second));
    const char *const paths[] = {a, b};
    assert_int_equal(mentor_set_load_all(&set, paths, 2, &options, pool), ERR_ARG);
    assert_message(message);
    dist_pool_free(pool);
}

#define ONE   "4k3/8/8/8/8/8/4P3/4K3 w - - "
#define TWO   "4k3/8/8/8/8/8/3P4/4K3 w - - "
#define THREE "4k3/8/8/8/8/8/3P4/4K3 b - - "

static void test_other_positions_are_refused(void **state) {
    (void)state;
    refuse(ONE "ce 1;\n" TWO "ce 2;\n", ONE "ce 1;\n# remark\n" THREE "ce 2;\n",
           "b.epd:3: this is not the position of ");
    refuse(ONE "ce 1;\n\n" TWO "ce 2;\n", TWO "ce 1;\n" ONE "ce 2;\n", "a.epd:1; several mentors");
    refuse(ONE "ce 1;\n" TWO "ce 2;\n", ONE "ce 1;\n", "a.epd:2: this position is not in ");
    refuse(ONE "ce 1;\n", ONE "ce 1;\n\n" TWO "ce 2;\n", "b.epd:3: this position is not in ");
}

static void test_what_one_left_out_all_leave_out(void **state) {
    (void)state;
    char a[TESTING_PATH], b[TESTING_PATH];
    static const char first[] =
        ONE "ce 100;\n" TWO "ce 32760; dm 3;\n" ONE "ce 7;\n" THREE "ce 9;\n";
    static const char second[] = ONE "ce 2000;\n" TWO "ce 5;\n" ONE ";\n" THREE "ce 10;\n";
    DistPool *pool = dist_pool_new(1);
    MentorSet set;
    MentorSetOptions options = {.family = &family_maestro, .limits = {.clamp = 1000}};
    testing_write(a, "a.epd", first, sizeof first - 1);
    testing_write(b, "b.epd", second, sizeof second - 1);
    const char *const paths[] = {a, b};
    assert_int_equal(mentor_set_load_all(&set, paths, 2, &options, pool), OK);
    const MentorTotals dropped = {.lines = 4, .used = 1, .unlabelled = 1, .mates = 1, .beyond = 1};
    assert_memory_equal(&set.totals, &dropped, sizeof dropped);
    assert_int_equal(set.scores[0], 9);
    assert_int_equal(set.scores[1], 10);
    mentor_set_free(&set);
    options.limits.beyond = options.limits.mates = MENTOR_CLAMP;
    assert_int_equal(mentor_set_load_all(&set, paths, 2, &options, pool), OK);
    const MentorTotals clamped = {.lines = 4, .used = 3, .unlabelled = 1, .mates = 1, .beyond = 1};
    const int32_t scores[] = {100, 1000, 1000, 5, 9, 10};
    assert_memory_equal(&set.totals, &clamped, sizeof clamped);
    assert_memory_equal(set.scores, scores, sizeof scores);
    mentor_set_free(&set);
    dist_pool_free(pool);
}

static void test_settings_that_do_not_fit(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"mentors-fitness front resolve yes", "not linear in the weights"},
        {"mentors-fitness front family vazquez algorithm de", "linear in their parameters"},
    };
    DistPool *pool = dist_pool_new(1);
    write_mentors("misfit", 3, 20, 5);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        RunConfig config;
        Problem *problem;
        assert_int_equal(open_problem(&problem, &config, "misfit", 3, cases[i][0], pool), ERR_ARG);
        assert_message(cases[i][1]);
        run_config_free(&config);
    }
    char words[TESTING_PATH + 32];
    RunConfig config;
    Problem *problem;
    snprintf(words, sizeof words, "test %s/misfit-1.epd", testing_directory);
    assert_int_equal(open_problem(&problem, &config, "misfit", 3, words, pool), ERR_ARG);
    assert_message("3 mentors and test those of 1");
    run_config_free(&config);
    dist_pool_free(pool);
}

// --- runs ---

static void test_threads_and_stops_change_nothing(void **state) {
    (void)state;
    static const char *const ways[] = {"sample 0 mentors-target fitted", "mentors-fitness worst",
                                       "sample 0 mentors-fitness mean"};
    Rng rng = rng_at(6, 0, 0, 0);
    Str list = {0};
    write_mentors("run", 3, 120, 6);
    write_mentors("held", 3, 60, 7);
    list_files("run", 3, &list);
    snprintf(training, sizeof training, "%s", str_text(&list));
    list_files("held", 3, &list);
    snprintf(test, sizeof test, "%s", str_text(&list));
    str_free(&list);
    for (size_t i = 0; i < 3; i++) {
        char words[256], names[3][32];
        snprintf(words, sizeof words, "algorithm memetic population 20 generations 15 %s", ways[i]);
        for (int j = 0; j < 3; j++)
            snprintf(names[j], sizeof names[j], "way-%zu-%d", i, j);
        run_whole(words, names[0], 1);
        run_whole(words, names[1], 3);
        run_in_pieces(words, names[2], &rng);
        assert_same_run(names[0], names[1]);
        assert_same_run(names[0], names[2]);
    }
}

int main(void) {
    sized_to_threads("*thread*");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_figures_are_those_of_the_mentors),
        cmocka_unit_test(test_equal_mentors_are_one),
        cmocka_unit_test(test_limits_are_below_all_weights),
        cmocka_unit_test(test_the_front_is_one),
        cmocka_unit_test(test_other_positions_are_refused),
        cmocka_unit_test(test_what_one_left_out_all_leave_out),
        cmocka_unit_test(test_settings_that_do_not_fit),
        cmocka_unit_test(test_threads_and_stops_change_nothing),
    };
    return cmocka_run_group_tests(tests, testing_set_up, testing_tear_down);
}
