// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/weights.h"

#include "base/file.h"
#include "base/hash.h"
#include "base/text.h"
#include "eval/bundled.h"
#include "eval/value.h"

#include <assert.h>
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

bool weights_are_valid(const Weights *weights) {
    for (size_t i = 0; i < weights->family->term_count; i++)
        if (weights->parameters[i] < weights->family->terms[i].low ||
            weights->parameters[i] > weights->family->terms[i].high)
            return false;
    return true;
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
    int64_t version;           // of its family, as the file has it
    Str *notes;                // of a migration: what was done to read the file; else NULL
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
    CLEANUP(str_free) Str known = {0};
    if (view_equals(name, FAMILY_COEFFICIENTS))
        return fail(parse, "these are the values of another engine's coefficients: that engine "
                           "plays with them, and falconer evolve --start goes on from them");
    if (view_equals(name, FAMILY_SEARCH))
        return fail(parse, "these are settings of the search, not of the evaluation: eyas --search "
                           "and the option SearchFile take them");
    for (size_t i = 0; families[i] != NULL; i++)
        str_addf(&known, "%s%s", i == 0 ? "" : ", ", families[i]->name);
    return fail(parse, "unknown family '%s': write one of %s", view_shown(name).text,
                str_text(&known));
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
    if (version != family->version && parse->notes == NULL)
        return fail(parse,
                    "version %" PRId64 " of family %s, but this program has version %u: convert "
                    "the file with falconer weights migrate",
                    version, family->name, family->version);
    if (version != family->version)
        str_addf(parse->notes, "family %s: from version %" PRId64 " to version %u\n", family->name,
                 version, family->version);
    parse->version = version;
    set_family(parse, family);
    return OK;
}

// What an older version's weight is in this one's terms.
static int64_t rescale(const Parse *parse, size_t index, int64_t value) {
    const Family *family = parse->weights.family;
    const Rescaled *change = family->rescaled;
    for (; change != NULL && change->version != 0; change++) {
        int64_t scaled; // a value too large to scale is out of bounds as it is
        if (change->term != index || parse->version >= change->version ||
            __builtin_mul_overflow(value, change->factor, &scaled))
            continue;
        str_addf(parse->notes, "%s: %s of version %" PRId64 " is %s since version %u\n",
                 family->terms[index].name, value_text(family, value).text, parse->version,
                 value_text(family, scaled).text, change->version);
        value = scaled;
    }
    return value;
}

static int64_t move_into_bounds(const Parse *parse, const Term *term, int64_t value) {
    const Family *family = parse->weights.family;
    const int64_t moved = value < term->low ? term->low : value > term->high ? term->high : value;
    if (moved != value)
        str_addf(parse->notes, "%s: %s is out of bounds, now %s\n", term->name,
                 value_text(family, value).text, value_text(family, moved).text);
    return moved;
}

// "KNIGHT_VALUE 322"
static Status parse_value(Parse *parse, StrView word, StrView rest) {
    const ShownText shown = view_shown(word);
    const char *name = shown.text;
    const Family *family = parse->weights.family;
    StrView number = view_next_word(&rest);
    int64_t value;
    // Values of a foreign family need not name it.
    if (family == NULL && parse->own != NULL && family_is_foreign(parse->own)) {
        set_family(parse, parse->own);
        family = parse->own;
    }
    if (family == NULL)
        return fail(parse, "'%s' before the family: write a line such as 'family maestro 1' first",
                    name);
    int index = family_find_term(family, name);
    if (index < 0 && parse->notes == NULL)
        return fail(parse,
                    "family %s has no term '%s': correct the name, or drop the term with falconer "
                    "weights migrate",
                    family->name, name);
    if (index < 0) {
        str_addf(parse->notes, "%s %s: dropped, the family has no such term\n", name,
                 view_shown(number).text);
        return OK;
    }
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
    if (parse->notes != NULL)
        value =
            move_into_bounds(parse, &family->terms[index], rescale(parse, (size_t)index, value));
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
    if (missing == 0 || parse->notes != NULL)
        return OK;
    return fail(parse,
                "the file ends with %zu of the %zu terms of family %s missing: add %s%s, or let "
                "falconer weights migrate add them",
                missing, family->term_count, family->name, first,
                missing == 1 ? "" : " and others");
}

static Status parse_lines(Parse *parse, StrView text) {
    static const char byte_order_mark[] = "\xEF\xBB\xBF";
    if (text.length >= 3 && memcmp(text.text, byte_order_mark, 3) == 0)
        text = view_of(text.text + 3, text.length - 3);
    while (text.length > 0) {
        const char *end = memchr(text.text, '\n', text.length);
        size_t length = end == NULL ? text.length : (size_t)(end - text.text);
        size_t used = length + (end != NULL);
        parse->line++;
        TRY(parse_line(parse, view_of(text.text, length)));
        text = view_of(text.text + used, text.length - used);
    }
    return check_complete(parse);
}

// Moves what was read to `out`, or frees it.
static Status finish(Parse *parse, Status status, Weights *out) {
    if (status == OK)
        *out = parse->weights;
    else
        weights_free(&parse->weights);
    assert(status != OK || weights_are_valid(out));
    return status;
}

Status weights_parse(Weights *out, StrView text, const char *name) {
    Parse parse = {.name = name};
    return finish(&parse, parse_lines(&parse, text), out);
}

static Status parse_file(Parse *parse, const char *path) {
    CLEANUP(str_free) Str found = {0};
    CLEANUP(str_free) Str text = {0};
    parse->name = path;
    TRY(bundled_locate(path, &found));
    TRY(file_read(str_text(&found), FILE_MAX, &text));
    return parse_lines(parse, view_of(str_text(&text), text.length));
}

Status weights_load_own(Weights *out, const char *path, const Family *own) {
    Parse parse = {.own = own};
    return finish(&parse, parse_file(&parse, path), out);
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

Status weights_load_or_default(Weights *out, const char *path) {
    return path == NULL ? weights_load_default(out) : weights_load(out, path);
}

// --- migrating ---

// "NAME=VALUE" in front of all that the file says.
static Status apply_set(Parse *parse, const char *text) {
    Weights *weights = &parse->weights;
    const char *equals = strchr(text, '=');
    CLEANUP(str_free) Str name = {0};
    int64_t value;
    str_append(&name, text, equals == NULL ? strlen(text) : (size_t)(equals - text));
    if (equals == NULL || !value_parse(weights->family, view_from_string(equals + 1), &value))
        return error_set(ERR_ARG, "'%s' is not NAME=VALUE, with %s", text,
                         value_kind(weights->family));
    TRY(weights_set(weights, str_text(&name), value));
    parse->seen_at[family_find_term(weights->family, str_text(&name))] = 1;
    str_addf(parse->notes, "%s: set to %s\n", str_text(&name),
             value_text(weights->family, value).text);
    return OK;
}

static void add_missing(Parse *parse, WeightsMissing missing) {
    const Family *family = parse->weights.family;
    for (size_t i = 0; i < family->term_count; i++) {
        const Term *term = &family->terms[i];
        const bool is_zero = missing == MISSING_ZERO && term->low <= 0 && term->high >= 0;
        if (parse->seen_at[i] != 0)
            continue;
        parse->weights.parameters[i] = is_zero ? 0 : term->start;
        str_addf(parse->notes, "%s: added with %s, %s\n", term->name,
                 value_text(family, parse->weights.parameters[i]).text,
                 is_zero ? "so that it counts for nothing" : "the family's default");
    }
}

static Status migrate(Parse *parse, const char *path, const WeightsMigration *how) {
    TRY(parse_file(parse, path));
    for (size_t i = 0; i < how->set_count; i++)
        TRY_PREFIX(apply_set(parse, how->set[i]), "--set");
    add_missing(parse, how->missing);
    return OK;
}

// The notes become lines of the lineage: "migrated: NAME: added with 0, ...".
Status weights_migrate(Weights *out, const char *path, const WeightsMigration *how, Str *notes) {
    Parse parse = {.notes = notes};
    const size_t before = notes->length;
    TRY(finish(&parse, migrate(&parse, path, how), out));
    for (const char *line = str_text(notes) + before; *line != '\0';) {
        const size_t length = strcspn(line, "\n");
        str_addf(&out->lineage, "migrated: %.*s\n", (int)length, line);
        line += length + (line[length] == '\n');
    }
    return OK;
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

static void write_family(const Weights *weights, Str *out) {
    str_addf(out, "family %s %u\n", weights->family->name, weights->family->version);
    write_values(weights, out);
}

void weights_write(const Weights *weights, Str *out) {
    write_lineage(view_of(str_text(&weights->lineage), weights->lineage.length), out);
    write_family(weights, out);
}

uint64_t weights_digest(const Weights *weights) {
    CLEANUP(str_free) Str text = {0};
    write_family(weights, &text);
    return hash_bytes(HASH_START, text.text, text.length);
}

Status weights_save_values(const Weights *weights, const char *path) {
    CLEANUP(str_free) Str text = {0};
    write_lineage(view_of(str_text(&weights->lineage), weights->lineage.length), &text);
    write_values(weights, &text);
    return file_write(path, text.text, text.length);
}

Status weights_save(const Weights *weights, const char *path) {
    CLEANUP(str_free) Str text = {0};
    weights_write(weights, &text);
    return file_write(path, text.text, text.length);
}
