// SPDX-License-Identifier: GPL-3.0-or-later
// What falconer match tells of its command line: in short, and as a manual page.
#include "tools/args.h"
#include "tools/man.h"
#include "tools/match_args.h"
#include "tools/print.h"

#include <stdio.h>

static const char *const usages[] = {"-engine WORDS -engine WORDS... [FLAGS]", "--resume FOLDER"};
static const char summary[] =
    "Plays games between two or more engines, with the flags and the result lines of cutechess-cli."
    "\nSee docs/match.md.";
static const char example[] =
    "falconer match -engine cmd=build/eyas name=A -engine cmd=build/eyas name=B \\\n"
    "      option.SingularExtensions=false -each nodes=2000 -rounds 2 -concurrency 2";
static const char done[] = "All games were played, or the sequential test decided.";
static const char failed[] = "They were not, or the sequential test did not.";

// What -engine and -each take.
static const struct {
    const char *word, *help;
} words[] = {
    {"cmd=FILE", "the program, in the PATH or with its folder"},
    {"weights=FILE", "instead of cmd=: an organism inside this process"},
    {"name=NAME", "in results (default: the program's name)"},
    {"arg=WORD", "an argument of the program; once for each"},
    {"dir=FOLDER", "where it runs"},
    {"proto=uci|xboard", "what it speaks (default: uci)"},
    {"option.NAME=VALUE", "sets one of its options"},
    {"stderr=FILE", "where its error messages go, up to 64 MB"},
    {"memory=MB", "each of its processes may have so much memory (address space)"},
    {"cpu=SECONDS", "each of its processes may use a processor for so long"},
    {"tc=[MOVES/][MINUTES:]SECONDS[+INCREMENT]", "its clock; inf: none"},
    {"st=SECONDS", "for each move"},
    {"nodes=N", "for each move"},
    {"depth=N", "plies for each move"},
    {"timemargin=MS", "it may be late by so much (default: 10 with tc=, 50 with st=)"},
};
enum { WORD_COUNT = sizeof words / sizeof words[0] };

int match_print_help(void) {
    const char *name, *help;
    print_out("Usage: falconer match %s\n       falconer match %s\n\n", usages[0], usages[1]);
    print_text(stdout, summary);
    print_out("\n\nFlags:\n");
    for (size_t i = 0; match_args_flag(i, &name, &help); i++)
        print_out("  %-15s  %s\n", name, help);
    print_out("  %-15s  %s\n\nWords of an engine:\n", "--help", args_help_option.help);
    for (size_t i = 0; i < WORD_COUNT; i++)
        print_out("  %-17s  %s\n", words[i].word, words[i].help);
    print_out("\nExit code:\n  0  %s\n  1  %s\n  2  Wrong usage.\n\nExample:\n  ", done, failed);
    print_text(stdout, example);
    print_out("\n");
    return EXIT_DONE;
}

int match_print_man(const char *purpose) {
    static const char *const others[] = {"falconer", "falconer-rate", "eyas"};
    const char *name, *help;
    Str page = {0};
    man_begin(&page, "falconer match", purpose);
    man_section(&page, "SYNOPSIS");
    man_usage(&page, "falconer match", usages[0]);
    man_usage(&page, "falconer match", usages[1]);
    man_section(&page, "DESCRIPTION");
    man_text(&page, summary);
    man_section(&page, "OPTIONS");
    for (size_t i = 0; match_args_flag(i, &name, &help); i++)
        man_item(&page, name, help);
    man_item(&page, "-h, --help", args_help_option.help);
    man_section(&page, "WORDS OF AN ENGINE");
    for (size_t i = 0; i < WORD_COUNT; i++)
        man_name(&page, words[i].word, "", words[i].help);
    man_section(&page, "EXAMPLE");
    man_verbatim(&page, example);
    man_exit_status(&page, done, failed);
    man_see_also(&page, others, 3);
    man_print(&page);
    return EXIT_DONE;
}
