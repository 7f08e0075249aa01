// SPDX-License-Identifier: GPL-3.0-or-later
// Input: a report, a line for each part of it, with any text and numbers. As HTML it has the
// elements that the same report has whose texts are harmless, and nothing of a text is mark-up;
// tables read back from CSV and JSON have their rows, columns and texts.
#include "fuzz/fuzz.h"
#include "fuzz/html_check.h"
#include "report/escape.h"
#include "report/report.h"

#include <cjson/cJSON.h>
#include <string.h>

enum { VALUES_MAX = 8, PARTS_MAX = 200 };

// What is being put together.
typedef struct Maker {
    Report *report;
    Table *table;
    Chart *chart;
    Bars *bars;
    size_t columns, cells, series, bar_series, bar_groups;
    bool is_harmless; // texts are replaced
} Maker;

typedef struct Texts {
    char *words[3];
} Texts;

// A text of one to three parts, at tabs.
static Texts cut_texts(const Maker *maker, char *text) {
    Texts texts = {{text, "", ""}};
    for (int i = 1; i < 3 && (text = strchr(text, '\t')) != NULL; i++) {
        *text++ = '\0';
        texts.words[i] = text;
    }
    for (int i = 0; i < 3 && maker->is_harmless; i++)
        if (texts.words[i][0] != '\0')
            memset(texts.words[i], 'x', strlen(texts.words[i]));
    return texts;
}

static void add_column(Maker *maker, const char *name, bool is_number) {
    if (maker->table == NULL || maker->cells > 0)
        return;
    if (is_number)
        table_add_number_column(maker->table, name, 2);
    else
        table_add_text_column(maker->table, name);
    maker->columns++;
}

static void add_cell(Maker *maker, const char *text) {
    if (maker->columns == 0)
        return;
    table_add_text(maker->table, text);
    maker->cells++;
}

static void add_series(Maker *maker, const char *name) {
    if (maker->chart != NULL) {
        chart_add_series(maker->chart, name);
        maker->series++;
    } else if (maker->bars != NULL && maker->bar_groups == 0 && maker->bar_series < VALUES_MAX) {
        bars_add_series(maker->bars, name);
        maker->bar_series++;
    }
}

static void add_point(Maker *maker, const double *numbers) {
    if (maker->chart != NULL && maker->series > 0)
        chart_add_range(maker->chart, maker->series - 1, numbers[0], numbers[1], numbers[2],
                        numbers[3]);
}

static void add_group(Maker *maker, const char *name, const double *numbers) {
    if (maker->bars == NULL || maker->bar_series == 0)
        return;
    bars_add_group(maker->bars, name, numbers);
    maker->bar_groups++;
}

static void begin(Maker *maker, Table *table, Chart *chart, Bars *bars) {
    maker->table = table;
    maker->chart = chart;
    maker->bars = bars;
    maker->columns = maker->cells = maker->series = maker->bar_series = maker->bar_groups = 0;
}

static void add_part(Maker *maker, char kind, char *text, const double *numbers) {
    const Texts texts = cut_texts(maker, text);
    const char *first = texts.words[0];
    switch (kind) {
    case 'h':
        report_add_heading(maker->report, first);
        break;
    case 'p':
        report_add_paragraph(maker->report, "%s", first);
        break;
    case 'c':
        report_add_code(maker->report, first);
        break;
    case 'f':
        report_add_figure(maker->report, first, texts.words[1],
                          texts.words[2][0] == '\0' ? NULL : texts.words[2]);
        break;
    case 'T':
        begin(maker, report_add_table(maker->report, first), NULL, NULL);
        break;
    case 'C':
    case 'L': {
        const ChartSpec spec = {first, texts.words[1], texts.words[2], kind == 'L', kind == 'L', 2,
                                3};
        begin(maker, NULL, report_add_chart(maker->report, &spec), NULL);
        break;
    }
    case 'B': {
        const BarsSpec spec = {first, texts.words[1], 1};
        begin(maker, NULL, NULL, report_add_bars(maker->report, &spec));
        break;
    }
    case 'n':
    case 't':
        add_column(maker, first, kind == 'n');
        break;
    case 'x':
        add_cell(maker, first);
        break;
    case 's':
        add_series(maker, first);
        break;
    case 'r':
        if (maker->chart != NULL)
            chart_add_reference(maker->chart, first, numbers[0]);
        break;
    case '.':
        add_point(maker, numbers);
        break;
    case 'g':
        add_group(maker, first, numbers);
        break;
    default:
        break;
    }
}

static void read_numbers(const char *text, double numbers[VALUES_MAX]) {
    for (int i = 0; i < VALUES_MAX; i++) {
        char *end;
        numbers[i] = strtod(text, &end);
        text = end;
    }
}

// "xTEXT" is a part of kind x; numbers are read from its text.
static Report *make_report(StrView input, bool is_harmless) {
    Maker maker = {.report = report_create(is_harmless ? "x" : "<&\">"),
                   .is_harmless = is_harmless};
    Str line = {0};
    for (int part = 0; part < PARTS_MAX && input.length > 0; part++) {
        const char *end = memchr(input.text, '\n', input.length);
        const size_t length = end == NULL ? input.length : (size_t)(end - input.text);
        double numbers[VALUES_MAX];
        str_clear(&line);
        str_append(&line, input.text, length);
        if (length > 0) {
            read_numbers(line.text + 1, numbers);
            add_part(&maker, line.text[0], line.text + 1, numbers);
        }
        const size_t used = length + (end != NULL);
        input = view_of(input.text + used, input.length - used);
    }
    str_free(&line);
    return maker.report;
}

static size_t count_elements(const Report *report) {
    Str page = {0};
    report_write_html(report, &page);
    const size_t count = html_check(view_of(str_text(&page), page.length));
    str_free(&page);
    return count;
}

// Fields of a line of CSV, which may go over several lines of text; the text behind it.
static const char *count_fields(const char *text, size_t *fields) {
    for (*fields = 1; *text != '\0' && *text != '\n'; text++) {
        if (*text == '"')
            for (text++; *text != '"' || *++text == '"'; text++)
                MUST_HOLD(*text != '\0');
        MUST_HOLD(*text != '"');
        *fields += *text == ',';
        if (*text == '\n' || *text == '\0')
            break;
    }
    return *text == '\n' ? text + 1 : text;
}

static void check_csv(const Table *table) {
    Str csv = {0};
    size_t rows = 0, columns, fields;
    table_write_csv(table, &csv);
    const char *rest = count_fields(str_text(&csv), &columns);
    for (; *rest != '\0'; rows++) {
        rest = count_fields(rest, &fields);
        MUST_HOLD(fields == columns);
    }
    MUST_HOLD(columns <= 1 || rows == table_row_count(table));
    str_free(&csv);
}

static void check_json(const Table *table) {
    Str lines = {0};
    size_t rows = 0;
    table_write_jsonl(table, &lines);
    for (char *line = lines.text, *end; line != NULL && *line != '\0'; line = end + 1, rows++) {
        end = strchr(line, '\n');
        MUST_HOLD(end != NULL);
        *end = '\0';
        cJSON *object = cJSON_Parse(line);
        MUST_HOLD(object != NULL && cJSON_IsObject(object));
        cJSON_Delete(object);
    }
    MUST_HOLD(rows == table_row_count(table));
    str_free(&lines);
}

static void check_terminal(const Report *report) {
    Str text = {0};
    report_write_text(report, &text);
    for (size_t i = 0; i < text.length; i++)
        MUST_HOLD(text.text[i] == '\n' || (text.text[i] >= 0 && text.text[i] < ' ') == false);
    str_clear(&text);
    report_write_markdown(report, &text);
    str_free(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const StrView input = view_of((const char *)data, size);
    Report *report = make_report(input, false), *harmless = make_report(input, true);
    MUST_HOLD(count_elements(report) == count_elements(harmless));
    const Table *table;
    for (size_t i = 0; (table = report_table_at(report, i)) != NULL; i++) {
        check_csv(table);
        check_json(table);
    }
    check_terminal(report);
    report_destroy(report);
    report_destroy(harmless);
    return 0;
}
