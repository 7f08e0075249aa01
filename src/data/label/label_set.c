// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/label/label_set.h"

#include "base/file.h"
#include "base/lines.h"
#include "base/locate.h"
#include "base/mem.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "data/label/label_answer.h"
#include "data/label/label_header.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// A label adds no more operations than this.
enum { LABEL_OPS_MAX = 5 + LABEL_LINES_MAX };

static Status take_position(LabelSet *set, LabelRecord *record, Epd *epd, StrView line) {
    char key[FEN_SIZE];
    TRY(epd_parse(epd, line));
    TRY(epd_check(epd));
    if (epd->op_count > EPD_OPS_MAX - LABEL_OPS_MAX)
        return error_set(ERR_LIMIT, "%zu operations leave no room for a label", epd->op_count);
    fen_write_board(&epd->pos, key);
    record->key = set->text.length;
    record->position = 0;
    str_append(&set->text, key, strlen(key) + 1);
    return OK;
}

static Status take_line(LabelSet *set, Epd *epd, StrView line, uint64_t number) {
    line = view_trim(line);
    if (line.length == 0 || label_header_has(line))
        return OK;
    LabelRecord record = {.text = set->text.length,
                          .length = line.length,
                          .position = LABEL_NO_POSITION,
                          .line = number};
    str_append(&set->text, line.text, line.length);
    if (line.text[0] != '#')
        TRY_PREFIX(take_position(set, &record, epd, line), "%s:%" PRIu64, set->path, number);
    MEM_ADD(set->records, set->record_count, set->record_capacity) = record;
    return OK;
}

static int compare_keys(const void *a, const void *b, void *context) {
    const LabelSet *set = context;
    const LabelRecord *const *one = a, *const *two = b;
    return strcmp(set->text.text + (*one)->key, set->text.text + (*two)->key);
}

static bool is_over(const char *key) {
    Position pos;
    StrView text = view_from_string(key);
    return fen_read(&text, &pos) == OK && !movegen_has_any(&pos);
}

// Gives each line the number of its position.
static void number_positions(LabelSet *set) {
    LabelRecord **sorted = mem_alloc_zero(set->record_count + 1, sizeof *sorted);
    size_t count = 0;
    for (size_t i = 0; i < set->record_count; i++)
        if (set->records[i].position != LABEL_NO_POSITION)
            sorted[count++] = &set->records[i];
    qsort_r(sorted, count, sizeof *sorted, compare_keys, set);
    set->positions = mem_alloc_zero(count + 1, sizeof *set->positions);
    for (size_t i = 0; i < count; i++) {
        const char *key = set->text.text + sorted[i]->key;
        if (i == 0 || strcmp(key, label_set_key(set, set->position_count - 1)) != 0)
            set->positions[set->position_count++] =
                (LabelPosition){.key = sorted[i]->key, .is_over = is_over(key)};
        sorted[i]->position = set->position_count - 1;
    }
    free(sorted);
}

Status label_set_load(LabelSet *out, const char *path) {
    CLEANUP(lines_close_at) LineReader *lines = NULL;
    CLEANUP(label_set_free) LabelSet set = {0};
    CLEANUP(epd_free) Epd epd = {0};
    CLEANUP(str_free) Str found = {0};
    StrView line;
    TRY(locate("data", path, &found));
    TRY(lines_open(&lines, str_text(&found), EPD_LINE_MAX));
    set.path = mem_copy_string(path);
    for (;;) {
        TRY(lines_next(lines, &line));
        if (line.text == NULL)
            break;
        TRY(take_line(&set, &epd, line, lines_number(lines)));
    }
    number_positions(&set);
    if (set.position_count == 0)
        return error_set(ERR_PARSE, "%s: no positions in this file", path);
    *out = set;
    set = (LabelSet){0};
    assert(label_set_is_valid(out));
    return OK;
}

void label_set_of(LabelSet *out, const char *path, const Position *positions, size_t count) {
    *out = (LabelSet){.path = mem_copy_string(path)};
    for (size_t i = 0; i < count; i++) {
        char key[FEN_SIZE];
        fen_write_board(&positions[i], key);
        MEM_ADD(out->records, out->record_count, out->record_capacity) =
            (LabelRecord){.text = out->text.length,
                          .length = strlen(key),
                          .key = out->text.length,
                          .line = i + 1};
        str_append(&out->text, key, strlen(key) + 1);
    }
    number_positions(out);
    assert(label_set_is_valid(out));
}

void label_set_free(LabelSet *set) {
    for (size_t i = 0; i < set->position_count; i++) {
        free(set->positions[i].answer);
        free(set->positions[i].failure);
    }
    free(set->positions);
    free(set->records);
    free(set->path);
    str_free(&set->text);
    *set = (LabelSet){0};
}

bool label_set_is_valid(const LabelSet *set) {
    for (size_t i = 0; i < set->record_count; i++) {
        const size_t position = set->records[i].position;
        if (position != LABEL_NO_POSITION && position >= set->position_count)
            return false;
    }
    for (size_t i = 0; i < set->position_count; i++) {
        const LabelPosition *position = &set->positions[i];
        if (position->key >= set->text.length ||
            (position->answer != NULL && (position->failure != NULL || position->is_over)) ||
            (i > 0 && strcmp(label_set_key(set, i - 1), label_set_key(set, i)) >= 0))
            return false;
    }
    return true;
}

const char *label_set_key(const LabelSet *set, size_t position) {
    return set->text.text + set->positions[position].key;
}

// Puts the label of its position into a record.
static Status label_record(const LabelPosition *position, const LabelSource *source, Epd *epd,
                           LabelCounts *counts) {
    LabelAnswer answer = {0};
    label_answer_clear(epd, source->lines);
    if (position->answer == NULL) {
        *(position->is_over ? &counts->over : &counts->failed) += 1;
        return OK;
    }
    TRY(label_answer_read(&epd->pos, view_from_string(position->answer), &answer));
    TRY(label_answer_put(&answer, source->mentor, epd));
    counts->labelled++;
    counts->mates += answer.lines[0].is_mate;
    return OK;
}

// Appends the line of a record, with its label.
static Status add_record(const LabelSet *set, const LabelRecord *record, const LabelSource *source,
                         LabelCounts *counts, Str *out) {
    const StrView line = view_of(set->text.text + record->text, record->length);
    CLEANUP(epd_free) Epd epd = {0};
    if (record->position == LABEL_NO_POSITION) {
        str_append(out, line.text, line.length);
        return OK;
    }
    TRY(epd_parse(&epd, line));
    TRY(label_record(&set->positions[record->position], source, &epd, counts));
    epd_write(&epd, out);
    return OK;
}

Status label_set_write(const LabelSet *set, const char *path, const LabelSource *source,
                       LabelCounts *counts) {
    CLEANUP(outfile_discard_at) OutFile *file = NULL;
    CLEANUP(str_free) Str text = {0};
    *counts = (LabelCounts){0};
    assert(label_set_is_valid(set));
    TRY(outfile_open(&file, path));
    TRY(outfile_write(file, source->header, strlen(source->header)));
    for (size_t i = 0; i < set->record_count; i++) {
        const LabelRecord *record = &set->records[i];
        str_clear(&text);
        TRY_PREFIX(add_record(set, record, source, counts, &text), "%s:%" PRIu64, set->path,
                   record->line);
        str_add(&text, "\n");
        TRY(outfile_write(file, text.text, text.length));
    }
    OutFile *whole = file;
    file = NULL;
    return outfile_commit(whole);
}
