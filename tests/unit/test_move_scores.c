// SPDX-License-Identifier: GPL-3.0-or-later
// The scores of moves for many organisms at once are those of the plain search for each.
#include "fitness/moves/move_scores.h"

#include "fitness/moves/forest_plain.h"
#include "sized.h"
#include "testing.h"

enum { POSITIONS = SIZED(60, 20) };

static void check_family(const Family *family, const ForestRules *rules, size_t organisms) {
    static int coefficients[MOVE_SCORES_LANES][COEFFICIENTS_MAX];
    static MoveScores scores;
    static ForestScores plain;
    const int *each[MOVE_SCORES_LANES];
    int parameters[TERMS_MAX];
    Rng rng = rng_at(3, 0, 0, 0);
    for (size_t i = 0; i < organisms; i++) {
        family_randomize(family, &rng, parameters);
        family_expand(family, parameters, coefficients[i]);
        each[i] = coefficients[i];
    }
    MoveScoreSearch *search = move_scores_create(family, rules, each, organisms);
    PgnGame game = {0};
    for (size_t i = 0; i < POSITIONS; i++) {
        testing_random_game(&game, &rng, 1 + rng_below(&rng, 60));
        move_scores_find(search, &game.final, &scores);
        for (size_t lane = 0; lane < organisms; lane++) {
            forest_plain_scores(&game.final, family, each[lane], rules, NULL, &plain);
            assert_int_equal(scores.count, plain.count);
            for (size_t k = 0; k < plain.count; k++) {
                assert_int_equal(scores.moves[k], plain.moves[k]);
                assert_int_equal(scores.scores[k][lane], plain.scores[k]);
            }
        }
    }
    pgn_game_free(&game);
    move_scores_destroy(search);
}

static void test_all_families_agree_with_the_plain_search(void **state) {
    (void)state;
    for (const Family *const *family = families; *family != NULL; family++)
        check_family(*family, &FOREST_RULES_DEFAULT, 3);
}

static void test_all_rules_and_lanes_agree(void **state) {
    (void)state;
    check_family(&family_maestro, &(ForestRules){QUIESCENCE_NONE, 0, 0}, MOVE_SCORES_LANES);
    check_family(&family_maestro, &(ForestRules){QUIESCENCE_CHECKS, 4, 0}, 1);
    check_family(&family_falcon, &(ForestRules){QUIESCENCE_CAPTURES, 2, 0}, MOVE_SCORES_LANES);
    check_family(&family_maestro, &(ForestRules){QUIESCENCE_CAPTURES, 1, 1}, 2);
}

// The least that a reply leaves: -FOREST_MATE_WORTH to FOREST_MATE_WORTH.
static int worst_reply(Position *pos, const int *coefficients, const ForestRules *after) {
    Move moves[MOVES_MAX];
    const size_t count = movegen(pos, MOVES_ALL, moves);
    int least = count > 0 ? FOREST_MATE_WORTH : position_checkers(pos) != 0 ? FOREST_MATE_WORTH : 0;
    for (size_t i = 0; i < count; i++) {
        Undo undo;
        position_make(pos, moves[i], &undo);
        const int value = forest_plain_value(pos, &family_maestro, coefficients, after);
        position_unmake(pos, moves[i], &undo);
        least = value < least ? value : least;
    }
    return least == -FOREST_MATE_VALUE ? -FOREST_MATE_WORTH : least;
}

static void test_with_replies_a_move_is_worth_what_the_worst_of_them_leaves(void **state) {
    (void)state;
    static ForestScores scores;
    const ForestRules with = {QUIESCENCE_CAPTURES, 3, 1}, after = {QUIESCENCE_CAPTURES, 3, 0};
    int coefficients[COEFFICIENTS_MAX];
    PgnGame game = {0};
    Rng rng = rng_at(4, 0, 0, 0);
    family_start(&family_maestro, coefficients);
    for (size_t i = 0; i < POSITIONS; i++) {
        testing_random_game(&game, &rng, 1 + rng_below(&rng, 60));
        forest_plain_scores(&game.final, &family_maestro, coefficients, &with, NULL, &scores);
        for (size_t k = 0; k < scores.count; k++) {
            Position pos = game.final;
            Undo undo;
            position_make(&pos, scores.moves[k], &undo);
            assert_int_equal(scores.scores[k], worst_reply(&pos, coefficients, &after));
        }
    }
    pgn_game_free(&game);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_families_agree_with_the_plain_search),
        cmocka_unit_test(test_all_rules_and_lanes_agree),
        cmocka_unit_test(test_with_replies_a_move_is_worth_what_the_worst_of_them_leaves),
    };
    return cmocka_run_group_tests(tests, testing_set_up, testing_tear_down);
}
