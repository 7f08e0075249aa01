// SPDX-License-Identifier: GPL-3.0-or-later
// What the search must know of the game: mates, draws and traps. Distances to mate were verified
// with Stockfish 15.1 and by trying all moves.
#include "chess/draw.h"
#include "searching.h"

#include <stdio.h>

typedef struct Mate {
    const char *fen;
    int moves;        // for the side to move; negative when it is mated
    const char *best; // NULL where several moves do
} Mate;

static const Mate mates[] = {
    // On the back rank, by either side; smothered; over the top of the board.
    {"6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", 1, "d1d8"},
    {"3r2k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1", 1, "d8d1"},
    {"6rk/6pp/7N/8/8/8/8/6K1 w - - 0 1", 1, "h6f7"},
    {"5rk1/5p1p/5BpQ/8/8/8/5PPP/6K1 w - - 0 1", 1, "h6g7"},
    // Quiet first moves; sacrifices; promotion to a rook, as a queen would give stalemate.
    {"k7/8/2K5/8/8/8/8/1R6 w - - 0 1", 2, "c6c7"},
    {"1r4k1/5ppp/8/8/8/8/4QPPP/4R1K1 w - - 0 1", 2, "e2e8"},
    {"5r1k/6pp/7N/8/2Q5/8/6PP/7K w - - 0 1", 2, "c4g8"},
    {"8/k1P5/2K5/8/8/8/8/8 w - - 0 1", 2, "c7c8r"},
    {"1K6/8/2k5/8/8/8/8/6r1 b - - 0 1", 2, NULL},
    // Pawns and a knight; pawns while the other side can still move; a promotion that waits; a
    // rook.
    {"7k/5K2/8/5NP1/7p/8/8/8 w - - 0 1", 3, "g5g6"},
    {"1k6/1P6/1K6/8/P6p/8/8/8 w - - 0 1", 3, "a4a5"},
    {"5k2/8/3P1K2/8/8/8/8/8 w - - 0 1", 3, "d6d7"},
    {"8/8/8/8/8/2k5/4r3/1K6 b - - 0 1", 3, NULL},
    {"1k6/8/3K4/8/8/8/8/7R w - - 0 1", 3, "d6c6"},
    // Two rooks with a waiting move; Philidor's legacy, twice.
    {"8/4k3/8/R7/1R6/8/8/6K1 w - - 0 1", 4, NULL},
    {"4r2k/6pp/8/6N1/2Q5/8/6PP/7K w - - 0 1", 4, "g5f7"},
    {"r3r2k/2p3pp/p1p5/6N1/2Q5/1P6/P5PP/3b3K w - - 0 1", 4, "g5f7"},
    // For the side that is mated.
    {"8/8/8/8/8/p1k5/8/K1q5 w - - 0 1", -1, "a1a2"},
    {"8/8/8/8/8/5k2/8/q6K w - - 0 1", -2, "h1h2"},
};
enum { MATES = sizeof mates / sizeof mates[0] };

static int score_of(const Mate *mate) {
    return mate->moves > 0 ? score_mate_in(2 * mate->moves - 1) : score_mated_in(-2 * mate->moves);
}

static Limits limits_of(const Mate *mate) {
    int plies = 2 * abs(mate->moves);
    return (Limits){
        .depth = plies + 10, .nodes = 1000000, .mate = mate->moves > 0 ? mate->moves : 0};
}

static void assert_finds_mates(Engine *engine, const char *what) {
    for (size_t i = 0; i < MATES; i++) {
        const Mate *mate = &mates[i];
        SearchResult result = engine_go_fen(engine, mate->fen, limits_of(mate));
        char best[UCI_MOVE_SIZE];
        Position pos;
        assert_int_equal(fen_parse(mate->fen, &pos), OK);
        move_to_uci(&pos, result.best, best);
        if (result.score != score_of(mate) || (mate->best && strcmp(best, mate->best) != 0))
            fail_msg("%s: %s: %s with score %d at depth %d, not %s with %d", what, mate->fen, best,
                     result.score, result.depth, mate->best ? mate->best : "any move",
                     score_of(mate));
    }
}

static void test_mates_in_every_profile(void **state) {
    Engine *engine = *state;
    for (Profile profile = 0; profile < PROFILE_NB; profile++) {
        search_set_features(engine->search, features_of(profile));
        assert_finds_mates(engine, profile_name(profile));
    }
}

static void test_mates_without_each_feature(void **state) {
    Engine *engine = *state;
    for (Feature feature = 0; feature < FEATURE_NB; feature++) {
        Features features = features_of(PROFILE_MODERN);
        features.on[feature] = !features.on[feature];
        search_set_features(engine->search, features);
        assert_finds_mates(engine, feature_name(feature));
    }
}

// The mate is not only seen but given, in as many moves, with all that was remembered on the way.
static void test_mates_are_played_out(void **state) {
    Engine *engine = *state;
    for (size_t i = 0; i < MATES; i++) {
        if (mates[i].moves < 0)
            continue;
        Game game;
        game_start(&game, mates[i].fen);
        engine_forget(engine);
        for (int left = 2 * mates[i].moves - 1; left >= 0; left--) {
            Limits limits = {.depth = left + 10, .nodes = 1000000};
            SearchResult result = engine_go(engine, &game, limits);
            int expected = left % 2 != 0 ? score_mate_in(left) : score_mated_in(left);
            assert_int_equal(result.score, expected);
            if (left > 0)
                game_play(&game, result.best);
        }
        assert_int_equal(game_end(&game.pos, game.keys, game.key_count), GAME_CHECKMATE);
    }
}

// What one depth sees, deeper ones see, too: late moves are pruned, but no mate in one.
static void test_mate_in_one_at_every_depth(void **state) {
    Engine *engine = *state;
    for (int depth = 2; depth <= 8; depth++) {
        SearchResult result =
            engine_go_fen(engine, "k7/8/1K6/8/8/8/8/7R b - - 0 1", (Limits){.depth = depth});
        assert_int_equal(result.score, score_mated_in(2));
    }
}

// Runs `test` with the features of each profile.
static void in_every_profile(Engine *engine, void (*test)(Engine *engine)) {
    for (Profile profile = 0; profile < PROFILE_NB; profile++) {
        search_set_features(engine->search, features_of(profile));
        test(engine);
    }
}

static void assert_best(const Position *pos, SearchResult result, const char *expected) {
    char best[UCI_MOVE_SIZE];
    assert_true(move_is_legal(pos, result.best));
    move_to_uci(pos, result.best, best);
    assert_string_equal(best, expected);
}

static void perpetual_check(Engine *engine) {
    // Mate on the first rank can only be put off by checks on e8 and h5, for ever.
    const char *fen = "6k1/6p1/bn3p2/7Q/8/7P/rr4P1/7K w - - 0 1";
    Game game;
    game_start(&game, fen);
    SearchResult result = engine_go_fen(engine, fen, (Limits){.depth = 8});
    assert_best(&game.pos, result, "h5e8");
    assert_int_equal(result.score, SCORE_DRAW);
    // Any other move loses.
    Limits others = {.depth = 6};
    Move moves[MOVES_MAX];
    size_t count = movegen(&game.pos, MOVES_ALL, moves);
    for (size_t i = 0; i < count; i++)
        if (moves[i] != result.best)
            others.moves[others.move_count++] = moves[i];
    assert_true(engine_go_fen(engine, fen, others).score < -200);
}

static void stalemate_traps(Engine *engine) {
    // The queen gives herself up, for the king that takes her gives stalemate.
    const char *fen = "7k/Q6p/7B/8/8/6R1/7K/5q2 b - - 0 1";
    Position pos;
    assert_int_equal(fen_parse(fen, &pos), OK);
    SearchResult result = engine_go_fen(engine, fen, (Limits){.depth = 8});
    assert_int_equal(result.score, SCORE_DRAW);
    Undo undo;
    position_make(&pos, result.best, &undo);
    assert_true(position_checkers(&pos) != 0);
    // A new queen wins here, and gives stalemate there.
    Limits promotion = {.depth = 6, .move_count = 1};
    promotion.moves[0] = move_make_promotion(square_make(5, 6), square_make(5, 7), QUEEN);
    fen = "7k/5P2/5K2/8/8/8/8/8 w - - 0 1";
    assert_true(engine_go_fen(engine, fen, promotion).score > 300);
    promotion.moves[0] = move_make_promotion(square_make(2, 6), square_make(2, 7), QUEEN);
    fen = "8/k1P5/2K5/8/8/8/8/8 w - - 0 1";
    assert_int_equal(engine_go_fen(engine, fen, promotion).score, SCORE_DRAW);
}

static void fifty_moves(Engine *engine) {
    // One ply is left: a pawn must move, a piece be taken, or mate be given.
    const char *fen = "7k/8/8/8/8/8/P7/K3Q3 w - - 99 120";
    SearchResult result = engine_go_fen(engine, fen, (Limits){.depth = 7});
    assert_true(result.score > 300);
    assert_int_equal(move_from(result.best), square_make(0, 1));
    fen = "7k/8/8/r7/8/8/8/K3Q3 w - - 99 120";
    result = engine_go_fen(engine, fen, (Limits){.depth = 7});
    assert_true(result.score > 300);
    assert_int_equal(result.best, move_make(E1, square_make(0, 4)));
    // Without a pawn move or capture nothing is left of it; the same with the clock far from 100.
    fen = "7k/8/8/8/8/8/8/K3Q3 w - - 99 120";
    assert_int_equal(engine_go_fen(engine, fen, (Limits){.depth = 7}).score, SCORE_DRAW);
    fen = "7k/8/8/8/8/8/8/K3Q3 w - - 9 120";
    assert_true(engine_go_fen(engine, fen, (Limits){.depth = 7}).score > 300);
    // What was remembered from a time when the clock was far from 100 is of no use near it.
    Game game;
    for (int clock = 0; clock <= 99; clock += 33) {
        char text[FEN_SIZE];
        snprintf(text, sizeof text, "7k/8/8/8/8/8/8/K3Q3 w - - %d 120", clock);
        game_start(&game, text);
        result = engine_go(engine, &game, (Limits){.depth = clock == 99 ? 3 : 7});
        assert_true(clock == 99 ? result.score == SCORE_DRAW : result.score > 300);
    }
    game_start(&game, "7k/8/8/8/8/8/8/K3Q3 w - - 97 120");
    assert_int_equal(engine_go(engine, &game, (Limits){.depth = 4}).score, SCORE_DRAW);
    // Three plies are enough for this mate, two are not: the hundredth ply may be mate itself.
    for (int clock = 96; clock <= 99; clock++) {
        char text[FEN_SIZE];
        snprintf(text, sizeof text, "k7/8/2K5/8/8/8/8/1R6 w - - %d 90", clock);
        int expected = clock <= 97 ? score_mate_in(3) : SCORE_DRAW;
        result = engine_go_fen(engine, text, (Limits){.depth = 8});
        assert_int_equal(result.score, expected);
    }
    fen = "7k/8/6K1/8/8/8/8/R7 w - - 99 100";
    result = engine_go_fen(engine, fen, (Limits){.depth = 4});
    assert_int_equal(result.score, score_mate_in(1));
}

// White's queen or knight goes from a1 and comes back; then it goes elsewhere, and to come back
// would repeat the position for the third time (or, without the first tour, for the second).
static void play_to_repetition(Game *game, const char *fen, bool twice) {
    game_start(game, fen);
    if (twice)
        game_play_text(game, "h8g8 a1c2 g8h8 c2a1");
    game_play_text(game, "h8g8 a1b3 g8h8");
}

static void repetition_in_game(Engine *engine) {
    const char *losing = "7k/5pp1/8/8/1q6/8/5PPP/N5K1 b - - 0 1";
    const char *winning = "7k/5pp1/8/8/8/4Q3/5PPP/N5K1 b - - 0 1";
    Game game;
    Limits back = {.depth = 1, .move_count = 1}, any = {.depth = 5};
    back.moves[0] = move_make(square_make(1, 2), A1);
    // Sought by the side that would lose, avoided by the other.
    play_to_repetition(&game, losing, true);
    engine_forget(engine);
    assert_int_equal(engine_go(engine, &game, back).score, SCORE_DRAW);
    SearchResult result = engine_go(engine, &game, any);
    assert_int_equal(result.score, SCORE_DRAW);
    assert_int_equal(result.best, back.moves[0]);
    play_to_repetition(&game, winning, true);
    engine_forget(engine);
    assert_int_equal(engine_go(engine, &game, back).score, SCORE_DRAW);
    result = engine_go(engine, &game, any);
    assert_true(result.score > 300);
    assert_int_not_equal(result.best, back.moves[0]);
    // The second time is no draw yet.
    play_to_repetition(&game, winning, false);
    engine_forget(engine);
    assert_true(engine_go(engine, &game, back).score > 300);
    play_to_repetition(&game, losing, false);
    engine_forget(engine);
    assert_true(engine_go(engine, &game, back).score < -200);
}

static void insufficient_material(Engine *engine) {
    static const char *const dead[] = {
        "8/8/4k3/8/8/3NK3/8/8 w - - 0 1",    "8/8/4k3/8/8/3NK3/8/8 b - - 0 1",
        "8/8/4k3/8/8/3bK3/8/8 w - - 0 1",    "8/8/4k3/8/8/4K3/8/8 b - - 0 1",
        "8/8/2b1k3/8/8/4K3/4B3/8 w - - 0 1",
    };
    for (size_t i = 0; i < sizeof dead / sizeof dead[0]; i++)
        for (int depth = 1; depth <= 6; depth++) {
            Limits limits = {.depth = depth};
            assert_int_equal(engine_go_fen(engine, dead[i], limits).score, SCORE_DRAW);
        }
    // The last pawn must be taken, with the last piece, at once.
    Position pos;
    const char *fen = "8/8/8/6B1/8/2k5/5p2/K7 w - - 0 1";
    assert_int_equal(fen_parse(fen, &pos), OK);
    assert_true(engine_go_fen(engine, fen, (Limits){.depth = 6}).score < 0);
    fen = "8/8/8/8/7B/2k5/5p2/K7 w - - 0 1";
    assert_int_equal(fen_parse(fen, &pos), OK);
    SearchResult result = engine_go_fen(engine, fen, (Limits){.depth = 6});
    assert_int_equal(result.score, SCORE_DRAW);
    assert_best(&pos, result, "h4f2");
}

static void no_legal_moves(Engine *engine) {
    static const struct {
        const char *fen;
        int score;
    } ends[] = {
        {"rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", -SCORE_MATE},
        {"R6k/8/6K1/8/8/8/8/8 b - - 100 80", -SCORE_MATE},
        {"7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", SCORE_DRAW},
        {"5k2/5P2/5K2/8/8/8/8/8 b - - 3 70", SCORE_DRAW},
    };
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        Limits limits[] = {{.depth = 5}, {.nodes = 1}, {.move_ms = 1}, {.lines = 3}};
        for (size_t j = 0; j < sizeof limits / sizeof limits[0]; j++) {
            SearchResult result = engine_go_fen(engine, ends[i].fen, limits[j]);
            assert_int_equal(result.best, MOVE_NONE);
            assert_int_equal(result.ponder, MOVE_NONE);
            assert_int_equal(result.score, ends[i].score);
        }
    }
}

#define IN_EVERY_PROFILE(name)                                                                     \
    static void test_##name(void **state) {                                                        \
        in_every_profile(*state, name);                                                            \
    }
IN_EVERY_PROFILE(perpetual_check)
IN_EVERY_PROFILE(stalemate_traps)
IN_EVERY_PROFILE(fifty_moves)
IN_EVERY_PROFILE(repetition_in_game)
IN_EVERY_PROFILE(insufficient_material)
IN_EVERY_PROFILE(no_legal_moves)

static Engine shared_engine;

static int set_up(void **state) {
    shared_engine = engine_open();
    *state = &shared_engine;
    return 0;
}

static int set_modern(void **state) {
    search_set_features(((Engine *)*state)->search, features_of(PROFILE_MODERN));
    return 0;
}

static int tear_down(void **state) {
    engine_close(*state);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_mates_in_every_profile, set_modern),
        cmocka_unit_test_setup(test_mates_without_each_feature, set_modern),
        cmocka_unit_test_setup(test_mates_are_played_out, set_modern),
        cmocka_unit_test_setup(test_mate_in_one_at_every_depth, set_modern),
        cmocka_unit_test_setup(test_perpetual_check, set_modern),
        cmocka_unit_test_setup(test_stalemate_traps, set_modern),
        cmocka_unit_test_setup(test_fifty_moves, set_modern),
        cmocka_unit_test_setup(test_repetition_in_game, set_modern),
        cmocka_unit_test_setup(test_insufficient_material, set_modern),
        cmocka_unit_test_setup(test_no_legal_moves, set_modern),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
