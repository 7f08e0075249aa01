// SPDX-License-Identifier: GPL-3.0-or-later
// Answers of mentors: to text and back, into EPD, from what engines say.
#include "data/label/label_answer.h"

#include "testing.h"

enum { GAMES = 200 };

static LabelAnswer random_answer(Rng *rng, const Position *pos) {
    Move moves[MOVES_MAX];
    LabelAnswer answer = {0};
    size_t count = movegen(pos, MOVES_ALL, moves);
    for (size_t i = 0; i < count && i < 1 + rng_below(rng, LABEL_LINES_MAX); i++)
        answer.lines[answer.count++] = (LabelLine){.move = moves[i],
                                                   .score = (int)rng_below(rng, 60000) - 30000,
                                                   .depth = (int)rng_below(rng, 100),
                                                   .is_mate = rng_below(rng, 2) == 0};
    return answer;
}

static void expect_same(const LabelAnswer *a, const LabelAnswer *b) {
    assert_int_equal(a->count, b->count);
    for (size_t i = 0; i < a->count; i++) {
        assert_int_equal(a->lines[i].move, b->lines[i].move);
        assert_int_equal(a->lines[i].score, b->lines[i].score);
        assert_int_equal(a->lines[i].depth, b->lines[i].depth);
        assert_int_equal(a->lines[i].is_mate, b->lines[i].is_mate);
    }
}

static void test_round_trip(void **state) {
    (void)state;
    PgnGame game = {0};
    for (uint32_t i = 0; i < GAMES; i++) {
        Rng rng = rng_at(1, i, 0, 0);
        testing_random_game(&game, &rng, 60);
        LabelAnswer answer = random_answer(&rng, &game.final), back;
        if (answer.count == 0)
            continue;
        Str text = {0};
        label_answer_write(&game.final, &answer, &text);
        assert_int_equal(label_answer_read(&game.final, view_of(text.text, text.length), &back),
                         OK);
        expect_same(&answer, &back);
        str_free(&text);
    }
    pgn_game_free(&game);
}

static void test_refuses_nonsense(void **state) {
    (void)state;
    static const char *const texts[] = {
        "",
        "e2e4",
        "e2e4 cp",
        "e2e4 cp 1",
        "e2e5 cp 1 1",
        "e2e4 pawn 1 1",
        "e2e4 cp x 1",
        "e2e4 cp 1 -1",
        "e2e4 cp 1 1;",
        "e2e4 cp 1 1 1",
        ";",
        "e2e4 cp 99999999999 1",
    };
    Position pos;
    LabelAnswer answer;
    position_set_start(&pos);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (label_answer_read(&pos, view_from_string(texts[i]), &answer) != ERR_PARSE)
            fail_msg("'%s' was taken for an answer", texts[i]);
}

// Mates: nearer is larger, a mate for either side is never mistaken, plies are exact.
static void test_mate_scores(void **state) {
    (void)state;
    LabelLine line = {.is_mate = true, .score = 1};
    assert_int_equal(label_line_ce(&line), 32766);
    line.score = -1;
    assert_int_equal(label_line_ce(&line), -32765);
    for (int moves = 1; moves < 500; moves++) {
        LabelLine near = {.is_mate = true, .score = moves},
                  far = {.is_mate = true, .score = moves + 1},
                  lost = {.is_mate = true, .score = -moves};
        assert_int_equal(label_line_ce(&near), 32767 - (2 * moves - 1));
        assert_true(label_line_ce(&near) > label_line_ce(&far));
        assert_int_equal(label_line_ce(&lost), -(32767 - 2 * moves));
    }
    // However far, a mate is larger than the scores of an evaluation.
    line.score = INT32_MIN;
    assert_int_equal(label_line_ce(&line), -30000);
    line.score = INT32_MAX;
    assert_int_equal(label_line_ce(&line), 30000);
    LabelLine plain = {.score = 32100};
    assert_int_equal(label_line_ce(&plain), 32100);
}

static void put(const char *line, const char *answer_text, int lines, const char *expected) {
    Epd epd = {0};
    LabelAnswer answer;
    Str out = {0};
    assert_int_equal(epd_parse(&epd, view_from_string(line)), OK);
    assert_int_equal(label_answer_read(&epd.pos, view_from_string(answer_text), &answer), OK);
    label_answer_clear(&epd, lines);
    assert_int_equal(label_answer_put(&answer, "Mentor, depth 2", &epd), OK);
    epd_write(&epd, &out);
    assert_string_equal(str_text(&out), expected);
    str_free(&out);
    epd_free(&epd);
}

#define START "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"

static void test_into_epd(void **state) {
    (void)state;
    put(START, "g1f3 cp -7 2", 1, START " ce -7; acd 2; pm Nf3; c1 \"Mentor, depth 2\";");
    // What is there stays, but for an older label.
    put(START " sm e4; ce 99; dm 3; c1 \"old\"; c2 \"mine\"; c9 \"1-0\"; id \"x\"; acd 9; zz 1;",
        "g1f3 cp 7 2", 1,
        START " sm e4; c2 \"mine\"; c9 \"1-0\"; id \"x\"; zz 1; ce 7; acd 2; pm Nf3; "
              "c1 \"Mentor, depth 2\";");
    put(START " c2 \"old\"; c3 \"old\"; c4 \"mine\";", "g1f3 cp 7 2; e2e4 mate -2 1", 3,
        START " c4 \"mine\"; ce 7; acd 2; pm Nf3; c1 \"Mentor, depth 2\"; c2 \"e4 -32763\";");
    put(START, "g1f3 mate -2147483648 2", 1,
        START " ce -30000; dm -2147483648; acd 2; pm Nf3; c1 \"Mentor, depth 2\";");
    put("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - -", "d1d8 mate 1 2", 1,
        "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - ce 32766; dm 1; acd 2; pm Rd8#; "
        "c1 \"Mentor, depth 2\";");
}

static EngineAnswer answer_of(const char *best, const char *info) {
    EngineAnswer answer = {0};
    snprintf(answer.text, sizeof answer.text, "%s", best);
    assert_true(uci_parse_info(view_from_string(info), &answer.info));
    return answer;
}

static void test_from_engine(void **state) {
    (void)state;
    Position pos;
    LabelAnswer answer;
    position_set_start(&pos);
    EngineAnswer said = answer_of("e2e4", "info depth 3 score cp 20 pv d2d4 d7d5");
    assert_int_equal(label_answer_take(&pos, &said, 1, &answer), OK);
    assert_int_equal(answer.count, 1);
    // The score is that of its line.
    assert_int_equal(answer.lines[0].move, move_from_uci(&pos, "d2d4", 4));
    said = answer_of("e2e4", "info depth 3 score cp 20");
    assert_int_equal(label_answer_take(&pos, &said, 1, &answer), OK);
    assert_int_equal(answer.lines[0].move, move_from_uci(&pos, "e2e4", 4));
    said = answer_of("e2e5", "info depth 3 score cp 20 pv e2e4");
    assert_int_equal(label_answer_take(&pos, &said, 1, &answer), ERR_ENGINE);
    assert_string_equal(error_message(), "illegal move e2e5");
    said = answer_of("e2e4", "info depth 3");
    assert_int_equal(label_answer_take(&pos, &said, 1, &answer), ERR_ENGINE);
    // Further lines: one is left out for its illegal move, one because it is there already.
    said = answer_of("e2e4", "info depth 3 score cp 20 pv e2e4");
    static const char *const further[] = {"e2e4", "a1a8", "g1f3"};
    for (size_t i = 0; i < 3; i++) {
        said.further[i].info = (UciInfo){.has = UCI_INFO_SCORE, .score = (int)i};
        snprintf(said.further[i].first, sizeof said.further[i].first, "%s", further[i]);
    }
    assert_int_equal(label_answer_take(&pos, &said, 4, &answer), OK);
    assert_int_equal(answer.count, 2);
    assert_int_equal(answer.lines[1].move, move_from_uci(&pos, "g1f3", 4));
    assert_int_equal(label_answer_take(&pos, &said, 1, &answer), OK);
    assert_int_equal(answer.count, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),  cmocka_unit_test(test_refuses_nonsense),
        cmocka_unit_test(test_mate_scores), cmocka_unit_test(test_into_epd),
        cmocka_unit_test(test_from_engine),
    };
    return cmocka_run_group_tests(tests, testing_set_up, testing_tear_down);
}
