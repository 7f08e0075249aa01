// SPDX-License-Identifier: GPL-3.0-or-later
// Codings, selection, crossover, mutation, survival and the archive: each does what it says, as
// often as it says. Bounds on counts are five standard deviations, with fixed seeds.
#include "evolve/coding.h"
#include "evolve/crossover.h"
#include "evolve/mutation.h"
#include "evolve/random.h"
#include "evolve/selection.h"
#include "evolve/survival.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include <math.h>

enum { DRAWS = 100000, BITS = 230, WORDS = 4 };

static void assert_rate(size_t count, size_t draws, double rate) {
    double expected = (double)draws * rate, deviation = sqrt(expected * (1 - rate));
    if (fabs((double)count - expected) > 5 * deviation + 1e-9)
        fail_msg("%zu of %zu, expected %g +- %g", count, draws, expected, deviation);
}

static bool bit_of(const uint64_t *bits, size_t i) {
    return bits[i / 64] >> (63 - i % 64) & 1;
}

static Rng test_rng(uint32_t use) {
    return rng_at(1, 2, 3, use);
}

// --- coding ---

static const EvolveParameter whole_genes[] = {
    {"a", 0, 1023, 10}, {"fixed", 100, 100, 0}, {"b", -7, 24, 5},  {"c", 0, 2047, 11},
    {"d", 0, 63, 6},    {"e", -5, 200, 8},      {"f", 0, 1e9, 30}, {"g", 0, 1, 1},
};
static const EvolveParameter real_genes[] = {{"x", -5.12, 5.12, 16}, {"y", 0, 1e-3, 31}};

static EvolveSpace space_of(EvolveCoding coding, bool is_integer) {
    if (is_integer)
        return (EvolveSpace){whole_genes, sizeof whole_genes / sizeof *whole_genes, coding, true};
    return (EvolveSpace){real_genes, 2, coding, false};
}

// Any bits are an organism within its boxes, which comes back from its own bits.
static void check_round_trip(EvolveSpace space) {
    assert_int_equal(space_check(&space), OK);
    BitCode code = coding_create(&space);
    uint64_t bits[4], again[4];
    double parameters[8], decoded[8];
    Rng rng = test_rng(0);
    for (int round = 0; round < 5000; round++) {
        coding_randomize(&code, &rng, bits);
        coding_decode(&code, bits, parameters);
        for (size_t i = 0; i < space.count; i++)
            assert_true(space_nearest(&space, i, parameters[i]) == parameters[i]);
        coding_encode(&code, parameters, again);
        coding_decode(&code, again, decoded);
        assert_memory_equal(decoded, parameters, space.count * sizeof *decoded);
        space_randomize(&space, &rng, parameters);
        coding_encode(&code, parameters, bits);
        coding_decode(&code, bits, decoded);
        for (size_t i = 0; i < space.count; i++)
            assert_true(fabs(decoded[i] - parameters[i]) <= (space.is_integer ? 0 : 1e-4));
    }
    coding_free(&code);
}

static void test_coding_round_trip(void **state) {
    (void)state;
    for (int gray = 0; gray < 2; gray++)
        for (int whole = 0; whole < 2; whole++)
            check_round_trip(space_of(gray ? EVOLVE_GRAY : EVOLVE_BINARY, whole));
}

// As chromosomes of the engine have it: the highest bit of the first gene comes first, and a code
// counts from the low bound.
static void test_order_of_bits(void **state) {
    (void)state;
    EvolveSpace space = space_of(EVOLVE_BINARY, true);
    BitCode code = coding_create(&space);
    uint64_t bits[4] = {1ULL << 63 | 1ULL << (63 - 10)};
    double parameters[8];
    coding_decode(&code, bits, parameters);
    assert_true(parameters[0] == 512 && parameters[1] == 100 && parameters[2] == -7 + 16);
    memset(bits, 0xff, sizeof bits); // the highest codes of "e" and "f" are beyond their boxes
    coding_decode(&code, bits, parameters);
    assert_true(parameters[5] == 200 && parameters[6] == 1e9);
    coding_free(&code);
}

static void test_gray_neighbours(void **state) {
    (void)state;
    for (uint32_t i = 0; i < 100000; i++) {
        assert_int_equal(coding_from_gray(coding_to_gray(i)), i);
        assert_int_equal(__builtin_popcount(coding_to_gray(i) ^ coding_to_gray(i + 1)), 1);
    }
}

// --- selection ---

static void check_shares(const double *shares, size_t count) {
    enum { MOST = 16 };
    double sums[MOST], total = 0;
    size_t seen[MOST] = {0};
    memcpy(sums, shares, count * sizeof *sums);
    for (size_t i = 0; i < count; i++)
        total += shares[i];
    selection_wheel_build(sums, count);
    Rng rng = test_rng(1);
    for (size_t i = 0; i < DRAWS; i++)
        seen[selection_wheel_spin(sums, count, &rng)]++;
    for (size_t i = 0; i < count; i++)
        assert_rate(seen[i], DRAWS, shares[i] / total);
}

static void test_proportional(void **state) {
    (void)state;
    static const int64_t errors[] = {-40, -10, -20, -40, -15}, hits[] = {3, 0, 1, 4, 2};
    const double expected[][5] = {
        {0, 30, 20, 0, 25},
        {0, 15 + sqrt(160), 5 + sqrt(160), 0, 10 + sqrt(160)},
        {1 / 40.0, 1 / 10.0, 1 / 20.0, 1 / 40.0, 1 / 15.0},
        {1 / 1600.0, 1 / 100.0, 1 / 400.0, 1 / 1600.0, 1 / 225.0},
        {3, 0, 1, 4, 2},
        {9, 0, 1, 16, 4},
    };
    double shares[5];
    for (int scaling = SCALING_SHIFT; scaling <= SCALING_SQUARE; scaling++) {
        const int64_t *scores = scaling < SCALING_RAW ? errors : hits;
        assert_int_equal(selection_proportional((Scaling)scaling, scores, 5, shares), OK);
        for (int i = 0; i < 5; i++)
            assert_true(fabs(shares[i] - expected[scaling][i]) < 1e-12);
        check_shares(shares, 5);
    }
    static const int64_t equal[] = {-7, -7, -7};
    assert_int_equal(selection_proportional(SCALING_SHIFT, equal, 3, shares), OK);
    check_shares(shares, 3);
    static const int64_t perfect[] = {0, -1, -2};
    assert_int_equal(selection_proportional(SCALING_INVERSE, perfect, 3, shares), OK);
    check_shares(shares, 3);
}

static void test_wrong_signs(void **state) {
    (void)state;
    static const int64_t scores[] = {3, -1};
    double shares[2];
    assert_int_equal(selection_proportional(SCALING_INVERSE, scores, 2, shares), ERR_ARG);
    assert_string_equal(error_message(),
                        "scaling inverse takes errors with a minus sign, not a score of 3");
    assert_int_equal(selection_proportional(SCALING_RAW, scores, 2, shares), ERR_ARG);
    assert_string_equal(error_message(), "scaling raw takes no negative score such as -1");
}

static void test_rank_and_half(void **state) {
    (void)state;
    static const int64_t scores[] = {-40, -10, -20, -40, -15};
    static const double ranked[] = {0.6, 1.8, 1.0, 0.2, 1.4}, half[] = {0, 1, 1, 0, 1};
    uint32_t order[5];
    static const uint32_t expected_order[] = {1, 4, 2, 0, 3};
    double shares[5];
    selection_order(scores, 5, order);
    assert_memory_equal(order, expected_order, sizeof order);
    selection_rank(1.8, scores, 5, shares);
    for (int i = 0; i < 5; i++)
        assert_true(fabs(shares[i] - ranked[i]) < 1e-12);
    check_shares(shares, 5);
    selection_half(scores, 5, shares);
    assert_memory_equal(shares, half, sizeof half);
    check_shares(shares, 5);
}

// --- crossover ---

typedef struct Cross {
    uint64_t mother[WORDS], father[WORDS], daughter[WORDS], son[WORDS];
} Cross;

// What one child has of a bit the other has not: nothing is lost or made up.
static void check_children(const Cross *cross) {
    for (size_t w = 0; w < WORDS; w++) {
        assert_true((cross->daughter[w] ^ cross->son[w]) == (cross->mother[w] ^ cross->father[w]));
        assert_true((cross->daughter[w] & cross->son[w]) == (cross->mother[w] & cross->father[w]));
    }
}

static Pair pair_of(Cross *cross) {
    return (Pair){cross->mother, cross->father, cross->daughter, cross->son};
}

static void fill_parents(Cross *cross) { // all zeros and all ones, so that cuts can be seen
    memset(cross, 0, sizeof *cross);
    memset(cross->father, 0xff, sizeof cross->father);
    cross->father[WORDS - 1] = ~0ULL << (WORDS * 64 - BITS);
}

static void test_single_point(void **state) {
    (void)state;
    Cross cross;
    size_t cuts[BITS] = {0};
    Rng rng = test_rng(2);
    fill_parents(&cross);
    Pair pair = pair_of(&cross);
    for (size_t n = 0; n < DRAWS; n++) {
        crossover_single_point(&pair, BITS, &rng);
        check_children(&cross);
        size_t cut = 0;
        while (!bit_of(cross.daughter, cut))
            cut++;
        for (size_t i = cut; i < BITS; i += 7)
            assert_true(bit_of(cross.daughter, i));
        cuts[cut]++;
    }
    assert_int_equal(cuts[0], 0);
    for (size_t i = 1; i < BITS; i++)
        assert_rate(cuts[i], DRAWS, 1.0 / (BITS - 1));
}

static void test_uniform_crossover(void **state) {
    (void)state;
    Cross cross;
    size_t swapped[BITS] = {0};
    Rng rng = test_rng(3);
    fill_parents(&cross);
    Pair pair = pair_of(&cross);
    for (size_t n = 0; n < 20000; n++) {
        crossover_uniform(&pair, BITS, &rng);
        check_children(&cross);
        for (size_t i = 0; i < BITS; i++)
            swapped[i] += bit_of(cross.daughter, i);
    }
    for (size_t i = 0; i < BITS; i++)
        assert_rate(swapped[i], 20000, 0.5);
}

static void test_crossover_rate(void **state) {
    (void)state;
    Cross cross;
    Rng rng = test_rng(4);
    fill_parents(&cross);
    Pair pair = pair_of(&cross);
    size_t crossed = 0;
    for (size_t n = 0; n < DRAWS; n++) {
        crossover_pair(CROSSOVER_SINGLE_POINT, 0.75, &pair, BITS, &rng);
        crossed += memcmp(cross.daughter, cross.mother, sizeof cross.mother) != 0;
        crossover_pair(CROSSOVER_NONE, 1, &pair, BITS, &rng);
        assert_memory_equal(cross.daughter, cross.mother, sizeof cross.mother);
    }
    assert_rate(crossed, DRAWS, 0.75);
}

// --- mutation ---

static void check_flip_rate(double rate, size_t draws) {
    FlipTable table = mutation_flip_table(rate, BITS);
    size_t flipped[BITS] = {0};
    Rng rng = test_rng(5);
    for (size_t n = 0; n < draws; n++) {
        uint64_t bits[WORDS] = {0};
        mutation_flip(&table, &rng, bits);
        for (size_t i = 0; i < BITS; i++)
            flipped[i] += bit_of(bits, i);
        assert_true(bits[WORDS - 1] << (BITS % 64) == 0);
    }
    for (size_t i = 0; i < BITS; i++)
        assert_rate(flipped[i], draws, rate);
    mutation_flip_table_free(&table);
}

static void test_flip_rates(void **state) {
    (void)state;
    check_flip_rate(0, 100);
    check_flip_rate(0.002, DRAWS);
    check_flip_rate(0.5, 20000);
    check_flip_rate(1, 100);
}

// Half of the moves go up; none leaves the box; r^((1 - t/T)^b) has the distribution it should.
static void test_nonuniform(void **state) {
    (void)state;
    EvolveParameter parameters[] = {{"x", -1, 3, 0}, {"fixed", 5, 5, 0}};
    EvolveSpace space = {parameters, 2, EVOLVE_REAL, false};
    Rng rng = test_rng(6);
    size_t up = 0, far = 0;
    for (size_t n = 0; n < DRAWS; n++) {
        double organism[] = {0, 5};
        mutation_nonuniform(&space, 0.5, 2, &rng, organism);
        assert_true(organism[0] >= -1 && organism[0] <= 3 && organism[1] == 5);
        up += organism[0] > 0;
        double share = organism[0] > 0 ? organism[0] / 3 : -organism[0];
        far += share > 0.5;
    }
    assert_rate(up, DRAWS, 0.5);
    // Exponent 0.5^2: the share is above a half when r < 0.5^4.
    assert_rate(far, DRAWS, 1.0 / 16);
    double organism[] = {0.25, 5};
    mutation_nonuniform(&space, 1, 2, &rng, organism);
    assert_true(organism[0] == 0.25);
}

// One parameter moves, each free one as often as any other; or all do; none where all are fixed.
static void test_nonuniform_genes(void **state) {
    (void)state;
    EvolveParameter parameters[] = {
        {"a", -1, 3, 0}, {"fixed", 5, 5, 0}, {"b", 0, 1, 0}, {"c", -9, 9, 0}};
    EvolveSpace space = {parameters, 4, EVOLVE_REAL, false};
    Rng rng = test_rng(16);
    size_t moved[4] = {0};
    for (size_t n = 0; n < DRAWS; n++) {
        const double before[] = {0.5, 5, 0.5, 0.5};
        double one[] = {0.5, 5, 0.5, 0.5}, all[] = {0.5, 5, 0.5, 0.5};
        size_t ones = 0;
        mutation_nonuniform(&space, 0.5, 2, &rng, one);
        mutation_nonuniform_all(&space, 0.5, 2, &rng, all);
        for (size_t i = 0; i < 4; i++) {
            ones += one[i] != before[i];
            moved[i] += one[i] != before[i];
            assert_true((all[i] != before[i]) == (i != 1));
        }
        assert_int_equal(ones, 1);
    }
    for (size_t i = 0; i < 4; i++)
        assert_rate(moved[i], DRAWS, i == 1 ? 0 : 1.0 / 3);
    space = (EvolveSpace){parameters + 1, 1, EVOLVE_REAL, false};
    double fixed[] = {5};
    mutation_nonuniform(&space, 0, 2, &rng, fixed);
    assert_true(fixed[0] == 5);
}

static void test_deviations(void **state) {
    (void)state;
    static const double population[] = {1, 7, 3, 7, 5, 7};
    double deviations[2], low = 1, high = -1;
    mutation_deviations(population, 3, 2, deviations);
    assert_true(fabs(deviations[0] - sqrt(8.0 / 3)) < 1e-12 && deviations[1] == 0);
    Rng rng = test_rng(7);
    for (size_t n = 0; n < DRAWS; n++) {
        double step = mutation_step(2, 0.5, &rng);
        low = fmin(low, step);
        high = fmax(high, step);
    }
    assert_true(low >= -0.5 && low < -0.499 && high <= 0.5 && high > 0.499);
}

static void test_normal(void **state) {
    (void)state;
    Rng rng = test_rng(8);
    size_t within[4] = {0};
    double sum = 0;
    for (size_t n = 0; n < DRAWS; n++) {
        double deviate = random_normal(&rng);
        sum += deviate;
        for (int i = 1; i < 4; i++)
            within[i] += fabs(deviate) < i;
    }
    assert_true(fabs(sum / DRAWS) < 5 / sqrt(DRAWS));
    for (int i = 1; i < 4; i++)
        assert_rate(within[i], DRAWS, erf(i / sqrt(2)));
}

// --- survival ---

static void test_best_and_worst(void **state) {
    (void)state;
    static const int64_t scores[] = {-3, 5, -9, 5, -9};
    assert_int_equal(survival_best(scores, 5), 1);
    assert_int_equal(survival_worst(scores, 5), 2);
}

// However organisms arrive, the archive holds the best distinct ones.
static void test_archive_keeps_the_best(void **state) {
    (void)state;
    enum { CAPACITY = 10, OFFERS = 1000, KINDS = 200 };
    Archive archive = survival_archive_create(CAPACITY, 1);
    Rng rng = test_rng(9);
    bool offered[KINDS] = {false};
    assert_null(survival_archive_draw(&archive, &rng));
    for (size_t n = 0; n < OFFERS; n++) {
        uint32_t kind = rng_below(&rng, KINDS);
        double organism = kind; // whose score is its number
        survival_archive_offer(&archive, &organism, (int64_t)kind);
        offered[kind] = true;
        assert_true(archive.count <= CAPACITY);
        size_t best = 0, kept = 0;
        for (size_t k = KINDS; k-- > 0 && best < archive.count;) {
            best += offered[k];
            for (size_t i = 0; i < archive.count && offered[k]; i++)
                kept += archive.parameters[i] == (double)k;
        }
        assert_int_equal(kept, archive.count);
    }
    size_t drawn[KINDS] = {0};
    for (size_t n = 0; n < DRAWS; n++)
        drawn[(size_t)*survival_archive_draw(&archive, &rng)]++;
    assert_int_equal(archive.count, CAPACITY);
    for (size_t i = 0; i < CAPACITY; i++)
        assert_rate(drawn[(size_t)archive.parameters[i]], DRAWS, 1.0 / CAPACITY);
    survival_archive_free(&archive);
    Archive none = survival_archive_create(0, 1);
    survival_archive_offer(&none, &(double){1}, 1);
    assert_int_equal(none.count, 0);
    survival_archive_free(&none);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_coding_round_trip), cmocka_unit_test(test_order_of_bits),
        cmocka_unit_test(test_gray_neighbours),   cmocka_unit_test(test_proportional),
        cmocka_unit_test(test_wrong_signs),       cmocka_unit_test(test_rank_and_half),
        cmocka_unit_test(test_single_point),      cmocka_unit_test(test_uniform_crossover),
        cmocka_unit_test(test_crossover_rate),    cmocka_unit_test(test_flip_rates),
        cmocka_unit_test(test_nonuniform),        cmocka_unit_test(test_nonuniform_genes),
        cmocka_unit_test(test_deviations),        cmocka_unit_test(test_normal),
        cmocka_unit_test(test_best_and_worst),    cmocka_unit_test(test_archive_keeps_the_best),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
