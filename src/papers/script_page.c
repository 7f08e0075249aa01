// SPDX-License-Identifier: GPL-3.0-or-later
// Statements of a page: headings, texts, claims, tables, charts and bars.
#include "papers/script.h"

#include <ctype.h>
#include <math.h>
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

// A verdict is worked out from figures, never written down.
static Status add_claim(Script *script, const Fields *fields) {
    const bool has_verdict = fields->count > 4;
    if (has_verdict && fields->items[4].kind != SCRIPT_VERDICT)
        return error_set(ERR_PARSE, "a verdict is what tells() makes of figures, not '%s'",
                         fields->texts[4]);
    page_claim(script->page,
               &(PageClaim){.claim = fields->texts[0],
                            .theirs = fields->texts[1],
                            .ours = fields->texts[2],
                            .remark = fields->texts[3],
                            .verdict = has_verdict ? fields->items[4].verdict : VERDICT_NONE});
    return OK;
}

// --- tables ---

static Status add_table(Script *script, const Fields *fields) {
    Table *table = report_add_table(script->page->report, fields->texts[0]);
    script->table = table;
    script->elo = NULL;
    script->number_columns = 0;
    for (size_t i = 1; i < fields->count; i++) {
        int decimals;
        const char *name = split_decimals(script, fields->texts[i], &decimals);
        if (decimals < 0)
            table_add_text_column(table, name);
        else
            table_add_number_column(table, name, decimals);
        script->number_columns |= (uint64_t)(decimals >= 0) << (i - 1);
    }
    return OK;
}

// A table of matches with its chart: a score fills several of its columns.
static Status add_matches(Script *script, const Fields *fields) {
    script->table = page_add_matches(script->page->report, fields->texts[0], &script->elo);
    script->number_columns = (((uint64_t)1 << PAGE_SCORE_CELLS) - 1) << 1;
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

// The end of a row of matches: what the paper's percentage, its last field, comes to here.
static void add_match_verdict(Script *script, const Fields *fields) {
    const PaperScore *score = &fields->items[1].score;
    const double percent = fields->count > 3 ? fields->items[3].number : (double)NAN;
    table_add_text(script->table, page_verdict_words(page_judge_match(score, percent)));
    page_add_elo(script->elo, fields->texts[0], score, percent);
    script->column++;
}

static Status add_row(Script *script, const Fields *fields) {
    const bool is_match = script->elo != NULL && fields->items[1].kind == SCRIPT_SCORE;
    script->column = 0;
    for (size_t i = 0; i < fields->count && (!is_match || i < 3); i++)
        add_cell(script, &fields->items[i], fields->texts[i]);
    if (is_match)
        add_match_verdict(script, fields);
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
    script->series = chart_add_series(script->chart, fields->texts[0]);
    return OK;
}

static Status add_point(Script *script, const Fields *fields) {
    const ScriptValue *const at = fields->items;
    if (fields->count < 4)
        chart_add_point(script->chart, script->series, at[0].number, at[1].number);
    else
        chart_add_range(script->chart, script->series, at[0].number, at[1].number, at[2].number,
                        at[3].number);
    return OK;
}

static Status add_reference(Script *script, const Fields *fields) {
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
    for (size_t i = 1; i < fields->count; i++)
        values[i - 1] = fields->items[i].number;
    bars_add_group(script->bars, fields->texts[0], values);
    return OK;
}

// --- the table of statements ---

typedef enum Shape {
    SHAPE_TEXT,
    SHAPE_TABLE,
    SHAPE_MATCHES,
    SHAPE_ROW,
    SHAPE_CHART,
    SHAPE_SERIES,
    SHAPE_POINT,
    SHAPE_REFERENCE,
    SHAPE_BARS,
    SHAPE_GROUP,
} Shape;

static const struct {
    const char *name;
    Shape shape;
    size_t least, most; // fields
    Status (*add)(Script *script, const Fields *fields);
} statements[] = {
    {"heading", SHAPE_TEXT, 1, 1, add_heading},
    {"text", SHAPE_TEXT, 1, 1, add_paragraph},
    {"claim", SHAPE_TEXT, 4, 5, add_claim},
    {"table", SHAPE_TABLE, 2, FIELDS_MAX, add_table},
    {"matches", SHAPE_MATCHES, 1, 1, add_matches},
    {"row", SHAPE_ROW, 2, FIELDS_MAX, add_row},
    {"chart", SHAPE_CHART, 3, 4, add_chart},
    {"series", SHAPE_SERIES, 1, 1, add_series},
    {"point", SHAPE_POINT, 2, 4, add_point},
    {"reference", SHAPE_REFERENCE, 2, 2, add_reference},
    {"bars", SHAPE_BARS, 3, FIELDS_MAX, add_bars},
    {"group", SHAPE_GROUP, 2, FIELDS_MAX, add_group},
};

// Whether a statement fits what comes before it: a row its table, a point its series.
static bool fits(Script *script, Shape shape, size_t fields) {
    switch (shape) {
    case SHAPE_TABLE:
        script->has_matches = false;
        script->column_count = fields - 1;
        return true;
    case SHAPE_MATCHES:
        script->column_count = 3 + PAGE_SCORE_CELLS;
        script->has_matches = true;
        return true;
    case SHAPE_ROW: // players, score, paper and its percentage make a row of matches
        return script->has_matches ? fields == 3 || fields == 4 : fields == script->column_count;
    case SHAPE_CHART:
        script->has_chart = true;
        script->has_series = false;
        return true;
    case SHAPE_SERIES:
        script->has_series = script->has_chart;
        return script->has_chart;
    case SHAPE_POINT:
        return script->has_series && fields != 3;
    case SHAPE_REFERENCE:
        return script->has_chart;
    case SHAPE_BARS:
        script->bar_count = fields - 2;
        return true;
    case SHAPE_GROUP:
        return fields - 1 == script->bar_count;
    case SHAPE_TEXT:
        break;
    }
    return true;
}

Status script_page_statement(Script *script, StrView word, StrView rest) {
    Fields fields;
    size_t i = 0;
    while (i < sizeof statements / sizeof *statements && !view_equals(word, statements[i].name))
        i++;
    if (i == sizeof statements / sizeof *statements)
        return error_set(ERR_PARSE, "a page has no statement '%s'", view_shown(word).text);
    TRY(read_fields(script, rest, &fields));
    if (fields.count < statements[i].least || fields.count > statements[i].most)
        return error_set(ERR_PARSE, "%s takes %zu to %zu fields, not %zu", statements[i].name,
                         statements[i].least, statements[i].most, fields.count);
    if (!fits(script, statements[i].shape, fields.count))
        return error_set(ERR_PARSE, "a %s of %zu fields does not fit what comes before it",
                         statements[i].name, fields.count);
    return script->is_checked ? OK : statements[i].add(script, &fields);
}
