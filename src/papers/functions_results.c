// SPDX-License-Identifier: GPL-3.0-or-later
// Functions that read what the steps of a plan wrote.
#include "papers/functions.h"

#include "base/mem.h"
#include "base/wilson.h"
#include "eval/value.h"
#include "run/files/run_rank.h"

#include <math.h>
#include <string.h>

// A number as an index; one that nothing has where it is none.
static size_t to_index(const ScriptValue *value) {
    return value->number >= 0 && value->number < FUNCTIONS_LIST_MAX ? (size_t)value->number
                                                                    : FUNCTIONS_LIST_MAX;
}

// --- files that are kept ---

// The source of a path, which may be new.
static ScriptSource *source_of(Script *script, const char *path) {
    for (size_t i = 0; i < script->source_count; i++)
        if (strcmp(script->sources[i]->path, path) == 0)
            return script->sources[i];
    ScriptSource *source = mem_alloc_zero(1, sizeof *source);
    source->path = mem_copy_string(path);
    MEM_ADD(script->sources, script->source_count, script->source_capacity) = source;
    return source;
}

// FOLDER/STEP/runs.csv.
static Status runs_of(Script *script, const char *step, Grid **out) {
    CLEANUP(str_free) Str path = {0};
    evidence_path(script->plan, &path, "%s/runs.csv", step);
    ScriptSource *source = source_of(script, str_text(&path));
    *out = &source->grid;
    return source->grid.columns > 0 ? OK : grid_read(*out, source->path);
}

// The log of FOLDER/RUN.
static Status log_of(Script *script, const char *run, EvidenceLog **out) {
    CLEANUP(str_free) Str path = {0};
    evidence_path(script->plan, &path, "%s", run);
    ScriptSource *source = source_of(script, str_text(&path));
    *out = &source->log;
    return source->log.count > 0 ? OK : evidence_log_read(*out, source->path);
}

static Status weights_of(Script *script, const char *path, Weights **out) {
    ScriptSource *source = source_of(script, path);
    *out = &source->weights;
    if (!source->has_weights)
        TRY(weights_load(*out, path));
    source->has_weights = true;
    return OK;
}

static Status suite_of(Script *script, const char *step, SuiteScores **out) {
    ScriptSource *source = source_of(script, step);
    *out = &source->suite;
    return source->suite.count > 0 ? OK : evidence_suite(script->plan, step, *out);
}

// --- games ---

static Status call_meeting(Script *script, const ScriptValue *args, ScriptValue *out) {
    *out = (ScriptValue){.kind = SCRIPT_SCORE, .number = (double)NAN, .text = ""};
    return evidence_meeting(script->plan, args[0].text, args[1].text, args[2].text, &out->score);
}

static Status call_verdict(Script *script, const ScriptValue *args, ScriptValue *out) {
    *out = (ScriptValue){.kind = SCRIPT_SCORE, .number = (double)NAN, .text = ""};
    return evidence_verdict(script->plan, args[0].text, (int)to_index(&args[1]), &out->score);
}

static Status call_players(Script *script, const ScriptValue *args, ScriptValue *out) {
    Str list = {0};
    const Status status = evidence_players(script->plan, args[0].text, &list);
    *out = script_text_value(script, &list);
    return status;
}

static Status call_result(Script *script, const ScriptValue *args, ScriptValue *out) {
    *out = script_number((double)NAN);
    return evidence_result(script->plan, args[0].text, args[1].text, args[2].text, args[3].text,
                           &out->number);
}

// --- suites ---

static Status call_solvers(Script *script, const ScriptValue *args, ScriptValue *out) {
    SuiteScores *scores;
    TRY(suite_of(script, args[0].text, &scores));
    Str list = {0};
    for (size_t i = 0; i < scores->count; i++)
        str_addf(&list, "%s%s", i == 0 ? "" : "\n", scores->items[i].engine);
    return function_give_text(script, &list, out);
}

// The answers of an engine; NULL where it was not asked.
static Status answers_of(Script *script, const ScriptValue *args, const SuiteTotal **out) {
    SuiteScores *scores;
    TRY(suite_of(script, args[0].text, &scores));
    *out = suite_scores_find(scores, args[1].text);
    return OK;
}

static Status call_solved(Script *script, const ScriptValue *args, ScriptValue *out) {
    const SuiteTotal *total;
    TRY(answers_of(script, args, &total));
    return function_give_number(total == NULL ? (double)NAN : (double)total->solved, out);
}

static Status call_asked(Script *script, const ScriptValue *args, ScriptValue *out) {
    const SuiteTotal *total;
    TRY(answers_of(script, args, &total));
    return function_give_number(total == NULL ? 0 : (double)total->count, out);
}

// Wilson's 95% interval of the share that an engine solved, in percent.
static Status solved_interval(Script *script, const ScriptValue *args, ShareInterval *out) {
    const SuiteTotal *total;
    TRY(answers_of(script, args, &total));
    *out = total == NULL ? (ShareInterval){(double)NAN, (double)NAN, (double)NAN}
                         : wilson_interval(total->solved, total->count);
    return OK;
}

static Status call_solved_low(Script *script, const ScriptValue *args, ScriptValue *out) {
    ShareInterval interval;
    TRY(solved_interval(script, args, &interval));
    return function_give_number(100 * interval.low, out);
}

static Status call_solved_high(Script *script, const ScriptValue *args, ScriptValue *out) {
    ShareInterval interval;
    TRY(solved_interval(script, args, &interval));
    return function_give_number(100 * interval.high, out);
}

static Status call_engine_version(Script *script, const ScriptValue *args, ScriptValue *out) {
    Str version = {0};
    evidence_engine_version(script->plan, args[0].text, args[1].text, &version);
    return function_give_text(script, &version, out);
}

// --- runs ---

static Status call_runs(Script *script, const ScriptValue *args, ScriptValue *out) {
    Grid *runs;
    TRY(runs_of(script, args[0].text, &runs));
    return function_give_number((double)runs->rows, out);
}

static Status call_cell(Script *script, const ScriptValue *args, ScriptValue *out) {
    Grid *runs;
    TRY(runs_of(script, args[0].text, &runs));
    return function_give_number(grid_at(runs, to_index(&args[1]), args[2].text), out);
}

// Of the run in the middle of their order. Ranks count from 1; rows are in the order of the runs.
static Status call_median_run(Script *script, const ScriptValue *args, ScriptValue *out) {
    Grid *runs;
    TRY(runs_of(script, args[0].text, &runs));
    return function_give_number((double)grid_find(runs, "rank", (double)(runs->rows / 2 + 1)), out);
}

static Status call_mean(Script *script, const ScriptValue *args, ScriptValue *out) {
    Grid *runs;
    TRY(runs_of(script, args[0].text, &runs));
    return function_give_number(grid_mean(runs, args[1].text), out);
}

static Status call_deviation(Script *script, const ScriptValue *args, ScriptValue *out) {
    Grid *runs;
    TRY(runs_of(script, args[0].text, &runs));
    return function_give_number(grid_deviation(runs, args[1].text), out);
}

static Status call_least(Script *script, const ScriptValue *args, ScriptValue *out) {
    Grid *runs;
    TRY(runs_of(script, args[0].text, &runs));
    *out = script_number(HUGE_VAL);
    for (size_t row = 0; row < runs->rows; row++)
        out->number = fmin(out->number, grid_at(runs, row, args[1].text));
    return OK;
}

static Status call_most(Script *script, const ScriptValue *args, ScriptValue *out) {
    Grid *runs;
    TRY(runs_of(script, args[0].text, &runs));
    *out = script_number(-HUGE_VAL);
    for (size_t row = 0; row < runs->rows; row++)
        out->number = fmax(out->number, grid_at(runs, row, args[1].text));
    return OK;
}

static Status call_run_seconds(Script *script, const ScriptValue *args, ScriptValue *out) {
    *out = script_number((double)NAN);
    return evidence_run_seconds(script->plan, args[0].text, (int)to_index(&args[1]), &out->number);
}

// --- logs ---

static Status call_run(Script *script, const ScriptValue *args, ScriptValue *out) {
    Str path = {0};
    run_path(args[0].text, true, to_index(&args[1]) - 1, &path);
    return function_give_text(script, &path, out);
}

static Status call_generations(Script *script, const ScriptValue *args, ScriptValue *out) {
    EvidenceLog *log;
    TRY(log_of(script, args[0].text, &log));
    return function_give_number((double)log->count, out);
}

static Status call_log(Script *script, const ScriptValue *args, ScriptValue *out) {
    EvidenceLog *log;
    TRY(log_of(script, args[0].text, &log));
    return function_give_number(evidence_log_at(log, to_index(&args[1]), args[2].text), out);
}

// A column of one generation over the runs of a step.
typedef struct LogBand {
    double sum, low, high;
} LogBand;

static Status band_of(Script *script, const ScriptValue *args, LogBand *out) {
    *out = (LogBand){0, HUGE_VAL, -HUGE_VAL};
    for (double run = 1; run <= args[1].number; run++) {
        ScriptValue of[] = {args[0], script_number(run)}, folder;
        EvidenceLog *log;
        TRY(call_run(script, of, &folder));
        TRY(log_of(script, folder.text, &log));
        const double value = evidence_log_at(log, to_index(&args[2]), args[3].text);
        out->sum += value;
        out->low = fmin(out->low, value);
        out->high = fmax(out->high, value);
    }
    return OK;
}

static Status call_log_mean(Script *script, const ScriptValue *args, ScriptValue *out) {
    LogBand band;
    TRY(band_of(script, args, &band));
    return function_give_number(band.sum / args[1].number, out);
}

static Status call_log_least(Script *script, const ScriptValue *args, ScriptValue *out) {
    LogBand band;
    TRY(band_of(script, args, &band));
    return function_give_number(band.low, out);
}

static Status call_log_most(Script *script, const ScriptValue *args, ScriptValue *out) {
    LogBand band;
    TRY(band_of(script, args, &band));
    return function_give_number(band.high, out);
}

// --- weights ---

// The weights of the first argument, and the term that the second one numbers.
static Status term_of(Script *script, const ScriptValue *args, Weights **weights, size_t *index) {
    TRY(weights_of(script, args[0].text, weights));
    *index = to_index(&args[1]);
    return *index < (*weights)->family->term_count
               ? OK
               : error_set(ERR_ARG, "%s: no term %g", args[0].text, args[1].number);
}

static Status call_terms(Script *script, const ScriptValue *args, ScriptValue *out) {
    Weights *weights;
    TRY(weights_of(script, args[0].text, &weights));
    return function_give_number((double)weights->family->term_count, out);
}

static Status call_unit(Script *script, const ScriptValue *args, ScriptValue *out) {
    Weights *weights;
    TRY(weights_of(script, args[0].text, &weights));
    return function_give_number(weights->family->unit, out);
}

static Status call_term(Script *script, const ScriptValue *args, ScriptValue *out) {
    Weights *weights;
    size_t i;
    Str name = {0};
    TRY(term_of(script, args, &weights, &i));
    str_add(&name, weights->family->terms[i].name);
    return function_give_text(script, &name, out);
}

static Status call_term_words(Script *script, const ScriptValue *args, ScriptValue *out) {
    Weights *weights;
    size_t i;
    Str meaning = {0};
    TRY(term_of(script, args, &weights, &i));
    str_add(&meaning, weights->family->terms[i].meaning);
    return function_give_text(script, &meaning, out);
}

static Status call_term_low(Script *script, const ScriptValue *args, ScriptValue *out) {
    Weights *weights;
    size_t i;
    TRY(term_of(script, args, &weights, &i));
    return function_give_number(weights->family->terms[i].low, out);
}

static Status call_term_high(Script *script, const ScriptValue *args, ScriptValue *out) {
    Weights *weights;
    size_t i;
    TRY(term_of(script, args, &weights, &i));
    return function_give_number(weights->family->terms[i].high, out);
}

static Status call_weight(Script *script, const ScriptValue *args, ScriptValue *out) {
    Weights *weights;
    size_t i;
    TRY(term_of(script, args, &weights, &i));
    return function_give_number(weights->parameters[i], out);
}

static Status call_weight_text(Script *script, const ScriptValue *args, ScriptValue *out) {
    Weights *weights;
    size_t i;
    Str text = {0};
    TRY(term_of(script, args, &weights, &i));
    str_add(&text, value_text(weights->family, weights->parameters[i]).text);
    return function_give_text(script, &text, out);
}

// --- the table ---

const ScriptFunction functions_of_results[] = {
    {"asked", 2, call_asked},
    {"cell", 3, call_cell},
    {"deviation", 2, call_deviation},
    {"engine_version", 2, call_engine_version},
    {"generations", 1, call_generations},
    {"least", 2, call_least},
    {"log", 3, call_log},
    {"log_least", 4, call_log_least},
    {"log_mean", 4, call_log_mean},
    {"log_most", 4, call_log_most},
    {"mean", 2, call_mean},
    {"median_run", 1, call_median_run},
    {"meeting", 3, call_meeting},
    {"most", 2, call_most},
    {"players", 1, call_players},
    {"result", 4, call_result},
    {"run", 2, call_run},
    {"run_seconds", 2, call_run_seconds},
    {"runs", 1, call_runs},
    {"solved", 2, call_solved},
    {"solved_high", 2, call_solved_high},
    {"solved_low", 2, call_solved_low},
    {"solvers", 1, call_solvers},
    {"term", 2, call_term},
    {"term_words", 2, call_term_words},
    {"term_high", 2, call_term_high},
    {"term_low", 2, call_term_low},
    {"terms", 1, call_terms},
    {"unit", 1, call_unit},
    {"verdict", 2, call_verdict},
    {"weight", 2, call_weight},
    {"weight_text", 2, call_weight_text},
    {NULL, 0, NULL},
};
