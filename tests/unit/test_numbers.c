// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers of the search: their table, their ends, and what some of them mean.
#include "base/rng.h"
#include "searching.h"
#include "sized.h"

#include <strings.h>

static const char *const fens[] = {
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NB1N2/PP3PPP/R1BQ1RK1 w - - 0 10",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "4r2k/1P4pp/8/6N1/2Q5/8/p5PP/7K w - - 0 1",
    "2r3k1/5ppp/8/8/8/8/1q3PPP/R2QR1K1 b - - 0 1",
};
enum { FENS = sizeof fens / sizeof fens[0], LIMITED_NODES = SIZED(3000, 800) };

static void test_table(void **state) {
    (void)state;
    for (size_t i = 0; i < SEARCH_NUMBER_NB; i++) {
        const SearchNumber *number = search_number(i);
        const int span = number->high - number->low;
        assert_true(number->low >= 0 && span > 0 && number->part <= FEATURE_ALWAYS);
        assert_true(span < 1 << number->bits && span >= 1 << (number->bits - 1));
        for (Profile profile = 0; profile < PROFILE_NB; profile++) {
            Features features = features_of(profile);
            assert_in_range(number->of[profile], number->low, number->high);
            assert_int_equal(*search_number_in(&features, number), number->of[profile]);
        }
        // One name, one option.
        assert_ptr_equal(search_number_find(number->name), number);
        for (Feature feature = 0; feature < FEATURE_NB; feature++)
            assert_int_not_equal(strcasecmp(feature_name(feature), number->name), 0);
    }
    assert_null(search_number_find("NoSuchNumber"));
}

static uint64_t count_nodes(Engine *engine, const Features *features, int depth, uint64_t nodes) {
    uint64_t sum = 0;
    search_set_features(engine->search, *features);
    for (size_t i = 0; i < FENS; i++) {
        engine_forget(engine);
        const Limits limits = {.depth = depth, .nodes = nodes};
        sum += engine_go_fen(engine, fens[i], limits).nodes;
    }
    return sum;
}

// Every part on, so that every number counts.
static Features all_parts(void) {
    Features features = features_of(PROFILE_MODERN);
    for (Feature feature = 0; feature < FEATURE_NB; feature++)
        features.on[feature] = true;
    return features;
}

static void test_each_at_its_ends(void **state) {
    for (size_t i = 0; i < SEARCH_NUMBER_NB; i++) {
        const SearchNumber *number = search_number(i);
        for (int end = 0; end < 2; end++) {
            Features features = all_parts();
            *search_number_in(&features, number) = end == 0 ? number->low : number->high;
            count_nodes(*state, &features, 0, LIMITED_NODES);
        }
    }
}

static void test_all_at_their_ends(void **state) {
    for (int end = 0; end < 2; end++)
        for (Profile profile = 0; profile <= PROFILE_NB; profile++) {
            Features features = profile < PROFILE_NB ? features_of(profile) : all_parts();
            for (size_t i = 0; i < SEARCH_NUMBER_NB; i++)
                *search_number_in(&features, search_number(i)) =
                    end == 0 ? search_number(i)->low : search_number(i)->high;
            count_nodes(*state, &features, 0, LIMITED_NODES);
        }
}

// As evolution begins.
static void test_any_numbers_and_parts(void **state) {
    for (uint32_t k = 0; k < SIZED(100, 25); k++) {
        Rng rng = rng_at(1, k, 0, 0);
        Features features;
        for (Feature feature = 0; feature < FEATURE_NB; feature++)
            features.on[feature] = rng_below(&rng, 2) != 0;
        for (size_t i = 0; i < SEARCH_NUMBER_NB; i++) {
            const SearchNumber *number = search_number(i);
            *search_number_in(&features, number) =
                number->low + (int)rng_below(&rng, (uint32_t)(number->high - number->low + 1));
        }
        count_nodes(*state, &features, 0, LIMITED_NODES);
    }
}

static void set(Features *features, const char *name, int value) {
    const SearchNumber *number = search_number_find(name);
    assert_non_null(number);
    *search_number_in(features, number) = value;
}

// An extension of nothing is none, and of a few quarters something between none and all.
static void test_quarter_plies(void **state) {
    static const struct {
        Feature part;
        const char *number;
    } extensions[] = {
        {FEATURE_EXTEND_CHECK, "CheckExtension"},
        {FEATURE_EXTEND_REPLY, "SingleReplyExtension"},
        {FEATURE_EXTEND_RECAPTURE, "RecaptureExtension"},
        {FEATURE_EXTEND_PASSED, "PassedPawnExtension"},
        {FEATURE_EXTEND_THREAT, "MateThreatExtension"},
    };
    for (size_t i = 0; i < sizeof extensions / sizeof extensions[0]; i++) {
        Features whole = features_of(PROFILE_PAPERS), none = whole, off = whole, half = whole;
        set(&none, extensions[i].number, 0);
        set(&half, extensions[i].number, 2);
        off.on[extensions[i].part] = false;
        const uint64_t nodes = count_nodes(*state, &off, 6, 0);
        assert_true(count_nodes(*state, &none, 6, 0) == nodes);
        assert_true(count_nodes(*state, &whole, 6, 0) != nodes);
        if (extensions[i].part == FEATURE_EXTEND_CHECK)
            assert_true(count_nodes(*state, &half, 6, 0) != nodes);
    }
}

// R with the adaptive part is R - 1 without, as long as no node is deeper than it reaches.
static void test_adaptive_null_move(void **state) {
    Features fixed = features_of(PROFILE_PAPERS);
    fixed.on[FEATURE_EXTEND_CHECK] = fixed.on[FEATURE_EXTEND_REPLY] = false;
    fixed.on[FEATURE_EXTEND_RECAPTURE] = fixed.on[FEATURE_EXTEND_PASSED] = false;
    fixed.on[FEATURE_EXTEND_THREAT] = false;
    set(&fixed, "NullMoveDivisor", 0);
    set(&fixed, "NullMoveMargin", 0);
    Features adaptive = fixed, other = fixed;
    adaptive.on[FEATURE_NULL_ADAPTIVE] = true;
    set(&fixed, "NullMoveReduction", 2);
    set(&adaptive, "NullMoveReduction", 3);
    set(&adaptive, "NullMoveAdaptiveDepth", 7);
    set(&other, "NullMoveReduction", 3);
    const uint64_t nodes = count_nodes(*state, &fixed, 6, 0);
    assert_true(count_nodes(*state, &adaptive, 6, 0) == nodes);
    assert_true(count_nodes(*state, &other, 6, 0) != nodes);
}

// Numbers that switch a part off.
static void test_numbers_that_mean_off(void **state) {
    Features papers = features_of(PROFILE_PAPERS), off = papers, none = papers;
    off.on[FEATURE_MULTI_CUT] = false;
    set(&none, "MultiCutMoves", 0);
    assert_true(count_nodes(*state, &off, 6, 0) == count_nodes(*state, &none, 6, 0));
    assert_true(count_nodes(*state, &off, 6, 0) != count_nodes(*state, &papers, 6, 0));
    off = none = papers;
    off.on[FEATURE_FUTILITY] = off.on[FEATURE_EXTENDED_FUTILITY] = false;
    set(&none, "FutilityDepth", 0);
    assert_true(count_nodes(*state, &off, 6, 0) == count_nodes(*state, &none, 6, 0));
    off = none = papers;
    off.on[FEATURE_EXTENDED_FUTILITY] = false;
    set(&none, "FutilityDepth", 1);
    assert_true(count_nodes(*state, &off, 6, 0) == count_nodes(*state, &none, 6, 0));
}

static Engine shared_engine;

static int set_up(void **state) {
    shared_engine = engine_open();
    *state = &shared_engine;
    return 0;
}

static int tear_down(void **state) {
    engine_close(*state);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table),
        cmocka_unit_test(test_each_at_its_ends),
        cmocka_unit_test(test_all_at_their_ends),
        cmocka_unit_test(test_any_numbers_and_parts),
        cmocka_unit_test(test_quarter_plies),
        cmocka_unit_test(test_adaptive_null_move),
        cmocka_unit_test(test_numbers_that_mean_off),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
