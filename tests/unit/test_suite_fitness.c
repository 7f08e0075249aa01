// SPDX-License-Identifier: GPL-3.0-or-later
// Searches that evolve from a suite: they are files and bits, their nodes are those of a plain
// loop, whoever counts them, and a run that was stopped ends as one that was not.
#include "running.h"

#include "evolve/coding.h"
#include "search/search.h"
#include "search/search_family.h"
#include "settings/space.h"
#include "suite/suite.h"
#include "thread_ranks.h"

enum { CAP = SIZED(2000, 500), POSITIONS = 10, ORGANISMS = 3 };

#define SUITE   "fitness suite family search chromosome binary sample 0 "
#define WEIGHTS "weights weights/maestro-evolved.weights openings tests/data/openings.epd "
#define SMALL   "only NullMove,FutilityDepth,CheckExtension,NullMoveReduction "

// --- a search as a family ---

static void test_terms_are_parts_and_numbers(void **state) {
    (void)state;
    assert_int_equal(family_search.term_count, FEATURE_NB + SEARCH_NUMBER_NB);
    assert_null(family_find(family_search.name));
    for (Profile profile = 0; profile < PROFILE_NB; profile++) {
        const Features features = features_of(profile);
        int parameters[FEATURE_NB + SEARCH_NUMBER_NB];
        search_family_parameters(&features, parameters);
        const Features back = search_family_features(parameters);
        assert_memory_equal(&back.numbers, &features.numbers, sizeof features.numbers);
        assert_memory_equal(back.on, features.on, sizeof features.on);
        for (size_t i = 0; i < family_search.term_count && profile == PROFILE_PAPERS; i++)
            assert_int_equal(parameters[i], family_search.terms[i].start);
    }
}

static void test_a_file_holds_a_search(void **state) {
    (void)state;
    char path[TESTING_PATH];
    const Features modern = features_of(PROFILE_MODERN);
    Features features;
    Weights weights;
    weights_init(&weights, &family_search);
    search_family_parameters(&modern, weights.parameters);
    testing_path(path, "modern.weights");
    assert_int_equal(weights_save(&weights, path), OK);
    assert_int_equal(search_family_load(&features, path), OK);
    assert_memory_equal(features.on, modern.on, sizeof modern.on);
    assert_memory_equal(&features.numbers, &modern.numbers, sizeof modern.numbers);
    // One is not taken for the other.
    assert_int_equal(weights_load(&weights, path), ERR_PARSE);
    assert_message("settings of the search");
    assert_int_equal(search_family_load(&features, "weights/falcon.weights"), ERR_ARG);
    assert_message("weights of the evaluation falcon");
}

// --- bits ---

static void test_the_paper_has_18_numbers_in_70_bits(void **state) {
    (void)state;
    RunConfig config;
    FamilySpace *space = mem_alloc_zero(1, sizeof *space);
    const Family *family;
    run_config_init(&config);
    assert_int_equal(run_config_load(&config, "experiments/icga2010.ini"), OK);
    assert_int_equal(family_space_init(space, &config, &family), OK);
    size_t evolved = 0;
    for (size_t i = 0; i < space->space.count; i++)
        evolved += space->parameters[i].low < space->parameters[i].high;
    assert_int_equal(evolved, 18);
    BitCode code = coding_create(&space->space);
    assert_int_equal(code.length, 70);
    // All bits set: the highest value of each, extensions no more than a ply; all else is the
    // profile's, but for what the paper does not have.
    uint64_t bits[2] = {UINT64_MAX, UINT64_MAX << 58};
    double parameters[FEATURE_NB + SEARCH_NUMBER_NB];
    const Features papers = features_of(PROFILE_PAPERS);
    int wanted[FEATURE_NB + SEARCH_NUMBER_NB];
    search_family_parameters(&papers, wanted);
    coding_decode(&code, bits, parameters);
    for (size_t i = 0; i < family->term_count; i++) {
        const Term *term = &family->terms[i];
        const bool is_free = space->parameters[i].low < space->parameters[i].high;
        const bool is_zero =
            strcmp(term->name, "NullMoveDivisor") == 0 || strcmp(term->name, "NullMoveMargin") == 0;
        assert_true(parameters[i] == (is_free ? term->high : is_zero ? 0 : wanted[i]));
        assert_true(space->given[i] == wanted[i]);
    }
    coding_free(&code);
    run_config_free(&config);
    free(space);
}

// --- nodes ---

// What a plain loop counts, without players and suites: since when the best move has been right.
typedef struct Watch {
    const MoveList *best;
    bool is_right;
    uint64_t since;
} Watch;

static bool is_best(const MoveList *best, Move move) {
    for (size_t i = 0; i < best->count; i++)
        if (best->moves[i] == move)
            return true;
    return false;
}

static void see_line(void *context, const SearchLine *line) {
    Watch *watch = context;
    const bool was_right = watch->is_right;
    watch->is_right = is_best(watch->best, line->moves[0]);
    if (watch->is_right && !was_right)
        watch->since = line->nodes;
}

static int64_t count_plainly(const Suite *suite, const int *parameters) {
    TT *tt;
    Weights weights;
    int64_t sum = 0;
    assert_int_equal(weights_load(&weights, "weights/maestro-evolved.weights"), OK);
    for (size_t i = 0; i < suite->count; i++) {
        const SuiteItem *item = &suite->items[i];
        Watch watch = {.best = &item->best};
        const SearchListener listener = {&watch, see_line};
        const Limits limits = {.nodes = CAP};
        assert_int_equal(tt_create(&tt, 1), OK);
        Search *search = search_create(&weights, tt);
        search_set_features(search, search_family_features(parameters));
        search_prepare(search, false);
        const SearchResult result =
            search_run(search, &item->pos, &item->pos.key, 1, &limits, &listener);
        assert_true(watch.is_right == is_best(&item->best, result.best));
        sum += watch.is_right && watch.since < CAP ? (int64_t)watch.since : CAP;
        search_destroy(search);
        tt_destroy(tt);
    }
    weights_free(&weights);
    return sum;
}

static void draw_searches(double *organisms) {
    Weights weights;
    for (uint32_t i = 0; i < ORGANISMS; i++) {
        Rng rng = rng_at(9, i, 0, 0);
        weights_init(&weights, &family_search);
        if (i > 0)
            family_randomize(&family_search, &rng, weights.parameters);
        for (size_t j = 0; j < family_search.term_count; j++)
            organisms[i * family_search.term_count + j] = weights.parameters[j];
    }
}

static void judge(const char *words, int threads, DistRanks *ranks, const double *organisms,
                  int64_t *scores) {
    RunConfig config;
    DistPool *pool = dist_pool_new(threads);
    dist_pool_set_ranks(pool, ranks, threads);
    Problem *problem = create_problem(words, &config, pool);
    if (problem_judge(problem, SET_TRAINING, organisms, ORGANISMS, scores) != OK)
        fail_msg("%s", error_message());
    problem_destroy(problem);
    dist_pool_free(pool);
    run_config_free(&config);
}

static const char words[] = SUITE WEIGHTS "cap " SIZED("2000", "500");

static void test_nodes_are_those_of_a_plain_loop(void **state) {
    (void)state;
    double *organisms = mem_alloc(ORGANISMS * family_search.term_count * sizeof *organisms);
    int parameters[FEATURE_NB + SEARCH_NUMBER_NB];
    int64_t scores[ORGANISMS];
    Suite suite = {0};
    draw_searches(organisms);
    judge(words, 1, NULL, organisms, scores);
    assert_int_equal(suite_load(&suite, training), OK);
    for (size_t i = 0; i < ORGANISMS; i++) {
        for (size_t j = 0; j < family_search.term_count; j++)
            parameters[j] = (int)organisms[i * family_search.term_count + j];
        assert_int_equal(-scores[i], count_plainly(&suite, parameters));
    }
    assert_int_not_equal(scores[0], scores[1]);
    suite_free(&suite);
    free(organisms);
}

static void test_threads_and_ranks_count_the_same(void **state) {
    (void)state;
    static const DistService *const services[] = {&problem_service};
    double *organisms = mem_alloc(ORGANISMS * family_search.term_count * sizeof *organisms);
    int64_t alone[ORGANISMS], together[ORGANISMS];
    draw_searches(organisms);
    judge(words, 1, NULL, organisms, alone);
    for (int threads = 2; threads <= 3; threads++) {
        judge(words, threads, NULL, organisms, together);
        assert_memory_equal(together, alone, sizeof alone);
        ThreadRanks *all = thread_ranks_open(threads, services, 1);
        judge(words, 1, all->others, organisms, together);
        thread_ranks_close(all);
        assert_memory_equal(together, alone, sizeof alone);
    }
    free(organisms);
}

// --- sets ---

static Status try_problem(const char *more, size_t sizes[SET_NB]) {
    RunConfig config;
    DistPool *pool = dist_pool_new(1);
    Problem *problem = NULL;
    run_config_init(&config);
    mentoring_set(&config, "fitness suite family search");
    mentoring_set(&config, more);
    assert_int_equal(run_config_set(&config, "data", training), OK);
    const Status status = problem_create(&problem, &config, pool);
    for (int set = 0; set < SET_NB && status == OK; set++)
        sizes[set] = problem_size(problem, (ProblemSet)set);
    problem_destroy(problem);
    dist_pool_free(pool);
    run_config_free(&config);
    return status;
}

static void test_positions_are_held_out(void **state) {
    (void)state;
    size_t sizes[SET_NB];
    assert_int_equal(try_problem("hold-out 0", sizes), OK);
    assert_int_equal(sizes[SET_TRAINING], POSITIONS);
    assert_int_equal(sizes[SET_TEST], 0);
    assert_int_equal(try_problem("hold-out 3", sizes), OK);
    assert_int_equal(sizes[SET_TRAINING], POSITIONS - POSITIONS / 3);
    assert_int_equal(sizes[SET_TEST], POSITIONS / 3);
    assert_int_equal(try_problem("hold-out 2 suite-positions 4", sizes), OK);
    assert_int_equal(sizes[SET_TRAINING], 4);
    assert_int_equal(sizes[SET_TEST], POSITIONS / 2);
}

static void test_what_does_not_fit_is_refused(void **state) {
    (void)state;
    size_t sizes[SET_NB];
    char path[TESTING_PATH], more[TESTING_PATH + 32];
    assert_int_equal(try_problem("family maestro", sizes), ERR_ARG);
    assert_message("family must be search, not maestro");
    assert_int_equal(try_problem("fitness mentor", sizes), ERR_ARG);
    assert_message("family search is no evaluation");
    assert_int_equal(try_problem("hold-out 1", sizes), ERR_ARG);
    snprintf(more, sizeof more, "hold-out 2 test %s", test);
    assert_int_equal(try_problem(more, sizes), ERR_ARG);
    assert_message("not both");
    assert_int_equal(try_problem("tempo yes", sizes), ERR_ARG);
    assert_int_equal(try_problem("only NoSuchNumber", sizes), ERR_ARG);
    assert_int_equal(try_problem("verdict-games 3", sizes), ERR_ARG);
    testing_write(path, "bad.epd", "8/8/8/8/8/8/8/8 w - - bm e4;\n", 29);
    snprintf(more, sizeof more, "test %s", path);
    assert_int_not_equal(try_problem(more, sizes), OK);
}

// A profile is a start, here and on other ranks: its values are one of the first organisms.
static void test_a_profile_is_a_start(void **state) {
    (void)state;
    static const DistService *const services[] = {&problem_service};
    const Features modern = features_of(PROFILE_MODERN);
    int parameters[FEATURE_NB + SEARCH_NUMBER_NB];
    ThreadRanks *all = thread_ranks_open(2, services, 1);
    DistPool *pool = dist_pool_new(1);
    RunConfig config;
    size_t count;
    dist_pool_set_ranks(pool, all->others, 1);
    Problem *problem = create_problem(SUITE WEIGHTS SMALL "cap 50 start modern", &config, pool);
    const double *start = problem_start(problem, &count);
    search_family_parameters(&modern, parameters);
    assert_int_equal(count, 1);
    for (size_t i = 0; i < family_search.term_count; i++)
        assert_true(start[i] == parameters[i] && problem_start_values(problem)[i] == parameters[i]);
    problem_destroy(problem);
    dist_pool_free(pool);
    thread_ranks_close(all);
    run_config_free(&config);
}

// --- runs ---

#define RUN                                                                                        \
    SUITE WEIGHTS SMALL "cap 150 play-nodes 40 max-moves 8 verdict-games 6 algorithm ga "          \
                        "population 4 generations 5 "                                              \
                        "selection proportional scaling shift survival replicate-best seed 3"

static void test_a_run_is_the_same_however_it_went(void **state) {
    (void)state;
    Rng rng = rng_at(4, 0, 0, 0);
    Str text = {0};
    run_whole(RUN, "whole", 1);
    run_whole(RUN, "threads", 3);
    assert_same_run("threads", "whole");
    assert_true(run_in_pieces(RUN, "pieces", &rng) > 0);
    assert_same_run("pieces", "whole");
    read_at("whole", "best.weights", &text);
    assert_non_null(strstr(str_text(&text), "# verdict: "));
    assert_non_null(strstr(str_text(&text), "\nfamily search 1\n"));
    str_free(&text);
}

static void test_stages(void **state) {
    (void)state;
    run_in_stages(RUN, "stages", 3);
    run_whole(RUN, "stage-whole", 1);
    assert_same_run("stages", "stage-whole");
}

// The first lines of the tactical positions, and others to test.
static int set_up(void **state) {
    const int failed = testing_set_up(state);
    Str text = {0};
    chess_init();
    assert_int_equal(file_read("data/tactics.epd", 1 << 22, &text), OK);
    const char *line = str_text(&text), *half = NULL;
    for (size_t i = 0; i < 2 * POSITIONS; i++) {
        half = i == POSITIONS ? line : half;
        line = strchr(line, '\n') + 1;
    }
    testing_write(training, "training.epd", str_text(&text), (size_t)(half - str_text(&text)));
    testing_write(test, "test.epd", half, (size_t)(line - half));
    str_free(&text);
    return failed;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_terms_are_parts_and_numbers),
        cmocka_unit_test(test_a_file_holds_a_search),
        cmocka_unit_test(test_the_paper_has_18_numbers_in_70_bits),
        cmocka_unit_test(test_nodes_are_those_of_a_plain_loop),
        cmocka_unit_test(test_threads_and_ranks_count_the_same),
        cmocka_unit_test(test_positions_are_held_out),
        cmocka_unit_test(test_a_profile_is_a_start),
        cmocka_unit_test(test_what_does_not_fit_is_refused),
        cmocka_unit_test(test_a_run_is_the_same_however_it_went),
        cmocka_unit_test(test_stages),
    };
    return cmocka_run_group_tests(tests, set_up, testing_tear_down);
}
