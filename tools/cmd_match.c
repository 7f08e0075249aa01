// SPDX-License-Identifier: GPL-3.0-or-later
// falconer match: plays games between two engines, with cutechess's flags and result lines.
#include "base/mem.h"
#include "chess/pgn.h"
#include "match/game_pgn.h"
#include "match/runner.h"
#include "tools/args.h"
#include "tools/cancel.h"
#include "tools/commands.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DEFAULT_CAP_S = 120, ROUNDS_MAX = 100000000 };

typedef struct MatchArgs {
    EngineSpec engines[MATCH_SIDES];
    char **engine_words[MATCH_SIDES], **each_words; // borrowed from argv
    int engine_word_counts[MATCH_SIDES], each_word_count, engine_count;
    int64_t rounds, games, concurrency, interval, cap_s;
    uint64_t seed;
    const char *openings, *pgn, *event;
    bool is_random;
    AdjudicationRules rules;
} MatchArgs;

// One flag; `words` are what follows it up to the next flag.
typedef struct Flag {
    const char *name;
    int low, high; // how many words it takes; high < 0: any number
    Status (*take)(MatchArgs *args, char **words, int count);
    const char *help;
} Flag;

// What the callbacks need.
typedef struct Match {
    const MatchArgs *args;
    const MatchConfig *config;
    int pgn_fd;
    bool is_failed; // writing failed: the match was broken off
} Match;

static Status take_number(const char *text, int64_t low, int64_t high, int64_t *out) {
    if (view_to_int(view_from_string(text), out) && *out >= low && *out <= high)
        return OK;
    return error_set(ERR_ARG, "'%s': expected a whole number from %lld to %lld", text,
                     (long long)low, (long long)high);
}

static Status take_engine(MatchArgs *args, char **words, int count) {
    if (args->engine_count == MATCH_SIDES)
        return error_set(ERR_ARG, "a match is between two engines");
    args->engine_words[args->engine_count] = words;
    args->engine_word_counts[args->engine_count++] = count;
    return OK;
}

static Status take_each(MatchArgs *args, char **words, int count) {
    args->each_words = words;
    args->each_word_count = count;
    return OK;
}

static Status take_rounds(MatchArgs *args, char **words, int count) {
    (void)count;
    return take_number(words[0], 1, ROUNDS_MAX, &args->rounds);
}

static Status take_games(MatchArgs *args, char **words, int count) {
    (void)count;
    return take_number(words[0], 1, 2, &args->games);
}

static Status take_nothing(MatchArgs *args, char **words, int count) {
    (void)args, (void)words, (void)count;
    return OK;
}

static Status take_concurrency(MatchArgs *args, char **words, int count) {
    (void)count;
    return take_number(words[0], 1, MATCH_CONCURRENCY_MAX, &args->concurrency);
}

static Status take_interval(MatchArgs *args, char **words, int count) {
    (void)count;
    return take_number(words[0], 0, ROUNDS_MAX, &args->interval);
}

static Status take_cap(MatchArgs *args, char **words, int count) {
    (void)count;
    return take_number(words[0], 1, 1000000, &args->cap_s);
}

static Status take_seed(MatchArgs *args, char **words, int count) {
    (void)count;
    int64_t seed;
    Status status = take_number(words[0], 0, INT64_MAX, &seed);
    args->seed = (uint64_t)seed;
    return status;
}

static Status take_pgn(MatchArgs *args, char **words, int count) {
    (void)count;
    args->pgn = words[0];
    return OK;
}

static Status take_event(MatchArgs *args, char **words, int count) {
    (void)count;
    args->event = words[0];
    return OK;
}

static Status take_max_moves(MatchArgs *args, char **words, int count) {
    (void)count;
    int64_t number;
    Status status = take_number(words[0], 0, 10000, &number);
    args->rules.max_moves = (int)number;
    return status;
}

// "key=" at the front of a word; `value` is what follows.
static bool has_key(const char *word, const char *key, const char **value) {
    size_t length = strlen(key);
    *value = word + length + 1;
    return strncmp(word, key, length) == 0 && word[length] == '=';
}

// Words that are all key=NUMBER; every key must be there.
static Status take_numbers(char **words, int count, const char *const *keys, int **out, int need) {
    int found = 0;
    for (int i = 0; i < count; i++) {
        int k = 0;
        const char *value;
        while (k < need && !has_key(words[i], keys[k], &value))
            k++;
        if (k == need)
            return error_set(ERR_ARG, "'%s' is not known here", words[i]);
        int64_t number;
        Status status = take_number(value, 0, 1000000, &number);
        if (status != OK)
            return status;
        *out[k] = (int)number;
        found |= 1 << k;
    }
    if (found == (1 << need) - 1)
        return OK;
    return error_set(ERR_ARG, "%s=, %s=%s%s are all needed", keys[0], keys[1], need > 2 ? ", " : "",
                     need > 2 ? "score=" : "");
}

static Status take_resign(MatchArgs *args, char **words, int count) {
    static const char *const keys[] = {"movecount", "score"};
    int *out[] = {&args->rules.resign_moves, &args->rules.resign_cp};
    return take_numbers(words, count, keys, out, 2);
}

static Status take_draw(MatchArgs *args, char **words, int count) {
    static const char *const keys[] = {"movenumber", "movecount", "score"};
    int *out[] = {&args->rules.draw_from, &args->rules.draw_moves, &args->rules.draw_cp};
    return take_numbers(words, count, keys, out, 3);
}

static Status take_openings(MatchArgs *args, char **words, int count) {
    for (int i = 0; i < count; i++) {
        const char *value;
        if (has_key(words[i], "file", &value))
            args->openings = value;
        else if (has_key(words[i], "format", &value) && strcmp(value, "epd") == 0)
            continue;
        else if (has_key(words[i], "format", &value))
            return error_set(ERR_ARG, "format=%s: only epd is read", value);
        else if (has_key(words[i], "order", &value) && strcmp(value, "random") == 0)
            args->is_random = true;
        else if (has_key(words[i], "order", &value) && strcmp(value, "sequential") == 0)
            args->is_random = false;
        else
            return error_set(ERR_ARG, "'%s': expected file=, format=epd or order=random|sequential",
                             words[i]);
    }
    return args->openings != NULL ? OK : error_set(ERR_ARG, "file= is missing");
}

static const Flag flags[] = {
    {"-engine", 1, -1, take_engine, "cmd=FILE [name= arg= dir= option.NAME=VALUE tc= ...]: twice"},
    {"-each", 1, -1, take_each, "the same words for both engines; an engine's own words win"},
    {"-rounds", 1, 1, take_rounds, "how many rounds (default: 1)"},
    {"-games", 1, 1, take_games, "games in a round: 2 (default), with colours reversed, or 1"},
    {"-repeat", 0, 1, take_nothing, "every opening twice, colours reversed: always so"},
    {"-recover", 0, 0, take_nothing, "start engines again that failed: always so"},
    {"-concurrency", 1, 1, take_concurrency, "games at a time (default: 1)"},
    {"-openings", 1, 3, take_openings, "file=F.epd [format=epd] [order=random|sequential]"},
    {"-srand", 1, 1, take_seed, "seed of the random order (default: 0)"},
    {"-pgnout", 1, 1, take_pgn, "append each game to this file as it ends"},
    {"-event", 1, 1, take_event, "PGN's Event tag"},
    {"-maxmoves", 1, 1, take_max_moves, "a draw after so many moves"},
    {"-resign", 2, 2, take_resign, "movecount=N score=CP: lost after N such moves of the loser"},
    {"-draw", 3, 3, take_draw, "movenumber=N movecount=M score=CP: a draw when both think so"},
    {"-ratinginterval", 1, 1, take_interval, "score after every N games (default: 10; 0: never)"},
    {"-stall", 1, 1, take_cap, "seconds a move may take without a clock (default: 120)"},
};
enum { FLAG_COUNT = sizeof flags / sizeof flags[0] };

static int print_help(void) {
    printf("Usage: falconer match -engine WORDS -engine WORDS [FLAGS]\n\n"
           "Plays games between two UCI engines.\n\nFlags:\n");
    for (size_t i = 0; i < FLAG_COUNT; i++)
        printf("  %-15s  %s\n", flags[i].name, flags[i].help);
    printf("\nWords of an engine: cmd= name= dir= arg= option.NAME=VALUE stderr=FILE\n"
           "  tc=[MOVES/][MINUTES:]SECONDS[+INCREMENT]|inf st=SECONDS nodes=N depth=N\n"
           "  timemargin=MS (default: 10 with tc=, 50 with st=)\n"
           "\nExample:\n"
           "  falconer match -engine cmd=/usr/games/stockfish -engine cmd=/usr/games/toga2 \\\n"
           "      option.OwnBook=false -each tc=1+0.01 -rounds 2 -concurrency 2\n");
    return EXIT_DONE;
}

static int complain(const char *flag, const char *message) {
    fprintf(stderr, "falconer match: %s%s%s (see falconer match --help)\n", flag,
            flag[0] == '\0' ? "" : ": ", message);
    return EXIT_USAGE;
}

static const Flag *find_flag(const char *word) {
    // Two dashes are as good as one.
    const char *name = word[0] == '-' && word[1] == '-' ? word + 1 : word;
    for (size_t i = 0; i < FLAG_COUNT; i++)
        if (strcmp(flags[i].name, name) == 0)
            return &flags[i];
    return NULL;
}

// Words up to the next flag. An engine's argument may begin with a dash: it is part of arg=.
static int count_words(char **words, int left) {
    int count = 0;
    while (count < left && words[count][0] != '-')
        count++;
    return count;
}

static int complain_of_flag(const char *word) {
    const char *names[FLAG_COUNT];
    char message[128] = "unknown flag";
    for (size_t i = 0; i < FLAG_COUNT; i++)
        names[i] = flags[i].name;
    const char *nearest = args_nearest(word, names, FLAG_COUNT);
    if (nearest != NULL)
        snprintf(message, sizeof message, "unknown flag: did you mean %s?", nearest);
    return complain(word, message);
}

static int parse_flags(MatchArgs *args, int argc, char **argv) {
    for (int i = 1; i < argc;) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return print_help();
        const Flag *flag = find_flag(argv[i]);
        if (flag == NULL)
            return complain_of_flag(argv[i]);
        int count = count_words(argv + i + 1, argc - i - 1);
        if (count < flag->low || (flag->high >= 0 && count > flag->high))
            return complain(flag->name, count < flag->low ? "something is missing after it"
                                                          : "too many words after it");
        if (flag->take(args, argv + i + 1, count) != OK)
            return complain(flag->name, error_message());
        i += 1 + count;
    }
    return ARGS_GO_ON;
}

static Status set_words(EngineSpec *spec, char **words, int count) {
    Status status = OK;
    for (int i = 0; i < count && status == OK; i++)
        status = engine_spec_set(spec, words[i]);
    return status;
}

static Status make_engine(MatchArgs *args, int index) {
    EngineSpec *spec = &args->engines[index];
    Status status = set_words(spec, args->each_words, args->each_word_count);
    if (status == OK)
        status = set_words(spec, args->engine_words[index], args->engine_word_counts[index]);
    if (status == OK)
        status = engine_spec_finish(spec);
    if (status == OK && engine_limits_are_empty(&spec->limits))
        status = error_set(ERR_ARG, "%s: no limit: give tc=, st=, nodes= or depth= (or -each tc=)",
                           spec->name);
    return status;
}

static Status make_engines(MatchArgs *args) {
    if (args->engine_count != MATCH_SIDES)
        return error_set(ERR_ARG, "two -engine are needed");
    Status status = OK;
    for (int i = 0; i < MATCH_SIDES && status == OK; i++)
        status = make_engine(args, i);
    if (status != OK || strcmp(args->engines[0].name, args->engines[1].name) != 0)
        return status;
    Str name = {0};
    str_addf(&name, "%s (2)", args->engines[1].name);
    free(args->engines[1].name);
    args->engines[1].name = name.text;
    return OK;
}

static void print_score(const Match *match, const MatchScore *score) {
    EloEstimate elo = elo_from_games(&score->games), pairs = elo_from_pairs(&score->pairs);
    const uint64_t *p = score->pairs.results;
    printf("Score of %s vs %s: %" PRIu64 " - %" PRIu64 " - %" PRIu64 "  [%.3f] %" PRIu64 "\n",
           match->args->engines[0].name, match->args->engines[1].name, score->games.wins,
           score->games.losses, score->games.draws, elo.score, score->played);
    printf("Elo difference: %.1f +/- %.1f, LOS: %.1f %%, DrawRatio: %.1f %%\n", elo.elo, elo.margin,
           100 * elo.los, 100 * elo.draw_ratio);
    printf("Ptnml(0-2): [%" PRIu64 ", %" PRIu64 ", %" PRIu64 ", %" PRIu64 ", %" PRIu64
           "], Elo by pairs: %.1f +/- %.1f\n",
           p[0], p[1], p[2], p[3], p[4], pairs.elo, pairs.margin);
}

static void print_faults(const Match *match, const MatchScore *score) {
    for (int i = 0; i < MATCH_SIDES; i++) {
        const MatchFaults *faults = &score->faults[i];
        printf("Faults of %s: %" PRIu64 " time losses, %" PRIu64 " crashes, %" PRIu64
               " stalls, %" PRIu64 " illegal moves\n",
               match->args->engines[i].name, faults->late, faults->crashed, faults->stalled,
               faults->illegal);
    }
}

static void on_start(void *context, const MatchGame *game) {
    const Match *match = context;
    printf("Started game %" PRIu64 " of %" PRIu64 " (%s vs %s)\n", game->index + 1,
           match->config->games, match->args->engines[game->white].name,
           match->args->engines[1 - game->white].name);
    fflush(stdout);
}

static Status append(int fd, const Str *text) {
    for (size_t done = 0; done < text->length;) {
        ssize_t wrote = write(fd, text->text + done, text->length - done);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote < 0)
            return error_set(ERR_IO, "%s", strerror(errno));
        done += (size_t)wrote;
    }
    return OK;
}

static void write_game(Match *match, const MatchGame *game, const GameRecord *record) {
    GameSide sides[COLOR_NB];
    match_sides(match->config, game->white, sides);
    GameNames names = {match->args->event, match->args->engines[game->white].name,
                       match->args->engines[1 - game->white].name,
                       game->index / (uint64_t)match->args->games + 1, sides};
    Str text = {0};
    Status status = game_write_pgn(record, &names, &text);
    if (status == OK)
        status = append(match->pgn_fd, &text);
    str_free(&text);
    if (status == OK)
        return;
    fprintf(stderr, "falconer match: %s: %s\n", match->args->pgn, error_message());
    match->is_failed = true;
    cancel_now();
}

static void on_end(void *context, const MatchGame *game, const GameRecord *record,
                   const MatchScore *score) {
    Match *match = context;
    Str ending = {0};
    game_describe_ending(record, &ending);
    printf("Finished game %" PRIu64 " (%s vs %s): %s {%s}\n", game->index + 1,
           match->args->engines[game->white].name, match->args->engines[1 - game->white].name,
           pgn_result_text(record->result), str_text(&ending));
    str_free(&ending);
    if (record->detail[0] != '\0')
        fprintf(stderr, "Warning: game %" PRIu64 ": %s\n", game->index + 1, record->detail);
    if (match->pgn_fd >= 0 && !match->is_failed)
        write_game(match, game, record);
    int64_t interval = match->args->interval;
    if (interval > 0 && score->played % (uint64_t)interval == 0 &&
        score->played < match->config->games)
        print_score(match, score);
    // Nobody reads us any more (SIGPIPE is ignored because of the engines).
    if (fflush(stdout) != 0 && !match->is_failed) {
        match->is_failed = true;
        cancel_now();
    }
}

static int report_match(const Match *match, const MatchScore *score, Status status) {
    if (score->played > 0) {
        print_score(match, score);
        print_faults(match, score);
    }
    if (status != OK)
        fprintf(stderr, "falconer match: %s\n", error_message());
    else if (score->played < match->config->games)
        printf("Stopped after %" PRIu64 " of %" PRIu64 " games\n", score->played,
               match->config->games);
    else if (!match->is_failed)
        return EXIT_DONE;
    return EXIT_FAILED;
}

static int play(MatchArgs *args, const Openings *openings, int cancel_fd) {
    MatchConfig config = {.engines = {&args->engines[0], &args->engines[1]},
                          .openings = openings,
                          .games = (uint64_t)(args->rounds * args->games),
                          .concurrency = (int)args->concurrency,
                          .rules = args->rules,
                          .cap_ms = args->cap_s * 1000,
                          .cancel_fd = cancel_fd};
    Match match = {.args = args, .config = &config, .pgn_fd = -1};
    if (args->pgn != NULL) {
        match.pgn_fd = open(args->pgn, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
        if (match.pgn_fd < 0) {
            fprintf(stderr, "falconer match: %s: %s\n", args->pgn, strerror(errno));
            return EXIT_FAILED;
        }
    }
    MatchScore score;
    MatchEvents events = {&match, on_start, on_end};
    int exit_code = report_match(&match, &score, match_run(&config, &events, &score));
    if (match.pgn_fd >= 0 && close(match.pgn_fd) != 0)
        exit_code = EXIT_FAILED;
    return exit_code;
}

static int load_and_play(MatchArgs *args) {
    Openings *openings = NULL;
    int cancel_fd;
    Status status = cancel_on_signals(&cancel_fd);
    if (status == OK && args->openings != NULL)
        status = openings_load(&openings, args->openings);
    if (status != OK) {
        fprintf(stderr, "falconer match: %s\n", error_message());
        return EXIT_FAILED;
    }
    if (openings != NULL && args->is_random)
        openings_shuffle(openings, args->seed);
    int exit_code = play(args, openings, cancel_fd);
    openings_free(openings);
    return exit_code;
}

int cmd_match(int argc, char **argv) {
    MatchArgs args = {.engines = {engine_spec_init(), engine_spec_init()},
                      .rounds = 1,
                      .games = 2,
                      .concurrency = 1,
                      .interval = 10,
                      .cap_s = DEFAULT_CAP_S,
                      .event = "falconer match"};
    chess_init();
    int exit_code = parse_flags(&args, argc, argv);
    if (exit_code == ARGS_GO_ON)
        exit_code =
            make_engines(&args) != OK ? complain("", error_message()) : load_and_play(&args);
    for (int i = 0; i < MATCH_SIDES; i++)
        engine_spec_deinit(&args.engines[i]);
    return exit_code;
}
