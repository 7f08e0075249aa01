// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/table.h"

#include "base/rng.h"
#include "base/text.h"
#include "report/report.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { TEXT_MAX = 24 };

static Table *small_table(void) {
    Table *table = table_create("Weights");
    table_add_text_column(table, "term");
    table_add_number_column(table, "weight", 1);
    table_add_text_column(table, "note");
    table_add_text(table, "PAWN_VALUE");
    table_add_number(table, 1234.56);
    table_add_text(table, "a, \"b\" | <c>");
    table_add_text(table, "KNIGHT");
    table_add_number(table, NAN);
    table_add_text(table, "");
    table_add_text(table, "last");
    table_add_number(table, -INFINITY);
    return table;
}

static void assert_table(void (*write)(const Table *table, Str *out), const char *expected) {
    Table *table = small_table();
    Str out = {0};
    write(table, &out);
    assert_string_equal(str_text(&out), expected);
    str_free(&out);
    table_destroy(table);
}

static void test_tables(void **state) {
    (void)state;
    assert_table(table_write_text, "term         weight  note\n"
                                   "----------  -------  ------------\n"
                                   "PAWN_VALUE  1,234.6  a, \"b\" | <c>\n"
                                   "KNIGHT            –\n"
                                   "last             -∞\n");
    assert_table(table_write_markdown, "| term | weight | note |\n"
                                       "|---|--:|---|\n"
                                       "| PAWN\\_VALUE | 1,234.6 | a, \"b\" \\| &lt;c&gt; |\n"
                                       "| KNIGHT | – |  |\n"
                                       "| last | -∞ |  |\n");
    assert_table(table_write_csv, "term,weight,note\n"
                                  "PAWN_VALUE,1234.56,\"a, \"\"b\"\" | <c>\"\n"
                                  "KNIGHT,,\n"
                                  "last,-inf,\n");
    assert_table(table_write_jsonl,
                 "{\"term\":\"PAWN_VALUE\",\"weight\":1234.56,\"note\":\"a, \\\"b\\\" | <c>\"}\n"
                 "{\"term\":\"KNIGHT\",\"weight\":null,\"note\":\"\"}\n"
                 "{\"term\":\"last\",\"weight\":null,\"note\":null}\n");
    assert_table(
        table_write_html,
        "<div class=\"scroll\" tabindex=\"0\">\n<table>\n<caption>Weights</caption>\n"
        "<thead><tr><th scope=\"col\">term</th><th scope=\"col\" class=\"n\">weight</th>"
        "<th scope=\"col\">note</th></tr></thead>\n<tbody>\n"
        "<tr><th scope=\"row\" class=\"name\">PAWN_VALUE</th><td class=\"n\">1,234.6</td>"
        "<td>a, &quot;b&quot; | &lt;c&gt;</td></tr>\n"
        "<tr><th scope=\"row\" class=\"name\">KNIGHT</th><td class=\"n\">–</td><td></td></tr>\n"
        "<tr><th scope=\"row\" class=\"name\">last</th><td class=\"n\">-∞</td><td></td></tr>\n"
        "</tbody>\n</table>\n</div>\n");
}

// Sentences side by side are for wide screens; on others each cell names its column.
static void test_sentences_name_their_columns(void **state) {
    (void)state;
    const char *const sentence =
        "A sentence is longer than what stands in a cell of a usual table.";
    Table *table = table_create("");
    Str text = {0};
    table_add_text_column(table, "claim");
    table_add_text_column(table, "a \"b\"");
    table_add_text_column(table, "c");
    table_add_text(table, "one");
    table_add_text(table, sentence);
    table_write_html(table, &text);
    assert_non_null(strstr(str_text(&text), "<table class=\"list sentences\">"));
    assert_non_null(strstr(str_text(&text), "<th scope=\"row\" class=\"name\">one</th>"
                                            "<td class=\"long\" data-name=\"a "
                                            "&quot;b&quot;\">A sentence"));
    str_free(&text);
    table_destroy(table);
}

// The next field of a CSV file, unquoted; the end of it is returned.
static const char *read_csv(const char *at, Str *field) {
    str_clear(field);
    bool is_quoted = *at == '"';
    for (at += is_quoted; *at != '\0'; at++) {
        if (is_quoted && at[0] == '"' && at[1] == '"')
            at++;
        else if (is_quoted ? *at == '"' : *at == ',' || *at == '\n')
            break;
        str_append(field, at, 1);
    }
    return at + is_quoted + 1;
}

// A phone shows rows of many columns as lists; a table that fits stays one.
static void test_many_columns_name_themselves(void **state) {
    (void)state;
    for (int columns = 2; columns <= 9; columns += 7) {
        Table *table = table_create("");
        Str text = {0};
        table_add_text_column(table, "match");
        for (int i = 1; i < columns; i++)
            table_add_number_column(table, "games", 0);
        table_add_text(table, "EVOL-resolve-best");
        for (int i = 1; i < columns; i++)
            table_add_number(table, 1000);
        table_write_html(table, &text);
        const bool is_list = strstr(str_text(&text), "<table class=\"list\">") != NULL;
        assert_int_equal(is_list, columns == 9);
        assert_int_equal(strstr(str_text(&text), "data-name=\"games\"") != NULL, is_list);
        str_free(&text);
        table_destroy(table);
    }
}

static void test_csv_reads_back(void **state) {
    (void)state;
    static const char bytes[] = "ab,\"\n\r '";
    for (uint32_t round = 0; round < 300; round++) {
        Rng rng = rng_at(2, round, 0, 0);
        char texts[6][TEXT_MAX] = {{0}};
        Table *table = table_create("");
        table_add_text_column(table, "one");
        table_add_text_column(table, "two");
        for (size_t i = 0; i < 6; i++) {
            for (size_t k = rng_below(&rng, TEXT_MAX); k > 0; k--)
                texts[i][k - 1] = bytes[rng_below(&rng, sizeof bytes - 1)];
            table_add_text(table, texts[i]);
        }
        Str out = {0}, field = {0};
        table_write_csv(table, &out);
        const char *at = str_text(&out) + strlen("one,two\n");
        for (size_t i = 0; i < 6; i++) {
            at = read_csv(at, &field);
            Str expected = {0};
            str_add(&expected, texts[i][0] == '\r' ? "'" : "");
            text_clean_line(&expected, view_from_string(texts[i]));
            assert_string_equal(str_text(&field), str_text(&expected));
            str_free(&expected);
        }
        assert_true(*at == '\0');
        str_free(&out);
        str_free(&field);
        table_destroy(table);
    }
}

// The next string of a line of JSON, unescaped; the end of it is returned.
static const char *read_json(const char *at, Str *text) {
    str_clear(text);
    for (at = strchr(at, '"') + 1; *at != '"'; at++) {
        char c = *at;
        assert_true((unsigned char)c >= 0x20);
        if (c == '\\' && *++at == 'u') {
            c = (char)strtol((char[]){at[1], at[2], at[3], at[4], '\0'}, NULL, 16);
            at += 4;
        } else if (c == '\\') {
            c = *at;
        }
        str_append(text, &c, 1);
    }
    return at + 1;
}

static void test_json_reads_back(void **state) {
    (void)state;
    static const char bytes[] = "ab{}:,\"\\/\n\r\t\x01\x7F ";
    for (uint32_t round = 0; round < 300; round++) {
        Rng rng = rng_at(3, round, 0, 0);
        char texts[2][TEXT_MAX] = {{0}};
        for (size_t i = 0; i < 2; i++)
            for (size_t k = rng_below(&rng, TEXT_MAX); k > 0; k--)
                texts[i][k - 1] = bytes[rng_below(&rng, sizeof bytes - 1)];
        Table *table = table_create("");
        table_add_text_column(table, texts[0]);
        table_add_text(table, texts[1]);
        Str out = {0}, text = {0};
        table_write_jsonl(table, &out);
        const char *at = read_json(str_text(&out), &text);
        assert_string_equal(str_text(&text), texts[0]);
        at = read_json(at, &text);
        assert_string_equal(str_text(&text), texts[1]);
        assert_string_equal(at, "}\n");
        str_free(&out);
        str_free(&text);
        table_destroy(table);
    }
}

static void test_tables_of_charts(void **state) {
    (void)state;
    Report *report = report_create("");
    Chart *chart = report_add_chart(report, &(ChartSpec){.title = "c", .x_label = "x"});
    size_t a = chart_add_series(chart, "a"), b = chart_add_series(chart, "b");
    chart_add_point(chart, a, 2, 20);
    chart_add_point(chart, a, 1, 10);
    chart_add_range(chart, b, 2, 5, 4, 6);
    Table *table = chart_to_table(chart, 0);
    Str csv = {0};
    table_write_csv(table, &csv);
    assert_string_equal(str_text(&csv), "x,a,b,\"b, low\",\"b, high\"\n1,10,,,\n2,20,5,4,6\n");
    str_free(&csv);
    table_destroy(table);
    report_destroy(report);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tables),
        cmocka_unit_test(test_sentences_name_their_columns),
        cmocka_unit_test(test_many_columns_name_themselves),
        cmocka_unit_test(test_csv_reads_back),
        cmocka_unit_test(test_json_reads_back),
        cmocka_unit_test(test_tables_of_charts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
