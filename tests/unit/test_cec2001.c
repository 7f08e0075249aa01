// SPDX-License-Identifier: GPL-3.0-or-later
// What CEC 2001's algorithm promises, and what each reading of the paper does where the answer is
// known: meetings that a coin decides tell nothing of any weight.
#include "base/bytes.h"
#include "base/hash.h"
#include "evolving.h"

#include "evolve/mutation.h"

enum { DIMENSIONS = 5 };

static EvolveSetup setup_of(const char *algorithm, const char *const *pairs) {
    return (EvolveSetup){.space = box_space(DIMENSIONS, EVOLVE_REAL),
                         .config = config_of(algorithm, pairs),
                         .seed = 11,
                         .run = 3};
}

// --- meetings ---

// The better one of each meeting wins it, up to that generation.
static void play_generations(Evolver *evolver, Landscape landscape, uint32_t generations) {
    EvolveResult results[50];
    for (bool over = false; evolver_generation(evolver) < generations;) {
        size_t count;
        const EvolveBatch batch = evolver_ask(evolver);
        const EvolveMeeting *meetings = evolver_ask_meetings(evolver, &count);
        assert_int_equal(play_landscape(&landscape, &batch, meetings, count, results), OK);
        assert_int_equal(evolver_tell_meetings(evolver, results, &over), OK);
    }
}

// The same, decided by a coin.
static void toss_generations(Evolver *evolver, Rng *coin, uint32_t generations) {
    EvolveResult results[50];
    for (bool over = false; evolver_generation(evolver) < generations;) {
        size_t count;
        evolver_ask_meetings(evolver, &count);
        for (size_t i = 0; i < count; i++)
            results[i] =
                rng_below(coin, 2) == 0 ? (EvolveResult){.wins = 2} : (EvolveResult){.losses = 2};
        assert_int_equal(evolver_tell_meetings(evolver, results, &over), OK);
    }
}

// Section 3.1: with cloning alone the best member ends at the end of the vector.
static void test_meetings_carry_the_best_to_the_end(void **state) {
    (void)state;
    static const char *const cloning[] = {"clear-spread",
                                          "0",
                                          "narrow-spread",
                                          "0",
                                          "winner-spread",
                                          "0",
                                          "level-spread",
                                          "0",
                                          "least-deviation",
                                          "0",
                                          "start-step",
                                          "0",
                                          NULL};
    for (uint32_t run = 0; run < 200; run++) {
        EvolveSetup setup = setup_of("cec2001", cloning);
        setup.run = run;
        Evolver *evolver = create_ok(&setup);
        EvolveBatch batch = evolver_ask(evolver);
        double best[DIMENSIONS];
        memcpy(best, batch.parameters, sizeof best);
        for (size_t i = 1; i < batch.count; i++)
            if (sphere(batch.parameters + i * batch.width, batch.width) < sphere(best, DIMENSIONS))
                memcpy(best, batch.parameters + i * batch.width, sizeof best);
        play_generations(evolver, sphere, 1);
        assert_int_equal(evolver_evaluations(evolver), 2 * 49);
        assert_memory_equal(evolver_best(evolver, NULL), best, sizeof best);
        evolver_destroy(evolver);
    }
}

static void test_wrong_results_are_refused(void **state) {
    (void)state;
    EvolveSetup setup = setup_of("cec2001", NULL);
    Evolver *evolver = create_ok(&setup);
    size_t count;
    const EvolveMeeting *meetings = evolver_ask_meetings(evolver, &count);
    assert_true(count >= 1 && meetings[0].first == 0 && meetings[0].games == 2);
    EvolveResult results[50] = {{.wins = 1}};
    bool over;
    assert_int_equal(evolver_tell_meetings(evolver, results, &over), ERR_ARG);
    assert_string_equal(error_message(), "meeting 0: 1 results of 2 games");
    evolver_destroy(evolver);
}

// --- ranges ---

// Members start on the steps of their boxes, drift out of them, and can be saved all the same.
static void test_members_leave_their_boxes(void **state) {
    (void)state;
    EvolveSetup setup = setup_of("cec2001", NULL);
    Evolver *evolver = create_ok(&setup), *loaded;
    EvolveBatch batch = evolver_ask(evolver);
    size_t outside = 0, count;
    for (size_t i = 0; i < batch.count * batch.width; i++) {
        const double steps = batch.parameters[i] - setup.space.parameters[i % batch.width].low;
        assert_true(steps == floor(steps));
    }
    const EvolveResult draws[50] = {[0 ... 49] = {.draws = 2}};
    for (bool over = false; evolver_generation(evolver) < 10;) {
        evolver_ask_meetings(evolver, &count);
        assert_int_equal(evolver_tell_meetings(evolver, draws, &over), OK);
    }
    batch = evolver_ask(evolver);
    for (size_t i = 0; i < batch.count * batch.width; i++)
        outside += batch.parameters[i] > setup.space.parameters[i % batch.width].high;
    assert_true(outside > 0);
    Str bytes = {0};
    evolver_save(evolver, &bytes);
    assert_int_equal(evolver_load(&loaded, &setup, view_of(bytes.text, bytes.length)), OK);
    assert_memory_equal(evolver_ask(loaded).parameters, batch.parameters,
                        batch.count * batch.width * sizeof *batch.parameters);
    str_free(&bytes);
    evolver_destroy(loaded);
    evolver_destroy(evolver);
}

// Kept in range, nothing leaves its box, whoever wins, and some members come to its edge.
static void test_members_are_kept_in_their_boxes(void **state) {
    (void)state;
    static const char *const kept[] = {
        "keep-in-range",   "yes", "rescue-rate", "1", "rescue-step", "30",
        "least-deviation", "100", NULL};
    EvolveSetup setup = setup_of("cec2001", kept);
    Evolver *evolver = create_ok(&setup);
    Rng coin = rng_at(1, 0, 0, 0);
    size_t at_edge = 0;
    for (uint32_t generation = 1; generation <= 44; generation++) {
        toss_generations(evolver, &coin, generation);
        const EvolveBatch batch = evolver_ask(evolver);
        for (size_t i = 0; i < batch.count * batch.width; i++) {
            assert_true(batch.parameters[i] >= -4 && batch.parameters[i] <= 6);
            at_edge += batch.parameters[i] == -4 || batch.parameters[i] == 6;
        }
    }
    assert_true(at_edge > 0);
    evolver_destroy(evolver);
}

// --- the spread of what games do not decide ---

// Deviation of the first parameter after 44 generations of meetings that a coin decides, over that
// of the start; a geometric mean over runs.
static double drift_of(const char *const *settings) {
    enum { RUNS = 20 };
    double logs = 0;
    for (uint32_t run = 0; run < RUNS; run++) {
        EvolveSetup setup = setup_of("cec2001", settings);
        setup.run = run;
        Evolver *evolver = create_ok(&setup);
        double deviations[2][DIMENSIONS];
        Rng coin = rng_at(run, 0, 0, 0);
        EvolveBatch batch = evolver_ask(evolver);
        mutation_deviations(batch.parameters, batch.count, batch.width, deviations[0]);
        toss_generations(evolver, &coin, 44);
        batch = evolver_ask(evolver);
        mutation_deviations(batch.parameters, batch.count, batch.width, deviations[1]);
        logs += log(deviations[1][0] / deviations[0][0]);
        evolver_destroy(evolver);
    }
    return exp(logs / RUNS);
}

// The printed spread of two deviations drives apart what games do not decide: copies vary by a
// third of the variance, and copying takes away far less. With half of the spread, or kept in
// range, they stay together.
static void test_what_games_do_not_decide_drifts_apart(void **state) {
    (void)state;
    static const char *const half[] = {"clear-spread", "1", NULL};
    static const char *const all_halves[] = {"clear-spread",
                                             "1",
                                             "narrow-spread",
                                             "0.5",
                                             "winner-spread",
                                             "0.1",
                                             "level-spread",
                                             "0.25",
                                             "rescue-rate",
                                             "0.5",
                                             "rescue-step",
                                             "0.3",
                                             NULL};
    static const char *const kept[] = {"keep-in-range", "yes", NULL};
    assert_true(drift_of(NULL) > 20);
    assert_true(drift_of(half) < 3);
    assert_true(drift_of(all_halves) < 3);
    assert_true(drift_of(kept) < 1.5);
}

// --- where members come from ---

static EvolveLineage lineage_of(const Evolver *evolver) {
    EvolveLineage lineage;
    assert_true(evolver_lineage(evolver, &lineage));
    return lineage;
}

// The best of all members stays as it is, as the paper tells of its seed, and its descendants take
// over; the seed that loses is gone at once.
static void test_the_fate_of_the_seed_is_known(void **state) {
    (void)state;
    static const double best[DIMENSIONS] = {0}, worst[DIMENSIONS] = {6, 6, 6, 6, 6};
    static const char *const unstirred[] = {"least-deviation", "0", "clear-spread", "0.01", NULL};
    EvolveSetup setup = setup_of("cec2001", unstirred);
    setup.start_count = 1;
    for (int seed = 0; seed < 2; seed++) {
        setup.start = seed == 0 ? best : worst;
        Evolver *evolver = create_ok(&setup);
        EvolveLineage lineage = lineage_of(evolver);
        assert_int_equal(lineage.unchanged, 50);
        assert_int_equal(lineage.from_start, 1);
        assert_int_equal(lineage.start_unchanged, 1);
        play_generations(evolver, sphere, 5);
        lineage = lineage_of(evolver);
        assert_true(lineage.unchanged < 50 && (seed != 0 || lineage.unchanged == 1));
        assert_int_equal(lineage.start_unchanged, seed == 0);
        assert_int_equal(lineage.from_start, seed == 0 ? 50 : 0);
        evolver_destroy(evolver);
    }
}

// A level meeting changes both.
static void test_a_level_meeting_leaves_nobody_unchanged(void **state) {
    (void)state;
    EvolveSetup setup = setup_of("cec2001", NULL);
    Evolver *evolver = create_ok(&setup);
    const EvolveResult draws[50] = {[0 ... 49] = {.draws = 2}};
    size_t count;
    bool over;
    evolver_ask_meetings(evolver, &count);
    assert_int_equal(evolver_tell_meetings(evolver, draws, &over), OK);
    assert_int_equal(lineage_of(evolver).unchanged, 50 - 2 * count);
    evolver_destroy(evolver);
}

// A saved run goes on with it, and so does one of version 0.2, which kept none, without.
static void test_lineage_is_saved(void **state) {
    (void)state;
    EvolveSetup setup = setup_of("cec2001", NULL);
    Evolver *evolver = create_ok(&setup), *loaded;
    EvolveLineage none;
    CLEANUP(str_free) Str bytes = {0};
    CLEANUP(str_free) Str again = {0};
    play_generations(evolver, sphere, 3);
    const EvolveLineage lineage = lineage_of(evolver);
    assert_true(lineage.unchanged > 0 && lineage.unchanged < 50);
    evolver_save(evolver, &bytes);
    assert_int_equal(evolver_load(&loaded, &setup, view_of(bytes.text, bytes.length)), OK);
    assert_memory_equal(&(EvolveLineage[]){lineage_of(loaded)}[0], &lineage, sizeof lineage);
    evolver_destroy(loaded);
    bytes.length -= 8 + 50 * 8; // the checksum, and what it kept
    bytes_add_u64(&bytes, hash_bytes(HASH_START, bytes.text, bytes.length));
    assert_int_equal(evolver_load(&loaded, &setup, view_of(bytes.text, bytes.length)), OK);
    assert_false(evolver_lineage(loaded, &none));
    evolver_save(loaded, &again);
    assert_int_equal(again.length, bytes.length);
    assert_memory_equal(again.text, bytes.text, bytes.length);
    evolver_destroy(loaded);
    evolver_destroy(evolver);
}

// --- statistics ---

static Status play_in_forty_plies(void *context, const EvolveBatch *batch,
                                  const EvolveMeeting *meetings, size_t count,
                                  EvolveResult *results) {
    (void)context;
    (void)batch;
    for (size_t i = 0; i < count; i++)
        results[i] = meetings[i].first % 2 == 0
                         ? (EvolveResult){.wins = 1, .draws = 1, .plies = 30 + 50}
                         : (EvolveResult){.wins = 1, .losses = 1, .plies = 40 + 40};
    return OK;
}

// 49 meetings of two games: those of the 25 members at even places have a draw each.
static Status check_stats(void *context, const EvolveStats *stats) {
    (void)context;
    assert_int_equal(stats->games, 98);
    assert_int_equal(stats->draws, 25);
    assert_int_equal(stats->plies, 98 * 40);
    assert_true(stats->has_lineage);
    return OK;
}

static void test_games_are_counted_by_generation(void **state) {
    (void)state;
    static const char *const short_run[] = {"generations", "4", NULL};
    EvolveSetup setup = setup_of("cec2001", short_run);
    const EvolveLoop loop = {.play = play_in_forty_plies, .observe = check_stats};
    Evolver *evolver = create_ok(&setup);
    assert_int_equal(evolve_run(evolver, &loop, NULL), OK);
    evolver_destroy(evolver);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_meetings_carry_the_best_to_the_end),
        cmocka_unit_test(test_wrong_results_are_refused),
        cmocka_unit_test(test_members_leave_their_boxes),
        cmocka_unit_test(test_members_are_kept_in_their_boxes),
        cmocka_unit_test(test_what_games_do_not_decide_drifts_apart),
        cmocka_unit_test(test_the_fate_of_the_seed_is_known),
        cmocka_unit_test(test_a_level_meeting_leaves_nobody_unchanged),
        cmocka_unit_test(test_lineage_is_saved),
        cmocka_unit_test(test_games_are_counted_by_generation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
