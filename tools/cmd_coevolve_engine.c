// SPDX-License-Identifier: GPL-3.0-or-later
// falconer coevolve --engine: the options of another engine, evolved by games.
#include "base/locate.h"
#include "base/mem.h"
#include "base/shell.h"
#include "chess/position.h"
#include "dist/pool.h"
#include "engine_tuning/engine_tune.h"
#include "match/play/openings.h"
#include "tools/args.h"
#include "tools/commands.h"
#include "tools/evolve_command.h"
#include "tools/print.h"
#include "tools/signals.h"
#include "tools/trust.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROBES = 8, CONCURRENCY_MAX = 512, GAMES_MAX = 100000000, DEFAULT_GAMES = 10000 };

typedef struct TuneArgs {
    const char *engine, *file, *suite, *suite_limit, *confirm, *openings, *output, *resume;
    ArgStrings tune;
    uint64_t seed;
    int method, trials, games, minutes, verdict_games, concurrency, seats, share, cap_s;
    double elo0, elo1, alpha, beta;
    bool equal_shares, no_adjudication, trusts_folder;
} TuneArgs;

#define ARGS TuneArgs
static const ArgOption options[] = {
    ARG("engine", 'e', "WORDS", ENGINE, engine,
        "cmd= option.NAME=VALUE nodes= tc= ..., as in falconer match, in one argument"),
    ARG("tune", 0, "NAME:LOW:HIGH[:STEP]", STRINGS, tune,
        "an option to tune, with its bounds; once for each"),
    ARG("tune-file", 'f', "FILE", INPUT, file,
        "options to tune, from an INI file, weather-factory's config.json or lines of OpenBench"),
    ARG_ONE_OF("method", 'm', "NAME", method, tune_method_names,
               "race: one model of all games; spsa: as fishtest and OpenBench (default: race)"),
    ARG("suite", 0, "FILE", INPUT, suite,
        "learn from an EPD file in place of games: few nodes until its positions are solved; every "
        "second is kept to test with"),
    ARG("suite-limit", 0, "LIMIT", STRING, suite_limit,
        "of each position: nodes=20000; or st=0.2, and time counts (default: the engine's)"),
    ARG_RANGE("trials", 0, "N", INT, trials, 1, GAMES_MAX,
              "candidates that solve the suite (default: 200)"),
    ARG_RANGE("games", 'n', "N", INT, games, 1, GAMES_MAX,
              "games of the race; 10,000 of a second each take 1.4 hours on two cores (default: "
              "10000, or as "
              "many as --time allows)"),
    ARG_RANGE("time", 0, "MINUTES", INT, minutes, 1, 1000000, "time limit of the race"),
    ARG_RANGE("verdict-games", 0, "N", INT, verdict_games, 0, GAMES_MAX,
              "largest number of games of the final test (default: 2000; see --openings)"),
    ARG("confirm", 0, "LIMIT", STRING, confirm,
        "then test with other limits, such as tc=10+0.1: what is better in short games may not be "
        "in long ones"),
    ARG_RANGE("elo0", 0, "ELO", DOUBLE, elo0, -1000, 1000, "lower bound of the test (default: 0)"),
    ARG_RANGE("elo1", 0, "ELO", DOUBLE, elo1, -1000, 1000, "upper bound of the test (default: 5)"),
    ARG_RANGE("alpha", 0, "P", DOUBLE, alpha, 0, 0.5,
              "chance to accept values that are no better (default: 0.05)"),
    ARG_RANGE("beta", 0, "P", DOUBLE, beta, 0, 0.5,
              "chance to reject values that are better (default: 0.05)"),
    ARG("openings", 0, "FILE", INPUT, openings,
        "EPD file; half of it is kept for the test, each once (default: data/openings.epd)"),
    ARG_RANGE("seed", 's', "N", U64, seed, 0, 9e18, "seed of all random numbers (default: 1)"),
    ARG_RANGE("concurrency", 'c', "N", INT, concurrency, 1, CONCURRENCY_MAX,
              "games at a time (default: one for each core)"),
    ARG("output", 'o', "DIR", FOLDER, output, "the run's directory (required)"),
    ARG("resume", 0, "DIR", FOLDER, resume, "continue a run that was stopped"),
    ARG_SWITCH(
        "trust-folder", 0, trusts_folder,
        "with --resume: run the engine that DIR names even if others could have written DIR"),
    ARG_SWITCH("no-adjudication", 0, no_adjudication,
               "do not adjudicate wins (600 cp, 3 moves) and draws that both engines agree on"),
    ARG_RANGE("stall", 0, "S", INT, cap_s, 1, 1000000,
              "seconds a move may take without a clock (default: 120)"),
    ARG_RANGE("seats", 0, "N", INT, seats, 2, 1024, "candidates that play at a time (default: 32)"),
    ARG_RANGE("share", 0, "N", INT, share, 1, 1000000,
              "largest number of game pairs of a candidate (default: 16)"),
    ARG_SWITCH("equal-shares", 0, equal_shares,
               "no racing: every candidate plays its full share, for comparison"),
};
static void add_paths(const void *values, Outputs *paths) {
    const TuneArgs *args = values;
    outputs_add_members(paths, "--output", args->output, engine_tune_files);
    outputs_add_members(paths, "--resume", args->resume, engine_tune_files);
}

const ArgSpec coevolve_engine_spec = {
    .program = "falconer coevolve --engine",
    .summary =
        "Evolves number options of a UCI engine by games of the engine against itself, or from a "
        "suite:\ncandidates race, one model learns from every game, and the winner is tested "
        "against the start "
        "values "
        "on openings\nthat it has not seen. Start values are those of option.NAME=, or the "
        "engine's "
        "defaults. Ctrl-C\nends the games that have begun and tells how to go on. See "
        "docs/tune-engine.md.",
    .example = "falconer coevolve --engine \"cmd=/usr/games/toga2 option.OwnBook=false depth=3\" "
               "\\\n      --tune Material:50:150 --tune \"King Safety:0:200\" --games 32 "
               "--verdict-games 16 -o tuned-toga2",
    ARG_TABLE(options),
    .finds_files = true,
    .add_paths = add_paths,
};

// --- what is to be done ---

static Status fill_suite(const TuneArgs *args, TuneConfig *config) {
    if (args->suite == NULL && args->trials > 0)
        return error_set(ERR_ARG, "--trials goes with --suite");
    if (args->suite != NULL && (args->games > 0 || args->minutes > 0))
        return error_set(ERR_ARG, "--games and --time are for the race: --suite has --trials");
    if (args->suite != NULL)
        TRY(locate("data", args->suite, &config->suite));
    if (args->suite_limit != NULL)
        str_add(&config->suite_limit, args->suite_limit);
    if (args->trials > 0)
        config->trials = args->trials;
    return OK;
}

static Status fill_config(const TuneArgs *args, TuneConfig *config) {
    TRY(tune_config_set_engine(config, args->engine));
    for (size_t i = 0; i < args->tune.count; i++)
        TRY(tune_options_add(&config->options, args->tune.items[i]));
    if (args->file != NULL)
        TRY(tune_options_read(&config->options, args->file));
    if (args->confirm != NULL)
        str_add(&config->confirm, args->confirm);
    TRY(fill_suite(args, config));
    config->seed = (int64_t)args->seed;
    const bool has_race = args->suite == NULL && args->minutes == 0;
    config->games = args->games > 0 ? args->games : has_race ? DEFAULT_GAMES : 0;
    config->minutes = args->minutes;
    config->verdict_games = args->verdict_games;
    config->equal_shares = args->equal_shares;
    config->method = args->method;
    config->sprt.elo0 = args->elo0;
    config->sprt.elo1 = args->elo1;
    config->sprt.alpha = args->alpha;
    config->sprt.beta = args->beta;
    if (args->seats > 0)
        config->seats = args->seats;
    if (args->share > 0)
        config->share = args->share;
    if (args->cap_s > 0)
        config->cap_s = args->cap_s;
    if (args->no_adjudication)
        config->rules = (AdjudicationRules){0};
    return tune_config_check(config);
}

static Status find_openings(const TuneArgs *args, TuneConfig *config) {
    return locate("data", args->openings == NULL ? "openings.epd" : args->openings,
                  &config->openings);
}

static void keep_command(TuneConfig *config, int argc, char **argv) {
    str_add(&config->command, "falconer");
    for (int i = 0; i < argc; i++)
        args_add_word(&config->command, argv[i]);
}

static Status check_engine(TuneConfig *config, int stop_fd) {
    CLEANUP(openings_free_at) Openings *openings = NULL;
    Position positions[PROBES];
    const OpeningsConfig file = {.path = str_text(&config->openings), .format = OPENINGS_EPD};
    TRY(openings_load(&openings, &file));
    for (size_t i = 0; i < PROBES; i++) {
        Opening opening;
        openings_at(openings, i, &opening);
        positions[i] = opening.start;
    }
    TRY(tune_options_check(&config->options, &config->spec, positions, PROBES, stop_fd));
    for (size_t i = 0; i < config->options.count; i++)
        if (!config->options.items[i].has_effect)
            print_err(
                "falconer coevolve: warning: %s: in %d positions the engine thinks the same with "
                "%lld and %lld\n",
                config->options.items[i].name, PROBES, (long long)config->options.items[i].low,
                (long long)config->options.items[i].high);
    return OK;
}

// --- the run ---

// ", 5.2 games/s, 1.3 h left".
static void print_pace(const TuneConfig *config, const TuneOutcome *so_far) {
    const double games = (double)so_far->race_games, seconds = so_far->race_s;
    if (games <= 0 || seconds <= 0)
        return;
    const double by_games =
        config->games > 0 ? ((double)config->games - games) * seconds / games : (double)INFINITY;
    const double by_minutes =
        config->minutes > 0 ? 60 * (double)config->minutes - seconds : (double)INFINITY;
    const double left = fmax(0, fmin(by_games, by_minutes));
    const bool is_long = left >= 3600;
    print_out(", %.1f games/s, %.1f %s left", games / seconds, left / (is_long ? 3600 : 60),
              is_long ? "h" : "min");
}

static void show_values(const TuneConfig *config, const double *values) {
    print_out(":");
    for (size_t i = 0; i < config->options.count; i++)
        print_out("%s %s %.0f", i == 0 ? "" : ",", config->options.items[i].name, values[i]);
    print_out("\n");
}

static void show_suite(const TuneConfig *config, const TuneOutcome *so_far) {
    const TuneSuiteOutcome *suite = &so_far->suite;
    print_out("suite: %llu candidates of about %lld, %.0f %s to the solution, %.0f at the start",
              (unsigned long long)suite->trials, (long long)config->trials, suite->best,
              suite->in_ms ? "ms" : "nodes", suite->start);
    show_values(config, so_far->best);
}

static void show_batch(void *context, const TuneOutcome *so_far) {
    const TuneConfig *config = context;
    if (tune_config_has_suite(config) && !so_far->is_in_verdict) {
        show_suite(config, so_far);
    } else if (so_far->is_in_verdict) {
        const TuneTest *test =
            so_far->is_in_confirmation ? &so_far->confirmation : &so_far->verdict;
        const EloEstimate elo = elo_from_pairs(&test->pairs);
        print_out("%s: %llu games, %+.1f +/- %.1f Elo, LLR %.2f (%.2f, %.2f)\n",
                  so_far->is_in_confirmation ? str_text(&config->confirm) : "test",
                  (unsigned long long)test->games, elo.elo, elo.margin, test->sprt.llr,
                  test->sprt.lower, test->sprt.upper);
    } else {
        print_out("%s: %llu", tune_method_names[config->method],
                  (unsigned long long)so_far->race_games);
        if (config->games > 0)
            print_out(" of %lld", (long long)config->games);
        print_out(" games");
        print_pace(config, so_far);
        if (config->method == TUNE_BY_RACE)
            print_out(", %+.0f +/- %.0f Elo by the model", so_far->gain,
                      ELO_Z_95 * so_far->deviation);
        show_values(config, so_far->best);
    }
    fflush(stdout);
}

static Status tell_outcome(const TuneConfig *config, const char *directory,
                           const TuneOutcome *outcome) {
    CLEANUP(str_free) Str text = {0};
    if (outcome->is_stopped) {
        shell_quote(&text, directory);
        return error_set(ERR_ARG, "stopped; falconer coevolve --resume %s goes on",
                         str_text(&text));
    }
    tune_outcome_describe(config, outcome, &text);
    print_text(stdout, str_text(&text));
    print_out("Files: %s/report.html, tuned.ini, tuned.json, tuned.spsa, tuned.h, verdict.txt, "
              "games.jsonl%s\n",
              directory, tune_config_has_suite(config) ? ", suite.jsonl" : "");
    return tune_outcome_write(config, outcome, directory);
}

static Status run(const TuneArgs *args, TuneConfig *config) {
    const char *directory = args->resume != NULL ? args->resume : args->output;
    const TuneEvents events = {(void *)config, show_batch};
    TuneOutcome outcome;
    int stop_fd = -1;
    TRY(signals_open(&stop_fd));
    const TuneFiles files = {directory, args->concurrency > 0 ? args->concurrency : dist_cores(),
                             stop_fd, falconer_ranks()};
    TRY(check_engine(config, stop_fd));
    if (args->resume == NULL)
        TRY(engine_tune_begin(config, directory));
    Status status = engine_tune_run(config, &files, &events, &outcome);
    if (status == OK)
        status = tell_outcome(config, directory, &outcome);
    tune_outcome_free(&outcome);
    return status;
}

static bool has_settings(const TuneArgs *args) {
    return args->engine != NULL || args->tune.count > 0 || args->file != NULL ||
           args->suite != NULL || args->output != NULL || args->games > 0 || args->minutes > 0 ||
           args->confirm != NULL || args->method != TUNE_BY_RACE;
}

static int begin(const TuneArgs *args, TuneConfig *config, int argc, char **argv) {
    const ArgSpec *spec = &coevolve_engine_spec;
    if (args->engine == NULL)
        return args_complain(spec, "--engine is needed");
    if (args->output == NULL)
        return args_complain(spec, "--output is needed");
    const Status status = fill_config(args, config);
    if (status != OK)
        return status == ERR_ARG ? args_fail_usage(spec) : args_fail(spec);
    keep_command(config, argc, argv);
    return find_openings(args, config) == OK ? args_exit(spec, run(args, config)) : args_fail(spec);
}

static int resume(const TuneArgs *args, TuneConfig *config) {
    if (has_settings(args))
        return args_complain(&coevolve_engine_spec,
                             "--resume takes its settings from the run: name no others");
    if (engine_tune_open(config, args->resume) != OK)
        return args_fail(&coevolve_engine_spec);
    CLEANUP(str_free) Str engine = {0};
    str_addf(&engine, "  %s\n", config->engine);
    const bool may_run = args->trusts_folder ||
                         trust_is_own("falconer coevolve", args->resume, "config.ini", &engine);
    return may_run ? args_exit(&coevolve_engine_spec, run(args, config)) : EXIT_FAILED;
}

bool coevolve_engine_is_meant(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        if (strncmp(argv[i], "--engine", 8) == 0 || strcmp(argv[i], "-e") == 0)
            return true;
        const char *directory = strncmp(argv[i], "--resume=", 9) == 0 ? argv[i] + 9
                                : strcmp(argv[i], "--resume") == 0    ? argv[i + 1]
                                                                      : NULL;
        if (directory != NULL && engine_tune_is_run(directory))
            return true;
    }
    return false;
}

int coevolve_engine(int argc, char **argv) {
    TuneArgs args = {
        .seed = 1, .verdict_games = 2000, .elo0 = 0, .elo1 = 5, .alpha = 0.05, .beta = 0.05};
    TuneConfig config = tune_config_init();
    chess_init();
    // "--engine --help" asks for help, not for an engine of that name.
    if (argc == 3 && strcmp(argv[2], "--help") == 0) {
        argc--;
        argv++;
    }
    int exit_code = args_parse(&coevolve_engine_spec, argc, argv, &args, NULL);
    if (exit_code == ARGS_GO_ON)
        exit_code =
            args.resume != NULL ? resume(&args, &config) : begin(&args, &config, argc, argv);
    arg_strings_free(&args.tune);
    tune_config_free(&config);
    return exit_code;
}
