// SPDX-License-Identifier: GPL-3.0-or-later
// The smallest algorithms: what docs/evolution.md says one needs is enough. A (1+1)-ES with
// Rechenberg's 1/5 rule, and random search, which needs nothing but its function.
#include "evolving.h"

#include "evolve/random.h"

// --- a (1+1)-ES ---

enum { ES_STEP = OPTIONS_COMMON, ES_OPTION_COUNT };
static const Setting es_options[] = {
    OPTIONS_FOR_ALL(1, "1", "300"),
    OPTION_REAL("step", 1e-6, 10, "0.3", "deviation of the first steps, in sizes of a box"),
};

typedef struct Es {
    Population child;
    double *parent, *step; // one step for each member: there is one
    int64_t *score;
} Es;

static const EvolveField es_fields[] = {
    FIELD_ARRAY(Es, child.rows, 1, ALL_PARAMETERS, KEPT_ORGANISMS),
    FIELD_ARRAY(Es, parent, 1, ALL_PARAMETERS, KEPT_ORGANISMS),
    FIELD_ARRAY(Es, step, 1, MEMBERS, KEPT_DOUBLES),
    FIELD_ARRAY(Es, score, 1, MEMBERS, KEPT_SCORES),
};

static Status es_create(void *state, const EvolveRun *run) {
    Es *es = state;
    population_start(run, es->child.rows, 1);
    memcpy(es->parent, es->child.rows, es->child.width * sizeof *es->parent);
    *es->step = run->options[ES_STEP];
    *es->score = INT64_MIN;
    return OK;
}

static Status es_tell(void *state, const EvolveRun *run, const int64_t *scores) {
    Es *es = state;
    Rng rng = evolve_run_rng(run, 0, USE_MUTATION);
    const bool is_better = scores[0] >= *es->score;
    *es->step *= is_better ? 1.5 : 0.9;
    if (is_better)
        memcpy(es->parent, es->child.rows, es->child.width * sizeof *es->parent);
    *es->score = is_better ? scores[0] : *es->score;
    for (size_t j = 0; j < es->child.width; j++) {
        const EvolveParameter *box = &run->space->parameters[j];
        const double step = *es->step * (box->high - box->low) * random_normal(&rng);
        es->child.rows[j] = space_nearest(run->space, j, es->parent[j] + step);
    }
    return OK;
}

static const EvolveAlgorithm es = {
    .name = "one-plus-one",
    .summary = "a (1+1)-ES",
    .options = es_options,
    .option_count = ES_OPTION_COUNT,
    .state_size = sizeof(Es),
    .fields = es_fields,
    .field_count = sizeof es_fields / sizeof *es_fields,
    .create = es_create,
    .tell = es_tell,
};

// --- random search ---

static const Setting random_options[] = {OPTIONS_FOR_ALL(1, "20", "100")};

static Status random_tell(void *state, const EvolveRun *run, const int64_t *scores) {
    (void)scores;
    Population *population = state;
    for (size_t i = 0; i < population->size; i++) {
        Rng rng = evolve_run_rng(run, i, USE_SAMPLE);
        space_randomize(run->space, &rng, population->rows + i * population->width);
    }
    return OK;
}

static const EvolveAlgorithm random_search = {
    .name = "random-search",
    .summary = "organisms drawn anew",
    .options = random_options,
    .option_count = OPTIONS_COMMON,
    .tell = random_tell,
};

// --- what the evolver does for both ---

static EvolveSetup setup_of(const EvolveAlgorithm *algorithm) {
    return (EvolveSetup){
        .space = box_space(3, EVOLVE_REAL), .config = evolve_config_default(algorithm), .seed = 5};
}

static double run_to_end(Evolver *evolver) {
    Landscape landscape = sphere;
    const EvolveLoop loop = {.context = &landscape, .evaluate = evaluate_landscape};
    assert_int_equal(evolve_run(evolver, &loop, NULL), OK);
    const double *best = evolver_best(evolver, NULL);
    assert_non_null(best);
    return sphere(best, 3);
}

static void test_small_algorithms_learn(void **state) {
    (void)state;
    EvolveSetup setup = setup_of(&es);
    Evolver *evolver = create_ok(&setup);
    assert_true(run_to_end(evolver) < 1e-3);
    evolver_destroy(evolver);
    setup = setup_of(&random_search);
    evolver = create_ok(&setup);
    assert_true(run_to_end(evolver) < 3);
    evolver_destroy(evolver);
}

// A run that is saved and loaded after every generation ends as one that is not.
static void test_small_algorithms_are_kept(void **state) {
    (void)state;
    static const EvolveAlgorithm *const algorithms[] = {&es, &random_search};
    for (size_t a = 0; a < 2; a++) {
        const EvolveSetup setup = setup_of(algorithms[a]);
        Evolver *whole = create_ok(&setup), *broken = create_ok(&setup);
        Landscape landscape = sphere;
        int64_t scores[32];
        for (int generation = 0; generation < 20; generation++) {
            Evolver *each[] = {whole, broken};
            for (size_t i = 0; i < 2; i++) {
                const EvolveBatch batch = evolver_ask(each[i]);
                assert_int_equal(evaluate_landscape(&landscape, &batch, scores), OK);
                assert_int_equal(evolver_tell(each[i], scores), OK);
            }
            Str bytes = {0}, expected = {0};
            evolver_save(broken, &bytes);
            evolver_save(whole, &expected);
            assert_int_equal(bytes.length, expected.length);
            assert_memory_equal(bytes.text, expected.text, bytes.length);
            evolver_destroy(broken);
            assert_int_equal(evolver_load(&broken, &setup, view_of(bytes.text, bytes.length)), OK);
            str_free(&bytes);
            str_free(&expected);
        }
        evolver_destroy(whole);
        evolver_destroy(broken);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small_algorithms_learn),
        cmocka_unit_test(test_small_algorithms_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
