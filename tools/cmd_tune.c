// SPDX-License-Identifier: GPL-3.0-or-later
// falconer tune: fits a family's weights to positions by gradient.
#include "base/clock.h"
#include "base/file.h"
#include "base/locate.h"
#include "base/mem.h"
#include "base/progress.h"
#include "fit/fit_verdict.h"
#include "fitness/linear/coefficient_reader.h"
#include "settings/space.h"
#include "tools/args.h"
#include "tools/commands.h"
#include "tools/mentor_args.h"
#include "tools/print.h"
#include "tools/tune_show.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LOSS_DEFAULT = -1, BOOK_PLIES = 16 };

typedef struct TuneArgs {
    const char *family, *start, *freeze, *only, *bounds, *validation, *output, *log;
    MentorArgs mentor;
    bool through_sigmoid, all_positions, no_progress;
    double lambda, k, rate, pull, holdout;
    int loss, rounds, patience, steps, temperature, threads;
    uint64_t seed, verdict_games, verdict_nodes;
} TuneArgs;

static const TuneArgs defaults = {.loss = LOSS_DEFAULT,
                                  .lambda = 0.5,
                                  .rate = 0.003,
                                  .pull = -1,
                                  .holdout = -1,
                                  .patience = -1,
                                  .steps = 200,
                                  .temperature = 60,
                                  .seed = 1,
                                  .verdict_games = 1000,
                                  .verdict_nodes = 5000};

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
    ARG_RANGE(
        "pull", 0, "LOSS", DOUBLE, pull, 0, 1e9,
        "penalty of a weight 100 units from its start, growing with the square (default: "
        "with results and mix chosen by the held-out games, else 0, and with another engine's "
        "coefficients 0)"),
    ARG_SWITCH("all-positions", 0, all_positions,
               "with results and mix: use openings, positions that are not quiet and mates too"),
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
    ARG_RANGE("verdict-games", 0, "N", U64, verdict_games, 0, 2000,
              "test by so many games at most whether the weights play better; 0: do not (default: "
              "1000)"),
    ARG_RANGE("verdict-nodes", 0, "N", U64, verdict_nodes, 1, 1000000000,
              "nodes a move in these games (default: 5000)"),
    ARG("output", 'o', "FILE", OUTPUT, output,
        "write the fitted weights, or the values of another engine; where games do not show them "
        "to be better, the start goes there, and the fitted weights to FILE.fitted"),
    ARG("log", 0, "FILE", OUTPUT, log, "write the losses of each round as CSV"),
    ARG_NO_PROGRESS,
    ARG_THREADS,
};

// Nothing where a pipe or a device is written, which has no file beside it.
static void name_fitted(const char *output, Str *path) {
    struct stat info;
    if (output != NULL && (stat(output, &info) != 0 || S_ISREG(info.st_mode)))
        str_addf(path, "%s.fitted", output);
}

static void add_paths(const void *values, Outputs *paths) {
    const TuneArgs *args = values;
    CLEANUP(str_free) Str path = {0};
    name_fitted(args->output, &path);
    if (path.length > 0)
        outputs_add(paths, OUTPUT_FILE, "--output", str_text(&path));
}

static const ArgSpec spec = {
    .program = "falconer tune",
    .positional = "POSITIONS...",
    .least = 1,
    .summary =
        "Fits the weights of a family to positions by gradient: to the results of games\n"
        "(c9 \"1-0\"), to a mentor's scores (ce), to both, or to the moves played (sm). See\n"
        "docs/tune.md. Files of coefficients that another engine dumped are fitted as well, and\n"
        "-o writes NAME and value in the order of their header: docs/bring-your-own.md.",
    .example = "falconer tune --family maestro --loss mentor-absolute --quiet-only "
               "mentor-train.toga2.epd.zst --verdict-games 20 "
               "-o tuned.weights",
    ARG_TABLE(options),
    .finds_files = true,
    .add_paths = add_paths,
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
    str_addf(&telling->log, ",%.4g\n", round->pull);
    snprintf(note, sizeof note, "loss %.6g", has_held_out ? round->held_out : round->training);
    progress_show(&telling->progress, round->number, note);
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
    if (*str_text(&end->verdict) != '\0')
        str_addf(lineage, "verdict: %s\n", str_text(&end->verdict));
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
    const bool has_results = kind == FIT_RESULTS || kind == FIT_RESULTS_SQUARED || kind == FIT_MIX;
    const bool is_filtered = has_results && tuning->header == NULL && !args->all_positions;
    const bool has_held_out = holdout > 0 || args->validation != NULL;
    tuning->plan = (FitPlan){
        .chooses_pull = args->pull < 0 && has_results && has_held_out && tuning->header == NULL,
        .kind = kind,
        .through_sigmoid = args->through_sigmoid,
        .lambda = args->lambda,
        .k = args->k,
        .files = tuning->files->items,
        .file_count = tuning->files->count,
        .validation = args->validation,
        .data = {.family = tuning->space.family,
                 .header = tuning->header,
                 .quiet_only = args->mentor.quiet_only || is_filtered,
                 .skips_mates = is_filtered,
                 .skip_plies = is_filtered ? BOOK_PLIES : 0,
                 .limits = mentor_args_limits(&args->mentor),
                 .holdout = {holdout, args->seed}},
        .fit = {.low = tuning->low,
                .high = tuning->high,
                .pull = fmax(0, args->pull),
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

static void take_start(const Tuning *tuning, Weights *out) {
    const Family *family = tuning->space.family;
    weights_init(out, family);
    for (size_t i = 0; i < family->term_count; i++)
        out->parameters[i] = (int)tuning->start[i];
}

// The start with its own lineage, and why it was kept.
static Status save_start(const Tuning *tuning, const char *verdict, const char *path) {
    CLEANUP(weights_free) Weights start = {0};
    if (tuning->args->start != NULL)
        TRY(weights_load(&start, tuning->args->start));
    else
        take_start(tuning, &start);
    str_addf(&start.lineage, "kept: fitted weights were not better: %s\n", verdict);
    return weights_save(&start, path);
}

static bool has_moved(const TuneEnd *end) {
    for (size_t i = 0; i < end->family->term_count; i++)
        if (end->values[i] != end->start[i])
            return true;
    return false;
}

// Whoever stops the games still has the fit.
static Status save_fitted(const TuneEnd *end, const char *output, Str *path) {
    name_fitted(output, path);
    return path->length > 0 ? save_weights(end, str_text(path)) : OK;
}

// Games between the fitted weights and the start, and what is written for it.
static Status judge_by_games(const Tuning *tuning, TuneEnd *end, DistPool *pool) {
    static const char *const answers[] = {
        [ANSWER_BETTER] = "better",
        [ANSWER_WORSE] = "worse: keep the start",
        [ANSWER_CANNOT_TELL] = "not better as far as these games tell: keep the start"};
    const TuneArgs *args = tuning->args;
    const FitVerdictConfig config = {.games = args->verdict_games / 2 * 2,
                                     .nodes = args->verdict_nodes,
                                     .openings = "openings.epd",
                                     .seed = args->seed,
                                     .progress = tuning->args->no_progress ? NULL : stderr};
    CLEANUP(weights_free) Weights fitted = {0};
    CLEANUP(weights_free) Weights start = {0};
    CLEANUP(str_free) Str path = {0};
    FitVerdict verdict;
    TRY(save_fitted(end, args->output, &path));
    make_weights(end, &fitted);
    take_start(tuning, &start);
    TRY(fit_verdict_play(&config, &fitted, &start, pool, &verdict));
    fit_verdict_describe(&verdict, &config, &end->verdict);
    print_out("against the start: %s: %s\n", str_text(&end->verdict), answers[verdict.answer]);
    if (args->output == NULL)
        return OK;
    if (verdict.answer != ANSWER_BETTER) {
        print_out("%s is the start%s%s\n", args->output,
                  path.length > 0 ? "; the fitted weights are " : "", str_text(&path));
        return save_start(tuning, str_text(&end->verdict), args->output);
    }
    if (path.length > 0)
        unlink(str_text(&path));
    return save_weights(end, args->output);
}

// What is written, and whether games come first.
static Status finish(const Tuning *tuning, TuneEnd *end, DistPool *pool) {
    const TuneArgs *args = tuning->args;
    if (!has_moved(end)) {
        print_out("not better: keep the start\n");
        if (args->output == NULL || tuning->header != NULL)
            return args->output == NULL ? OK : save_weights(end, args->output);
        return save_start(tuning, "no fit was better on held-out games", args->output);
    }
    if (tuning->header == NULL && args->verdict_games >= 2)
        return judge_by_games(tuning, end, pool);
    if (tuning->header != NULL)
        print_out("not tested by games; a test of two copies of your engine, with the old and the "
                  "new values:\n  falconer match -engine name=new cmd=NEW -engine name=old cmd=OLD "
                  "-each tc=8+0.08 -openings file=openings.epd order=random -games 2 -repeat "
                  "-rounds 5000 -sprt elo0=0 elo1=5\n");
    else
        print_out("not tested by games: whether these weights play better is not known\n");
    return args->output == NULL ? OK : save_weights(end, args->output);
}

static Status tune(Tuning *tuning, FitKind kind) {
    const TuneArgs *args = tuning->args;
    Telling telling = {0};
    const int64_t start = clock_now_ns();
    TRY(make_space(tuning));
    CLEANUP(dist_pool_free_at)
    DistPool *pool = dist_pool_new(args->threads > 0 ? args->threads : dist_cores());
    make_plan(tuning, kind, &telling);
    progress_start(&telling.progress, tuning->args->no_progress ? NULL : stderr, "rounds",
                   tuning->plan.fit.rounds, 0);
    str_add(&telling.log, "round,training,held-out,pull\n");
    const Status status = fit_positions(&tuning->plan, pool, tuning->values, &tuning->outcome);
    progress_end(&telling.progress);
    CLEANUP(str_free) Str log = telling.log;
    TRY(status);
    TuneEnd end = {.family = tuning->space.family,
                   .kind = kind,
                   .start = tuning->start,
                   .values = tuning->values,
                   .low = tuning->low,
                   .high = tuning->high,
                   .outcome = &tuning->outcome,
                   .start_name = args->start,
                   .command = str_text(&tuning->command),
                   .seconds = clock_seconds_since(start)};
    tune_show(&end);
    if (args->log != NULL)
        TRY(file_write(args->log, str_text(&log), log.length));
    const Status finished = finish(tuning, &end, pool);
    str_free(&end.verdict);
    return finished;
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
        (mentor->quiet_only || args->k != 0 || args->pull > 0 || args->rate != defaults.rate))
        return args_complain(&spec, "--quiet-only, --k, --pull and --rate have no part in moves");
    if (kind != FIT_MOVES &&
        (args->steps != defaults.steps || args->temperature != defaults.temperature))
        return args_complain(&spec, "--steps and --temperature go with --loss moves");
    return ARGS_GO_ON;
}

// What makes the weights what they are: neither where they go nor the threads.
static void retell(Tuning *tuning) {
    const char *const leave_out[] = {"output", "log", "no-progress", "threads", NULL};
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
