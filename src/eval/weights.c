// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/weights.h"

#include "base/file.h"
#include "base/locate.h"
#include "base/text.h"
#include "eval/value.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { FILE_MAX = 1 << 20 };

void weights_init(Weights *weights, const Family *family) {
    *weights = (Weights){.family = family};
    for (size_t i = 0; i < family->term_count; i++)
        weights->parameters[i] = family->terms[i].start;
}

void weights_free(Weights *weights) {
    str_free(&weights->lineage);
}

void weights_copy(Weights *to, const Weights *from) {
    *to = *from;
    to->lineage = (Str){0};
    str_append(&to->lineage, str_text(&from->lineage), from->lineage.length);
}

Status weights_set(Weights *weights, const char *name, int64_t value) {
    int index = family_find_term(weights->family, name);
    if (index < 0)
        return error_set(ERR_ARG, "family %s has no term '%s' (falconer weights show lists them)",
                         weights->family->name, name);
    const Term *term = &weights->family->terms[index];
    if (value < term->low || value > term->high)
        return error_set(ERR_ARG, "%s %s is out of bounds: write a value from %s to %s", name,
                         value_text(weights->family, value).text,
                         value_text(weights->family, term->low).text,
                         value_text(weights->family, term->high).text);
    weights->parameters[index] = (int)value;
    return OK;
}

// --- reading ---

// A file half read.
typedef struct Parse {
    const char *name;
    size_t line;
    const Family *own;         // one that is not among `families`, or NULL
    Weights weights;           // its family is NULL until it was named
    size_t seen_at[TERMS_MAX]; // the line of each term, 0 before it was seen
} Parse;

[[gnu::format(printf, 2, 3)]] static Status fail(const Parse *parse, const char *format, ...) {
    char text[256];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return error_set(ERR_PARSE, "%s:%zu: %s", parse->name, parse->line, text);
}

static const Family *find_family(const Parse *parse, StrView name) {
    if (parse->own != NULL && view_equals(name, parse->own->name))
        return parse->own;
    for (size_t i = 0; families[i] != NULL; i++)
        if (view_equals(name, families[i]->name))
            return families[i];
    return NULL;
}

static Status fail_of_family(const Parse *parse, StrView name) {
    Str known = {0};
    if (view_equals(name, FAMILY_COEFFICIENTS))
        return fail(parse, "these are the values of another engine's coefficients: that engine "
                           "plays with them, and falconer evolve --start goes on from them");
    for (size_t i = 0; families[i] != NULL; i++)
        str_addf(&known, "%s%s", i == 0 ? "" : ", ", families[i]->name);
    Status status = fail(parse, "unknown family '%s': write one of %s", view_shown(name).text,
                         str_text(&known));
    str_free(&known);
    return status;
}

static void set_family(Parse *parse, const Family *family) {
    Str lineage = parse->weights.lineage;
    weights_init(&parse->weights, family);
    parse->weights.lineage = lineage;
}

// "family maestro 1"
static Status parse_family(Parse *parse, StrView rest) {
    StrView name = view_next_word(&rest), number = view_next_word(&rest);
    int64_t version;
    if (parse->weights.family != NULL)
        return fail(parse, "the family is named twice: keep one of the lines");
    if (!view_to_int(number, &version) || view_next_word(&rest).length != 0)
        return fail(parse, "expected 'family NAME VERSION', such as 'family maestro 1'");
    const Family *family = find_family(parse, name);
    if (family == NULL)
        return fail_of_family(parse, name);
    if (version != family->version)
        return fail(parse,
                    "version %" PRId64 " of family %s, but this program has version %u: take "
                    "weights made for it, or tune anew",
                    version, family->name, family->version);
    set_family(parse, family);
    return OK;
}

// "KNIGHT_VALUE 322"
static Status parse_value(Parse *parse, StrView word, StrView rest) {
    const ShownText shown = view_shown(word);
    const char *name = shown.text;
    const Family *family = parse->weights.family;
    StrView number = view_next_word(&rest);
    int64_t value;
    // Values of a foreign family need not name it: nobody else could read them.
    if (family == NULL && parse->own != NULL && family_is_foreign(parse->own)) {
        set_family(parse, parse->own);
        family = parse->own;
    }
    if (family == NULL)
        return fail(parse, "'%s' before the family: write a line such as 'family maestro 1' first",
                    name);
    int index = family_find_term(family, name);
    if (index < 0)
        return fail(parse, "family %s has no term '%s': remove the line or correct the name",
                    family->name, name);
    if (parse->seen_at[index] != 0)
        return fail(parse, "%s was given in line %zu already: keep one of them", name,
                    parse->seen_at[index]);
    if (number.length == 0)
        return fail(parse, "%s has no value: write %s behind it", name, value_kind(family));
    if (!value_parse(family, number, &value))
        return fail(parse, "%s: '%s' is not %s", name, view_shown(number).text, value_kind(family));
    if (view_next_word(&rest).length != 0)
        return fail(parse, "%s: more than one value: comments need a line of their own", name);
    parse->seen_at[index] = parse->line;
    Status status = weights_set(&parse->weights, name, value);
    if (status != OK)
        error_prefix("%s:%zu", parse->name, parse->line);
    return status == OK ? OK : ERR_PARSE;
}

static Status parse_line(Parse *parse, StrView line) {
    if (memchr(line.text, '\0', line.length) != NULL)
        return fail(parse, "a NUL byte: this is not a weights file, or a damaged one");
    line = view_trim(line);
    if (line.length == 0)
        return OK;
    if (line.text[0] == '#') {
        bool spaced = line.length > 1 && line.text[1] == ' ';
        str_append(&parse->weights.lineage, line.text + 1 + spaced, line.length - 1 - spaced);
        str_add(&parse->weights.lineage, "\n");
        return OK;
    }
    StrView word = view_next_word(&line);
    return view_equals(word, "family") ? parse_family(parse, line) : parse_value(parse, word, line);
}

static Status check_complete(const Parse *parse) {
    const Family *family = parse->weights.family;
    if (family == NULL)
        return fail(parse, "the file ends without a line 'family NAME VERSION': is it a weights "
                           "file?");
    size_t missing = 0;
    const char *first = NULL;
    for (size_t i = family->term_count; i-- > 0;)
        if (parse->seen_at[i] == 0) {
            missing++;
            first = family->terms[i].name;
        }
    if (missing == 0)
        return OK;
    return fail(parse, "the file ends with %zu of the %zu terms of family %s missing: add %s%s",
                missing, family->term_count, family->name, first,
                missing == 1 ? "" : " and others");
}

static Status parse_text(Weights *out, StrView text, const char *name, const Family *own) {
    static const char byte_order_mark[] = "\xEF\xBB\xBF";
    Parse parse = {.name = name, .own = own};
    Status status = OK;
    if (text.length >= 3 && memcmp(text.text, byte_order_mark, 3) == 0)
        text = view_of(text.text + 3, text.length - 3);
    while (status == OK && text.length > 0) {
        const char *end = memchr(text.text, '\n', text.length);
        size_t length = end == NULL ? text.length : (size_t)(end - text.text);
        size_t used = length + (end != NULL);
        parse.line++;
        status = parse_line(&parse, view_of(text.text, length));
        text = view_of(text.text + used, text.length - used);
    }
    if (status == OK)
        status = check_complete(&parse);
    if (status == OK)
        *out = parse.weights;
    else
        weights_free(&parse.weights);
    return status;
}

Status weights_parse(Weights *out, StrView text, const char *name) {
    return parse_text(out, text, name, NULL);
}

Status weights_load_own(Weights *out, const char *path, const Family *own) {
    Str found = {0}, text = {0};
    Status status = locate("weights", path, &found);
    if (status == OK)
        status = file_read(str_text(&found), FILE_MAX, &text);
    if (status == OK)
        status = parse_text(out, view_of(str_text(&text), text.length), path, own);
    str_free(&found);
    str_free(&text);
    return status;
}

Status weights_load(Weights *out, const char *path) {
    return weights_load_own(out, path, NULL);
}

Status weights_load_default(Weights *out) {
    static const char text[] =
#include "eval/default_weights.inc"
        ;
    return weights_parse(out, view_from_string(text), "the built-in weights");
}

// --- writing ---

static void write_lineage(StrView lineage, Str *out) {
    while (lineage.length > 0) {
        const char *end = memchr(lineage.text, '\n', lineage.length);
        size_t length = end == NULL ? lineage.length : (size_t)(end - lineage.text);
        size_t used = length + (end != NULL);
        str_add(out, length == 0 ? "#" : "# ");
        text_clean_line(out, view_of(lineage.text, length));
        str_add(out, "\n");
        lineage = view_of(lineage.text + used, lineage.length - used);
    }
}

static void write_values(const Weights *weights, Str *out) {
    const Family *family = weights->family;
    for (size_t i = 0; i < family->term_count; i++)
        str_addf(out, "%s %s\n", family->terms[i].name,
                 value_text(family, weights->parameters[i]).text);
}

void weights_write(const Weights *weights, Str *out) {
    write_lineage(view_of(str_text(&weights->lineage), weights->lineage.length), out);
    str_addf(out, "family %s %u\n", weights->family->name, weights->family->version);
    write_values(weights, out);
}

Status weights_save_values(const Weights *weights, const char *path) {
    Str text = {0};
    write_lineage(view_of(str_text(&weights->lineage), weights->lineage.length), &text);
    write_values(weights, &text);
    Status status = file_write(path, text.text, text.length);
    str_free(&text);
    return status;
}

Status weights_save(const Weights *weights, const char *path) {
    Str text = {0};
    weights_write(weights, &text);
    Status status = file_write(path, text.text, text.length);
    str_free(&text);
    return status;
}
