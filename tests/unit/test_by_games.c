// SPDX-License-Identifier: GPL-3.0-or-later
// SPSA and the response surface where the answer is known: games that are decided by the distance
// from an optimum, by a coin, or not at all.
#include "evolving.h"

enum { DIMENSIONS = 8, RESULTS_MAX = 64 };

static const char *const spsa_run[] = {"population", "32",   "generations", "400",
                                       "rate",       "0.02", NULL};
static const char *const surface_run[] = {"population", "32", "generations", "400", NULL};

typedef struct Method {
    const char *name;
    const char *const *settings;
} Method;

static const Method methods[] = {{"spsa", spsa_run}, {"surface", surface_run}};
enum { METHODS = sizeof methods / sizeof *methods };

static EvolveSetup setup_of(const char *name, const char *const *pairs) {
    static const double units[DIMENSIONS] = {[0 ... DIMENSIONS - 1] = 0.05};
    static const double start[DIMENSIONS] = {[0 ... DIMENSIONS - 1] = 3};
    return (EvolveSetup){.space = box_space(DIMENSIONS, EVOLVE_REAL),
                         .config = config_of(name, pairs),
                         .seed = 7,
                         .start = start,
                         .start_count = 1,
                         .units = units};
}

// Two games, each won with a chance that grows with how much nearer to the optimum one is.
static Status play_with_luck(void *context, const EvolveBatch *batch, const EvolveMeeting *meetings,
                             size_t count, EvolveResult *results) {
    Rng *luck = context;
    for (size_t i = 0; i < count; i++) {
        const double *first = batch->parameters + meetings[i].first * batch->width;
        const double *second = batch->parameters + meetings[i].second * batch->width;
        const double nearer = sphere(second, batch->width) - sphere(first, batch->width);
        results[i] = (EvolveResult){0};
        for (unsigned game = 0; game < meetings[i].games; game++)
            if (rng_real(luck) < 1 / (1 + exp(-0.1 * nearer)))
                results[i].wins++;
            else
                results[i].losses++;
    }
    return OK;
}

static Status toss(void *context, const EvolveBatch *batch, const EvolveMeeting *meetings,
                   size_t count, EvolveResult *results) {
    Rng *coin = context;
    (void)batch;
    for (size_t i = 0; i < count; i++) {
        const unsigned wins = rng_below(coin, meetings[i].games + 1);
        results[i] = (EvolveResult){.wins = wins, .losses = meetings[i].games - wins};
    }
    return OK;
}

static void run_with(const EvolveSetup *setup,
                     Status (*play)(void *, const EvolveBatch *, const EvolveMeeting *, size_t,
                                    EvolveResult *),
                     double *out) {
    Rng rng = rng_at(1, 2, 3, 4);
    const EvolveLoop loop = {.context = &rng, .play = play};
    Evolver *evolver = create_ok(setup);
    assert_memory_equal(evolver_best(evolver, NULL), setup->start, DIMENSIONS * sizeof *out);
    assert_false(evolver_ends_as_mean(evolver));
    assert_int_equal(evolve_run(evolver, &loop, NULL), OK);
    memcpy(out, evolver_best(evolver, NULL), DIMENSIONS * sizeof *out);
    evolver_destroy(evolver);
}

static void test_it_finds_the_optimum(void **state) {
    (void)state;
    for (size_t i = 0; i < METHODS; i++) {
        const EvolveSetup setup = setup_of(methods[i].name, methods[i].settings);
        double end[DIMENSIONS];
        run_with(&setup, play_with_luck, end);
        assert_true(sphere(end, DIMENSIONS) < sphere(setup.start, DIMENSIONS) / 20);
    }
}

// What decides nothing moves the values less than what decides something.
static void test_a_coin_leads_nowhere(void **state) {
    (void)state;
    for (size_t i = 0; i < METHODS; i++) {
        const EvolveSetup setup = setup_of(methods[i].name, methods[i].settings);
        double end[DIMENSIONS], away = 0;
        run_with(&setup, toss, end);
        for (size_t j = 0; j < DIMENSIONS; j++)
            away += pow(end[j] - setup.start[j], 2);
        assert_true(away < sphere(setup.start, DIMENSIONS) / 5);
    }
}

static void test_draws_change_nothing(void **state) {
    (void)state;
    const EvolveSetup setup = setup_of("spsa", spsa_run);
    Evolver *evolver = create_ok(&setup);
    const EvolveResult draws[RESULTS_MAX] = {[0 ... RESULTS_MAX - 1] = {.draws = 2}};
    bool over = false;
    for (int i = 0; i < 5; i++)
        assert_int_equal(evolver_tell_meetings(evolver, draws, &over), OK);
    assert_true(over);
    assert_memory_equal(evolver_best(evolver, NULL), setup.start, DIMENSIONS * sizeof(double));
    evolver_destroy(evolver);
}

// Both of a pair are as far from the values, on opposite sides, by a step that follows the units.
static void test_pairs_lie_on_opposite_sides(void **state) {
    (void)state;
    EvolveSetup setup = setup_of("spsa", spsa_run);
    const double units[DIMENSIONS] = {0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.07, INFINITY};
    setup.units = units;
    Evolver *evolver = create_ok(&setup);
    const EvolveBatch batch = evolver_ask(evolver);
    assert_int_equal(batch.count, 32);
    for (size_t pair = 0; pair < batch.count / 2; pair++)
        for (size_t j = 0; j + 1 < DIMENSIONS; j++) {
            const double *rows = batch.parameters + 2 * pair * DIMENSIONS + j;
            assert_true(fabs((rows[0] + rows[DIMENSIONS]) / 2 - 3) < 1e-9);
            const double step = fabs(rows[0] - 3) / units[j];
            const double first = fabs(batch.parameters[2 * pair * DIMENSIONS] - 3) / units[0];
            assert_true(fabs(step - first) < 1e-6 && step >= 6);
        }
    evolver_destroy(evolver);
}

// The result is the values in the middle of the pairs, or their mean over the last generations.
static void test_the_result_is_an_average(void **state) {
    (void)state;
    static const char *const last[] = {"population", "8", "generations", "9", "average", "0", NULL};
    static const char *const half[] = {"population", "8", "generations", "9", NULL};
    double middles[10] = {0}, best[2] = {0};
    for (int way = 0; way < 2; way++) {
        const EvolveSetup setup = setup_of("spsa", way == 0 ? last : half);
        Rng luck = rng_at(1, 2, 3, 4);
        Evolver *evolver = create_ok(&setup);
        for (int i = 0; i < 10; i++) {
            size_t count;
            bool over;
            EvolveResult results[RESULTS_MAX];
            EvolveBatch batch = evolver_ask(evolver);
            const EvolveMeeting *meetings = evolver_ask_meetings(evolver, &count);
            assert_int_equal(play_with_luck(&luck, &batch, meetings, count, results), OK);
            assert_int_equal(evolver_tell_meetings(evolver, results, &over), OK);
            batch = evolver_ask(evolver);
            middles[i] = (batch.parameters[0] + batch.parameters[DIMENSIONS]) / 2;
        }
        best[way] = evolver_best(evolver, NULL)[0];
        evolver_destroy(evolver);
    }
    assert_true(fabs(best[0] - middles[9]) < 1e-9);
    double sum = 0; // generations 4 to 9: half of nine, and the one before
    for (int i = 4; i < 10; i++)
        sum += middles[i] / 6;
    assert_true(fabs(best[1] - sum) < 1e-9);
}

// Whole numbers: the mean over many pairs is the value, though no row has it.
static void test_whole_numbers_keep_the_mean(void **state) {
    (void)state;
    static const char *const many[] = {"population", "4000", NULL};
    EvolveSetup setup = setup_of("spsa", many);
    const double start[DIMENSIONS] = {[0 ... DIMENSIONS - 1] = 1};
    setup.start = start;
    setup.space.is_integer = true;
    Evolver *evolver = create_ok(&setup);
    const EvolveBatch batch = evolver_ask(evolver);
    for (size_t j = 0; j < DIMENSIONS; j++) {
        double sum = 0;
        for (size_t i = 0; i < batch.count; i++) {
            const double value = batch.parameters[i * DIMENSIONS + j];
            assert_true(value == floor(value));
            sum += value;
        }
        assert_true(fabs(sum / (double)batch.count - 1) < 0.05);
    }
    evolver_destroy(evolver);
}

static void check_saving(const Method *method) {
    const EvolveSetup setup = setup_of(method->name, method->settings);
    Rng luck = rng_at(1, 2, 3, 4);
    Evolver *evolver = create_ok(&setup), *loaded;
    Str bytes = {0}, again = {0};
    bool over;
    for (int i = 0; i < 20; i++) {
        size_t count;
        EvolveResult results[RESULTS_MAX];
        const EvolveBatch batch = evolver_ask(evolver);
        const EvolveMeeting *meetings = evolver_ask_meetings(evolver, &count);
        assert_int_equal(play_with_luck(&luck, &batch, meetings, count, results), OK);
        str_clear(&bytes);
        evolver_save(evolver, &bytes);
        if (evolver_load(&loaded, &setup, view_of(str_text(&bytes), bytes.length)) != OK)
            fail_msg("%s", error_message());
        assert_int_equal(evolver_tell_meetings(evolver, results, &over), OK);
        assert_int_equal(evolver_tell_meetings(loaded, results, &over), OK);
        str_clear(&bytes);
        str_clear(&again);
        evolver_save(evolver, &bytes);
        evolver_save(loaded, &again);
        assert_int_equal(bytes.length, again.length);
        assert_memory_equal(str_text(&bytes), str_text(&again), bytes.length);
        evolver_destroy(loaded);
    }
    str_free(&bytes);
    str_free(&again);
    evolver_destroy(evolver);
}

static void test_saved_runs_go_on_as_they_were(void **state) {
    (void)state;
    for (size_t i = 0; i < METHODS; i++)
        check_saving(&methods[i]);
}

static void test_odd_settings_are_refused(void **state) {
    (void)state;
    static const char *const odd[] = {"games", "3", NULL};
    for (size_t i = 0; i < METHODS; i++) {
        EvolveSetup setup = setup_of(methods[i].name, odd);
        Evolver *none;
        assert_int_equal(evolver_create(&none, &setup), ERR_ARG);
        setup = setup_of(methods[i].name, NULL);
        setup.start_count = 2;
        assert_int_equal(evolver_create(&none, &setup), ERR_ARG);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_it_finds_the_optimum),
        cmocka_unit_test(test_a_coin_leads_nowhere),
        cmocka_unit_test(test_draws_change_nothing),
        cmocka_unit_test(test_pairs_lie_on_opposite_sides),
        cmocka_unit_test(test_the_result_is_an_average),
        cmocka_unit_test(test_whole_numbers_keep_the_mean),
        cmocka_unit_test(test_saved_runs_go_on_as_they_were),
        cmocka_unit_test(test_odd_settings_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
