// SPDX-License-Identifier: GPL-3.0-or-later
#include "engines/spec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void test_words(void **state) {
    (void)state;
    EngineSpec spec = engine_spec_init();
    assert_int_equal(engine_spec_parse(&spec, "cmd=/usr/games/toga2 arg=-x 'arg=a b' dir=/tmp "
                                              "option.Hash=16 \"option.King Safety=50\" "
                                              "option.hash=32 tc=40/1:30.5+0.25 timemargin=20 "
                                              "nodes=5000 depth=6 proto=uci stderr=/tmp/e "
                                              "memory=512 cpu=3600"),
                     OK);
    assert_int_equal(engine_spec_finish(&spec), OK);
    assert_string_equal(spec.command, "/usr/games/toga2");
    assert_string_equal(spec.name, "toga2");
    assert_string_equal(spec.dir, "/tmp");
    assert_int_equal(spec.arg_count, 2);
    assert_string_equal(spec.args[1], "a b");
    assert_int_equal(spec.option_count, 2);
    assert_string_equal(spec.options[0].name, "Hash");
    assert_string_equal(spec.options[0].value, "32");
    assert_string_equal(spec.options[1].name, "King Safety");
    assert_int_equal(spec.limits.clock.moves, 40);
    assert_int_equal(spec.limits.clock.time_ms, 90500);
    assert_int_equal(spec.limits.clock.inc_ms, 250);
    assert_int_equal(spec.limits.nodes, 5000);
    assert_int_equal(spec.limits.depth, 6);
    assert_int_equal(spec.margin_ms, 20);
    assert_int_equal(spec.memory_mb, 512);
    assert_int_equal(spec.cpu_s, 3600);
    assert_int_equal(engine_spec_set(&spec, "memory=0"), ERR_ARG);
    assert_int_equal(engine_spec_set(&spec, "cpu=1e3"), ERR_ARG);
    assert_int_equal(spec.protocol, PROTOCOL_UCI);
    assert_int_equal(engine_spec_set(&spec, "proto=xboard"), OK);
    assert_int_equal(spec.protocol, PROTOCOL_XBOARD);
    engine_spec_deinit(&spec);
}

static void test_words_of_fastchess(void **state) {
    (void)state;
    EngineSpec spec = engine_spec_init(), back;
    Str bytes = {0};
    assert_int_equal(engine_spec_set(&spec, "cmd=x"), OK);
    assert_int_equal(engine_spec_set(&spec, "args=-a  'b c' --d=e"), OK);
    assert_int_equal(engine_spec_set(&spec, "arg=f"), OK);
    assert_int_equal(spec.arg_count, 4);
    assert_string_equal(spec.args[0], "-a");
    assert_string_equal(spec.args[1], "b c");
    assert_string_equal(spec.args[2], "--d=e");
    assert_string_equal(spec.args[3], "f");
    assert_false(spec.restarts);
    assert_int_equal(engine_spec_set(&spec, "restart=on"), OK);
    assert_int_equal(engine_spec_set(&spec, "restart=maybe"), ERR_ARG);
    assert_int_equal(engine_spec_set(&spec, "restart=on"), OK);
    assert_int_equal(engine_spec_finish(&spec), OK);
    engine_spec_pack(&spec, &bytes);
    ByteReader in = {.rest = view_of(bytes.text, bytes.length)};
    engine_spec_unpack(&in, &back);
    assert_true(bytes_are_done(&in) && back.restarts);
    assert_int_equal(engine_spec_set(&spec, "restart=auto"), OK);
    assert_false(spec.restarts);
    str_free(&bytes);
    engine_spec_deinit(&back);
    engine_spec_deinit(&spec);
}

static void test_time_and_move_time_replace_each_other(void **state) {
    (void)state;
    EngineSpec spec = engine_spec_init();
    assert_int_equal(engine_spec_set(&spec, "tc=2+0.02"), OK);
    assert_int_equal(engine_spec_set(&spec, "st=0.5"), OK);
    assert_int_equal(spec.limits.clock.time_ms, 0);
    assert_int_equal(spec.limits.move_ms, 500);
    assert_int_equal(engine_spec_set(&spec, "tc=inf"), OK);
    assert_true(limits_are_empty(&spec.limits));
    engine_spec_deinit(&spec);
}

static void check_control(const char *text, int moves, int64_t time_ms, int64_t inc_ms,
                          const char *written) {
    Limits limits = {0};
    Str out = {0};
    assert_int_equal(limits_parse_clock(text, &limits), OK);
    assert_int_equal(limits.clock.moves, moves);
    assert_int_equal(limits.clock.time_ms, time_ms);
    assert_int_equal(limits.clock.inc_ms, inc_ms);
    limits_write_clock(&limits, &out);
    assert_string_equal(str_text(&out), written);
    str_free(&out);
}

static void test_time_controls(void **state) {
    (void)state;
    check_control("2+0.02", 0, 2000, 20, "2+0.02");
    check_control("0.5+0.005", 0, 500, 5, "0.5+0.005");
    check_control("40/60", 40, 60000, 0, "40/60");
    check_control("1:30+1", 0, 90000, 1000, "90+1");
    check_control("0/5", 0, 5000, 0, "5");
    check_control("inf", 0, 0, 0, "-");
}

static void test_refused(void **state) {
    (void)state;
    static const char *const words[] = {
        "cmd",        "cmd=",      "colour=red", "tc=",           "tc=x",    "tc=2+",
        "tc=2+0.02x", "tc=0",      "tc=-1",      "tc=/5",         "tc=1:",   "tc=99999999999999",
        "st=0",       "st=fast",   "nodes=0",    "nodes=1e6",     "depth=0", "depth=-3",
        "proto=uci2", "option.=3", "=5",         "timemargin=-1", "",        "tc=1..5",
        "cmd= ",      "dir=\t",
    };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        EngineSpec spec = engine_spec_init();
        assert_int_equal(engine_spec_set(&spec, words[i]), ERR_ARG);
        assert_true(strlen(error_message()) > 10);
        engine_spec_deinit(&spec);
    }
    EngineSpec spec = engine_spec_init();
    assert_int_equal(engine_spec_finish(&spec), ERR_ARG);
    assert_int_equal(engine_spec_parse(&spec, "cmd=a weights=b"), OK);
    assert_int_equal(engine_spec_finish(&spec), ERR_ARG);
    engine_spec_deinit(&spec);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_words_of_fastchess),
        cmocka_unit_test(test_time_and_move_time_replace_each_other),
        cmocka_unit_test(test_time_controls),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
