// SPDX-License-Identifier: GPL-3.0-or-later
// Modules of pages as one script.
#include "player_page/join.h"
#include "testing.h"

#include <stdlib.h>
#include <string.h>

static size_t count_of(const char *text, const char *word) {
    size_t count = 0;
    for (const char *at = strstr(text, word); at != NULL; at = strstr(at + 1, word))
        count++;
    return count;
}

// Each module is there once, before it is used, and nothing is left to be loaded.
static void test_each_module_once(void **state) {
    static const char *const entries[] = {"/web/player.js", "/web/player_worker.js"};
    (void)state;
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        CLEANUP(str_free) Str script = {0};
        char begin[64], use[64];
        size_t modules = 0;
        assert_int_equal(join_modules(entries[i], &script), OK);
        assert_int_equal(count_of(script.text, "\nimport "), 0);
        assert_int_equal(count_of(script.text, "\nexport "), 0);
        assert_int_equal(count_of(script.text, "export{"), 0);
        for (size_t number = 0;; number++, modules++) {
            snprintf(begin, sizeof begin, "const module_%zu = ", number);
            snprintf(use, sizeof use, "} = module_%zu;", number);
            const char *at = strstr(script.text, begin), *used = strstr(script.text, use);
            if (at == NULL)
                break;
            assert_int_equal(count_of(script.text, begin), 1);
            assert_true(used == NULL || used > at);
        }
        assert_int_equal(modules, count_of(script.text, "(() => { // /web/"));
        assert_true(modules >= 2);
    }
}

static void test_chessground_is_named(void **state) {
    (void)state;
    CLEANUP(str_free) Str script = {0};
    assert_int_equal(join_modules("/web/board.js", &script), OK);
    assert_non_null(strstr(script.text, "return { Chessground: "));
    assert_non_null(strstr(script.text, "const { Chessground } = module_1;"));
    assert_non_null(strstr(script.text, "return { makeBoard, "));
}

static void test_refusals(void **state) {
    (void)state;
    CLEANUP(str_free) Str script = {0};
    assert_int_equal(join_modules("/web/none.js", &script), ERR_ARG);
    assert_string_equal(error_message(), "there is no module /web/none.js");
    // It gives on what another module exports, which nothing that is joined does.
    assert_int_equal(join_modules("/web/common.js", &script), ERR_ARG);
    assert_non_null(strstr(error_message(), "/web/common.js cannot be joined"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_module_once),
        cmocka_unit_test(test_chessground_is_named),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
