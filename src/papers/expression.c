// SPDX-License-Identifier: GPL-3.0-or-later
// Expressions of paper files, worked out as they are read, and texts that have some in braces.
#include "papers/script.h"
#include "report/number.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ARGUMENTS_MAX = 4, NESTING_MAX = 100 };

typedef struct Reader {
    Script *script;
    StrView rest;
} Reader;

static Status read_choice(Reader *reader, ScriptValue *out);

// --- tokens ---

static void skip_blanks(Reader *reader) {
    while (reader->rest.length > 0 && isspace((unsigned char)reader->rest.text[0]))
        reader->rest = view_of(reader->rest.text + 1, reader->rest.length - 1);
}

static bool is_name_part(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

// Takes a sign or a word, if it comes next.
static bool take(Reader *reader, const char *token) {
    skip_blanks(reader);
    const size_t length = strlen(token);
    if (reader->rest.length < length || memcmp(reader->rest.text, token, length) != 0)
        return false;
    const bool goes_on = reader->rest.length > length && is_name_part(token[0]) &&
                         is_name_part(reader->rest.text[length]);
    if (!goes_on)
        reader->rest = view_of(reader->rest.text + length, reader->rest.length - length);
    return !goes_on;
}

static Status expect(Reader *reader, const char *token) {
    return take(reader, token) ? OK
                               : error_set(ERR_PARSE, "'%s' is missing before '%s'", token,
                                           view_shown(reader->rest).text);
}

static StrView take_name(Reader *reader) {
    skip_blanks(reader);
    size_t length = 0;
    while (length < reader->rest.length && is_name_part(reader->rest.text[length]))
        length++;
    const StrView name = view_of(reader->rest.text, length);
    reader->rest = view_of(reader->rest.text + length, reader->rest.length - length);
    return name;
}

// Takes what is between quotes; inside of braces there may be others.
static Status take_string(Reader *reader, StrView *out) {
    skip_blanks(reader);
    const char mark = reader->rest.length > 0 ? reader->rest.text[0] : '\0';
    if (mark != '"' && mark != '\'')
        return error_set(ERR_PARSE, "a text in quotes is missing");
    size_t end = 1;
    for (int depth = 0; end < reader->rest.length && (reader->rest.text[end] != mark || depth > 0);
         end++)
        depth += reader->rest.text[end] == '{' ? 1 : reader->rest.text[end] == '}' ? -1 : 0;
    if (end == reader->rest.length)
        return error_set(ERR_PARSE, "a text without its closing %c", mark);
    *out = view_of(reader->rest.text + 1, end - 1);
    reader->rest = view_of(reader->rest.text + end + 1, reader->rest.length - end - 1);
    return OK;
}

// --- the smallest parts ---

// each TABLE "SEPARATOR" "TEXT": the text of each row.
static Status read_each(Reader *reader, ScriptValue *out) {
    Script *const script = reader->script;
    const StrView name = take_name(reader);
    const ScriptBlock *found = script_find_block(script, name);
    StrView separator, text;
    TRY(take_string(reader, &separator));
    TRY(take_string(reader, &text));
    if (found == NULL || found->columns == NULL)
        return error_set(ERR_PARSE, "there is no table '%s'", view_shown(name).text);
    const ScriptBlock table = *found;
    Str all = {0};
    for (size_t line = table.first; line < table.last; line++) {
        Status status = script_bind_row(script, &table, line);
        if (line > table.first)
            str_append(&all, separator.text, separator.length);
        if (status == OK)
            status = script_render(script, text, &all);
        if (status != OK) {
            str_free(&all);
            return status;
        }
    }
    *out = script_text_value(script, &all);
    return OK;
}

static Status read_call(Reader *reader, StrView name, ScriptValue *out) {
    ScriptValue args[ARGUMENTS_MAX];
    size_t count = 0;
    while (!take(reader, ")")) {
        if (count > 0)
            TRY(expect(reader, ","));
        if (count == ARGUMENTS_MAX)
            return error_set(ERR_PARSE, "%.*s: too many arguments", (int)name.length, name.text);
        TRY(read_choice(reader, &args[count++]));
    }
    return script_call(reader->script, name, args, count, out);
}

static Status read_named(Reader *reader, ScriptValue *out) {
    const StrView name = take_name(reader);
    if (view_equals(name, "each"))
        return read_each(reader, out);
    if (take(reader, "("))
        return read_call(reader, name, out);
    const ScriptValue *value = script_find(reader->script, name);
    if (value == NULL)
        return error_set(ERR_PARSE, "what is '%s'?", view_shown(name).text);
    *out = *value;
    return OK;
}

static Status read_number(Reader *reader, ScriptValue *out) {
    size_t length = 0;
    while (length < reader->rest.length &&
           (isdigit((unsigned char)reader->rest.text[length]) || reader->rest.text[length] == '.'))
        length++;
    *out = script_number(0);
    if (!view_to_number(view_of(reader->rest.text, length), &out->number))
        return error_set(ERR_PARSE, "not a number: '%s'", view_shown(reader->rest).text);
    reader->rest = view_of(reader->rest.text + length, reader->rest.length - length);
    return OK;
}

static Status read_primary(Reader *reader, ScriptValue *out) {
    skip_blanks(reader);
    const char c = reader->rest.length > 0 ? reader->rest.text[0] : '\0';
    if (take(reader, "(")) {
        TRY(read_choice(reader, out));
        return expect(reader, ")");
    }
    if (c == '"' || c == '\'') {
        StrView text;
        Str rendered = {0};
        TRY(take_string(reader, &text));
        const Status status = script_render(reader->script, text, &rendered);
        *out = script_text_value(reader->script, &rendered);
        return status;
    }
    if (isdigit((unsigned char)c))
        return read_number(reader, out);
    if (is_name_part(c))
        return read_named(reader, out);
    return error_set(ERR_PARSE, "a value is missing before '%s'", view_shown(reader->rest).text);
}

// --- scores ---

typedef struct ScoreField {
    const char *name;
    double value;
} ScoreField;

static Status read_field(Reader *reader, ScriptValue *value) {
    const StrView name = take_name(reader);
    const PaperScore *score = &value->score;
    const EloEstimate elo = page_elo(score);
    const ScoreField fields[] = {
        {"games", (double)page_games(score)},
        {"wins", (double)score->games.wins},
        {"draws", (double)score->games.draws},
        {"losses", (double)score->games.losses},
        {"points", (double)score->games.wins + (double)score->games.draws / 2},
        {"percent", page_percent(score)},
        {"adjudicated", page_adjudicated(score)},
        {"elo", elo.elo},
        {"low", elo.low},
        {"high", elo.high},
        {"low_percent", 100 * elo_to_score(elo.low)},
        {"high_percent", 100 * elo_to_score(elo.high)},
    };
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (view_equals(name, fields[i].name)) {
            *value = script_number(value->kind == SCRIPT_SCORE ? fields[i].value : (double)NAN);
            return OK;
        }
    return error_set(ERR_PARSE, "a score has no '%s'", view_shown(name).text);
}

static Status read_postfix(Reader *reader, ScriptValue *out) {
    TRY(read_primary(reader, out));
    if (reader->rest.length > 0 && reader->rest.text[0] == '.' && take(reader, "."))
        TRY(read_field(reader, out));
    return OK;
}

static Status read_unary(Reader *reader, ScriptValue *out) {
    const bool is_minus = take(reader, "-"), is_not = !is_minus && take(reader, "!");
    TRY(read_postfix(reader, out));
    if (is_minus)
        *out = script_number(-out->number);
    if (is_not)
        *out = script_number(!script_is_true(out));
    return OK;
}

// --- operators ---

typedef enum Operator {
    OR,
    AND,
    EQUAL,
    UNEQUAL,
    AT_MOST,
    AT_LEAST,
    LESS,
    MORE,
    PLUS,
    MINUS,
    TIMES,
    OVER,
    OPERATORS
} Operator;
static const struct {
    const char *sign;
    int level;
} operators[OPERATORS] = {
    [OR] = {"or", 0},      [AND] = {"and", 1},     [EQUAL] = {"==", 2}, [UNEQUAL] = {"!=", 2},
    [AT_MOST] = {"<=", 2}, [AT_LEAST] = {">=", 2}, [LESS] = {"<", 2},   [MORE] = {">", 2},
    [PLUS] = {"+", 3},     [MINUS] = {"-", 3},     [TIMES] = {"*", 4},  [OVER] = {"/", 4},
};
enum { LEVELS = 5 };

bool script_is_true(const ScriptValue *value) {
    return value->kind == SCRIPT_TEXT ? value->text[0] != '\0' : value->number != 0;
}

static bool are_equal(const ScriptValue *a, const ScriptValue *b) {
    if (a->kind == SCRIPT_TEXT || b->kind == SCRIPT_TEXT)
        return strcmp(a->text, b->text) == 0;
    return a->number == b->number;
}

static double apply(Operator operator, const ScriptValue * a, const ScriptValue *b) {
    switch (operator) {
    case OR:
        return script_is_true(a) || script_is_true(b);
    case AND:
        return script_is_true(a) && script_is_true(b);
    case EQUAL:
        return are_equal(a, b);
    case UNEQUAL:
        return !are_equal(a, b);
    case AT_MOST:
        return a->number <= b->number;
    case AT_LEAST:
        return a->number >= b->number;
    case LESS:
        return a->number < b->number;
    case MORE:
        return a->number > b->number;
    case PLUS:
        return a->number + b->number;
    case MINUS:
        return a->number - b->number;
    case TIMES:
        return a->number * b->number;
    case OVER:
        return a->number / b->number;
    case OPERATORS:
        break;
    }
    return (double)NAN;
}

static bool take_operator(Reader *reader, int level, Operator *out) {
    for (*out = OR; *out < OPERATORS; ++*out)
        if (operators[*out].level == level && take(reader, operators[*out].sign))
            return true;
    return false;
}

static Status read_level(Reader *reader, int level, ScriptValue *out) {
    if (level == LEVELS)
        return read_unary(reader, out);
    TRY(read_level(reader, level + 1, out));
    for (Operator operator; take_operator(reader, level, &operator);) {
        ScriptValue right;
        TRY(read_level(reader, level + 1, &right));
        *out = script_number(apply(operator, out, &right));
    }
    return OK;
}

// CONDITION ? YES : NO. Both are worked out, which changes nothing.
static Status read_choice(Reader *reader, ScriptValue *out) {
    if (++reader->script->nesting > NESTING_MAX)
        return error_set(ERR_PARSE, "too many expressions inside each other");
    TRY(read_level(reader, 0, out));
    if (take(reader, "?")) {
        ScriptValue yes, no;
        TRY(read_choice(reader, &yes));
        TRY(expect(reader, ":"));
        TRY(read_choice(reader, &no));
        *out = script_is_true(out) ? yes : no;
    }
    reader->script->nesting--;
    return OK;
}

// --- texts ---

// "+.1f", "," (between thousands) or "time".
static Status add_formatted(Str *out, const ScriptValue *value, StrView format) {
    const bool has_plus = format.length > 0 && format.text[0] == '+';
    const StrView rest = view_of(format.text + has_plus, format.length - has_plus);
    if (view_equals(format, "time"))
        page_say_time(out, value->number);
    else if (view_equals(format, ","))
        number_add(out, value->number, 0);
    else if (rest.length == 3 && rest.text[0] == '.' && isdigit((unsigned char)rest.text[1]) &&
             rest.text[2] == 'f')
        str_addf(out, has_plus ? "%+.*f" : "%.*f", rest.text[1] - '0', value->number);
    else
        return error_set(ERR_PARSE, "not a format: '%s'", view_shown(format).text);
    return OK;
}

void script_add_value(Str *out, const ScriptValue *value) {
    if (value->kind == SCRIPT_SCORE)
        page_say_match(out, &value->score);
    else if (value->kind == SCRIPT_TEXT)
        str_add(out, value->text);
    else if (value->kind == SCRIPT_VERDICT)
        str_add(out, page_verdict_words(value->verdict));
    else
        str_addf(out, "%g", value->number);
}

// An expression, and how it is written where that is said: EXPRESSION | FORMAT.
static Status evaluate(Script *script, StrView text, ScriptValue *out, StrView *format) {
    Reader reader = {.script = script, .rest = text};
    TRY(read_choice(&reader, out));
    *format = take(&reader, "|") ? view_trim(reader.rest) : view_of(NULL, 0);
    skip_blanks(&reader);
    return format->length > 0 || reader.rest.length == 0
               ? OK
               : error_set(ERR_PARSE, "nothing was expected at '%s'", view_shown(reader.rest).text);
}

Status script_evaluate(Script *script, StrView expression, ScriptValue *out) {
    StrView format;
    TRY(evaluate(script, expression, out, &format));
    return format.length == 0 ? OK : error_set(ERR_PARSE, "a format is for braces");
}

// The length of the braces at the start of a text, both included; 0 where they do not end.
static size_t braces_of(StrView text) {
    int depth = 0;
    for (size_t i = 0; i < text.length; i++) {
        depth += text.text[i] == '{' ? 1 : text.text[i] == '}' ? -1 : 0;
        if (depth == 0)
            return i + 1;
    }
    return 0;
}

Status script_render(Script *script, StrView text, Str *out) {
    for (size_t i = 0; i < text.length;) {
        if (text.text[i] != '{') {
            str_append(out, text.text + i++, 1);
            continue;
        }
        const size_t length = braces_of(view_of(text.text + i, text.length - i));
        ScriptValue value;
        StrView format;
        if (length == 0)
            return error_set(ERR_PARSE, "a brace without its end");
        TRY(evaluate(script, view_of(text.text + i + 1, length - 2), &value, &format));
        if (format.length > 0)
            TRY(add_formatted(out, &value, format));
        else
            script_add_value(out, &value);
        i += length;
    }
    return OK;
}

Status script_value(Script *script, StrView text, ScriptValue *out) {
    StrView format;
    if (text.length > 0 && text.text[0] == '{' && braces_of(text) == text.length) {
        TRY(evaluate(script, view_of(text.text + 1, text.length - 2), out, &format));
        if (format.length == 0)
            return OK;
    }
    Str rendered = {0};
    const Status status = script_render(script, text, &rendered);
    *out = script_text_value(script, &rendered);
    return status;
}
