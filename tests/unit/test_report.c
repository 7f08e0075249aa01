// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/escape.h"
#include "report/report.h"

#include "base/rng.h"

#include <ctype.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { DEPTH_MAX = 32, NAME_MAX_LENGTH = 16, TEXT_MAX = 24 };

typedef void Writer(const Report *report, Str *out);

// A report with one of everything, all its texts made by `text_at`.
static Report *full_report(const char *(*text_at)(size_t i)) {
    size_t i = 0;
    Report *report = report_create(text_at(i++));
    report_add_heading(report, text_at(i++));
    report_add_paragraph(report, "%s", text_at(i++));
    report_add_code(report, text_at(i++));
    report_add_figure(report, text_at(i), text_at(i + 1), text_at(i + 2));
    report_add_figure(report, text_at(i), text_at(i + 1), NULL);
    Table *table = report_add_table(report, text_at(i++));
    table_add_text_column(table, text_at(i++));
    table_add_number_column(table, text_at(i++), 2);
    table_add_text(table, text_at(i++));
    table_add_number(table, 3.14159);
    Chart *chart = report_add_chart(
        report,
        &(ChartSpec){.title = text_at(i), .x_label = text_at(i + 1), .y_label = text_at(i + 2)});
    for (size_t series = 0; series < 8; series++) {
        chart_add_series(chart, text_at(i++));
        for (int k = 0; k < 5; k++)
            chart_add_range(chart, series, k, k * k, k * k - 1, k * k + 2);
    }
    chart_add_reference(chart, text_at(i++), 7);
    Bars *bars =
        report_add_bars(report, &(BarsSpec){.title = text_at(i), .value_label = text_at(i + 1)});
    bars_add_series(bars, text_at(i++));
    bars_add_series(bars, text_at(i++));
    bars_add_group(bars, text_at(i++), (double[]){3, -4});
    bars_add_group(bars, text_at(i++), (double[]){NAN, 5});
    bars_add_ranges(bars, text_at(i++), (double[]){1, 2}, (double[]){0, NAN}, (double[]){2, NAN});
    Heat *heat = report_add_heat(report, &(HeatSpec){text_at(i), text_at(i + 1), text_at(i + 2),
                                                     text_at(i + 3), text_at(i + 4), 0, 0});
    heat_set_columns(heat, (double[]){0, 1, 5}, 3);
    heat_add_row(heat, text_at(i++), (double[]){1, NAN, 3}, 2, 1);
    Contour *contour = report_add_contour(
        report, &(ContourSpec){text_at(i), text_at(i + 1), text_at(i + 2), 0, 0, 0});
    contour_set_grid(contour, (double[]){0, 1}, 2, (double[]){0, 1}, 2, (double[]){-1, 1, 1, 2});
    contour_add_mark(contour, text_at(i++), 0.5, 0.5);
    report_set_byline(report, text_at(i++));
    Intervals *intervals =
        report_add_intervals(report, &(IntervalsSpec){.title = text_at(i),
                                                      .value_label = text_at(i + 1),
                                                      .mark_label = text_at(i + 2)});
    intervals_add(intervals, text_at(i++), &(Interval){3, -1, HUGE_VAL, 5, false});
    intervals_add(intervals, text_at(i++), &(Interval){NAN, NAN, NAN, NAN, true});
    report_begin_details(report, text_at(i++));
    table_add_text_column(report_add_table(report, ""), text_at(i++));
    report_end_details(report);
    return report;
}

static char *write_report(const Report *report, Writer *write) {
    Str out = {0};
    write(report, &out);
    return out.text;
}

typedef struct TagReader {
    char stack[DEPTH_MAX][NAME_MAX_LENGTH];
    size_t depth;
    Str shape; // all tags in order
} TagReader;

// One tag from '<' on: name, attributes in double quotes, and its end, which is returned.
static const char *read_tag(TagReader *reader, const char *at) {
    bool is_end = at[1] == '/', is_closed = false;
    char name[NAME_MAX_LENGTH] = "";
    size_t length = 0;
    for (at += is_end ? 2 : 1; isalnum((unsigned char)*at) || *at == '!'; at++) {
        assert_true(length + 1 < sizeof name);
        name[length++] = *at;
    }
    assert_true(length > 0);
    while (*at != '>') {
        assert_true(*at != '\0' && *at != '<');
        is_closed = *at == '/';
        if (*at++ != '"')
            continue;
        at += strcspn(at, "\"<");
        assert_true(*at++ == '"');
    }
    str_addf(&reader->shape, "<%s%s", is_end ? "/" : "", name);
    if (is_end) {
        assert_true(reader->depth > 0);
        assert_string_equal(reader->stack[--reader->depth], name);
    } else if (!is_closed && strcmp(name, "meta") != 0 && strcmp(name, "!doctype") != 0) {
        assert_true(reader->depth < DEPTH_MAX);
        memcpy(reader->stack[reader->depth++], name, sizeof name);
    }
    return at + 1;
}

// Checks that tags are balanced and that nothing foreign stands between them; returns the tags.
static char *check_html(const char *html) {
    TagReader reader = {0};
    for (const char *at = html; *at != '\0';) {
        bool in_style = reader.depth > 0 && !strcmp(reader.stack[reader.depth - 1], "style");
        if (*at == '<') {
            at = read_tag(&reader, at);
            continue;
        }
        if (*at == '&')
            assert_true(!strncmp(at, "&amp;", 5) || !strncmp(at, "&lt;", 4) ||
                        !strncmp(at, "&gt;", 4) || !strncmp(at, "&quot;", 6) ||
                        !strncmp(at, "&#39;", 5));
        assert_true(in_style || (*at != '>' && *at != '"'));
        at++;
    }
    assert_int_equal(reader.depth, 0);
    return reader.shape.text;
}

static const char *benign_text(size_t i) {
    static const char *const texts[] = {"alpha", "beta", "gamma", "delta"};
    return texts[i % 4];
}

static Rng evil_rng;
static char evil_texts[256][TEXT_MAX];

static const char *evil_text(size_t i) {
    static const char bytes[] =
        "<>&\"'\\|`*_#~!-=/;:{}[]()%\t\r\x01\x1B\x7F\xC3\xA9\xE2\x99\xFF ab9.,";
    size_t length = 1 + rng_below(&evil_rng, TEXT_MAX - 1);
    for (size_t k = 0; k < length; k++)
        evil_texts[i % 256][k] = bytes[rng_below(&evil_rng, sizeof bytes - 1)];
    evil_texts[i % 256][length < TEXT_MAX ? length : TEXT_MAX - 1] = '\0';
    return evil_texts[i % 256];
}

static size_t count_lines(const char *text) {
    size_t count = 0;
    for (; *text != '\0'; text++)
        count += *text == '\n';
    return count;
}

// No text changes what a report is made of.
static void test_texts_cannot_break_out(void **state) {
    (void)state;
    Report *benign = full_report(benign_text);
    char *html = write_report(benign, report_write_html), *shape = check_html(html);
    char *text = write_report(benign, report_write_text);
    char *markdown = write_report(benign, report_write_markdown);
    for (uint32_t i = 0; i < 300; i++) {
        evil_rng = rng_at(1, i, 0, 0);
        Report *evil = full_report(evil_text);
        char *evil_html = write_report(evil, report_write_html);
        char *evil_shape = check_html(evil_html);
        assert_string_equal(evil_shape, shape);
        char *evil_plain = write_report(evil, report_write_text);
        char *evil_markdown = write_report(evil, report_write_markdown);
        assert_int_equal(count_lines(evil_plain), count_lines(text));
        assert_int_equal(count_lines(evil_markdown), count_lines(markdown));
        for (const char *at = evil_plain; *at != '\0'; at++)
            assert_true((unsigned char)*at >= 0x20 || *at == '\n');
        free(evil_html);
        free(evil_shape);
        free(evil_plain);
        free(evil_markdown);
        report_destroy(evil);
    }
    free(html);
    free(shape);
    free(text);
    free(markdown);
    report_destroy(benign);
}

// Every number after `before` in the HTML is a place within a drawing.
static void check_places(const char *html, const char *before) {
    for (const char *at = strstr(html, before); at != NULL; at = strstr(at, before)) {
        at += strlen(before);
        while (*at != '"') {
            char *end;
            double place = strtod(at, &end);
            if (end == at) {
                assert_true(strchr("MLZH ", *at) != NULL);
                at++;
                continue;
            }
            assert_true(isfinite(place) && place > -1 && place < 2000);
            at = end;
        }
    }
}

static void check_chart(const double *xs, const double *ys, size_t count, bool is_log) {
    Report *report = report_create("odd");
    Chart *chart = report_add_chart(
        report, &(ChartSpec){.title = "odd", .is_log_x = is_log, .is_log_y = is_log});
    chart_add_series(chart, "points");
    chart_add_series(chart, "empty");
    for (size_t i = 0; i < count; i++)
        chart_add_range(chart, 0, xs[i], ys[i], ys[count - 1 - i], ys[i]);
    if (count > 0)
        chart_add_reference(chart, "reference", ys[0]);
    Bars *bars = report_add_bars(report, &(BarsSpec){.title = "bars"});
    bars_add_series(bars, "values");
    for (size_t i = 0; i < count; i++)
        bars_add_group(bars, "group", &ys[i]);
    Intervals *intervals = report_add_intervals(report, &(IntervalsSpec){.mark_label = "mark"});
    for (size_t i = 0; i < count; i++)
        intervals_add(intervals, "row", &(Interval){ys[i], xs[i], ys[count - 1 - i], xs[i], false});
    char *html = write_report(report, report_write_html), *shape = check_html(html);
    char *text = write_report(report, report_write_text);
    const char *const places[] = {" d=\"",  " cx=\"", " cy=\"", " x=\"",     " y=\"",     " x1=\"",
                                  " y1=\"", " x2=\"", " y2=\"", " width=\"", " height=\""};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
        check_places(html, places[i]);
    free(html);
    free(shape);
    free(text);
    report_destroy(report);
}

static void test_odd_charts(void **state) {
    (void)state;
    static const double odd[] = {
        0,      1,    -1,     NAN,    INFINITY, -INFINITY, 1e300,
        1e-300, 1e12, -1e-12, 5e-324, 1e289,    123.456,   1.0000000000001};
    enum { KINDS = sizeof odd / sizeof odd[0] };
    check_chart(NULL, NULL, 0, false);
    check_chart(NULL, NULL, 0, true);
    for (uint32_t i = 0; i < 600; i++) {
        Rng rng = rng_at(3, i, 0, 0);
        size_t count = 1 + i % 4;
        double xs[4], ys[4];
        for (size_t k = 0; k < count; k++) {
            xs[k] = odd[rng_below(&rng, KINDS)];
            ys[k] = odd[rng_below(&rng, KINDS)];
        }
        check_chart(xs, ys, count, i % 2 == 0);
    }
}

// How often the pen is put down in paths of lines.
static size_t count_moves(const char *html) {
    static const char line[] = "<path class=\"line\" d=\"";
    size_t count = 0;
    for (const char *at = strstr(html, line); at != NULL; at = strstr(at, line))
        for (at += strlen(line); *at != '"'; at++)
            count += *at == 'M';
    return count;
}

// Thousands of points make no thousands of marks, and the table has as many rows as it says.
static void test_many_points(void **state) {
    (void)state;
    Report *report = report_create("many");
    Chart *chart = report_add_chart(report, &(ChartSpec){.title = "many", .x_label = "x"});
    chart_add_series(chart, "y");
    for (int i = 0; i < 50000; i++)
        chart_add_point(chart, 0, i, i % 1000 == 999 ? (double)NAN : i);
    char *html = write_report(report, report_write_html), *shape = check_html(html);
    check_places(html, " d=\"");
    assert_true(strlen(html) < 200000);
    // A line of its own between two gaps, in both drawings, and the key of the legend.
    assert_int_equal(count_moves(html), 2 * 50 + 1);
    Table *whole = chart_to_table(chart, 0), *part = chart_to_table(chart, 7);
    assert_int_equal(table_row_count(whole), 50000);
    assert_int_equal(table_row_count(part), 7);
    Str csv = {0};
    table_write_csv(part, &csv);
    assert_non_null(strstr(str_text(&csv), "x,y\n0,0\n"));
    assert_non_null(strstr(str_text(&csv), "\n49999,\n"));
    str_free(&csv);
    table_destroy(whole);
    table_destroy(part);
    free(html);
    free(shape);
    report_destroy(report);
}

static Report *golden_report(void) {
    Report *report = report_create("Title");
    report_add_paragraph(report, "%d words.", 2);
    report_add_figure(report, "Error", "86.4", "run 7");
    report_add_figure(report, "Bound", "84.1", NULL);
    report_add_heading(report, "Curves");
    Chart *chart =
        report_add_chart(report, &(ChartSpec){.title = "Fall", .x_label = "t", .y_label = "e"});
    chart_add_series(chart, "line");
    chart_add_point(chart, 0, 0, 100);
    chart_add_point(chart, 0, 10, 0);
    chart_add_reference(chart, "half", 50);
    Bars *bars = report_add_bars(report, &(BarsSpec){.title = "Bars", .decimals = 1});
    bars_add_series(bars, "v");
    bars_add_group(bars, "one", (double[]){10});
    bars_add_group(bars, "minus", (double[]){-10});
    report_add_code(report, "make\ntest");
    return report;
}

static const char golden_plot[] =
    "e\n"
    "100 +aaa\n"
    "    |   aaaa\n"
    "    |       aaaa\n"
    " 80 +           aaaa\n"
    "    |               aaaa\n"
    "    |                   aaaaa\n"
    " 60 +                        aaaa\n"
    "    |                            aaaa\n"
    "    |--------------------------------aaaa----------------------------\n"
    " 40 +                                    aaaa\n"
    "    |                                        aaaaa\n"
    "    |                                             aaaa\n"
    " 20 +                                                 aaaa\n"
    "    |                                                     aaaa\n"
    "    |                                                         aaaa\n"
    "  0 +                                                             aaa\n"
    "    +----------------------------------------------------------------\n"
    "     0            2           4            6           8           10  t\n"
    "  a  line\n"
    "  -  half 50\n";

static const char golden_bars[] = "  one  v |                    #################### 10.0\n"
                                  "minus  v |#################### -10.0\n";

static void test_golden(void **state) {
    (void)state;
    Report *report = golden_report();
    char *text = write_report(report, report_write_text);
    char *markdown = write_report(report, report_write_markdown);
    Str expected = {0};
    str_addf(&expected,
             "Title\n=====\n\n2 words.\n\nError: 86.4 (run 7)\nBound: 84.1\n\n"
             "Curves\n------\n\nFall\n%s\nBars\n%s\n    make\n    test\n",
             golden_plot, golden_bars);
    assert_string_equal(text, str_text(&expected));
    str_clear(&expected);
    str_addf(
        &expected,
        "# Title\n\n2 words.\n\n- Error: **86.4** (run 7)\n- Bound: **84.1**\n\n"
        "## Curves\n\n**Fall**\n\n```\n%s```\n\n**Bars**\n\n```\n%s```\n\n```\nmake\ntest\n```\n",
        golden_plot, golden_bars);
    assert_string_equal(markdown, str_text(&expected));
    str_free(&expected);
    free(text);
    free(markdown);
    report_destroy(report);
}

// Dots on their intervals, one without an end, beside marks; and the same as a table.
static void test_intervals(void **state) {
    (void)state;
    Report *report = report_create("t");
    Intervals *intervals = report_add_intervals(
        report,
        &(IntervalsSpec){.title = "Elo", .value_label = "difference", .mark_label = "theirs"});
    intervals_add(intervals, "A - B", &(Interval){50, 20, 80, 100, false});
    intervals_add(intervals, "C - D", &(Interval){-60, -100, HUGE_VAL, NAN, true});
    char *text = write_report(report, report_write_text);
    assert_string_equal(text, "t\n=\n\nElo\n"
                              "A - B                          |   -------o-------    x  50\n"
                              "C - D  ---------o--------------+-----------------------  -60\n"
                              "       o  difference   x  theirs\n");
    Str csv = {0};
    Table *table = intervals_to_table(intervals);
    table_write_csv(table, &csv);
    assert_non_null(strstr(str_text(&csv), "A - B,50,20,80,100"));
    table_destroy(table);
    char *html = write_report(report, report_write_html);
    free(check_html(html));
    assert_non_null(strstr(html, "<title>A - B: 50 (20 to 80); theirs 100</title>"));
    str_free(&csv);
    free(html);
    free(text);
    report_destroy(report);
}

// What makes the page usable: it needs nothing from elsewhere, follows the reader's choice of light
// or dark, and says in words what is drawn.
static void test_page(void **state) {
    (void)state;
    Report *report = golden_report();
    char *html = write_report(report, report_write_html);
    const char *const present[] = {
        "<!doctype html>",
        "<meta charset=\"utf-8\">",
        "width=device-width",
        "prefers-color-scheme:dark",
        "@media print",
        "role=\"img\" aria-label=\"Line chart: Fall\"",
        "<title>line: 100, t 0</title>",
        "<summary>Data</summary>",
        "<ul class=\"figures\">\n<li><span>Error</span><b>86.4</b><small>run 7</small></li>",
        "<li><span>Bound</span><b>84.1</b></li>\n</ul>\n",
        "<pre>make\ntest\n</pre>",
        "<path class=\"line\" d=\"M",
    };
    const char *const absent[] = {"<script", "<link", "http", "url(", "nan", "@import"};
    for (size_t i = 0; i < sizeof present / sizeof present[0]; i++)
        if (strstr(html, present[i]) == NULL)
            fail_msg("not in the page: %s", present[i]);
    for (size_t i = 0; i < sizeof absent / sizeof absent[0]; i++)
        if (strstr(html, absent[i]) != NULL)
            fail_msg("in the page: %s", absent[i]);
    free(html);
    report_destroy(report);
}

static const char *no_text(size_t i) {
    (void)i;
    return "";
}

static void test_empty(void **state) {
    (void)state;
    Report *report = report_create("");
    report_add_table(report, "no columns");
    table_add_text_column(report_add_table(report, "no rows"), "a");
    report_add_chart(report, &(ChartSpec){0});
    report_add_bars(report, &(BarsSpec){0});
    report_add_heat(report, &(HeatSpec){0});
    report_add_contour(report, &(ContourSpec){0});
    report_add_intervals(report, &(IntervalsSpec){0});
    Report *blank = full_report(no_text);
    Writer *const writers[] = {report_write_html, report_write_text, report_write_markdown};
    for (size_t i = 0; i < 3; i++) {
        char *first = write_report(report, writers[i]), *second = write_report(blank, writers[i]);
        if (i == 0) {
            free(check_html(first));
            free(check_html(second));
            assert_non_null(strstr(first, "no data"));
        }
        free(first);
        free(second);
    }
    report_destroy(report);
    report_destroy(blank);
    report_destroy(NULL);
    table_destroy(NULL);
}

// Paragraphs keep their words and their order; lines are full, and none is longer than 100 columns
// but for a word that is.
static void test_wrapping(void **state) {
    (void)state;
    for (uint32_t round = 0; round < 200; round++) {
        Rng rng = rng_at(2, round, 0, 0);
        Str words = {0};
        for (uint32_t i = 0, count = rng_below(&rng, 60); i < count; i++) {
            str_add(&words, i == 0 ? "" : " ");
            for (uint32_t k = 1 + rng_below(&rng, i % 16 == 15 ? 150 : 12); k > 0; k--)
                str_add(&words, "\u00e4");
        }
        Report *report = report_create("t");
        report_add_paragraph(report, "%s", str_text(&words));
        char *text = write_report(report, report_write_text), *body = text + strlen("t\n=\n\n");
        for (char *line = body, *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
            *end = '\0';
            const size_t width = escape_width(line);
            assert_true(width <= 100 || strchr(line, ' ') == NULL);
            const size_t next = strcspn(end + 1, " \n") / strlen("\u00e4");
            assert_true(end[1] == '\0' || width + 1 + next > 100);
            *end = end[1] == '\0' ? '\0' : ' ';
        }
        assert_string_equal(body, str_text(&words));
        free(text);
        str_free(&words);
        report_destroy(report);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts_cannot_break_out),
        cmocka_unit_test(test_odd_charts),
        cmocka_unit_test(test_many_points),
        cmocka_unit_test(test_golden),
        cmocka_unit_test(test_intervals),
        cmocka_unit_test(test_page),
        cmocka_unit_test(test_wrapping),
        cmocka_unit_test(test_empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
