// SPDX-License-Identifier: GPL-3.0-or-later
#include "fitness/coefficient_set.h"

#include "base/mem.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

Status coefficient_header_load(CoefficientHeader **out, const char *path) {
    CoefficientReader *reader;
    const Status status = coefficient_reader_open(&reader, path);
    if (status != OK)
        return status;
    *out = coefficient_reader_take_header(reader);
    coefficient_reader_close(reader);
    return OK;
}

// Cuts a label to the limit; false where it is to be left out.
static bool treat_label(const MentorLimits *limits, int32_t *label, MentorTotals *totals) {
    if (limits->clamp == 0 || abs(*label) <= limits->clamp)
        return true;
    totals->beyond++;
    *label = *label > 0 ? limits->clamp : -limits->clamp;
    return limits->beyond == MENTOR_CLAMP;
}

static Status add_position(MentorSet *set, const CoefficientPosition *position, int32_t label,
                           int scale, int16_t *row) {
    memset(row, 0, set->matrix.terms * sizeof *row);
    for (size_t i = 0; i < position->count; i++)
        row[position->entries[i].index] = position->entries[i].count;
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
        int32_t label = position.label;
        set->totals.lines++;
        if (!treat_label(&options->limits, &label, &set->totals))
            continue;
        set->totals.used++;
        status = add_position(set, &position, label, scale, row);
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
    *out = (MentorSet){.limits = options->limits};
    counts_init(&out->matrix, header->family.term_count);
    status = coefficient_header_compare(header, coefficient_reader_header(reader));
    if (status != OK)
        error_prefix("%s: its header is not that of the training set", path);
    if (status == OK)
        status = read_positions(out, reader, options);
    if (status == OK && out->totals.used == 0)
        status = error_set(ERR_ARG,
                           "%s: all %" PRIu64 " positions are beyond the limit of %d "
                           "centipawns",
                           path, out->totals.lines, options->limits.clamp);
    out->hash = coefficient_reader_hash(reader);
    coefficient_reader_close(reader);
    if (status != OK)
        mentor_set_free(out);
    return status;
}
