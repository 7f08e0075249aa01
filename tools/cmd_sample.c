// SPDX-License-Identifier: GPL-3.0-or-later
// falconer sample: positions from games.
#include "base/clock.h"
#include "base/file.h"
#include "base/mem.h"
#include "data/sample/sample.h"
#include "dist/pool.h"
#include "tools/args.h"
#include "tools/commands.h"
#include "tools/print.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SET_NAME_MAX = 64, ELO_OF_DEFAULT = -1 };

typedef struct SampleArgs {
    const char *output, *ratings, *years, *result, *plies, *phase, *split, *unmatched;
    ArgStrings players, avoid;
    int min_elo, elo_of, skip_plies, per_game, threads;
    uint64_t count, seed;
    double hold_out;
    bool winner_to_move, quiet, after_quiet, assume_white, by_frequency;
} SampleArgs;

static const char *const elo_of_names[] = {"both", "either", "mover", NULL};

#define ARGS SampleArgs
static const ArgOption options[] = {
    ARG("output", 'o', "FILE", STEM, output, "the positions to write (EPD)"),
    ARG_RANGE("count", 'n', "N", U64, count, 1, UINT32_MAX,
              "choose N positions at random (default: all)"),
    ARG_RANGE("per-game", 0, "K", INT, per_game, 0, 1000,
              "at most K positions of each game, 0 for all (default: 1)"),
    ARG("seed", 0, "S", U64, seed, "seed of the random choice (default: 0)"),
    ARG("split", 0, "SETS", STRING, split,
        "instead of --count: several sets that share no game and no position, for example "
        "train=5000,test=5000; their names are added to FILE's"),
    ARG_SWITCH("by-frequency", 0, by_frequency,
               "take the positions that occur in most games, not random ones"),
    ARG("ratings", 0, "FILE", INPUT, ratings,
        "ratings by year: spelling.ssp of Debian's scid-rating-data"),
    ARG_RANGE("min-elo", 0, "N", INT, min_elo, 1, 9999,
              "only players rated N or more, by --ratings or else by the tags"),
    ARG_ONE_OF(
        "elo-of", 0, "WHO", elo_of, elo_of_names,
        "whose rating counts: both, either, mover (default: both; with --winner-to-move: mover)"),
    ARG("player", 0, "NAME", STRINGS, players,
        "only positions with this player to move; may be repeated"),
    ARG("years", 0, "LOW-HIGH", STRING, years, "only games of these years"),
    ARG_RANGE("hold-out", 0, "SHARE", DOUBLE, hold_out, 0, 0.99,
              "skip the years that recognize --evaluate tests on with the same --seed and share, "
              "and games without a year"),
    ARG("result", 0, "LIST", STRING, result,
        "only games with these results: a list of 1-0 0-1 1/2-1/2 *"),
    ARG_SWITCH("winner-to-move", 0, winner_to_move,
               "only positions in which the side to move won the game"),
    ARG("avoid", 0, "FILE", INPUTS, avoid,
        "skip games that reach a position of this EPD file, such as a test set; may be repeated"),
    ARG_RANGE("skip-plies", 0, "N", INT, skip_plies, 0, PGN_PLIES_MAX,
              "skip the first N positions of each game"),
    ARG("plies", 0, "LOW-HIGH", STRING, plies, "only positions after this many plies"),
    ARG("phase", 0, "LIST", STRING, phase,
        "only these phases: a list of opening, middlegame, endgame"),
    ARG_SWITCH("quiet", 0, quiet,
               "only positions not in check, without a capture or promotion that gains material"),
    ARG_SWITCH("after-quiet", 0, after_quiet,
               "only positions reached by a move that is neither a capture nor a promotion"),
    ARG_SWITCH("assume-white", 0, assume_white,
               "give White the move; skip positions with Black in check"),
    ARG("unmatched", 0, "FILE", OUTPUT, unmatched,
        "write the names without a rating, with their games"),
    ARG_THREADS,
};

// --- the files to write ---

// Cuts the next item off a list with commas; false at its end.
static bool next_item(const char **rest, StrView *item) {
    if (*rest == NULL)
        return false;
    const char *comma = strchr(*rest, ',');
    *item = view_of(*rest, comma == NULL ? strlen(*rest) : (size_t)(comma - *rest));
    *rest = comma == NULL ? NULL : comma + 1;
    return true;
}

// FILE.epd becomes FILE-NAME.epd, FILE.epd.zst becomes FILE-NAME.epd.zst.
static void set_path(const char *output, const char *name, Str *out) {
    const char *slash = strrchr(output, '/');
    const char *dot = strrchr(slash == NULL ? output : slash, '.');
    const char *packed = strstr(slash == NULL ? output : slash, ".epd.zst");
    dot = packed != NULL && strcmp(packed, ".epd.zst") == 0 ? packed : dot;
    size_t stem =
        dot == NULL || dot == output || dot[-1] == '/' ? strlen(output) : (size_t)(dot - output);
    str_clear(out);
    str_append(out, output, stem);
    str_addf(out, "-%s%s", name, output + stem);
}

// Errors in the list of sets are reported later.
static void add_paths(const void *values, Outputs *paths) {
    const SampleArgs *args = values;
    const char *list = args->split;
    StrView item;
    CLEANUP(str_free) Str name = {0};
    CLEANUP(str_free) Str path = {0};
    if (list == NULL || args->output == NULL)
        outputs_add(paths, OUTPUT_FILE, "--output", args->output);
    else
        while (next_item(&list, &item)) {
            const char *equals = memchr(item.text, '=', item.length);
            str_clear(&name);
            str_append(&name, item.text,
                       equals == NULL ? item.length : (size_t)(equals - item.text));
            set_path(args->output, str_text(&name), &path);
            outputs_add(paths, OUTPUT_FILE, "--split", str_text(&path));
        }
}

static const ArgSpec spec = {
    .program = "falconer sample",
    .positional = "GAMES...",
    .least = 1,
    .summary =
        "Takes positions from PGN files, plain or compressed, in one pass: those that pass the "
        "filters, or a\nrandom choice of them, the same for any number of threads and any order of "
        "games. Copies of games\ncount once, and no position is taken twice. See docs/data.md.",
    .example = ARG_EXAMPLE_GAMES "falconer sample games.pgn -o positions.epd --per-game 5 --quiet",
    ARG_TABLE(options),
    .add_paths = add_paths,
};

// --- arguments ---

static const char *const result_names[] = {
    [RESULT_UNKNOWN] = "*",
    [RESULT_WHITE_WINS] = "1-0",
    [RESULT_BLACK_WINS] = "0-1",
    [RESULT_DRAW] = "1/2-1/2",
};

// The index of a name, or -1.
static int find_name(StrView text, const char *const *names, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (view_equals(text, names[i]))
            return (int)i;
    return -1;
}

// A list of names as bits; ARGS_GO_ON, or the exit code after a complaint.
static int parse_bits(const char *option, const char *list, const char *const *names, size_t count,
                      unsigned *bits) {
    StrView item;
    while (next_item(&list, &item)) {
        int index = find_name(item, names, count);
        if (index < 0)
            return args_complain(&spec, "--%s: '%.*s' is not in its list", option, (int)item.length,
                                 item.text);
        *bits |= 1u << index;
    }
    return ARGS_GO_ON;
}

// "LOW-HIGH" or one number.
static int parse_range(const char *option, const char *text, int64_t *low, int64_t *high) {
    if (text == NULL)
        return ARGS_GO_ON;
    const char *dash = strchr(text, '-');
    StrView first = view_of(text, dash == NULL ? strlen(text) : (size_t)(dash - text));
    StrView last = dash == NULL ? first : view_from_string(dash + 1);
    if (!view_to_int(first, low) || !view_to_int(last, high) || *low < 0 || *high < *low ||
        *high > PGN_PLIES_MAX)
        return args_complain(&spec, "--%s: '%s' is not a range (for example 8-16)", option, text);
    return ARGS_GO_ON;
}

typedef struct SetNames {
    char names[SAMPLE_SETS_MAX][SET_NAME_MAX];
} SetNames;

static bool is_plain_name(StrView name) {
    for (size_t i = 0; i < name.length; i++)
        if (strchr("/ \t\n", name.text[i]) != NULL)
            return false;
    return name.length > 0 && name.length < SET_NAME_MAX;
}

static int parse_split(const char *list, SampleOptions *out, SetNames *names) {
    StrView item;
    out->set_count = 0;
    while (next_item(&list, &item)) {
        const char *equals = memchr(item.text, '=', item.length);
        StrView name = view_of(item.text, equals == NULL ? 0 : (size_t)(equals - item.text));
        int64_t size;
        if (!is_plain_name(name) ||
            !view_to_int(view_of(equals + 1, item.length - name.length - 1), &size) || size < 1 ||
            size > UINT32_MAX)
            return args_complain(&spec, "--split: '%.*s' is not NAME=COUNT", (int)item.length,
                                 item.text);
        if (out->set_count == SAMPLE_SETS_MAX)
            return args_complain(&spec, "--split: more than %d sets", SAMPLE_SETS_MAX);
        snprintf(names->names[out->set_count], SET_NAME_MAX, "%.*s", (int)name.length, name.text);
        out->set_sizes[out->set_count++] = (uint64_t)size;
    }
    return ARGS_GO_ON;
}

// Options that cannot go together.
static int check_args(const SampleArgs *args) {
    if (args->output == NULL)
        return args_complain(&spec, "--output is needed");
    if (args->split != NULL && args->count != 0)
        return args_complain(&spec, "--split tells its counts itself: leave out --count");
    if (args->by_frequency && (args->split != NULL || args->per_game != 1))
        return args_complain(&spec, "--by-frequency goes neither with --split nor with --per-game");
    if (args->plies != NULL && args->skip_plies != 0)
        return args_complain(&spec, "--plies and --skip-plies say the same: give one");
    if (args->min_elo == 0 && (args->ratings != NULL || args->elo_of != ELO_OF_DEFAULT) &&
        args->players.count == 0)
        return args_complain(&spec, "--ratings and --elo-of need --min-elo (or --player)");
    if (args->unmatched != NULL && args->min_elo == 0)
        return args_complain(&spec, "--unmatched needs --min-elo");
    return ARGS_GO_ON;
}

static int parse_options(const SampleArgs *args, SampleOptions *out, SetNames *names) {
    int64_t ply_low = args->skip_plies, ply_high = PGN_PLIES_MAX, year_low = 0, year_high = 0;
    const EloOf by_default = args->winner_to_move ? ELO_OF_MOVER : ELO_OF_BOTH;
    *out = (SampleOptions){
        .min_elo = args->min_elo,
        .hold_out = args->hold_out,
        .winner_to_move = args->winner_to_move,
        .quiet = args->quiet,
        .after_quiet = args->after_quiet,
        .assume_white = args->assume_white,
        .per_game = (unsigned)args->per_game,
        .set_sizes = {args->count},
        .set_count = 1,
        .seed = args->seed,
        .by_frequency = args->by_frequency,
        .threads = args->threads,
    };
    TRY_ARGS(check_args(args));
    TRY_ARGS(parse_range("plies", args->plies, &ply_low, &ply_high));
    TRY_ARGS(parse_range("years", args->years, &year_low, &year_high));
    TRY_ARGS(parse_bits("result", args->result, result_names, 4, &out->results));
    TRY_ARGS(parse_bits("phase", args->phase, phase_names, PHASE_NB, &out->phases));
    if (args->split != NULL)
        TRY_ARGS(parse_split(args->split, out, names));
    out->elo_of = args->elo_of == ELO_OF_DEFAULT ? by_default : (EloOf)args->elo_of;
    out->ply_low = (unsigned)ply_low;
    out->ply_high = (unsigned)ply_high;
    out->year_low = (int)year_low;
    out->year_high = (int)year_high;
    return ARGS_GO_ON;
}

// Every spelling of the players asked for, as the list has them; `text` holds them.
static void add_spellings(const RatingList *ratings, Str *text, ArgStrings *players) {
    for (size_t i = 0; i < players->count; i++) {
        str_add(text, players->items[i]);
        str_add(text, "\n");
        if (ratings != NULL)
            rating_list_spellings(ratings, view_from_string(players->items[i]), text);
    }
    players->count = 0;
    for (char *at = text->text, *end; at != NULL && *at != '\0'; at = end + 1) {
        end = strchr(at, '\n');
        *end = '\0';
        arg_strings_add(players, at);
    }
}

// --- the summary ---

static uint64_t print_damaged(const SampleTotals *totals) {
    uint64_t damaged = 0;
    const char *separator = ": ";
    for (int kind = 0; kind < PGN_PROBLEM_NB; kind++)
        damaged += totals->problems[kind];
    print_err("games: %" PRIu64 " read, %" PRIu64 " damaged and left out", totals->games, damaged);
    for (PgnProblemKind kind = PGN_FINE; kind < PGN_PROBLEM_NB; kind++)
        if (totals->problems[kind] != 0) {
            print_err("%s%" PRIu64 " %s", separator, totals->problems[kind],
                      pgn_problem_name(kind));
            separator = ", ";
        }
    print_err(damaged == 0 ? "\n" : " (falconer doctor lists them)\n");
    return damaged;
}

static void print_games(const SampleTotals *totals, const SampleOptions *asked) {
    const struct {
        SampleFilter filter;
        bool is_on;
        const char *name;
    } filters[] = {
        {SAMPLE_YEARS, asked->year_high != 0, "of these years"},
        {SAMPLE_RESULT, asked->results != 0 || asked->winner_to_move, "with such a result"},
        {SAMPLE_PLAYER, asked->player_count != 0, "of these players"},
        {SAMPLE_ELO, asked->min_elo != 0, "with such ratings"},
    };
    uint64_t damaged = print_damaged(totals);
    uint64_t empty = totals->games - damaged - totals->left[SAMPLE_WHOLE];
    if (empty != 0)
        print_err("  without moves, left out: %" PRIu64 "\n", empty);
    for (size_t i = 0; i < sizeof filters / sizeof filters[0]; i++)
        if (filters[i].is_on)
            print_err("  left, %s: %" PRIu64 "\n", filters[i].name,
                      totals->left[filters[i].filter]);
    if (asked->avoid != NULL)
        print_err("  left out, with a position to avoid: %" PRIu64 "\n", totals->avoided);
    print_err("  left, different: %" PRIu64 " (%" PRIu64
              " copies)\n  left, with a position that passes: %" PRIu64 "\n",
              totals->distinct, totals->left[SAMPLE_ELO] - totals->avoided - totals->distinct,
              totals->offering);
}

static const char *const source_names[RATING_SOURCE_NB] = {
    [RATING_FROM_LIST] = "rated by the list",
    [RATING_FROM_TAG] = "rated by the tag alone",
    [RATING_NO_SUCH_NAME] = "not rated: no such name",
    [RATING_NOT_THAT_YEAR] = "not rated: not that year",
    [RATING_AMBIGUOUS] = "not rated: several of that name",
};

// How many names, and sides of games, each source rated.
static void print_names(const RatedName *names, size_t count, bool has_list) {
    print_err("ratings asked for: %zu names\n", count);
    for (int source = has_list ? RATING_FROM_LIST : RATING_FROM_TAG; source < RATING_SOURCE_NB;
         source++) {
        uint64_t distinct = 0, games = 0;
        for (size_t i = 0; i < count; i++) {
            distinct += names[i].games[source] != 0;
            games += names[i].games[source];
        }
        if (distinct != 0)
            print_err("  %s: %" PRIu64 " names in %" PRIu64 " games\n",
                      has_list || source == RATING_FROM_TAG ? source_names[source] : "not rated",
                      distinct, games);
    }
}

static Status write_unmatched(const char *path, const RatedName *names, size_t count) {
    CLEANUP(str_free) Str text = {0};
    for (size_t i = 0; i < count; i++)
        for (int source = RATING_NO_SUCH_NAME; source < RATING_SOURCE_NB; source++)
            if (names[i].games[source] != 0)
                str_addf(&text, "%" PRIu64 "\t%s\t%.*s\n", names[i].games[source],
                         source_names[source], (int)names[i].name.length, names[i].name.text);
    return file_write(path, str_text(&text), text.length);
}

// --- the work ---

static Status write_sets(const Sample *sample, const SampleArgs *args, const SampleOptions *asked,
                         const SetNames *names) {
    CLEANUP(str_free) Str path = {0};
    for (size_t i = 0; i < asked->set_count; i++) {
        str_clear(&path);
        if (args->split == NULL)
            str_add(&path, args->output);
        else
            set_path(args->output, names->names[i], &path);
        TRY(sample_write(sample, i, str_text(&path)));
        print_err("%s: %" PRIu64 " position%s\n", str_text(&path), sample_set_count(sample, i),
                  str_plural(sample_set_count(sample, i)));
    }
    return OK;
}

static Status report(const Sample *sample, const SampleArgs *args, const SampleOptions *asked) {
    SampleTotals totals = sample_totals(sample);
    size_t count;
    print_games(&totals, asked);
    if (asked->min_elo == 0)
        return OK;
    CLEANUP(mem_free_at) RatedName *names = sample_names(sample, &count);
    print_names(names, count, args->ratings != NULL);
    return args->unmatched == NULL ? OK : write_unmatched(args->unmatched, names, count);
}

static Status run(const SampleArgs *args, const SampleOptions *asked, const ArgStrings *files,
                  const SetNames *names) {
    int64_t start = clock_now_ns();
    CLEANUP(sample_destroy_at) Sample *sample = sample_create(asked);
    for (size_t i = 0; i < files->count; i++)
        TRY(sample_read(sample, files->items[i]));
    double seconds = clock_seconds_since(start);
    const Status status = sample_finish(sample);
    // The counts are printed even if there are too few positions.
    const Status reported = report(sample, args, asked);
    TRY(status);
    TRY(reported);
    TRY(write_sets(sample, args, asked, names));
    print_err("%.1f MB in %.2f seconds\n", (double)sample_totals(sample).bytes / 1e6, seconds);
    return OK;
}

static Status sample_files(SampleArgs *args, SampleOptions *asked, const ArgStrings *files,
                           const SetNames *names) {
    CLEANUP(rating_list_close_at) RatingList *ratings = NULL;
    CLEANUP(str_free) Str spellings = {0};
    CLEANUP(avoid_set_free) AvoidSet avoid = {0};
    for (size_t i = 0; i < args->avoid.count; i++)
        TRY(avoid_set_load(&avoid, args->avoid.items[i]));
    avoid_set_sort(&avoid);
    asked->avoid = avoid.count > 0 ? &avoid : NULL;
    if (args->ratings != NULL)
        TRY(rating_list_open(&ratings, args->ratings));
    asked->ratings = ratings;
    add_spellings(ratings, &spellings, &args->players);
    asked->players = args->players.items;
    asked->player_count = args->players.count;
    return run(args, asked, files, names);
}

int cmd_sample(int argc, char **argv) {
    SampleArgs args = {.per_game = 1, .elo_of = ELO_OF_DEFAULT, .threads = dist_cores()};
    SampleOptions asked = {0};
    SetNames names;
    CLEANUP(arg_strings_free) ArgStrings files = {0};
    int exit_code = args_parse(&spec, argc, argv, &args, &files);
    if (exit_code == ARGS_GO_ON)
        exit_code = parse_options(&args, &asked, &names);
    if (exit_code == ARGS_GO_ON) {
        chess_init();
        exit_code = args_exit(&spec, sample_files(&args, &asked, &files, &names));
    }
    arg_strings_free(&args.players);
    arg_strings_free(&args.avoid);
    return exit_code;
}
