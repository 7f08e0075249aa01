// SPDX-License-Identifier: GPL-3.0-or-later
// Settings from a table: what is allowed is read and written back, what is not is refused.
#include "testing.h"

#include "base/nearest.h"
#include "base/settings.h"

typedef struct Values {
    int small;
    int64_t whole, choice;
    uint64_t large;
    double real;
    Str text;
} Values;

static const char *const colours[] = {"red", "green", NULL};
#define FIELD(name) offsetof(Values, name)
static const Setting rows[] = {
    {"a", "small", SETTING_INT, FIELD(small), -3, 3, "2", NULL, "a small number"},
    {"a", "whole", SETTING_WHOLE, FIELD(whole), 0, 1e18, "7", NULL, "a whole number"},
    {"a", "large", SETTING_U64, FIELD(large), 0, 0, "1", NULL, "a large number"},
    {"b", "real", SETTING_REAL, FIELD(real), 0, 1, "0.25", NULL, "a share"},
    {"b", "choice", SETTING_CHOICE, FIELD(choice), 0, 0, "green", colours, "a colour"},
    {"b", "text", SETTING_TEXT, FIELD(text), 0, 0, "", NULL, "a name"},
};
static const SettingTable table = {rows, sizeof rows / sizeof *rows};

static Status set(Values *values, const char *name, const char *text) {
    const Setting *row = settings_find(&table, NULL, name);
    assert_non_null(row);
    return setting_parse(row, text, settings_field(row, values));
}

static void test_defaults_and_text(void **state) {
    (void)state;
    Values values = {0};
    Str out = {0};
    settings_init(&table, &values);
    assert_int_equal(set(&values, "text", "Tal, Mikhail"), OK);
    settings_write(&table, &values, &out);
    assert_string_equal(str_text(&out), "[a]\nsmall = 2\nwhole = 7\nlarge = 1\n\n"
                                        "[b]\nreal = 0.25\nchoice = green\ntext = Tal, Mikhail\n");
    str_free(&out);
    settings_free(&table, &values);
}

static void assert_described(const char *name, const char *value, const char *line) {
    const Setting *row = settings_find(&table, NULL, name);
    Str allowed = {0}, out = {0};
    setting_write_allowed(row, &allowed);
    setting_describe(row, value, str_text(&allowed), &out);
    assert_string_equal(str_text(&out), line);
    str_free(&allowed);
    str_free(&out);
}

static void test_what_is_allowed(void **state) {
    (void)state;
    assert_described("choice", "green", "  --choice             a colour (green; red or green)\n");
    assert_described("text", "", "  --text               a name (none)\n");
    assert_described("small", "2", "  --small              a small number (2; -3 to 3)\n");
    assert_described("real", "0.5", "  --real               a share (0.5; 0 to 1)\n");
}

static void test_what_is_refused(void **state) {
    (void)state;
    static const struct {
        const char *name, *text, *message;
    } bad[] = {
        {"small", "4", "small must be a whole number from -3 to 3, not '4'"},
        {"small", "", "small must be a whole number from -3 to 3, not ''"},
        {"small", "2.0", "small must be a whole number from -3 to 3, not '2.0'"},
        {"small", " 2", "small must be a whole number from -3 to 3, not ' 2'"},
        {"whole", "99999999999999999999",
         "whole must be a whole number from 0 to 1e+18, not '99999999999999999999'"},
        {"large", "-1", "large must be a whole number from 0 to 18446744073709551615, not '-1'"},
        {"large", "18446744073709551616",
         "large must be a whole number from 0 to 18446744073709551615, not "
         "'18446744073709551616'"},
        {"real", "1.5", "real must be a number from 0 to 1, not '1.5'"},
        {"real", "nan", "real must be a number from 0 to 1, not 'nan'"},
        {"choice", "blue", "choice must be one of red, green, not 'blue'"},
        {"text", "a\nb", "text must not hold a line break or other control character"},
        {"text", " a", "text must not begin or end with a blank: ' a'"},
    };
    Values values = {0};
    settings_init(&table, &values);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(set(&values, bad[i].name, bad[i].text), ERR_ARG);
        assert_string_equal(error_message(), bad[i].message);
    }
    // What was refused has left the field alone.
    assert_int_equal(values.small, 2);
    assert_int_equal(values.choice, 1);
    settings_free(&table, &values);
}

static void test_names(void **state) {
    (void)state;
    static const char *const names[] = {"small", "whole"};
    assert_null(settings_find(&table, "b", "small"));
    assert_ptr_equal(settings_find(&table, "a", "small"), &rows[0]);
    (void)error_set(ERR_ARG, "there is no 'smal'");
    assert_int_equal(nearest_suggest(ERR_ARG, "smal", names, 2), ERR_ARG);
    assert_string_equal(error_message(), "there is no 'smal': did you mean 'small'?");
    (void)error_set(ERR_ARG, "there is no 'zebra'");
    assert_int_equal(nearest_suggest(ERR_ARG, "zebra", names, 2), ERR_ARG);
    assert_string_equal(error_message(), "there is no 'zebra'");
}

static void test_nearest(void **state) {
    (void)state;
    static const char *const names[] = {"perft", "book", "doctor"};
    assert_string_equal(nearest_name("pertf", names, 3), "perft");
    assert_string_equal(nearest_name("docter", names, 3), "doctor");
    assert_string_equal(nearest_name("books", names, 3), "book");
    assert_null(nearest_name("evolve", names, 3));
    assert_null(nearest_name("a-word-that-is-longer-than-any-subcommand", names, 3));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults_and_text), cmocka_unit_test(test_what_is_allowed),
        cmocka_unit_test(test_what_is_refused),   cmocka_unit_test(test_names),
        cmocka_unit_test(test_nearest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
