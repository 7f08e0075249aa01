// SPDX-License-Identifier: GPL-3.0-or-later
#include "fitness/linear/coefficient_set.h"

#include "base/lines.h"
#include "base/mem.h"

#include <stdlib.h>

enum { FIRST_LINE_MAX = 1 << 20 };

bool coefficients_are_in(const char *path) {
    LineReader *lines;
    StrView line;
    if (lines_open(&lines, path, FIRST_LINE_MAX) != OK)
        return false;
    const bool are_in =
        lines_next(lines, &line) == OK && line.length > 0 && coefficients_begin(line);
    lines_close(lines);
    return are_in;
}

Status coefficient_header_load(CoefficientHeader **out, const char *path) {
    CoefficientReader *reader;
    const Status status = coefficient_reader_open(&reader, path);
    if (status != OK)
        return status;
    *out = coefficient_reader_take_header(reader);
    coefficient_reader_close(reader);
    return OK;
}

static Status add_position(MentorSet *set, const CoefficientPosition *position, int32_t label,
                           int scale, int16_t *row) {
    coefficient_position_spread(position, row, set->matrix.terms);
    return counts_add(&set->matrix, row, label * scale - position->offset);
}

static Status read_positions(MentorSet *set, CoefficientReader *reader,
                             const MentorSetOptions *options) {
    const int scale = options->family->scale;
    int16_t *row = mem_alloc(set->matrix.terms * sizeof *row);
    CoefficientPosition position = {0};
    Status status = OK;
    bool got = true;
    while (status == OK && got) {
        status = coefficient_reader_next(reader, &position, &got);
        if (status != OK || !got)
            break;
        const MentorLabel label = mentor_label_limit(position.label, &options->limits);
        mentor_totals_add(&set->totals, &label);
        if (label.fate == FATE_USED)
            status = add_position(set, &position, label.score, scale, row);
    }
    free(row);
    return status;
}

Status coefficient_set_load(MentorSet *out, const char *path, const CoefficientHeader *header,
                            const MentorSetOptions *options) {
    CoefficientReader *reader;
    Status status = coefficient_reader_open(&reader, path);
    if (status != OK)
        return status;
    *out = (MentorSet){.mentors = 1, .limits = options->limits};
    counts_init(&out->matrix, header->family.term_count);
    status = coefficient_reader_check_header(reader, header);
    if (status == OK)
        status = read_positions(out, reader, options);
    if (status == OK)
        status = mentor_totals_check(&out->totals, path);
    out->hash = coefficient_reader_hash(reader);
    coefficient_reader_close(reader);
    if (status != OK)
        mentor_set_free(out);
    return status;
}
