// SPDX-License-Identifier: GPL-3.0-or-later
#include "chess/epd.h"

#include "base/lines.h"
#include "chess/san.h"
#include "testing.h"

static void expect_stable(const char *line, size_t length, const char *stable) {
    Epd epd = {0};
    Str text = {0};
    if (epd_parse(&epd, view_of(line, length)) != OK)
        fail_msg("%s: %s", line, error_message());
    epd_write(&epd, &text);
    assert_string_equal(str_text(&text), stable);
    str_free(&text);
    epd_free(&epd);
}

static void expect_refused(const char *line, const char *reason) {
    Epd epd = {0};
    if (epd_parse(&epd, view_from_string(line)) == OK)
        fail_msg("%s was read", line);
    if (strstr(error_message(), reason) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", error_message(), reason);
    assert_int_equal(epd.op_count, 0);
    epd_free(&epd);
}

static Epd read_record(const char *line) {
    Epd epd = {0};
    if (epd_parse(&epd, view_from_string(line)) != OK)
        fail_msg("%s: %s", line, error_message());
    return epd;
}

#define KINGS "4k3/8/8/8/8/8/8/4K2Q w - -"

static void test_sloppy_lines(void **state) {
    (void)state;
    static const char *const lines[][2] = {
        {KINGS, KINGS},
        {KINGS " bm Qh8+;", KINGS " bm Qh8+;"},
        {KINGS " 0 1 bm Qh8;", KINGS " bm Qh8;"},
        {KINGS "0 1; bm Qh8", KINGS " bm Qh8;"},
        {KINGS " 7 12 ; bm Qh8", KINGS " hmvc 7; fmvn 12; bm Qh8;"},
        {KINGS "; ; ;", KINGS},
        {KINGS " ; bm Qh8 + ; id BK.01", KINGS " bm Qh8 +; id BK.01;"},
        {"  " KINGS "   bm   Qh8  ;id  \"a;b\" ;;", KINGS " bm Qh8; id \"a;b\";"},
        {KINGS " hmvc 3; fmvn 9; draw", KINGS " hmvc 3; fmvn 9; draw;"},
        {KINGS " ;D1 20 ;D2 400", KINGS " D1 20; D2 400;"},
        {KINGS " bm Qh8;\r\n", KINGS " bm Qh8;"},
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        expect_stable(lines[i][0], strlen(lines[i][0]), lines[i][1]);
    static const char nul[] = KINGS " ; bm Qh8; id x\0\0";
    expect_stable(nul, sizeof nul - 1, KINGS " bm Qh8; id x;");
}

static void test_refused(void **state) {
    (void)state;
    expect_refused("", "");
    expect_refused("startpos", "");
    expect_refused(KINGS " id \"open", "quote is never closed");
    expect_refused(KINGS " hmvc x;", "no such counter");
    expect_refused(KINGS " fmvn 0;", "no such counter");
    expect_refused(KINGS " hmvc 70000;", "no such counter");
    Str many = {0};
    str_add(&many, KINGS);
    for (int i = 0; i <= EPD_OPS_MAX; i++)
        str_addf(&many, " op%d;", i);
    expect_refused(many.text, "operations");
    str_free(&many);
}

static void test_typed_reading(void **state) {
    (void)state;
    Epd epd = read_record(KINGS " bm Qh8+ Qa8+; am Kd1; ce -35; acd 12; acn +900; pv Qh8+ Kd7 Qg7+;"
                                " id \"one two\"; c0 bare words; dm x;");
    int64_t number;
    StrView text;
    MoveList moves;
    assert_true(epd_get_int(&epd, "ce", &number));
    assert_int_equal(number, -35);
    assert_true(epd_get_int(&epd, "acn", &number));
    assert_int_equal(number, 900);
    assert_false(epd_get_int(&epd, "acs", &number));
    assert_false(epd_get_int(&epd, "dm", &number));
    assert_true(epd_get_string(&epd, "id", &text));
    assert_true(view_equals(text, "one two"));
    assert_true(epd_get_string(&epd, "c0", &text));
    assert_true(view_equals(text, "bare words"));
    assert_int_equal(epd_get_moves(&epd, "bm", &moves), OK);
    assert_int_equal(moves.count, 2);
    assert_int_equal(epd_get_moves(&epd, "sm", &moves), OK);
    assert_int_equal(moves.count, 0);
    assert_int_equal(epd_get_line(&epd, "pv", &moves), OK);
    assert_int_equal(moves.count, 3);
    assert_int_equal(epd_check(&epd), ERR_PARSE);
    assert_non_null(strstr(error_message(), "dm"));
    epd_remove(&epd, "dm");
    assert_int_equal(epd_check(&epd), OK);
    assert_int_equal(epd_set(&epd, "bm", view_from_string("Qh9")), OK);
    assert_int_equal(epd_check(&epd), ERR_PARSE);
    assert_non_null(strstr(error_message(), "Qh9"));
    epd_free(&epd);
}

static void test_writing(void **state) {
    (void)state;
    Epd epd = read_record(KINGS " ce 1; mystery a b; id \"x\";");
    Move pair[2];
    assert_int_equal(san_parse(&epd.pos, view_from_string("Qh8"), &pair[0]), SAN_OK);
    assert_int_equal(san_parse(&epd.pos, view_from_string("Kd1"), &pair[1]), SAN_OK);
    assert_int_equal(epd_set_int(&epd, "ce", -7), OK);
    assert_int_equal(epd_set_int(&epd, "hmvc", 5), OK);
    assert_int_equal(epd_set_string(&epd, "c9", view_from_string("1-0")), OK);
    assert_int_equal(epd_set_moves(&epd, "bm", pair, 2), OK);
    assert_int_equal(epd_set_line(&epd, "pv", pair, 1), OK);
    assert_int_equal(epd_set_string(&epd, "id", view_from_string("a\"b")), ERR_ARG);
    assert_int_equal(epd_set(&epd, "c1", view_from_string("a; b")), ERR_ARG);
    assert_int_equal(epd_set(&epd, "c 1", view_from_string("a")), ERR_ARG);
    Str text = {0};
    epd_write(&epd, &text);
    assert_string_equal(text.text, KINGS " hmvc 5; ce -7; mystery a b; id \"x\"; c9 \"1-0\";"
                                         " bm Qh8+ Kd1; pv Qh8+;");
    str_free(&text);
    epd_free(&epd);
}

// Writes a record with everything in it, reads it back and writes it again.
static void check_round_trip(Position *pos, Rng *rng) {
    Move moves[MOVES_MAX];
    size_t count = movegen(pos, MOVES_ALL, moves);
    Epd epd = {.pos = *pos}, back = {0};
    if (count > 0)
        assert_int_equal(epd_set_moves(&epd, "bm", moves, 1 + rng_below(rng, (uint32_t)count)), OK);
    assert_int_equal(epd_set_int(&epd, "ce", (int64_t)rng_below(rng, 2000) - 1000), OK);
    assert_int_equal(epd_set_string(&epd, "id", view_from_string("a; \tb #1")), OK);
    assert_int_equal(epd_set(&epd, "zz9", view_from_string("\"q;q\" 12 x")), OK);
    Str first = {0}, second = {0};
    epd_write(&epd, &first);
    assert_int_equal(epd_parse(&back, view_of(first.text, first.length)), OK);
    assert_memory_equal(&back.pos, pos, sizeof *pos);
    MoveList list;
    assert_int_equal(epd_check(&back), OK);
    assert_int_equal(epd_get_moves(&back, "bm", &list), OK);
    assert_memory_equal(list.moves, moves, list.count * sizeof *moves);
    epd_write(&back, &second);
    assert_string_equal(first.text, second.text);
    str_free(&first);
    str_free(&second);
    epd_free(&epd);
    epd_free(&back);
}

static void test_round_trips(void **state) {
    (void)state;
    walk(3, 3000, check_round_trip);
}

typedef struct OddFile {
    const char *name;
    unsigned good, refused, unsound; // unsound: a known opcode that cannot be
    const char *first;               // refusal
} OddFile;

static void check_odd(const OddFile *odd) {
    char path[TESTING_PATH], first[256] = "";
    testing_shared(path, odd->name);
    LineReader *lines;
    StrView line;
    Epd epd = {0};
    unsigned good = 0, refused = 0, unsound = 0;
    assert_int_equal(lines_open(&lines, path, EPD_LINE_MAX), OK);
    for (;;) {
        assert_int_equal(lines_next(lines, &line), OK);
        if (line.text == NULL)
            break;
        if (view_trim(line).length == 0)
            continue;
        if (epd_parse(&epd, line) == OK) {
            good++;
            unsound += epd_check(&epd) != OK;
        } else if (refused++ == 0) {
            snprintf(first, sizeof first, "%u: %s", (unsigned)lines_number(lines), error_message());
        }
    }
    if (good != odd->good || refused != odd->refused || unsound != odd->unsound)
        fail_msg("%s: %u good, %u refused, %u unsound", path, good, refused, unsound);
    assert_string_equal(first, odd->first);
    lines_close(lines);
    epd_free(&epd);
}

static void test_odd_files(void **state) {
    (void)state;
    static const OddFile odd[] = {
        {"data/odd/nul-epd/bratko-kopec.epd", 24, 0, 0, ""},
        {"data/odd/nul-epd/destruction-test.epd", 26, 80, 0,
         "11: castling right 'q' without king and rook at home"},
        {"data/odd/nul-epd/fortresses.epd", 166, 3, 1, "8: White has 24 men"},
        {"data/odd/nul-epd/grief-causers.epd", 7, 5, 0,
         "3: Black is in check, but White is to move"},
        {"data/odd/nul-epd/kaufman.epd", 25, 0, 2, ""},
        // One has a right to castle with a rook on the file c.
        {"data/odd/nul-epd/lct2.epd", 35, 0, 0, ""},
        {"data/odd/nul-epd/mixed.epd", 261, 1, 4, "1: 's' is no piece"},
        {"data/odd/nul-epd/nolot.epd", 11, 0, 0, ""},
        {"data/odd/nul-epd/rybka-forum.epd", 34, 0, 0, ""},
        {"data/odd/nul-epd/silent-but-deadly.epd", 134, 0, 0, ""},
        {"data/wac300.epd", 300, 0, 0, ""},
        {"data/perftsuite.epd", 127, 0, 0, ""},
    };
    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++)
        check_odd(&odd[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sloppy_lines),  cmocka_unit_test(test_refused),
        cmocka_unit_test(test_typed_reading), cmocka_unit_test(test_writing),
        cmocka_unit_test(test_round_trips),   cmocka_unit_test(test_odd_files),
    };
    return cmocka_run_group_tests(tests, testing_set_up, testing_tear_down);
}
