// SPDX-License-Identifier: GPL-3.0-or-later
// The functions that expressions of paper files may call: docs/reproduce.md lists them.
#include "base/mem.h"
#include "base/shell.h"
#include "eval/value.h"
#include "papers/script.h"
#include "run/files/run_rank.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LIST_MAX = 100000 };

typedef Status Function(Script *script, const ScriptValue *args, ScriptValue *out);

static Status give_text(Script *script, Str *text, ScriptValue *out) {
    *out = script_text_value(script, text);
    return OK;
}

static Status give_number(double number, ScriptValue *out) {
    *out = script_number(number);
    return OK;
}

// A number as an index; one that nothing has where it is none.
static size_t to_index(const ScriptValue *value) {
    return value->number >= 0 && value->number < LIST_MAX ? (size_t)value->number : LIST_MAX;
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

// --- the plan ---

static Status call_scale(Script *script, const ScriptValue *args, ScriptValue *out) {
    *out = args[script->plan->scale == SCALE_QUICK ? 0 : 1];
    return OK;
}

static Status call_has(Script *script, const ScriptValue *args, ScriptValue *out) {
    return give_number(plan_has(script->plan, args[0].text), out);
}

static Status call_engine(Script *script, const ScriptValue *args, ScriptValue *out) {
    Str path = {0};
    const char *found = plan_engine(script->plan, args[0].text);
    str_add(&path, found == NULL ? "" : found);
    return give_text(script, &path, out);
}

static Status call_engine_words(Script *script, const ScriptValue *args, ScriptValue *out) {
    Str words = {0};
    str_add(&words, plan_engine_words(args[0].text));
    return give_text(script, &words, out);
}

static Status call_eyas(Script *script, const ScriptValue *args, ScriptValue *out) {
    (void)args;
    Str path = {0};
    const char *found = plan_eyas(script->plan);
    str_add(&path, found == NULL ? "" : found);
    return give_text(script, &path, out);
}

static Status call_named_engines(Script *script, const ScriptValue *args, ScriptValue *out) {
    (void)args;
    Str list = {0};
    for (size_t i = 0; i < script->plan->named_count; i++)
        str_addf(&list, "%s%s", i == 0 ? "" : "\n", script->plan->named[i]);
    return give_text(script, &list, out);
}

static Status call_quote(Script *script, const ScriptValue *args, ScriptValue *out) {
    Str word = {0};
    shell_quote(&word, args[0].text);
    return give_text(script, &word, out);
}

static Status call_quote_words(Script *script, const ScriptValue *args, ScriptValue *out) {
    Str words = {0};
    shell_quote_words(&words, args[0].text);
    return give_text(script, &words, out);
}

static Status call_seconds(Script *script, const ScriptValue *args, ScriptValue *out) {
    return give_number(evidence_seconds(script->plan, args[0].text), out);
}

// --- lists and numbers ---

static Status call_range(Script *script, const ScriptValue *args, ScriptValue *out) {
    Str list = {0};
    if (!(args[1].number - args[0].number <= LIST_MAX))
        return error_set(ERR_LIMIT, "a range of more than %d numbers", LIST_MAX);
    for (double i = args[0].number; i < args[1].number; i++)
        str_addf(&list, "%s%.0f", list.length == 0 ? "" : "\n", i);
    return give_text(script, &list, out);
}

static Status call_item(Script *script, const ScriptValue *args, ScriptValue *out) {
    const char *at = args[0].text;
    for (double i = 0; i < args[1].number && *at != '\0'; i++) {
        at += strcspn(at, "\n");
        at += *at == '\n';
    }
    Str item = {0};
    str_append(&item, at, strcspn(at, "\n"));
    return give_text(script, &item, out);
}

static Status call_abs(Script *script, const ScriptValue *args, ScriptValue *out) {
    (void)script;
    return give_number(fabs(args[0].number), out);
}

static Status call_sqrt(Script *script, const ScriptValue *args, ScriptValue *out) {
    (void)script;
    return give_number(sqrt(args[0].number), out);
}

static Status call_hypot(Script *script, const ScriptValue *args, ScriptValue *out) {
    (void)script;
    return give_number(hypot(args[0].number, args[1].number), out);
}

static Status call_min(Script *script, const ScriptValue *args, ScriptValue *out) {
    (void)script;
    return give_number(fmin(args[0].number, args[1].number), out);
}

static Status call_max(Script *script, const ScriptValue *args, ScriptValue *out) {
    (void)script;
    return give_number(fmax(args[0].number, args[1].number), out);
}

static Status call_is_known(Script *script, const ScriptValue *args, ScriptValue *out) {
    (void)script;
    return give_number(!isnan(args[0].number), out);
}

static Status call_elo_of(Script *script, const ScriptValue *args, ScriptValue *out) {
    (void)script;
    return give_number(elo_of_score(args[0].number), out);
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
    return give_text(script, &list, out);
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
    return give_number(total == NULL ? (double)NAN : (double)total->solved, out);
}

static Status call_asked(Script *script, const ScriptValue *args, ScriptValue *out) {
    const SuiteTotal *total;
    TRY(answers_of(script, args, &total));
    return give_number(total == NULL ? 0 : (double)total->count, out);
}

// --- runs ---

static Status call_runs(Script *script, const ScriptValue *args, ScriptValue *out) {
    Grid *runs;
    TRY(runs_of(script, args[0].text, &runs));
    return give_number((double)runs->rows, out);
}

static Status call_cell(Script *script, const ScriptValue *args, ScriptValue *out) {
    Grid *runs;
    TRY(runs_of(script, args[0].text, &runs));
    return give_number(grid_at(runs, to_index(&args[1]), args[2].text), out);
}

// Of the run in the middle of their order. Ranks count from 1; rows are in the order of the runs.
static Status call_median_run(Script *script, const ScriptValue *args, ScriptValue *out) {
    Grid *runs;
    TRY(runs_of(script, args[0].text, &runs));
    return give_number((double)grid_find(runs, "rank", (double)(runs->rows / 2 + 1)), out);
}

static Status call_mean(Script *script, const ScriptValue *args, ScriptValue *out) {
    Grid *runs;
    TRY(runs_of(script, args[0].text, &runs));
    return give_number(grid_mean(runs, args[1].text), out);
}

static Status call_deviation(Script *script, const ScriptValue *args, ScriptValue *out) {
    Grid *runs;
    TRY(runs_of(script, args[0].text, &runs));
    return give_number(grid_deviation(runs, args[1].text), out);
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
    return give_text(script, &path, out);
}

static Status call_generations(Script *script, const ScriptValue *args, ScriptValue *out) {
    EvidenceLog *log;
    TRY(log_of(script, args[0].text, &log));
    return give_number((double)log->count, out);
}

static Status call_log(Script *script, const ScriptValue *args, ScriptValue *out) {
    EvidenceLog *log;
    TRY(log_of(script, args[0].text, &log));
    return give_number(evidence_log_at(log, to_index(&args[1]), args[2].text), out);
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
    return give_number(band.sum / args[1].number, out);
}

static Status call_log_least(Script *script, const ScriptValue *args, ScriptValue *out) {
    LogBand band;
    TRY(band_of(script, args, &band));
    return give_number(band.low, out);
}

static Status call_log_most(Script *script, const ScriptValue *args, ScriptValue *out) {
    LogBand band;
    TRY(band_of(script, args, &band));
    return give_number(band.high, out);
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
    return give_number((double)weights->family->term_count, out);
}

static Status call_unit(Script *script, const ScriptValue *args, ScriptValue *out) {
    Weights *weights;
    TRY(weights_of(script, args[0].text, &weights));
    return give_number(weights->family->unit, out);
}

static Status call_term(Script *script, const ScriptValue *args, ScriptValue *out) {
    Weights *weights;
    size_t i;
    Str name = {0};
    TRY(term_of(script, args, &weights, &i));
    str_add(&name, weights->family->terms[i].name);
    return give_text(script, &name, out);
}

static Status call_term_low(Script *script, const ScriptValue *args, ScriptValue *out) {
    Weights *weights;
    size_t i;
    TRY(term_of(script, args, &weights, &i));
    return give_number(weights->family->terms[i].low, out);
}

static Status call_term_high(Script *script, const ScriptValue *args, ScriptValue *out) {
    Weights *weights;
    size_t i;
    TRY(term_of(script, args, &weights, &i));
    return give_number(weights->family->terms[i].high, out);
}

static Status call_weight(Script *script, const ScriptValue *args, ScriptValue *out) {
    Weights *weights;
    size_t i;
    TRY(term_of(script, args, &weights, &i));
    return give_number(weights->parameters[i], out);
}

static Status call_weight_text(Script *script, const ScriptValue *args, ScriptValue *out) {
    Weights *weights;
    size_t i;
    Str text = {0};
    TRY(term_of(script, args, &weights, &i));
    str_add(&text, value_text(weights->family, weights->parameters[i]).text);
    return give_text(script, &text, out);
}

// --- the table ---

static const struct {
    const char *name;
    size_t arguments;
    Function *call;
} functions[] = {
    {"abs", 1, call_abs},
    {"asked", 2, call_asked},
    {"cell", 3, call_cell},
    {"deviation", 2, call_deviation},
    {"elo_of", 1, call_elo_of},
    {"engine", 1, call_engine},
    {"engine_words", 1, call_engine_words},
    {"eyas", 0, call_eyas},
    {"generations", 1, call_generations},
    {"has", 1, call_has},
    {"hypot", 2, call_hypot},
    {"is_known", 1, call_is_known},
    {"item", 2, call_item},
    {"least", 2, call_least},
    {"log", 3, call_log},
    {"log_least", 4, call_log_least},
    {"log_mean", 4, call_log_mean},
    {"log_most", 4, call_log_most},
    {"max", 2, call_max},
    {"mean", 2, call_mean},
    {"median_run", 1, call_median_run},
    {"meeting", 3, call_meeting},
    {"min", 2, call_min},
    {"most", 2, call_most},
    {"named_engines", 0, call_named_engines},
    {"players", 1, call_players},
    {"quote", 1, call_quote},
    {"quote_words", 1, call_quote_words},
    {"range", 2, call_range},
    {"result", 4, call_result},
    {"run", 2, call_run},
    {"run_seconds", 2, call_run_seconds},
    {"runs", 1, call_runs},
    {"scale", 2, call_scale},
    {"seconds", 1, call_seconds},
    {"solved", 2, call_solved},
    {"solvers", 1, call_solvers},
    {"sqrt", 1, call_sqrt},
    {"term", 2, call_term},
    {"term_high", 2, call_term_high},
    {"term_low", 2, call_term_low},
    {"terms", 1, call_terms},
    {"unit", 1, call_unit},
    {"verdict", 2, call_verdict},
    {"weight", 2, call_weight},
    {"weight_text", 2, call_weight_text},
};

Status script_call(Script *script, StrView name, const ScriptValue *args, size_t count,
                   ScriptValue *out) {
    *out = script_number((double)NAN);
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (view_equals(name, functions[i].name)) {
            if (count != functions[i].arguments)
                return error_set(ERR_PARSE, "%s takes %zu arguments, not %zu", functions[i].name,
                                 functions[i].arguments, count);
            return script->is_checked ? OK : functions[i].call(script, args, out);
        }
    return error_set(ERR_PARSE, "there is no function '%s'", view_shown(name).text);
}
