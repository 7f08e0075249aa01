// SPDX-License-Identifier: GPL-3.0-or-later
// falconer SUBCOMMAND: finds the subcommand and makes sure that what it printed arrived.
#include "base/nearest.h"
#include "base/suspend.h"
#include "data/label/label_ask.h"
#include "dist/service.h"
#include "fitness/games/games.h"
#include "fitness/problem.h"
#include "match/play/match_worker.h"
#include "suite/suite_run.h"
#include "tools/args.h"
#include "tools/commands.h"
#include "tools/man.h"
#include "tools/print.h"
#include "tools/program.h"
#include "tools/signals.h"

#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

typedef struct Command {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *help;
} Command;

static const Command commands[] = {
#define COMMAND(name, purpose) {#name, cmd_##name, purpose},
#include "tools/commands.def"
#undef COMMAND
};
enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

static const Command *find_command(const char *name) {
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}

static const char example[] = "falconer evolve play -o first";
static const char purpose[] = "evolves the evaluation function of a chess program";

static void print_overview(FILE *out) {
    print_to(out, "Usage: falconer SUBCOMMAND [OPTIONS] [ARGUMENTS]\n\n%c%s.\n\nSubcommands:\n",
             toupper(purpose[0]), purpose + 1);
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        print_to(out, "  %-10s  %s\n", commands[i].name, commands[i].help);
    print_to(out,
             "\nfalconer SUBCOMMAND --help shows its options, falconer --man SUBCOMMAND prints its "
             "manual page, and\nfalconer --version prints the version.\n\n"
             "Example:\n  %s\n",
             example);
}

static void write_sections(Str *page) {
    man_section(page, "DESCRIPTION");
    man_text(page,
             "Evaluation functions are learned from a mentor engine, from the moves of "
             "grandmasters or from games, and become small text files of named weights, which "
             "eyas plays with. Each subcommand has a manual page of its own.");
    man_section(page, "SUBCOMMANDS");
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        man_name(page, commands[i].name, "", commands[i].help);
    man_section(page, "OPTIONS");
    man_item(page, "-h, --help", "the list of subcommands; behind a subcommand, its options");
    man_item(page, "--man SUBCOMMAND", "the source of a manual page: this one, or a subcommand's");
    man_item(page, "--version", "the version");
    man_section(page, "EXAMPLE");
    man_verbatim(page, example);
    man_exit_status(page, NULL, NULL);
    man_environment(page);
    man_section(page, "FILES");
    man_name(page, "share/falconer", "",
             "Data sets (data), presets (experiments) and weights that come with the program, "
             "below where it was installed.");
    man_name(page, "share/doc/falconer", "",
             "The documents that these pages name, such as docs/evolve.md, and tutorials.");
}

static int print_man(void) {
    const char *names[COMMAND_COUNT + 1] = {"eyas"};
    Str page = {0}, all[COMMAND_COUNT] = {0};
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        str_addf(&all[i], "falconer-%s", commands[i].name);
        names[i + 1] = str_text(&all[i]);
    }
    man_begin(&page, "falconer", purpose);
    man_section(&page, "SYNOPSIS");
    man_usage(&page, "falconer", "SUBCOMMAND [OPTIONS] [ARGUMENTS]");
    write_sections(&page);
    man_see_also(&page, names, COMMAND_COUNT + 1);
    man_print(&page);
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        str_free(&all[i]);
    return EXIT_DONE;
}

static int complain_of_command(const char *name) {
    const char *names[COMMAND_COUNT];
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        names[i] = commands[i].name;
    const char *nearest = nearest_name(name, names, COMMAND_COUNT);
    print_err("falconer: unknown subcommand '%s'", name);
    if (nearest != NULL)
        print_err(": did you mean '%s'?", nearest);
    print_err(" (see falconer --help)\n");
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

static int run_man(int argc, char **argv) {
    if (argc < 3)
        return print_man();
    const Command *command = find_command(argv[2]);
    if (command == NULL)
        return complain_of_command(argv[2]);
    CLEANUP(str_free) Str option = {0};
    str_addf(&option, "--man=%s", command->help);
    char *arguments[] = {argv[2], option.text, NULL};
    return command->run(2, arguments);
}

static int dispatch(int argc, char **argv) {
    if (argc < 2) {
        print_overview(stderr);
        return EXIT_USAGE;
    }
    if (strcmp(argv[1], "--version") == 0) {
        print_out("falconer %s\n", FALCONER_VERSION);
        return EXIT_DONE;
    }
    if (strcmp(argv[1], "help") == 0 || strcmp(argv[1], "--help") == 0 ||
        strcmp(argv[1], "-h") == 0)
        return run_help(argc, argv);
    if (strcmp(argv[1], "--man") == 0)
        return run_man(argc, argv);
    return falconer_run(argc - 1, argv + 1);
}

// --- ranks ---

// What ranks above 0 can be asked to do.
static const DistService *const services[] = {
    &games_service, &match_service, &problem_service, &label_service, &suite_service,
};

// The other ranks, for the commands.
static DistRanks *ranks;

DistRanks *falconer_ranks(void) {
    return ranks;
}

static void ignore_signal(int number) {
    (void)number;
}

// Rank 0 decides when it is over: signals that go to all of a job end it in an orderly way. A
// handler and not SIG_IGN, which engines would inherit.
static int serve(DistWorld *world) {
    signals_catch(ignore_signal, SA_RESTART, true);
    dist_serve(world, services, sizeof services / sizeof *services);
    return EXIT_DONE;
}

// What the other ranks did, in one line: it goes where progress goes, for no two runs have the
// same.
static void tell_costs(void) {
    const DistCosts costs = dist_ranks_costs(ranks);
    const double all = (double)costs.slots_ns, compute = 100 * (double)costs.compute_ns;
    if (costs.wall_ns == 0)
        return;
    print_err("falconer: %d ranks: %.1f s, of which %.1f%% computing, %.1f%% messages, %.1f%% "
              "waiting; %llu pieces of work, %llu bytes out, %llu in, %llu to all\n",
              dist_ranks_count(ranks), (double)costs.wall_ns / 1e9, compute / all,
              100 * (double)costs.message_ns / all,
              100 - (compute + 100 * (double)costs.message_ns) / all,
              (unsigned long long)costs.jobs, (unsigned long long)costs.bytes_out,
              (unsigned long long)costs.bytes_in, (unsigned long long)costs.bytes_broadcast);
    if (costs.idle > 0)
        print_err("falconer: %d of the %d places on other ranks had nothing to do: there is less "
                  "work at a time than ranks\n",
                  costs.idle, costs.slots);
}

static int run_in_world(DistWorld *world, int argc, char **argv) {
    if (world->rank > 0)
        return serve(world);
    ranks = dist_ranks_new(world);
    const int exit_code = dispatch(argc, argv);
    if (exit_code == EXIT_DONE)
        tell_costs();
    dist_ranks_free(ranks);
    ranks = NULL;
    return exit_code;
}

int program_main(int argc, char **argv) {
    DistWorld *world;
    suspend_watch();
    if (dist_world_open(&world, argc, argv) != OK) {
        // One rank speaks for all, and fails for all: a launcher ends the job when another does,
        // perhaps before that one has spoken.
        if (error_message()[0] == '\0')
            return EXIT_DONE;
        print_failure("falconer");
        return EXIT_FAILED;
    }
    int exit_code = run_in_world(world, argc, argv);
    dist_world_close(world);
    errno = 0;
    if (fflush(stdout) != 0 || ferror(stdout)) {
        print_err("falconer: cannot write to standard output%s%s\n", errno == 0 ? "" : ": ",
                  errno == 0 ? "" : strerror(errno));
        return exit_code == EXIT_DONE ? EXIT_FAILED : exit_code;
    }
    return exit_code;
}
