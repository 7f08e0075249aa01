// SPDX-License-Identifier: GPL-3.0-or-later
// falconer coevolve --engine: the options of somebody else's engine, evolved by games.
#include "base/locate.h"
#include "base/mem.h"
#include "base/shell.h"
#include "chess/position.h"
#include "dist/pool.h"
#include "engine_tuning/engine_tune.h"
#include "match/play/openings.h"
#include "tools/args.h"
#include "tools/cancel.h"
#include "tools/commands.h"
#include "tools/evolve_command.h"
#include "tools/print.h"
#include "tools/trust.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROBES = 8, CONCURRENCY_MAX = 512, GAMES_MAX = 100000000, DEFAULT_GAMES = 10000 };

typedef struct TuneArgs {
    const char *engine, *file, *openings, *output, *resume;
    ArgStrings tune;
    uint64_t seed;
    int games, minutes, verdict_games, concurrency, seats, share, cap_s;
    double elo0, elo1, alpha, beta;
    bool equal_shares, no_adjudication, trusts_folder;
} TuneArgs;

#define FIELD(name) offsetof(TuneArgs, name)
static const ArgOption options[] = {
    {"engine", 'e', "WORDS", ARG_ENGINE, FIELD(engine), 0, 0,
     "cmd= option.NAME=VALUE nodes= tc= ..., as in falconer match, in one argument"},
    {"tune", 0, "NAME:LOW:HIGH[:STEP]", ARG_STRINGS, FIELD(tune), 0, 0,
     "an option to tune, within bounds; once for each"},
    {"tune-file", 'f', "FILE", ARG_INPUT, FIELD(file), 0, 0,
     "options to tune from an INI file, or weather-factory's config.json"},
    {"games", 'n', "N", ARG_INT, FIELD(games), 1, GAMES_MAX,
     "games of the race (default: 10000, or as many as --time allows)"},
    {"time", 0, "MINUTES", ARG_INT, FIELD(minutes), 1, 1000000, "time for the race"},
    {"verdict-games", 0, "N", ARG_INT, FIELD(verdict_games), 0, GAMES_MAX,
     "games of the test at the end, at the most (default: 2000; see --openings)"},
    {"elo0", 0, "ELO", ARG_DOUBLE, FIELD(elo0), -1000, 1000, "the test's lower bound (default: 0)"},
    {"elo1", 0, "ELO", ARG_DOUBLE, FIELD(elo1), -1000, 1000, "the test's upper bound (default: 5)"},
    {"alpha", 0, "P", ARG_DOUBLE, FIELD(alpha), 0, 0.5,
     "how often it may accept what is no better (default: 0.05)"},
    {"beta", 0, "P", ARG_DOUBLE, FIELD(beta), 0, 0.5,
     "how often it may reject what is better (default: 0.05)"},
    {"openings", 0, "FILE", ARG_INPUT, FIELD(openings), 0, 0,
     "EPD file; half of it is kept for the test, each once (default: data/openings.epd)"},
    {"seed", 's', "N", ARG_U64, FIELD(seed), 0, 9e18, "of all random numbers (default: 1)"},
    {"concurrency", 'c', "N", ARG_INT, FIELD(concurrency), 1, CONCURRENCY_MAX,
     "games at a time (default: one for each core)"},
    {"output", 'o', "DIR", ARG_FOLDER, FIELD(output), 0, 0, "the run's directory (needed)"},
    {"resume", 0, "DIR", ARG_FOLDER, FIELD(resume), 0, 0, "go on with a run that was stopped"},
    {"trust-folder", 0, NULL, ARG_FLAG, FIELD(trusts_folder), 0, 0,
     "with --resume: run the engine that DIR names, though others can have written it"},
    {"no-adjudication", 0, NULL, ARG_FLAG, FIELD(no_adjudication), 0, 0,
     "play on when the engines agree who wins (600 cp, 3 moves) or that it is a draw"},
    {"stall", 0, "S", ARG_INT, FIELD(cap_s), 1, 1000000,
     "seconds a move may take without a clock (default: 120)"},
    {"seats", 0, "N", ARG_INT, FIELD(seats), 2, 1024,
     "candidates that play at a time (default: 32)"},
    {"share", 0, "N", ARG_INT, FIELD(share), 1, 1000000,
     "pairs of games that a candidate plays at the most (default: 16)"},
    {"equal-shares", 0, NULL, ARG_FLAG, FIELD(equal_shares), 0, 0,
     "no racing: every candidate plays its share, to compare with"},
};
static void add_paths(const void *values, Outputs *paths) {
    const TuneArgs *args = values;
    outputs_add_members(paths, "--output", args->output, engine_tune_files);
    outputs_add_members(paths, "--resume", args->resume, engine_tune_files);
}

const ArgSpec coevolve_engine_spec = {
    .program = "falconer coevolve --engine",
    .summary =
        "Evolves number options of a UCI engine by games of the engine against itself: candidates "
        "race,\none model learns from every game, and the winner is tested against the start "
        "values "
        "on openings\nthat it has not seen. Start values are those of option.NAME=, or the "
        "engine's "
        "defaults. Ctrl-C\nends the games that have begun and tells how to go on. See "
        "docs/tune-engine.md.",
    .example = "falconer coevolve --engine \"cmd=/usr/games/toga2 option.OwnBook=false depth=3\" "
               "\\\n      --tune Material:50:150 --tune \"King Safety:0:200\" --games 32 "
               "--verdict-games 16 -o build/toga2",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .finds_files = true,
    .add_paths = add_paths,
};

static int complain(void) {
    print_failure("falconer coevolve");
    return EXIT_FAILED;
}

// --- what is to be done ---

static Status fill_config(const TuneArgs *args, TuneConfig *config) {
    Status status = tune_config_set_engine(config, args->engine);
    for (size_t i = 0; i < args->tune.count && status == OK; i++)
        status = tune_options_add(&config->options, args->tune.items[i]);
    if (status == OK && args->file != NULL)
        status = tune_options_read(&config->options, args->file);
    config->seed = (int64_t)args->seed;
    config->games = args->games > 0 ? args->games : args->minutes > 0 ? 0 : DEFAULT_GAMES;
    config->minutes = args->minutes;
    config->verdict_games = args->verdict_games;
    config->equal_shares = args->equal_shares;
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
    return status == OK ? tune_config_check(config) : status;
}

static Status find_openings(const TuneArgs *args, TuneConfig *config) {
    Str path = {0};
    const Status status =
        locate("data", args->openings == NULL ? "openings.epd" : args->openings, &path);
    config->openings = path.text;
    return status;
}

static void keep_command(TuneConfig *config, int argc, char **argv) {
    Str text = {0};
    str_add(&text, "falconer");
    for (int i = 0; i < argc; i++)
        args_add_word(&text, argv[i]);
    config->command = text.text;
}

static Status check_engine(TuneConfig *config, int stop_fd) {
    Openings *openings;
    Position positions[PROBES];
    const OpeningsConfig file = {.path = config->openings, .format = OPENINGS_EPD};
    Status status = openings_load(&openings, &file);
    if (status != OK)
        return status;
    for (size_t i = 0; i < PROBES; i++) {
        Opening opening;
        openings_at(openings, i, &opening);
        positions[i] = opening.start;
    }
    openings_free(openings);
    status = tune_options_check(&config->options, &config->spec, positions, PROBES, stop_fd);
    for (size_t i = 0; i < config->options.count && status == OK; i++)
        if (!config->options.items[i].has_effect)
            print_err(
                "falconer coevolve: warning: %s: in %d positions the engine thinks the same with "
                "%lld and %lld\n",
                config->options.items[i].name, PROBES, (long long)config->options.items[i].low,
                (long long)config->options.items[i].high);
    return status;
}

// --- the run ---

static void show_batch(void *context, const TuneOutcome *so_far) {
    const TuneConfig *config = context;
    if (so_far->is_in_verdict) {
        const EloEstimate elo = elo_from_pairs(&so_far->pairs);
        print_out("test: %llu games, %+.1f +/- %.1f Elo, LLR %.2f (%.2f, %.2f)\n",
                  (unsigned long long)so_far->verdict_games, elo.elo, elo.margin, so_far->sprt.llr,
                  so_far->sprt.lower, so_far->sprt.upper);
    } else {
        print_out("race: %llu games, %+.0f +/- %.0f Elo by the model:",
                  (unsigned long long)so_far->race_games, so_far->gain,
                  ELO_Z_95 * so_far->deviation);
        for (size_t i = 0; i < config->options.count; i++)
            print_out(" %.0f", so_far->best[i]);
        print_out("\n");
    }
    fflush(stdout);
}

static Status run_and_tell(const TuneConfig *config, const TuneFiles *files) {
    TuneOutcome outcome;
    Str text = {0};
    const TuneEvents events = {(void *)config, show_batch};
    Status status = engine_tune_run(config, files, &events, &outcome);
    if (status == OK && outcome.is_stopped) {
        Str word = {0};
        shell_quote(&word, files->directory);
        status = error_set(ERR_ARG, "stopped; falconer coevolve --resume %s goes on", word.text);
        str_free(&word);
    } else if (status == OK) {
        tune_outcome_describe(config, &outcome, &text);
        print_text(stdout, str_text(&text));
        print_out("Files: %s/tuned.ini, tuned.json, verdict.txt, games.jsonl\n", files->directory);
        status = tune_outcome_write(config, &outcome, files->directory);
    }
    str_free(&text);
    tune_outcome_free(&outcome);
    return status;
}

static int run(const TuneArgs *args, TuneConfig *config) {
    const char *directory = args->resume != NULL ? args->resume : args->output;
    int stop_fd = -1;
    Status status = cancel_on_signals(&stop_fd);
    const TuneFiles files = {directory, args->concurrency > 0 ? args->concurrency : dist_cores(),
                             stop_fd, falconer_ranks()};
    if (status == OK)
        status = check_engine(config, stop_fd);
    if (status == OK && args->resume == NULL)
        status = engine_tune_begin(config, directory);
    if (status == OK)
        status = run_and_tell(config, &files);
    return status == OK ? EXIT_DONE : complain();
}

static bool has_settings(const TuneArgs *args) {
    return args->engine != NULL || args->tune.count > 0 || args->file != NULL ||
           args->output != NULL || args->games > 0 || args->minutes > 0;
}

static int begin(const TuneArgs *args, TuneConfig *config, int argc, char **argv) {
    if (args->engine == NULL)
        return args_complain(&coevolve_engine_spec, "--engine is needed");
    if (args->output == NULL)
        return args_complain(&coevolve_engine_spec, "-o DIR is needed: where the run is kept");
    const Status status = fill_config(args, config);
    if (status != OK)
        return status == ERR_ARG ? args_complain(&coevolve_engine_spec, "%s", error_message())
                                 : complain();
    keep_command(config, argc, argv);
    return find_openings(args, config) == OK ? run(args, config) : complain();
}

static int resume(const TuneArgs *args, TuneConfig *config) {
    if (has_settings(args))
        return args_complain(&coevolve_engine_spec,
                             "--resume takes its settings from the run: name no others");
    if (engine_tune_open(config, args->resume) != OK)
        return complain();
    Str engine = {0};
    str_addf(&engine, "  %s\n", config->engine);
    const bool may_run = args->trusts_folder ||
                         trust_is_own("falconer coevolve", args->resume, "config.ini", &engine);
    str_free(&engine);
    return may_run ? run(args, config) : EXIT_FAILED;
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

int cmd_coevolve_engine(int argc, char **argv) {
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
