// SPDX-License-Identifier: GPL-3.0-or-later
// Statements of a page: headings, texts, claims, tables, charts and bars.
#include "papers/script.h"

#include <ctype.h>
#include <string.h>

enum { FIELDS_MAX = 16 };

// The fields of a statement, worked out.
typedef struct Fields {
    ScriptValue items[FIELDS_MAX];
    const char *texts[FIELDS_MAX]; // the script's
    size_t count;
} Fields;

static Status read_fields(Script *script, StrView rest, Fields *out) {
    out->count = 0;
    for (StrView field; script_next_field(&rest, &field); out->count++) {
        ScriptValue *const value = &out->items[out->count];
        Str text = {0};
        if (out->count == FIELDS_MAX)
            return error_set(ERR_PARSE, "more than %d fields", FIELDS_MAX);
        TRY(script_value(script, field, value));
        script_add_value(&text, value);
        out->texts[out->count] = script_keep(script, &text);
        if (value->kind == SCRIPT_TEXT && view_to_number(field, &value->number))
            value->kind = SCRIPT_NUMBER;
    }
    return OK;
}

// "score, %:1" is a name with the decimals of its numbers; -1 where none are said.
static const char *split_decimals(Script *script, const char *text, int *decimals) {
    const size_t length = strlen(text);
    *decimals = -1;
    if (length < 2 || text[length - 2] != ':' || !isdigit((unsigned char)text[length - 1]))
        return text;
    Str name = {0};
    *decimals = text[length - 1] - '0';
    str_append(&name, text, length - 2);
    return script_keep(script, &name);
}

// --- texts ---

static Status add_heading(Script *script, const Fields *fields) {
    report_add_heading(script->page->report, fields->texts[0]);
    return OK;
}

static Status add_paragraph(Script *script, const Fields *fields) {
    report_add_paragraph(script->page->report, "%s", fields->texts[0]);
    return OK;
}

static Status add_claim(Script *script, const Fields *fields) {
    page_claim(script->page, fields->texts[0], fields->texts[1], fields->texts[2],
               fields->texts[3]);
    return OK;
}

// --- tables ---

static void begin_table(Script *script, Table *table, size_t columns, uint64_t number_columns) {
    script->table = table;
    script->column = 0;
    script->column_count = columns;
    script->number_columns = number_columns;
}

static Status add_table(Script *script, const Fields *fields) {
    Table *table = report_add_table(script->page->report, fields->texts[0]);
    uint64_t numbers = 0;
    for (size_t i = 1; i < fields->count; i++) {
        int decimals;
        const char *name = split_decimals(script, fields->texts[i], &decimals);
        if (decimals < 0)
            table_add_text_column(table, name);
        else
            table_add_number_column(table, name, decimals);
        numbers |= (uint64_t)(decimals >= 0) << (i - 1);
    }
    begin_table(script, table, fields->count - 1, numbers);
    return OK;
}

// A table of matches: a score fills eight of its columns.
static Status add_matches(Script *script, const Fields *fields) {
    begin_table(script, page_add_matches(script->page->report, fields->texts[0]), 10, 0x1fe);
    return OK;
}

static void add_cell(Script *script, const ScriptValue *value, const char *text) {
    const bool is_number = script->number_columns >> script->column & 1;
    if (is_number && value->kind == SCRIPT_SCORE) {
        page_add_score(script->table, &value->score);
        script->column += PAGE_SCORE_CELLS;
    } else {
        if (is_number && value->kind == SCRIPT_NUMBER)
            table_add_number(script->table, value->number);
        else
            table_add_text(script->table, text);
        script->column++;
    }
}

static Status add_row(Script *script, const Fields *fields) {
    if (script->table == NULL)
        return error_set(ERR_PARSE, "a row without a table");
    script->column = 0;
    for (size_t i = 0; i < fields->count; i++)
        add_cell(script, &fields->items[i], fields->texts[i]);
    return script->column == script->column_count
               ? OK
               : error_set(ERR_PARSE, "a row of %zu cells in a table of %zu columns",
                           script->column, script->column_count);
}

// --- charts ---

static Status add_chart(Script *script, const Fields *fields) {
    int decimals;
    const char *y_label = split_decimals(script, fields->texts[2], &decimals);
    script->chart = report_add_chart(
        script->page->report,
        &(ChartSpec){.title = fields->texts[0],
                     .x_label = fields->texts[1],
                     .y_label = y_label,
                     .is_log_y = fields->count > 3 && strcmp(fields->texts[3], "log") == 0,
                     .y_decimals = decimals < 0 ? 0 : decimals});
    return OK;
}

static Status add_series(Script *script, const Fields *fields) {
    if (script->chart == NULL)
        return error_set(ERR_PARSE, "a series without a chart");
    script->series = chart_add_series(script->chart, fields->texts[0]);
    return OK;
}

static Status add_point(Script *script, const Fields *fields) {
    const ScriptValue *const at = fields->items;
    if (script->chart == NULL)
        return error_set(ERR_PARSE, "a point without a chart");
    if (fields->count < 4)
        chart_add_point(script->chart, script->series, at[0].number, at[1].number);
    else
        chart_add_range(script->chart, script->series, at[0].number, at[1].number, at[2].number,
                        at[3].number);
    return OK;
}

static Status add_reference(Script *script, const Fields *fields) {
    if (script->chart == NULL)
        return error_set(ERR_PARSE, "a reference without a chart");
    chart_add_reference(script->chart, fields->texts[0], fields->items[1].number);
    return OK;
}

static Status add_bars(Script *script, const Fields *fields) {
    int decimals;
    const char *label = split_decimals(script, fields->texts[1], &decimals);
    script->bars =
        report_add_bars(script->page->report, &(BarsSpec){.title = fields->texts[0],
                                                          .value_label = label,
                                                          .decimals = decimals < 0 ? 0 : decimals});
    for (size_t i = 2; i < fields->count; i++)
        bars_add_series(script->bars, fields->texts[i]);
    return OK;
}

static Status add_group(Script *script, const Fields *fields) {
    double values[FIELDS_MAX];
    if (script->bars == NULL)
        return error_set(ERR_PARSE, "a group without bars");
    for (size_t i = 1; i < fields->count; i++)
        values[i - 1] = fields->items[i].number;
    bars_add_group(script->bars, fields->texts[0], values);
    return OK;
}

// --- the table of statements ---

static const struct {
    const char *name;
    size_t least, most; // fields
    Status (*add)(Script *script, const Fields *fields);
} statements[] = {
    {"heading", 1, 1, add_heading},    {"text", 1, 1, add_paragraph},
    {"claim", 4, 4, add_claim},        {"table", 2, FIELDS_MAX, add_table},
    {"matches", 1, 1, add_matches},    {"row", 2, FIELDS_MAX, add_row},
    {"chart", 3, 4, add_chart},        {"series", 1, 1, add_series},
    {"point", 2, 4, add_point},        {"reference", 2, 2, add_reference},
    {"bars", 3, FIELDS_MAX, add_bars}, {"group", 2, FIELDS_MAX, add_group},
};

Status script_page_statement(Script *script, StrView word, StrView rest) {
    Fields fields;
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++)
        if (view_equals(word, statements[i].name)) {
            TRY(read_fields(script, rest, &fields));
            if (fields.count < statements[i].least || fields.count > statements[i].most)
                return error_set(ERR_PARSE, "%s takes %zu to %zu fields, not %zu",
                                 statements[i].name, statements[i].least, statements[i].most,
                                 fields.count);
            return script->is_checked ? OK : statements[i].add(script, &fields);
        }
    return error_set(ERR_PARSE, "a page has no statement '%s'", view_shown(word).text);
}
