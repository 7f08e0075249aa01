// SPDX-License-Identifier: GPL-3.0-or-later
#include "fitness/linear/coefficient_reader.h"

#include "base/hash.h"
#include "base/lines.h"
#include "base/mem.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_MAX_BYTES = 1 << 20, CENTIPAWNS_MAX = 30000 };

struct CoefficientReader {
    LineReader *lines;
    CoefficientHeader *header; // owned
    StrView line; // the first position, met while the header was read; then the one at hand
    bool is_line_read;
    uint64_t positions, hash;
    uint64_t *seen_at;  // of each index, the position that had it last, from 1
    uint64_t offset_at; // the same of the offset
    CoefficientEntry *entries;
    int64_t *largest; // of each index, the size that its parameter can have
};

static Status fail_at_line(const CoefficientReader *reader, Status status) {
    error_prefix("%s:%" PRIu64, stream_name(lines_stream(reader->lines)),
                 lines_number(reader->lines));
    return status;
}

// --- lines ---

// The next line that holds more than a comment, without it; its text is NULL at the end.
static Status next_line(CoefficientReader *reader) {
    for (;;) {
        StrView line;
        reader->line = (StrView){0};
        TRY(lines_next(reader->lines, &line));
        if (line.text == NULL)
            return OK;
        if (line.length == 0)
            continue;
        reader->hash = hash_bytes(reader->hash, line.text, line.length);
        reader->hash = hash_bytes(reader->hash, "\n", 1);
        const char *comment = memchr(line.text, '#', line.length);
        if (comment != NULL)
            line.length = (size_t)(comment - line.text);
        reader->line = view_trim(line);
        if (reader->line.length > 0)
            return OK;
    }
}

static bool is_position(StrView line) {
    return line.text[0] == '-' || line.text[0] == '+' ||
           (line.text[0] >= '0' && line.text[0] <= '9');
}

static Status read_header(CoefficientReader *reader) {
    StrView first;
    TRY(lines_next(reader->lines, &first));
    Status status = coefficient_header_begin(first.text == NULL ? view_from_string("") : first);
    reader->hash = hash_bytes(reader->hash, first.text, first.length);
    while (status == OK) {
        TRY(next_line(reader)); // which names its line
        if (reader->line.text == NULL || is_position(reader->line))
            break;
        status = coefficient_header_add(reader->header, reader->line);
    }
    if (status == OK)
        status = coefficient_header_finish(reader->header);
    return status == OK ? OK : fail_at_line(reader, status);
}

Status coefficient_reader_open(CoefficientReader **out, const char *path) {
    CLEANUP(coefficient_reader_close_at)
    CoefficientReader *reader = mem_alloc_zero(1, sizeof *reader);
    *reader = (CoefficientReader){
        .header = coefficient_header_create(), .is_line_read = true, .hash = HASH_START};
    TRY(lines_open(&reader->lines, path, LINE_MAX_BYTES));
    TRY(read_header(reader));
    const size_t terms = reader->header->family.term_count;
    reader->seen_at = mem_alloc_zero(terms, sizeof *reader->seen_at);
    reader->entries = mem_alloc(terms * sizeof *reader->entries);
    reader->largest = mem_alloc(terms * sizeof *reader->largest);
    for (size_t i = 0; i < terms; i++) {
        const Term *term = &reader->header->family.terms[i];
        reader->largest[i] = -term->low > term->high ? -term->low : term->high;
    }
    *out = TAKE(reader);
    return OK;
}

void coefficient_reader_close(CoefficientReader *reader) {
    if (reader == NULL)
        return;
    if (reader->lines != NULL)
        lines_close(reader->lines);
    coefficient_header_destroy(reader->header);
    free(reader->seen_at);
    free(reader->entries);
    free(reader->largest);
    free(reader);
}

const CoefficientHeader *coefficient_reader_header(const CoefficientReader *reader) {
    return reader->header;
}

// --- positions ---

static Status parse_result(StrView text, int32_t *half_points) {
    static const struct {
        const char *text;
        int32_t half_points;
    } results[] = {{"0", 0},       {"0.0", 0}, {"0-1", 0}, {"0.5", 1}, {"1/2", 1},
                   {"1/2-1/2", 1}, {"1", 2},   {"1.0", 2}, {"1-0", 2}};
    for (size_t i = 0; i < sizeof results / sizeof *results; i++)
        if (view_equals(text, results[i].text)) {
            *half_points = results[i].half_points;
            return OK;
        }
    return error_set(ERR_PARSE, "'%s' is no result: write 1, 0.5 or 0 (1-0, 1/2-1/2, 0-1)",
                     view_shown(text).text);
}

static Status parse_label(const CoefficientReader *reader, StrView text, int32_t *label) {
    int64_t score;
    if (reader->header->label == LABEL_RESULT)
        return parse_result(text, label);
    if (!view_to_int(text, &score) || score < -CENTIPAWNS_MAX || score > CENTIPAWNS_MAX)
        return error_set(ERR_PARSE, "'%s' is no label: write whole centipawns from %d to %d",
                         view_shown(text).text, -CENTIPAWNS_MAX, CENTIPAWNS_MAX);
    *label = (int32_t)score;
    return OK;
}

static Status parse_offset(CoefficientReader *reader, StrView text, int32_t *offset) {
    const int64_t most = (int64_t)CENTIPAWNS_MAX * reader->header->family.scale;
    int64_t value;
    if (reader->offset_at == reader->positions)
        return error_set(ERR_PARSE, "there are two offsets");
    if (!view_to_int(text, &value) || value < -most || value > most)
        return error_set(ERR_PARSE,
                         "offset '%s' must be a whole number from -%" PRId64 " to %" PRId64,
                         view_shown(text).text, most, most);
    reader->offset_at = reader->positions;
    *offset = (int32_t)value;
    return OK;
}

// "12:-3", or "offset:40"
static Status parse_entry(CoefficientReader *reader, StrView word, CoefficientPosition *out) {
    const char *colon = memchr(word.text, ':', word.length);
    const size_t before = colon == NULL ? word.length : (size_t)(colon - word.text);
    const StrView name = view_of(word.text, before);
    const StrView number = view_of(word.text + before, word.length - before);
    const size_t terms = reader->header->family.term_count;
    int64_t index, count;
    if (colon == NULL)
        return error_set(ERR_PARSE, "'%s' is not INDEX:COUNT", view_shown(word).text);
    const StrView value = view_of(number.text + 1, number.length - 1);
    if (view_equals(name, "offset"))
        return parse_offset(reader, value, &out->offset);
    if (!view_to_int(name, &index) || index < 0 || (size_t)index >= terms)
        return error_set(ERR_PARSE, "there is no index '%s': the header declares 0 to %zu",
                         view_shown(name).text, terms - 1);
    if (reader->seen_at[index] == reader->positions)
        return error_set(ERR_PARSE, "index %" PRId64 " is there twice", index);
    if (!view_to_int(value, &count) || count < -INT16_MAX || count > INT16_MAX)
        return error_set(ERR_PARSE,
                         "index %" PRId64 ": '%s' is no count: write a whole number from %d to %d",
                         index, view_shown(value).text, -INT16_MAX, INT16_MAX);
    reader->seen_at[index] = reader->positions;
    if (count != 0)
        reader->entries[out->count++] = (CoefficientEntry){(uint16_t)index, (int16_t)count};
    return OK;
}

// Up to four digits; returns how many there were.
static size_t read_digits(const char *text, size_t length, unsigned *value) {
    size_t count = 0;
    *value = 0;
    for (; count < length && count < 4 && text[count] >= '0' && text[count] <= '9'; count++)
        *value = 10 * *value + (unsigned)(text[count] - '0');
    return count;
}

// Takes " 12:-3" off the front, as nearly all entries are written. False, and nothing is taken,
// where it is another: parse_entry knows them all, and what is wrong with the wrong ones.
static bool take_plain_entry(CoefficientReader *reader, StrView *rest, CoefficientPosition *out) {
    const char *text = rest->text;
    const size_t length = rest->length;
    unsigned index, count;
    if (length < 4 || text[0] != ' ')
        return false;
    size_t at = 1, digits = read_digits(text + at, length - at, &index);
    at += digits;
    if (digits == 0 || at + 1 >= length || text[at] != ':' ||
        index >= reader->header->family.term_count || reader->seen_at[index] == reader->positions)
        return false;
    const bool is_negative = text[++at] == '-';
    at += is_negative;
    digits = read_digits(text + at, length - at, &count);
    at += digits;
    if (digits == 0 || count == 0 || (at < length && text[at] != ' '))
        return false;
    reader->seen_at[index] = reader->positions;
    reader->entries[out->count++] =
        (CoefficientEntry){(uint16_t)index, (int16_t)(is_negative ? -(int)count : (int)count)};
    *rest = view_of(text + at, length - at);
    return true;
}

// Whoever computes with these numbers must not need more than 32 bits.
static Status check_size(const CoefficientReader *reader, const CoefficientPosition *position) {
    const Family *family = &reader->header->family;
    int64_t most = llabs((int64_t)position->label * family->scale) + llabs(position->offset);
    for (size_t i = 0; i < position->count; i++)
        most += reader->largest[position->entries[i].index] * abs(position->entries[i].count);
    return most <= INT32_MAX
               ? OK
               : error_set(ERR_LIMIT,
                           "within these bounds the score could be %" PRId64
                           ", more than 32 bits hold: narrow the bounds, or write smaller counts",
                           most);
}

static Status parse_position(CoefficientReader *reader, CoefficientPosition *out) {
    const StrView line = reader->line;
    const char *end = memchr(line.text, ';', line.length);
    if (!is_position(line))
        return error_set(ERR_PARSE, "'%s' among the positions: the header ends where they begin",
                         view_shown(line).text);
    if (end == NULL)
        return error_set(ERR_PARSE, "expected 'LABEL; INDEX:COUNT INDEX:COUNT ...'");
    const size_t length = (size_t)(end - line.text);
    StrView rest = view_of(end + 1, line.length - length - 1);
    *out = (CoefficientPosition){.entries = reader->entries};
    TRY(parse_label(reader, view_trim(view_of(line.text, length)), &out->label));
    for (StrView word;;) {
        if (take_plain_entry(reader, &rest, out))
            continue;
        if ((word = view_next_word(&rest)).length == 0)
            return check_size(reader, out);
        TRY(parse_entry(reader, word, out));
    }
}

void coefficient_position_spread(const CoefficientPosition *position, int16_t *counts,
                                 size_t count) {
    memset(counts, 0, count * sizeof *counts);
    for (size_t i = 0; i < position->count; i++)
        counts[position->entries[i].index] = position->entries[i].count;
}

Status coefficient_reader_next(CoefficientReader *reader, CoefficientPosition *out, bool *got) {
    if (!reader->is_line_read)
        TRY(next_line(reader));
    reader->is_line_read = false;
    *got = reader->line.text != NULL;
    if (!*got)
        return reader->positions > 0
                   ? OK
                   : fail_at_line(reader, error_set(ERR_PARSE, "there are no positions"));
    reader->positions++;
    const Status status = parse_position(reader, out);
    return status == OK ? OK : fail_at_line(reader, status);
}

// --- whole files ---

bool coefficient_file_is(const char *path) {
    CLEANUP(lines_close_at) LineReader *lines = NULL;
    StrView line;
    return lines_open(&lines, path, LINE_MAX_BYTES) == OK && lines_next(lines, &line) == OK &&
           line.length > 0 && coefficient_header_is_first(line);
}

Status coefficient_header_load(CoefficientHeader **out, const char *path) {
    CLEANUP(coefficient_reader_close_at) CoefficientReader *reader = NULL;
    TRY(coefficient_reader_open(&reader, path));
    *out = TAKE(reader->header);
    return OK;
}

Status coefficient_file_read(const char *path, const CoefficientHeader *header,
                             CoefficientTake *take, void *context, uint64_t *hash) {
    CLEANUP(coefficient_reader_close_at) CoefficientReader *reader = NULL;
    CoefficientPosition position;
    TRY(coefficient_reader_open(&reader, path));
    TRY_PREFIX(coefficient_header_compare(header, reader->header),
               "%s: its header is not that of the training set",
               stream_name(lines_stream(reader->lines)));
    for (bool got = true; got;) {
        TRY(coefficient_reader_next(reader, &position, &got));
        if (got)
            TRY(take(context, &position));
    }
    *hash = reader->hash;
    return OK;
}
