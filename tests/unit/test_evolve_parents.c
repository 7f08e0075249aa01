// SPDX-License-Identifier: GPL-3.0-or-later
// Whom an organism comes from: who survived is the same, and a child without mutation has every bit
// of a parent; checkpoints keep it, and those of earlier versions go on without.
#include "tests/unit/evolving.h"

#include "base/hash.h"
#include "base/mem.h"

enum { WIDTH = 5, ROUNDS = 12, RECORD_BYTES = 25, HASH_BYTES = 8 };

static Landscape landscape = sphere;

static void judge(Evolver *evolver, int64_t *scores) {
    const EvolveBatch batch = evolver_ask(evolver);
    assert_int_equal(evaluate_landscape(&landscape, &batch, scores), OK);
}

static bool is_same(const double *a, const double *b) {
    return memcmp(a, b, WIDTH * sizeof *a) == 0;
}

// Looks at each member of the batch with its parents in the one before.
static size_t check_parents(Evolver *evolver, const double *before, const int64_t *scores,
                            size_t size, bool is_mutated) {
    const EvolveBatch batch = evolver_ask(evolver);
    size_t survivors = 0;
    for (size_t i = 0; i < batch.count; i++) {
        EvolveParents parents;
        if (!evolver_parents(evolver, i, &parents))
            continue;
        const double *own = batch.parameters + i * WIDTH;
        assert_true(parents.mother < size);
        assert_int_equal(parents.mother_score, scores[parents.mother]);
        survivors += parents.is_survivor;
        if (parents.is_survivor)
            assert_true(is_same(own, before + parents.mother * WIDTH));
        if (parents.father == EVOLVE_NO_PARENT)
            continue;
        assert_true(parents.father < size);
        assert_int_equal(parents.father_score, scores[parents.father]);
        if (!is_mutated)
            assert_true(is_same(own, before + parents.mother * WIDTH) ||
                        is_same(own, before + parents.father * WIDTH));
    }
    return survivors;
}

static void run_algorithm(const char *name, const char *const *pairs, size_t size, size_t survivors,
                          bool is_mutated) {
    const EvolveSetup setup = {
        .space = box_space(WIDTH, EVOLVE_GRAY), .config = config_of(name, pairs), .seed = 3};
    Evolver *evolver = create_ok(&setup);
    EvolveParents parents;
    assert_false(evolver_parents(evolver, 0, &parents)); // nobody's child
    for (int round = 0; round < ROUNDS; round++) {
        const EvolveBatch batch = evolver_ask(evolver);
        const size_t bytes = batch.count * WIDTH * sizeof(double);
        CLEANUP(mem_free_at) double *before = memcpy(mem_alloc(bytes), batch.parameters, bytes);
        CLEANUP(mem_free_at) int64_t *scores = mem_alloc(batch.count * sizeof *scores);
        judge(evolver, scores);
        assert_int_equal(evolver_tell(evolver, scores), OK);
        assert_int_equal(check_parents(evolver, before, scores, size, is_mutated), survivors);
    }
    evolver_destroy(evolver);
}

static void test_ga(void **state) {
    (void)state;
    static const char *const plain[] = {"population",    "11", "crossover", "none",
                                        "mutation-rate", "0",  NULL};
    static const char *const elites[] = {"population", "10", "survival", "elitism",
                                         "elites",     "4",  NULL};
    static const char *const none[] = {"population", "10", "survival", "none", NULL};
    run_algorithm("ga", plain, 11, 1, false);
    run_algorithm("ga", elites, 10, 4, true);
    run_algorithm("ga", none, 10, 0, true);
}

static void test_halves(void **state) {
    (void)state;
    static const char *const pairs[] = {"population", "9", "archive-rate", "0.5", NULL};
    run_algorithm("halves", pairs, 9, 5, true);
}

// An algorithm that does not tell.
static void test_unknown(void **state) {
    (void)state;
    static const char *const pairs[] = {"population", "9", NULL};
    run_algorithm("de", pairs, 9, 0, true);
}

static Str save_without_parents(const Evolver *evolver, size_t size) {
    Str bytes = {0};
    evolver_save(evolver, &bytes);
    str_cut(&bytes, bytes.length - HASH_BYTES - size * RECORD_BYTES);
    bytes_add_u64(&bytes, hash_bytes(HASH_START, bytes.text, bytes.length));
    return bytes;
}

static void test_checkpoints(void **state) {
    (void)state;
    static const char *const algorithms[] = {"ga", "memetic", "halves"};
    static const char *const pairs[] = {"population", "10", NULL};
    for (size_t a = 0; a < sizeof algorithms / sizeof *algorithms; a++) {
        const EvolveSetup setup = {.space = box_space(WIDTH, EVOLVE_GRAY),
                                   .config = config_of(algorithms[a], pairs),
                                   .seed = 5};
        Evolver *evolver = create_ok(&setup), *again, *older;
        for (int round = 0; round < 3; round++) {
            int64_t scores[200];
            judge(evolver, scores);
            assert_int_equal(evolver_tell(evolver, scores), OK);
        }
        CLEANUP(str_free) Str bytes = {0};
        evolver_save(evolver, &bytes);
        CLEANUP(str_free) Str old = save_without_parents(evolver, 10);
        assert_int_equal(evolver_load(&again, &setup, view_of(bytes.text, bytes.length)), OK);
        assert_int_equal(evolver_load(&older, &setup, view_of(old.text, old.length)), OK);
        const EvolveBatch batch = evolver_ask(evolver), other = evolver_ask(older);
        assert_int_equal(batch.count, other.count);
        assert_memory_equal(batch.parameters, other.parameters,
                            batch.count * WIDTH * sizeof(double));
        for (size_t i = 0; i < batch.count; i++) {
            EvolveParents here = {0}, there = {0};
            assert_int_equal(evolver_parents(evolver, i, &here), evolver_parents(again, i, &there));
            assert_int_equal(here.mother, there.mother);
            assert_int_equal(here.father, there.father);
            assert_int_equal(here.mother_score, there.mother_score);
            assert_int_equal(here.father_score, there.father_score);
            assert_int_equal(here.is_survivor, there.is_survivor);
            assert_false(evolver_parents(older, i, &there));
        }
        evolver_destroy(evolver);
        evolver_destroy(again);
        evolver_destroy(older);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ga),
        cmocka_unit_test(test_halves),
        cmocka_unit_test(test_unknown),
        cmocka_unit_test(test_checkpoints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
