// SPDX-License-Identifier: GPL-3.0-or-later
// What holds for every algorithm: the same seed gives the same run, saved runs go on as if nothing
// had happened, damage is noticed, settings are checked. And what the papers' algorithms promise.
#include "base/hash.h"
#include "evolving.h"

#include "evolve/random.h"

enum { DIMENSIONS = 5 };

// --- running ---

// A hash of everything an evolver asks for, so that two runs can be compared.
typedef struct Witness {
    Landscape landscape;
    uint64_t hash;
    uint32_t stop_at;
    atomic_bool stop;
    size_t observed, kept;
    int64_t best, last_best;
    bool best_was_lost;
} Witness;

static Status evaluate(void *context, const EvolveBatch *batch, int64_t *scores) {
    Witness *witness = context;
    size_t size = batch->count * batch->width * sizeof(double);
    witness->hash = hash_bytes(witness->hash, batch->parameters, size);
    return evaluate_landscape(&witness->landscape, batch, scores);
}

static Status play(void *context, const EvolveBatch *batch, const EvolveMeeting *meetings,
                   size_t count, EvolveResult *results) {
    Witness *witness = context;
    size_t size = batch->count * batch->width * sizeof(double);
    witness->hash = hash_bytes(witness->hash, batch->parameters, size);
    return play_landscape(&witness->landscape, batch, meetings, count, results);
}

static Status observe(void *context, const EvolveStats *stats) {
    Witness *witness = context;
    witness->observed++;
    if (stats->has_scores) {
        assert_true(stats->best >= stats->worst && stats->best >= stats->mean - 1);
        assert_true(stats->median >= (double)stats->worst && stats->median <= (double)stats->best);
        assert_int_equal(score_of(witness->landscape(stats->best_parameters, DIMENSIONS)),
                         stats->best);
        witness->best_was_lost |= stats->generation > 0 && stats->best < witness->last_best;
        witness->last_best = stats->best;
    }
    assert_true(stats->diversity >= 0 && stats->evaluations > 0);
    if (stats->generation == witness->stop_at)
        atomic_store(&witness->stop, true);
    return OK;
}

static EvolveLoop loop_of(Witness *witness) {
    return (EvolveLoop){.context = witness,
                        .evaluate = evaluate,
                        .play = play,
                        .observe = observe,
                        .stop = &witness->stop};
}

static EvolveSetup setup_of(const char *algorithm, const char *const *pairs) {
    return (EvolveSetup){.space = box_space(DIMENSIONS, EVOLVE_GRAY),
                         .config = config_of(algorithm, pairs),
                         .seed = 11,
                         .run = 3};
}

static const char *const small[] = {"population", "12", "generations", "40", NULL};

static uint64_t run_once(const EvolveSetup *setup, Landscape landscape) {
    Witness witness = {.landscape = landscape, .hash = HASH_START, .stop_at = UINT32_MAX};
    EvolveLoop loop = loop_of(&witness);
    Evolver *evolver = create_ok(setup);
    const char *reason;
    assert_int_equal(evolve_run(evolver, &loop, &reason), OK);
    assert_string_equal(reason, "40 generations done");
    assert_int_equal(witness.observed, 41);
    assert_int_equal(evolver_generation(evolver), 41);
    evolver_destroy(evolver);
    return witness.hash;
}

static void test_same_seed_same_run(void **state) {
    (void)state;
    for (size_t i = 0; evolve_algorithms[i] != NULL; i++) {
        EvolveSetup setup = setup_of(evolve_algorithms[i]->name, small);
        uint64_t hash = run_once(&setup, rastrigin);
        assert_true(run_once(&setup, rastrigin) == hash);
        setup.run = 4;
        uint64_t other_run = run_once(&setup, rastrigin);
        setup.run = 3;
        setup.seed = 12;
        uint64_t other_seed = run_once(&setup, rastrigin);
        assert_true(hash != other_run && hash != other_seed && other_run != other_seed);
    }
}

// What needs basic arithmetic only is the same on every machine and in every build. A number here
// changes when an algorithm does, and only then.
static void test_known_runs(void **state) {
    (void)state;
    static const struct {
        const char *algorithm;
        uint64_t hash;
    } known[] = {
        {"ga", 0xef3d09ec126cbb51},
        {"memetic", 0xcd6f838b86d9f0c8},
        {"de", 0x9bd7d0d6f1499d9b},
        {"cec2001", 0xc0fd5b5214881f96},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        EvolveSetup setup = setup_of(known[i].algorithm, small);
        uint64_t hash = run_once(&setup, sphere);
        if (hash != known[i].hash)
            fail_msg("%s: 0x%llx", known[i].algorithm, (unsigned long long)hash);
    }
}

// Runs to generation 17 by the stop flag, saves, goes on in another evolver.
static uint64_t run_with_break(const EvolveSetup *setup) {
    Witness witness = {.landscape = rastrigin, .hash = HASH_START, .stop_at = 17};
    EvolveLoop loop = loop_of(&witness);
    const char *reason;
    Evolver *evolver = create_ok(setup), *again;
    assert_int_equal(evolve_run(evolver, &loop, &reason), OK);
    assert_string_equal(reason, "stopped");
    Str bytes = {0}, twice = {0};
    evolver_save(evolver, &bytes);
    if (evolver_load(&again, setup, view_of(bytes.text, bytes.length)) != OK)
        fail_msg("%s", error_message());
    evolver_save(again, &twice);
    assert_int_equal(twice.length, bytes.length);
    assert_memory_equal(twice.text, bytes.text, bytes.length);
    atomic_store(&witness.stop, false);
    assert_int_equal(evolve_run(again, &loop, &reason), OK);
    int64_t score;
    assert_non_null(evolver_best(again, &score));
    evolver_destroy(evolver);
    evolver_destroy(again);
    str_free(&bytes);
    str_free(&twice);
    return witness.hash;
}

static void test_saved_runs_go_on(void **state) {
    (void)state;
    for (size_t i = 0; evolve_algorithms[i] != NULL; i++)
        for (int fresh = 0; fresh < 2; fresh++) {
            EvolveSetup setup = setup_of(evolve_algorithms[i]->name, small);
            setup.fresh_scores = fresh;
            assert_true(run_with_break(&setup) == run_once(&setup, rastrigin));
        }
}

// --- damage ---

static Str saved_run(const EvolveSetup *setup) {
    Witness witness = {.landscape = sphere, .stop_at = 5};
    EvolveLoop loop = loop_of(&witness);
    Evolver *evolver = create_ok(setup);
    assert_int_equal(evolve_run(evolver, &loop, NULL), OK);
    Str bytes = {0};
    evolver_save(evolver, &bytes);
    evolver_destroy(evolver);
    return bytes;
}

static Status try_load(const EvolveSetup *setup, const char *text, size_t length) {
    Evolver *evolver;
    // A copy of just that size, so that reading beyond it is seen.
    char *copy = malloc(length + 1);
    memcpy(copy + 1, text, length);
    Status status = evolver_load(&evolver, setup, view_of(copy + 1, length));
    if (status == OK) {
        EvolveBatch batch = evolver_ask(evolver);
        assert_true(batch.count > 0 && isfinite(batch.parameters[batch.count * batch.width - 1]));
        evolver_destroy(evolver);
    }
    free(copy);
    return status;
}

static void test_damage_is_noticed(void **state) {
    (void)state;
    static const char *const tiny[] = {"population", "6", NULL};
    for (size_t i = 0; evolve_algorithms[i] != NULL; i++) {
        EvolveSetup setup = setup_of(evolve_algorithms[i]->name, tiny);
        Str bytes = saved_run(&setup);
        assert_int_equal(try_load(&setup, bytes.text, bytes.length), OK);
        for (size_t length = 0; length < bytes.length; length++)
            assert_int_equal(try_load(&setup, bytes.text, length), ERR_PARSE);
        for (size_t at = 0; at < bytes.length; at++) {
            bytes.text[at] ^= (char)(1 << at % 8);
            assert_int_equal(try_load(&setup, bytes.text, bytes.length), ERR_PARSE);
            bytes.text[at] ^= (char)(1 << at % 8);
        }
        str_free(&bytes);
    }
}

// Even bytes with a right checksum may be nonsense: no crash, whatever they say.
static void test_nonsense_with_a_right_checksum(void **state) {
    (void)state;
    static const char *const tiny[] = {"population", "6", NULL};
    for (size_t i = 0; evolve_algorithms[i] != NULL; i++) {
        EvolveSetup setup = setup_of(evolve_algorithms[i]->name, tiny);
        Str good = saved_run(&setup);
        size_t refused = 0, body = good.length - 8;
        for (size_t at = 0; at < body; at++) {
            Str bad = {0};
            str_append(&bad, good.text, body);
            bad.text[at] ^= (char)(at % 3 == 0 ? 0xff : 0x80);
            size_t length = at % 5 == 0 ? at : body; // some are cut short too
            str_cut(&bad, length);
            bytes_add_u64(&bad, hash_bytes(HASH_START, bad.text, length));
            refused += try_load(&setup, bad.text, bad.length) != OK;
            str_free(&bad);
        }
        assert_true(refused > 40);
        str_free(&good);
    }
}

static void assert_refused(const EvolveSetup *setup, const Str *bytes, const char *message) {
    Evolver *evolver;
    assert_int_equal(evolver_load(&evolver, setup, view_of(bytes->text, bytes->length)), ERR_ARG);
    assert_string_equal(error_message(), message);
}

static void test_other_setups_are_refused(void **state) {
    (void)state;
    EvolveSetup setup = setup_of("ga", small), other = setup;
    Str bytes = saved_run(&setup);
    other.seed = 12;
    assert_refused(&other, &bytes, "the checkpoint is of seed 11, run 3, not seed 12, run 3");
    other = setup;
    other.space.coding = EVOLVE_BINARY;
    assert_refused(&other, &bytes, "the checkpoint is of other parameters");
    other = setup;
    assert_int_equal(evolve_config_set(&other.config, "mutation-rate", "0.1"), OK);
    assert_refused(&other, &bytes,
                   "the checkpoint was made with another algorithm or other options");
    other = setup;
    assert_int_equal(evolve_config_set(&other.config, "generations", "80"), OK);
    Evolver *evolver;
    assert_int_equal(evolver_load(&evolver, &other, view_of(bytes.text, bytes.length)), OK);
    evolver_destroy(evolver);
    str_free(&bytes);
}

// --- the loop ---

static Status keep(void *context, const Evolver *evolver) {
    (void)evolver;
    ((Witness *)context)->kept++;
    return OK;
}

static Status fail_later(void *context, const EvolveBatch *batch, int64_t *scores) {
    if (batch->generation == 3)
        return error_set(ERR_ENGINE, "the judge is gone");
    return evaluate(context, batch, scores);
}

static void test_checkpoints_and_failures(void **state) {
    (void)state;
    EvolveSetup setup = setup_of("halves", small);
    Witness witness = {.landscape = sphere, .stop_at = UINT32_MAX};
    EvolveLoop loop = loop_of(&witness);
    loop.checkpoint = keep;
    loop.checkpoint_every = 10;
    Evolver *evolver = create_ok(&setup);
    assert_int_equal(evolve_run(evolver, &loop, NULL), OK);
    assert_int_equal(witness.kept, 5); // after 10, 20, 30, 40, and at the end
    evolver_destroy(evolver);
    loop.evaluate = fail_later;
    evolver = create_ok(&setup);
    assert_int_equal(evolve_run(evolver, &loop, NULL), ERR_ENGINE);
    assert_string_equal(error_message(), "the judge is gone");
    assert_int_equal(evolver_generation(evolver), 3);
    evolver_destroy(evolver);
}

static void test_limit_of_evaluations(void **state) {
    (void)state;
    static const char *const pairs[] = {"population", "10", "evaluations", "55", NULL};
    EvolveSetup setup = setup_of("ga", pairs);
    Witness witness = {.landscape = sphere, .stop_at = UINT32_MAX};
    EvolveLoop loop = loop_of(&witness);
    Evolver *evolver = create_ok(&setup);
    const char *reason;
    assert_int_equal(evolve_run(evolver, &loop, &reason), OK);
    assert_string_equal(reason, "60 evaluations done");
    evolver_destroy(evolver);
}

// The organisms to start from come first, whatever the algorithm does with them.
static void test_start(void **state) {
    (void)state;
    static const double start[] = {1, 2, 3, 4, 5, 0, 0, 0, 0, 0};
    for (size_t i = 0; evolve_algorithms[i] != NULL; i++) {
        EvolveSetup setup = setup_of(evolve_algorithms[i]->name, small);
        const bool one = strcmp(evolve_algorithms[i]->name, "spsa") == 0 ||
                         strcmp(evolve_algorithms[i]->name, "surface") == 0;
        setup.start = start;
        setup.start_count = one ? 1 : 2;
        Evolver *evolver = create_ok(&setup);
        EvolveBatch batch = evolver_ask(evolver);
        bool samples = one || strcmp(evolve_algorithms[i]->name, "cmaes") == 0;
        for (size_t j = 0; j < 10 && !samples; j++)
            assert_true(fabs(batch.parameters[j] - start[j]) < 1e-3);
        evolver_destroy(evolver);
        setup.start_count = 13;
        Evolver *none;
        assert_int_equal(evolver_create(&none, &setup), ERR_ARG);
    }
}

// --- promises of the papers' algorithms ---

static void test_the_best_is_never_lost(void **state) {
    (void)state;
    static const char *const settings[][11] = {
        {"population", "30", "survival", "elitism", "mutation-rate", "0.05"},
        {"population", "31", "survival", "replicate-best", "mutation-rate", "0.05"},
        {"population", "30", "survival", "elitism", "elites", "3", "mutation-rate", "0.2",
         "selection", "half"},
        {"population", "30", "survival", "none", "mutation-rate", "0.05"},
    };
    for (size_t i = 0; i < 4; i++) {
        EvolveSetup setup = setup_of("ga", settings[i]);
        Witness witness = {.landscape = rastrigin, .stop_at = 200};
        EvolveLoop loop = loop_of(&witness);
        Evolver *evolver = create_ok(&setup);
        assert_int_equal(evolve_run(evolver, &loop, NULL), OK);
        assert_int_equal(witness.best_was_lost, i == 3);
        evolver_destroy(evolver);
    }
}

// The population of ASOC 2013 keeps its better half and fills up with something else.
static void test_the_better_half_survives(void **state) {
    (void)state;
    EvolveSetup setup = setup_of("halves", small);
    Evolver *evolver = create_ok(&setup);
    double before[12 * DIMENSIONS];
    int64_t scores[12];
    EvolveBatch batch = evolver_ask(evolver);
    memcpy(before, batch.parameters, sizeof before);
    for (int i = 0; i < 12; i++)
        scores[i] = i % 2 == 0 ? i : -i;
    assert_int_equal(evolver_tell(evolver, scores), OK);
    batch = evolver_ask(evolver);
    for (size_t i = 0; i < 6; i++) // 10, 8, 6, 4, 2, 0
        assert_memory_equal(batch.parameters + i * DIMENSIONS, before + (10 - 2 * i) * DIMENSIONS,
                            DIMENSIONS * sizeof *before);
    evolver_destroy(evolver);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_seed_same_run),
        cmocka_unit_test(test_known_runs),
        cmocka_unit_test(test_saved_runs_go_on),
        cmocka_unit_test(test_damage_is_noticed),
        cmocka_unit_test(test_nonsense_with_a_right_checksum),
        cmocka_unit_test(test_other_setups_are_refused),
        cmocka_unit_test(test_checkpoints_and_failures),
        cmocka_unit_test(test_limit_of_evaluations),
        cmocka_unit_test(test_start),
        cmocka_unit_test(test_the_best_is_never_lost),
        cmocka_unit_test(test_the_better_half_survives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
