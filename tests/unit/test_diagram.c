// SPDX-License-Identifier: GPL-3.0-or-later
#include "diagram/diagram.h"

#include "chess/fen.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static Position position_from(const char *fen) {
    Position position;
    chess_init();
    assert_int_equal(fen_parse(fen, &position), OK);
    return position;
}

static size_t count_of(const char *text, const char *part) {
    size_t count = 0;
    for (const char *at = strstr(text, part); at != NULL; at = strstr(at + 1, part))
        count++;
    return count;
}

// A board with `count` pieces has as many paths that are moved into place.
static void assert_pieces(const char *fen, size_t count) {
    const Position position = position_from(fen);
    Str out = {0};
    diagram_write_svg(&(DiagramSpec){.position = &position}, &out);
    assert_int_equal(count_of(str_text(&out), "<path transform=\"translate("), count);
    assert_int_equal(count_of(str_text(&out), "<svg "), 1);
    assert_int_equal(count_of(str_text(&out), "</svg>"), 1);
    assert_null(strstr(str_text(&out), "#c0392b"));
    str_free(&out);
}

static void test_every_piece_is_drawn(void **state) {
    (void)state;
    assert_pieces(fen_start, 32);
    assert_pieces("8/8/4k3/8/8/3QK3/8/8 w - - 0 1", 3);
}

// The squares are told to those who cannot see them.
static void test_label(void **state) {
    (void)state;
    const Position position = position_from("8/8/4k3/8/8/3QK3/8/8 b - - 0 1");
    Str out = {0};
    diagram_write_svg(&(DiagramSpec){.position = &position}, &out);
    assert_non_null(strstr(str_text(&out), "aria-label=\"Board: 8/8/4k3/8/8/3QK3/8/8 b - -\""));
    str_free(&out);
}

static void assert_place(const Position *position, bool is_from_black, const char *place,
                         const char *dot) {
    Str out = {0};
    diagram_write_svg(&(DiagramSpec){.position = position, .is_from_black = is_from_black}, &out);
    assert_int_equal(count_of(str_text(&out), place), 1);
    assert_int_equal(count_of(str_text(&out), dot), 1);
    str_free(&out);
}

// The queen on d3, and the dot of White's turn, from both sides.
static void test_sides(void **state) {
    (void)state;
    const Position position = position_from("8/8/4k3/8/8/3QK3/8/8 w - - 0 1");
    assert_place(&position, false, "translate(120 200)", "cy=\"300\"");
    assert_place(&position, true, "translate(160 80)", "cy=\"20\"");
}

// An arrow from e2 to e4 points up and begins in the middle of e2; both squares are tinted.
static void test_move(void **state) {
    (void)state;
    const Position position = position_from(fen_start);
    Str out = {0};
    diagram_write_svg(&(DiagramSpec){.position = &position, .move = move_make(12, 28)}, &out);
    assert_non_null(strstr(str_text(&out), "translate(180 260) rotate(-90.00)"));
    assert_int_equal(count_of(str_text(&out), "fill=\"#f2c94c\""), 2);
    str_free(&out);
}

// The report keeps what it shows, and writes it in each format.
static void test_element(void **state) {
    (void)state;
    Position position = position_from("8/8/4k3/8/8/3QK3/8/8 w - - 0 1");
    Report *report = report_create("Title");
    Str out = {0};
    for (int i = 0; i < 2; i++)
        diagram_add(report, &(DiagramSpec){.position = &position, .caption = "a < b"});
    memset(&position, 0, sizeof position);
    report_write_html(report, &out);
    assert_int_equal(count_of(str_text(&out), "<ul class=\"boards\">"), 1);
    assert_int_equal(count_of(str_text(&out), "<p>a &lt; b</p>"), 2);
    str_clear(&out);
    report_write_text(report, &out);
    assert_non_null(strstr(str_text(&out), "a < b\n    8  . . . . . . . .\n"));
    assert_non_null(strstr(str_text(&out), "    3  . . . Q K . . .\n"));
    assert_non_null(strstr(str_text(&out), "    8/8/4k3/8/8/3QK3/8/8 w - -\n"));
    str_clear(&out);
    report_write_markdown(report, &out);
    assert_non_null(strstr(str_text(&out), "`8/8/4k3/8/8/3QK3/8/8 w - -`"));
    str_free(&out);
    report_destroy(report);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_piece_is_drawn),
        cmocka_unit_test(test_label),
        cmocka_unit_test(test_sides),
        cmocka_unit_test(test_move),
        cmocka_unit_test(test_element),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
