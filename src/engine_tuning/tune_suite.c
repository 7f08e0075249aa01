// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine_tuning/tune_suite.h"

#include "base/file.h"
#include "base/journal.h"
#include "base/json.h"
#include "base/mem.h"
#include "evolve/algorithm.h"
#include "suite/suite_run.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LOG_MAX = 1 << 28 };
static const char log_name[] = "suite.jsonl";

// Every second position is for the test.
typedef enum Part { PART_LEARN, PART_TEST, PART_NB } Part;
static const char *const part_names[PART_NB] = {"learn", "test"};

typedef struct Run {
    const TuneSuiteSetup *setup;
    TuneSuiteOutcome *out;
    const TuneOptions *options;
    Suite whole, parts[PART_NB]; // the parts' items are copies
    EngineSpec spec;             // with the limit of a position
    int64_t cap;                 // nodes or milliseconds
    EvolveParameter *parameters; // in steps from the low bounds
    Evolver *evolver;
    Journal journal;
    Str log; // whole lines that were there at the beginning
    size_t read;
} Run;

// A candidate, and what came of it.
typedef struct Trial {
    double *values; // owned
    int64_t effort; // summed over positions
    uint64_t solved, errors, answers;
    char error[SUITE_ERROR_SIZE]; // the first
    bool is_known;                // from the log
} Trial;

typedef struct Batch {
    Run *run;
    Trial *trials;
    size_t count;
    size_t *asked; // trials that are put to the engine
    size_t asked_count;
} Batch;

Status tune_suite_spec(const TuneConfig *config, EngineSpec *out) {
    const char *limit = str_text(&config->suite_limit);
    *out = engine_spec_init();
    TRY(engine_spec_parse(out, config->engine));
    if (*limit != '\0') {
        out->limits = (Limits){0};
        TRY_PREFIX(engine_spec_parse(out, limit), "suite-limit");
    }
    TRY(engine_spec_finish(out));
    const bool has_one = (out->limits.nodes > 0) != (out->limits.move_ms > 0);
    return has_one && out->limits.depth == 0 && out->limits.clock.time_ms == 0
               ? OK
               : error_set(ERR_ARG, "a position of the suite needs a cap: give --suite-limit "
                                    "nodes=20000, or st=0.2 where the engine knows no nodes");
}

// --- making it ---

static Status read_suite(Run *run) {
    TRY(suite_load(&run->whole, str_text(&run->setup->config->suite)));
    if (run->whole.bad_count > 0)
        return error_set(ERR_PARSE, "%s", run->whole.bad[0]);
    if (run->whole.count < 2)
        return error_set(ERR_ARG, "%s: one position to learn from and one to test with are needed",
                         str_text(&run->setup->config->suite));
    for (size_t i = 0; i < run->whole.count; i++) {
        Suite *part = &run->parts[i % PART_NB];
        MEM_ADD(part->items, part->count, part->capacity) = run->whole.items[i];
    }
    run->out->positions = run->parts[PART_LEARN].count;
    run->out->test_positions = run->parts[PART_TEST].count;
    return OK;
}

static Status make_evolver(Run *run) {
    const TuneConfig *config = run->setup->config;
    const size_t n = run->options->count;
    CLEANUP(mem_free_at) double *start = mem_alloc_zero(n, sizeof *start);
    EvolveSetup setup = {.config = evolve_config_default(evolve_find("cmaes")),
                         .seed = (uint64_t)config->seed,
                         .start = start,
                         .start_count = 1};
    run->parameters = mem_alloc_zero(n, sizeof *run->parameters);
    for (size_t i = 0; i < n; i++) {
        const TuneOption *option = &run->options->items[i];
        const double step = (double)option->step;
        run->parameters[i] = (EvolveParameter){
            .name = option->name, .high = floor((double)(option->high - option->low) / step)};
        start[i] =
            fmin(round((double)(option->start - option->low) / step), run->parameters[i].high);
    }
    setup.space = (EvolveSpace){run->parameters, n, EVOLVE_REAL, true};
    CLEANUP(str_free) Str trials = {0};
    str_addf(&trials, "%" PRId64, config->trials);
    TRY(evolve_config_set(&setup.config, "evaluations", str_text(&trials)));
    return evolver_create(&run->evolver, &setup);
}

static Status open_log(Run *run) {
    TRY(journal_open(&run->journal, run->setup->directory, log_name));
    if (run->journal.length == 0)
        return OK;
    TRY(file_read(run->journal.path, LOG_MAX, &run->log));
    size_t whole = run->log.length;
    while (whole > 0 && run->log.text[whole - 1] != '\n')
        whole--;
    str_cut(&run->log, whole);
    return journal_cut(&run->journal, whole);
}

static void close_run(Run *run) {
    // Everything has been synced, or its failure told.
    (void)!journal_close(&run->journal);
    for (int i = 0; i < PART_NB; i++)
        free(run->parts[i].items);
    suite_free(&run->whole);
    engine_spec_deinit(&run->spec);
    evolver_destroy(run->evolver);
    free(run->parameters);
    str_free(&run->log);
}

// --- candidates ---

static double value_at(const Run *run, size_t option, double steps) {
    const TuneOption *it = &run->options->items[option];
    return (double)it->low + (double)it->step * round(steps);
}

static void write_head(const Run *run, Part part, const Trial *trial, Str *out) {
    str_addf(out, "{\"part\":\"%s\",\"values\":\"", part_names[part]);
    for (size_t i = 0; i < run->options->count; i++)
        str_addf(out, "%s%.0f", i == 0 ? "" : " ", trial->values[i]);
    str_add(out, "\",");
}

static Status take_from_log(Run *run, Part part, Trial *trial) {
    CLEANUP(str_free) Str head = {0};
    if (run->read >= run->log.length)
        return OK;
    const char *begin = run->log.text + run->read;
    const char *end = memchr(begin, '\n', run->log.length - run->read);
    const StrView line = view_of(begin, (size_t)(end - begin));
    int64_t solved, errors;
    write_head(run, part, trial, &head);
    TRY_PREFIX(json_check(line), "%s", run->journal.path);
    if (line.length < head.length || memcmp(line.text, head.text, head.length) != 0 ||
        !json_find_int(line, "effort", &trial->effort) || !json_find_int(line, "solved", &solved) ||
        !json_find_int(line, "errors", &errors))
        return error_set(ERR_PARSE,
                         "%s: '%s' is not the candidate that the run's settings lead to: was "
                         "config.ini, or this file, changed?",
                         run->journal.path, view_shown(line).text);
    trial->solved = (uint64_t)solved;
    trial->errors = (uint64_t)errors;
    trial->is_known = true;
    run->read += line.length + 1;
    return OK;
}

static Status add_to_log(Run *run, Part part, const Trial *trial) {
    CLEANUP(str_free) Str line = {0};
    write_head(run, part, trial, &line);
    str_addf(&line, "\"effort\":%" PRId64 ",\"solved\":%" PRIu64 ",\"errors\":%" PRIu64,
             trial->effort, trial->solved, trial->errors);
    json_end_checked(&line, 0);
    return journal_append(&run->journal, &line);
}

static Status make_spec(const Run *run, const Trial *trial, EngineSpec *out) {
    TRY(tune_suite_spec(run->setup->config, out));
    for (size_t i = 0; i < run->options->count; i++) {
        CLEANUP(str_free) Str word = {0};
        str_addf(&word, "option.%s=%.0f", run->options->items[i].name, trial->values[i]);
        TRY(engine_spec_set(out, str_text(&word)));
    }
    return OK;
}

static void take_answer(void *context, size_t item, size_t engine, const SuiteAnswer *answer) {
    const Batch *batch = context;
    const Run *run = batch->run;
    Trial *trial = &batch->trials[batch->asked[engine]];
    const int64_t effort = run->out->in_ms ? answer->solution_ms : (int64_t)answer->solution_nodes;
    const bool is_solved = answer->error[0] == '\0' && answer->is_solved && effort < run->cap;
    (void)item;
    if (answer->error[0] != '\0' && trial->errors++ == 0)
        snprintf(trial->error, sizeof trial->error, "%s", answer->error);
    trial->answers++;
    trial->solved += is_solved;
    trial->effort += is_solved ? effort : run->cap;
}

// An engine that tells no nodes would seem to find everything at once.
static Status check_trial(const Run *run, const Suite *suite, const Trial *trial) {
    if (trial->errors == suite->count)
        return error_set(ERR_ENGINE, "%s: failed on every position: %s", run->spec.name,
                         trial->error);
    if (!run->out->in_ms && trial->solved > 0 &&
        trial->effort == run->cap * (int64_t)(suite->count - trial->solved))
        return error_set(ERR_ENGINE,
                         "%s: tells no nodes: give --suite-limit st=0.2, say, and time counts",
                         run->spec.name);
    return OK;
}

// Puts the positions to those whose results are not known.
static Status ask(Batch *batch, Part part) {
    Run *run = batch->run;
    const Suite *suite = &run->parts[part];
    Status status = OK;
    EngineSpec *specs = mem_alloc_zero(batch->count, sizeof *specs);
    for (size_t i = 0; i < batch->count && status == OK; i++)
        if (!batch->trials[i].is_known) {
            batch->asked[batch->asked_count] = i;
            status = make_spec(run, &batch->trials[i], &specs[batch->asked_count++]);
        }
    const SuiteConfig config = {specs, batch->asked_count, run->setup->concurrency,
                                run->setup->stop_fd, run->setup->ranks};
    if (status == OK && batch->asked_count > 0)
        status = suite_run(suite, &config, take_answer, batch);
    for (size_t i = 0; i < batch->asked_count; i++)
        engine_spec_deinit(&specs[i]);
    free(specs);
    TRY(status);
    for (size_t i = 0; i < batch->asked_count; i++)
        run->out->is_stopped |= batch->trials[batch->asked[i]].answers < suite->count;
    for (size_t i = 0; i < batch->asked_count && !run->out->is_stopped; i++) {
        const Trial *trial = &batch->trials[batch->asked[i]];
        TRY(check_trial(run, suite, trial));
        TRY(add_to_log(run, part, trial));
    }
    return batch->asked_count > 0 ? journal_sync(&run->journal) : OK;
}

// Efforts of `count` candidates, row by row; out->is_stopped where there are none.
static Status judge(Run *run, Part part, const double *rows, size_t count, int64_t *efforts) {
    const size_t n = run->options->count;
    Batch batch = {.run = run,
                   .trials = mem_alloc_zero(count, sizeof *batch.trials),
                   .count = count,
                   .asked = mem_alloc_zero(count, sizeof *batch.asked)};
    Status status = OK;
    for (size_t i = 0; i < count; i++) {
        batch.trials[i].values = mem_alloc(n * sizeof *batch.trials[i].values);
        memcpy(batch.trials[i].values, rows + i * n, n * sizeof *rows);
        if (status == OK)
            status = take_from_log(run, part, &batch.trials[i]);
    }
    if (status == OK)
        status = ask(&batch, part);
    for (size_t i = 0; i < count; i++) {
        efforts[i] = batch.trials[i].effort;
        run->out->errors += batch.trials[i].errors;
        free(batch.trials[i].values);
    }
    free(batch.trials);
    free(batch.asked);
    return status;
}

// --- the whole ---

static Status run_generation(Run *run, double *best, int64_t *least) {
    const size_t n = run->options->count;
    const EvolveBatch asked = evolver_ask(run->evolver);
    CLEANUP(mem_free_at) double *rows = mem_alloc((asked.count * n + 1) * sizeof *rows);
    CLEANUP(mem_free_at) int64_t *scores = mem_alloc((asked.count + 1) * sizeof *scores);
    for (size_t i = 0; i < asked.count * n; i++)
        rows[i] = value_at(run, i % n, asked.parameters[i]);
    TRY(judge(run, PART_LEARN, rows, asked.count, scores));
    if (run->out->is_stopped)
        return OK;
    for (size_t i = 0; i < asked.count; i++) {
        if (scores[i] < *least) {
            *least = scores[i];
            memcpy(best, rows + i * n, n * sizeof *best);
        }
        scores[i] = -scores[i];
    }
    run->out->trials += asked.count;
    run->out->best = (double)*least / (double)run->out->positions;
    return evolver_tell(run->evolver, scores);
}

static Status learn(Run *run, const double *start, double *best) {
    int64_t least;
    memcpy(best, start, run->options->count * sizeof *best);
    TRY(judge(run, PART_LEARN, start, 1, &least));
    run->out->trials = 1;
    run->out->start = run->out->best = (double)least / (double)run->out->positions;
    while (!run->out->is_stopped && evolver_stop_reason(run->evolver) == NULL) {
        TRY(run_generation(run, best, &least));
        if (!run->out->is_stopped)
            run->setup->on_batch(run->setup->context);
    }
    return OK;
}

static Status test(Run *run, const double *start, const double *best) {
    const size_t n = run->options->count;
    CLEANUP(mem_free_at) double *rows = mem_alloc(2 * n * sizeof *rows);
    int64_t efforts[2];
    memcpy(rows, start, n * sizeof *rows);
    memcpy(rows + n, best, n * sizeof *rows);
    TRY(judge(run, PART_TEST, rows, 2, efforts));
    run->out->test_start = (double)efforts[0] / (double)run->out->test_positions;
    run->out->test_best = (double)efforts[1] / (double)run->out->test_positions;
    return OK;
}

Status tune_suite_run(const TuneSuiteSetup *setup, double *best, TuneSuiteOutcome *out) {
    const TuneOptions *options = &setup->config->options;
    *out = (TuneSuiteOutcome){.start = NAN, .best = NAN, .test_start = NAN, .test_best = NAN};
    CLEANUP(close_run)
    Run run = {.setup = setup, .out = out, .options = options, .journal = JOURNAL_NONE};
    CLEANUP(mem_free_at) double *start = mem_alloc(options->count * sizeof *start);
    for (size_t i = 0; i < options->count; i++)
        start[i] = (double)options->items[i].start;
    TRY(tune_suite_spec(setup->config, &run.spec));
    out->in_ms = run.spec.limits.nodes == 0;
    run.cap = out->in_ms ? run.spec.limits.move_ms : (int64_t)run.spec.limits.nodes;
    TRY(read_suite(&run));
    TRY(make_evolver(&run));
    TRY(open_log(&run));
    TRY(learn(&run, start, best));
    return out->is_stopped ? OK : test(&run, start, best);
}

void tune_suite_describe(const TuneSuiteOutcome *outcome, Str *out) {
    const char *unit = outcome->in_ms ? "ms" : "nodes";
    str_addf(out,
             "By the suite: %.0f %s to the solution in the mean over %zu positions, %.0f with the "
             "start values",
             outcome->best, unit, outcome->positions, outcome->start);
    if (!isnan(outcome->test_best))
        str_addf(out, "; on %zu others, never learned from, %.0f and %.0f", outcome->test_positions,
                 outcome->test_best, outcome->test_start);
    str_addf(out, "; %" PRIu64 " candidates.\n", outcome->trials);
    if (outcome->errors > 0)
        str_addf(out, "The engine failed on %" PRIu64 " positions, which counted as not solved.\n",
                 outcome->errors);
}
