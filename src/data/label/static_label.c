// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/label/static_label.h"

#include "base/file.h"
#include "base/lines.h"
#include "base/locate.h"
#include "chess/epd.h"
#include "chess/movegen.h"
#include "data/label/label_answer.h"
#include "data/label/label_header.h"
#include "eval/evaluator.h"

#include <inttypes.h>

typedef struct Writer {
    Evaluator *evaluator;
    Str mentor;
    Epd record;
    uint64_t labelled;
} Writer;

static Status put_label(Writer *writer) {
    Epd *record = &writer->record;
    TRY(epd_set_int(record, "ce", evaluator_score(writer->evaluator, &record->pos)));
    TRY(epd_set_int(record, "acd", 0));
    TRY(epd_set_string(record, "c1", view_from_string(str_text(&writer->mentor))));
    writer->labelled++;
    return OK;
}

// Makes the line to write of one that was read.
static Status label_line(Writer *writer, StrView line, Str *out) {
    if (line.text[0] == '#') {
        str_append(out, line.text, line.length);
        return OK;
    }
    TRY(epd_parse(&writer->record, line));
    label_answer_clear(&writer->record, 1);
    if (movegen_has_any(&writer->record.pos))
        TRY(put_label(writer));
    epd_write(&writer->record, out);
    return OK;
}

static Status write_header(const Writer *writer, const Weights *weights, const char *name,
                           OutFile *file) {
    CLEANUP(str_free) Str header = {0};
    label_header_add(&header, "%s", str_text(&writer->mentor));
    label_header_add_weights(&header, name, weights);
    return outfile_write(file, header.text, header.length);
}

static Status write_lines(Writer *writer, LineReader *lines, OutFile *file) {
    CLEANUP(str_free) Str text = {0};
    StrView line;
    for (;;) {
        TRY(lines_next(lines, &line));
        if (line.text == NULL)
            return OK;
        line = view_trim(line);
        if (line.length == 0 || label_header_has(line))
            continue;
        str_clear(&text);
        TRY_PREFIX(label_line(writer, line, &text), "%s:%" PRIu64, stream_name(lines_stream(lines)),
                   lines_number(lines));
        str_add(&text, "\n");
        TRY(outfile_write(file, text.text, text.length));
    }
}

static void free_writer(Writer *writer) {
    evaluator_destroy(writer->evaluator);
    epd_free(&writer->record);
    str_free(&writer->mentor);
}

Status static_label_file(const char *path, const Weights *weights, const char *name,
                         const char *out_path, uint64_t *labelled) {
    CLEANUP(free_writer) Writer writer = {0};
    CLEANUP(outfile_discard_at) OutFile *file = NULL;
    CLEANUP(lines_close_at) LineReader *lines = NULL;
    CLEANUP(str_free) Str found = {0};
    TRY(locate("data", path, &found));
    TRY(outfile_open(&file, out_path));
    str_addf(&writer.mentor, "%s, static", name);
    writer.evaluator = evaluator_create(weights, false);
    TRY(lines_open(&lines, str_text(&found), EPD_LINE_MAX));
    TRY(write_header(&writer, weights, name, file));
    TRY(write_lines(&writer, lines, file));
    *labelled = writer.labelled;
    if (writer.labelled == 0)
        return error_set(ERR_PARSE, "%s: no position to label in this file", path);
    OutFile *whole = file;
    file = NULL;
    return outfile_commit(whole);
}
