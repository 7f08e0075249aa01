// SPDX-License-Identifier: GPL-3.0-or-later
// A paper as data: a text file of statements that declare the steps of its plan, and the tables,
// curves and claims of its page with where their figures come from. docs/reproduce.md has the
// language. What is here serves the files that interpret it.
#pragma once

#include "eval/weights.h"
#include "papers/page.h"

// What an expression comes to.
typedef enum ScriptKind { SCRIPT_NUMBER, SCRIPT_TEXT, SCRIPT_SCORE, SCRIPT_VERDICT } ScriptKind;
typedef struct ScriptValue {
    ScriptKind kind;
    double number;    // NaN unless it is a number
    const char *text; // "" unless it is a text; the script's
    PaperScore score; // the games of two players
    PageVerdict verdict;
} ScriptValue;

typedef struct ScriptLine {
    const char *file; // borrowed from the script
    int number;
    char *text; // owned; lines that end with a backslash are joined
} ScriptLine;

typedef struct ScriptVariable {
    char *name; // owned
    ScriptValue value;
} ScriptVariable;

// A table of data, or a block of statements: lines between its first one and its "end".
typedef struct ScriptBlock {
    const char *name;    // the script's
    const char *columns; // of a table, with blanks between; NULL: statements
    size_t first, last;  // the last is that of "end"
} ScriptBlock;

// A file that was read, and is kept for the next question.
typedef struct ScriptSource {
    char *path; // owned
    Grid grid;
    EvidenceLog log;
    SuiteScores suite;
    Weights weights;
    bool has_weights;
} ScriptSource;

typedef struct Script {
    Plan *plan;
    Page *page; // that is filled, or NULL
    bool is_page;
    bool is_checked; // only the syntax is looked at: no file is read, nothing is shown
    bool has_place;  // the message of a failure names the line
    int depth;       // of blocks that are being worked on
    int nesting;     // of expressions inside each other
    ScriptLine *lines;
    size_t line_count, line_capacity;
    ScriptVariable *variables;
    size_t variable_count, variable_capacity;
    ScriptBlock *blocks;
    size_t block_count, block_capacity;
    ScriptSource **sources;
    size_t source_count, source_capacity;
    char **texts; // what values point to
    size_t text_count, text_capacity;
    size_t worked; // statements so far
    // What statements of the page add to: the last one of each kind.
    Table *table;
    uint64_t number_columns; // of the table, a bit each
    size_t column, column_count;
    Chart *chart;
    size_t series;
    bool has_matches, has_chart, has_series;
    Intervals *elo; // of the last table of matches
    Bars *bars;
    size_t bar_count; // of each group
} Script;

// Reads experiments/NAME.paper, wherever the program finds it, and works on its statements outside
// of blocks. Close it also where this fails.
MUST_CHECK Status script_open(Script *script, const char *name, Plan *plan);
void script_close(Script *script);
// Adds the steps of its block "plan" to the plan.
MUST_CHECK Status script_plan(Script *script);
// Looks for mistakes in its block "page", before any work is done.
MUST_CHECK Status script_check_page(Script *script);
// Fills the page, once all steps are done.
MUST_CHECK Status script_page(Script *script, Page *page);
// The text of a variable, "" where there is none.
const char *script_text(const Script *script, const char *variable);

// --- for the files that interpret it ---

// Keeps a text as long as the script lives; empties `text`.
const char *script_keep(Script *script, Str *text);
const ScriptValue *script_find(const Script *script, StrView name);
const ScriptBlock *script_find_block(const Script *script, StrView name);
static inline ScriptValue script_number(double number) {
    return (ScriptValue){.kind = SCRIPT_NUMBER, .number = number, .text = ""};
}
ScriptValue script_text_value(Script *script, Str *text);
bool script_is_true(const ScriptValue *value);
// Sets the columns of a table's line as variables.
MUST_CHECK Status script_bind_row(Script *script, const ScriptBlock *table, size_t line);
// Cuts a statement's next field off: up to a bar outside of braces. False when there is none.
bool script_next_field(StrView *rest, StrView *field);
// Appends a text with what is in braces worked out.
MUST_CHECK Status script_render(Script *script, StrView text, Str *out);
// The same as a value: a text that is one pair of braces keeps its kind.
MUST_CHECK Status script_value(Script *script, StrView text, ScriptValue *out);
// Appends a value as it is written where no format is said.
void script_add_value(Str *out, const ScriptValue *value);
MUST_CHECK Status script_evaluate(Script *script, StrView expression, ScriptValue *out);
MUST_CHECK Status script_call(Script *script, StrView name, const ScriptValue *args, size_t count,
                              ScriptValue *out);
// ERR_ARG where the word is no statement of a plan or page.
MUST_CHECK Status script_plan_statement(Script *script, StrView word, StrView rest);
MUST_CHECK Status script_page_statement(Script *script, StrView word, StrView rest);
