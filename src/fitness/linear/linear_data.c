// SPDX-License-Identifier: GPL-3.0-or-later
#include "fitness/linear/linear_data.h"

#include "base/hash.h"
#include "base/mem.h"
#include "chess/phase.h"
#include "fitness/linear/coefficient_reader.h"
#include "fitness/linear/epd_batch.h"
#include "fitness/linear/linear_loss.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

typedef struct Record {
    MentorLabel label;
    float result, middlegame, endgame;
    int sign; // of the side to move
    bool is_held_out;
    uint64_t game;
} Record;

typedef struct Reading {
    const LinearDataOptions *options;
    LinearPair *pair;
    Record *records;
    Trace *traces;
    int16_t *counts; // of a foreign family, which may have more than a trace holds
    uint16_t *where; // those of them that are not 0
} Reading;

void linear_pair_init(LinearPair *pair, const Family *family) {
    *pair = (LinearPair){.hash = HASH_START};
    linear_set_init(&pair->training.set, family->feature_count, family->taper != NULL);
    linear_set_init(&pair->held_out.set, family->feature_count, family->taper != NULL);
}

static void data_free(LinearData *data) {
    linear_set_free(&data->set);
    free(data->results);
    free(data->scores);
    free(data->games);
}

void linear_pair_free(LinearPair *pair) {
    data_free(&pair->training);
    data_free(&pair->held_out);
}

// False where the game has no result, or none that is known.
static Status result_of(const Epd *epd, float *result, bool *has) {
    StrView text;
    *has = epd_get_string(epd, "c9", &text) && !view_equals(text, "*");
    if (!*has)
        return OK;
    if (view_equals(text, "1-0"))
        *result = 1;
    else if (view_equals(text, "0-1"))
        *result = 0;
    else if (view_equals(text, "1/2-1/2"))
        *result = 0.5f;
    else
        return error_set(ERR_PARSE, "`c9` is '%.*s', and no result: 1-0, 0-1, 1/2-1/2 or *",
                         (int)text.length, text.text);
    return OK;
}

// The ply after ", ply " in `id`, and what stands before it: the players and the year.
static bool find_ply(const Epd *epd, StrView *before, unsigned *ply) {
    static const char mark[] = ", ply ";
    const size_t length = sizeof mark - 1;
    StrView id;
    if (!epd_get_string(epd, "id", &id))
        return false;
    for (size_t at = id.length; at-- > length;)
        if (memcmp(id.text + at - length, mark, length) == 0) {
            unsigned number = 0;
            for (size_t i = at; i < id.length; i++) {
                if (id.text[i] < '0' || id.text[i] > '9' || number > 100000)
                    return false;
                number = 10 * number + (unsigned)(id.text[i] - '0');
            }
            *ply = number;
            *before = view_of(id.text, at - length);
            return at < id.length;
        }
    return false;
}

uint64_t linear_game_of(const Epd *epd, unsigned *ply) {
    StrView name, game;
    const bool has_ply = find_ply(epd, &name, ply);
    if (!has_ply)
        *ply = UINT_MAX;
    if (epd_get_string(epd, "c8", &game))
        return hash_bytes(HASH_START, game.text, game.length);
    return has_ply ? hash_bytes(HASH_START, name.text, name.length) : epd->pos.key;
}

static int compare_keys(const void *a, const void *b) {
    return MEM_ORDER(*(const uint64_t *)a, *(const uint64_t *)b);
}

size_t linear_data_games(const LinearData *data) {
    const size_t count = data->set.count;
    size_t games = 1;
    if (count == 0)
        return 0;
    CLEANUP(mem_free_at) uint64_t *keys = mem_alloc(count * sizeof *keys);
    memcpy(keys, data->games, count * sizeof *keys);
    qsort(keys, count, sizeof *keys, compare_keys);
    for (size_t i = 1; i < count; i++)
        games += keys[i] != keys[i - 1];
    return games;
}

static bool has_mate_ahead(const Epd *epd) {
    int64_t moves;
    return epd_get_int(epd, "dm", &moves) || position_has_mate_in_one(&epd->pos);
}

static void count_position(const Family *family, const Position *pos, Record *record,
                           Trace *trace) {
    const float one = (float)family->scale;
    family_trace(family, pos, trace);
    const Taper taper = family->taper == NULL ? (Taper){1, 0} : family->taper(pos);
    record->middlegame = (float)taper.middlegame / one;
    record->endgame = (float)taper.endgame / one;
}

static Status read_record(void *context, const Epd *epd, size_t slot) {
    const Reading *reading = context;
    const LinearDataOptions *options = reading->options;
    Record *record = &reading->records[slot];
    bool has_result;
    unsigned ply;
    *record = (Record){.sign = position_turn(&epd->pos) == WHITE ? 1 : -1};
    TRY(result_of(epd, &record->result, &has_result));
    MentorLabel *label = &record->label;
    if (options->needs_scores)
        *label = mentor_label_of(epd, &options->limits);
    if (label->fate == FATE_USED && options->needs_results && !has_result)
        label->fate = FATE_NO_RESULT;
    record->game = linear_game_of(epd, &ply);
    if (label->fate == FATE_USED && ply < options->skip_plies)
        label->fate = FATE_EARLY;
    if (label->fate == FATE_USED && options->quiet_only && !position_is_quiet_for_both(&epd->pos))
        label->fate = FATE_NOT_QUIET;
    if (label->fate == FATE_USED && options->skips_mates && has_mate_ahead(epd))
        label->fate = FATE_MATE;
    if (label->fate != FATE_USED)
        return OK;
    record->is_held_out = holdout_takes_key(&options->holdout, record->game);
    count_position(options->family, &epd->pos, record, &reading->traces[slot]);
    return OK;
}

static void add_number(float **numbers, size_t *capacity, size_t count, float number) {
    *numbers = mem_grow(*numbers, capacity, count + 1, sizeof **numbers);
    (*numbers)[count] = number;
}

static Status linear_data_add(LinearData *data, const LinearDataOptions *options,
                              const LinearRow *row, float result, float score, uint64_t game) {
    const size_t index = data->set.count;
    data->games = mem_grow(data->games, &data->games_capacity, index + 1, sizeof *data->games);
    data->games[index] = game;
    if (options->needs_results)
        add_number(&data->results, &data->results_capacity, index, result);
    if (options->needs_scores)
        add_number(&data->scores, &data->scores_capacity, index, score);
    return linear_set_add(&data->set, row);
}

static Status take_record(void *context, size_t slot) {
    const Reading *reading = context;
    const Record *record = &reading->records[slot];
    mentor_totals_add(&reading->pair->totals, &record->label);
    if (record->label.fate != FATE_USED)
        return OK;
    LinearData *data = record->is_held_out ? &reading->pair->held_out : &reading->pair->training;
    const LinearRow row = {.counts = reading->traces[slot].counts,
                           .middlegame = record->middlegame,
                           .endgame = record->endgame,
                           .weight = 1};
    return linear_data_add(data, reading->options, &row, record->result,
                           (float)(record->sign * record->label.score), record->game);
}

static Status read_positions(LinearPair *pair, const char *path, const LinearDataOptions *options,
                             DistPool *pool) {
    CLEANUP(mem_free_at) Record *records = mem_alloc(EPD_BATCH * sizeof *records);
    CLEANUP(mem_free_at) Trace *traces = mem_alloc(EPD_BATCH * sizeof *traces);
    Reading reading = {.options = options, .pair = pair, .records = records, .traces = traces};
    return epd_batch_read(path, &(EpdBatchReader){read_record, take_record, &reading}, pool,
                          &pair->hash);
}

// --- coefficients of a foreign family ---

// Labels are what the loss asks for, or they are not.
static Status check_labels(const LinearDataOptions *options, const char *path) {
    const bool has_results = options->header->label == LABEL_RESULT;
    if (options->quiet_only)
        return error_set(ERR_ARG,
                         "quiet-only needs positions, and a file of coefficients has none");
    if (options->needs_results && options->needs_scores)
        return error_set(ERR_ARG, "%s: a mix needs results and scores, and there is one label",
                         path);
    if (options->needs_results != has_results)
        return error_set(ERR_ARG, "%s: its labels are %s, so that the loss must be %s", path,
                         has_results ? "results" : "a mentor's scores",
                         has_results ? "results or results-squared" : "mentor or mentor-absolute");
    return OK;
}

// Positions that count the same are never parted, whatever their labels.
static uint64_t key_of(const CoefficientPosition *position, const int16_t *counts, size_t count) {
    const uint64_t hash = hash_bytes(HASH_START, &position->offset, sizeof position->offset);
    return hash_words(hash, counts, count * sizeof *counts);
}

static Status take_coefficients(void *context, const CoefficientPosition *position) {
    const Reading *reading = context;
    const LinearDataOptions *options = reading->options;
    const size_t count = options->family->feature_count;
    const float one = (float)options->family->scale;
    int16_t *counts = reading->counts;
    MentorLabel label = {.fate = FATE_USED};
    if (options->needs_scores)
        label = mentor_label_limit(position->label, &options->limits);
    mentor_totals_add(&reading->pair->totals, &label);
    if (label.fate != FATE_USED)
        return OK;
    coefficient_position_spread(position, counts, count);
    for (size_t i = 0; i < position->count; i++)
        reading->where[i] = position->entries[i].index;
    const uint64_t key = key_of(position, counts, count);
    const bool is_held_out = holdout_takes_key(&options->holdout, key);
    const LinearRow row = {.counts = counts,
                           .middlegame = 1 / one,
                           .weight = 1,
                           .offset = (float)position->offset / one,
                           .where = reading->where,
                           .where_count = position->count};
    return linear_data_add(is_held_out ? &reading->pair->held_out : &reading->pair->training,
                           options, &row, (float)position->label / 2, (float)label.score, key);
}

static Status read_coefficients(LinearPair *pair, const char *path,
                                const LinearDataOptions *options) {
    const size_t count = options->family->feature_count;
    CLEANUP(mem_free_at) int16_t *counts = mem_alloc(count * sizeof *counts);
    CLEANUP(mem_free_at) uint16_t *where = mem_alloc(count * sizeof *where);
    Reading reading = {.options = options, .pair = pair, .counts = counts, .where = where};
    uint64_t hash = 0; // the compiler cannot see that a success sets it
    TRY(check_labels(options, path));
    TRY(coefficient_file_read(path, options->header, take_coefficients, &reading, &hash));
    pair->hash = hash_bytes(pair->hash, &hash, sizeof hash);
    return OK;
}

Status linear_pair_read(LinearPair *pair, const char *path, const LinearDataOptions *options,
                        DistPool *pool) {
    TRY(mentor_limits_check(&options->limits));
    const MentorTotals before = pair->totals;
    pair->totals = (MentorTotals){0};
    Status status = options->header != NULL ? read_coefficients(pair, path, options)
                                            : read_positions(pair, path, options, pool);
    if (status == OK)
        status = mentor_totals_check(&pair->totals, path);
    mentor_totals_merge(&pair->totals, &before);
    return status;
}

void linear_data_aim_at_scores(LinearData *data) {
    for (size_t i = 0; i < data->set.count; i++)
        linear_set_retarget(&data->set, i, data->scores[i]);
}

void linear_data_aim_at_mix(LinearData *data, double lambda, double mentor_k) {
    for (size_t i = 0; i < data->set.count; i++) {
        const double result = lambda > 0 ? lambda * (double)data->results[i] : 0;
        const double score =
            lambda < 1 ? (1 - lambda) * linear_probability((double)data->scores[i], mentor_k) : 0;
        linear_set_retarget(&data->set, i, (float)(result + score));
    }
}
