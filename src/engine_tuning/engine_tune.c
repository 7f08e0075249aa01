// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine_tuning/engine_tune.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/folder.h"
#include "base/mem.h"
#include "base/temporary.h"
#include "engine_tuning/tune_log.h"
#include "engine_tuning/tuner.h"
#include "match/play/candidate_games.h"
#include "run/run_folder.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    VERDICT_PAIRS = 32, // of a batch of the test
    VALUE_SIZE = 24,
    CONFIG_MAX = 1 << 20,
};

// A candidate as the engine and the log are told of it.
typedef struct Candidate {
    EngineOption *options; // values owned, names borrowed
    Str text;
} Candidate;

typedef struct Run {
    const TuneConfig *config;
    const TuneFiles *files;
    const TuneEvents *events;
    TuneOutcome *out;
    size_t size;
    double *start; // values
    Tuner *tuner;  // NULL where a suite is learned from
    Openings *openings;
    uint64_t race_openings; // the rest is for the test
    CandidateGames *games;
    TuneLog log;
    int lock; // of the directory
} Run;

// The games of a batch: two for each pair of candidates.
typedef struct Batch {
    Run *run;
    Candidate *candidates; // two for each pair
    TuneGame *games;
    CandidateGame *played;
    int *points; // of each pair, its first candidate's
    size_t pairs, from_log;
} Batch;

static void make_candidate(const Run *run, const double *values, Candidate *out) {
    out->options = mem_alloc_zero(run->size, sizeof *out->options);
    for (size_t i = 0; i < run->size; i++) {
        Str value = {0};
        str_addf(&value, "%.0f", values[i]);
        out->options[i] = (EngineOption){run->config->options.items[i].name, value.text};
        str_addf(&out->text, "%s%s", i == 0 ? "" : " ", value.text);
    }
}

static void free_candidate(const Run *run, Candidate *candidate) {
    for (size_t i = 0; i < run->size; i++)
        free(candidate->options[i].value);
    free(candidate->options);
    str_free(&candidate->text);
}

static void make_batch(Run *run, Batch *out, const RaceMeeting *meetings, size_t pairs) {
    *out = (Batch){.run = run,
                   .candidates = mem_alloc_zero(2 * pairs, sizeof *out->candidates),
                   .games = mem_alloc_zero(2 * pairs, sizeof *out->games),
                   .played = mem_alloc_zero(2 * pairs, sizeof *out->played),
                   .points = mem_alloc_zero(pairs, sizeof *out->points),
                   .pairs = pairs};
    for (size_t i = 0; i < pairs; i++) {
        make_candidate(run, meetings[i].first, &out->candidates[2 * i]);
        make_candidate(run, meetings[i].second, &out->candidates[2 * i + 1]);
    }
}

static void free_batch(Batch *batch) {
    for (size_t i = 0; i < 2 * batch->pairs; i++)
        free_candidate(batch->run, &batch->candidates[i]);
    free(batch->candidates);
    free(batch->games);
    free(batch->played);
    free(batch->points);
}

// Openings that the race has not: all of them for the first test, or half for each of two.
static uint64_t share_of_test(const Run *run, TuneStage stage) {
    const uint64_t all = openings_count(run->openings) - run->race_openings;
    const uint64_t first = run->config->confirm.length == 0 ? all : all / 2;
    return stage == TUNE_CONFIRMATION ? all - first : first;
}

static uint64_t first_opening(const Run *run, TuneStage stage) {
    return run->race_openings + (stage == TUNE_CONFIRMATION ? share_of_test(run, TUNE_VERDICT) : 0);
}

// In the first game of a pair its first candidate has White, in the second Black.
static void plan_games(Batch *batch, TuneStage stage, uint64_t number, uint64_t first_pair) {
    const Run *run = batch->run;
    for (size_t i = 0; i < 2 * batch->pairs; i++) {
        const Candidate *white = &batch->candidates[i];
        const Candidate *black = &batch->candidates[i ^ 1];
        const uint64_t pair = first_pair + i / 2;
        const uint64_t opening =
            stage == TUNE_RACE ? pair % run->race_openings : first_opening(run, stage) + pair;
        batch->games[i] =
            (TuneGame){stage, number, i, opening, str_text(&white->text), str_text(&black->text)};
        batch->played[i] = (CandidateGame){{white->options, black->options}, run->size, opening};
    }
}

static void count_game(Batch *batch, size_t index, int white_points, Fault fault) {
    batch->points[index / 2] += index % 2 == 0 ? white_points : 2 - white_points;
    fault_count(&batch->run->out->faults, fault);
}

static Status on_end(void *context, size_t index, const GameRecord *record) {
    Batch *batch = context;
    index += batch->from_log;
    const int points = record->result == RESULT_WHITE_WINS ? 2 : record->result == RESULT_DRAW;
    count_game(batch, index, points, record->fault);
    return tune_log_add(&batch->run->log, &batch->games[index], record);
}

static Status take_from_log(Batch *batch, TuneStage stage) {
    TuneStage next;
    for (size_t i = 0; i < 2 * batch->pairs; i++) {
        int points = 0;
        Fault fault = FAULT_NONE;
        if (!tune_log_has_next(&batch->run->log, &next) || next != stage)
            break;
        TRY(tune_log_take(&batch->run->log, &batch->games[i], &points, &fault));
        count_game(batch, i, points, fault);
        batch->from_log++;
    }
    return OK;
}

static Status play_rest(Batch *batch) {
    Run *run = batch->run;
    const size_t total = 2 * batch->pairs, left = total - batch->from_log;
    size_t ended = 0;
    if (left == 0)
        return OK;
    TRY(candidate_games_play(run->games, batch->played + batch->from_log, left, on_end, batch,
                             &ended));
    TRY(tune_log_sync(&run->log));
    run->out->is_stopped = ended < left;
    return OK;
}

// Plays the batch as far as the log does not have it.
static Status play_batch(Batch *batch, TuneStage stage, uint64_t number, uint64_t first_pair) {
    Run *run = batch->run;
    double *seconds = stage == TUNE_RACE ? &run->out->race_s : &run->out->tests_s;
    plan_games(batch, stage, number, first_pair);
    TRY(take_from_log(batch, stage));
    const int64_t start_ns = clock_now_ns();
    const Status status = play_rest(batch);
    *seconds += clock_seconds_since(start_ns);
    if (status != OK || batch->from_log == 2 * batch->pairs)
        return status;
    return tune_log_add_times(&run->log, run->out->race_s, run->out->tests_s);
}

static const double *start_values(const Run *run) {
    return run->start;
}

static void look_at_race(Run *run) {
    tuner_best(run->tuner, run->out->best);
    run->out->race = tuner_counts(run->tuner);
    run->out->gain = tuner_gain(run->tuner, run->out->best, &run->out->deviation);
}

static Status run_round(Run *run, RaceMeeting *meetings) {
    CLEANUP(free_batch) Batch batch = {0};
    const RaceCounts before = tuner_counts(run->tuner);
    const size_t pairs = tuner_ask(run->tuner, meetings);
    make_batch(run, &batch, meetings, pairs);
    TRY(play_batch(&batch, TUNE_RACE, before.rounds, before.meetings));
    if (!run->out->is_stopped) {
        TRY(tuner_tell(run->tuner, batch.points));
        run->out->race_games += 2 * pairs;
        tune_landscape_add_round(&run->out->landscape, run->tuner, run->out->race_games);
    }
    return OK;
}

// The log of a run whose race is over goes on with the test.
static bool is_race_over(const Run *run) {
    TuneStage next;
    if (tune_log_has_next(&run->log, &next))
        return next != TUNE_RACE;
    const TuneConfig *config = run->config;
    return (config->games > 0 && run->out->race_games >= (uint64_t)config->games) ||
           (config->minutes > 0 && run->out->race_s >= 60 * (double)config->minutes);
}

static Status run_race(Run *run) {
    CLEANUP(mem_free_at)
    RaceMeeting *meetings = mem_alloc_zero((size_t)run->config->seats, sizeof *meetings);
    while (!run->out->is_stopped && !is_race_over(run)) {
        TRY(run_round(run, meetings));
        look_at_race(run);
        if (!run->out->is_stopped)
            run->events->on_batch(run->events->context, run->out);
    }
    return OK;
}

static void tell_of_suite(void *context) {
    const Run *run = context;
    run->events->on_batch(run->events->context, run->out);
}

static Status run_suite(Run *run) {
    const TuneSuiteSetup setup = {.config = run->config,
                                  .directory = run->files->directory,
                                  .concurrency = run->files->concurrency,
                                  .stop_fd = run->files->stop_fd,
                                  .ranks = run->files->ranks,
                                  .context = run,
                                  .on_batch = tell_of_suite};
    const int64_t start_ns = clock_now_ns();
    TRY(tune_suite_run(&setup, run->out->best, &run->out->suite));
    run->out->race_s += clock_seconds_since(start_ns);
    run->out->is_stopped = run->out->suite.is_stopped;
    return tune_log_add_times(&run->log, run->out->race_s, run->out->tests_s);
}

static bool is_start(const Run *run) {
    return memcmp(run->out->best, start_values(run), run->size * sizeof *run->out->best) == 0;
}

static TuneTest *test_of(const Run *run, TuneStage stage) {
    return stage == TUNE_CONFIRMATION ? &run->out->confirmation : &run->out->verdict;
}

static Status run_test_batch(Run *run, TuneStage stage, uint64_t number, size_t pairs) {
    CLEANUP(free_batch) Batch batch = {0};
    RaceMeeting meetings[VERDICT_PAIRS];
    TuneTest *test = test_of(run, stage);
    for (size_t i = 0; i < pairs; i++)
        meetings[i] = (RaceMeeting){run->out->best, start_values(run)};
    make_batch(run, &batch, meetings, pairs);
    TRY(play_batch(&batch, stage, number, number * VERDICT_PAIRS));
    if (run->out->is_stopped)
        return OK;
    for (size_t i = 0; i < pairs; i++)
        test->pairs.results[batch.points[i]]++;
    test->games += 2 * pairs;
    test->sprt = sprt_from_pairs(&run->config->sprt, &test->pairs);
    run->events->on_batch(run->events->context, run->out);
    return OK;
}

static Status run_test(Run *run, TuneStage stage) {
    TuneTest *test = test_of(run, stage);
    test->sprt = sprt_from_pairs(&run->config->sprt, &test->pairs);
    test->limit = 2 * share_of_test(run, stage);
    if (test->limit > (uint64_t)run->config->verdict_games)
        test->limit = (uint64_t)run->config->verdict_games / 2 * 2;
    for (uint64_t number = 0; !run->out->is_stopped && !is_start(run) &&
                              test->sprt.verdict == SPRT_GOES_ON && test->games < test->limit;
         number++) {
        const uint64_t left = (test->limit - test->games) / 2;
        TRY(run_test_batch(run, stage, number, left < VERDICT_PAIRS ? left : VERDICT_PAIRS));
    }
    return OK;
}

static Status load_openings(Run *run) {
    const OpeningsConfig openings = {.path = str_text(&run->config->openings),
                                     .format = OPENINGS_EPD,
                                     .is_random = true,
                                     .seed = (uint64_t)run->config->seed};
    TRY(openings_load(&run->openings, &openings));
    if (!tune_config_has_suite(run->config))
        run->race_openings = (openings_count(run->openings) + 1) / 2;
    return OK;
}

static Status open_games(Run *run, const EngineSpec *spec) {
    const CandidateConfig games = {.spec = spec,
                                   .openings = run->openings,
                                   .rules = run->config->rules,
                                   .cap_ms = run->config->cap_s * 1000,
                                   .concurrency = run->files->concurrency,
                                   .stop_fd = run->files->stop_fd,
                                   .ranks = run->files->ranks};
    candidate_games_close(run->games);
    run->games = NULL;
    return candidate_games_open(&run->games, &games);
}

static Status open_all(Run *run) {
    TRY(load_openings(run));
    TRY(tune_log_open(&run->log, run->files->directory, &run->out->race_s, &run->out->tests_s));
    run->out->best = mem_alloc_zero(run->size, sizeof *run->out->best);
    run->start = mem_alloc_zero(run->size, sizeof *run->start);
    for (size_t i = 0; i < run->size; i++)
        run->start[i] = (double)run->config->options.items[i].start;
    if (!tune_config_has_suite(run->config))
        TRY(tuner_create(&run->tuner, run->config));
    return open_games(run, &run->config->spec);
}

// What is better with one limit may lose with another: the same test with those asked for, unless
// the first one has said no.
static Status run_confirmation(Run *run) {
    EngineSpec spec;
    if (run->config->confirm.length == 0 || run->out->verdict.sprt.verdict == SPRT_H0)
        return OK;
    Status status = tune_config_confirm_spec(run->config, &spec);
    run->out->is_in_confirmation = true;
    if (status == OK)
        status = open_games(run, &spec);
    if (status == OK)
        status = run_test(run, TUNE_CONFIRMATION);
    candidate_games_close(run->games);
    run->games = NULL;
    engine_spec_deinit(&spec);
    return status;
}

static void close_all(Run *run) {
    candidate_games_close(run->games);
    tuner_destroy(run->tuner);
    free(run->start);
    openings_free(run->openings);
    tune_log_close(&run->log);
    folder_unlock(run->lock);
}

Status engine_tune_run(const TuneConfig *config, const TuneFiles *files, const TuneEvents *events,
                       TuneOutcome *out) {
    *out = (TuneOutcome){0};
    int lock;
    TRY(folder_lock(files->directory, "run", &lock));
    CLEANUP(close_all)
    Run run = {.config = config,
               .files = files,
               .events = events,
               .out = out,
               .size = config->options.count,
               .log = TUNE_LOG_NONE,
               .lock = lock};
    temporary_sweep_folder(files->directory);
    TRY(open_all(&run));
    TRY(tune_config_has_suite(config) ? run_suite(&run) : run_race(&run));
    if (out->is_stopped)
        return OK;
    out->is_in_verdict = true;
    if (run.tuner != NULL)
        tune_landscape_survey(&out->landscape, run.tuner, out->best);
    TRY(run_test(&run, TUNE_VERDICT));
    return out->is_stopped ? OK : run_confirmation(&run);
}

void tune_outcome_free(TuneOutcome *outcome) {
    free(outcome->best);
    tune_landscape_free(&outcome->landscape);
    *outcome = (TuneOutcome){0};
}

const char *const engine_tune_files[] = {"config.ini",  "games.jsonl", "suite.jsonl", "timings.csv",
                                         "tuned.ini",   "tuned.json",  "tuned.spsa",  "tuned.h",
                                         "verdict.txt", "report.html", NULL};

static Str config_path(const char *directory) {
    Str path = {0};
    str_addf(&path, "%s/config.ini", directory);
    return path;
}

Status engine_tune_begin(const TuneConfig *config, const char *directory) {
    CLEANUP(str_free) Str path = config_path(directory);
    CLEANUP(str_free) Str text = {0};
    TRY(folder_create(directory));
    if (access(str_text(&path), F_OK) == 0)
        return run_folder_refuse(directory);
    TRY(folder_check_unused(directory, engine_tune_files, "a new run (there is no config.ini)"));
    str_add(&text,
            "; The settings of this run, as resolved. Do not change them while it goes on.\n");
    tune_config_write(config, &text);
    return file_write(str_text(&path), text.text, text.length);
}

// By its settings, which are there before its first game is.
bool engine_tune_is_run(const char *directory) {
    CLEANUP(str_free) Str path = config_path(directory);
    CLEANUP(str_free) Str text = {0};
    return file_read(str_text(&path), CONFIG_MAX, &text) == OK &&
           strstr(str_text(&text), "\n[engine]\n") != NULL;
}

Status engine_tune_open(TuneConfig *config, const char *directory) {
    CLEANUP(str_free) Str path = config_path(directory);
    if (access(str_text(&path), F_OK) != 0)
        return error_set(ERR_IO, "%s holds no run: there is no config.ini", directory);
    return tune_config_read(config, str_text(&path));
}
