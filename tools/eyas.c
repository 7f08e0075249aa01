// SPDX-License-Identifier: GPL-3.0-or-later
// eyas: the UCI engine. Without arguments it talks UCI.
#include "base/str.h"
#include "eval/weights.h"
#include "search/search_family.h"
#include "tools/args.h"
#include "tools/man.h"
#include "tools/print.h"
#include "tools/program.h"
#include "uci/uci.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BENCH_MAX = 64 };

typedef struct EyasArgs {
    const char *weights, *search;
    bool tunable, spsa, man, version;
} EyasArgs;

#define ARGS EyasArgs
static const ArgOption options[] = {
    ARG("weights", 0, "FILE", INPUT, weights,
        "evaluate with these weights (their family becomes the engine's)"),
    ARG("search", 0, "FILE", INPUT, search,
        "search with these settings, such as falconer evolve icga2010 writes (otherwise: profile "
        "modern)"),
    ARG_SWITCH(
        "tunable", 0, tunable,
        "list weights and numbers among the UCI options, for tuners that set only what is listed"),
    ARG_SWITCH("spsa", 0, spsa,
               "print the numbers of the search as OpenBench's SPSA tests take them"),
    ARG_SWITCH("man", 0, man, "print the source of the manual page, with all UCI options"),
    ARG_SWITCH("version", 0, version, "print the version"),
};
static const ArgSpec spec = {
    .program = "eyas",
    .positional = "[bench [DEPTH] | \"genfens N seed S book FILE|None\" quit]",
    .summary =
        "A chess engine that speaks UCI on standard input and output: any UCI program can "
        "drive it.\nWith bench it searches a fixed set of positions instead, and the node "
        "count never varies.\nWith genfens, in one argument, it prints N different positions "
        "for games to begin from.",
    .example = "eyas bench",
    ARG_TABLE(options),
};

// What the engine is to be.
typedef struct EyasStart {
    Weights weights;
    Features features;
} EyasStart;

static int run_bench(const EyasStart *engine, const char *depth_text) {
    BenchResult result;
    int64_t depth = 0;
    if (depth_text != NULL &&
        (!view_to_int(view_from_string(depth_text), &depth) || depth < 1 || depth > BENCH_MAX))
        return args_complain(&spec, "bench takes a depth from 1 to %d, not '%s'", BENCH_MAX,
                             depth_text);
    if (uci_bench(&engine->weights, &engine->features, (int)depth, &result) != OK)
        return args_fail(&spec);
    double nps = (double)result.nodes / (result.seconds > 0 ? result.seconds : 1e-9);
    print_out("%llu nodes %.0f nps\n", (unsigned long long)result.nodes, nps);
    return EXIT_DONE;
}

static void print_genfen(void *context, const char *fen) {
    (void)context;
    print_out("info string genfens %s\n", fen);
}

// OpenBench gives commands of UCI as arguments, each one word of the shell, the last of them quit.
static int run_genfens(const Weights *weights, const ArgStrings *words) {
    StrView rest = view_from_string(words->items[0]);
    (void)view_next_word(&rest);
    if (words->count > 2 || (words->count == 2 && strcmp(words->items[1], "quit") != 0))
        return args_complain(&spec, "after genfens only 'quit' may follow, not '%s'",
                             words->items[words->count - 1]);
    if (uci_genfens(weights, rest, print_genfen, NULL) != OK)
        return args_fail(&spec);
    return fflush(stdout) == 0 ? EXIT_DONE : EXIT_FAILED;
}

// OpenBench's "name, int, value, min, max, c_end, r_end". Steps end at a twentieth of the range;
// what belongs to a part that is off would be tuned in vain.
static int print_spsa(void) {
    const Features features = features_of(PROFILE_MODERN);
    for (size_t i = 0; i < SEARCH_NUMBER_NB; i++) {
        const SearchNumber *number = search_number(i);
        const double step = (number->high - number->low) / 20.0;
        if (number->part == FEATURE_ALWAYS || features.on[number->part])
            print_out("%s, int, %d, %d, %d, %.2f, 0.002\n", number->name,
                      number->of[PROFILE_MODERN], number->low, number->high,
                      step < 0.5 ? 0.5 : step);
    }
    return fflush(stdout) == 0 ? EXIT_DONE : EXIT_FAILED;
}

// --- the manual page ---

typedef struct OptionList {
    Str *page;
    int group; // of the last option
} OptionList;

static void write_uci_option(void *context, UciGroup group, const char *name, const char *values,
                             const char *help) {
    static const char *const titles[] = {
        [UCI_GENERAL] = "General",
        [UCI_SEARCH] = "Parts of the search, true or false",
        [UCI_NUMBERS] = "Numbers of the search",
        [UCI_WEIGHTS] = "Weights of the evaluation",
    };
    OptionList *list = context;
    CLEANUP(str_free) Str rest = {0};
    if (list->group != (int)group)
        man_subsection(list->page, titles[group]);
    list->group = (int)group;
    if (values[0] != '\0')
        str_addf(&rest, "(%s)", values);
    man_name(list->page, name, str_text(&rest), help);
}

static int print_man(const Weights *weights) {
    static const char *const others[] = {"falconer", "falconer-match", "falconer-weights"};
    Str page = {0};
    OptionList list = {&page, -1};
    args_write_man(&spec, spec.program, "a chess engine with an evaluation that was evolved",
                   &page);
    man_section(&page, "UCI OPTIONS");
    man_text(
        &page,
        "They are set by the program that drives the engine, with setoption. What is "
        "sent later wins: Profile sets all parts and numbers of the search, EvalFile all weights. "
        "docs/eyas.md tells more.");
    uci_describe_options(weights, write_uci_option, &list);
    man_exit_status(&page, NULL, NULL);
    man_see_also(&page, others, 3);
    man_print(&page);
    return EXIT_DONE;
}

// --- the command line ---

// A build by make EXE= is for tuners; falconer sets the variable for the engines that it starts.
static bool is_tunable(const EyasArgs *args) {
#ifdef EYAS_TUNABLE
    return true;
#endif
    return args->tunable || getenv("EYAS_TUNABLE") != NULL;
}

static int converse(const EyasArgs *args, const EyasStart *engine) {
    const UciStart start = {.weights = &engine->weights,
                            .weights_path = args->weights,
                            .features = &engine->features,
                            .tunable = is_tunable(args),
                            .by_hand = isatty(STDIN_FILENO) == 1};
    return uci_run(&start, stdin, stdout) == OK ? EXIT_DONE : args_fail(&spec);
}

static int run(const EyasArgs *args, const EyasStart *engine, const ArgStrings *words) {
    if (args->man)
        return print_man(&engine->weights);
    if (words->count == 0)
        return converse(args, engine);
    StrView first = view_from_string(words->items[0]);
    if (view_equals(view_next_word(&first), "genfens"))
        return run_genfens(&engine->weights, words);
    if (strcmp(words->items[0], "bench") != 0)
        return args_complain(&spec, "unknown argument '%s'", words->items[0]);
    if (words->count > 2)
        return args_complain(&spec, "unexpected argument '%s'", words->items[2]);
    return run_bench(engine, words->count == 2 ? words->items[1] : NULL);
}

static Status load(const EyasArgs *args, EyasStart *out) {
    out->features = features_of(PROFILE_MODERN);
    if (args->search != NULL)
        TRY(search_family_load(&out->features, args->search));
    return weights_load_or_default(&out->weights, args->weights);
}

static int run_with_files(const EyasArgs *args, const ArgStrings *words) {
    EyasStart engine = {0};
    if (load(args, &engine) != OK)
        return args_fail(&spec);
    const int exit_code = run(args, &engine, words);
    weights_free(&engine.weights);
    return exit_code;
}

static int print_version(void) {
    print_out("eyas %s\n", FALCONER_VERSION);
    return fflush(stdout) == 0 ? EXIT_DONE : EXIT_FAILED;
}

int program_main(int argc, char **argv) {
    EyasArgs args = {0};
    CLEANUP(arg_strings_free) ArgStrings words = {0};
    TRY_ARGS(args_parse(&spec, argc, argv, &args, &words));
    if (args.spsa)
        return print_spsa();
    return args.version ? print_version() : run_with_files(&args, &words);
}
