// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/label/label.h"

#include "base/clock.h"
#include "base/mem.h"
#include "chess/fen.h"
#include "data/label/label_answer.h"
#include "data/label/label_ask.h"
#include "dist/workers.h"

#include <stdatomic.h>
#include <stdlib.h>

enum {
    // All engines may fail at once, for a reason that passes: so many each.
    FAILURES_EACH_MAX = 10,
    HANGS_AT_FIRST_EACH_MAX = 2, // without any answer before: hanging takes so long
    BATCH = 500,                 // answers in a transaction, or those of half a second
    BATCH_NS = 500000000,
    RETRY_S = 5, // after a batch that could not be written
};

// The caller's thread alone writes to the cache.
typedef struct Run {
    LabelSet *set;
    const LabelConfig *config;
    DistWorkers *workers;
    size_t written, tried; // of `done`, to the cache: less where writing failed
    int64_t tried_ns;
    bool is_unsaved_told;
    size_t *todo; // positions to ask
    size_t todo_count;
    size_t *done; // positions in the order in which they were finished
    _Atomic size_t done_count;
    int failures_in_a_row;
    bool has_given_up; // what else is on its way then changes nothing
    LabelTally tally;
} Run;

static Status check_cached(const char *key, const Str *answer) {
    Position pos;
    LabelAnswer ignored;
    StrView text = view_from_string(key);
    TRY(fen_read(&text, &pos));
    return label_answer_read(&pos, view_from_string(str_text(answer)), &ignored);
}

Status label_look_up(LabelSet *set, LabelCache *cache, size_t *found, size_t *missing) {
    CLEANUP(str_free) Str answer = {0};
    *found = *missing = 0;
    for (size_t i = 0; i < set->position_count; i++) {
        bool is_there = false;
        if (set->positions[i].is_over)
            continue;
        str_clear(&answer);
        if (cache != NULL)
            TRY(label_cache_get(cache, label_set_key(set, i), &answer, &is_there));
        *(is_there ? found : missing) += 1;
        if (!is_there)
            continue;
        TRY_PREFIX(check_cached(label_set_key(set, i), &answer),
                   "the cache is damaged: delete it, or give another file with --cache");
        set->positions[i].answer = mem_copy_string(str_text(&answer));
    }
    return OK;
}

static DistNext next_key(void *context, uint64_t number, Str *job) {
    const Run *run = context;
    str_add(job, label_set_key(run->set, run->todo[number]));
    return DIST_JOB;
}

// An engine failed. ERR_ENGINE when that happens all the time, which ends the run.
static Status note_failure(Run *run, bool was_hanging, const char *reason) {
    const int count = dist_workers_count(run->workers), engines = count > 2 ? count : 2;
    const bool is_first = run->tally.asked == 0;
    const int failures = ++run->failures_in_a_row;
    run->tally.restarts++;
    const int most =
        engines * (was_hanging && is_first ? HANGS_AT_FIRST_EACH_MAX : FAILURES_EACH_MAX);
    if (failures < most || run->has_given_up)
        return OK;
    run->has_given_up = true;
    return error_set(ERR_ENGINE, "the mentor failed %d times in a row; the last time: %s", failures,
                     reason);
}

static Status take_trial(void *context, uint64_t number, StrView answer) {
    Run *run = context;
    LabelPosition *position = &run->set->positions[run->todo[number]];
    CLEANUP(label_trial_free) LabelTrial trial = {0};
    TRY(label_trial_unpack(answer, &trial));
    for (int i = 0; i < trial.failures; i++)
        TRY(note_failure(run, i < trial.hangs, str_text(&trial.text)));
    if (trial.is_answered) {
        position->answer = trial.text.text;
        run->failures_in_a_row = 0;
        run->tally.asked++;
    } else {
        position->failure = trial.text.text;
        run->tally.failed++;
    }
    trial.text = (Str){0};
    const size_t count = atomic_load(&run->done_count);
    run->done[count] = run->todo[number];
    atomic_store(&run->done_count, count + 1);
    return OK;
}

static Status write_batch(const Run *run, size_t from, size_t to) {
    LabelCache *cache = run->config->cache;
    if (cache == NULL || from == to)
        return OK;
    TRY(label_cache_begin(cache));
    for (size_t i = from; i < to; i++) {
        const size_t position = run->done[i];
        const char *answer = run->set->positions[position].answer;
        if (answer != NULL)
            TRY(label_cache_put(cache, label_set_key(run->set, position), answer));
    }
    return label_cache_commit(cache);
}

static bool is_due(const Run *run, size_t done, int64_t now) {
    const int64_t elapsed = now - run->tried_ns;
    if (run->written < run->tried)
        return elapsed >= RETRY_S * INT64_C(1000000000);
    return done - run->tried >= BATCH || elapsed >= BATCH_NS;
}

// What cannot be written is tried again, for the last time at the end. It is in memory, and goes to
// the output: no reason to end the work.
static void save_answers(Run *run, size_t done) {
    if (write_batch(run, run->written, done) == OK) {
        run->written = done;
    } else {
        if (!run->is_unsaved_told && run->config->on_unsaved != NULL)
            run->config->on_unsaved(run->config->context, error_message());
        run->is_unsaved_told = true;
        label_cache_roll_back(run->config->cache);
    }
    run->tally.unsaved = 0;
    for (size_t i = run->written; i < done; i++)
        run->tally.unsaved += run->set->positions[run->done[i]].answer != NULL;
    run->tried = done;
}

// Writes to the cache what the workers found out, where it is much or old, and tells how far they
// have come.
static void write_answers(Run *run, bool is_last) {
    const size_t done = atomic_load(&run->done_count);
    const int64_t now = clock_now_ns();
    if (is_last || is_due(run, done, now)) {
        save_answers(run, done);
        run->tried_ns = now;
    }
    if (run->config->on_progress != NULL)
        run->config->on_progress(run->config->context, done);
}

static void tick(void *context) {
    write_answers(context, false);
}

static void list_missing(Run *run) {
    run->todo = mem_alloc_zero(run->set->position_count + 1, sizeof *run->todo);
    run->done = mem_alloc_zero(run->set->position_count + 1, sizeof *run->done);
    for (size_t i = 0; i < run->set->position_count; i++)
        if (!run->set->positions[i].is_over && run->set->positions[i].answer == NULL)
            run->todo[run->todo_count++] = i;
}

static Status ask_missing(Run *run) {
    const LabelConfig *config = run->config;
    LabelAsking asking = {config->mentor->spec, config->mentor->lines, config->cap_ms};
    const DistWorkersConfig workers = {.service = &label_service,
                                       .self = &asking,
                                       .threads = config->concurrency,
                                       .ranks = config->ranks,
                                       .rank_threads = config->rank_concurrency,
                                       .may_hang = true,
                                       .cancel_fd = config->cancel_fd};
    const DistJobs jobs = {.context = run,
                           .order = DIST_AS_THEY_COME,
                           .count = run->todo_count,
                           .next = next_key,
                           .done = take_trial,
                           .tick = tick};
    TRY(dist_workers_open(&run->workers, &workers));
    const Status status = dist_workers_run(run->workers, &jobs);
    // Writing may fail too, and that is not the reason to tell.
    CLEANUP(str_free) Str reason = {0};
    str_add(&reason, error_message());
    run->tally.is_cancelled = status == OK && run->done_count < run->todo_count;
    write_answers(run, true);
    dist_workers_close(run->workers);
    return status == OK ? OK : error_set(status, "%s", str_text(&reason));
}

Status label_run(LabelSet *set, const LabelConfig *config, LabelTally *tally) {
    Run run = {.set = set, .config = config, .tried_ns = clock_now_ns()};
    list_missing(&run);
    // Engines need not be started for nothing.
    const Status status = run.todo_count == 0 ? OK : ask_missing(&run);
    *tally = run.tally;
    free(run.todo);
    free(run.done);
    return status;
}
