// SPDX-License-Identifier: GPL-3.0-or-later
// Error bars, heat maps, contour maps and the byline.
#include "base/byline.h"
#include "report/contour_model.h"
#include "report/heat_model.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef void Writer(const Report *report, Str *out);

static size_t count_of(const char *text, const char *part) {
    size_t count = 0;
    for (const char *at = strstr(text, part); at != NULL; at = strstr(at + 1, part))
        count++;
    return count;
}

static void assert_holds(const Report *report, Writer *write, const char *part) {
    Str out = {0};
    write(report, &out);
    if (strstr(str_text(&out), part) == NULL)
        fail_msg("'%s' is not in:\n%s", part, str_text(&out));
    str_free(&out);
}

// A bar with a range has an error bar in both drawings, one without has none; the axis holds both
// ends.
static void test_error_bars(void **state) {
    (void)state;
    Report *report = report_create("t");
    Bars *bars = report_add_bars(report, &(BarsSpec){.title = "Bars", .decimals = 1});
    bars_add_series(bars, "evolved");
    bars_add_series(bars, "paper");
    bars_add_ranges(bars, "PAWN", (double[]){10, 20}, (double[]){-5, NAN}, (double[]){55, NAN});
    Str html = {0};
    report_write_html(report, &html);
    assert_int_equal(count_of(str_text(&html), "<path class=\"range\""), 2);
    assert_non_null(strstr(str_text(&html), "PAWN, evolved: 10.0 (-5.0 to 55.0)</title>"));
    assert_non_null(strstr(str_text(&html), "PAWN, paper: 20.0</title>"));
    assert_holds(report, report_write_text, "10.0 (-5.0 to 55.0)\n");
    const Axis axis = bars_axis(bars, 9);
    assert_true(axis.low <= -5 && axis.high >= 55);
    Table *table = bars_to_table(bars);
    str_clear(&html);
    table_write_csv(table, &html);
    assert_string_equal(str_text(&html),
                        ",evolved,\"evolved, low\",\"evolved, high\",paper\nPAWN,10,-5,55,20\n");
    table_destroy(table);
    str_free(&html);
    report_destroy(report);
}

static Heat *add_heat(Report *report) {
    Heat *heat = report_add_heat(report, &(HeatSpec){.title = "Genes",
                                                     .x_label = "generation",
                                                     .below = "below",
                                                     .middle = "as at the end",
                                                     .above = "above"});
    heat_set_columns(heat, (double[]){0, 1, 2, 3, 4}, 5);
    return heat;
}

static void test_heat_levels(void **state) {
    (void)state;
    Report *report = report_create("t");
    Heat *heat = add_heat(report);
    heat_add_row(heat, "A", (double[]){0, 5, 10, 1000, NAN}, 5, 5);
    heat_add_row(heat, "FLAT", (double[]){7, 7, 7, 7, 7}, 7, 0);
    const int expected[] = {-4, 0, 4, 4, 0};
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(heat_level(&heat->rows[0], i), expected[i]);
        assert_int_equal(heat_level(&heat->rows[1], i), 0);
    }
    assert_holds(report, report_write_text, "A    |=.##.| 5\nFLAT |.....| 7\n");
    Str html = {0};
    report_write_html(report, &html);
    // Two drawings; equal neighbours are one rectangle, and the key has each colour once.
    assert_int_equal(count_of(str_text(&html), "<rect class=\"a4\""), 2 + 1);
    assert_int_equal(count_of(str_text(&html), "<rect class=\"b4\""), 2 + 1);
    assert_int_equal(count_of(str_text(&html), "class=\"strip\" x="), 4);
    str_free(&html);
    report_destroy(report);
}

// Fewer places than columns: in order, with both ends.
static void test_heat_places(void **state) {
    (void)state;
    Report *report = report_create("t");
    Heat *heat = add_heat(report);
    assert_int_equal(heat_column_at(heat, 0, 3), 0);
    assert_int_equal(heat_column_at(heat, 1, 3), 2);
    assert_int_equal(heat_column_at(heat, 2, 3), 4);
    assert_int_equal(heat_column_at(heat, 0, 1), 4);
    report_destroy(report);
}

enum { SIDE = 21 };

// A round hill of height 100 at (10, 8): 100 - distance squared.
static Contour *add_hill(Report *report) {
    Contour *contour =
        report_add_contour(report, &(ContourSpec){.title = "Elo", .x_label = "A", .y_label = "B"});
    double xs[SIDE], ys[SIDE], values[SIDE * SIDE];
    for (size_t i = 0; i < SIDE; i++)
        xs[i] = ys[i] = (double)i;
    for (size_t y = 0; y < SIDE; y++)
        for (size_t x = 0; x < SIDE; x++)
            values[y * SIDE + x] = 100 - (xs[x] - 10) * (xs[x] - 10) - (ys[y] - 8) * (ys[y] - 8);
    contour_set_grid(contour, xs, SIDE, ys, SIDE, values);
    contour_add_mark(contour, "best", 10, 8);
    return contour;
}

// All of a line is as far from the top as its height says.
static void test_contour_lines(void **state) {
    (void)state;
    Report *report = report_create("t");
    const Contour *hill = add_hill(report);
    size_t pieces = 0;
    for (size_t y = 0; y + 1 < SIDE; y++)
        for (size_t x = 0; x + 1 < SIDE; x++) {
            ContourPiece found[2];
            const size_t count = contour_cross(hill, x, y, 64, found);
            for (size_t i = 0; i < count; i++, pieces++) {
                assert_true(fabs(hypot(found[i].x1 - 10, found[i].y1 - 8) - 6) < 0.05);
                assert_true(fabs(hypot(found[i].x2 - 10, found[i].y2 - 8) - 6) < 0.05);
            }
        }
    assert_true(pieces > 30);
    const Axis heights = contour_heights(hill);
    assert_true(heights.count >= 3 && heights.ticks[0] >= -144 && heights.high <= 100);
    report_destroy(report);
}

// Two opposite corners are high: two pieces, none of which joins two ends of one edge.
static void test_contour_saddle(void **state) {
    (void)state;
    Report *report = report_create("t");
    Contour *saddle = report_add_contour(report, &(ContourSpec){0});
    ContourPiece found[2];
    contour_set_grid(saddle, (double[]){0, 1}, 2, (double[]){0, 1}, 2, (double[]){1, -1, -1, 1});
    assert_int_equal(contour_cross(saddle, 0, 0, 0, found), 2);
    assert_int_equal(contour_cross(saddle, 0, 0, 2, found), 0);
    report_destroy(report);
}

static void test_contour_page(void **state) {
    (void)state;
    Report *report = report_create("t");
    add_hill(report);
    add_hill(report);
    Str html = {0};
    report_write_html(report, &html);
    assert_int_equal(count_of(str_text(&html), "<ul class=\"maps\">"), 1);
    assert_int_equal(count_of(str_text(&html), "aria-label=\"Contour map: Elo\""), 2);
    assert_non_null(strstr(str_text(&html), "<title>best: 10, 8</title>"));
    assert_true(count_of(str_text(&html), "<path class=\"contour\"") >= 6);
    assert_null(strstr(str_text(&html), "nan"));
    assert_holds(report, report_write_text, "B, by A");
    assert_holds(report, report_write_markdown, "| B, by A |");
    str_free(&html);
    report_destroy(report);
}

// Told in HTML alone, on the day that the environment says.
static void test_byline(void **state) {
    (void)state;
    Str text = {0};
    assert_int_equal(setenv("SOURCE_DATE_EPOCH", "86400", 1), 0);
    byline_add(&text);
    assert_non_null(strstr(str_text(&text), " on 2 January 1970 (UTC)"));
    assert_true(strncmp(str_text(&text), "Made by Falconer ", 17) == 0);
    assert_int_equal(setenv("SOURCE_DATE_EPOCH", "soon", 1), 0);
    str_clear(&text);
    byline_add(&text);
    assert_null(strstr(str_text(&text), "1970"));
    Report *report = report_create("t");
    report_set_byline(report, "first");
    report_set_byline(report, "a & b");
    assert_holds(report, report_write_html, "<p class=\"byline\">a &amp; b</p>");
    assert_holds(report, report_write_text, "t\n=\n");
    str_clear(&text);
    report_write_text(report, &text);
    assert_string_equal(str_text(&text), "t\n=\n");
    str_free(&text);
    report_destroy(report);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_error_bars),     cmocka_unit_test(test_heat_levels),
        cmocka_unit_test(test_heat_places),    cmocka_unit_test(test_contour_lines),
        cmocka_unit_test(test_contour_saddle), cmocka_unit_test(test_contour_page),
        cmocka_unit_test(test_byline),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
