// SPDX-License-Identifier: GPL-3.0-or-later
// falconer SUBCOMMAND: finds the subcommand and makes sure that what it printed arrived.
#include "tools/args.h"
#include "tools/commands.h"
#include "tools/program.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

typedef struct Command {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *help;
} Command;

static const Command commands[] = {
    {"book", cmd_book, "build a Polyglot opening book from games"},
    {"clone", cmd_clone, "learn the style of one player from games"},
    {"coevolve", cmd_coevolve, "evolve weights by games that organisms play against each other"},
    {"doctor", cmd_doctor, "audit a PGN, EPD or FEN file"},
    {"evolve", cmd_evolve, "evolve weights from a mentor's scores or grandmasters' moves"},
    {"explain", cmd_explain, "show the score of a position term by term"},
    {"label", cmd_label, "have a mentor engine score positions"},
    {"match", cmd_match, "play matches and tournaments of engines"},
    {"optimum", cmd_optimum, "the least error that any weights can reach, with its proof"},
    {"perft", cmd_perft, "count the tree of legal moves and compare with known counts"},
    {"rate", cmd_rate, "rate the players of games, or tell what counts of results say"},
    {"recognize", cmd_recognize, "who played: rank players by the moves of games"},
    {"reproduce", cmd_reproduce, "run the experiments of the papers and write their pages"},
    {"sample", cmd_sample, "take positions from games"},
    {"score", cmd_score, "the error of weights on a labelled set, or the moves they find"},
    {"suite", cmd_suite, "count the positions of a test suite that an engine solves"},
    {"tune", cmd_tune, "fit weights to results or a mentor's scores by gradient"},
    {"weights", cmd_weights, "show, compare and make up weights files"},
};
enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

static const Command *find_command(const char *name) {
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}

static void print_overview(FILE *out) {
    fprintf(out, "Usage: falconer SUBCOMMAND [OPTIONS] [ARGUMENTS]\n\n"
                 "Evolves the evaluation function of a chess program.\n\nSubcommands:\n");
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        fprintf(out, "  %-10s  %s\n", commands[i].name, commands[i].help);
    fprintf(out,
            "\nfalconer SUBCOMMAND --help tells more; falconer --version tells the version.\n");
}

static int complain_of_command(const char *name) {
    const char *names[COMMAND_COUNT];
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        names[i] = commands[i].name;
    const char *nearest = args_nearest(name, names, COMMAND_COUNT);
    fprintf(stderr, "falconer: unknown subcommand '%s'", name);
    if (nearest != NULL)
        fprintf(stderr, ": did you mean '%s'?", nearest);
    fprintf(stderr, " (see falconer --help)\n");
    return EXIT_USAGE;
}

int falconer_run(int argc, char **argv) {
    const Command *command = find_command(argv[0]);
    return command == NULL ? complain_of_command(argv[0]) : command->run(argc, argv);
}

static int run_help(int argc, char **argv) {
    if (argc < 3) {
        print_overview(stdout);
        return EXIT_DONE;
    }
    char help[] = "--help";
    char *arguments[] = {argv[2], help, NULL};
    return falconer_run(2, arguments);
}

static int dispatch(int argc, char **argv) {
    if (argc < 2) {
        print_overview(stderr);
        return EXIT_USAGE;
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("falconer %s\n", FALCONER_VERSION);
        return EXIT_DONE;
    }
    if (strcmp(argv[1], "help") == 0 || strcmp(argv[1], "--help") == 0 ||
        strcmp(argv[1], "-h") == 0)
        return run_help(argc, argv);
    return falconer_run(argc - 1, argv + 1);
}

int program_main(int argc, char **argv) {
    int exit_code = dispatch(argc, argv);
    errno = 0;
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "falconer: cannot write to standard output%s%s\n", errno == 0 ? "" : ": ",
                errno == 0 ? "" : strerror(errno));
        return exit_code == EXIT_DONE ? EXIT_FAILED : exit_code;
    }
    return exit_code;
}
