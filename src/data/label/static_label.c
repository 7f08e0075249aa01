// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/label/static_label.h"

#include "base/file.h"
#include "base/lines.h"
#include "base/locate.h"
#include "base/mem.h"
#include "chess/epd.h"
#include "chess/movegen.h"
#include "data/label/label_answer.h"
#include "eval/evaluator.h"

#include <inttypes.h>
#include <stdlib.h>

typedef struct Writer {
    Evaluator *evaluator;
    const char *mentor;
    LineReader *lines;
    OutFile *file;
    Epd *record;
    Str text;
    uint64_t labelled;
} Writer;

static Status put_label(Writer *writer) {
    Epd *record = writer->record;
    Status status = epd_set_int(record, "ce", evaluator_score(writer->evaluator, &record->pos));
    if (status == OK)
        status = epd_set_int(record, "acd", 0);
    if (status == OK)
        status = epd_set_string(record, "c1", view_from_string(writer->mentor));
    writer->labelled += status == OK;
    return status;
}

// Makes the line to write of one that was read.
static Status label_line(Writer *writer, StrView line) {
    if (line.text[0] == '#') {
        str_append(&writer->text, line.text, line.length);
        return OK;
    }
    Status status = epd_parse(writer->record, line);
    if (status != OK)
        return status;
    label_answer_clear(writer->record, 1);
    if (movegen_has_any(&writer->record->pos))
        status = put_label(writer);
    epd_write(writer->record, &writer->text);
    return status;
}

static Status write_line(Writer *writer, StrView line) {
    line = view_trim(line);
    if (line.length == 0)
        return OK;
    str_clear(&writer->text);
    Status status = label_line(writer, line);
    if (status != OK) {
        error_prefix("%s:%" PRIu64, stream_name(lines_stream(writer->lines)),
                     lines_number(writer->lines));
        return status;
    }
    str_add(&writer->text, "\n");
    return outfile_write(writer->file, writer->text.text, writer->text.length);
}

static Status write_lines(Writer *writer, const char *path) {
    StrView line;
    Status status = lines_open(&writer->lines, path, EPD_LINE_MAX);
    if (status != OK)
        return status;
    while ((status = lines_next(writer->lines, &line)) == OK && line.text != NULL)
        if ((status = write_line(writer, line)) != OK)
            break;
    lines_close(writer->lines);
    return status;
}

Status static_label_file(const char *path, const Weights *weights, const char *name,
                         const char *out_path, uint64_t *labelled) {
    Str mentor = {0}, found = {0};
    Writer writer = {0};
    Status status = locate("data", path, &found);
    if (status == OK)
        status = outfile_open(&writer.file, out_path);
    if (status != OK) {
        str_free(&found);
        return status;
    }
    str_addf(&mentor, "%s, static", name);
    writer.mentor = str_text(&mentor);
    writer.evaluator = evaluator_create(weights, false);
    writer.record = mem_alloc_zero(1, sizeof *writer.record);
    status = write_lines(&writer, str_text(&found));
    if (status == OK && writer.labelled == 0)
        status = error_set(ERR_PARSE, "%s: no position to label in this file", path);
    if (status == OK)
        status = outfile_commit(writer.file);
    else
        outfile_discard(writer.file);
    *labelled = writer.labelled;
    evaluator_destroy(writer.evaluator);
    epd_free(writer.record);
    free(writer.record);
    str_free(&writer.text);
    str_free(&mentor);
    str_free(&found);
    return status;
}
