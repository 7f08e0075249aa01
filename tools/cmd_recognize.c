// SPDX-License-Identifier: GPL-3.0-or-later
// falconer recognize: who played, by the moves.
#include "base/mem.h"
#include "dist/pool.h"
#include "tools/args.h"
#include "tools/commands.h"
#include "tools/print.h"
#include "tools/recognize_show.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct RecognizeArgs {
    ArgStrings players, priors;
    const char *name, *calibration, *write_calibration;
    int color, rule, by; // indices of the names below; NOT_GIVEN
    double power, threshold, hold_out;
    int skip_plies, bundle, bundles, permutations, threads;
    uint64_t seed;
    bool evaluate, json;
} RecognizeArgs;

enum { NOT_GIVEN = -1 };
static const char *const color_names[] = {[WHITE] = "white", [BLACK] = "black", NULL};
static const char *const by_names[] = {"years", "events", NULL};
static const PlayerSplit splits[] = {SPLIT_BY_YEAR, SPLIT_BY_EVENT};

#define ARGS RecognizeArgs
static const ArgOption options[] = {
    ARG("players", 'p', "FILE", INPUTS, players,
        "weights of a player; may be repeated, and arguments that end in .weights are players too"),
    ARG_ONE_OF("color", 0, "SIDE", color, color_names, "the side to recognise: white or black"),
    ARG("name", 0, "NAME", STRING, name,
        "the name of the player to recognise; separate several spellings with ';'"),
    ARG_ONE_OF(
        "rule", 0, "RULE", rule, recognition_rule_names,
        "agreement, likelihood or combined (default: likelihood; with --calibration: combined)"),
    ARG("calibration", 0, "FILE", INPUT, calibration,
        "calibration of these players, from --evaluate"),
    ARG("prior", 0, "NAME=P", STRINGS, priors, "prior weight of a player; 1 for the others"),
    ARG_RANGE("power", 0, "P", DOUBLE, power, 0, 100,
              "exponent of the likelihood of a move (default: as calibrated)"),
    ARG_RANGE("threshold", 0, "P", DOUBLE, threshold, 0, 1,
              "name nobody below this probability (default: 0.5)"),
    ARG_RANGE("skip-plies", 0, "N", INT, skip_plies, 0, PGN_PLIES_MAX,
              "skip the first N plies of each game (default: 20)"),
    ARG_SWITCH("evaluate", 0, evaluate, "measure how well the players are recognised in the games"),
    ARG_RANGE("hold-out", 0, "SHARE", DOUBLE, hold_out, 0.01, 1,
              "with --evaluate: share of years that the players were not trained on; two thirds of "
              "it for testing, the rest for calibration (default: 0.5)"),
    ARG_ONE_OF("by", 0, "WHAT", by, by_names,
               "with --evaluate: hold out years or events (default: years)"),
    ARG_RANGE("bundle", 0, "N", INT, bundle, 1, 1000,
              "with --evaluate: largest number of games judged together (default: 20)"),
    ARG_RANGE("bundles", 0, "N", INT, bundles, 1, 10000,
              "with --evaluate: such bundles per player (default: 20)"),
    ARG_RANGE(
        "permutations", 0, "N", INT, permutations, 0, 1000000,
        "with --evaluate: permutations of the labels, for the level of chance (default: 200)"),
    ARG("seed", 0, "S", U64, seed, "with --evaluate: seed of the random choices (default: 0)"),
    ARG("write-calibration", 0, "FILE", OUTPUT, write_calibration,
        "with --evaluate: write the calibration, for --calibration"),
    ARG_SWITCH("json", 0, json, "print JSON lines"),
    ARG_THREADS,
};

static const ArgSpec spec = {
    .program = "falconer recognize",
    .positional = "GAMES...",
    .summary = "Ranks players, given as weights made from their moves, by how well they explain "
               "the moves of games:\nhow many they agree with, and how likely all of them are. "
               "See docs/players.md.",
    .example = ARG_EXAMPLE_GAMES "falconer recognize --players maestro-hand.weights "
                                 "maestro-gecco2008.weights games.pgn --color white",
    ARG_TABLE(options),
};

// --- arguments ---

// Arguments that end in .weights are players, the rest games.
static void sort_arguments(RecognizeArgs *args, ArgStrings *rest) {
    size_t kept = 0;
    for (size_t i = 0; i < rest->count; i++) {
        const char *end = strrchr(rest->items[i], '.');
        if (end == NULL || strcmp(end, ".weights") != 0) {
            rest->items[kept++] = rest->items[i];
            continue;
        }
        arg_strings_add(&args->players, rest->items[i]);
    }
    rest->count = kept;
}

static int choose_rule(const RecognizeArgs *args, RecognitionRule *out) {
    const RecognitionRule usual = args->calibration != NULL ? RULE_COMBINED : RULE_LIKELIHOOD;
    *out = args->rule == NOT_GIVEN ? usual : (RecognitionRule)args->rule;
    if (*out == RULE_COMBINED && args->calibration == NULL)
        return args_complain(&spec, "--rule combined needs --calibration FILE");
    return ARGS_GO_ON;
}

static int check_args(const RecognizeArgs *args, const ArgStrings *games) {
    if (args->players.count == 0)
        return args_complain(&spec, "no players given: --players A.weights B.weights ...");
    if (games->count == 0)
        return args_complain(&spec, "no games given");
    if (args->evaluate)
        return args->color != NOT_GIVEN || args->name != NULL || args->calibration != NULL ||
                       args->rule != NOT_GIVEN || args->priors.count > 0
                   ? args_complain(&spec, "--evaluate tries all players and rules, and calibrates "
                                          "itself: leave out --color, --name, --rule, --prior and "
                                          "--calibration")
                   : ARGS_GO_ON;
    if (args->write_calibration != NULL)
        return args_complain(&spec, "--write-calibration goes with --evaluate");
    if ((args->color == NOT_GIVEN) == (args->name == NULL))
        return args_complain(&spec, "either --color or --name is needed");
    return ARGS_GO_ON;
}

static Status parse_priors(const RecognizeArgs *args, const PlayerModels *models, double *prior) {
    for (size_t i = 0; i < models->count; i++)
        prior[i] = 1;
    for (size_t i = 0; i < args->priors.count; i++) {
        const char *text = args->priors.items[i], *equals = strchr(text, '=');
        const StrView name = view_of(text, equals == NULL ? 0 : (size_t)(equals - text));
        char *end = NULL;
        const double value = equals == NULL ? NAN : strtod(equals + 1, &end);
        size_t player = 0;
        while (player < models->count && !view_equals(name, models->names[player]))
            player++;
        if (player == models->count || *end != '\0' || !(value > 0) || isinf(value))
            return error_set(ERR_ARG, "--prior %s: not a player's name, '=' and a positive number",
                             text);
        prior[player] = value;
    }
    return OK;
}

// --- the work ---

static LikelihoodConfig config_of(const RecognizeArgs *args, const PlayerModels *models) {
    return (LikelihoodConfig){
        .family = models->family,
        .rules = FOREST_RULES_DEFAULT,
        .coefficients = (const int *const *)models->coefficients,
        .organisms = models->count,
        .skip_plies = (unsigned)args->skip_plies,
    };
}

static Status read_games(const RecognizeArgs *args, const ArgStrings *paths, PlayerGames *out) {
    const char *const *items = (const char *const *)paths->items;
    TRY(args->name != NULL
            ? player_games_read(out, &args->name, 1, items, paths->count, args->threads)
            : player_games_read_side(out, (Color)args->color, items, paths->count, args->threads));
    if (out->count == 0)
        return error_set(ERR_ARG, "no whole game%s%s in these files",
                         args->name != NULL ? " of " : "", args->name != NULL ? args->name : "");
    return OK;
}

static Status sum_evidence(const LikelihoodConfig *config, const PlayerGames *games, DistPool *pool,
                           Evidence *sum) {
    CLEANUP(mem_free_at) const PlayerGame **each = mem_alloc(games->count * sizeof *each);
    CLEANUP(mem_free_at) Evidence *evidence = mem_alloc(games->count * sizeof *evidence);
    for (size_t i = 0; i < games->count; i++)
        each[i] = &games->items[i];
    TRY(likelihood_of_games(config, each, games->count, pool, evidence));
    *sum = (Evidence){0};
    for (size_t i = 0; i < games->count; i++)
        evidence_add(sum, &evidence[i]);
    return OK;
}

static Status recognize(const RecognizeArgs *args, const ArgStrings *paths, RecognitionRule rule,
                        const PlayerModels *models, DistPool *pool) {
    const LikelihoodConfig config = config_of(args, models);
    Recognition recognition;
    CLEANUP(player_games_free) PlayerGames games = {0};
    Evidence evidence;
    double prior[MOVE_SCORES_LANES];
    recognition_init(&recognition, models->count);
    TRY(parse_priors(args, models, prior));
    if (args->calibration != NULL)
        TRY(recognition_load(&recognition, (const char *const *)models->names, models->count,
                             args->calibration));
    if (args->power > 0)
        recognition.power[rule] = args->power;
    TRY(read_games(args, paths, &games));
    TRY(sum_evidence(&config, &games, pool, &evidence));
    recognize_show_verdict(
        &(Verdict){models, &recognition, &evidence, prior, rule, args->threshold, games.count},
        args->json);
    return OK;
}

static Status evaluate(const RecognizeArgs *args, const ArgStrings *paths,
                       const PlayerModels *models, DistPool *pool) {
    const TrialConfig config = {
        .organisms = config_of(args, models),
        .names = (const char *const *)models->names,
        .split = splits[args->by],
        .seed = args->seed,
        .hold_out = args->hold_out,
        .bundle = (unsigned)args->bundle,
        .bundles = (unsigned)args->bundles,
        .permutations = (unsigned)args->permutations,
    };
    for (size_t i = 0; i < models->count; i++)
        if (models->spellings[i] == NULL)
            return error_set(ERR_ARG,
                             "%s.weights does not say whose moves it was made from: it needs a "
                             "line such as '# player: Tal, Mikhail N;Tal, Mihail'",
                             models->names[i]);
    CLEANUP(player_games_free) PlayerGames games = {0};
    CLEANUP(mem_free_at) Trial *trial = mem_alloc(sizeof *trial);
    TRY(player_games_read(&games, (const char *const *)models->spellings, models->count,
                          (const char *const *)paths->items, paths->count, args->threads));
    TRY(recognition_trial(&config, &games, pool, trial));
    recognize_show_trial(trial, models, args->json);
    return args->write_calibration == NULL
               ? OK
               : recognition_save(&trial->fit, config.names, args->write_calibration);
}

static int run(RecognizeArgs *args, const ArgStrings *games) {
    RecognitionRule rule;
    TRY_ARGS(check_args(args, games));
    TRY_ARGS(choose_rule(args, &rule));
    CLEANUP(player_models_free) PlayerModels models = {0};
    CLEANUP(dist_pool_free_at) DistPool *pool = dist_pool_new(args->threads);
    if (player_models_load(&models, (const char *const *)args->players.items,
                           args->players.count) != OK)
        return args_fail(&spec);
    return args_exit(&spec, args->evaluate ? evaluate(args, games, &models, pool)
                                           : recognize(args, games, rule, &models, pool));
}

int cmd_recognize(int argc, char **argv) {
    RecognizeArgs args = {.color = NOT_GIVEN,
                          .rule = NOT_GIVEN,
                          .threshold = 0.5,
                          .hold_out = 0.5,
                          .skip_plies = 20,
                          .bundle = 20,
                          .bundles = 20,
                          .permutations = 200,
                          .threads = dist_cores()};
    CLEANUP(arg_strings_free) ArgStrings games = {0};
    int exit_code = args_parse(&spec, argc, argv, &args, &games);
    chess_init();
    if (exit_code == ARGS_GO_ON) {
        sort_arguments(&args, &games);
        exit_code = run(&args, &games);
    }
    arg_strings_free(&args.players);
    arg_strings_free(&args.priors);
    return exit_code;
}
