// SPDX-License-Identifier: GPL-3.0-or-later
#include "serve/tuning_trials.h"

#include "base/json.h"
#include "base/mem.h"

#include <stdlib.h>

enum { TRIALS_VALUES_MAX = 1 << 20, TRIALS_TOLD = 300 };

void tuning_trials_free(TuningTrials *trials) {
    free(trials->rows);
}

static size_t width_of(const TuningTrials *trials) {
    return trials->options->count + 1;
}

static void restart(void *context) {
    ((TuningTrials *)context)->used = 0;
}

static void take_line(void *context, StrView line, uint64_t at) {
    (void)at;
    TuningTrials *trials = context;
    const size_t before = trials->used;
    StrView part, values;
    int64_t number;
    if (!json_find(line, "part", &part) || !view_equals(part, "learn") ||
        !json_find(line, "values", &values) || before + width_of(trials) > TRIALS_VALUES_MAX)
        return;
    bool is_good = true;
    for (size_t i = 0; i < trials->options->count && is_good; i++) {
        is_good = view_to_int(view_next_word(&values), &number);
        MEM_ADD(trials->rows, trials->used, trials->capacity) = (double)number;
    }
    is_good = is_good && json_find_int(line, "effort", &number);
    MEM_ADD(trials->rows, trials->used, trials->capacity) = (double)number;
    if (!is_good)
        trials->used = before;
}

bool tuning_trials_update(TuningTrials *trials, const TuneOptions *options, const char *folder) {
    CLEANUP(str_free) Str path = {0};
    const TailEvents events = {trials, restart, take_line};
    trials->options = options;
    str_addf(&path, "%s/suite.jsonl", folder);
    return tail_has_news(&trials->log, str_text(&path)) &&
           tail_read(&trials->log, str_text(&path), &events) == OK;
}

// --- what is told ---

// Which trial was the best up to each: the first of those with the least effort.
static size_t *find_leaders(const TuningTrials *trials, size_t count) {
    const size_t width = width_of(trials);
    size_t *leaders = mem_alloc((count + 1) * sizeof *leaders), best = 0;
    for (size_t i = 0; i < count; i++) {
        const double effort = trials->rows[i * width + width - 1];
        best = effort < trials->rows[best * width + width - 1] ? i : best;
        leaders[i] = best;
    }
    return leaders;
}

// A column of the rows that are told: of the trials themselves, or of their leaders.
static void add_column(const TuningTrials *trials, const size_t *leaders, size_t count,
                       size_t column, Str *out) {
    const size_t told = count < TRIALS_TOLD ? count : TRIALS_TOLD;
    str_add(out, "[");
    for (size_t i = 0; i < told; i++) {
        const size_t at = told < 2 ? 0 : i * (count - 1) / (told - 1);
        const size_t row = leaders == NULL ? at : leaders[at];
        str_add(out, i == 0 ? "" : ",");
        json_add_number(out, column == width_of(trials)
                                 ? (double)at + 1
                                 : trials->rows[row * width_of(trials) + column]);
    }
    str_add(out, "]");
}

void tuning_trials_write(const TuningTrials *trials, Str *out) {
    const size_t width = trials->options == NULL ? 1 : width_of(trials);
    const size_t count = trials->used / width;
    if (count == 0 || width == 1)
        return;
    CLEANUP(mem_free_at) size_t *leaders = find_leaders(trials, count);
    str_addf(out, ",\"trials\":{\"count\":%zu,\"number\":", count);
    add_column(trials, NULL, count, width, out);
    str_add(out, ",\"effort\":");
    add_column(trials, NULL, count, width - 1, out);
    str_add(out, ",\"least\":");
    add_column(trials, leaders, count, width - 1, out);
    str_add(out, ",\"options\":[");
    for (size_t i = 0; i + 1 < width; i++) {
        str_add(out, i == 0 ? "{\"tried\":" : ",{\"tried\":");
        add_column(trials, NULL, count, i, out);
        str_add(out, ",\"best\":");
        add_column(trials, leaders, count, i, out);
        str_add(out, "}");
    }
    str_add(out, "]}");
}
