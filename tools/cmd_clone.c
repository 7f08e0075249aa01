// SPDX-License-Identifier: GPL-3.0-or-later
// falconer clone: an organism from one person's games, and what tells it from others'.
#include "chess/position.h"
#include "dist/pool.h"
#include "players/clone.h"
#include "tools/args.h"
#include "tools/commands.h"
#include "tools/print.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct CloneArgs {
    const char *player, *output, *start, *family, *split, *ratings;
    int skip_plies, min_games, min_elo, runs, replies, depth, rounds, steps, threads;
    uint64_t seed, positions;
    double hold_out, temperature;
} CloneArgs;

#define FIELD(name) offsetof(CloneArgs, name)
static const ArgOption options[] = {
    {"player", 'p', "NAME", ARG_STRING, FIELD(player), 0, 0,
     "whose games, in all spellings with ';' between"},
    {"output", 'o', "DIR", ARG_FOLDER, FIELD(output), 0, 0,
     "where the card, the weights and the positions go (default: the card is shown only)"},
    {"family", 0, "NAME", ARG_STRING, FIELD(family), 0, 0,
     "falcon or maestro, each with weights to start from (default: falcon)"},
    {"start", 0, "FILE", ARG_INPUT, FIELD(start), 0, 0,
     "weights to start from instead, of either family"},
    {"hold-out", 0, "SHARE", ARG_DOUBLE, FIELD(hold_out), 0.01, 0.9,
     "share of events or years kept to judge by (default: 0.25)"},
    {"split", 0, "BY", ARG_STRING, FIELD(split), 0, 0,
     "what is held out whole: event, or year where tags do not tell events "
     "apart (default: event)"},
    {"seed", 0, "S", ARG_U64, FIELD(seed), 0, 0, "another choice for each seed (default: 0)"},
    {"skip-plies", 0, "N", ARG_INT, FIELD(skip_plies), 0, 200,
     "leave out the first N positions of each game (default: 20)"},
    {"min-games", 0, "N", ARG_INT, FIELD(min_games), 10, 1000000,
     "refuse a person with fewer games to learn from (default: 100)"},
    {"positions", 'n', "N", ARG_U64, FIELD(positions), 100, UINT32_MAX,
     "learn from at most N positions, and judge by half as many (default: 12000)"},
    {"runs", 'r', "R", ARG_INT, FIELD(runs), 2, 1000,
     "draws of the games, for the spread of each weight (default: 5)"},
    {"ratings", 0, "FILE", ARG_INPUT, FIELD(ratings), 0, 0,
     "ratings by year, for --min-elo: spelling.ssp of Debian's scid-rating-data"},
    {"min-elo", 0, "N", ARG_INT, FIELD(min_elo), 1, 9999,
     "compare with players rated N or more only, by --ratings, else by the tags"},
    {"replies", 0, "N", ARG_INT, FIELD(replies), 0, 2,
     "plies beyond the move in which all moves are looked at: slow (default: 0)"},
    {"depth", 0, "N", ARG_INT, FIELD(depth), 0, 30, "plies of captures after that (default: 6)"},
    {"temperature", 0, "CP", ARG_DOUBLE, FIELD(temperature), 1, 1000,
     "centipawns that make a move e times as likely (default: 60)"},
    {"rounds", 0, "N", ARG_INT, FIELD(rounds), 1, 100,
     "times that the deciding leaves are found (default: 2)"},
    {"steps", 0, "N", ARG_INT, FIELD(steps), 1, 100000, "of each descent (default: 100)"},
    {"threads", 't', "N", ARG_INT, FIELD(threads), 1, 1024,
     "threads to use (default: one for each core)"},
};
static void add_paths(const void *values, Outputs *paths) {
    outputs_add_members(paths, "--output", ((const CloneArgs *)values)->output, clone_files);
}

static const ArgSpec spec = {
    .program = "falconer clone",
    .positional = "GAMES...",
    .summary =
        "Learns weights that choose one person's moves, and others in the same way from as many\n"
        "moves of other people in the same files, and tells what differs and how sure that is: a\n"
        "style card. See docs/players.md.",
    .example =
        "falconer clone --player Pusher tests/data/players.pgn.zst --family maestro --skip-plies 0 "
        "--min-games 10",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
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
    return strcmp(args->family, "maestro") == 0 ? "maestro-hand.weights" : "falcon-moves.weights";
}

static int check_args(const CloneArgs *args, const ArgStrings *files) {
    if (args->player == NULL)
        return args_complain(&spec, "--player is needed");
    if (files->count == 0)
        return args_complain(&spec, "no file of games given");
    if (strcmp(args->family, "falcon") != 0 && strcmp(args->family, "maestro") != 0)
        return args_complain(&spec, "--family must be falcon or maestro, not '%s'", args->family);
    if (strcmp(args->split, "event") != 0 && strcmp(args->split, "year") != 0)
        return args_complain(&spec, "--split must be event or year, not '%s'", args->split);
    if (args->ratings != NULL && args->min_elo == 0)
        return args_complain(&spec, "--ratings needs --min-elo");
    return ARGS_GO_ON;
}

// What results depend on: neither threads nor the folder.
static void word_command(const CloneArgs *args, const ArgStrings *files, Str *out) {
    str_add(out, "falconer clone --player");
    args_add_word(out, args->player);
    str_add(out, " --start");
    args_add_word(out, start_of(args));
    str_addf(out, " --hold-out %g --split %s", args->hold_out, args->split);
    str_addf(out, " --seed %" PRIu64 " --skip-plies %d --positions %" PRIu64 " --runs %d",
             args->seed, args->skip_plies, args->positions, args->runs);
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
                   .split = strcmp(args->split, "year") == 0 ? SPLIT_BY_YEAR : SPLIT_BY_EVENT,
                   .hold_out = args->hold_out,
                   .seed = args->seed,
                   .skip_plies = (unsigned)args->skip_plies,
                   .min_games = (size_t)args->min_games,
                   .positions = (size_t)args->positions,
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
    Report *card = clone_card(clone, config);
    Str text = {0};
    report_write_text(card, &text);
    print_text(stdout, str_text(&text));
    report_destroy(card);
    str_free(&text);
}

static Status make(const CloneArgs *args, CloneConfig *config) {
    Clone *clone;
    Status status = args->output == NULL ? OK : clone_check_folder(args->output);
    if (status != OK)
        return status;
    config->pool = dist_pool_new(args->threads);
    status = clone_make(&clone, config);
    if (status == OK) {
        show(clone, config);
        if (args->output != NULL)
            status = clone_write_files(clone, config, args->output);
        clone_destroy(clone);
    }
    dist_pool_free(config->pool);
    return status;
}

static Status clone_from(const CloneArgs *args, const ArgStrings *files, const Weights *start) {
    RatingList *ratings = NULL;
    Str command = {0};
    Status status = args->ratings == NULL ? OK : rating_list_open(&ratings, args->ratings);
    if (status == OK) {
        CloneConfig config = config_of(args, files, start, ratings);
        word_command(args, files, &command);
        config.command = str_text(&command);
        status = make(args, &config);
    }
    rating_list_close(ratings);
    str_free(&command);
    return status;
}

static int clone_player(const CloneArgs *args, const ArgStrings *files) {
    Weights start;
    Status status = weights_load(&start, start_of(args));
    if (status == OK) {
        status = clone_from(args, files, &start);
        weights_free(&start);
    }
    if (status == OK)
        return EXIT_DONE;
    print_failure("falconer clone");
    return EXIT_FAILED;
}

int cmd_clone(int argc, char **argv) {
    CloneArgs args = {.family = "falcon",
                      .split = "event",
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
    ArgStrings files = {0};
    int exit_code = args_parse(&spec, argc, argv, &args, &files);
    if (exit_code == ARGS_GO_ON)
        exit_code = check_args(&args, &files);
    if (exit_code == ARGS_GO_ON) {
        chess_init();
        exit_code = clone_player(&args, &files);
    }
    arg_strings_free(&files);
    return exit_code;
}
