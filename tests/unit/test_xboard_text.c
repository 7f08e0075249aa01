// SPDX-License-Identifier: GPL-3.0-or-later
#include "engines/xboard_text.h"

#include "base/rng.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void test_features(void **state) {
    (void)state;
    StrView name, value,
        rest = view_from_string(" ping=1 myname=\"A \"  variants=\"normal,losers\" done=1 loose");
    static const char *const expected[][2] = {
        {"ping", "1"}, {"myname", "A "}, {"variants", "normal,losers"}, {"done", "1"}};
    for (size_t i = 0; i < 4; i++) {
        assert_true(xboard_next_feature(&rest, &name, &value));
        assert_true(view_equals(name, expected[i][0]));
        assert_true(view_equals(value, expected[i][1]));
    }
    assert_false(xboard_next_feature(&rest, &name, &value));
    rest = view_from_string("open=\"never closed");
    assert_true(xboard_next_feature(&rest, &name, &value));
    assert_true(view_equals(value, "never closed"));
    assert_false(xboard_next_feature(&rest, &name, &value));
}

static void check_option(const char *text, const char *name, UciOptionType type, const char *good,
                         const char *bad) {
    UciOption option;
    assert_int_equal(xboard_option_parse(view_from_string(text), &option), OK);
    assert_string_equal(option.name, name);
    assert_int_equal(option.type, type);
    assert_int_equal(uci_option_check(&option, good), OK);
    if (bad != NULL)
        assert_int_not_equal(uci_option_check(&option, bad), OK);
    uci_option_deinit(&option);
}

static void test_options(void **state) {
    (void)state;
    check_option("Resign Threshold -spin 800 200 1200", "Resign Threshold", UCI_SPIN, "200", "199");
    check_option("Randomizer (0-50) -slider 0 0 50", "Randomizer (0-50)", UCI_SPIN, "50", "51");
    check_option("Book -check 1", "Book", UCI_CHECK, "false", "1");
    check_option("Style -combo calm /// *wild /// very odd", "Style", UCI_COMBO, "very odd",
                 "*wild");
    check_option("Log - file -string", "Log - file", UCI_STRING, "any text", "two\nlines");
    check_option("Go -button", "Go", UCI_BUTTON, "", NULL);
    static const char *const bad[] = {"", "Name", "-spin 1 2 3", "Name -colour red"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        UciOption option;
        assert_int_equal(xboard_option_parse(view_from_string(bad[i]), &option), ERR_PARSE);
    }
}

static void test_thinking(void **state) {
    (void)state;
    static const struct {
        const char *line;
        const char *first; // of the line, NULL when it is no line of thinking
        UciInfo info;
    } cases[] = {
        {" 4      15     0      263  d4 d5 Nc3", "d4", {.depth = 4, .score = 15, .nodes = 263}},
        {"9.  -120 34 5678 1. ... e5 2. Nf3", "e5", {.depth = 9, .score = -120, .nodes = 5678}},
        {"9.  -120 34 5678 12...e5", "e5", {.depth = 9, .score = -120, .nodes = 5678}},
        {"3 0 0 1\t1.0-0", "0-0", {.depth = 3, .score = 0, .nodes = 1}},
        {"3 0 0 1 0-0", "0-0", {.depth = 3, .score = 0, .nodes = 1}},
        {"12& 100003 34 5678", "", {.depth = 12, .score = 3, .nodes = 5678, .has = UCI_INFO_MATE}},
        {"12 -100005 34 5678 e5",
         "e5",
         {.depth = 12, .score = -5, .nodes = 5678, .has = UCI_INFO_MATE}},
        {"12 100000 34 5678 e5",
         "e5",
         {.depth = 12, .score = 1, .nodes = 5678, .has = UCI_INFO_MATE}},
        {"12 -100000 34 5678", "", {.depth = 12, .score = 0, .nodes = 5678, .has = UCI_INFO_MATE}},
        {"12 -9223372036854775808 34 5678", "", {.depth = 12, .score = -INT32_MAX, .nodes = 5678}},
        {"7 999999 1 2 3.", "", {.depth = 7, .score = 999999, .nodes = 2}},
        {"1. ... e7e5", NULL, {0}},
        {"4 15 0", NULL, {0}},
        {"depth 4 15 0 1", NULL, {0}},
        {"4 15 0 -1", NULL, {0}},
        {"", NULL, {0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        UciInfo info;
        assert_int_equal(xboard_parse_info(view_from_string(cases[i].line), &info),
                         cases[i].first != NULL);
        if (cases[i].first == NULL)
            continue;
        assert_true(view_equals(xboard_first_move(info.pv), cases[i].first));
        assert_int_equal(info.depth, cases[i].info.depth);
        assert_int_equal(info.score, cases[i].info.score);
        assert_int_equal(info.has & UCI_INFO_MATE, cases[i].info.has);
        assert_int_equal(info.nodes, cases[i].info.nodes);
    }
}

static void test_lines(void **state) {
    (void)state;
    static const struct {
        const char *line;
        XboardSaid said;
        const char *text;
    } cases[] = {
        {"move e2e4", XBOARD_MOVE, "e2e4"},
        {"move O-O", XBOARD_MOVE, "O-O"},
        {"12. ... Nf6", XBOARD_MOVE, "Nf6"},
        {"12 ... Nf6", XBOARD_MOVE, "Nf6"},
        {"1. e2e4", XBOARD_OTHER, NULL}, // an echo of our own move
        {"resign", XBOARD_RESIGN, NULL},
        {"offer draw", XBOARD_OFFER_DRAW, NULL},
        {"1-0 {White mates}", XBOARD_RESULT, "1-0"},
        {"1/2-1/2", XBOARD_RESULT, "1/2-1/2"},
        {"Illegal move (pinned): e2e4", XBOARD_COMPLAINT, "Illegal move (pinned): e2e4"},
        {"Invalid move: sd 4", XBOARD_COMPLAINT, "Invalid move: sd 4"},
        {"Error (unknown command): sd", XBOARD_COMPLAINT, "Error (unknown command): sd"},
        {"tellusererror no book ", XBOARD_MESSAGE, "no book"},
        {"pong 3", XBOARD_PONG, " 3"},
        {"feature a=1", XBOARD_FEATURE, " a=1"},
        {"Hint: e2e4", XBOARD_OTHER, NULL},
        {"", XBOARD_OTHER, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        StrView text;
        assert_int_equal(xboard_parse_line(view_from_string(cases[i].line), &text), cases[i].said);
        if (cases[i].text != NULL)
            assert_true(view_equals(text, cases[i].text));
    }
}

// Any bytes at all are read without harm. The copies are exact, so that sanitizers see overruns.
static void test_any_bytes(void **state) {
    (void)state;
    static const char *const seeds[] = {"feature option=\"A -combo a /// *b\" done=1",
                                        "12. -100003 34 5678 Nf6 1-0", "move e7e8q", "9 ... e5"};
    Rng rng = rng_at(11, 0, 0, 0);
    for (int i = 0; i < 20000; i++) {
        const char *seed = seeds[rng_below(&rng, 4)];
        size_t length = rng_below(&rng, (uint32_t)strlen(seed) + 1);
        char *bytes = malloc(length == 0 ? 1 : length);
        memcpy(bytes, seed, length);
        for (size_t k = 0; k < length; k++)
            if (rng_below(&rng, 4) == 0)
                bytes[k] = (char)rng_u32(&rng);
        StrView view = view_of(bytes, length), text, name, value;
        UciInfo info;
        UciOption option;
        xboard_parse_line(view, &text);
        xboard_parse_info(view, &info);
        if (xboard_option_parse(view, &option) == OK)
            uci_option_deinit(&option);
        while (xboard_next_feature(&view, &name, &value))
            ;
        free(bytes);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_features),  cmocka_unit_test(test_options),
        cmocka_unit_test(test_thinking),  cmocka_unit_test(test_lines),
        cmocka_unit_test(test_any_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
