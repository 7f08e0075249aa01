// SPDX-License-Identifier: GPL-3.0-or-later
// falconer recognize: who played, by the moves.
#include "base/mem.h"
#include "dist/pool.h"
#include "tools/args.h"
#include "tools/commands.h"
#include "tools/print.h"
#include "tools/recognize_show.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct RecognizeArgs {
    ArgStrings players, priors;
    const char *color, *name, *rule, *calibration, *write_calibration, *by;
    double power, threshold, hold_out;
    int skip_plies, bundle, bundles, permutations, threads;
    uint64_t seed;
    bool evaluate, json;
} RecognizeArgs;

#define FIELD(field) offsetof(RecognizeArgs, field)
static const ArgOption options[] = {
    {"players", 'p', "FILE", ARG_INPUTS, FIELD(players), 0, 0,
     "weights of a player; more may follow, and arguments that end in "
     ".weights are players too"},
    {"color", 0, "SIDE", ARG_STRING, FIELD(color), 0, 0, "whose moves they are: white or black"},
    {"name", 0, "NAME", ARG_STRING, FIELD(name), 0, 0,
     "whose moves they are, by name; other spellings behind a ';'"},
    {"rule", 0, "RULE", ARG_STRING, FIELD(rule), 0, 0,
     "agreement, likelihood or combined (default: likelihood; with "
     "--calibration: combined)"},
    {"calibration", 0, "FILE", ARG_INPUT, FIELD(calibration), 0, 0,
     "what --evaluate learned about these players"},
    {"prior", 0, "NAME=P", ARG_STRINGS, FIELD(priors), 0, 0,
     "how likely a player is before any move; 1 for those not named"},
    {"power", 0, "P", ARG_DOUBLE, FIELD(power), 0, 100,
     "how much a move counts in probabilities (default: as calibrated)"},
    {"threshold", 0, "P", ARG_DOUBLE, FIELD(threshold), 0, 1,
     "below this probability nobody is named (default: 0.5)"},
    {"skip-plies", 0, "N", ARG_INT, FIELD(skip_plies), 0, PGN_PLIES_MAX,
     "leave out the first N plies of each game (default: 20)"},
    {"evaluate", 0, NULL, ARG_FLAG, FIELD(evaluate), 0, 0,
     "tell how well the players are recognised in the games"},
    {"hold-out", 0, "SHARE", ARG_DOUBLE, FIELD(hold_out), 0.01, 1,
     "with --evaluate: the share of years that players were not trained on: two "
     "thirds of it are tested on, the rest calibrates (default: 0.5)"},
    {"by", 0, "WHAT", ARG_STRING, FIELD(by), 0, 0,
     "with --evaluate: what is held out, years or events (default: years)"},
    {"bundle", 0, "N", ARG_INT, FIELD(bundle), 1, 1000,
     "with --evaluate: games that are judged together, at most (default: 20)"},
    {"bundles", 0, "N", ARG_INT, FIELD(bundles), 1, 10000,
     "with --evaluate: such bundles of each player (default: 20)"},
    {"permutations", 0, "N", ARG_INT, FIELD(permutations), 0, 1000000,
     "with --evaluate: of the labels, for what chance does (default: 200)"},
    {"seed", 0, "S", ARG_U64, FIELD(seed), 0, 0, "with --evaluate: of all choices (default: 0)"},
    {"write-calibration", 0, "FILE", ARG_OUTPUT, FIELD(write_calibration), 0, 0,
     "with --evaluate: keep what was learned, for --calibration"},
    {"json", 0, NULL, ARG_FLAG, FIELD(json), 0, 0, "JSON, an object a line"},
    {"threads", 't', "N", ARG_INT, FIELD(threads), 1, 1024,
     "threads to use (default: one for each core)"},
};

static const ArgSpec spec = {
    .program = "falconer recognize",
    .positional = "GAMES...",
    .summary = "Ranks players, given as weights made from their moves, by how well they explain "
               "the moves of games:\nhow many they agree with, and how likely all of them are. "
               "See docs/players.md.",
    .example = "falconer recognize --players weights/maestro-hand.weights "
               "weights/maestro-gecco2008.weights fuzz/corpus/pgn/opera --color white",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
};

static int complain(void) {
    print_failure("falconer recognize");
    return EXIT_FAILED;
}

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
        args->players.items = mem_grow(args->players.items, &args->players.capacity,
                                       args->players.count + 1, sizeof *args->players.items);
        args->players.items[args->players.count++] = rest->items[i];
    }
    rest->count = kept;
}

static int parse_rule(const RecognizeArgs *args, RecognitionRule *out) {
    *out = args->calibration != NULL ? RULE_COMBINED : RULE_LIKELIHOOD;
    for (int rule = 0; args->rule != NULL; rule++) {
        if (rule == RULE_NB)
            return args_complain(&spec, "--rule: '%s' is not agreement, likelihood or combined",
                                 args->rule);
        *out = (RecognitionRule)rule;
        if (strcmp(args->rule, recognition_rule_names[rule]) == 0)
            break;
    }
    if (*out == RULE_COMBINED && args->calibration == NULL)
        return args_complain(&spec, "--rule combined needs --calibration FILE");
    return ARGS_GO_ON;
}

static int check_args(const RecognizeArgs *args, const ArgStrings *games) {
    const char *by = args->by, *color = args->color;
    if (args->players.count == 0)
        return args_complain(&spec, "no players given: --players A.weights B.weights ...");
    if (games->count == 0)
        return args_complain(&spec, "no games given");
    if (by != NULL && strcmp(by, "years") != 0 && strcmp(by, "events") != 0)
        return args_complain(&spec, "--by: '%s' is neither years nor events", by);
    if (color != NULL && strcmp(color, "white") != 0 && strcmp(color, "black") != 0)
        return args_complain(&spec, "--color: '%s' is neither white nor black", color);
    if (args->evaluate)
        return color != NULL || args->name != NULL || args->calibration != NULL ||
                       args->rule != NULL || args->priors.count > 0
                   ? args_complain(&spec, "--evaluate tries all players and rules, and calibrates "
                                          "itself: leave out --color, --name, --rule, --prior and "
                                          "--calibration")
                   : ARGS_GO_ON;
    if (args->write_calibration != NULL)
        return args_complain(&spec, "--write-calibration goes with --evaluate");
    if ((color == NULL) == (args->name == NULL))
        return args_complain(&spec, "whose moves are they? Give --color or --name");
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
    Status status =
        args->name != NULL
            ? player_games_read(out, &args->name, 1, items, paths->count, args->threads)
            : player_games_read_side(out, strcmp(args->color, "white") == 0 ? WHITE : BLACK, items,
                                     paths->count, args->threads);
    if (status == OK && out->count == 0) {
        player_games_free(out);
        status = error_set(ERR_ARG, "no whole game%s%s in these files",
                           args->name != NULL ? " of " : "", args->name != NULL ? args->name : "");
    }
    return status;
}

static Status sum_evidence(const LikelihoodConfig *config, const PlayerGames *games, DistPool *pool,
                           Evidence *sum) {
    const PlayerGame **each = mem_alloc(games->count * sizeof *each);
    Evidence *evidence = mem_alloc(games->count * sizeof *evidence);
    for (size_t i = 0; i < games->count; i++)
        each[i] = &games->items[i];
    const Status status = likelihood_of_games(config, each, games->count, pool, evidence);
    *sum = (Evidence){0};
    for (size_t i = 0; i < games->count && status == OK; i++)
        evidence_add(sum, &evidence[i]);
    free(evidence);
    free(each);
    return status;
}

static Status recognize(const RecognizeArgs *args, const ArgStrings *paths, RecognitionRule rule,
                        const PlayerModels *models, DistPool *pool) {
    const LikelihoodConfig config = config_of(args, models);
    Recognition recognition;
    PlayerGames games = {0};
    Evidence evidence;
    double prior[MOVE_SCORES_LANES];
    recognition_init(&recognition, models->count);
    Status status = parse_priors(args, models, prior);
    if (status == OK && args->calibration != NULL)
        status = recognition_load(&recognition, (const char *const *)models->names, models->count,
                                  args->calibration);
    if (args->power > 0)
        recognition.power[rule] = args->power;
    if (status == OK)
        status = read_games(args, paths, &games);
    if (status == OK)
        status = sum_evidence(&config, &games, pool, &evidence);
    if (status == OK)
        recognize_show_verdict(
            &(Verdict){models, &recognition, &evidence, prior, rule, args->threshold, games.count},
            args->json);
    player_games_free(&games);
    return status;
}

static Status evaluate(const RecognizeArgs *args, const ArgStrings *paths,
                       const PlayerModels *models, DistPool *pool) {
    const TrialConfig config = {
        .organisms = config_of(args, models),
        .names = (const char *const *)models->names,
        .split =
            args->by != NULL && strcmp(args->by, "events") == 0 ? SPLIT_BY_EVENT : SPLIT_BY_YEAR,
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
    PlayerGames games;
    Trial *trial = mem_alloc(sizeof *trial);
    Status status =
        player_games_read(&games, (const char *const *)models->spellings, models->count,
                          (const char *const *)paths->items, paths->count, args->threads);
    if (status == OK) {
        status = recognition_trial(&config, &games, pool, trial);
        player_games_free(&games);
    }
    if (status == OK)
        recognize_show_trial(trial, models, args->json);
    if (status == OK && args->write_calibration != NULL)
        status = recognition_save(&trial->fit, config.names, args->write_calibration);
    free(trial);
    return status;
}

static int run(RecognizeArgs *args, const ArgStrings *games) {
    RecognitionRule rule;
    int exit_code = check_args(args, games);
    if (exit_code == ARGS_GO_ON)
        exit_code = parse_rule(args, &rule);
    if (exit_code != ARGS_GO_ON)
        return exit_code;
    PlayerModels models;
    if (player_models_load(&models, (const char *const *)args->players.items,
                           args->players.count) != OK)
        return complain();
    DistPool *pool = dist_pool_new(args->threads);
    const Status status = args->evaluate ? evaluate(args, games, &models, pool)
                                         : recognize(args, games, rule, &models, pool);
    dist_pool_free(pool);
    player_models_free(&models);
    return status == OK ? EXIT_DONE : complain();
}

int cmd_recognize(int argc, char **argv) {
    RecognizeArgs args = {.threshold = 0.5,
                          .hold_out = 0.5,
                          .skip_plies = 20,
                          .bundle = 20,
                          .bundles = 20,
                          .permutations = 200,
                          .threads = dist_cores()};
    ArgStrings games = {0};
    int exit_code = args_parse(&spec, argc, argv, &args, &games);
    chess_init();
    if (exit_code == ARGS_GO_ON) {
        sort_arguments(&args, &games);
        exit_code = run(&args, &games);
    }
    arg_strings_free(&args.players);
    arg_strings_free(&args.priors);
    arg_strings_free(&games);
    return exit_code;
}
