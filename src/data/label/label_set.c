// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/label/label_set.h"

#include "base/file.h"
#include "base/lines.h"
#include "base/locate.h"
#include "base/mem.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "data/label/label_answer.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// A label adds no more operations than this.
enum { LABEL_OPS_MAX = 5 + LABEL_LINES_MAX };

static Status take_position(LabelSet *set, LabelRecord *record, Epd *epd, StrView line) {
    char key[FEN_SIZE];
    Status status = epd_parse(epd, line);
    if (status == OK)
        status = epd_check(epd);
    if (status == OK && epd->op_count > EPD_OPS_MAX - LABEL_OPS_MAX)
        status = error_set(ERR_LIMIT, "%zu operations leave no room for a label", epd->op_count);
    if (status != OK)
        return status;
    fen_write_board(&epd->pos, key);
    record->key = set->text.length;
    record->position = 0;
    str_append(&set->text, key, strlen(key) + 1);
    return OK;
}

static Status take_line(LabelSet *set, Epd *epd, StrView line, uint64_t number) {
    line = view_trim(line);
    if (line.length == 0)
        return OK;
    LabelRecord record = {.text = set->text.length,
                          .length = line.length,
                          .position = LABEL_NO_POSITION,
                          .line = number};
    str_append(&set->text, line.text, line.length);
    if (line.text[0] != '#') {
        Status status = take_position(set, &record, epd, line);
        if (status != OK) {
            error_prefix("%s:%" PRIu64, set->path, number);
            return status;
        }
    }
    set->records =
        mem_grow(set->records, &set->record_capacity, set->record_count + 1, sizeof *set->records);
    set->records[set->record_count++] = record;
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
    LineReader *lines;
    StrView line;
    Str found = {0};
    Status status = locate("data", path, &found);
    if (status == OK)
        status = lines_open(&lines, str_text(&found), EPD_LINE_MAX);
    str_free(&found);
    if (status != OK)
        return status;
    *out = (LabelSet){.path = mem_copy_string(path)};
    Epd *epd = mem_alloc_zero(1, sizeof *epd);
    while ((status = lines_next(lines, &line)) == OK && line.text != NULL) {
        status = take_line(out, epd, line, lines_number(lines));
        if (status != OK)
            break;
    }
    lines_close(lines);
    epd_free(epd);
    free(epd);
    if (status == OK)
        number_positions(out);
    if (status == OK && out->position_count == 0)
        status = error_set(ERR_PARSE, "%s: no positions in this file", path);
    if (status != OK)
        label_set_free(out);
    return status;
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

const char *label_set_key(const LabelSet *set, size_t position) {
    return set->text.text + set->positions[position].key;
}

// Puts the label of its position into a record.
static Status label_record(const LabelPosition *position, const char *mentor, int lines, Epd *epd,
                           LabelCounts *counts) {
    LabelAnswer answer = {0};
    label_answer_clear(epd, lines);
    if (position->answer == NULL) {
        *(position->is_over ? &counts->over : &counts->failed) += 1;
        return OK;
    }
    Status status = label_answer_read(&epd->pos, view_from_string(position->answer), &answer);
    if (status == OK)
        status = label_answer_put(&answer, mentor, epd);
    counts->labelled += status == OK;
    counts->mates += status == OK && answer.lines[0].is_mate;
    return status;
}

Status label_set_write(const LabelSet *set, const char *path, const char *mentor, int lines,
                       LabelCounts *counts) {
    OutFile *file;
    *counts = (LabelCounts){0};
    Status status = outfile_open(&file, path);
    if (status != OK)
        return status;
    Str text = {0};
    Epd *epd = mem_alloc_zero(1, sizeof *epd);
    for (size_t i = 0; i < set->record_count && status == OK; i++) {
        const LabelRecord *record = &set->records[i];
        StrView line = view_of(set->text.text + record->text, record->length);
        str_clear(&text);
        if (record->position == LABEL_NO_POSITION) {
            str_append(&text, line.text, line.length);
        } else {
            status = epd_parse(epd, line);
            if (status == OK)
                status =
                    label_record(&set->positions[record->position], mentor, lines, epd, counts);
            epd_write(epd, &text);
        }
        str_add(&text, "\n");
        if (status != OK)
            error_prefix("%s:%" PRIu64, set->path, record->line);
        else
            status = outfile_write(file, text.text, text.length);
    }
    epd_free(epd);
    free(epd);
    str_free(&text);
    if (status == OK)
        return outfile_commit(file);
    outfile_discard(file);
    return status;
}
