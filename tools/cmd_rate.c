// SPDX-License-Identifier: GPL-3.0-or-later
// falconer rate: ratings of the players in files of games, or what counts of results say.
#include "base/nearest.h"
#include "chess/pgn.h"
#include "match/rating/rating_games.h"
#include "tools/args.h"
#include "tools/commands.h"
#include "tools/rate_show.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

typedef struct RateArgs {
    const char *anchor, *advantage, *draw_elo, *sprt, *output;
    double prior, mean, min_games;
    int model, errors, los;
    uint64_t max_problems;
    bool csv, jsonl, counts, pairs;
} RateArgs;

// What was read.
typedef struct Reading {
    RatingGames *games;
    uint64_t results[RESULT_DRAW + 1]; // rated games; RESULT_UNKNOWN: unfinished ones
    uint64_t bad, listed, max_problems;
} Reading;

#define ARGS RateArgs
static const ArgOption options[] = {
    ARG_ONE_OF("model", 'm', "MODEL", model, rating_model_names, "bayeselo (default) or logistic"),
    ARG("anchor", 'a', "NAME=ELO", STRING, anchor, "fix the rating of a player"),
    ARG_RANGE("mean", 0, "ELO", DOUBLE, mean, -1e5, 1e5,
              "mean of the ratings without an anchor (default: 0)"),
    ARG("advantage", 0, "ELO", STRING, advantage,
        "White's advantage, or \"fit\" (default: bayeselo 32.8, logistic 0)"),
    ARG("draw-elo", 0, "ELO", STRING, draw_elo,
        "bayeselo's draw parameter, or \"fit\" (default: 97.3)"),
    ARG_RANGE("prior", 0, "DRAWS", DOUBLE, prior, 0, 1e6,
              "virtual draws as a prior (default: bayeselo 2, logistic 0)"),
    ARG_ONE_OF("errors", 0, "KIND", errors, rating_errors_names,
               "joint (default), or held: treat opponents' ratings as exact"),
    ARG_RANGE("min-games", 'n', "N", DOUBLE, min_games, 0, 1e9,
              "list players with N games or more (default: 1)"),
    ARG_RANGE("los", 0, "N", INT, los, 1, 1000,
              "print the likelihood of superiority among the first N players"),
    ARG("max-problems", 0, "N", U64, max_problems,
        "list at most N bad games; all are counted (default: 20)"),
    ARG_SWITCH("counts", 'c', counts, "instead of files: WINS LOSSES DRAWS"),
    ARG_SWITCH("pairs", 'p', pairs,
               "instead of files: pairs of games by half points scored, 0 1 2 3 4"),
    ARG("sprt", 0, "WORDS", STRING, sprt,
        "with --counts or --pairs: \"elo0=0 elo1=5 [alpha= beta= model=]\""),
    ARG("output", 'o', "FILE", OUTPUT, output,
        "write the list of ratings to FILE instead of printing it"),
    ARG_SWITCH("csv", 0, csv, "print comma-separated values"),
    ARG_SWITCH("jsonl", 0, jsonl, "print JSON lines"),
};

static const ArgSpec spec = {
    .program = "falconer rate",
    .positional = "GAMES.pgn...|NUMBERS",
    .least = 1,
    .summary = "Rates the players of games (PGN, plain or compressed) by maximum likelihood, with "
               "95% errors;\nor tells what counts of results say: Elo, likelihood of superiority "
               "and a sequential test.",
    .example = "falconer rate --pairs 365 16618 36229 16974 390 --sprt \"elo0=0 elo1=2 "
               "model=normalized\"",
    ARG_TABLE(options),
};

// --- arguments ---

static bool parse_elo(const char *text, double *out) {
    return view_to_number(view_from_string(text), out) && fabs(*out) <= 1e5;
}

static bool parse_or_fit(const char *text, double *out, bool *fits) {
    if (text == NULL)
        return true;
    *fits = strcmp(text, "fit") == 0;
    return *fits || parse_elo(text, out);
}

static int make_config(const RateArgs *args, RatingConfig *out) {
    if (args->model == RATING_LOGISTIC && args->draw_elo != NULL)
        return args_complain(&spec, "--draw-elo belongs to bayeselo's model");
    RatingConfig config = rating_defaults((RatingModel)args->model);
    config.errors = (RatingErrors)args->errors;
    config.mean = args->mean;
    if (args->prior >= 0)
        config.prior = args->prior;
    if (!parse_or_fit(args->advantage, &config.advantage, &config.fits_advantage))
        return args_complain(&spec, "--advantage: '%s' is neither a number nor fit",
                             args->advantage);
    if (!parse_or_fit(args->draw_elo, &config.draw_elo, &config.fits_draw_elo) ||
        config.draw_elo < 0)
        return args_complain(&spec, "--draw-elo: '%s' is neither a number from 0 nor fit",
                             args->draw_elo);
    *out = config;
    return ARGS_GO_ON;
}

// NAME=ELO; a name may have = in it.
static int set_anchor(const RateArgs *args, const RatingGames *games, RatingConfig *config) {
    const char *equals = args->anchor == NULL ? NULL : strrchr(args->anchor, '=');
    if (args->anchor == NULL)
        return ARGS_GO_ON;
    if (equals == NULL || !parse_elo(equals + 1, &config->anchor_elo))
        return args_complain(&spec, "--anchor: '%s' is not NAME=ELO", args->anchor);
    StrView name = view_of(args->anchor, (size_t)(equals - args->anchor));
    config->anchor = rating_games_find(games, name);
    if (config->anchor != RATING_NOBODY)
        return ARGS_GO_ON;
    CLEANUP(str_free) Str text = {0};
    str_append(&text, name.text, name.length);
    const Status status = error_set(ERR_ARG, "nobody is called '%s'", str_text(&text));
    return args_exit(&spec, nearest_suggest(status, str_text(&text), rating_games_names(games),
                                            rating_games_players(games)));
}

// --- reading ---

// What spoils a game for us, or NULL.
static const char *reason_to_skip(StrView white, StrView black) {
    if (white.length == 0 || black.length == 0 || view_equals(white, "?") ||
        view_equals(black, "?"))
        return "a player without a name";
    if (white.length == black.length && memcmp(white.text, black.text, white.length) == 0)
        return "a player against itself";
    return NULL;
}

static void list_bad(Reading *reading, const char *path, const PgnGame *game, const char *reason) {
    CLEANUP(str_free) Str text = {0};
    reading->bad++;
    if (++reading->listed > reading->max_problems)
        return;
    if (reason == NULL)
        pgn_describe_problem(game, &text);
    else
        str_addf(&text, "game %" PRIu64 ", byte %" PRIu64 ": %s", game->number, game->offset,
                 reason);
    print_err("falconer rate: %s: skipped %s\n", path, str_text(&text));
}

static void take_game(Reading *reading, const char *path, const PgnGame *game) {
    StrView white = view_trim(pgn_tag(game, "White")), black = view_trim(pgn_tag(game, "Black"));
    const char *reason = reason_to_skip(white, black);
    GameResult result = pgn_result(game);
    if (game->problem.kind != PGN_FINE || reason != NULL) {
        list_bad(reading, path, game, game->problem.kind != PGN_FINE ? NULL : reason);
        return;
    }
    reading->results[result]++;
    if (result != RESULT_UNKNOWN)
        rating_games_add(reading->games, white, black, result);
}

static Status read_file(Reading *reading, const char *path) {
    CLEANUP(pgn_reader_close_at) PgnReader *reader = NULL;
    const PgnGame *game = NULL;
    TRY(pgn_reader_open(&reader, path));
    for (;;) {
        TRY(pgn_reader_next(reader, &game));
        if (game == NULL)
            return OK;
        take_game(reading, path, game);
    }
}

static Status read_files(Reading *reading, const ArgStrings *files) {
    Status status = OK;
    for (size_t i = 0; i < files->count && status == OK; i++)
        status = read_file(reading, files->items[i]);
    if (reading->listed > reading->max_problems)
        print_err("falconer rate: %" PRIu64 " more bad games not listed: see --max-problems\n",
                  reading->listed - reading->max_problems);
    if (status == OK && rating_games_players(reading->games) == 0)
        status = error_set(ERR_PARSE, "no finished game between two players with names");
    return status;
}

// --- printing ---

static void print_summary(FILE *out, const Reading *reading, const RatingConfig *config,
                          const Ratings *ratings) {
    const uint64_t *n = reading->results;
    uint64_t rated = n[RESULT_WHITE_WINS] + n[RESULT_DRAW] + n[RESULT_BLACK_WINS];
    bool is_bounded = false;
    for (size_t p = 0; p < ratings->count; p++)
        is_bounded |= ratings->players[p].is_bounded;
    print_to(out,
             "%zu player%s, %" PRIu64 " game%s: %" PRIu64 " 1-0, %" PRIu64 " 1/2-1/2, %" PRIu64
             " 0-1; left out: %" PRIu64 " unfinished, %" PRIu64 " bad\n",
             ratings->count, str_plural(ratings->count), rated, str_plural(rated),
             n[RESULT_WHITE_WINS], n[RESULT_DRAW], n[RESULT_BLACK_WINS], n[RESULT_UNKNOWN],
             reading->bad);
    print_to(out, "model %s: White's advantage %.1f%s", rating_model_names[config->model],
             ratings->advantage, config->fits_advantage ? " (fitted)" : "");
    if (config->model == RATING_BAYESELO)
        print_to(out, ", draw Elo %.1f%s, scale %.3f", ratings->draw_elo,
                 config->fits_draw_elo ? " (fitted)" : "", ratings->scale);
    print_to(out, ", prior %g; errors: 95%%, %s\n", config->prior,
             ratings->are_errors_held ? "opponents' ratings taken for true"
                                      : "all ratings taken together");
    if (ratings->group_count > 1)
        print_to(out,
                 "%zu groups never met each other: ratings compare within a group only, each about "
                 "%s\n",
                 ratings->group_count,
                 config->anchor == RATING_NOBODY ? "its mean" : "its mean or its anchor");
    if (is_bounded)
        print_to(out,
                 "Some players scored so that results alone would put them infinitely far from "
                 "the others:\none virtual draw of each in their groups keeps ratings finite, "
                 "and says little of how far.\n");
}

static Status print_ratings(const RateArgs *args, const Reading *reading,
                            const RatingConfig *config, TableFormat format) {
    size_t count;
    const RatingResult *results = rating_games_results(reading->games, &count);
    CLEANUP(ratings_free_at)
    Ratings *ratings =
        ratings_compute(results, count, rating_games_players(reading->games), config);
    TRY(rate_write_list(ratings, reading->games, args->min_games, format, args->output));
    if (args->los > 0) {
        if (format == TABLE_TEXT)
            print_out("\nLikelihood of superiority, in percent: of the row over the column\n");
        rate_print_superiority(ratings, reading->games, args->min_games, (size_t)args->los, format);
    }
    // Programs get the table alone.
    FILE *notes = format == TABLE_TEXT ? stdout : stderr;
    if (format == TABLE_TEXT)
        print_to(notes, "\n");
    print_summary(notes, reading, config, ratings);
    return OK;
}

static int rate_files(const RateArgs *args, const ArgStrings *files, TableFormat format) {
    RatingConfig config;
    TRY_ARGS(make_config(args, &config));
    CLEANUP(rating_games_free_at) RatingGames *games = rating_games_create();
    Reading reading = {.games = games, .max_problems = args->max_problems};
    chess_init();
    if (read_files(&reading, files) != OK)
        return args_fail(&spec);
    TRY_ARGS(set_anchor(args, games, &config));
    return args_exit(&spec, print_ratings(args, &reading, &config, format));
}

// --- counts ---

static int rate_numbers(const RateArgs *args, const ArgStrings *words, TableFormat format) {
    uint64_t numbers[PAIR_RESULTS] = {0};
    size_t need = args->counts ? 3 : PAIR_RESULTS;
    if (words->count != need)
        return args_complain(&spec, "%s",
                             args->counts ? "--counts takes WINS LOSSES DRAWS"
                                          : "--pairs takes five numbers");
    for (size_t i = 0; i < need; i++) {
        int64_t number;
        if (!view_to_int(view_from_string(words->items[i]), &number) || number < 0)
            return args_complain(&spec, "'%s' is not a count", words->items[i]);
        numbers[i] = (uint64_t)number;
    }
    SprtConfig config, *sprt = args->sprt == NULL ? NULL : &config;
    if (sprt != NULL && sprt_parse(sprt, (char *const *)&args->sprt, 1) != OK)
        return args_complain(&spec, "--sprt: %s", error_message());
    if (args->counts)
        rate_counts(&(GameCounts){numbers[0], numbers[1], numbers[2]}, sprt, format);
    else
        rate_pairs(&(PairCounts){{numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]}},
                   sprt, format);
    return EXIT_DONE;
}

int cmd_rate(int argc, char **argv) {
    RateArgs args = {.prior = -1, .min_games = 1, .max_problems = 20};
    CLEANUP(arg_strings_free) ArgStrings words = {0};
    TRY_ARGS(args_parse(&spec, argc, argv, &args, &words));
    const TableFormat format = args.csv ? TABLE_CSV : args.jsonl ? TABLE_JSONL : TABLE_TEXT;
    if (args.csv && args.jsonl)
        return args_complain(&spec, "--csv or --jsonl, not both");
    if (args.counts && args.pairs)
        return args_complain(&spec, "--counts or --pairs, not both");
    if ((args.counts || args.pairs) && args.output != NULL)
        return args_complain(&spec, "--output is for the ratings of games");
    if (args.counts || args.pairs)
        return rate_numbers(&args, &words, format);
    if (args.sprt != NULL)
        return args_complain(&spec, "--sprt needs --counts or --pairs");
    return rate_files(&args, &words, format);
}
