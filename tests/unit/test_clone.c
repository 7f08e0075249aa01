// SPDX-License-Identifier: GPL-3.0-or-later
// Clones of organisms whose weights are known: what is collected, what is learned, how it varies.
#include "players/clone.h"

#include "fitness/moves/forest_plain.h"
#include "testing.h"

#include <math.h>

enum { GAMES = 240, PLIES = 44, SKIP = 8, TERM = 3 }; // ROOK_VALUE
static const ForestRules shallow = {QUIESCENCE_CAPTURES, 1, 0};
static char games_path[TESTING_PATH], alike_path[TESTING_PATH];

// --- games: "Rooky, Anna" thinks little of rooks, everybody else does not ---

// A few random moves, so that games differ, then those that the players choose.
static void play(PgnGame *game, Rng *rng, const int *const coefficients[COLOR_NB]) {
    Position first;
    position_set_start(&first);
    pgn_set_start(game, &first);
    while (game->move_count < PLIES && movegen_has_any(&game->final)) {
        Move moves[MOVES_MAX];
        const Position *pos = &game->final;
        const Move move =
            game->move_count < SKIP
                ? moves[rng_below(rng, (uint32_t)movegen(pos, MOVES_ALL, moves))]
                : forest_plain_choice(pos, &family_maestro, coefficients[position_turn(pos)],
                                      &shallow, NULL);
        assert_true(pgn_add_move(game, move));
    }
}

static void set_tag(PgnGame *game, const char *name, const char *value) {
    assert_int_equal(pgn_set_tag(game, name, view_from_string(value)), OK);
}

static const char *const whites[] = {"Usual, Bert", "Usual, Bert", "Dull, Dora"};
static const char *const blacks[] = {"Plain, Carl", "Plain, Carl", "Even, Emil"};

static int make_games(void **state) {
    if (testing_set_up(state) != 0)
        return -1;
    int usual[COEFFICIENTS_MAX], odd[COEFFICIENTS_MAX];
    Rng rng = rng_at(11, 0, 0, 0);
    Str text = {0}, alike = {0};
    family_start(&family_maestro, usual);
    memcpy(odd, usual, sizeof odd);
    odd[TERM] = 250;
    for (int i = 0; i < GAMES; i++) {
        // A third of the games has the person, on either side.
        const bool has_person = i % 3 == 0, is_white = i % 2 == 0;
        const int *players[COLOR_NB] = {usual, usual};
        PgnGame game = {0};
        char event[32];
        if (has_person)
            players[is_white ? WHITE : BLACK] = odd;
        play(&game, &rng, players);
        snprintf(event, sizeof event, "Event %d", i / 6);
        set_tag(&game, "Event", event);
        set_tag(&game, "White", has_person && is_white ? "Rooky, Anna" : whites[i % 3]);
        set_tag(&game, "Black", has_person && !is_white ? "Rooky, A." : blacks[i % 3]);
        pgn_write(&game, NULL, &text);
        if (!has_person)
            pgn_write(&game, NULL, &alike);
        pgn_game_free(&game);
    }
    testing_write(games_path, "games.pgn", text.text, text.length);
    testing_write(alike_path, "alike.pgn", alike.text, alike.length);
    str_free(&text);
    str_free(&alike);
    return 0;
}

static const char *paths[] = {games_path}, *alike_paths[] = {alike_path};
static Weights start;

static CloneConfig config_for(const char *player, int threads) {
    weights_init(&start, &family_maestro);
    return (CloneConfig){.source = {.player = player,
                                    .paths = paths,
                                    .path_count = 1,
                                    .hold_out = 0.25,
                                    .skip_plies = SKIP,
                                    .min_games = 20,
                                    .threads = threads},
                         .fit = {.start = &start,
                                 .rules = shallow,
                                 .temperature_cp = 30,
                                 .rounds = 2,
                                 .steps = 60,
                                 .runs = 4},
                         .start_name = "maestro-hand.weights",
                         .command = "a test",
                         .pool = dist_pool_new(threads)};
}

// --- what is collected ---

static void test_sets_are_as_large_and_share_no_event(void **state) {
    (void)state;
    CloneConfig config = config_for("Rooky, Anna", 2);
    CloneData data;
    config.source.positions = 300;
    config.source.judged = 150;
    assert_int_equal(clone_data_load(&data, &config.source), OK);
    size_t games = 0;
    for (int part = 0; part < PART_NB; part++) {
        const CloneSet *person = &data.sets[WHO_PERSON][part];
        const CloneSet *others = &data.sets[WHO_OTHERS][part];
        assert_int_equal(person->played.count, others->played.count);
        assert_int_equal(person->played.count, part == PART_TRAINING ? 300 : 150);
        games += person->game_count;
        for (size_t i = 0; i < person->played.count; i++) {
            assert_true(person->games[i] < person->game_count);
            assert_true(person->groups[i] < person->group_count);
            assert_true(person->plies[i] >= SKIP);
            assert_int_equal(person->from[person->games[i]].side,
                             position_turn(&person->played.items[i].pos));
            assert_true(i == 0 || person->games[i] >= person->games[i - 1]);
        }
    }
    assert_int_equal(games, GAMES / 3);
    clone_data_free(&data);
    dist_pool_free(config.pool);
}

static void test_too_few_games_are_refused_with_names_like_it(void **state) {
    (void)state;
    CloneConfig config = config_for("Rookie, Anna", 1);
    CloneData data;
    assert_int_equal(clone_data_load(&data, &config.source), ERR_ARG);
    assert_non_null(strstr(error_message(), "0 games of 'Rookie, Anna'"));
    assert_non_null(strstr(error_message(), "Rooky, Anna (40 games)"));
    config.source.player = "Rooky, Anna";
    config.source.min_games = 200;
    assert_int_equal(clone_data_load(&data, &config.source), ERR_ARG);
    assert_non_null(strstr(error_message(), "a clone takes 200"));
    config.source.player = "Zyx, W";
    assert_int_equal(clone_data_load(&data, &config.source), ERR_ARG);
    assert_null(strstr(error_message(), "like it"));
    dist_pool_free(config.pool);
}

// --- what is learned ---

static Clone *make(const CloneConfig *config) {
    Clone *clone = NULL;
    if (clone_make(&clone, config) != OK)
        fail_msg("%s", error_message());
    return clone;
}

static void test_a_clone_of_an_organism_is_told_from_the_others(void **state) {
    (void)state;
    CloneConfig config = config_for("Rooky, Anna", 2);
    Clone *clone = make(&config);
    const CloneVerdict *verdict = &clone->verdict;
    assert_true(verdict->match.difference.mean > verdict->match.of_others.mean);
    // A rook is worth less to it, by more than any other weight differs.
    assert_true(clone_weight_deviations(clone, TERM) < -3);
    bool stands[TERMS_MAX];
    clone_weights_stand(clone, &config, stands);
    assert_true(stands[TERM]);
    assert_true(clone_weight_effect_cp(clone, &config, TERM) > 30 * log(clone_least_ratio));
    // Each example is a move that was played, and that the generic organism would not have.
    const CloneSet *person = &clone->data.sets[WHO_PERSON][PART_HELD_OUT];
    assert_in_range(verdict->example_count, 1, CLONE_EXAMPLES);
    for (size_t i = 0; i < verdict->example_count; i++) {
        const CloneExample *example = &verdict->examples[i];
        assert_int_not_equal(example->usual, person->played.items[example->position].played);
        for (size_t k = 0; k < i; k++)
            assert_int_not_equal(person->games[example->position],
                                 person->games[verdict->examples[k].position]);
    }
    clone_destroy(clone);
    dist_pool_free(config.pool);
}

static void test_one_of_many_alike_is_not(void **state) {
    (void)state;
    CloneConfig config = config_for("Usual, Bert", 2);
    config.source.paths = alike_paths;
    Clone *clone = make(&config);
    const CloneVerdict *verdict = &clone->verdict;
    bool stands[TERMS_MAX], has_any = verdict->match.stands || verdict->likelihood.stands;
    clone_weights_stand(clone, &config, stands);
    for (size_t i = 0; i < start.family->term_count; i++)
        has_any |= stands[i];
    for (int trait = 0; trait < TRAIT_NB; trait++)
        has_any |= verdict->kinds[trait].stands || verdict->kinds[trait].match.stands;
    assert_false(has_any);
    assert_int_equal(verdict->example_count, 0);
    CLEANUP(report_destroy_at) Report *card = clone_card(clone, &config);
    CLEANUP(str_free) Str text = {0};
    report_write_text(card, &text);
    assert_non_null(strstr(str_text(&text), "These games show nothing that tells"));
    clone_destroy(clone);
    dist_pool_free(config.pool);
}

static void test_threads_change_nothing(void **state) {
    (void)state;
    Str texts[2] = {0};
    for (int i = 0; i < 2; i++) {
        CloneConfig config = config_for("Rooky, Anna", 1 + 2 * i);
        config.source.positions = 200;
        config.source.judged = 100;
        Clone *clone = make(&config);
        Report *card = clone_card(clone, &config);
        clone_write_json(clone, &config, &texts[i]);
        report_write_html(card, &texts[i]);
        weights_write(&clone->weights[MODEL_CLONE], &texts[i]);
        report_destroy(card);
        clone_destroy(clone);
        dist_pool_free(config.pool);
    }
    assert_string_equal(texts[0].text, texts[1].text);
    str_free(&texts[0]);
    str_free(&texts[1]);
}

static void test_weights_vary_from_draw_to_draw(void **state) {
    (void)state;
    double spreads[3] = {0};
    for (int i = 0; i < 3; i++) {
        CloneConfig config = config_for("Rooky, Anna", 2);
        config.source.positions = 200;
        config.source.judged = 100;
        config.fit.seed = i == 2;
        Clone *clone = make(&config);
        for (size_t term = 0; term < start.family->term_count; term++) {
            assert_true(clone->fits[MODEL_CLONE].deviations[term] >= 0);
            spreads[i] += clone->fits[MODEL_CLONE].deviations[term];
        }
        clone_destroy(clone);
        dist_pool_free(config.pool);
    }
    assert_true(spreads[0] > 0);
    assert_memory_equal(&spreads[1], &spreads[0], sizeof spreads[0]);
    assert_true(fabs(spreads[2] - spreads[0]) > 1e-6);
}

static void test_products_of_weights_are_refused(void **state) {
    (void)state;
    CloneConfig config = config_for("Rooky, Anna", 1);
    Clone *clone = NULL;
    weights_init(&start, &family_vazquez);
    assert_int_equal(clone_make(&clone, &config), ERR_ARG);
    assert_non_null(strstr(error_message(), "not linear"));
    dist_pool_free(config.pool);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sets_are_as_large_and_share_no_event),
        cmocka_unit_test(test_too_few_games_are_refused_with_names_like_it),
        cmocka_unit_test(test_a_clone_of_an_organism_is_told_from_the_others),
        cmocka_unit_test(test_one_of_many_alike_is_not),
        cmocka_unit_test(test_threads_change_nothing),
        cmocka_unit_test(test_weights_vary_from_draw_to_draw),
        cmocka_unit_test(test_products_of_weights_are_refused),
    };
    return cmocka_run_group_tests(tests, make_games, testing_tear_down);
}
