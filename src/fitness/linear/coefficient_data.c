// SPDX-License-Identifier: GPL-3.0-or-later
#include "fitness/linear/coefficient_data.h"

#include "base/hash.h"
#include "base/mem.h"
#include "fitness/linear/coefficient_reader.h"

#include <stdlib.h>

// Labels are what the loss asks for, or they are not.
static Status check_options(const LinearDataOptions *options, const char *path) {
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

static uint64_t key_of(const CoefficientPosition *position, const int16_t *counts, size_t count) {
    const uint64_t hash = hash_bytes(HASH_START, &position->offset, sizeof position->offset);
    return hash_words(hash, counts, count * sizeof *counts);
}

static Status add_position(LinearPair *pair, const CoefficientPosition *position,
                           const LinearDataOptions *options, int16_t *counts) {
    const size_t count = options->family->feature_count;
    const float one = (float)options->family->scale;
    MentorLabel label = {.fate = FATE_USED};
    if (options->needs_scores)
        label = mentor_label_limit(position->label, &options->limits);
    mentor_totals_add(&pair->totals, &label);
    if (label.fate != FATE_USED)
        return OK;
    coefficient_position_spread(position, counts, count);
    const bool is_held_out = holdout_takes_key(&options->holdout, key_of(position, counts, count));
    const LinearRow row = {.counts = counts,
                           .middlegame = 1 / one,
                           .weight = 1,
                           .offset = (float)position->offset / one};
    return linear_data_add(is_held_out ? &pair->held_out : &pair->training, options, &row,
                           (float)position->label / 2, (float)label.score);
}

static Status read_positions(LinearPair *pair, CoefficientReader *reader,
                             const LinearDataOptions *options) {
    int16_t *counts = mem_alloc(options->family->feature_count * sizeof *counts);
    CoefficientPosition position = {0};
    bool got = true;
    Status status = OK;
    while (status == OK && got) {
        status = coefficient_reader_next(reader, &position, &got);
        if (status == OK && got)
            status = add_position(pair, &position, options, counts);
    }
    free(counts);
    return status;
}

Status coefficient_data_read(LinearPair *pair, const char *path, const LinearDataOptions *options) {
    CoefficientReader *reader;
    Status status = check_options(options, path);
    if (status == OK)
        status = coefficient_reader_open(&reader, path);
    if (status != OK)
        return status;
    status = coefficient_reader_check_header(reader, options->header);
    if (status == OK)
        status = read_positions(pair, reader, options);
    const uint64_t hash = coefficient_reader_hash(reader);
    pair->hash = hash_bytes(pair->hash, &hash, sizeof hash);
    coefficient_reader_close(reader);
    return status;
}
