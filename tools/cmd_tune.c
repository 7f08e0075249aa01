// SPDX-License-Identifier: GPL-3.0-or-later
// falconer tune: fits a family's weights to positions by gradient.
#include "base/clock.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/progress.h"
#include "eval/value.h"
#include "study/fit_positions.h"
#include "study/locate.h"
#include "study/space.h"
#include "tools/args.h"
#include "tools/commands.h"
#include "tools/mentor_args.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOVED_SHOWN = 10 };

typedef struct TuneArgs {
    const char *family, *start, *freeze, *only, *bounds, *loss, *validation, *output, *log;
    MentorArgs mentor;
    bool through_sigmoid;
    double lambda, k, pull, holdout;
    int rounds, patience, threads;
    uint64_t seed;
} TuneArgs;

#define FIELD(name) offsetof(TuneArgs, name)
static const ArgOption options[] = {
    {"family", 'f', "NAME", ARG_STRING, FIELD(family), 0, 0,
     "evaluation family (default: that of the start weights, or falcon)"},
    {"start", 'w', "FILE", ARG_STRING, FIELD(start), 0, 0,
     "weights to begin with (default: the family's own)"},
    {"loss", 'l', "NAME", ARG_STRING, FIELD(loss), 0, 0,
     "what is made small: results, results-squared, mentor, mentor-absolute or mix\n"
     "                          (default: results)"},
    {"lambda", 0, "SHARE", ARG_DOUBLE, FIELD(lambda), 0, 1,
     "of a mix: the result's share, the mentor has the rest (default: 0.5)"},
    {"k", 0, "K", ARG_DOUBLE, FIELD(k), 0, 100,
     "a score stands for the probability 1 / (1 + 10^(-K score / 400)); 0: fitted to the\n"
     "                          results at the start; 1 where there are none (default: 0)"},
    {"through-sigmoid", 0, NULL, ARG_FLAG, FIELD(through_sigmoid), 0, 0,
     "compare a mentor's scores as probabilities: errors in won positions matter less"},
    MENTOR_OPTIONS(TuneArgs, mentor),
    {"freeze", 0, "LIST", ARG_STRING, FIELD(freeze), 0, 0,
     "NAME or NAME=VALUE, with commas: fixed"},
    {"only", 0, "LIST", ARG_STRING, FIELD(only), 0, 0, "names, with commas: all others are fixed"},
    {"bounds", 0, "LIST", ARG_STRING, FIELD(bounds), 0, 0, "NAME:LOW:HIGH, with commas"},
    {"pull", 0, "LOSS", ARG_DOUBLE, FIELD(pull), 0, 1e9,
     "what it costs a weight to be 100 units from its start, growing with the square\n"
     "                          (default: 0)"},
    {"holdout", 0, "SHARE", ARG_DOUBLE, FIELD(holdout), 0, 0.9,
     "of the positions: not learned from, to choose the round by (default: 0.1, or 0 with\n"
     "                          --validation)"},
    {"validation", 0, "FILE", ARG_STRING, FIELD(validation), 0, 0,
     "positions not to learn from, to choose the round by"},
    {"rounds", 'r', "N", ARG_INT, FIELD(rounds), 1, 1000000, "steps at most (default: 1000)"},
    {"patience", 0, "N", ARG_INT, FIELD(patience), 0, 1000000,
     "end after so many rounds without a better one; 0: never (default: 100)"},
    {"seed", 's', "N", ARG_U64, FIELD(seed), 0, 0, "of what is held out (default: 1)"},
    {"output", 'o', "FILE", ARG_STRING, FIELD(output), 0, 0, "write the weights"},
    {"log", 0, "FILE", ARG_STRING, FIELD(log), 0, 0, "write the losses of each round, as CSV"},
    {"threads", 't', "N", ARG_INT, FIELD(threads), 1, 1024,
     "threads to use (default: one for each core)"},
};
static const ArgSpec spec = {
    .program = "falconer tune",
    .positional = "POSITIONS.epd...",
    .summary = "Fits the weights of a family to positions by gradient: to the results of games\n"
               "(c9 \"1-0\"), to a mentor's scores (ce) or to both. See docs/tune.md.",
    .example = "falconer tune --family maestro --loss mentor-absolute mentor-train.toga2.epd.zst "
               "-o tuned.weights",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
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

// --- the end ---

typedef struct Tuning {
    const TuneArgs *args;
    const ArgStrings *files;
    FamilySpace space;
    FitPlan plan;
    double low[TERMS_MAX], high[TERMS_MAX], start[TERMS_MAX], values[TERMS_MAX];
    FitOutcome outcome;
    int argc;
    char **argv;
} Tuning;

static void print_losses(const char *name, size_t positions, double start, double best,
                         double whole) {
    printf("%s, %zu positions: loss %.6g, then %.6g, and %.6g with whole numbers\n", name,
           positions, start, best, whole);
}

static void print_errors(const char *name, const FitErrors errors[2]) {
    if (!isnan(errors[0].absolute))
        printf("%s: mean absolute error %.3f centipawns, then %.3f\n", name, errors[0].absolute,
               errors[1].absolute);
    if (errors[0].decided > 0)
        printf("%s: the winner's side seen in %.2f%% of games won, then %.2f%%\n", name,
               100 * (double)errors[0].recognized / (double)errors[0].decided,
               100 * (double)errors[1].recognized / (double)errors[1].decided);
}

static void print_moved(const Tuning *tuning) {
    const Family *family = tuning->space.family;
    bool is_shown[TERMS_MAX] = {0};
    printf("moved most:");
    for (int shown = 0; shown < MOVED_SHOWN; shown++) {
        double most = 0;
        size_t term = 0;
        for (size_t i = 0; i < family->term_count; i++) {
            const double distance = fabs(tuning->values[i] - tuning->start[i]);
            if (!is_shown[i] && distance > most) {
                most = distance;
                term = i;
            }
        }
        if (most == 0)
            break;
        is_shown[term] = true;
        printf("%s %s %s to %s", shown == 0 ? "" : ",", family->terms[term].name,
               value_text(family, (int64_t)tuning->start[term]).text,
               value_text(family, (int64_t)tuning->values[term]).text);
    }
    printf("\n");
}

static void print_summary(const Tuning *tuning, double seconds) {
    const FitOutcome *outcome = &tuning->outcome;
    const FitResult *result = &outcome->result;
    Str text = {0};
    mentor_totals_describe(&outcome->totals, &tuning->plan.data.limits, &text);
    printf("%s\n", str_text(&text));
    str_free(&text);
    if (!isnan(outcome->k))
        printf("K: %.4f\n", outcome->k);
    if (!isnan(outcome->mentor_k) && outcome->mentor_k != outcome->k)
        printf("K of the mentor's scores: %.4f\n", outcome->mentor_k);
    print_losses("training", outcome->training_count, result->start.training, result->best.training,
                 result->whole.training);
    if (outcome->held_out_count > 0)
        print_losses("held out", outcome->held_out_count, result->start.held_out,
                     result->best.held_out, result->whole.held_out);
    print_errors("training", outcome->training);
    if (outcome->held_out_count > 0)
        print_errors("held out", outcome->held_out);
    print_moved(tuning);
    printf("round %u of %u taken%s, %.1f seconds\n", result->best.number, result->rounds,
           result->is_early ? "; ended early, as none of the later ones was better" : "", seconds);
}

static Status save_weights(const Tuning *tuning) {
    const FitOutcome *outcome = &tuning->outcome;
    const FitResult *result = &outcome->result;
    Weights weights;
    if (tuning->args->output == NULL)
        return OK;
    weights_init(&weights, tuning->space.family);
    for (size_t i = 0; i < tuning->space.family->term_count; i++)
        weights.parameters[i] = (int)tuning->values[i];
    Str *lineage = &weights.lineage;
    str_addf(lineage, "method: gradient (Adam), loss %s", fit_kind_names[tuning->plan.kind]);
    if (!isnan(outcome->k))
        str_addf(lineage, ", K %.4f", outcome->k);
    str_addf(lineage, ", round %u\n", result->best.number);
    str_addf(lineage, "start: %s\n",
             tuning->args->start == NULL ? "the family's own values" : tuning->args->start);
    str_add(lineage, "data: ");
    mentor_totals_describe(&outcome->totals, &tuning->plan.data.limits, lineage);
    str_addf(lineage, " (%016" PRIx64 ")\n", outcome->hash);
    str_addf(lineage, "loss: %.6g on %zu positions", result->whole.training,
             outcome->training_count);
    if (outcome->held_out_count > 0)
        str_addf(lineage, ", %.6g on %zu held out", result->whole.held_out,
                 outcome->held_out_count);
    str_add(lineage, "\ncommand: falconer");
    for (int i = 0; i < tuning->argc; i++)
        str_addf(lineage, " %s", tuning->argv[i]);
    str_add(lineage, "\n");
    const Status status = weights_save(&weights, tuning->args->output);
    weights_free(&weights);
    return status;
}

// --- the work ---

// The family of the start weights, where the user names no other.
static Status find_family(const TuneArgs *args, Str *name) {
    Weights weights;
    Str path = {0};
    if (args->family != NULL || args->start == NULL) {
        str_add(name, args->family == NULL ? "falcon" : args->family);
        return OK;
    }
    Status status = locate("weights", args->start, &path);
    if (status == OK)
        status = weights_load(&weights, str_text(&path));
    str_free(&path);
    if (status != OK)
        return status;
    str_add(name, weights.family->name);
    weights_free(&weights);
    return OK;
}

static Status make_space(Tuning *tuning) {
    const TuneArgs *args = tuning->args;
    RunConfig config;
    Str name = {0};
    const Family *family;
    run_config_init(&config);
    Status status = find_family(args, &name);
    const char *const settings[][2] = {
        {"algorithm", "cmaes"},   {"family", str_text(&name)}, {"chromosome", "real"},
        {"start", args->start},   {"freeze", args->freeze},    {"only", args->only},
        {"bounds", args->bounds},
    };
    for (size_t i = 0; i < sizeof settings / sizeof *settings && status == OK; i++)
        if (settings[i][1] != NULL)
            status = run_config_set(&config, settings[i][0], settings[i][1]);
    if (status == OK)
        status = family_space_init(&tuning->space, &config, &family);
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
        tuning->start[i] = tuning->values[i] = tuning->space.start[i];
    }
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
                 .quiet_only = args->mentor.quiet_only,
                 .limits = mentor_args_limits(&args->mentor),
                 .holdout = holdout,
                 .seed = args->seed},
        .fit = {.low = tuning->low,
                .high = tuning->high,
                .pull = args->pull,
                .rounds = (unsigned)args->rounds,
                .patience = (unsigned)args->patience,
                .observe = observe,
                .context = telling},
    };
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
    progress_start(&telling.progress, stderr, "rounds", (uint64_t)args->rounds, 0);
    status = fit_positions(&tuning->plan, pool, tuning->values, &tuning->outcome);
    progress_end(&telling.progress);
    dist_pool_free(pool);
    if (status == OK)
        print_summary(tuning, clock_seconds_since(start));
    if (status == OK && args->log != NULL)
        status = file_write(args->log, str_text(&telling.log), telling.log.length);
    if (status == OK)
        status = save_weights(tuning);
    str_free(&telling.log);
    return status;
}

static int find_kind(const TuneArgs *args, FitKind *kind) {
    size_t index = 0;
    while (fit_kind_names[index] != NULL && args->loss != NULL &&
           strcmp(args->loss, fit_kind_names[index]) != 0)
        index++;
    if (fit_kind_names[index] == NULL)
        return args_complain(&spec,
                             "--loss must be results, results-squared, mentor, "
                             "mentor-absolute or mix, not '%s'",
                             args->loss);
    *kind = (FitKind)index;
    return ARGS_GO_ON;
}

int cmd_tune(int argc, char **argv) {
    TuneArgs args = {.lambda = 0.5, .holdout = -1, .rounds = 1000, .patience = 100, .seed = 1};
    ArgStrings files = {0};
    FitKind kind = FIT_RESULTS;
    int exit_code = args_parse(&spec, argc, argv, &args, &files);
    if (exit_code == ARGS_GO_ON && files.count == 0)
        exit_code = args_complain(&spec, "name a file of positions");
    if (exit_code == ARGS_GO_ON)
        exit_code = mentor_args_check(&args.mentor, &spec);
    if (exit_code == ARGS_GO_ON)
        exit_code = find_kind(&args, &kind);
    if (exit_code == ARGS_GO_ON) {
        chess_init();
        Tuning *tuning = mem_alloc_zero(1, sizeof *tuning);
        tuning->args = &args;
        tuning->files = &files;
        tuning->argc = argc;
        tuning->argv = argv;
        exit_code = EXIT_DONE;
        if (tune(tuning, kind) != OK) {
            fprintf(stderr, "falconer tune: %s\n", error_message());
            exit_code = EXIT_FAILED;
        }
        free(tuning);
    }
    arg_strings_free(&files);
    return exit_code;
}
