// SPDX-License-Identifier: GPL-3.0-or-later
#include "fitness/mentor_set.h"

#include "base/hash.h"
#include "base/mem.h"
#include "fitness/epd_batch.h"

#include <stdlib.h>

// What is known of the records of a batch until they are taken.
typedef struct Reading {
    const MentorSetOptions *options;
    MentorSet *set;
    MentorLabel *labels;
    int16_t *rows;
    Position *positions; // NULL where they are not kept
    size_t terms;
} Reading;

size_t mentor_row_terms(const MentorSetOptions *options) {
    return options->family->coefficient_count + options->tempo;
}

void mentor_row(const MentorSetOptions *options, const Position *pos, int16_t *row) {
    Trace trace;
    const size_t count = options->family->coefficient_count;
    family_trace(options->family, pos, &trace);
    const int sign = position_turn(pos) == WHITE ? 1 : -1;
    for (size_t i = 0; i < count; i++)
        row[i] = (int16_t)(sign * trace.counts[i]);
    if (options->tempo)
        row[count] = 1;
}

static Status read_record(void *context, const Epd *epd, size_t slot) {
    Reading *reading = context;
    const MentorSetOptions *options = reading->options;
    MentorLabel *label = &reading->labels[slot];
    *label = mentor_label_of(epd, &options->limits);
    if (label->fate == FATE_USED && options->quiet_only && !position_is_quiet_for_both(&epd->pos))
        label->fate = FATE_NOT_QUIET;
    if (label->fate != FATE_USED)
        return OK;
    if (reading->positions != NULL)
        reading->positions[slot] = epd->pos;
    mentor_row(options, &epd->pos, reading->rows + slot * reading->terms);
    return OK;
}

static void keep_position(PlayedSet *kept, const Position *pos) {
    kept->items = vec_grow(kept->items, &kept->capacity, kept->count + 1, sizeof *kept->items);
    kept->items[kept->count++] = (PlayedItem){.pos = *pos};
}

static Status take_record(void *context, size_t slot) {
    Reading *reading = context;
    MentorSet *set = reading->set;
    const MentorLabel *label = &reading->labels[slot];
    mentor_totals_add(&set->totals, label);
    if (label->fate != FATE_USED)
        return OK;
    if (reading->positions != NULL)
        keep_position(&set->positions, &reading->positions[slot]);
    return counts_add(&set->matrix, reading->rows + slot * reading->terms,
                      label->score * reading->options->family->scale);
}

Status mentor_set_load(MentorSet *out, const char *path, const MentorSetOptions *options,
                       DistPool *pool) {
    Status status = mentor_limits_check(&options->limits);
    if (status == OK && options->family->taper != NULL)
        status = error_set(ERR_ARG,
                           "family %s is tapered: it cannot be learned from a mentor's scores by "
                           "evolution, only from moves; `falconer tune` fits it to scores",
                           options->family->name);
    if (status != OK)
        return status;
    Reading reading = {.options = options, .set = out, .terms = mentor_row_terms(options)};
    reading.labels = mem_alloc(EPD_BATCH * sizeof *reading.labels);
    reading.rows = mem_alloc(EPD_BATCH * reading.terms * sizeof *reading.rows);
    if (options->keep_positions)
        reading.positions = mem_alloc(EPD_BATCH * sizeof *reading.positions);
    *out = (MentorSet){.hash = HASH_START, .limits = options->limits};
    counts_init(&out->matrix, reading.terms);
    const EpdBatchReader reader = {read_record, take_record, &reading};
    status = epd_batch_read(path, &reader, pool, &out->hash);
    if (status == OK)
        status = mentor_totals_check(&out->totals, path);
    free(reading.rows);
    free(reading.positions);
    free(reading.labels);
    if (status != OK)
        mentor_set_free(out);
    return status;
}

void mentor_set_free(MentorSet *set) {
    counts_free(&set->matrix);
    played_set_free(&set->positions);
}

void mentor_set_describe(const MentorSet *set, Str *out) {
    mentor_totals_describe(&set->totals, &set->limits, out);
}
