// SPDX-License-Identifier: GPL-3.0-or-later
// The space a family evolves in, and how freeze, only, bounds and start cut it down.
#include "settings/space.h"

#include "mentoring.h"

static const char hand[] = "weights/maestro-hand.weights";

static Status make(FamilySpace *space, const char *words) {
    RunConfig config;
    const Family *family;
    run_config_init(&config);
    mentoring_set(&config, words);
    const Status status = family_space_init(space, &config, &family);
    run_config_free(&config);
    return status;
}

static void make_ok(FamilySpace *space, const char *words) {
    if (make(space, words) != OK)
        fail_msg("%s: %s", words, error_message());
    // What evolution itself demands.
    if (space_check(&space->space) != OK)
        fail_msg("%s: %s", words, error_message());
}

static const EvolveParameter *named(const FamilySpace *space, const char *name) {
    for (size_t i = 0; i < space->space.count; i++)
        if (strcmp(space->parameters[i].name, name) == 0)
            return &space->parameters[i];
    fail_msg("no %s", name);
    return NULL;
}

static size_t count_free(const FamilySpace *space, unsigned *bits) {
    size_t count = 0;
    *bits = 0;
    for (size_t i = 0; i < space->space.count; i++) {
        count += space->parameters[i].low < space->parameters[i].high;
        *bits += space->parameters[i].bits;
    }
    return count;
}

static void test_chromosomes_are_those_of_the_papers(void **state) {
    (void)state;
    FamilySpace space;
    unsigned bits;
    make_ok(&space, "");
    assert_int_equal(count_free(&space, &bits), 35);
    assert_int_equal(bits, 230);
    assert_int_equal(space.space.coding, EVOLVE_BINARY);
    make_ok(&space, "chromosome maestro-224");
    assert_int_equal(count_free(&space, &bits), 34);
    assert_int_equal(bits, 224);
    assert_int_equal(space.space.coding, EVOLVE_GRAY);
    assert_true(named(&space, "PAWN_VALUE")->low == 100);
    assert_true(named(&space, "PAWN_VALUE")->high == 100);
    make_ok(&space, "chromosome real algorithm de");
    assert_int_equal(space.space.coding, EVOLVE_REAL);
    for (size_t i = 0; i < family_maestro.term_count; i++) {
        assert_true(space.parameters[i].low == family_maestro.terms[i].low);
        assert_true(space.parameters[i].high == family_maestro.terms[i].high);
    }
}

static void test_bits_for_any_family(void **state) {
    (void)state;
    static const char *const names[] = {"maestro", "vazquez", "shannon", "falcon"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const Family *family = family_find(names[i]);
        FamilySpace space;
        char words[64];
        snprintf(words, sizeof words, "family %s chromosome gray", names[i]);
        make_ok(&space, words); // which proves that the bits reach every value
        assert_int_equal(space.space.coding, EVOLVE_GRAY);
        for (size_t j = 0; j < family->term_count; j++) {
            const EvolveParameter *parameter = &space.parameters[j];
            assert_true(parameter->low == family->terms[j].low);
            assert_true(parameter->high == family->terms[j].high);
            const double size = parameter->high - parameter->low;
            assert_true(parameter->bits == 0 || size >= (double)(1u << (parameter->bits - 1)));
        }
        snprintf(words, sizeof words, "family %s chromosome binary", names[i]);
        make_ok(&space, words);
        assert_int_equal(space.space.coding, EVOLVE_BINARY);
    }
}

static void test_tempo_is_one_more(void **state) {
    (void)state;
    FamilySpace space;
    unsigned bits;
    make_ok(&space, "tempo yes");
    assert_int_equal(count_free(&space, &bits), 36);
    assert_int_equal(bits, 230 + TEMPO_BITS);
    assert_true(named(&space, "TEMPO")->high == TEMPO_HIGH);
    make_ok(&space, "tempo yes freeze TEMPO=10");
    assert_true(named(&space, "TEMPO")->low == 10 && named(&space, "TEMPO")->high == 10);
}

static void test_frozen_values(void **state) {
    (void)state;
    FamilySpace space;
    char words[256];
    unsigned bits;
    make_ok(&space, "freeze PAWN_VALUE=100,BISHOP_PAIR");
    assert_int_equal(count_free(&space, &bits), 33);
    assert_true(named(&space, "PAWN_VALUE")->low == 100);
    const int term = family_find_term(&family_maestro, "BISHOP_PAIR");
    assert_true(named(&space, "BISHOP_PAIR")->low == family_maestro.terms[term].start);
    // With weights to start from, theirs.
    Weights weights;
    assert_int_equal(weights_load(&weights, hand), OK);
    snprintf(words, sizeof words, "start %s freeze BISHOP_PAIR,ROOK_VALUE=510", hand);
    make_ok(&space, words);
    assert_true(named(&space, "BISHOP_PAIR")->low == weights.parameters[term]);
    assert_true(named(&space, "ROOK_VALUE")->low == 510);
    assert_true(space.start[family_find_term(&family_maestro, "ROOK_VALUE")] == 510);
    weights_free(&weights);
}

static void test_only_some_evolve(void **state) {
    (void)state;
    FamilySpace space;
    unsigned bits;
    make_ok(&space, "only PAWN_VALUE,BISHOP_PAIR");
    assert_int_equal(count_free(&space, &bits), 2);
    assert_true(named(&space, "PAWN_VALUE")->low < named(&space, "PAWN_VALUE")->high);
    // What a pattern stands for, with whatever a list takes beside names.
    make_ok(&space, "only KNIGHT_*,*_PAIR freeze KNIGHT_OUTPOST*=7");
    assert_int_equal(count_free(&space, &bits), 3);
    assert_true(named(&space, "KNIGHT_VALUE")->low < named(&space, "KNIGHT_VALUE")->high);
    assert_true(named(&space, "KNIGHT_OUTPOST_MULT")->low == 7);
    make_ok(&space, "chromosome maestro-224 only BISHOP_PAIR");
    assert_int_equal(count_free(&space, &bits), 1);
    assert_true(named(&space, "PAWN_VALUE")->low == 100);
}

static void test_bounds_narrow(void **state) {
    (void)state;
    FamilySpace space;
    make_ok(&space, "bounds PAWN_VALUE:90:110,BISHOP_PAIR:30:30");
    assert_true(named(&space, "PAWN_VALUE")->low == 90 && named(&space, "PAWN_VALUE")->high == 110);
    assert_int_equal(named(&space, "BISHOP_PAIR")->bits, 0);
}

static void test_random_cuts_leave_a_space(void **state) {
    (void)state;
    Rng rng = rng_at(4, 0, 0, 0);
    static const char *const chromosomes_of[] = {"maestro-230", "maestro-224", "real"};
    for (int repeat = 0; repeat < 200; repeat++) {
        Str words = {0};
        FamilySpace space;
        const char *chromosome = chromosomes_of[rng_below(&rng, 3)];
        str_addf(&words, "algorithm %s chromosome %s",
                 strcmp(chromosome, "real") == 0 ? "cmaes" : "ga", chromosome);
        make_ok(&space, str_text(&words));
        const size_t index = 1 + rng_below(&rng, 34);
        const EvolveParameter box = space.parameters[index];
        const uint32_t width = (uint32_t)(box.high - box.low);
        const double low = box.low + rng_below(&rng, width);
        const double high = low + rng_below(&rng, (uint32_t)(box.high - low) + 1);
        str_addf(&words, " bounds %s:%.0f:%.0f", box.name, low, high);
        make_ok(&space, str_text(&words));
        assert_true(space.parameters[index].low == low && space.parameters[index].high == high);
        str_addf(&words, " freeze %s=%.0f", box.name, high);
        make_ok(&space, str_text(&words));
        assert_true(space.parameters[index].low == high);
        str_free(&words);
    }
}

static void test_a_start_lies_in_its_boxes(void **state) {
    (void)state;
    FamilySpace space;
    char words[256];
    Weights weights;
    assert_int_equal(weights_load(&weights, hand), OK);
    snprintf(words, sizeof words, "start %s", hand);
    make_ok(&space, words);
    assert_true(space.has_start);
    for (size_t i = 0; i < family_maestro.term_count; i++)
        assert_true(space.start[i] == weights.parameters[i]);
    weights_free(&weights);
    snprintf(words, sizeof words, "start %s bounds QUEEN_VALUE:100:900", hand);
    assert_int_equal(make(&space, words), ERR_ARG);
    assert_message("start: QUEEN_VALUE is 975, and must be from 100 to 900");
}

static void test_refusals(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"family nobody", "there is no family 'nobody'"},
        {"chromosome maestro-231", "there is no chromosome 'maestro-231'"},
        {"chromosome real algorithm ga", "algorithm ga works on bits"},
        {"start /no/such.weights", "/no/such.weights"},
        {"start README.md", "README.md"},
        {"freeze PAWN", "freeze: there is no parameter 'PAWN'"},
        {"freeze PAWN_VALUE=lots", "freeze: PAWN_VALUE=lots is not a whole number"},
        {"freeze PAWN_VALUE=100000", "freeze: PAWN_VALUE must be from"},
        {"freeze TEMPO=5", "freeze: there is no parameter 'TEMPO'"},
        {"only ,", "only: there is no parameter ''"},
        {"only KINGS*", "only: there is no parameter 'KINGS*'"},
        {"only PAWN_VALUE=5", "only: write PAWN_VALUE alone"},
        {"bounds PAWN_VALUE", "bounds: write PAWN_VALUE:LOW:HIGH"},
        {"bounds PAWN_VALUE:1", "bounds: write PAWN_VALUE:LOW:HIGH"},
        {"bounds PAWN_VALUE:110:90", "bounds: PAWN_VALUE must stay within"},
        {"bounds PAWN_VALUE:-5:90", "bounds: PAWN_VALUE must stay within"},
        {"chromosome maestro-224 freeze PAWN_VALUE=90",
         "freeze: PAWN_VALUE must be from 100 to 100"},
        {"only PAWN_VALUE freeze PAWN_VALUE", "every parameter is fixed"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        FamilySpace space;
        if (make(&space, cases[i][0]) == OK)
            fail_msg("%s was taken", cases[i][0]);
        assert_message(cases[i][1]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chromosomes_are_those_of_the_papers),
        cmocka_unit_test(test_bits_for_any_family),
        cmocka_unit_test(test_tempo_is_one_more),
        cmocka_unit_test(test_frozen_values),
        cmocka_unit_test(test_only_some_evolve),
        cmocka_unit_test(test_bounds_narrow),
        cmocka_unit_test(test_random_cuts_leave_a_space),
        cmocka_unit_test(test_a_start_lies_in_its_boxes),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, testing_set_up, testing_tear_down);
}
