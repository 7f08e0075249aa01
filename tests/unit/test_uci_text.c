// SPDX-License-Identifier: GPL-3.0-or-later
#include "engines/uci_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static UciInfo info_of(const char *line) {
    UciInfo info;
    uci_parse_info(view_from_string(line), &info);
    return info;
}

static void test_info(void **state) {
    (void)state;
    UciInfo info =
        info_of("info depth 12 seldepth 20 multipv 2 score cp -31 lowerbound nodes 12345 "
                "nps 1000000 hashfull 5 tbhits 0 time 13 pv e2e4 e7e5");
    assert_int_equal(info.depth, 12);
    assert_int_equal(info.seldepth, 20);
    assert_int_equal(info.multipv, 2);
    assert_int_equal(info.score, -31);
    assert_int_equal(info.nodes, 12345);
    assert_int_equal(info.nps, 1000000);
    assert_int_equal(info.time_ms, 13);
    assert_true(view_equals(info.pv, "e2e4 e7e5"));
    assert_int_equal(info.has, UCI_INFO_DEPTH | UCI_INFO_SCORE | UCI_INFO_LOWER | UCI_INFO_NODES |
                                   UCI_INFO_NPS | UCI_INFO_TIME | UCI_INFO_PV);
    info = info_of("info score mate -3 depth 5");
    assert_int_equal(info.has, UCI_INFO_DEPTH | UCI_INFO_SCORE | UCI_INFO_MATE);
    assert_int_equal(info.score, -3);
    info = info_of("  info\tscore upperbound cp 5");
    assert_int_equal(info.has, 0);
}

static void test_no_info(void **state) {
    (void)state;
    static const char *const lines[] = {
        "",
        "bestmove e2e4",
        "information depth 3",
        "info",
        "info string depth 12 score cp 3",
        "info depth",
        "info depth x",
        "info score",
        "info score cp",
        "info score cp x",
        "info pv",
    };
    UciInfo info;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        assert_false(uci_parse_info(view_from_string(lines[i]), &info));
    // Numbers beyond all bounds are cut, or passed over.
    info = info_of("info depth 99999999999 score cp -9999999999 nodes 18446744073709551616");
    assert_int_equal(info.depth, 2147483647);
    assert_int_equal(info.score, -2147483647); // so that its other sign fits too
    assert_false((info.has & UCI_INFO_NODES) != 0);
}

static void test_any_bytes(void **state) {
    (void)state;
    static const char *const words[] = {
        "info", "score", "cp",  "mate", "depth", "pv", "string", "option", "name", "type",
        "spin", "min",   "max", "var",  "combo", "-",  "12",     "\xFF",   "\1",   "lowerbound"};
    unsigned seed = 1;
    for (int i = 0; i < 20000; i++) {
        Str line = {0};
        str_add(&line, i % 2 == 0 ? "info" : "option");
        for (int w = 0; w < 12; w++) {
            seed = seed * 1664525u + 1013904223u;
            str_addf(&line, " %s", words[(seed >> 16) % 20]);
        }
        UciInfo info;
        UciOption option;
        uci_parse_info(view_of(line.text, line.length), &info);
        if (uci_option_parse(view_of(line.text, line.length), &option) == OK)
            uci_option_deinit(&option);
        str_free(&line);
    }
}

static void test_options(void **state) {
    (void)state;
    UciOption option;
    assert_int_equal(
        uci_option_parse(view_from_string("option name Mobility (Middle Game) type spin default "
                                          "100 min -5 max 200"),
                         &option),
        OK);
    assert_string_equal(option.name, "Mobility (Middle Game)");
    assert_string_equal(option.value, "100");
    assert_true(option.has_bounds && option.low == -5 && option.high == 200);
    assert_int_equal(uci_option_check(&option, "-5"), OK);
    assert_int_equal(uci_option_check(&option, "-6"), ERR_ARG);
    assert_int_equal(uci_option_check(&option, "1.5"), ERR_ARG);
    uci_option_deinit(&option);
    assert_int_equal(uci_option_parse(view_from_string("option name Debug Log File type string "
                                                       "default "),
                                      &option),
                     OK);
    assert_string_equal(option.value, "");
    assert_int_equal(uci_option_check(&option, "min max"), OK);
    uci_option_deinit(&option);
    // A name may hold the words that come after a type.
    assert_int_equal(
        uci_option_parse(view_from_string("option name Skill default max type check"), &option),
        OK);
    assert_string_equal(option.name, "Skill default max");
    uci_option_deinit(&option);
    assert_int_equal(uci_option_parse(view_from_string("option name X"), &option), ERR_PARSE);
    assert_int_equal(uci_option_parse(view_from_string("option type spin"), &option), ERR_PARSE);
    assert_int_equal(uci_option_parse(view_from_string("option name X type y"), &option),
                     ERR_PARSE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_info),
        cmocka_unit_test(test_no_info),
        cmocka_unit_test(test_any_bytes),
        cmocka_unit_test(test_options),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
