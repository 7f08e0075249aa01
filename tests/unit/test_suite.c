// SPDX-License-Identifier: GPL-3.0-or-later
// Suites: what positions ask for in all the forms that are around, and fake engines that answer.
#include "suite/suite.h"

#include "base/file.h"
#include "chess/san.h"
#include "suite/suite_file.h"
#include "suite/suite_run.h"
#include "tests/unit/fakes.h"
#include "tests/unit/testing.h"

#include <fcntl.h>

enum { POSITIONS = 24, ENGINES = 3 };

// White has two moves, Ka2 and h4.
#define TWO_MOVES "1r5k/8/8/8/8/7P/8/K7 w - - "
#define BACK_RANK "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - "

static Suite load(const char *text) {
    char path[TESTING_PATH];
    Suite suite;
    testing_write(path, "suite.epd", text, strlen(text));
    assert_int_equal(suite_load(&suite, path), OK);
    return suite;
}

static Move move_of(const SuiteItem *item, const char *san) {
    Move move;
    assert_int_equal(san_parse(&item->pos, view_from_string(san), &move), SAN_OK);
    return move;
}

// --- reading and judging ---

// The points of Rd8#, Kf1 and h3 in the one position, and the most there are.
static void assert_points(const char *ops, int rook, int king, int pawn, int most) {
    Str text = {0};
    str_addf(&text, BACK_RANK "%s\n", ops);
    Suite suite = load(str_text(&text));
    const SuiteItem *item = &suite.items[0];
    assert_int_equal(suite.count, 1);
    assert_int_equal(suite_points(item, move_of(item, "Rd8#"), 0), rook);
    assert_int_equal(suite_points(item, move_of(item, "Kf1"), 0), king);
    assert_int_equal(suite_points(item, move_of(item, "h3"), 0), pawn);
    assert_int_equal(suite_points(item, MOVE_NONE, 0), 0);
    assert_int_equal(item->max_points, most);
    suite_free(&suite);
    str_free(&text);
}

static void test_points(void **state) {
    (void)state;
    assert_points("bm Rd8#;", 1, 0, 0, 1);
    assert_points("bm Rd8# Kf1;", 1, 1, 0, 1);
    assert_points("am Rd8#;", 0, 1, 1, 1);
    assert_points("bm Rd8#; c0 \"Rd8#=10, Kf1=7\";", 10, 7, 0, 10);
    assert_points("bm Rd8#; c0 \"Rd8=10 Kf1=7, h3=1\";", 10, 7, 1, 10);
    assert_points("bm Rd8#; c7 \"Rd8# Kf1\"; c8 \"100 46\";", 100, 46, 0, 100);
    assert_points("bm Rd8#; c7 \"-\"; c8 \"10 3\"; c9 \"d1d8 g1f1\";", 10, 3, 0, 10);
    // Moves that need no disambiguation go before those that may.
    assert_points("bm Rd8#; c0 \"Rd8=9\"; c7 \"Rd8\"; c8 \"10\"; c9 \"d1d8\";", 10, 0, 0, 10);
    // Other people's comments are no points.
    assert_points("bm Rd8#; c0 \"e = mc2\"; c8 \"12\"; c9 \"1-0\";", 1, 0, 0, 1);
    assert_points("bm Rd8#; c0 \"Stockfish 15.1\";", 1, 0, 0, 1);
    // A best move that was given no points gets all, without bm the most points are best.
    assert_points("bm Rd8#; c0 \"Kf1=7\";", 7, 7, 0, 7);
    assert_points("c0 \"Kf1=7, Rd8=2\";", 2, 7, 0, 7);
    // What is to be avoided gets nothing, whatever its points.
    assert_points("am Kf1; c0 \"Rd8=10, Kf1=7\";", 10, 0, 0, 10);
}

static void test_solutions(void **state) {
    (void)state;
    Suite suite = load(BACK_RANK "dm 2;\n" BACK_RANK "bm Rd8#; dm 1;\n" BACK_RANK
                                 "bm Rd8# Kf1; am Kf1;\n8/4P2k/8/8/8/8/8/K7 w - - c0 "
                                 "\"e8=Q=10, e8=R=8\";\n" BACK_RANK "bm Rd8#; ce 32764; dm 2;\n");
    const SuiteItem *items = suite.items;
    const Move rook = move_of(&items[0], "Rd8"), king = move_of(&items[0], "Kf1");
    assert_true(suite_is_solution(&items[0], king, 2) && suite_is_solution(&items[0], king, 1));
    assert_false(suite_is_solution(&items[0], rook, 3) || suite_is_solution(&items[0], rook, 0) ||
                 suite_is_solution(&items[0], rook, -1));
    assert_true(suite_is_solution(&items[1], rook, 1));
    assert_false(suite_is_solution(&items[1], rook, 0) || suite_is_solution(&items[1], king, 1));
    assert_int_equal(suite_points(&items[1], rook, 0), 0);
    assert_true(suite_is_solution(&items[2], rook, 0));
    assert_false(suite_is_solution(&items[2], king, 0));
    assert_int_equal(suite_points(&items[3], move_of(&items[3], "e8=R"), 0), 8);
    assert_true(suite_is_solution(&items[3], move_of(&items[3], "e8=Q"), 0));
    // A mate that a mentor's score tells of need not be announced.
    assert_true(suite_is_solution(&items[4], rook, 0));
    // Others are worth as much as the best of the graded ones.
    assert_int_equal(items[0].max_points, 10);
    suite_free(&suite);
}

static void test_bad_lines(void **state) {
    (void)state;
    static const char *const bad[][2] = {
        {"6k1/5ppp/8/8/8/8/5PPP w - - bm Rd8#;", ":2: "},
        {BACK_RANK "id \"nothing\";", ":3: neither bm, am, dm nor points"},
        {BACK_RANK "bm Qh8;", ":4: bm: "},
        {BACK_RANK "dm 0;", ":5: dm: \"0\""},
        {BACK_RANK "dm soon;", ":6: dm: \"soon\""},
        {BACK_RANK "bm Rd8; c0 \"Rd8=10, Ra8=2\";", ":7: c0: "},
        {BACK_RANK "bm Rd8; c0 \"Rd8=10, Kf1\";", ":8: c0: \"Kf1\" has no points"},
        {BACK_RANK "bm Rd8; c7 \"Rd8 Kf1\"; c8 \"10\";", ":9: c7 and c8"},
        {BACK_RANK "bm Rd8; c7 \"Rd8 Kf1\"; c8 \"10 many\";", ":10: c7: \"many\""},
        {BACK_RANK "bm Rd8; c7 \"Rd8 Kf1\"; c8 \"0 0\";", ":11: no move is worth"},
    };
    enum { COUNT = sizeof bad / sizeof bad[0] };
    Str text = {0};
    str_add(&text, "# a comment\n");
    for (size_t i = 0; i < COUNT; i++)
        str_addf(&text, "%s\n", bad[i][0]);
    char path[TESTING_PATH];
    Suite suite;
    testing_write(path, "bad.epd", text.text, text.length);
    assert_int_equal(suite_load(&suite, path), ERR_PARSE);
    assert_non_null(strstr(error_message(), "10 bad lines, and no good one"));
    str_add(&text, "\n" BACK_RANK "bm Rd8#;\n");
    suite = load(str_text(&text));
    assert_int_equal(suite.count, 1);
    assert_int_equal(suite.bad_count, COUNT);
    for (size_t i = 0; i < COUNT; i++)
        if (strstr(suite.bad[i], bad[i][1]) == NULL)
            fail_msg("'%s' lacks '%s'", suite.bad[i], bad[i][1]);
    suite_free(&suite);
    str_free(&text);
    testing_write(path, "empty.epd", "# nothing\n", 10);
    assert_int_equal(suite_load(&suite, path), ERR_PARSE);
    assert_non_null(strstr(error_message(), "no positions"));
}

static void test_themes(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"id \"STS(v1.0) Undermine.001\";", "Undermine"},
        {"id \"STS(v1.0) Undermine.28\";", "Undermine"},
        {"id \"STS(v2.2) Open Files and Diagonals.001\";", "Open Files and Diagonals"},
        {"id \"STS(v9.0) Advancement of a/b/c pawns.059\";", "Advancement of a/b/c pawns"},
        {"id \"STS(v8.0) AKPC.001\";", "AKPC"},
        {"id \"STS(v8.1) Advancement of f/g/h pawns.002\";", "AKPC"},
        {"id \"STS(v14.0) 7th Rank.003\";", "7th Rank"},
        {"id \"STS: Outposts.001\";", "Outposts"},
        {"id \"STS 12\";", "STS"},
        {"id \"WAC.001\";", "WAC"},
        {"id \"BK 24\";", "BK"},
        {"id \"Leko - Huebner, 1996\";", "Leko - Huebner,"},
        {"id \"17\";", "other"},
        {"", "other"},
    };
    enum { COUNT = sizeof cases / sizeof cases[0] };
    Str text = {0};
    for (size_t i = 0; i < COUNT; i++)
        str_addf(&text, BACK_RANK "bm Rd8#; %s\n", cases[i][0]);
    Suite suite = load(str_text(&text));
    assert_int_equal(suite.count, COUNT);
    for (size_t i = 0; i < COUNT; i++)
        assert_string_equal(suite.themes[suite.items[i].theme].name, cases[i][1]);
    assert_string_equal(suite.items[COUNT - 1].id, "line 14");
    // Nearly every position has a theme of its own: that tells nothing.
    assert_false(suite_has_themes(&suite));
    suite_free(&suite);
    str_free(&text);
}

// --- asking ---

// A suite of random positions in three themes, where some of the legal moves are graded.
static Suite random_suite(void) {
    Str text = {0};
    PgnGame game = {0};
    for (uint32_t i = 0; i < POSITIONS; i++) {
        Rng rng = rng_at(9, i, 0, 0);
        char fen[FEN_SIZE];
        testing_random_game(&game, &rng, 4 + i);
        fen_write(&game.final, fen);
        Move moves[MOVES_MAX];
        const size_t count = movegen(&game.final, MOVES_ALL, moves);
        if (count == 0)
            continue;
        str_addf(&text, "%s id \"theme %c.%03u\"; c0 \"", fen, 'A' + (int)i % 3, i);
        for (size_t j = 0; j < count && j < SUITE_GRADES_MAX; j++) {
            char move[UCI_MOVE_SIZE];
            move_to_uci(&game.final, moves[j], move);
            str_addf(&text, "%s%s=%zu", j == 0 ? "" : ", ", move, j % 4 == 0 ? 10 : j % 7);
        }
        str_add(&text, "\";\n");
    }
    Suite suite = load(str_text(&text));
    str_free(&text);
    pgn_game_free(&game);
    assert_true(suite.count > POSITIONS / 2);
    assert_int_equal(suite.bad_count, 0);
    return suite;
}

typedef struct Outcome {
    const Suite *suite;
    SuiteTally tally;
    Str file;
    size_t answered;
} Outcome;

static const char *const names[ENGINES] = {"plain", "a \"quoted\"\n\\name", "third"};

// Times are the only thing that may differ.
static void take_answer(void *context, size_t item, size_t engine, const SuiteAnswer *answer) {
    Outcome *outcome = context;
    SuiteAnswer timeless = *answer;
    assert_true(answer->solution_ms <= answer->elapsed_ms);
    timeless.elapsed_ms = timeless.solution_ms = 1;
    suite_tally_add(&outcome->tally, &outcome->suite->items[item], engine, &timeless);
    suite_line_write(&outcome->suite->items[item], names[engine], &timeless, &outcome->file);
    outcome->answered++;
}

static Outcome ask(const Suite *suite, EngineSpec *engines, size_t count, int concurrency,
                   int cancel_fd) {
    const SuiteConfig config = {engines, count, concurrency, cancel_fd, NULL};
    Outcome outcome = {suite, suite_tally_init(suite, count), {0}, 0};
    assert_int_equal(suite_run(suite, &config, take_answer, &outcome), OK);
    assert_no_process();
    return outcome;
}

static void free_outcome(Outcome *outcome) {
    suite_tally_deinit(&outcome->tally);
    str_free(&outcome->file);
}

static void free_engines(EngineSpec *engines, size_t count) {
    for (size_t i = 0; i < count; i++)
        engine_spec_deinit(&engines[i]);
}

static void test_order(void **state) {
    (void)state;
    EngineSpec engines[ENGINES] = {fake_spec("", "depth=1"), fake_spec("poison", "nodes=1"),
                                   fake_spec_of("fake_xboard", "", "proto=xboard depth=1")};
    Suite suite = random_suite();
    Outcome alone = ask(&suite, engines, ENGINES, 1, -1);
    assert_int_equal(alone.answered, suite.count * ENGINES);
    assert_true(alone.tally.engines[1].errors > 0);
    assert_int_equal(alone.tally.engines[0].errors + alone.tally.engines[2].errors, 0);
    assert_true(alone.tally.engines[0].solved > 0);
    for (int concurrency = 2; concurrency <= 7; concurrency += 5) {
        Outcome many = ask(&suite, engines, ENGINES, concurrency, -1);
        assert_string_equal(str_text(&many.file), str_text(&alone.file));
        free_outcome(&many);
    }
    free_outcome(&alone);
    free_engines(engines, ENGINES);
    suite_free(&suite);
}

static void add_total(SuiteTotal *sum, const SuiteTotal *part) {
    sum->count += part->count;
    sum->solved += part->solved;
    sum->errors += part->errors;
    sum->points += part->points;
    sum->max_points += part->max_points;
    sum->elapsed_ms += part->elapsed_ms;
    sum->nodes += part->nodes;
    sum->solution_ms += part->solution_ms;
    sum->solution_depth += part->solution_depth;
    sum->solution_nodes += part->solution_nodes;
}

// The themes add up to the whole, and the file says what was counted.
static void test_totals(void **state) {
    (void)state;
    EngineSpec engines[2] = {fake_spec("wavers", "depth=1"), fake_spec("illegal 3", "depth=1")};
    Suite suite = random_suite();
    Outcome outcome = ask(&suite, engines, 2, 2, -1);
    assert_int_equal(suite.theme_count, 3);
    assert_true(suite_has_themes(&suite));
    char path[TESTING_PATH];
    SuiteScores scores;
    testing_write(path, "answers.jsonl", outcome.file.text, outcome.file.length);
    assert_int_equal(suite_scores_read(&scores, path), OK);
    assert_int_equal(scores.count, 2);
    for (size_t i = 0; i < 2; i++) {
        SuiteTotal sum = {0};
        for (size_t j = 0; j < suite.theme_count; j++)
            add_total(&sum, suite_tally_theme(&outcome.tally, i, j));
        assert_memory_equal(&sum, &outcome.tally.engines[i], sizeof sum);
        assert_string_equal(scores.items[i].engine, names[i]);
        assert_memory_equal(suite_scores_find(&scores, names[i]), &sum, sizeof sum);
    }
    assert_null(suite_scores_find(&scores, "nobody"));
    suite_scores_free(&scores);
    str_clear(&outcome.file);
    str_add(&outcome.file, "{\"engine\":\"x\",\"solved\":true}\n");
    testing_write(path, "answers.jsonl", outcome.file.text, outcome.file.length);
    assert_int_equal(suite_scores_read(&scores, path), ERR_PARSE);
    assert_non_null(strstr(error_message(), "answers.jsonl:1: "));
    free_outcome(&outcome);
    free_engines(engines, 2);
    suite_free(&suite);
}

// --- since when ---

typedef struct Kept {
    SuiteAnswer answers[4];
} Kept;

static void keep_answer(void *context, size_t item, size_t engine, const SuiteAnswer *answer) {
    (void)engine;
    Kept *kept = context;
    kept->answers[item] = *answer;
}

static Kept answers_of(const char *text, EngineSpec *engine) {
    Kept kept = {0};
    Suite suite = load(text);
    const SuiteConfig config = {engine, 1, 1, -1, NULL};
    assert_int_equal(suite_run(&suite, &config, keep_answer, &kept), OK);
    suite_free(&suite);
    engine_spec_deinit(engine);
    return kept;
}

// Found at depth 1 is not found when it is given up again; the other of the two moves is no
// solution, though it was the best for a while.
static void test_found_and_kept(void **state) {
    (void)state;
    EngineSpec engine = fake_spec("wavers", "depth=6");
    const Kept kept =
        answers_of(TWO_MOVES "bm Ka2;\n" TWO_MOVES "bm h4;\n" TWO_MOVES "bm Ka2 h4;\n", &engine);
    assert_int_equal(kept.answers[0].is_solved + kept.answers[1].is_solved, 1);
    const SuiteAnswer *solved = &kept.answers[kept.answers[0].is_solved ? 0 : 1];
    assert_int_equal(solved->solution_depth, 4);
    assert_int_equal(solved->solution_nodes, 400);
    assert_int_equal(solved->depth, 6);
    assert_int_equal(kept.answers[2].solution_depth, 1);
}

// An organism inside the process: its lines are heard, and it announces the mate.
static void test_organism(void **state) {
    (void)state;
    EngineSpec engine = engine_spec_init();
    assert_int_equal(
        engine_spec_parse(&engine, "weights=weights/maestro-gecco2008.weights depth=5"), OK);
    assert_int_equal(engine_spec_finish(&engine), OK);
    const Kept kept =
        answers_of(BACK_RANK "dm 1;\n" BACK_RANK "bm Kf1;\n" BACK_RANK "bm Rd8;\n", &engine);
    assert_true(kept.answers[0].is_solved && kept.answers[0].is_mate);
    assert_int_equal(kept.answers[0].score, 1);
    assert_false(kept.answers[1].is_solved);
    assert_true(kept.answers[2].is_solved);
    assert_true(kept.answers[2].solution_depth >= 1 &&
                kept.answers[2].solution_depth <= kept.answers[2].depth);
    assert_true(kept.answers[2].solution_nodes <= kept.answers[2].nodes);
}

// --- failures ---

// What an engine told before it failed is not its answer.
static void test_failed_engine_has_no_score(void **state) {
    (void)state;
    EngineSpec engine = fake_spec("no-move", "depth=1");
    Suite suite = load(BACK_RANK "bm Rd8#;\n");
    Outcome outcome = ask(&suite, &engine, 1, 1, -1);
    assert_int_equal(outcome.tally.engines[0].errors, 1);
    assert_non_null(strstr(str_text(&outcome.file), "\"score\":null,\"mate\":null,\"depth\":0,"
                                                    "\"nodes\":0,"));
    free_outcome(&outcome);
    engine_spec_deinit(&engine);
    suite_free(&suite);
}

static void test_cannot_run(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"crash-at-start", "depth=1"},
        {"", "depth=1 option.Nope=3"},
        {"", "proto=xboard nodes=5"},
    };
    Suite suite = load(BACK_RANK "bm Rd8#;\n" TWO_MOVES "bm Ka2;\n");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        EngineSpec engine = fake_spec(cases[i][0], cases[i][1]);
        const SuiteConfig config = {&engine, 1, 2, -1, NULL};
        Outcome outcome = {&suite, suite_tally_init(&suite, 1), {0}, 0};
        assert_int_not_equal(suite_run(&suite, &config, take_answer, &outcome), OK);
        assert_non_null(strstr(error_message(), "fake"));
        assert_no_process();
        free_outcome(&outcome);
        engine_spec_deinit(&engine);
    }
    suite_free(&suite);
}

static void test_cancel(void **state) {
    (void)state;
    int fds[2];
    assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
    assert_int_equal(write(fds[1], "x", 1), 1);
    EngineSpec engine = fake_spec("hang", "depth=1");
    Suite suite = random_suite();
    char path[TESTING_PATH];
    testing_path(path, "pids");
    setenv("FAKE_ENGINE_PIDS", path, 1);
    Outcome outcome = ask(&suite, &engine, 1, 3, fds[0]);
    assert_int_equal(outcome.answered, 0);
    free_outcome(&outcome);
    // No engine was started for it.
    unsetenv("FAKE_ENGINE_PIDS");
    assert_int_not_equal(access(path, F_OK), 0);
    engine_spec_deinit(&engine);
    suite_free(&suite);
    close(fds[0]);
    close(fds[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_points),
        cmocka_unit_test(test_solutions),
        cmocka_unit_test(test_bad_lines),
        cmocka_unit_test(test_themes),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_totals),
        cmocka_unit_test(test_found_and_kept),
        cmocka_unit_test(test_organism),
        cmocka_unit_test(test_failed_engine_has_no_score),
        cmocka_unit_test(test_cannot_run),
        cmocka_unit_test(test_cancel),
    };
    chess_init();
    adopt_orphans(NULL);
    return cmocka_run_group_tests_name("suite", tests, testing_set_up, testing_tear_down);
}
