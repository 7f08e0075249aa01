// SPDX-License-Identifier: GPL-3.0-or-later
// The profile `plain`: its scores and moves depend neither on the order of moves nor on the table,
// at one ply they are those that the fitness on played moves predicts, and order saves most nodes.
#include "chess/epd.h"
#include "fitness/moves/forest_plain.h"
#include "searching.h"
#include "sized.h"

#include <stdio.h>

enum { POSITIONS = 24, MIDDLEGAME_PIECES = 8, DEPTH_MAX = 8, FORESTS = SIZED(400, 60) };

typedef struct Found {
    int scores[DEPTH_MAX + 1];
    Move moves[DEPTH_MAX + 1];
} Found;

static const char *const files[] = {"weights/vazquez-asoc2013.weights",
                                    "weights/shannon-developed.weights"};
static Position *positions; // of games between masters
static size_t how_many;

static int load_positions(void **state) {
    (void)state;
    FILE *file = fopen("data/grandmasters-test.epd", "r");
    char line[1024];
    chess_init();
    assert_non_null(file);
    positions = calloc(5000, sizeof *positions);
    while (how_many < 5000 && fgets(line, sizeof line, file) != NULL) {
        Epd epd = {0};
        assert_int_equal(epd_parse(&epd, view_of(line, strcspn(line, "\n"))), OK);
        positions[how_many++] = epd.pos;
        epd_free(&epd);
    }
    fclose(file);
    return 0;
}

static int free_positions(void **state) {
    (void)state;
    free(positions);
    return 0;
}

static unsigned pieces_of(const Position *pos) {
    return bb_count(pos->types[KNIGHT] | pos->types[BISHOP] | pos->types[ROOK] | pos->types[QUEEN]);
}

// Middlegames, evenly from the whole file.
static void choose_middlegames(Game games[POSITIONS]) {
    size_t count = 0, step = how_many / (2 * POSITIONS);
    for (size_t i = 0; i < how_many && count < POSITIONS; i++) {
        if (i / step < count || pieces_of(&positions[i]) < MIDDLEGAME_PIECES)
            continue;
        games[count++] = (Game){.pos = positions[i], .keys = {positions[i].key}, .key_count = 1};
    }
    assert_int_equal(count, POSITIONS);
}

static Engine open_with(const char *path, Features features) {
    Engine engine = engine_open();
    Weights weights;
    assert_int_equal(weights_load(&weights, path), OK);
    search_set_weights(engine.search, &weights);
    weights_free(&weights);
    search_set_features(engine.search, features);
    return engine;
}

static Features plain_without(size_t count, const Feature *off) {
    Features features = features_of(PROFILE_PLAIN);
    for (size_t i = 0; i < count; i++)
        features.on[off[i]] = false;
    return features;
}

// Nothing puts moves in order, and nothing is remembered.
static Features unordered(void) {
    return plain_without(
        5, (Feature[]){FEATURE_ORDER, FEATURE_PVS, FEATURE_KILLERS, FEATURE_HISTORY, FEATURE_HASH});
}

static void note_line(void *context, const SearchLine *line) {
    Found *found = context;
    found->scores[line->depth] = line->score;
    found->moves[line->depth] = line->moves[0];
}

static uint64_t look(Engine *engine, const Game *game, int depth, Found *found) {
    *found = (Found){0};
    SearchListener listener = {found, note_line};
    Limits limits = {.depth = depth};
    search_prepare(engine->search, false);
    return search_run(engine->search, &game->pos, game->keys, game->key_count, &limits, &listener)
        .nodes;
}

static void assert_same(Engine *plain, Engine *other, const Game *game, int depth) {
    Found first, second;
    look(plain, game, depth, &first);
    look(other, game, depth, &second);
    assert_memory_equal(&first, &second, sizeof first);
}

// --- order ---

static void compare_middlegames(const char *file, Features features, int depth, size_t count) {
    Engine plain = open_with(file, features_of(PROFILE_PLAIN)), other = open_with(file, features);
    Game games[POSITIONS];
    choose_middlegames(games);
    for (size_t i = 0; i < count; i++)
        assert_same(&plain, &other, &games[i], depth);
    engine_close(&plain);
    engine_close(&other);
}

static void test_order_changes_neither_scores_nor_moves(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        compare_middlegames(files[i], unordered(), SIZED(4, 3), SIZED(8, 3));
}

static void test_each_part_changes_neither_scores_nor_moves(void **state) {
    (void)state;
    const Feature parts[] = {FEATURE_ORDER, FEATURE_PVS, FEATURE_KILLERS, FEATURE_HISTORY,
                             FEATURE_HASH};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        for (size_t part = 0; part < sizeof parts / sizeof parts[0]; part++)
            compare_middlegames(files[i], plain_without(1, &parts[part]), SIZED(5, 4), SIZED(6, 2));
}

static void test_six_plies(void **state) {
    (void)state;
    const Feature off[] = {FEATURE_HASH, FEATURE_KILLERS};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        compare_middlegames(files[i], plain_without(2, off), SIZED(6, 5), 1);
}

// Games with a table that lasts, from endings in which lines come back to where they were.
static void test_games_are_the_same(void **state) {
    (void)state;
    static const char *const fens[] = {
        "8/5pk1/6p1/8/3R4/6P1/r4PK1/8 b - - 7 40", "8/8/4k3/4p3/8/3NK3/1p6/1R6 w - - 0 1",
        "6k1/6p1/bn3p2/7Q/8/7P/rr4P1/7K w - - 0 1", "8/2k5/8/2KP4/8/6n1/8/8 w - - 90 80"};
    const Feature off[] = {FEATURE_HASH, FEATURE_PVS};
    for (size_t i = 0; i < 2 * sizeof fens / sizeof fens[0]; i++) {
        Engine plain = open_with(files[i % 2], features_of(PROFILE_PLAIN));
        Engine other = open_with(files[i % 2], plain_without(2, off));
        Game game;
        game_start(&game, fens[i / 2]);
        for (int ply = 0; ply < SIZED(16, 4) && movegen_has_any(&game.pos); ply++) {
            Found found;
            assert_same(&plain, &other, &game, SIZED(6, 5));
            look(&plain, &game, SIZED(6, 5), &found);
            game_play(&game, found.moves[SIZED(6, 5)]);
        }
        engine_close(&plain);
        engine_close(&other);
    }
}

// --- one ply ---

static void compare_with_forest(const Family *family, ForestQuiescence quiescence) {
    Features features = features_of(PROFILE_PLAIN);
    features.on[FEATURE_QUIESCENCE_CHECKS] = quiescence == QUIESCENCE_CHECKS;
    const ForestRules rules = {quiescence, FOREST_RULES_DEFAULT.depth, 0};
    Engine engine = engine_open();
    int coefficients[COEFFICIENTS_MAX];
    Weights weights;
    weights_init(&weights, family);
    family_expand(family, weights.parameters, coefficients);
    search_set_weights(engine.search, &weights);
    search_set_features(engine.search, features);
    for (size_t i = 0; i < FORESTS; i++) {
        const Position *pos = &positions[i * how_many / FORESTS];
        Game game = {.pos = *pos, .keys = {pos->key}, .key_count = 1};
        int value;
        Found found;
        if (pieces_of(pos) < 4)
            continue; // draws by material are the engine's alone
        look(&engine, &game, 1, &found);
        forest_plain_choice(pos, family, coefficients, &rules, &value);
        if (value < FOREST_MATE_WORTH)
            assert_int_equal(found.scores[1], family_centipawns(family, value));
        else
            assert_int_equal(found.scores[1], score_mate_in(1));
    }
    weights_free(&weights);
    engine_close(&engine);
}

static void test_one_ply_is_what_the_forest_predicts(void **state) {
    (void)state;
    for (size_t i = 0; families[i] != NULL; i++) {
        compare_with_forest(families[i], QUIESCENCE_CAPTURES);
        compare_with_forest(families[i], QUIESCENCE_CHECKS);
    }
}

// --- nodes ---

static uint64_t count_nodes(const char *file, Features features, int depth, size_t count) {
    Engine engine = open_with(file, features);
    Game games[POSITIONS];
    Found found;
    uint64_t nodes = 0;
    choose_middlegames(games);
    for (size_t i = 0; i < count; i++) {
        engine_forget(&engine);
        nodes += look(&engine, &games[i], depth, &found);
    }
    engine_close(&engine);
    return nodes;
}

static void test_order_saves_nodes(void **state) {
    (void)state;
    const size_t count = SIZED(6, 3);
    const int depth = SIZED(4, 3);
    const uint64_t all = count_nodes(files[0], unordered(), depth, count);
    const uint64_t ordered = count_nodes(files[0], features_of(PROFILE_PLAIN), depth, count);
    print_message("%d plies: %.3f of the nodes that moves without order need\n", depth,
                  (double)ordered / (double)all);
    assert_true(ordered * 4 < all);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order_changes_neither_scores_nor_moves),
        cmocka_unit_test(test_each_part_changes_neither_scores_nor_moves),
        cmocka_unit_test(test_six_plies),
        cmocka_unit_test(test_games_are_the_same),
        cmocka_unit_test(test_one_ply_is_what_the_forest_predicts),
        cmocka_unit_test(test_order_saves_nodes),
    };
    return cmocka_run_group_tests(tests, load_positions, free_positions);
}
