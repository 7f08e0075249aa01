// SPDX-License-Identifier: GPL-3.0-or-later
// falconer tune: fits a family's weights to positions by gradient.
#include "base/clock.h"
#include "base/file.h"
#include "base/locate.h"
#include "base/mem.h"
#include "base/progress.h"
#include "fit/fit_positions.h"
#include "fitness/linear/coefficient_reader.h"
#include "settings/space.h"
#include "tools/args.h"
#include "tools/commands.h"
#include "tools/mentor_args.h"
#include "tools/print.h"
#include "tools/tune_show.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct TuneArgs {
    const char *family, *start, *freeze, *only, *bounds, *loss, *validation, *output, *log;
    MentorArgs mentor;
    bool through_sigmoid;
    double lambda, k, rate, pull, holdout;
    int rounds, patience, steps, temperature, threads;
    uint64_t seed;
} TuneArgs;

static const TuneArgs defaults = {.lambda = 0.5,
                                  .rate = 0.003,
                                  .holdout = -1,
                                  .patience = -1,
                                  .steps = 200,
                                  .temperature = 60,
                                  .seed = 1};

#define FIELD(name) offsetof(TuneArgs, name)
static const ArgOption options[] = {
    {"family", 'f', "NAME", ARG_STRING, FIELD(family), 0, 0,
     "evaluation family (default: that of the start weights, or falcon)"},
    {"start", 'w', "FILE", ARG_INPUT, FIELD(start), 0, 0,
     "weights to begin with (default: the family's own)"},
    {"loss", 'l', "NAME", ARG_STRING, FIELD(loss), 0, 0,
     "what is made small: results, results-squared, mentor, mentor-absolute, mix or "
     "moves (default: results; mentor-absolute for another engine's "
     "coefficients "
     "that are labelled with centipawns)"},
    {"lambda", 0, "SHARE", ARG_DOUBLE, FIELD(lambda), 0, 1,
     "of a mix: the result's share, the mentor has the rest (default: 0.5)"},
    {"k", 0, "K", ARG_DOUBLE, FIELD(k), 0, 100,
     "a score stands for the probability 1 / (1 + 10^(-K score / 400)); 0: fitted to the "
     "results at the start; 1 where there are none (default: 0)"},
    {"through-sigmoid", 0, NULL, ARG_FLAG, FIELD(through_sigmoid), 0, 0,
     "compare a mentor's scores as probabilities: errors in won positions matter less"},
    MENTOR_OPTIONS(TuneArgs, mentor),
    {"freeze", 0, "LIST", ARG_STRING, FIELD(freeze), 0, 0,
     "NAME or NAME=VALUE, with commas: fixed"},
    {"only", 0, "LIST", ARG_STRING, FIELD(only), 0, 0, "names, with commas: all others are fixed"},
    {"bounds", 0, "LIST", ARG_STRING, FIELD(bounds), 0, 0, "NAME:LOW:HIGH, with commas"},
    {"pull", 0, "LOSS", ARG_DOUBLE, FIELD(pull), 0, 1e9,
     "what it costs a weight to be 100 units from its start, growing with the square "
     "(default: 0)"},
    {"holdout", 0, "SHARE", ARG_DOUBLE, FIELD(holdout), 0, 0.9,
     "of the positions: not learned from, to choose the round by (default: 0.1, or 0 with "
     "--validation)"},
    {"validation", 0, "FILE", ARG_INPUT, FIELD(validation), 0, 0,
     "positions not to learn from, to choose the round by"},
    {"rounds", 'r', "N", ARG_INT, FIELD(rounds), 1, 1000000,
     "rounds at most (default: 1000; for moves 5, each of many steps)"},
    {"patience", 0, "N", ARG_INT, FIELD(patience), 0, 1000000,
     "end after so many rounds without a better one; 0: never (default: 100; for moves 2)"},
    {"rate", 0, "SHARE", ARG_DOUBLE, FIELD(rate), 1e-9, 1,
     "of the room between its bounds that a weight moves in a round, at first (default: 0.003)"},
    {"steps", 0, "N", ARG_INT, FIELD(steps), 1, 1000000,
     "of moves: steps of a round (default: 200)"},
    {"temperature", 0, "CP", ARG_INT, FIELD(temperature), 1, 100000,
     "of moves: centipawns that make a move e times as likely (default: 60)"},
    {"seed", 's', "N", ARG_U64, FIELD(seed), 0, 0, "of what is held out (default: 1)"},
    {"output", 'o', "FILE", ARG_OUTPUT, FIELD(output), 0, 0,
     "write the weights, or another engine's values"},
    {"log", 0, "FILE", ARG_OUTPUT, FIELD(log), 0, 0, "write the losses of each round, as CSV"},
    {"threads", 't', "N", ARG_INT, FIELD(threads), 1, 1024,
     "threads to use (default: one for each core)"},
};
static const ArgSpec spec = {
    .program = "falconer tune",
    .positional = "POSITIONS...",
    .summary =
        "Fits the weights of a family to positions by gradient: to the results of games\n"
        "(c9 \"1-0\"), to a mentor's scores (ce), to both, or to the moves played (sm). See\n"
        "docs/tune.md. Files of coefficients that another engine dumped are fitted as well, and\n"
        "-o writes NAME and value in the order of their header: docs/bring-your-own.md.",
    .example = "falconer tune --family maestro --loss mentor-absolute mentor-train.toga2.epd.zst "
               "-o build/tuned.weights",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .finds_files = true,
};

// --- what is told on the way ---

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
    Weights weights;
    if (args->family != NULL || args->start == NULL) {
        str_add(name, args->family == NULL ? "falcon" : args->family);
        return OK;
    }
    const Status status = weights_load(&weights, args->start);
    if (status != OK)
        return status;
    str_add(name, weights.family->name);
    weights_free(&weights);
    return OK;
}

// Reads the header where the first file holds another engine's coefficients.
static Status read_header(Tuning *tuning) {
    Str path = {0};
    Status status = locate("data", tuning->files->items[0], &path);
    if (status == OK && coefficients_are_in(str_text(&path))) {
        status = coefficient_header_load(&tuning->header, str_text(&path));
        if (status == OK && tuning->args->family != NULL)
            status = error_set(ERR_ARG,
                               "%s: these are coefficients of another engine, which are a "
                               "family of their own: leave out --family",
                               str_text(&path));
    }
    str_free(&path);
    return status;
}

static Status make_space(Tuning *tuning) {
    const TuneArgs *args = tuning->args;
    RunConfig config;
    Str name = {0};
    const Family *family;
    run_config_init(&config);
    Status status = tuning->header != NULL ? OK : find_family(args, &name);
    const char *const settings[][2] = {
        {"algorithm", "cmaes"},
        {"family", tuning->header != NULL ? FAMILY_COEFFICIENTS : str_text(&name)},
        {"chromosome", "real"},
        {"start", args->start},
        {"freeze", args->freeze},
        {"only", args->only},
        {"bounds", args->bounds},
    };
    for (size_t i = 0; i < sizeof settings / sizeof *settings && status == OK; i++)
        if (settings[i][1] != NULL)
            status = run_config_set(&config, settings[i][0], settings[i][1]);
    if (status == OK && tuning->header != NULL) {
        family = &tuning->header->family;
        status = space_of_family(&tuning->space, &config, family);
    } else if (status == OK) {
        status = family_space_init(&tuning->space, &config, &family);
    }
    if (status == OK &&
        (family->coefficient_count != family->term_count || family->coefficient_names != NULL))
        status = error_set(ERR_ARG,
                           "family %s is not linear in its parameters: it has no slope to go down",
                           family->name);
    run_config_free(&config);
    str_free(&name);
    return status;
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
    Weights weights;
    tune_weights(end, &weights);
    const Status status = family_is_foreign(weights.family) ? weights_save_values(&weights, path)
                                                            : weights_save(&weights, path);
    weights_free(&weights);
    return status;
}

static Status tune(Tuning *tuning, FitKind kind) {
    const TuneArgs *args = tuning->args;
    Telling telling = {0};
    const int64_t start = clock_now_ns();
    Status status = make_space(tuning);
    if (status != OK)
        return status;
    DistPool *pool = dist_pool_new(args->threads > 0 ? args->threads : dist_cores());
    str_add(&telling.log, "round,training,held-out\n");
    make_plan(tuning, kind, &telling);
    progress_start(&telling.progress, stderr, "rounds", tuning->plan.fit.rounds, 0);
    status = fit_positions(&tuning->plan, pool, tuning->values, &tuning->outcome);
    progress_end(&telling.progress);
    dist_pool_free(pool);
    const TuneEnd end = {.family = tuning->space.family,
                         .kind = kind,
                         .start = tuning->start,
                         .values = tuning->values,
                         .outcome = &tuning->outcome,
                         .start_name = args->start,
                         .command = str_text(&tuning->command),
                         .seconds = clock_seconds_since(start)};
    if (status == OK)
        tune_print(&end);
    if (status == OK && args->log != NULL)
        status = file_write(args->log, str_text(&telling.log), telling.log.length);
    if (status == OK && args->output != NULL)
        status = save_weights(&end, args->output);
    str_free(&telling.log);
    fit_outcome_free(&tuning->outcome);
    return status;
}

static int find_kind(const TuneArgs *args, const CoefficientHeader *header, FitKind *kind) {
    // What the labels are tells what can be made small.
    const bool has_scores = header != NULL && header->label == LABEL_CENTIPAWNS;
    size_t index = args->loss == NULL && has_scores ? FIT_MENTOR_ABSOLUTE : FIT_RESULTS;
    while (fit_kind_names[index] != NULL && args->loss != NULL &&
           strcmp(args->loss, fit_kind_names[index]) != 0)
        index++;
    if (fit_kind_names[index] == NULL)
        return args_complain(&spec,
                             "--loss must be results, results-squared, mentor, "
                             "mentor-absolute, mix or moves, not '%s'",
                             args->loss);
    *kind = (FitKind)index;
    return ARGS_GO_ON;
}

// An option that has no part in a loss would mislead whoever names it.
static int check_use(const TuneArgs *args, FitKind kind) {
    const MentorArgs *mentor = &args->mentor;
    const bool has_limits = mentor->clamp != 0 || mentor->beyond != NULL || mentor->mates != NULL;
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

static int fail(void) {
    print_failure(spec.program);
    return EXIT_FAILED;
}

static int run(Tuning *tuning) {
    FitKind kind = FIT_RESULTS;
    chess_init();
    if (read_header(tuning) != OK)
        return fail();
    int exit_code = find_kind(tuning->args, tuning->header, &kind);
    if (exit_code == ARGS_GO_ON)
        exit_code = check_use(tuning->args, kind);
    if (exit_code != ARGS_GO_ON)
        return exit_code;
    retell(tuning);
    return tune(tuning, kind) == OK ? EXIT_DONE : fail();
}

int cmd_tune(int argc, char **argv) {
    TuneArgs args = defaults;
    ArgStrings files = {0};
    int exit_code = args_parse(&spec, argc, argv, &args, &files);
    if (exit_code == ARGS_GO_ON && files.count == 0)
        exit_code = args_complain(&spec, "name a file of positions");
    if (exit_code == ARGS_GO_ON)
        exit_code = mentor_args_check(&args.mentor, &spec);
    if (exit_code == ARGS_GO_ON) {
        Tuning *tuning = mem_alloc_zero(1, sizeof *tuning);
        tuning->args = &args;
        tuning->files = &files;
        exit_code = run(tuning);
        str_free(&tuning->command);
        coefficient_header_destroy(tuning->header);
        free(tuning);
    }
    arg_strings_free(&files);
    return exit_code;
}
