// SPDX-License-Identifier: GPL-3.0-or-later
// The worths of moves for many organisms at once are those of the plain search for each.
#include "fitness/worths.h"

#include "fitness/forest_plain.h"
#include "testing.h"

enum { POSITIONS = 60 };

static void check_family(const Family *family, const ForestRules *rules, size_t organisms) {
    static int coefficients[WORTHS_LANES][COEFFICIENTS_MAX];
    static Worths worths;
    static ForestWorths plain;
    const int *each[WORTHS_LANES];
    int parameters[TERMS_MAX];
    Rng rng = rng_at(3, 0, 0, 0);
    for (size_t i = 0; i < organisms; i++) {
        family_randomize(family, &rng, parameters);
        family->expand(parameters, coefficients[i]);
        each[i] = coefficients[i];
    }
    WorthsSearch *search = worths_create(family, rules, each, organisms);
    PgnGame game = {0};
    for (size_t i = 0; i < POSITIONS; i++) {
        testing_random_game(&game, &rng, 1 + rng_below(&rng, 60));
        worths_find(search, &game.final, &worths);
        for (size_t lane = 0; lane < organisms; lane++) {
            forest_plain_worths(&game.final, family, each[lane], rules, NULL, &plain);
            assert_int_equal(worths.count, plain.count);
            for (size_t k = 0; k < plain.count; k++) {
                assert_int_equal(worths.moves[k], plain.moves[k]);
                assert_int_equal(worths.worths[k][lane], plain.worths[k]);
            }
        }
    }
    pgn_game_free(&game);
    worths_destroy(search);
}

static void test_all_families_agree_with_the_plain_search(void **state) {
    (void)state;
    for (const Family *const *family = families; *family != NULL; family++)
        check_family(*family, &FOREST_RULES_DEFAULT, 3);
}

static void test_all_rules_and_lanes_agree(void **state) {
    (void)state;
    check_family(&family_maestro, &(ForestRules){QUIESCENCE_NONE, 0}, WORTHS_LANES);
    check_family(&family_maestro, &(ForestRules){QUIESCENCE_CHECKS, 4}, 1);
    check_family(&family_falcon, &(ForestRules){QUIESCENCE_CAPTURES, 2}, WORTHS_LANES);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_families_agree_with_the_plain_search),
        cmocka_unit_test(test_all_rules_and_lanes_agree),
    };
    return cmocka_run_group_tests(tests, testing_set_up, testing_tear_down);
}
