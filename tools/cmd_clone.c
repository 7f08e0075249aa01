// SPDX-License-Identifier: GPL-3.0-or-later
// falconer clone: an organism from one person's games, and what tells it from others'.
#include "chess/position.h"
#include "dist/pool.h"
#include "player_page/player_page.h"
#include "players/clone.h"
#include "tools/args.h"
#include "tools/commands.h"
#include "tools/commit.h"
#include "tools/print.h"

#include <inttypes.h>

typedef struct CloneArgs {
    const char *player, *output, *start, *ratings;
    int family, split; // indices of the names below
    int skip_plies, min_games, min_elo, runs, replies, depth, rounds, steps, threads;
    uint64_t seed, positions, test_positions;
    double hold_out, temperature;
    bool page;
} CloneArgs;

typedef enum CloneFamily { CLONE_FALCON, CLONE_MAESTRO } CloneFamily;
static const char *const family_names[] = {"falcon", "maestro", NULL};
static const char *const split_names[] = {
    [SPLIT_BY_EVENT] = "event", [SPLIT_BY_YEAR] = "year", NULL};

#define ARGS CloneArgs
static const ArgOption options[] = {
    ARG("player", 'p', "NAME", STRING, player,
        "name of the player; separate several spellings with ';'"),
    ARG("output", 'o', "DIR", FOLDER, output,
        "directory for the card, the weights and the positions (default: only print the card)"),
    ARG_SWITCH("page", 0, page,
               "also write play.html: the clone to play against in a browser, as one file"),
    ARG_ONE_OF("family", 0, "NAME", family, family_names, "falcon or maestro (default: falcon)"),
    ARG("start", 0, "FILE", INPUT, start, "start from these weights, of either family"),
    ARG_RANGE("hold-out", 0, "SHARE", DOUBLE, hold_out, 0.01, 0.9,
              "share of events or years held out for testing (default: 0.25)"),
    ARG_ONE_OF(
        "split", 0, "BY", split, split_names,
        "hold out whole events, or whole years where tags do not identify events (default: event)"),
    ARG("seed", 0, "S", U64, seed, "seed of the random choices (default: 0)"),
    ARG_RANGE("skip-plies", 0, "N", INT, skip_plies, 0, 200,
              "skip the first N positions of each game (default: 20)"),
    ARG_RANGE("min-games", 0, "N", INT, min_games, 10, 1000000,
              "refuse players with fewer training games (default: 100)"),
    ARG_RANGE("positions", 'n', "N", U64, positions, 100, UINT32_MAX,
              "train on at most N positions (default: 12000)"),
    ARG_RANGE("test-positions", 0, "N", U64, test_positions, 50, UINT32_MAX,
              "test on at most N held-out positions (default: 20000; half of --positions with "
              "--replies)"),
    ARG_RANGE("runs", 'r', "R", INT, runs, 2, 1000,
              "fits to resampled games, for the spread of each weight (default: 5)"),
    ARG("ratings", 0, "FILE", INPUT, ratings,
        "ratings by year for --min-elo: spelling.ssp of Debian's scid-rating-data"),
    ARG_RANGE("min-elo", 0, "N", INT, min_elo, 1, 9999,
              "compare only with players rated N or more, by --ratings or else by the tags"),
    ARG_RANGE("replies", 0, "N", INT, replies, 0, 2,
              "full-width plies searched after the move; slow (default: 0)"),
    ARG_RANGE("depth", 0, "N", INT, depth, 0, 30, "plies of captures after that (default: 6)"),
    ARG_RANGE("temperature", 0, "CP", DOUBLE, temperature, 1, 1000,
              "centipawns that make a move e times as likely (default: 60)"),
    ARG_RANGE("rounds", 0, "N", INT, rounds, 1, 100,
              "how often the deciding leaves are searched again (default: 2)"),
    ARG_RANGE("steps", 0, "N", INT, steps, 1, 100000, "gradient steps per round (default: 100)"),
    ARG_THREADS,
};
static void add_paths(const void *values, Outputs *paths) {
    outputs_add_members(paths, "--output", ((const CloneArgs *)values)->output, clone_files);
}

static const ArgSpec spec = {
    .program = "falconer clone",
    .positional = "GAMES...",
    .least = 1,
    .summary =
        "Fits weights to the moves of one player, fits others in the same way to as many moves of\n"
        "other players in the same files, and reports what differs and how certain that is: a "
        "style\n"
        "card. See docs/players.md.",
    .example =
        ARG_EXAMPLE_GAMES "falconer clone --player one games.pgn --family maestro --skip-plies 0 "
                          "--min-games 10",
    ARG_TABLE(options),
    .finds_files = true,
    .add_paths = add_paths,
};

static void tell(const char *text) {
    print_err("%s\n", text);
}

// What a family starts from.
static const char *start_of(const CloneArgs *args) {
    if (args->start != NULL)
        return args->start;
    return args->family == CLONE_MAESTRO ? "maestro-hand.weights" : "falcon-moves.weights";
}

static int check_args(const CloneArgs *args) {
    if (args->player == NULL)
        return args_complain(&spec, "--player is needed");
    if (args->ratings != NULL && args->min_elo == 0)
        return args_complain(&spec, "--ratings needs --min-elo");
    if (args->page && args->output == NULL)
        return args_complain(&spec, "--page needs --output");
    return ARGS_GO_ON;
}

// What results depend on: neither threads nor the folder.
static void word_command(const CloneArgs *args, const ArgStrings *files, Str *out) {
    str_add(out, "falconer clone --player");
    args_add_word(out, args->player);
    str_add(out, " --start");
    args_add_word(out, start_of(args));
    str_addf(out, " --hold-out %g --split %s", args->hold_out, split_names[args->split]);
    str_addf(out, " --seed %" PRIu64 " --skip-plies %d --positions %" PRIu64, args->seed,
             args->skip_plies, args->positions);
    str_addf(out, " --test-positions %" PRIu64 " --runs %d", args->test_positions, args->runs);
    str_addf(out, " --replies %d --depth %d --temperature %g --rounds %d --steps %d", args->replies,
             args->depth, args->temperature, args->rounds, args->steps);
    if (args->min_elo > 0)
        str_addf(out, " --min-elo %d", args->min_elo);
    if (args->ratings != NULL) {
        str_add(out, " --ratings");
        args_add_word(out, args->ratings);
    }
    args_add_positional(out, files);
}

static CloneConfig config_of(const CloneArgs *args, const ArgStrings *files, const Weights *start,
                             const RatingList *ratings) {
    return (CloneConfig){
        .source = {.player = args->player,
                   .paths = files->items,
                   .path_count = files->count,
                   .split = (PlayerSplit)args->split,
                   .hold_out = args->hold_out,
                   .seed = args->seed,
                   .skip_plies = (unsigned)args->skip_plies,
                   .min_games = (size_t)args->min_games,
                   .positions = (size_t)args->positions,
                   .judged = (size_t)args->test_positions,
                   .ratings = ratings,
                   .min_elo = args->min_elo,
                   .threads = args->threads},
        .fit = {.start = start,
                .rules = {QUIESCENCE_CAPTURES, (unsigned)args->depth, (unsigned)args->replies},
                .temperature_cp = args->temperature,
                .rounds = (unsigned)args->rounds,
                .steps = (unsigned)args->steps,
                .runs = (unsigned)args->runs,
                .seed = args->seed},
        .start_name = start_of(args),
        .tell = tell,
    };
}

static void show(const Clone *clone, const CloneConfig *config) {
    CLEANUP(report_destroy_at) Report *card = clone_card(clone, config);
    CLEANUP(str_free) Str text = {0};
    report_write_text(card, &text);
    print_text(stdout, str_text(&text));
}

static Status write_page(const char *folder) {
    CLEANUP(str_free) Str weights = {0};
    CLEANUP(str_free) Str page = {0};
    str_addf(&weights, "%s/clone.weights", folder);
    str_addf(&page, "%s/play.html", folder);
    return player_page_write(str_text(&weights), commit_of_build, str_text(&page));
}

static Status make(const CloneArgs *args, CloneConfig *config) {
    CLEANUP(clone_destroy_at) Clone *clone = NULL;
    CLEANUP(dist_pool_free_at) DistPool *pool = dist_pool_new(args->threads);
    config->pool = pool;
    if (args->output != NULL)
        TRY(clone_check_folder(args->output));
    if (args->page)
        TRY(player_page_check());
    TRY(clone_make(&clone, config));
    show(clone, config);
    if (args->output != NULL)
        TRY(clone_write_files(clone, config, args->output));
    return args->page ? write_page(args->output) : OK;
}

static Status clone_player(const CloneArgs *args, const ArgStrings *files) {
    CLEANUP(weights_free) Weights start = {0};
    CLEANUP(rating_list_close_at) RatingList *ratings = NULL;
    CLEANUP(str_free) Str command = {0};
    TRY(weights_load(&start, start_of(args)));
    if (args->ratings != NULL)
        TRY(rating_list_open(&ratings, args->ratings));
    CloneConfig config = config_of(args, files, &start, ratings);
    word_command(args, files, &command);
    config.command = str_text(&command);
    return make(args, &config);
}

int cmd_clone(int argc, char **argv) {
    CloneArgs args = {.split = SPLIT_BY_EVENT,
                      .skip_plies = 20,
                      .min_games = 100,
                      .runs = 5,
                      .depth = 6,
                      .rounds = 2,
                      .steps = 100,
                      .positions = 12000,
                      .hold_out = 0.25,
                      .temperature = 60,
                      .threads = dist_cores()};
    CLEANUP(arg_strings_free) ArgStrings files = {0};
    TRY_ARGS(args_parse(&spec, argc, argv, &args, &files));
    TRY_ARGS(check_args(&args));
    // A search of replies takes many times as long.
    if (args.test_positions == 0)
        args.test_positions = args.replies == 0 ? 20000 : args.positions / 2;
    chess_init();
    return args_exit(&spec, clone_player(&args, &files));
}
