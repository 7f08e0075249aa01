// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/match_args.h"

#include "base/mem.h"
#include "base/nearest.h"
#include "tools/args.h"
#include "tools/man.h"
#include "tools/match_flags.h"
#include "tools/print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_CAP_S = 120, ROUNDS_MAX = 100000000, INTERVAL = 10, WAIT_MAX_MS = 86400000 };

// One flag; `words` are what follows it up to the next flag.
typedef struct Flag {
    const char *name;
    int low, high; // how many words it takes; high < 0: any number
    Status (*take)(MatchArgs *args, char **words, int count);
    const char *help;
    size_t offset; // without `take`: of the whole number or, without bounds, the text it sets
    int64_t least, most;
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

// Words that are all key=NUMBER; every key must be there.
static Status take_numbers(char **words, int count, const char *const *keys, int **out, int need) {
    int found = 0;
    for (int i = 0; i < count; i++) {
        int k = 0;
        const char *value;
        while (k < need && !match_has_key(words[i], keys[k], &value))
            k++;
        if (k == need)
            return error_set(ERR_ARG, "'%s' is not known here", words[i]);
        int64_t number;
        // In no moves nothing would ever be decided.
        int low = strcmp(keys[k], "movecount") == 0;
        TRY(match_read_number(value, low, 1000000, &number));
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
    MEM_ADD(args->described, args->engine_count, args->engine_capacity) =
        (EngineWords){words, count};
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
    // fastchess spells it so.
    const char *name = strcmp(words[0], "roundrobin") == 0 ? "round-robin" : words[0];
    Status status = match_read_choice(name, schedule_names, SCHEDULE_KIND_NB, &kind);
    args->kind = (ScheduleKind)kind;
    return status;
}

static Status take_repeat(MatchArgs *args, char **words, int count) {
    (void)args;
    int64_t number;
    return count == 0 ? OK : match_read_number(words[0], 2, 2, &number);
}

static Status take_nothing(MatchArgs *args, char **words, int count) {
    (void)args, (void)words, (void)count;
    return OK;
}

static Status take_seed(MatchArgs *args, char **words, int count) {
    (void)count;
    int64_t seed;
    Status status = match_read_number(words[0], 0, INT64_MAX, &seed);
    args->seed = (uint64_t)seed;
    return status;
}

static Status take_trust(MatchArgs *args, char **words, int count) {
    (void)words, (void)count;
    args->trusts_folder = true;
    return OK;
}

static Status take_noswap(MatchArgs *args, char **words, int count) {
    (void)words, (void)count;
    args->keeps_colors = true;
    return OK;
}

static Status take_quiet(MatchArgs *args, char **words, int count) {
    (void)words, (void)count;
    args->is_quiet = true;
    return OK;
}

static Status take_reverse(MatchArgs *args, char **words, int count) {
    (void)words, (void)count;
    args->reverses_colors = true;
    return OK;
}

static Status take_max_moves(MatchArgs *args, char **words, int count) {
    (void)count;
    int64_t number;
    Status status = match_read_number(words[0], 0, 10000, &number);
    args->rules.max_moves = (int)number;
    return status;
}

static Status take_resign(MatchArgs *args, char **words, int count) {
    static const char *const keys[] = {"movecount", "score"};
    int *out[] = {&args->rules.resign_moves, &args->rules.resign_cp};
    char *numbers[3];
    int number_count = 0;
    args->rules.resign_needs_both = false;
    for (int i = 0; i < count; i++) {
        const char *value;
        if (!match_has_key(words[i], "twosided", &value)) {
            numbers[number_count++] = words[i];
            continue;
        }
        TRY(match_read_truth(value, &args->rules.resign_needs_both));
    }
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

// Rows: what a function takes, a whole number, a text.
#define TAKES(name, low, high, take, help)                                                         \
    { name, low, high, take, help, 0, 0, 0 }
#define NUMBER(name, field, least, most, help)                                                     \
    { name, 1, 1, NULL, help, offsetof(MatchArgs, field), least, most }
#define TEXT(name, field, help)                                                                    \
    { name, 1, 1, NULL, help, offsetof(MatchArgs, field), 0, 0 }
static const Flag flags[] = {
    TAKES("-engine", 1, -1, take_engine, "cmd=FILE [name= arg= dir= option.NAME=VALUE tc= ...]"),
    TAKES("-each", 1, -1, take_each, "words for all engines; an engine's own words win"),
    TAKES("-tournament", 1, 1, take_tournament,
          "round-robin (default), gauntlet, swiss or knockout"),
    NUMBER("-rounds", rounds, 1, ROUNDS_MAX, "how many rounds (default: 1)"),
    NUMBER("-games", games, 1, SCHEDULE_GAMES_MAX,
           "games of an encounter (default: 2, with colours reversed)"),
    TAKES("-repeat", 0, 1, take_repeat, "play every opening twice, colours reversed (always on)"),
    TAKES("-recover", 0, 0, take_nothing, "restart engines that failed (always on)"),
    NUMBER("-concurrency", concurrency, 1, MATCH_CONCURRENCY_MAX,
           "games at a time, on each rank under mpirun (default: 1)"),
    TAKES("-openings", 1, 6, match_take_openings,
          "file=F [format=epd|pgn|bin order=sequential|random start=N plies=N "
          "policy=default|encounter|round], or format=chess960|dfrc without a file"),
    TAKES("-noswap", 0, 0, take_noswap, "colours stay as they are; each game has its own opening"),
    TAKES("-reverse", 0, 0, take_reverse, "who would have White has Black"),
    TAKES("-srand", 1, 1, take_seed, "seed of the random order (default: 0)"),
    TAKES("-sprt", 2, 5, take_sprt,
          "elo0= elo1= [alpha= beta= model=logistic|normalized]: two engines"),
    TAKES("-pgnout", 1, -1, match_take_pgnout,
          "FILE [min fi], or file=F [notation=san|lan|uci min=true append=false]: games"),
    TAKES("-epdout", 1, 2, match_take_epdout, "FILE, or file=F: the last position of each game"),
    TEXT("-jsonl", jsonl, "append a line of JSON for each game as it ends"),
    TEXT("-resume", folder, "keep everything in this folder, or continue what is there"),
    TAKES("-trust-folder", 0, 0, take_trust,
          "run the engines that this folder names even if others could have written it"),
    TEXT("-event", event, "PGN's Event tag"),
    TEXT("-site", site, "PGN's Site tag"),
    TAKES("-maxmoves", 1, 1, take_max_moves, "draw after N moves"),
    TAKES("-resign", 2, 3, take_resign,
          "movecount=N score=CP [twosided=true]: lost after N such moves"),
    TAKES("-draw", 3, 3, take_draw, "movenumber=N movecount=M score=CP: a draw when both think so"),
    NUMBER("-ratinginterval", interval, 0, ROUNDS_MAX,
           "score and Elo after every N games (default: 10; 0: never)"),
    NUMBER("-scoreinterval", score_interval, 0, ROUNDS_MAX,
           "the line of the score alone after every N games (default: 0, never)"),
    TAKES("-output", 1, 1, match_take_output,
          "format=cutechess (default) or fastchess: how results of two engines look"),
    TAKES("-q", 0, 0, take_quiet, "print the result alone, and warnings"),
    TAKES("-report", 1, 1, match_take_report, "penta=false: nothing of pairs of games"),
    NUMBER("-stall", cap_s, 1, 1000000, "seconds a move may take without a clock (default: 120)"),
    NUMBER("-wait", wait_ms, 0, WAIT_MAX_MS, "milliseconds between games (default: 0)"),
    TAKES("-quick", 2, 3, match_take_quick,
          "cmd=A cmd=B [book=F]: as fastchess has it (see docs/match.md)"),
    TAKES(
        "-variant", 1, 1, match_take_variant,
        "standard (default) or fischerandom: Chess960, drawn openings unless -openings says more"),
    TAKES("-seeds", 1, 1, match_take_seeds, "1: only one engine plays a gauntlet"),
};
enum { FLAG_COUNT = sizeof flags / sizeof flags[0] };

// --- help ---

static const char *const usages[] = {"-engine WORDS -engine WORDS... [FLAGS]", "--resume FOLDER"};
static const char summary[] =
    "Plays games between two or more engines, with the flags and the result lines of cutechess-cli."
    "\nSee docs/match.md.";
static const char example[] =
    "falconer match -engine cmd=eyas name=A -engine cmd=eyas name=B \\\n"
    "      option.SingularExtensions=false -each nodes=2000 -rounds 2 -concurrency 2";
static const char done[] = "All games were played, or the sequential test decided.";
static const char failed[] = "They were not, or the sequential test did not.";

static const char others_title[] =
    "Flags of cutechess and fastchess that are accepted, with a line on what is done instead";

// What -engine and -each take.
static const struct {
    const char *word, *help;
} engine_words[] = {
    {"cmd=FILE", "the program, in the PATH or with its folder"},
    {"weights=FILE", "instead of cmd=: these weights, played in this process"},
    {"name=NAME", "in results (default: the program's name)"},
    {"arg=WORD", "an argument of the program; once for each"},
    {"args=WORDS", "several, with blanks between them"},
    {"dir=FOLDER", "where it runs"},
    {"proto=uci|xboard", "what it speaks (default: uci)"},
    {"restart=on|off|auto", "on: start it anew for every game (default: auto)"},
    {"option.NAME=VALUE", "sets one of its options"},
    {"stderr=FILE", "where its error messages go, up to 64 MB"},
    {"memory=MB", "limit of the memory (address space) of each of its processes"},
    {"cpu=SECONDS", "limit of the CPU time of each of its processes"},
    {"tc=[MOVES/][MINUTES:]SECONDS[+INCREMENT]", "its clock; inf: none"},
    {"st=SECONDS", "for each move"},
    {"nodes=N", "for each move"},
    {"depth=N", "plies for each move"},
    {"timemargin=MS", "how late it may be (default: 10 with tc=, 50 with st=)"},
};
enum { WORD_COUNT = sizeof engine_words / sizeof engine_words[0] };

static int print_help(void) {
    enum { IN_A_LINE = 6 };
    print_out("Usage: falconer match %s\n       falconer match %s\n\n", usages[0], usages[1]);
    print_text(stdout, summary);
    print_out("\n\nFlags:\n");
    for (size_t i = 0; i < FLAG_COUNT; i++)
        print_out("  %-15s  %s\n", flags[i].name, flags[i].help);
    print_out("  %-15s  %s\n\n%s:\n ", "--help", args_help_option.help, others_title);
    for (const OtherFlag *other = match_other_flags; other->name != NULL; other++) {
        if (other > match_other_flags && (other - match_other_flags) % IN_A_LINE == 0)
            print_out("\n ");
        print_out(" %s", other->name);
    }
    print_out("\n\nWords of an engine:\n");
    for (size_t i = 0; i < WORD_COUNT; i++)
        print_out("  %-17s  %s\n", engine_words[i].word, engine_words[i].help);
    print_out("\nExit code:\n  0  %s\n  1  %s\n  2  Wrong usage.\n\nExample:\n  ", done, failed);
    print_text(stdout, example);
    print_out("\n");
    return EXIT_DONE;
}

static int print_man(const char *purpose) {
    static const char *const others[] = {"falconer", "falconer-rate", "eyas"};
    Str page = {0}, accepted = {0};
    str_addf(&accepted, "%s:", others_title);
    for (const OtherFlag *other = match_other_flags; other->name != NULL; other++)
        str_addf(&accepted, " %s", other->name);
    man_begin(&page, "falconer match", purpose);
    man_section(&page, "SYNOPSIS");
    man_usage(&page, "falconer match", usages[0]);
    man_usage(&page, "falconer match", usages[1]);
    man_section(&page, "DESCRIPTION");
    man_text(&page, summary);
    man_section(&page, "OPTIONS");
    for (size_t i = 0; i < FLAG_COUNT; i++)
        man_item(&page, flags[i].name, flags[i].help);
    man_item(&page, "-h, --help", args_help_option.help);
    man_text(&page, str_text(&accepted));
    str_free(&accepted);
    man_section(&page, "WORDS OF AN ENGINE");
    for (size_t i = 0; i < WORD_COUNT; i++)
        man_name(&page, engine_words[i].word, "", engine_words[i].help);
    man_section(&page, "EXAMPLE");
    man_verbatim(&page, example);
    man_exit_status(&page, done, failed);
    man_see_also(&page, others, 3);
    man_print(&page);
    return EXIT_DONE;
}

// --- the command line ---

int match_args_complain(const char *flag, const char *message) {
    print_err("falconer match: %s%s%s (see falconer match --help)\n", flag,
              flag[0] == '\0' ? "" : ": ", message);
    return EXIT_USAGE;
}

// Two dashes are as good as one.
static const char *strip_dash(const char *word) {
    return word[0] == '-' && word[1] == '-' ? word + 1 : word;
}

static const Flag *find_flag(const char *name) {
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

// The flag that a word belongs to which was written as a flag itself, as in "-tc 1+0.01"; or NULL.
static const char *flag_of_word(const char *word) {
    static const char *const of_openings[] = {"file", "format", "order", "start", "plies"};
    const char *name = word + strspn(word, "-");
    const size_t length = strcspn(name, "=");
    for (size_t i = 0; i < WORD_COUNT; i++)
        if (strncmp(engine_words[i].word, name, length) == 0 && engine_words[i].word[length] == '=')
            return "-engine and -each";
    for (size_t i = 0; i < sizeof of_openings / sizeof of_openings[0]; i++)
        if (strlen(of_openings[i]) == length && strncmp(of_openings[i], name, length) == 0)
            return "-openings";
    return strncmp(name, "option.", 7) == 0 ? "-engine and -each" : NULL;
}

// The flag that was meant, as far as can be told; NULL where too little of it is there.
static const char *nearest_flag(const char *word) {
    const char *names[FLAG_COUNT + MATCH_OTHERS_MAX];
    size_t count = 0;
    for (size_t i = 0; i < FLAG_COUNT; i++)
        names[count++] = flags[i].name;
    for (const OtherFlag *other = match_other_flags; other->name != NULL; other++)
        names[count++] = other->name;
    const char *nearest = nearest_name(word, names, count);
    if (nearest == NULL || 2 * nearest_distance(word, nearest) > strlen(nearest) - 1)
        return NULL;
    return nearest;
}

static int complain_of_flag(const char *word) {
    char message[128] = "unknown flag";
    const char *name = strip_dash(word), *owner = flag_of_word(name);
    const char *nearest = nearest_flag(name);
    if (owner != NULL)
        snprintf(message, sizeof message,
                 "this is a word of %s, without the dash and with =", owner);
    else if (nearest != NULL)
        snprintf(message, sizeof message, "unknown flag: did you mean %s?", nearest);
    return match_args_complain(word, message);
}

static Status take_flag(const Flag *flag, MatchArgs *args, char **words, int count) {
    void *field = (char *)args + flag->offset;
    if (flag->take != NULL)
        return flag->take(args, words, count);
    if (flag->least != flag->most)
        return match_read_number(words[0], flag->least, flag->most, field);
    *(const char **)field = words[0];
    return OK;
}

int match_args_parse(MatchArgs *args, int count, char **words) {
    for (int i = 0; i < count;) {
        if (strcmp(words[i], "--help") == 0 || strcmp(words[i], "-h") == 0)
            return print_help();
        if (args_man_purpose(words[i]) != NULL)
            return print_man(args_man_purpose(words[i]));
        const char *name = strip_dash(words[i]);
        const Flag *flag = find_flag(name);
        const OtherFlag *other = flag == NULL ? match_find_other(name) : NULL;
        int used = count_words(words + i + 1, count - i - 1);
        if (other != NULL) {
            match_add_note(args, other->name, other->note);
            i += 1 + used;
            continue;
        }
        if (flag == NULL)
            return complain_of_flag(words[i]);
        if (used < flag->low || (flag->high >= 0 && used > flag->high))
            return match_args_complain(flag->name, used < flag->low ? "needs more words after it"
                                                                    : "too many words after it");
        if (take_flag(flag, args, words + i + 1, used) != OK)
            return match_args_complain(flag->name, error_message());
        i += 1 + used;
    }
    return ARGS_GO_ON;
}
