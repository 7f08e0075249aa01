// SPDX-License-Identifier: GPL-3.0-or-later
// Manual pages: nothing in a text is taken for a request of roff, and terms are marked.
#include "tests/unit/testing.h"

#include "tools/man.h"

#include <string.h>

// Printable ASCII in every place, also where a line begins.
static void test_no_text_is_a_request(void **state) {
    (void)state;
    for (char c = '!'; c <= '~'; c++) {
        char text[] = {c, 'x', '\n', c, 'S', 'H', ' ', c, '\0'};
        Str page = {0};
        man_text(&page, text);
        assert_memory_equal(page.text, ".PP\n", 4);
        for (const char *line = page.text + 4; *line != '\0'; line = strchr(line, '\n') + 1) {
            assert_true(line[0] != '.' && line[0] != '\'');
            assert_non_null(strchr(line, '\n'));
        }
        // What is no escape of ours is no escape at all.
        for (const char *at = page.text; (at = strchr(at, '\\')) != NULL; at++)
            assert_non_null(strchr("(-&", at[1]));
        str_free(&page);
    }
}

static void expect_item(const char *term, const char *expected) {
    Str page = {0};
    man_item(&page, term, "what.");
    assert_string_equal(str_text(&page), expected);
    str_free(&page);
}

static void test_terms(void **state) {
    (void)state;
    expect_item("-o, --output FILE",
                ".TP\n\\fB\\-o\\fR, \\fB\\-\\-output\\fR \\fIFILE\\fR\nwhat.\n");
    expect_item("--tune NAME:LOW[:STEP]",
                ".TP\n\\fB\\-\\-tune\\fR \\fINAME:LOW[:STEP]\\fR\nwhat.\n");
    expect_item("0", ".TP\n0\nwhat.\n");
}

static void test_beginning(void **state) {
    (void)state;
    Str page = {0};
    man_begin(&page, "falconer perft", "count");
    assert_non_null(strstr(str_text(&page), ".TH FALCONER\\-PERFT 1 "));
    assert_non_null(strstr(str_text(&page), "\nfalconer\\-perft \\- count\n"));
    str_free(&page);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_text_is_a_request),
        cmocka_unit_test(test_terms),
        cmocka_unit_test(test_beginning),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
