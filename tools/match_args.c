// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/match_args.h"

#include "base/mem.h"
#include "tools/args.h"
#include "tools/print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_CAP_S = 120, ROUNDS_MAX = 100000000, INTERVAL = 10 };

// One flag; `words` are what follows it up to the next flag.
typedef struct Flag {
    const char *name;
    int low, high; // how many words it takes; high < 0: any number
    Status (*take)(MatchArgs *args, char **words, int count);
    const char *help;
} Flag;

MatchArgs match_args_init(void) {
    return (MatchArgs){.rounds = 1,
                       .games = 2,
                       .concurrency = 1,
                       .interval = INTERVAL,
                       .cap_s = DEFAULT_CAP_S,
                       .openings = {.plies = OPENING_PLIES_MAX},
                       .event = "falconer match"};
}

void match_args_deinit(MatchArgs *args) {
    for (size_t i = 0; args->engines != NULL && i < args->engine_count; i++)
        engine_spec_deinit(&args->engines[i]);
    free(args->engines);
    free(args->names);
    free(args->described);
    *args = match_args_init();
}

// --- words ---

static Status take_number(const char *text, int64_t low, int64_t high, int64_t *out) {
    if (view_to_int(view_from_string(text), out) && *out >= low && *out <= high)
        return OK;
    return error_set(ERR_ARG, "'%s': expected a whole number from %lld to %lld", text,
                     (long long)low, (long long)high);
}

// "key=" at the front of a word; `value` is what follows.
static bool has_key(const char *word, const char *key, const char **value) {
    size_t length = strlen(key);
    *value = word + length + 1;
    return strncmp(word, key, length) == 0 && word[length] == '=';
}

// Which of `names` a value is.
static Status take_choice(const char *value, const char *const *names, int count, int *out) {
    Str list = {0};
    for (int i = 0; i < count; i++) {
        if (strcmp(value, names[i]) == 0) {
            *out = i;
            str_free(&list);
            return OK;
        }
        str_addf(&list, "%s%s", i == 0 ? "" : ", ", names[i]);
    }
    Status status = error_set(ERR_ARG, "'%s': expected one of %s", value, str_text(&list));
    str_free(&list);
    return status;
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
        // In no moves nothing would ever be decided.
        int low = strcmp(keys[k], "movecount") == 0;
        Status status = take_number(value, low, 1000000, &number);
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

// --- flags ---

static Status take_engine(MatchArgs *args, char **words, int count) {
    if (args->engine_count == SCHEDULE_PLAYERS_MAX)
        return error_set(ERR_ARG, "no more than %d engines can play", SCHEDULE_PLAYERS_MAX);
    args->described = mem_grow(args->described, &args->engine_capacity, args->engine_count + 1,
                               sizeof *args->described);
    args->described[args->engine_count++] = (EngineWords){words, count};
    return OK;
}

static Status take_each(MatchArgs *args, char **words, int count) {
    if (args->each.count > 0)
        return error_set(ERR_ARG, "given twice: put all its words behind one");
    args->each = (EngineWords){words, count};
    return OK;
}

static Status take_tournament(MatchArgs *args, char **words, int count) {
    (void)count;
    int kind = 0;
    Status status = take_choice(words[0], schedule_names, SCHEDULE_KIND_NB, &kind);
    args->kind = (ScheduleKind)kind;
    return status;
}

static Status take_rounds(MatchArgs *args, char **words, int count) {
    (void)count;
    return take_number(words[0], 1, ROUNDS_MAX, &args->rounds);
}

static Status take_games(MatchArgs *args, char **words, int count) {
    (void)count;
    return take_number(words[0], 1, SCHEDULE_GAMES_MAX, &args->games);
}

static Status take_repeat(MatchArgs *args, char **words, int count) {
    (void)args;
    int64_t number;
    return count == 0 ? OK : take_number(words[0], 2, 2, &number);
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

static Status take_jsonl(MatchArgs *args, char **words, int count) {
    (void)count;
    args->jsonl = words[0];
    return OK;
}

static Status take_folder(MatchArgs *args, char **words, int count) {
    (void)count;
    args->folder = words[0];
    return OK;
}

static Status take_trust(MatchArgs *args, char **words, int count) {
    (void)words, (void)count;
    args->trusts_folder = true;
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

static Status take_resign(MatchArgs *args, char **words, int count) {
    static const char *const keys[] = {"movecount", "score"}, *const truths[] = {"false", "true"};
    int *out[] = {&args->rules.resign_moves, &args->rules.resign_cp};
    char *numbers[3];
    int number_count = 0, truth = 0;
    for (int i = 0; i < count; i++) {
        const char *value;
        if (!has_key(words[i], "twosided", &value)) {
            numbers[number_count++] = words[i];
            continue;
        }
        Status status = take_choice(value, truths, 2, &truth);
        if (status != OK)
            return status;
    }
    args->rules.resign_needs_both = truth == 1;
    return take_numbers(numbers, number_count, keys, out, 2);
}

static Status take_draw(MatchArgs *args, char **words, int count) {
    static const char *const keys[] = {"movenumber", "movecount", "score"};
    int *out[] = {&args->rules.draw_from, &args->rules.draw_moves, &args->rules.draw_cp};
    return take_numbers(words, count, keys, out, 3);
}

static Status take_sprt(MatchArgs *args, char **words, int count) {
    args->has_sprt = true;
    return sprt_parse(&args->sprt, words, count);
}

static Status take_openings_word(OpeningsConfig *openings, const char *word, bool *has_format) {
    static const char *const orders[] = {"sequential", "random"};
    const char *value;
    int choice = 0;
    int64_t number = 1;
    Status status = OK;
    if (has_key(word, "file", &value)) {
        openings->path = value;
    } else if (has_key(word, "format", &value)) {
        status = take_choice(value, openings_format_names, OPENINGS_FORMAT_NB, &choice);
        openings->format = (OpeningsFormat)choice;
        *has_format = true;
    } else if (has_key(word, "order", &value)) {
        status = take_choice(value, orders, 2, &choice);
        openings->is_random = choice == 1;
    } else if (has_key(word, "start", &value)) {
        status = take_number(value, 1, INT64_MAX, &number);
        openings->first = (uint64_t)number - 1;
    } else if (has_key(word, "plies", &value)) {
        status = take_number(value, 1, OPENING_PLIES_MAX, &number);
        openings->plies = (int)number;
    } else {
        status =
            error_set(ERR_ARG, "'%s': expected file=, format=, order=, start= or plies=", word);
    }
    return status;
}

static Status take_openings(MatchArgs *args, char **words, int count) {
    bool has_format = false;
    Status status = OK;
    args->has_openings = true;
    args->openings = match_args_init().openings;
    for (int i = 0; i < count && status == OK; i++)
        status = take_openings_word(&args->openings, words[i], &has_format);
    if (status == OK && args->openings.path == NULL)
        status = error_set(ERR_ARG, "file= is missing");
    if (status == OK && !has_format)
        args->openings.format = openings_guess_format(args->openings.path);
    return status;
}

static const Flag flags[] = {
    {"-engine", 1, -1, take_engine, "cmd=FILE [name= arg= dir= option.NAME=VALUE tc= ...]"},
    {"-each", 1, -1, take_each, "the same words for all engines; an engine's own words win"},
    {"-tournament", 1, 1, take_tournament, "round-robin (default), gauntlet, swiss or knockout"},
    {"-rounds", 1, 1, take_rounds, "how many rounds (default: 1)"},
    {"-games", 1, 1, take_games, "games of an encounter (default: 2, with colours reversed)"},
    {"-repeat", 0, 1, take_repeat, "every opening twice, colours reversed: always so"},
    {"-recover", 0, 0, take_nothing, "start engines again that failed: always so"},
    {"-concurrency", 1, 1, take_concurrency,
     "games at a time, on each rank under mpirun (default: 1)"},
    {"-openings", 1, 5, take_openings,
     "file=F [format=epd|pgn|bin order=sequential|random start=N plies=N]"},
    {"-srand", 1, 1, take_seed, "seed of the random order (default: 0)"},
    {"-sprt", 2, 5, take_sprt, "elo0= elo1= [alpha= beta= model=logistic|normalized]: two engines"},
    {"-pgnout", 1, 1, take_pgn, "append each game to this file as it ends"},
    {"-jsonl", 1, 1, take_jsonl, "append a line of JSON for each game as it ends"},
    {"-resume", 1, 1, take_folder, "keep everything in this folder, or go on with what is there"},
    {"-trust-folder", 0, 0, take_trust,
     "run the engines that this folder names, though others can have written it"},
    {"-event", 1, 1, take_event, "PGN's Event tag"},
    {"-maxmoves", 1, 1, take_max_moves, "a draw after so many moves"},
    {"-resign", 2, 3, take_resign, "movecount=N score=CP [twosided=true]: lost after N such moves"},
    {"-draw", 3, 3, take_draw, "movenumber=N movecount=M score=CP: a draw when both think so"},
    {"-ratinginterval", 1, 1, take_interval, "score after every N games (default: 10; 0: never)"},
    {"-stall", 1, 1, take_cap, "seconds a move may take without a clock (default: 120)"},
};
enum { FLAG_COUNT = sizeof flags / sizeof flags[0] };

bool match_args_flag(size_t index, const char **name, const char **help) {
    if (index >= FLAG_COUNT)
        return false;
    *name = flags[index].name;
    *help = flags[index].help;
    return true;
}

// --- the command line ---

int match_args_complain(const char *flag, const char *message) {
    print_err("falconer match: %s%s%s (see falconer match --help)\n", flag,
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
    return match_args_complain(word, message);
}

int match_args_parse(MatchArgs *args, int count, char **words) {
    for (int i = 0; i < count;) {
        if (strcmp(words[i], "--help") == 0 || strcmp(words[i], "-h") == 0)
            return match_print_help();
        if (args_man_purpose(words[i]) != NULL)
            return match_print_man(args_man_purpose(words[i]));
        const Flag *flag = find_flag(words[i]);
        if (flag == NULL)
            return complain_of_flag(words[i]);
        int used = count_words(words + i + 1, count - i - 1);
        if (used < flag->low || (flag->high >= 0 && used > flag->high))
            return match_args_complain(flag->name, used < flag->low
                                                       ? "something is missing after it"
                                                       : "too many words after it");
        if (flag->take(args, words + i + 1, used) != OK)
            return match_args_complain(flag->name, error_message());
        i += 1 + used;
    }
    return ARGS_GO_ON;
}
