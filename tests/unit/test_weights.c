// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/value.h"
#include "eval/weights.h"
#include "testing.h"

// The default weights as text, `old` replaced by `new`.
static void write_changed(Str *out, const char *old, const char *new) {
    Weights weights;
    Str text = {0};
    assert_int_equal(weights_load(&weights, "weights/maestro-gecco2008.weights"), OK);
    weights_write(&weights, &text);
    const char *at = strstr(text.text, old);
    assert_non_null(at);
    str_append(out, text.text, (size_t)(at - text.text));
    str_add(out, new);
    str_add(out, at + strlen(old));
    str_free(&text);
    weights_free(&weights);
}

static void expect_failure(StrView text, const char *message) {
    Weights weights = {0};
    assert_int_equal(weights_parse(&weights, text, "w"), ERR_PARSE);
    assert_string_equal(error_message(), message);
    assert_null(weights.family);
}

static void expect_refused(const char *old, const char *new, const char *message) {
    Str text = {0};
    write_changed(&text, old, new);
    expect_failure(view_of(text.text, text.length), message);
    str_free(&text);
}

static void test_wrong_files(void **state) {
    (void)state;
    expect_refused("QUEEN_VALUE 954", "QUEN_VALUE 954",
                   "w:12: family maestro has no term 'QUEN_VALUE': correct the name, or drop the "
                   "term with falconer weights migrate");
    expect_refused("BISHOP_PAIR 44\n", "",
                   "w:41: the file ends with 1 of the 35 terms of family maestro missing: add "
                   "BISHOP_PAIR, or let falconer weights migrate add them");
    expect_refused("BISHOP_PAIR 44\n", "BISHOP_PAIR 44\nBISHOP_PAIR 44\n",
                   "w:25: BISHOP_PAIR was given in line 24 already: keep one of them");
    expect_refused("BISHOP_PAIR 44", "BISHOP_PAIR 64",
                   "w:24: BISHOP_PAIR 64 is out of bounds: write a value from 0 to 63");
    expect_refused("BISHOP_PAIR 44", "BISHOP_PAIR -1",
                   "w:24: BISHOP_PAIR -1 is out of bounds: write a value from 0 to 63");
    expect_refused("BISHOP_PAIR 44", "BISHOP_PAIR 4.4",
                   "w:24: BISHOP_PAIR: '4.4' is not a whole number");
    expect_refused("BISHOP_PAIR 44", "BISHOP_PAIR 99999999999999999999",
                   "w:24: BISHOP_PAIR: '99999999999999999999' is not a whole number");
    expect_refused("BISHOP_PAIR 44", "BISHOP_PAIR",
                   "w:24: BISHOP_PAIR has no value: write a whole number behind it");
    expect_refused("BISHOP_PAIR 44", "BISHOP_PAIR 44 # good",
                   "w:24: BISHOP_PAIR: more than one value: comments need a line of their own");
    expect_refused(
        "BISHOP_PAIR 44", "\x7F\x01x7&(*\xFF 44",
        "w:24: family maestro has no term '\\x7f\\x01x7&(*\\xff': correct the name, or drop the "
        "term with falconer weights migrate");
}

static void test_wrong_families(void **state) {
    (void)state;
    expect_refused("family maestro 1", "family maestro 7",
                   "w:7: version 7 of family maestro, but this program has version 1: convert "
                   "the file with falconer weights migrate");
    expect_refused("family maestro 1", "family mestro 1",
                   "w:7: unknown family 'mestro': write one of maestro, vazquez, shannon, falcon");
    expect_refused("family maestro 1", "family maestro",
                   "w:7: expected 'family NAME VERSION', such as 'family maestro 1'");
    expect_refused("family maestro 1\n", "",
                   "w:7: 'PAWN_VALUE' before the family: write a line such as 'family maestro 1' "
                   "first");
    expect_refused("family maestro 1\n", "family maestro 1\nfamily maestro 1\n",
                   "w:8: the family is named twice: keep one of the lines");
    expect_failure(view_of("", 0), "w:0: the file ends without a line 'family NAME VERSION': is it "
                                   "a weights file?");
    expect_failure(view_of("#\n\0", 3),
                   "w:2: a NUL byte: this is not a weights file, or a damaged one");
    expect_failure(view_from_string("family maestro 1\n"),
                   "w:1: the file ends with 35 of the 35 terms of family maestro missing: add "
                   "PAWN_VALUE and others, or let falconer weights migrate add them");
}

// --- migrating ---

static Status migrate(const char *text, const WeightsMigration *how, Weights *out, Str *notes) {
    char path[TESTING_PATH];
    testing_path(path, "old.weights");
    assert_int_equal(file_write(path, text, strlen(text)), OK);
    return weights_migrate(out, path, how, notes);
}

// All terms of a family but `left_out`, and one more.
static void write_old(Str *out, const Family *family, const char *left_out, const char *added) {
    str_addf(out, "# somebody's\nfamily %s 9\n", family->name);
    for (size_t i = 0; i < family->term_count; i++)
        if (strcmp(family->terms[i].name, left_out) != 0)
            str_addf(out, "%s %s\n", family->terms[i].name,
                     value_text(family, family->terms[i].start).text);
    str_addf(out, "%s\n", added);
}

// Of every family: a term that is missing gets 0 where it may, what is unknown is dropped, and the
// result is a file like any other.
static void test_migration(void **state) {
    (void)state;
    for (size_t f = 0; families[f] != NULL; f++) {
        const Family *family = families[f];
        for (int missing = MISSING_ZERO; missing <= MISSING_DEFAULT; missing++) {
            const Term *term = &family->terms[family->term_count / 2];
            const WeightsMigration how = {.missing = (WeightsMissing)missing};
            const bool is_zero = missing == MISSING_ZERO && term->low <= 0 && term->high >= 0;
            CLEANUP(weights_free) Weights weights = {0};
            CLEANUP(weights_free) Weights again = {0};
            CLEANUP(str_free) Str text = {0};
            CLEANUP(str_free) Str notes = {0};
            CLEANUP(str_free) Str written = {0};
            write_old(&text, family, term->name, "OLD_TERM 5");
            assert_int_equal(migrate(str_text(&text), &how, &weights, &notes), OK);
            for (size_t i = 0; i < family->term_count; i++)
                assert_int_equal(weights.parameters[i],
                                 &family->terms[i] == term && is_zero ? 0 : family->terms[i].start);
            assert_non_null(strstr(str_text(&notes), "from version 9 to version "));
            assert_non_null(strstr(str_text(&notes), "OLD_TERM 5: dropped"));
            assert_non_null(
                strstr(str_text(&notes), is_zero ? "counts for nothing" : "the family's default"));
            assert_non_null(strstr(str_text(&weights.lineage), "somebody's\nmigrated: family "));
            weights_write(&weights, &written);
            assert_int_equal(weights_parse(&again, view_of(written.text, written.length), "again"),
                             OK);
            assert_memory_equal(again.parameters, weights.parameters, sizeof again.parameters);
        }
    }
}

// Products of vazquez were divided by 100 in version 1 and are by 1000 since: a weight times ten
// has the same coefficients, as far as the bounds let it.
static void test_migration_of_products(void **state) {
    (void)state;
    const Family *family = &family_vazquez;
    const int attacking = family_find_term(family, "KING_ATTACKING_MATERIAL");
    const int defending = family_find_term(family, "KING_DEFENDING_MATERIAL");
    static const char *const old[] = {"-4.1", "-10", "-40", "-99999999999999999"};
    static const int now[] = {-410, -1000, -1000, -1000};
    for (size_t i = 0; i < sizeof old / sizeof *old; i++) {
        CLEANUP(weights_free) Weights weights = {0};
        CLEANUP(str_free) Str text = {0};
        CLEANUP(str_free) Str notes = {0};
        str_addf(&text, "family vazquez 1\nKING_ATTACKING_MATERIAL %s\nKING_PAWNS 7\n", old[i]);
        assert_int_equal(migrate(str_text(&text), &(WeightsMigration){0}, &weights, &notes), OK);
        assert_int_equal(weights.parameters[attacking], now[i]);
        assert_int_equal(weights.parameters[defending], 0);
        assert_int_equal(weights.parameters[family_find_term(family, "KING_PAWNS")], 70);
        assert_true((strstr(str_text(&notes), "is out of bounds") != NULL) == (i > 1));
    }
}

static void test_migration_with_values(void **state) {
    (void)state;
    static const char *const set[] = {"BISHOP_PAIR=12", "PAWN_VALUE=90"};
    static const char *const wrong[][2] = {
        {"BISHOP_PAIR", "--set: 'BISHOP_PAIR' is not NAME=VALUE, with a whole number"},
        {"BISHOP_PAIR=x", "--set: 'BISHOP_PAIR=x' is not NAME=VALUE, with a whole number"},
        {"BISHOP=1", "--set: family maestro has no term 'BISHOP' (falconer weights show lists "
                     "them)"},
        {"BISHOP_PAIR=64", "--set: BISHOP_PAIR 64 is out of bounds: write a value from 0 to 63"},
    };
    const WeightsMigration how = {.set = set, .set_count = 2};
    CLEANUP(weights_free) Weights weights = {0};
    CLEANUP(str_free) Str text = {0};
    CLEANUP(str_free) Str notes = {0};
    write_old(&text, &family_maestro, "BISHOP_PAIR", "");
    assert_int_equal(migrate(str_text(&text), &how, &weights, &notes), OK);
    assert_int_equal(weights.parameters[family_find_term(&family_maestro, "BISHOP_PAIR")], 12);
    assert_int_equal(weights.parameters[family_find_term(&family_maestro, "PAWN_VALUE")], 90);
    assert_non_null(strstr(str_text(&notes), "BISHOP_PAIR: set to 12\n"));
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const WeightsMigration bad = {.set = wrong[i], .set_count = 1};
        Weights none;
        assert_int_equal(migrate(str_text(&text), &bad, &none, &notes), ERR_ARG);
        assert_string_equal(error_message(), wrong[i][1]);
    }
}

// Values beyond bounds are moved; what is malformed stays so.
static void test_migration_of_wrong_files(void **state) {
    (void)state;
    const WeightsMigration how = {0};
    CLEANUP(weights_free) Weights weights = {0};
    CLEANUP(str_free) Str text = {0};
    CLEANUP(str_free) Str notes = {0};
    write_old(&text, &family_maestro, "BISHOP_PAIR", "BISHOP_PAIR 99");
    assert_int_equal(migrate(str_text(&text), &how, &weights, &notes), OK);
    assert_non_null(strstr(str_text(&notes), "BISHOP_PAIR: 99 is out of bounds, now 63\n"));
    assert_int_equal(migrate("family maestro 1\nPAWN_VALUE x\n", &how, &weights, &notes),
                     ERR_PARSE);
    assert_int_equal(
        migrate("family maestro 1\nPAWN_VALUE 1\nPAWN_VALUE 1\n", &how, &weights, &notes),
        ERR_PARSE);
    assert_int_equal(migrate("family mestro 1\n", &how, &weights, &notes), ERR_PARSE);
}

// CRLF, blank lines, tabs, a missing last newline and comments anywhere are fine.
static void test_tolerated(void **state) {
    (void)state;
    Weights weights, changed;
    Str text = {0}, odd = {0};
    assert_int_equal(weights_load(&weights, "weights/maestro-gecco2008.weights"), OK);
    weights_write(&weights, &text);
    for (size_t i = 0; i + 1 < text.length; i++) {
        if (text.text[i] == '\n')
            str_add(&odd, " \r\n\t\r\n");
        else
            str_append(&odd, &text.text[i], 1);
    }
    assert_int_equal(weights_parse(&changed, view_of(odd.text, odd.length), "odd"), OK);
    assert_memory_equal(changed.parameters, weights.parameters, sizeof weights.parameters);
    assert_string_equal(str_text(&changed.lineage), str_text(&weights.lineage));
    weights_free(&weights);
    weights_free(&changed);
    str_free(&text);
    str_free(&odd);
}

static void check_round_trip(const Family *family, Rng *rng, int round) {
    Weights weights, again;
    Str text = {0}, text_again = {0};
    weights_init(&weights, family);
    str_addf(&weights.lineage, "round: %d\n\n  indented, and # with a sign\n", round);
    family_randomize(family, rng, weights.parameters);
    weights_write(&weights, &text);
    assert_int_equal(weights_parse(&again, view_of(text.text, text.length), "text"), OK);
    weights_write(&again, &text_again);
    assert_string_equal(text.text, text_again.text);
    assert_memory_equal(weights.parameters, again.parameters, sizeof weights.parameters);
    assert_string_equal(str_text(&weights.lineage), str_text(&again.lineage));
    weights_free(&weights);
    weights_free(&again);
    str_free(&text);
    str_free(&text_again);
}

static void test_round_trip(void **state) {
    (void)state;
    Rng rng = rng_at(5, 0, 0, 0);
    for (size_t i = 0; families[i] != NULL; i++)
        for (int round = 0; round < 200; round++)
            check_round_trip(families[i], &rng, round);
}

static void test_files(void **state) {
    (void)state;
    char path[] = "/tmp/test_weights_XXXXXX";
    int handle = mkstemp(path);
    assert_true(handle >= 0);
    close(handle);
    Weights weights, copy, loaded;
    assert_int_equal(weights_load(&weights, "weights/maestro-gecco2008.weights"), OK);
    weights_copy(&copy, &weights);
    assert_int_equal(weights_save(&copy, path), OK);
    assert_int_equal(weights_load(&loaded, path), OK);
    assert_memory_equal(loaded.parameters, weights.parameters, sizeof weights.parameters);
    weights_free(&weights);
    weights_free(&copy);
    weights_free(&loaded);
    unlink(path);
    assert_int_equal(weights_load(&weights, path), ERR_IO);
    assert_non_null(strstr(error_message(), path));
}

// The built-in weights are FALCON's, and the start values are those chosen by hand.
static void test_shipped_files(void **state) {
    (void)state;
    Weights file, other;
    assert_int_equal(weights_load(&file, "weights/falcon.weights"), OK);
    assert_int_equal(weights_load_default(&other), OK);
    assert_memory_equal(file.parameters, other.parameters, sizeof file.parameters);
    weights_free(&file);
    weights_free(&other);
    assert_int_equal(weights_load(&file, "weights/maestro-gecco2008.weights"), OK);
    assert_int_equal(file.parameters[family_find_term(file.family, "ROOK_BEHIND_PASSED_PAWN")], 48);
    weights_free(&file);
    assert_int_equal(weights_load(&file, "weights/maestro-hand.weights"), OK);
    weights_init(&other, family_find("maestro"));
    assert_memory_equal(file.parameters, other.parameters, sizeof file.parameters);
    weights_free(&file);
    assert_int_equal(weights_load(&file, "weights/falcon-hand.weights"), OK);
    weights_init(&other, family_find("falcon"));
    assert_memory_equal(file.parameters, other.parameters, sizeof file.parameters);
    weights_free(&file);
    assert_int_equal(weights_load(&file, "weights/vazquez-asoc2013.weights"), OK);
    assert_int_equal(file.parameters[family_find_term(file.family, "KNIGHT_VALUE")], 2952);
    assert_int_equal(file.parameters[family_find_term(file.family, "BISHOP_AHEAD")], -396);
    weights_free(&file);
    assert_int_equal(weights_load(&file, "weights/shannon-developed.weights"), OK);
    assert_int_equal(file.parameters[family_find_term(file.family, "QUEEN_VALUE")], 8910);
    weights_free(&file);
    assert_int_equal(weights_load(&file, "weights/shannon-undeveloped.weights"), OK);
    assert_int_equal(file.parameters[family_find_term(file.family, "LEGAL_MOVE")], 6380);
    weights_free(&file);
    assert_int_equal(weights_load(&file, "weights/shannon-1950.weights"), OK);
    assert_int_equal(file.parameters[family_find_term(file.family, "LEGAL_MOVE")], 1000);
    weights_free(&file);
}

// Values in tenths: what a person may write, and what is refused.
static void test_values(void **state) {
    (void)state;
    const Family *tenths = family_find("vazquez"), *whole = family_find("maestro");
    static const struct {
        const char *text;
        int64_t value;
    } good[] = {{"295.2", 2952}, {"-39.6", -396}, {"-0.5", -5},  {"+0.5", 5},
                {"100", 1000},   {"-100", -1000}, {"007.0", 70}, {"-0", 0}};
    static const char *const bad[] = {"",
                                      ".",
                                      "-",
                                      ".5",
                                      "1.",
                                      "1.25",
                                      "1.2.3",
                                      "1,5",
                                      "--1",
                                      "1.-5",
                                      "-.5",
                                      "1e2",
                                      "9223372036854775807"};
    int64_t value = 77;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_true(value_parse(tenths, view_from_string(good[i].text), &value));
        assert_int_equal(value, good[i].value);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_false(value_parse(tenths, view_from_string(bad[i]), &value));
    assert_false(value_parse(whole, view_from_string("1.0"), &value));
    for (int64_t i = -30000; i <= 30000; i++) {
        assert_true(value_parse(tenths, view_from_string(value_text(tenths, i).text), &value));
        assert_int_equal(value, i);
    }
    assert_string_equal(value_text(tenths, -5).text, "-0.5");
    assert_string_equal(value_text_signed(tenths, 1234).text, "+123.4");
    assert_string_equal(value_text(whole, -5).text, "-5");
    assert_string_equal(value_text(tenths, INT64_MIN).text, "-922337203685477580.8");
}

static void test_wrong_tenths(void **state) {
    (void)state;
    expect_failure(view_from_string("family vazquez 2\nBISHOP_AHEAD 39.6\n"),
                   "w:2: BISHOP_AHEAD 39.6 is out of bounds: write a value from -100.0 to 0.0");
    expect_failure(view_from_string("family vazquez 2\nBISHOP_AHEAD -39.61\n"),
                   "w:2: BISHOP_AHEAD: '-39.61' is not a number with at most one decimal");
    expect_failure(view_from_string("family vazquez 2\nPAWN_VALUE 100.1\n"),
                   "w:2: PAWN_VALUE 100.1 is out of bounds: write a value from 100.0 to 100.0");
}

static void test_set(void **state) {
    (void)state;
    Weights weights;
    weights_init(&weights, family_find("maestro"));
    assert_int_equal(weights_set(&weights, "ROOK_VALUE", 2047), OK);
    assert_int_equal(weights.parameters[3], 2047);
    assert_int_equal(weights_set(&weights, "ROOK_VALUE", 2048), ERR_ARG);
    assert_int_equal(weights_set(&weights, "ROOK", 1), ERR_ARG);
    assert_int_equal(weights.parameters[3], 2047);
    assert_null(family_find("nobody"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrong_files),
        cmocka_unit_test(test_wrong_families),
        cmocka_unit_test(test_tolerated),
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_shipped_files),
        cmocka_unit_test(test_set),
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_wrong_tenths),
        cmocka_unit_test(test_migration),
        cmocka_unit_test(test_migration_of_products),
        cmocka_unit_test(test_migration_with_values),
        cmocka_unit_test(test_migration_of_wrong_files),
    };
    return cmocka_run_group_tests(tests, testing_set_up, testing_tear_down);
}
