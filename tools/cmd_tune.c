// SPDX-License-Identifier: GPL-3.0-or-later
// falconer tune: fits a family's weights to positions by gradient.
#include "base/clock.h"
#include "base/file.h"
#include "base/locate.h"
#include "base/mem.h"
#include "base/progress.h"
#include "eval/value.h"
#include "fit/fit_positions.h"
#include "fitness/linear/coefficient_reader.h"
#include "settings/space.h"
#include "tools/args.h"
#include "tools/commands.h"
#include "tools/mentor_args.h"
#include "tools/print.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

enum { MOVED_SHOWN = 10, LOSS_DEFAULT = -1 };

typedef struct TuneArgs {
    const char *family, *start, *freeze, *only, *bounds, *validation, *output, *log;
    MentorArgs mentor;
    bool through_sigmoid;
    double lambda, k, rate, pull, holdout;
    int loss, rounds, patience, steps, temperature, threads;
    uint64_t seed;
} TuneArgs;

static const TuneArgs defaults = {.loss = LOSS_DEFAULT,
                                  .lambda = 0.5,
                                  .rate = 0.003,
                                  .holdout = -1,
                                  .patience = -1,
                                  .steps = 200,
                                  .temperature = 60,
                                  .seed = 1};

#define ARGS TuneArgs
static const ArgOption options[] = {
    ARG("family", 'f', "NAME", STRING, family,
        "evaluation family (default: that of the start weights, or falcon)"),
    ARG("start", 'w', "FILE", INPUT, start, "weights to start from (default: the family's own)"),
    ARG_ONE_OF("loss", 'l', "NAME", loss, fit_kind_names,
               "what to minimise: results, results-squared, mentor, mentor-absolute, mix or moves "
               "(default: results; mentor-absolute for another engine's coefficients labelled with "
               "centipawns)"),
    ARG_RANGE("lambda", 0, "SHARE", DOUBLE, lambda, 0, 1,
              "with mix: weight of the result; the mentor has the rest (default: 0.5)"),
    ARG_RANGE("k", 0, "K", DOUBLE, k, 0, 100,
              "K of the sigmoid 1 / (1 + 10^(-K score / 400)); 0: fitted to the results at the "
              "start, or 1 without results (default: 0)"),
    ARG_SWITCH("through-sigmoid", 0, through_sigmoid,
               "compare a mentor's scores as probabilities: errors in won positions matter less"),
    MENTOR_OPTIONS(mentor),
    ARG("freeze", 0, "LIST", STRING, freeze,
        "terms to fix: NAME or NAME=VALUE, separated by commas"),
    ARG("only", 0, "LIST", STRING, only, "terms to fit, separated by commas; all others are fixed"),
    ARG("bounds", 0, "LIST", STRING, bounds, "NAME:LOW:HIGH, separated by commas"),
    ARG_RANGE("pull", 0, "LOSS", DOUBLE, pull, 0, 1e9,
              "penalty of a weight 100 units from its start, growing with the square (default: 0)"),
    ARG_RANGE("holdout", 0, "SHARE", DOUBLE, holdout, 0, 0.9,
              "share of the positions held out to choose the best round (default: 0.1, or 0 with "
              "--validation)"),
    ARG("validation", 0, "FILE", INPUT, validation,
        "positions to choose the best round with, not trained on"),
    ARG_RANGE("rounds", 'r', "N", INT, rounds, 1, 1000000,
              "rounds at most (default: 1000; with moves 5, each of many steps)"),
    ARG_RANGE("patience", 0, "N", INT, patience, 0, 1000000,
              "stop after N rounds without improvement; 0: never (default: 100; with moves 2)"),
    ARG_RANGE("rate", 0, "SHARE", DOUBLE, rate, 1e-9, 1,
              "first step of a weight, as a share of its range (default: 0.003)"),
    ARG_RANGE("steps", 0, "N", INT, steps, 1, 1000000,
              "with moves: steps per round (default: 200)"),
    ARG_RANGE("temperature", 0, "CP", INT, temperature, 1, 100000,
              "with moves: centipawns that make a move e times as likely (default: 60)"),
    ARG("seed", 's', "N", U64, seed, "seed of what is held out (default: 1)"),
    ARG("output", 'o', "FILE", OUTPUT, output,
        "write the fitted weights, or the values of another engine"),
    ARG("log", 0, "FILE", OUTPUT, log, "write the losses of each round as CSV"),
    ARG_THREADS,
};
static const ArgSpec spec = {
    .program = "falconer tune",
    .positional = "POSITIONS...",
    .least = 1,
    .summary =
        "Fits the weights of a family to positions by gradient: to the results of games\n"
        "(c9 \"1-0\"), to a mentor's scores (ce), to both, or to the moves played (sm). See\n"
        "docs/tune.md. Files of coefficients that another engine dumped are fitted as well, and\n"
        "-o writes NAME and value in the order of their header: docs/bring-your-own.md.",
    .example = "falconer tune --family maestro --loss mentor-absolute mentor-train.toga2.epd.zst "
               "-o build/tuned.weights",
    ARG_TABLE(options),
    .finds_files = true,
};

// --- what is told ---

typedef struct Telling {
    Progress progress;
    Str log;
} Telling;

static void observe(void *context, const FitRound *round) {
    Telling *telling = context;
    char note[80];
    const bool has_held_out = !isnan(round->held_out);
    str_addf(&telling->log, "%u,%.9g,", round->number, round->training);
    if (has_held_out)
        str_addf(&telling->log, "%.9g", round->held_out);
    str_add(&telling->log, "\n");
    snprintf(note, sizeof note, "loss %.6g", has_held_out ? round->held_out : round->training);
    progress_show(&telling->progress, round->number, note);
}

typedef struct TuneEnd {
    const Family *family;
    FitKind kind;
    const double *start, *values; // of each parameter
    const FitOutcome *outcome;
    const char *start_name; // of a weights file, or NULL
    const char *command;
    double seconds;
} TuneEnd;

static void print_losses(const char *name, size_t positions, const double losses[3]) {
    print_out("%s, %zu positions: loss %.6g, then %.6g, and %.6g with whole numbers\n", name,
              positions, losses[0], losses[1], losses[2]);
}

static double percent(size_t part, size_t whole) {
    return 100 * (double)part / (double)whole;
}

static void print_errors(const char *name, const FitErrors errors[2]) {
    if (!isnan(errors[0].absolute))
        print_out("%s: mean absolute error %.3f centipawns, then %.3f\n", name, errors[0].absolute,
                  errors[1].absolute);
    if (errors[0].decided > 0)
        print_out("%s: the winner's side seen in %.2f%% of games won, then %.2f%%\n", name,
                  percent(errors[0].recognized, errors[0].decided),
                  percent(errors[1].recognized, errors[1].decided));
    if (errors[0].moves > 0)
        print_out("%s: %.2f%% of moves found, then %.2f%%\n", name,
                  percent(errors[0].found, errors[0].moves),
                  percent(errors[1].found, errors[1].moves));
}

// The term, not yet shown, that moved most; false when none moved.
static bool find_moved(const TuneEnd *end, const bool *is_shown, size_t *term) {
    double most = 0;
    for (size_t i = 0; i < end->family->term_count; i++) {
        const double distance = fabs(end->values[i] - end->start[i]);
        if (!is_shown[i] && distance > most) {
            most = distance;
            *term = i;
        }
    }
    return most > 0;
}

static void print_moved(const TuneEnd *end) {
    bool is_shown[TERMS_MAX] = {0};
    size_t term = 0;
    int shown = 0;
    for (; shown < MOVED_SHOWN && find_moved(end, is_shown, &term); shown++) {
        is_shown[term] = true;
        print_out("%s %s from %s to %s", shown == 0 ? "moved most:" : ",",
                  end->family->terms[term].name,
                  value_text(end->family, (int64_t)end->start[term]).text,
                  value_text(end->family, (int64_t)end->values[term]).text);
    }
    print_out("%s\n", shown == 0 ? "no weight moved" : "");
}

static void print_end(const TuneEnd *end) {
    const FitOutcome *outcome = end->outcome;
    const FitResult *result = &outcome->result;
    const FitRound *rounds[] = {&result->start, &result->best, &result->whole};
    double training[3], held_out[3];
    for (int i = 0; i < 3; i++) {
        training[i] = rounds[i]->training;
        held_out[i] = rounds[i]->held_out;
    }
    print_out("%s\n", str_text(&outcome->data));
    if (!isnan(outcome->k))
        print_out("K: %.4f\n", outcome->k);
    if (!isnan(outcome->mentor_k) && outcome->mentor_k != outcome->k)
        print_out("K of the mentor's scores: %.4f\n", outcome->mentor_k);
    print_losses("training", outcome->training_count, training);
    if (outcome->held_out_count > 0)
        print_losses("held out", outcome->held_out_count, held_out);
    print_errors("training", outcome->training);
    if (outcome->held_out_count > 0)
        print_errors("held out", outcome->held_out);
    print_moved(end);
    print_out("round %u of %u taken%s, %.1f seconds\n", result->best.number, result->rounds,
              result->is_early ? "; ended early, as none of the later ones was better" : "",
              end->seconds);
}

// The fitted weights with their lineage; free them with weights_free.
static void make_weights(const TuneEnd *end, Weights *out) {
    const FitOutcome *outcome = end->outcome;
    const FitResult *result = &outcome->result;
    weights_init(out, end->family);
    for (size_t i = 0; i < end->family->term_count; i++)
        out->parameters[i] = (int)end->values[i];
    Str *lineage = &out->lineage;
    str_addf(lineage, "method: gradient (Adam), loss %s", fit_kind_names[end->kind]);
    if (!isnan(outcome->k))
        str_addf(lineage, ", K %.4f", outcome->k);
    str_addf(lineage, ", round %u\nstart: %s\ndata: %s (%016" PRIx64 ")\n", result->best.number,
             end->start_name == NULL ? "the family's own values" : end->start_name,
             str_text(&outcome->data), outcome->hash);
    str_addf(lineage, "loss: %.6g on %zu positions", result->whole.training,
             outcome->training_count);
    if (outcome->held_out_count > 0)
        str_addf(lineage, ", %.6g on %zu held out", result->whole.held_out,
                 outcome->held_out_count);
    str_addf(lineage, "\ncommand: %s\n", end->command);
}

// --- the work ---

typedef struct Tuning {
    const TuneArgs *args;
    const ArgStrings *files;
    CoefficientHeader *header; // of a foreign family; NULL where the files hold positions
    FamilySpace space;
    FitPlan plan;
    double low[TERMS_MAX + 1], high[TERMS_MAX + 1];
    double start[TERMS_MAX + 1], values[TERMS_MAX + 1];
    FitOutcome outcome;
    Str command;
} Tuning;

// The family of the start weights, where the user names no other.
static Status find_family(const TuneArgs *args, Str *name) {
    CLEANUP(weights_free) Weights weights = {0};
    if (args->family == NULL && args->start != NULL)
        TRY(weights_load(&weights, args->start));
    str_add(name, args->family != NULL     ? args->family
                  : weights.family != NULL ? weights.family->name
                                           : "falcon");
    return OK;
}

// Reads the header where the first file holds another engine's coefficients.
static Status read_header(Tuning *tuning) {
    CLEANUP(str_free) Str path = {0};
    TRY(locate("data", tuning->files->items[0], &path));
    if (!coefficient_file_is(str_text(&path)))
        return OK;
    TRY(coefficient_header_load(&tuning->header, str_text(&path)));
    if (tuning->args->family != NULL)
        return error_set(ERR_ARG,
                         "%s: these are coefficients of another engine, which are a family of "
                         "their own: leave out --family",
                         str_text(&path));
    return OK;
}

static Status make_space(Tuning *tuning) {
    const TuneArgs *args = tuning->args;
    const CoefficientHeader *header = tuning->header;
    CLEANUP(run_config_free) RunConfig config = {0};
    CLEANUP(str_free) Str name = {0};
    run_config_init(&config);
    if (header == NULL)
        TRY(find_family(args, &name));
    const char *const settings[][2] = {
        {"algorithm", "cmaes"},
        {"family", header != NULL ? FAMILY_COEFFICIENTS : str_text(&name)},
        {"chromosome", "real"},
        {"start", args->start},
        {"freeze", args->freeze},
        {"only", args->only},
        {"bounds", args->bounds},
    };
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        if (settings[i][1] != NULL)
            TRY(run_config_set(&config, settings[i][0], settings[i][1]));
    const Family *family = header != NULL ? &header->family : NULL;
    TRY(header != NULL ? space_of_family(&tuning->space, &config, family)
                       : family_space_init(&tuning->space, &config, &family));
    if (family->coefficient_count != family->term_count || family->coefficient_names != NULL)
        return error_set(ERR_ARG,
                         "family %s is not linear in its parameters: it has no slope to go down",
                         family->name);
    return OK;
}

static void make_plan(Tuning *tuning, FitKind kind, Telling *telling) {
    const TuneArgs *args = tuning->args;
    for (size_t i = 0; i < tuning->space.space.count; i++) {
        tuning->low[i] = tuning->space.parameters[i].low;
        tuning->high[i] = tuning->space.parameters[i].high;
        tuning->start[i] = space_nearest(&tuning->space.space, i, tuning->space.start[i]);
        tuning->values[i] = tuning->start[i];
    }
    const bool is_moves = kind == FIT_MOVES;
    const int rounds = args->rounds > 0 ? args->rounds : is_moves ? 5 : 1000;
    const int patience = args->patience >= 0 ? args->patience : is_moves ? 2 : 100;
    const double holdout = args->holdout >= 0 ? args->holdout : args->validation != NULL ? 0 : 0.1;
    tuning->plan = (FitPlan){
        .kind = kind,
        .through_sigmoid = args->through_sigmoid,
        .lambda = args->lambda,
        .k = args->k,
        .files = tuning->files->items,
        .file_count = tuning->files->count,
        .validation = args->validation,
        .data = {.family = tuning->space.family,
                 .header = tuning->header,
                 .quiet_only = args->mentor.quiet_only,
                 .limits = mentor_args_limits(&args->mentor),
                 .holdout = {holdout, args->seed}},
        .fit = {.low = tuning->low,
                .high = tuning->high,
                .pull = args->pull,
                .rate = args->rate,
                .rounds = (unsigned)rounds,
                .patience = (unsigned)patience,
                .observe = observe,
                .context = telling},
        .moves = {.rules = FOREST_RULES_DEFAULT,
                  .slope = {LOSS_SURPRISE, (double)args->temperature},
                  .steps = (unsigned)args->steps},
    };
}

static Status save_weights(const TuneEnd *end, const char *path) {
    CLEANUP(weights_free) Weights weights = {0};
    make_weights(end, &weights);
    return family_is_foreign(weights.family) ? weights_save_values(&weights, path)
                                             : weights_save(&weights, path);
}

static Status tune(Tuning *tuning, FitKind kind) {
    const TuneArgs *args = tuning->args;
    Telling telling = {0};
    const int64_t start = clock_now_ns();
    TRY(make_space(tuning));
    CLEANUP(dist_pool_free_at)
    DistPool *pool = dist_pool_new(args->threads > 0 ? args->threads : dist_cores());
    make_plan(tuning, kind, &telling);
    progress_start(&telling.progress, stderr, "rounds", tuning->plan.fit.rounds, 0);
    str_add(&telling.log, "round,training,held-out\n");
    const Status status = fit_positions(&tuning->plan, pool, tuning->values, &tuning->outcome);
    progress_end(&telling.progress);
    CLEANUP(str_free) Str log = telling.log;
    TRY(status);
    const TuneEnd end = {.family = tuning->space.family,
                         .kind = kind,
                         .start = tuning->start,
                         .values = tuning->values,
                         .outcome = &tuning->outcome,
                         .start_name = args->start,
                         .command = str_text(&tuning->command),
                         .seconds = clock_seconds_since(start)};
    print_end(&end);
    if (args->log != NULL)
        TRY(file_write(args->log, str_text(&log), log.length));
    return args->output == NULL ? OK : save_weights(&end, args->output);
}

// What the labels are tells what can be made small.
static FitKind kind_of(const TuneArgs *args, const CoefficientHeader *header) {
    const bool has_scores = header != NULL && header->label == LABEL_CENTIPAWNS;
    if (args->loss != LOSS_DEFAULT)
        return (FitKind)args->loss;
    return has_scores ? FIT_MENTOR_ABSOLUTE : FIT_RESULTS;
}

// Refuses options that have no effect with this loss.
static int check_use(const TuneArgs *args, FitKind kind) {
    const MentorArgs *mentor = &args->mentor;
    const bool has_limits =
        mentor->clamp != 0 || mentor->beyond != MENTOR_DROP || mentor->mates != MENTOR_DROP;
    const bool has_scores = kind == FIT_MENTOR || kind == FIT_MENTOR_ABSOLUTE || kind == FIT_MIX;
    if (kind != FIT_MIX && args->lambda != defaults.lambda)
        return args_complain(&spec, "--lambda goes with --loss mix");
    if (args->through_sigmoid && kind != FIT_MENTOR && kind != FIT_MENTOR_ABSOLUTE)
        return args_complain(&spec, "--through-sigmoid goes with --loss mentor or mentor-absolute");
    if (has_limits && !has_scores)
        return args_complain(&spec, "--clamp, --beyond and --mates go with a mentor's scores");
    if (args->k != 0 && !args->through_sigmoid &&
        (kind == FIT_MENTOR || kind == FIT_MENTOR_ABSOLUTE))
        return args_complain(&spec, "--k goes with results, or with --through-sigmoid");
    if (kind == FIT_MOVES &&
        (mentor->quiet_only || args->k != 0 || args->pull != 0 || args->rate != defaults.rate))
        return args_complain(&spec, "--quiet-only, --k, --pull and --rate have no part in moves");
    if (kind != FIT_MOVES &&
        (args->steps != defaults.steps || args->temperature != defaults.temperature))
        return args_complain(&spec, "--steps and --temperature go with --loss moves");
    return ARGS_GO_ON;
}

// What makes the weights what they are: neither where they go nor the threads.
static void retell(Tuning *tuning) {
    const char *const leave_out[] = {"output", "log", "threads", NULL};
    str_add(&tuning->command, spec.program);
    args_retell(&spec, tuning->args, &defaults, leave_out, &tuning->command);
    args_add_positional(&tuning->command, tuning->files);
}

static int run(Tuning *tuning) {
    chess_init();
    if (read_header(tuning) != OK)
        return args_fail(&spec);
    const FitKind kind = kind_of(tuning->args, tuning->header);
    TRY_ARGS(check_use(tuning->args, kind));
    retell(tuning);
    return args_exit(&spec, tune(tuning, kind));
}

int cmd_tune(int argc, char **argv) {
    TuneArgs args = defaults;
    CLEANUP(arg_strings_free) ArgStrings files = {0};
    TRY_ARGS(args_parse(&spec, argc, argv, &args, &files));
    TRY_ARGS(mentor_args_check(&args.mentor, &spec));
    CLEANUP(mem_free_at) Tuning *tuning = mem_alloc_zero(1, sizeof *tuning);
    tuning->args = &args;
    tuning->files = &files;
    const int exit_code = run(tuning);
    str_free(&tuning->command);
    fit_outcome_free(&tuning->outcome);
    coefficient_header_destroy(tuning->header);
    return exit_code;
}
