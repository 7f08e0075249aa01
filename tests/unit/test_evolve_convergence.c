// SPDX-License-Identifier: GPL-3.0-or-later
// Each algorithm finds the optimum of known landscapes within a stated number of evaluations, for
// each of three seeds (docs/evolution.md has the same table); and the memetic one solves a
// regression like that of evolving from a mentor.
#include "evolving.h"
#include "regression.h"
#include "sized.h"

#include "base/file.h"

static const struct {
    const char *algorithm;
    size_t dimensions;
    const char *evaluations;
    const char *options[11];
    double sphere, rosenbrock, rastrigin; // the loss that must be reached
} budgets[] = {
    {"ga",
     3,
     "200000",
     {"population", "500", "selection", "rank", "crossover", "uniform", "mutation-rate", "0.02",
      "generations", "400"},
     1e-6,
     0.1,
     0.01},
    {"memetic", 10, "100000", {"generations", "10000"}, 1e-6, 1e-3, 1e-3},
    {"halves", 3, "200000", {"population", "400", "generations", "499"}, 1e-6, 1e-6, 1e-6},
    {"de", 10, "100000", {"generations", "10000"}, 1e-6, 1e-6, 1e-6},
    {"cmaes", 10, "200000", {"generations", "100000"}, 1e-6, 1e-6, 1e-6},
    {"cec2001",
     2,
     "20000",
     {"least-deviation", "0.01", "rescue-step", "0.01", "generations", "203"},
     1e-3,
     0.1,
     0.1},
};

// A landscape, and a loss at which it is enough.
typedef struct Goal {
    Landscape landscape;
    size_t dimensions;
    double target;
    atomic_bool reached;
} Goal;

static Status watch(void *context, const EvolveStats *stats) {
    Goal *goal = context;
    if (goal->landscape(stats->best_parameters, goal->dimensions) <= goal->target)
        atomic_store(&goal->reached, true);
    return OK;
}

// Goes on until the goal or the end of the budget is reached.
static void check_loss(size_t row, Landscape landscape, const char *name, double target) {
    const char *algorithm = budgets[row].algorithm;
    for (uint64_t seed = 1; seed <= SIZED(3, 1); seed++) {
        EvolveSetup setup = {.space = box_space(budgets[row].dimensions, EVOLVE_GRAY),
                             .config = config_of(algorithm, budgets[row].options),
                             .seed = seed};
        assert_int_equal(evolve_config_set(&setup.config, "evaluations", budgets[row].evaluations),
                         OK);
        Goal goal = {landscape, setup.space.count, target, false};
        EvolveLoop loop = {.context = &goal, // begins with the landscape
                           .evaluate = evaluate_landscape,
                           .play = play_landscape,
                           .observe = watch,
                           .stop = &goal.reached};
        Evolver *evolver = create_ok(&setup);
        assert_int_equal(evolve_run(evolver, &loop, NULL), OK);
        if (!goal.reached)
            fail_msg("%s on %s, seed %d: %g, not %g", algorithm, name, (int)seed,
                     landscape(evolver_best(evolver, NULL), setup.space.count), target);
        evolver_destroy(evolver);
    }
}

static void test_landscapes(void **state) {
    (void)state;
    for (size_t row = 0; row < sizeof budgets / sizeof *budgets; row++) {
        check_loss(row, sphere, "sphere", budgets[row].sphere);
        check_loss(row, rosenbrock, "rosenbrock", budgets[row].rosenbrock);
        check_loss(row, rastrigin, "rastrigin", budgets[row].rastrigin);
    }
}

// The page has the budgets as they are tested.
static void test_documentation(void **state) {
    (void)state;
    Str page = {0};
    if (file_read("docs/evolution.md", 1 << 20, &page) != OK)
        fail_msg("%s", error_message());
    for (size_t r = 0; r < sizeof budgets / sizeof *budgets; r++) {
        Str row = {0};
        str_addf(&row, "| `%s` | %zu | %s | ", budgets[r].algorithm, budgets[r].dimensions,
                 budgets[r].evaluations);
        for (size_t i = 0; budgets[r].options[i] != NULL; i += 2)
            str_addf(&row, "%s%s %s", i == 0 ? "" : ", ", budgets[r].options[i],
                     budgets[r].options[i + 1]);
        str_addf(&row, " | %g | %g | %g |\n", budgets[r].sphere, budgets[r].rosenbrock,
                 budgets[r].rastrigin);
        if (strstr(str_text(&page), str_text(&row)) == NULL)
            fail_msg("docs/evolution.md lacks: %s", str_text(&row));
        str_free(&row);
    }
    str_free(&page);
}

static double mean_reached(const char *covariance, size_t dimensions, const char *evaluations) {
    static EvolveParameter parameters[300];
    for (size_t i = 0; i < dimensions; i++)
        parameters[i] = (EvolveParameter){"x", -4, 6, 0};
    EvolveSetup setup = {.space = {parameters, dimensions, EVOLVE_REAL, false},
                         .config = evolve_config_default(evolve_find("cmaes"))};
    setup.config.values[OPTION_GENERATIONS] = 1e9;
    assert_int_equal(evolve_config_set(&setup.config, "covariance", covariance), OK);
    assert_int_equal(evolve_config_set(&setup.config, "evaluations", evaluations), OK);
    Landscape landscape = sphere;
    EvolveLoop loop = {.context = &landscape, .evaluate = evaluate_landscape};
    Evolver *evolver = create_ok(&setup);
    assert_int_equal(evolve_run(evolver, &loop, NULL), OK);
    double loss = sphere(evolver_best(evolver, NULL), dimensions);
    evolver_destroy(evolver);
    return loss / (double)dimensions;
}

// Where a full covariance would be too slow, a diagonal one is learned.
static void test_many_parameters(void **state) {
    (void)state;
    assert_true(mean_reached("auto", 300, "15000") < 0.05);
    assert_true(mean_reached("separable", 20, "10000") < 1e-6);
}

// Noise that is drawn anew in each generation must not keep algorithms from the optimum.
static Status evaluate_fresh(void *context, const EvolveBatch *batch, int64_t *scores) {
    (void)context;
    for (size_t i = 0; i < batch->count; i++)
        scores[i] = score_of(sphere(batch->parameters + i * batch->width, batch->width) +
                             100.0 * (batch->generation % 7));
    return OK;
}

static void test_scores_of_another_level_each_generation(void **state) {
    (void)state;
    static const char *const names[] = {"ga", "memetic", "halves", "de", "cmaes"};
    for (size_t i = 0; i < 5; i++) {
        EvolveSetup setup = {.space = box_space(3, EVOLVE_GRAY),
                             .config = evolve_config_default(evolve_find(names[i])),
                             .fresh_scores = true};
        assert_int_equal(evolve_config_set(&setup.config, "generations", "300"), OK);
        EvolveLoop loop = {.evaluate = evaluate_fresh};
        Evolver *evolver = create_ok(&setup);
        assert_int_equal(evolve_run(evolver, &loop, NULL), OK);
        assert_true(sphere(evolver_best(evolver, NULL), 3) < 0.05);
        evolver_destroy(evolver);
    }
}

// --- the regression ---

typedef struct Fit {
    Regression regression;
    double enough; // an error to stop at
    atomic_bool reached;
} Fit;

static Status watch_fit(void *context, const EvolveStats *stats) {
    Fit *fit = context;
    if ((double)-stats->best <= fit->enough)
        atomic_store(&fit->reached, true);
    return OK;
}

static Status evaluate_regression(void *context, const EvolveBatch *batch, int64_t *scores) {
    const Regression *regression = &((Fit *)context)->regression;
    for (size_t i = 0; i < batch->count; i++)
        scores[i] = -error_of(regression, batch->parameters + i * batch->width);
    return OK;
}

// Steps of 1 along each weight, and along the two that make up for each other, until none helps.
static int64_t descend(const Regression *regression, double *weights) {
    int64_t error = error_of(regression, weights);
    for (bool again = true; again;) {
        again = false;
        for (size_t i = 0; i < WEIGHTS; i++)
            for (int kind = 0; kind < 4; kind++) {
                double before[WEIGHTS];
                memcpy(before, weights, sizeof before);
                weights[i] += kind % 2 == 0 ? 1 : -1;
                if (kind >= 2 && i > 0)
                    weights[i - 1] += kind % 2 == 0 ? -2 : 2;
                bool in_box = weights[i] >= 0 && weights[i] <= regression->parameters[i].high &&
                              (i == 0 || (weights[i - 1] >= 0 &&
                                          weights[i - 1] <= regression->parameters[i - 1].high));
                int64_t tried = in_box ? error_of(regression, weights) : error;
                if (tried < error) {
                    error = tried;
                    again = true;
                } else {
                    memcpy(weights, before, sizeof before);
                }
            }
    }
    return error;
}

// Within half a percent of the best known error, in 20,000 evaluations.
static void test_regression(void **state) {
    (void)state;
    Fit *fit = malloc(sizeof *fit);
    Regression *regression = &fit->regression;
    make_regression(regression);
    double weights[WEIGHTS];
    memcpy(weights, regression->truth, sizeof weights);
    int64_t reference = descend(regression, weights);
    assert_true(reference <= error_of(regression, regression->truth));
    fit->enough = 1.005 * (double)reference;
    static const char *const pairs[] = {"evaluations", "20000", NULL};
    EvolveSetup setup = {.space = {regression->parameters, WEIGHTS, EVOLVE_BINARY, true},
                         .config = config_of("memetic", pairs)};
    for (setup.seed = 1; setup.seed <= SIZED(2, 1); setup.seed++) {
        EvolveLoop loop = {.context = fit,
                           .evaluate = evaluate_regression,
                           .observe = watch_fit,
                           .stop = &fit->reached};
        atomic_store(&fit->reached, false);
        Evolver *evolver = create_ok(&setup);
        assert_int_equal(evolve_run(evolver, &loop, NULL), OK);
        int64_t score;
        evolver_best(evolver, &score);
        if (!fit->reached)
            fail_msg("seed %d: error %lld, reference %lld", (int)setup.seed, (long long)-score,
                     (long long)reference);
        evolver_destroy(evolver);
    }
    free(fit);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_landscapes),
        cmocka_unit_test(test_documentation),
        cmocka_unit_test(test_many_parameters),
        cmocka_unit_test(test_scores_of_another_level_each_generation),
        cmocka_unit_test(test_regression),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
