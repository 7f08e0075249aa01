// SPDX-License-Identifier: GPL-3.0-or-later
#include "fitness/linear/mentor_set.h"

#include "base/hash.h"
#include "base/mem.h"
#include "chess/phase.h"
#include "data/seen.h"
#include "fitness/linear/coefficient_reader.h"
#include "fitness/linear/epd_batch.h"

#include <stdlib.h>
#include <string.h>

// What is known of the positions of a batch until they are taken.
typedef struct Reading {
    const MentorSetOptions *options;
    MentorSet *set;
    MentorLabel *labels; // what became of a position; the first mentor's score
    int32_t *scores;     // of each position one for each mentor
    int16_t *rows;
    Position *positions;    // NULL where they are not kept
    uint64_t *keys;         // the same
    PackedPosition *boards; // the same
    size_t terms;
} Reading;

size_t mentor_row_terms(const MentorSetOptions *options) {
    return options->family->coefficient_count + options->tempo;
}

bool mentor_row(const MentorSetOptions *options, const Position *pos, int16_t *row) {
    const Family *family = options->family;
    Trace trace;
    const size_t count = family->coefficient_count;
    const int sign = position_turn(pos) == WHITE ? 1 : -1;
    const Taper taper = family->taper == NULL ? (Taper){1, 1} : family->taper(pos);
    bool fits = true;
    family_trace(family, pos, &trace);
    for (size_t i = 0; i < count; i++) {
        const int share = i % 2 == 0 ? taper.middlegame : taper.endgame;
        const int value = sign * share * trace.counts[family->taper == NULL ? i : i / 2];
        fits = fits && value >= -INT16_MAX && value <= INT16_MAX;
        row[i] = (int16_t)value;
    }
    // A tempo is told in the units of weights, and is the same in every position.
    if (options->tempo)
        row[count] = (int16_t)(family->scale / family->unit);
    return fits;
}

// The labels of all mentors, and what becomes of the position: the first reason that one of them
// gives.
static MentorLabel join_labels(const Reading *reading, const Epd *records, int32_t *scores) {
    const MentorLimits *limits = &reading->options->limits;
    MentorLabel joint = mentor_label_of(&records[0], limits);
    scores[0] = joint.score;
    for (size_t m = 1; m < reading->set->mentors; m++) {
        const MentorLabel label = mentor_label_of(&records[m], limits);
        joint.fate = joint.fate == FATE_USED ? label.fate : joint.fate;
        joint.cut = joint.cut == FATE_USED ? label.cut : joint.cut;
        scores[m] = label.score;
    }
    return joint;
}

static Status read_record(void *context, const Epd *records, size_t slot) {
    Reading *reading = context;
    const MentorSetOptions *options = reading->options;
    const Position *pos = &records[0].pos;
    MentorLabel *label = &reading->labels[slot];
    *label = join_labels(reading, records, reading->scores + slot * reading->set->mentors);
    if (label->fate == FATE_USED && options->quiet_only && !position_is_quiet_for_both(pos))
        label->fate = FATE_NOT_QUIET;
    if (label->fate != FATE_USED)
        return OK;
    if (reading->positions != NULL)
        reading->positions[slot] = *pos;
    if (reading->keys != NULL)
        reading->keys[slot] = pos->key;
    if (reading->boards != NULL)
        reading->boards[slot] = position_pack(pos);
    return mentor_row(options, pos, reading->rows + slot * reading->terms)
               ? OK
               : error_set(ERR_LIMIT,
                           "what family %s counts here, times its share, does not fit 16 bits; "
                           "leave the position out",
                           options->family->name);
}

static void keep_position(PlayedSet *kept, const Position *pos) {
    MEM_ADD(kept->items, kept->count, kept->capacity) = (PlayedItem){.pos = *pos};
}

// Of the row that comes next.
static void keep_scores(MentorSet *set, const int32_t *scores) {
    const size_t used = set->matrix.count * set->mentors;
    set->scores =
        mem_grow(set->scores, &set->score_capacity, used + set->mentors, sizeof *set->scores);
    memcpy(set->scores + used, scores, set->mentors * sizeof *scores);
}

static void keep_key(MentorSet *set, uint64_t key) {
    set->keys = mem_grow(set->keys, &set->key_capacity, set->matrix.count + 1, sizeof *set->keys);
    set->keys[set->matrix.count] = key;
}

static void keep_board(MentorSet *set, const PackedPosition *board) {
    set->boards =
        mem_grow(set->boards, &set->board_capacity, set->matrix.count + 1, sizeof *set->boards);
    set->boards[set->matrix.count] = *board;
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
    if (reading->keys != NULL)
        keep_key(set, reading->keys[slot]);
    if (reading->boards != NULL)
        keep_board(set, &reading->boards[slot]);
    if (set->mentors > 1)
        keep_scores(set, reading->scores + slot * set->mentors);
    return counts_add(&set->matrix, reading->rows + slot * reading->terms,
                      label->score * reading->options->family->scale);
}

static void reading_free(Reading *reading) {
    free(reading->rows);
    free(reading->positions);
    free(reading->keys);
    free(reading->boards);
    free(reading->scores);
    free(reading->labels);
}

static Status read_positions(MentorSet *out, const char *const *paths, size_t mentors,
                             const MentorSetOptions *options, DistPool *pool) {
    CLEANUP(reading_free)
    Reading reading = {.options = options, .set = out, .terms = out->matrix.terms};
    reading.labels = mem_alloc(EPD_BATCH * sizeof *reading.labels);
    reading.scores = mem_alloc(EPD_BATCH * mentors * sizeof *reading.scores);
    reading.rows = mem_alloc(EPD_BATCH * reading.terms * sizeof *reading.rows);
    if (options->keep_positions)
        reading.positions = mem_alloc(EPD_BATCH * sizeof *reading.positions);
    if (options->keep_keys)
        reading.keys = mem_alloc(EPD_BATCH * sizeof *reading.keys);
    if (options->keep_boards)
        reading.boards = mem_alloc(EPD_BATCH * sizeof *reading.boards);
    const EpdBatchReader reader = {read_record, take_record, &reading};
    out->hash = HASH_START;
    return epd_batch_read_all(paths, mentors, &reader, pool, &out->hash);
}

// A foreign family's position.
static Status take_coefficients(void *context, const CoefficientPosition *position) {
    const Reading *reading = context;
    MentorSet *set = reading->set;
    const MentorLabel label = mentor_label_limit(position->label, &set->limits);
    mentor_totals_add(&set->totals, &label);
    if (label.fate != FATE_USED)
        return OK;
    coefficient_position_spread(position, reading->rows, reading->terms);
    return counts_add(&set->matrix, reading->rows,
                      label.score * reading->options->family->scale - position->offset);
}

static Status read_coefficients(MentorSet *out, const char *path, const MentorSetOptions *options) {
    CLEANUP(reading_free)
    Reading reading = {.options = options, .set = out, .terms = out->matrix.terms};
    reading.rows = mem_alloc(reading.terms * sizeof *reading.rows);
    return coefficient_file_read(path, options->header, take_coefficients, &reading, &out->hash);
}

Status mentor_set_load_all(MentorSet *out, const char *const *paths, size_t mentors,
                           const MentorSetOptions *options, DistPool *pool) {
    CLEANUP(mentor_set_free) MentorSet set = {.mentors = mentors, .limits = options->limits};
    TRY(mentor_limits_check(&options->limits));
    counts_init(&set.matrix, mentor_row_terms(options));
    TRY(options->header != NULL ? read_coefficients(&set, paths[0], options)
                                : read_positions(&set, paths, mentors, options, pool));
    TRY(mentor_totals_check(&set.totals, paths[0]));
    *out = TAKE(set);
    return OK;
}

Status mentor_set_load(MentorSet *out, const char *path, const MentorSetOptions *options,
                       DistPool *pool) {
    return mentor_set_load_all(out, &path, 1, options, pool);
}

void mentor_set_free(MentorSet *set) {
    counts_free(&set->matrix);
    played_set_free(&set->positions);
    free(set->scores);
    free(set->keys);
    free(set->boards);
    *set = (MentorSet){0};
}

Status mentor_set_count_shared(const MentorSet *set, const MentorSet *other, size_t *shared) {
    enum { PLACE_OTHER = 1, PLACE_SET };
    CLEANUP(seen_destroy_at) SeenTable *seen = seen_create();
    SeenAnswer answer;
    uint32_t first;
    *shared = 0;
    if (set->keys == NULL || other->keys == NULL)
        return OK;
    for (size_t i = 0; i < other->matrix.count; i++)
        TRY(seen_add(seen, other->keys[i], 0, PLACE_OTHER, &answer, &first));
    for (size_t i = 0; i < set->matrix.count; i++) {
        TRY(seen_add(seen, set->keys[i], 0, PLACE_SET, &answer, &first));
        *shared += answer != SEEN_NEVER && first == PLACE_OTHER;
    }
    return OK;
}

void mentor_set_describe(const MentorSet *set, Str *out) {
    mentor_totals_describe(&set->totals, &set->limits, out);
}
