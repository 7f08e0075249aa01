// SPDX-License-Identifier: GPL-3.0-or-later
// Threads work on separate games. They share a table of the games seen and, for frequencies, one of
// positions; choices are merged in the end.
#include "data/sample/sample.h"

#include "base/mem.h"
#include "data/sample/sample_internal.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

// Kept beyond what is asked for, because of games whose copies differ, and games cut off where a
// set is full.
enum { SPARE = 1024 };

static uint64_t records_to_keep(const SampleOptions *options) {
    uint64_t sum = 0;
    for (size_t i = 0; i < options->set_count; i++) {
        if (options->set_sizes[i] == 0 || options->set_sizes[i] > UINT32_MAX)
            return UINT64_MAX;
        sum += 2 * options->set_sizes[i] + SPARE;
    }
    return sum;
}

Sample *sample_create(const SampleOptions *options) {
    Sample *sample = mem_alloc_zero(1, sizeof *sample);
    sample->options = *options;
    sample->players = mem_alloc_zero(options->player_count + 1, sizeof *sample->players);
    for (size_t i = 0; i < options->player_count; i++)
        name_parse(view_from_string(options->players[i]), &sample->players[i]);
    sample->pool = dist_pool_new(options->threads);
    sample->workers = mem_alloc_zero((size_t)options->threads, sizeof *sample->workers);
    for (int i = 0; i < options->threads; i++) {
        SampleWorker *worker = &sample->workers[i];
        worker->sample = sample;
        worker->options = &sample->options;
        worker->players = sample->players;
        worker->names = rated_names_create(options->ratings);
        sample_choice_init(&worker->choice, records_to_keep(options));
    }
    sample->seen = seen_create();
    sample->seen_offering = seen_create();
    frequency_table_init(&sample->frequency);
    return sample;
}

void sample_destroy(Sample *sample) {
    if (sample == NULL)
        return;
    for (int i = 0; i < sample->options.threads; i++) {
        SampleWorker *worker = &sample->workers[i];
        rated_names_destroy(worker->names);
        sample_choice_free(&worker->choice);
        free(worker->plies);
        free(worker->passed);
        free(worker->visits);
    }
    free(sample->workers);
    free(sample->players);
    dist_pool_free(sample->pool);
    seen_destroy(sample->seen);
    seen_destroy(sample->seen_offering);
    frequency_table_free(&sample->frequency);
    free(sample);
}

// --- reading ---

// Counts a game unless it was seen; `*is_new` when not even with this variant.
static Status count_distinct(Sample *sample, const PassedGame *game, bool *is_new) {
    SeenAnswer answer;
    uint32_t first, details = (uint32_t)(game->variant ^ game->variant >> 32);
    TRY(seen_add(sample->seen, game->identity, details, 1, &answer, &first));
    *is_new = answer != SEEN_SAME;
    sample->totals.distinct += answer == SEEN_NEVER;
    if (!game->offers)
        return OK;
    TRY(seen_add(sample->seen_offering, game->identity, 0, 1, &answer, &first));
    sample->totals.offering += answer == SEEN_NEVER;
    return OK;
}

// Shares what a worker found in its chunk.
static Status share(void *context) {
    SampleWorker *worker = context;
    Sample *sample = worker->sample;
    size_t visit = 0;
    for (size_t i = 0; i < worker->passed_count; i++) {
        const PassedGame *game = &worker->passed[i];
        bool is_new = false;
        TRY(count_distinct(sample, game, &is_new));
        for (; visit < game->visit_end && is_new; visit++)
            TRY(frequency_table_add(&sample->frequency, worker->visits[visit].key,
                                    &worker->visits[visit].packed));
        visit = game->visit_end;
    }
    worker->passed_count = worker->visit_count = 0;
    return OK;
}

Status sample_read(Sample *sample, const char *path) {
    const GamesPass pass = {sample->pool, sample->workers,  sizeof *sample->workers,
                            sample_wants, sample_take_game, share};
    GamesPassTotals totals;
    const Status status = games_pass(&pass, path, &totals);
    sample->totals.bytes += totals.bytes;
    sample->totals.games += totals.too_long;
    sample->totals.problems[PGN_TOO_LONG] += totals.too_long;
    return status;
}

// --- the choice ---

// Deals the records, which are in order, to the sets one after the other. A game goes to one set
// only, and in one variant only.
static void deal(Sample *sample) {
    const SampleOptions *options = &sample->options;
    SampleChoice *choice = &sample->workers[0].choice;
    size_t set = 0, kept = 0;
    SampleRecord first = {0}; // of the current game
    for (size_t i = 0; i < choice->count; i++) {
        SampleRecord *record = &choice->items[i];
        bool is_new_game = i == 0 || record->key != first.key;
        uint64_t size = options->set_sizes[set < options->set_count ? set : 0];
        bool is_full = size != 0 && kept - sample->set_begin[set] == size;
        if (is_full && is_new_game && set + 1 < options->set_count) {
            sample->set_begin[++set] = kept;
            is_full = false;
        }
        if (is_new_game)
            first = *record;
        if (is_full || record->variant != first.variant)
            free(record->label);
        else
            choice->items[kept++] = *record;
    }
    choice->count = kept;
    while (set < options->set_count)
        sample->set_begin[++set] = kept;
}

static Status check_sizes(const Sample *sample) {
    uint64_t asked = 0, found = 0;
    for (size_t i = 0; i < sample->options.set_count; i++) {
        asked += sample->options.set_sizes[i];
        found += sample_set_count(sample, i);
    }
    if (found >= asked)
        return OK;
    if (sample->workers[0].choice.is_cut)
        return error_set(ERR_LIMIT, "too many games have copies that differ");
    return error_set(
        ERR_ARG, "%" PRIu64 " positions were asked for, but only %" PRIu64 " different ones pass",
        asked, found);
}

Status sample_finish(Sample *sample) {
    if (sample->options.by_frequency) {
        frequency_table_finish(&sample->frequency);
        return check_sizes(sample);
    }
    for (int i = 1; i < sample->options.threads; i++)
        sample_choice_merge(&sample->workers[0].choice, &sample->workers[i].choice);
    sample_choice_finish(&sample->workers[0].choice);
    assert(sample_choice_is_valid(&sample->workers[0].choice));
    deal(sample);
    return check_sizes(sample);
}

uint64_t sample_set_count(const Sample *sample, size_t set) {
    uint64_t size = sample->options.set_sizes[0], used = sample->frequency.used;
    if (sample->options.by_frequency)
        return size == 0 || used < size ? used : size;
    return sample->set_begin[set + 1] - sample->set_begin[set];
}

// --- totals ---

SampleTotals sample_totals(const Sample *sample) {
    SampleTotals sum = sample->totals;
    for (int i = 0; i < sample->options.threads; i++) {
        const SampleTotals *part = &sample->workers[i].totals;
        sum.games += part->games;
        sum.avoided += part->avoided;
        for (int kind = 0; kind < PGN_PROBLEM_NB; kind++)
            sum.problems[kind] += part->problems[kind];
        for (int filter = 0; filter < SAMPLE_FILTER_NB; filter++)
            sum.left[filter] += part->left[filter];
    }
    return sum;
}

RatedName *sample_names(const Sample *sample, size_t *count) {
    size_t threads = (size_t)sample->options.threads;
    CLEANUP(mem_free_at) RatedNames **tables = mem_alloc_zero(threads, sizeof(RatedNames *));
    for (size_t i = 0; i < threads; i++)
        tables[i] = sample->workers[i].names;
    return rated_names_merge(tables, threads, count);
}
