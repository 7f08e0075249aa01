// SPDX-License-Identifier: GPL-3.0-or-later
// Statements that plans and pages have in common: let, data, define, use, for, if.
#include "papers/script.h"

#include "base/lines.h"
#include "base/locate.h"
#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SCRIPT_LINE_MAX = 1 << 14, SCRIPT_DEPTH_MAX = 64, SCRIPT_WORK_MAX = 1 << 20 };
enum { SCRIPT_INCLUDES_MAX = 4 };

// --- values ---

const char *script_keep(Script *script, Str *text) {
    char *kept = text->text != NULL ? text->text : mem_copy_string("");
    MEM_ADD(script->texts, script->text_count, script->text_capacity) = kept;
    *text = (Str){0};
    return kept;
}

ScriptValue script_text_value(Script *script, Str *text) {
    return (ScriptValue){
        .kind = SCRIPT_TEXT, .number = (double)NAN, .text = script_keep(script, text)};
}

static const char *keep_view(Script *script, StrView view) {
    Str text = {0};
    str_append(&text, view.text, view.length);
    return script_keep(script, &text);
}

const ScriptValue *script_find(const Script *script, StrView name) {
    for (size_t i = 0; i < script->variable_count; i++)
        if (view_equals(name, script->variables[i].name))
            return &script->variables[i].value;
    return NULL;
}

static void set_variable(Script *script, StrView name, const ScriptValue *value) {
    for (size_t i = 0; i < script->variable_count; i++)
        if (view_equals(name, script->variables[i].name)) {
            script->variables[i].value = *value;
            return;
        }
    MEM_ADD(script->variables, script->variable_count, script->variable_capacity) =
        (ScriptVariable){view_copy(name), *value};
}

static void set_text(Script *script, const char *name, const char *text) {
    Str copy = {0};
    str_add(&copy, text);
    const ScriptValue value = script_text_value(script, &copy);
    set_variable(script, view_from_string(name), &value);
}

const char *script_text(const Script *script, const char *variable) {
    const ScriptValue *value = script_find(script, view_from_string(variable));
    return value == NULL ? "" : value->text;
}

// --- lines and fields ---

// A line whose end is a backslash goes on with the next.
static Status read_lines(Script *script, StrView name);

static Status add_line(Script *script, const char *file, int number, StrView line, bool *goes_on) {
    const bool is_more = *goes_on;
    line = view_trim(line);
    *goes_on = line.length > 0 && line.text[line.length - 1] == '\\';
    line = view_trim(view_of(line.text, line.length - *goes_on));
    if (!is_more && (line.length == 0 || line.text[0] == ';')) {
        *goes_on = false;
        return OK;
    }
    StrView rest = line;
    if (!is_more && view_equals(view_next_word(&rest), "include")) {
        *goes_on = false;
        return read_lines(script, view_trim(rest));
    }
    if (is_more) {
        Str text = {0};
        ScriptLine *last = &script->lines[script->line_count - 1];
        str_addf(&text, "%s ", last->text);
        free(last->text);
        str_append(&text, line.text, line.length);
        last->text = text.text;
        return OK;
    }
    MEM_ADD(script->lines, script->line_count, script->line_capacity) =
        (ScriptLine){file, number, view_copy(line)};
    return OK;
}

static Status read_lines(Script *script, StrView name) {
    CLEANUP(str_free) Str path = {0};
    Str file = {0};
    if (++script->depth > SCRIPT_INCLUDES_MAX)
        return error_set(ERR_PARSE, "%s.paper: too many files inside each other",
                         view_shown(name).text);
    str_addf(&file, "%.*s.paper", (int)name.length, name.text);
    const char *const kept = script_keep(script, &file);
    // Commands come of it: a file that lies in the current directory is not taken.
    TRY(locate_shipped("experiments", kept, &path));
    CLEANUP(lines_close_at) LineReader *lines = NULL;
    TRY(lines_open(&lines, str_text(&path), SCRIPT_LINE_MAX));
    bool goes_on = false;
    for (StrView line;;) {
        TRY(lines_next(lines, &line));
        if (line.text == NULL)
            break;
        TRY(add_line(script, kept, (int)lines_number(lines), line, &goes_on));
    }
    script->depth--;
    return OK;
}

bool script_next_field(StrView *rest, StrView *field) {
    if (rest->text == NULL)
        return false;
    size_t end = 0;
    for (int depth = 0; end < rest->length && (rest->text[end] != '|' || depth > 0); end++)
        depth += rest->text[end] == '{' ? 1 : rest->text[end] == '}' ? -1 : 0;
    *field = view_trim(view_of(rest->text, end));
    *rest = end == rest->length ? view_of(NULL, 0)
                                : view_of(rest->text + end + 1, rest->length - end - 1);
    return true;
}

// --- blocks ---

static StrView statement_of(const Script *script, size_t line, StrView *rest) {
    *rest = view_from_string(script->lines[line].text);
    const StrView word = view_next_word(rest);
    *rest = view_trim(*rest);
    return word;
}

static bool opens_block(StrView word) {
    return view_equals(word, "for") || view_equals(word, "if") || view_equals(word, "data") ||
           view_equals(word, "define") || view_equals(word, "details");
}

// Finds the line that ends the block which a line opens, and its "else": the end where it has none.
static Status find_end(const Script *script, size_t line, size_t *end, size_t *otherwise) {
    int depth = 1;
    *otherwise = SIZE_MAX;
    for (*end = line + 1; *end < script->line_count; ++*end) {
        StrView rest;
        const StrView word = statement_of(script, *end, &rest);
        depth += opens_block(word) ? 1 : view_equals(word, "end") ? -1 : 0;
        if (depth == 1 && view_equals(word, "else"))
            *otherwise = *end;
        if (depth == 0) {
            *otherwise = *otherwise == SIZE_MAX ? *end : *otherwise;
            return OK;
        }
    }
    return error_set(ERR_PARSE, "no \"end\" to this");
}

const ScriptBlock *script_find_block(const Script *script, StrView name) {
    for (size_t i = script->block_count; i-- > 0;)
        if (view_equals(name, script->blocks[i].name))
            return &script->blocks[i];
    return NULL;
}

static void add_block(Script *script, StrView rest, bool is_table, size_t first, size_t last) {
    const StrView name = view_next_word(&rest);
    const char *const columns = is_table ? keep_view(script, view_trim(rest)) : NULL;
    MEM_ADD(script->blocks, script->block_count, script->block_capacity) =
        (ScriptBlock){keep_view(script, name), columns, first, last};
}

Status script_bind_row(Script *script, const ScriptBlock *table, size_t line) {
    StrView rest = view_from_string(script->lines[line].text);
    StrView columns = view_from_string(table->columns), field;
    for (StrView name; (name = view_next_word(&columns)).length > 0;) {
        if (!script_next_field(&rest, &field))
            return error_set(ERR_PARSE, "%s: line %d has no %.*s", table->name,
                             script->lines[line].number, (int)name.length, name.text);
        ScriptValue value = script_number(0);
        if (!view_to_number(field, &value.number))
            TRY(script_value(script, field, &value));
        set_variable(script, name, &value);
    }
    return rest.text == NULL ? OK
                             : error_set(ERR_PARSE, "%s: line %d has more than its columns",
                                         table->name, script->lines[line].number);
}

static Status run_lines(Script *script, size_t first, size_t last);
static Status use_block(Script *script, const char *block);

// --- for ---

typedef struct RowOrder {
    size_t line;
    double key;
} RowOrder;

static int by_key(const void *a, const void *b) {
    const RowOrder *one = a, *other = b;
    if (one->key != other->key)
        return one->key < other->key ? -1 : 1;
    return one->line < other->line ? -1 : one->line > other->line;
}

// "for TABLE", or "for TABLE by EXPRESSION": its rows, those with the lowest value first.
static Status each_row(Script *script, const ScriptBlock table, StrView by, size_t first,
                       size_t last) {
    const size_t count = table.last - table.first;
    CLEANUP(mem_free_at) RowOrder *rows = mem_alloc_zero(count + 1, sizeof *rows);
    for (size_t i = 0; i < count; i++) {
        rows[i].line = table.first + i;
        if (by.length > 0) {
            ScriptValue key;
            TRY(script_bind_row(script, &table, rows[i].line));
            TRY(script_evaluate(script, by, &key));
            rows[i].key = key.number;
        }
    }
    if (by.length > 0)
        qsort(rows, count, sizeof *rows, by_key);
    for (size_t i = 0; i < count; i++) {
        TRY(script_bind_row(script, &table, rows[i].line));
        TRY(run_lines(script, first, last));
    }
    return OK;
}

// "for NAME in EXPRESSION": the lines of a text.
static Status each_item(Script *script, StrView name, StrView expression, size_t first,
                        size_t last) {
    ScriptValue list;
    TRY(script_evaluate(script, expression, &list));
    const char *at = script->is_checked ? "0" : list.text;
    while (*at != '\0') {
        const size_t length = strcspn(at, "\n");
        ScriptValue item = script_number(0);
        if (!view_to_number(view_of(at, length), &item.number)) {
            item = (ScriptValue){.kind = SCRIPT_TEXT, .number = (double)NAN};
            item.text = keep_view(script, view_of(at, length));
        }
        set_variable(script, name, &item);
        TRY(run_lines(script, first, last));
        at += length + (at[length] == '\n');
    }
    return OK;
}

static Status run_for(Script *script, StrView rest, size_t first, size_t last) {
    const StrView name = view_next_word(&rest), word = view_next_word(&rest);
    if (view_equals(word, "in"))
        return each_item(script, name, rest, first, last);
    const ScriptBlock *table = script_find_block(script, name);
    if (table == NULL || table->columns == NULL || (word.length > 0 && !view_equals(word, "by")))
        return error_set(ERR_PARSE, "for needs a table, or NAME in LIST: '%s'",
                         view_shown(name).text);
    return each_row(script, *table, rest, first, last);
}

// --- the other statements ---

static Status run_let(Script *script, StrView rest) {
    const StrView name = view_next_word(&rest), equals = view_next_word(&rest);
    ScriptValue value;
    if (!view_equals(equals, "="))
        return error_set(ERR_PARSE, "let needs NAME = EXPRESSION");
    TRY(script_evaluate(script, rest, &value));
    set_variable(script, name, &value);
    return OK;
}

static Status run_if(Script *script, StrView rest, size_t line, size_t otherwise, size_t end) {
    ScriptValue value;
    TRY(script_evaluate(script, rest, &value));
    const bool is_true = script_is_true(&value);
    if (is_true || script->is_checked)
        TRY(run_lines(script, line + 1, otherwise));
    if (otherwise < end && (!is_true || script->is_checked))
        TRY(run_lines(script, otherwise + 1, end));
    return OK;
}

// What is shown inside is behind a click.
static Status run_details(Script *script, StrView rest, size_t first, size_t last) {
    Str summary = {0};
    if (!script->is_page || rest.length == 0)
        return error_set(ERR_PARSE, "details needs a summary, on a page");
    const Status status = script_render(script, rest, &summary);
    const char *const kept = script_keep(script, &summary);
    TRY(status);
    if (!script->is_checked)
        report_begin_details(script->page->report, kept);
    TRY(run_lines(script, first, last));
    if (!script->is_checked)
        report_end_details(script->page->report);
    return OK;
}

static Status run_statement(Script *script, size_t *line) {
    StrView rest;
    const size_t at = *line;
    const StrView word = statement_of(script, at, &rest);
    if (++script->worked > SCRIPT_WORK_MAX)
        return error_set(ERR_LIMIT, "more than %d statements are worked on", SCRIPT_WORK_MAX);
    size_t end = at, otherwise = at;
    if (opens_block(word))
        TRY(find_end(script, at, &end, &otherwise));
    *line = end + 1;
    if (view_equals(word, "let"))
        return run_let(script, rest);
    if (view_equals(word, "use"))
        return use_block(script, keep_view(script, rest));
    if (view_equals(word, "for"))
        return run_for(script, rest, at + 1, end);
    if (view_equals(word, "if"))
        return run_if(script, rest, at, otherwise, end);
    if (view_equals(word, "details"))
        return run_details(script, rest, at + 1, end);
    if (end > at) {
        add_block(script, rest, view_equals(word, "data"), at + 1, end);
        return OK;
    }
    return script->is_page ? script_page_statement(script, word, rest)
                           : script_plan_statement(script, word, rest);
}

static Status run_lines(Script *script, size_t first, size_t last) {
    if (script->depth == SCRIPT_DEPTH_MAX)
        return error_set(ERR_PARSE, "blocks inside each other without an end");
    script->depth++;
    for (size_t line = first; line < last;) {
        const ScriptLine *const here = &script->lines[line];
        const Status status = run_statement(script, &line);
        if (status != OK) {
            if (!script->has_place) // the innermost block names the line
                error_prefix("%s:%d", here->file, here->number);
            script->has_place = true;
            return status;
        }
    }
    script->depth--;
    return OK;
}

static Status use_block(Script *script, const char *block) {
    const ScriptBlock *found = script_find_block(script, view_from_string(block));
    if (found == NULL || found->columns != NULL)
        return error_set(ERR_PARSE, "there is no block '%s'", block);
    return run_lines(script, found->first, found->last);
}

// --- the whole ---

Status script_open(Script *script, const char *name, Plan *plan) {
    *script = (Script){.plan = plan};
    set_text(script, "folder", ".");
    set_text(script, "here", plan->folder);
    const ScriptValue unknown = script_number((double)NAN), deviations = script_number(ELO_Z_95);
    set_variable(script, view_from_string("unknown"), &unknown);
    set_variable(script, view_from_string("z95"), &deviations);
    TRY(read_lines(script, view_from_string(name)));
    return run_lines(script, 0, script->line_count);
}

Status script_plan(Script *script) {
    return use_block(script, "plan");
}

Status script_check_page(Script *script) {
    script->is_page = script->is_checked = true;
    TRY(use_block(script, "page"));
    script->is_page = script->is_checked = false;
    return OK;
}

Status script_page(Script *script, Page *page) {
    script->is_page = true;
    script->page = page;
    return use_block(script, "page");
}

static void free_source(ScriptSource *source) {
    free(source->path);
    grid_free(&source->grid);
    evidence_log_free(&source->log);
    suite_scores_free(&source->suite);
    if (source->has_weights)
        weights_free(&source->weights);
    free(source);
}

void script_close(Script *script) {
    for (size_t i = 0; i < script->line_count; i++)
        free(script->lines[i].text);
    for (size_t i = 0; i < script->variable_count; i++)
        free(script->variables[i].name);
    for (size_t i = 0; i < script->source_count; i++)
        free_source(script->sources[i]);
    for (size_t i = 0; i < script->text_count; i++)
        free(script->texts[i]);
    free(script->lines);
    free(script->variables);
    free(script->blocks);
    free(script->sources);
    free(script->texts);
    *script = (Script){0};
}
