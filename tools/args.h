// SPDX-License-Identifier: GPL-3.0-or-later
// Command lines from one table: the options of a program declared once, from which come parsing,
// range checks, --help and the messages for wrong usage.
#pragma once

#include "base/error.h"
#include "base/outputs.h"
#include "base/str.h"
#include "engines/spec.h"

#include <stdbool.h>
#include <stddef.h>

enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2, ARGS_GO_ON = -1 };

// What an option sets in the caller's struct of values.
typedef enum ArgType {
    ARG_FLAG,    // bool; takes no value
    ARG_DRY,     // bool, a flag with which the program writes nothing
    ARG_INT,     // int
    ARG_U64,     // uint64_t
    ARG_DOUBLE,  // double
    ARG_CHOICE,  // int: the index of one of the option's choices
    ARG_STRING,  // const char *
    ARG_STRINGS, // ArgStrings: may be given several times
    // Paths, which args_parse checks: nothing that is read may be written, and what is written must
    // be writable.
    ARG_INPUT,    // const char *, a file that is read
    ARG_INPUTS,   // ArgStrings of such
    ARG_ENGINE,   // const char *, the words of an engine: cmd=FILE stderr=FILE ...
    ARG_ENGINES,  // ArgStrings of such
    ARG_OUTPUT,   // const char *, a file that is written
    ARG_APPENDED, // const char *, a file that is written and keeps what it has
    ARG_FOLDER,   // const char *, a folder that is written to
    ARG_STEM,     // const char *, what the spec's add_paths makes names of files to write of
} ArgType;

typedef struct ArgStrings {
    const char **items; // borrowed from argv
    size_t count, capacity;
} ArgStrings;

typedef struct ArgOption {
    const char *name;    // without its dashes
    char letter;         // of the short form, or 0
    const char *metavar; // what the value is called in the help; NULL for flags
    ArgType type;
    size_t offset;              // of the field in the struct of values
    double low, high;           // bounds of a number; none when they are equal
    const char *const *choices; // NULL at the end; NULL unless the type is ARG_CHOICE
    const char *help;           // one line of any length
} ArgOption;

// Rows of a table of options whose values are in a struct ARGS, a macro of the file.
#define ARG(name, letter, metavar, type, field, help)                                              \
    { name, letter, metavar, ARG_##type, offsetof(ARGS, field), 0, 0, NULL, help }
#define ARG_RANGE(name, letter, metavar, type, field, low, high, help)                             \
    { name, letter, metavar, ARG_##type, offsetof(ARGS, field), low, high, NULL, help }
#define ARG_ONE_OF(name, letter, metavar, field, choices, help)                                    \
    { name, letter, metavar, ARG_CHOICE, offsetof(ARGS, field), 0, 0, choices, help }
#define ARG_SWITCH(name, letter, field, help)                                                      \
    { name, letter, NULL, ARG_FLAG, offsetof(ARGS, field), 0, 0, NULL, help }
#define ARG_DRY_RUN(name, letter, field, help)                                                     \
    { name, letter, NULL, ARG_DRY, offsetof(ARGS, field), 0, 0, NULL, help }
// What many commands take, in a field `threads`.
#define ARG_THREADS                                                                                \
    ARG_RANGE("threads", 't', "N", INT, threads, 1, 1024,                                          \
              "threads to use (default: one for each core)")
// The same, in a field `no_progress`.
#define ARG_NO_PROGRESS                                                                            \
    ARG_SWITCH("no-progress", 'q', no_progress, "show no line of progress on standard error")
// For an example that reads games: makes some, anywhere, of what comes with the program.
#define ARG_EXAMPLE_GAMES                                                                          \
    "for event in 1 2 3 4; do falconer match -engine weights=falcon.weights name=one "             \
    "\\\n      -engine weights=maestro-hand.weights name=two -engine "                             \
    "weights=shannon-1950.weights "                                                                \
    "name=three \\\n      -each nodes=100 -rounds 5 -repeat -openings file=openings.epd "          \
    "order=random -srand $event \\\n      -event $event -pgnout games.pgn; done &&\n      "
// The table, and how many rows it has, for an ArgSpec.
#define ARG_TABLE(rows) .options = rows, .option_count = sizeof rows / sizeof *rows

typedef struct ArgSpec {
    const char *program;    // "falconer perft"
    const char *positional; // "FILE...", or NULL when there are only options
    size_t least, most;     // how many of those; most 0: any number
    const char *summary;    // what the program does
    const char *example;    // a command line that works as it stands
    const ArgOption *options;
    size_t option_count;
    // Options that only the program knows by name ("--population 500") are collected, name and
    // value in turn, in the ArgStrings at this place of the values.
    bool takes_others;
    size_t others_offset;
    bool finds_files; // that come with the program, with locate()
    bool takes_names; // the positional arguments are no files
    // Adds the paths that options do not tell by themselves; NULL: there are none.
    void (*add_paths)(const void *values, Outputs *paths);
    const struct ArgSpec *next_form; // another form of the program, on the same manual page
} ArgSpec;

// The options that help lists for every program, and for one that takes_others.
extern const ArgOption args_help_option, args_other_option;

// Reads argv[1...] into `values`, whose fields hold the defaults, and the rest into `positional`
// (which may be NULL when spec->positional is), and checks the paths among them. Returns
// ARGS_GO_ON, or the exit code to return at once: help was asked for and printed, or the usage was
// wrong or an output cannot be written and that was said. --man=PURPOSE prints the manual page,
// with the line that says what the program is for.
int args_parse(const ArgSpec *spec, int argc, char **argv, void *values, ArgStrings *positional);

// Leaves a function that returns an exit code, unless a call says ARGS_GO_ON.
#define TRY_ARGS(call)                                                                             \
    do {                                                                                           \
        const int try_code = (call);                                                               \
        if (try_code != ARGS_GO_ON)                                                                \
            return try_code;                                                                       \
    } while (0)
// How a command ends: EXIT_DONE where its work went well; else it prints this thread's error
// message and returns EXIT_FAILED.
int args_exit(const ArgSpec *spec, Status status);
// Prints the error message and returns EXIT_FAILED.
int args_fail(const ArgSpec *spec);
// The same where the command line is to blame: points to --help and returns EXIT_USAGE.
int args_fail_usage(const ArgSpec *spec);

// ARGS_GO_ON where the paths can be read and written together, or the exit code after a complaint:
// what args_parse does, for paths that only the program knows.
int args_check_outputs(const char *program, const Outputs *paths);
// Adds what an engine reads and writes: its program, its weights, files that its arguments and
// options name, stderr=.
void args_add_engine(Outputs *paths, const EngineSpec *engine);

// Says what is wrong with the command line, and where help is; returns EXIT_USAGE.
[[gnu::format(printf, 2, 3)]] int args_complain(const ArgSpec *spec, const char *format, ...);

// Appends NAME to EXAMPLE of a manual page: of the spec and its further forms together.
void args_write_man(const ArgSpec *spec, const char *program, const char *purpose, Str *page);
// Prints the whole page; returns EXIT_DONE.
int args_print_man(const ArgSpec *spec, const char *program, const char *purpose);
// Prints the options of the spec and its further forms, none twice, a line each: "--name", "-x" or
// nothing, the kind of its value (flag, choice, file, folder, value), choices with blanks between,
// help. Fields are parted by tabs; --list-options asks for it. Returns EXIT_DONE.
int args_print_list(const ArgSpec *spec);
// PURPOSE where the word asks for the manual page: --man=PURPOSE. Else NULL.
const char *args_man_purpose(const char *word);

// Appends the options whose values are not those of `defaults`, as they would be typed: " --name
// value". Those named in `leave_out`, NULL at its end, are left out.
void args_retell(const ArgSpec *spec, const void *values, const void *defaults,
                 const char *const *leave_out, Str *out);
// Checks the paths of options and arguments, before anything is written; part of args_parse.
int args_check_paths(const ArgSpec *spec, const void *values, const ArgStrings *positional);
// Appends a word as it would be typed, after a blank; a shell reads it back (base/shell.h).
void args_add_word(Str *out, const char *word);
// Appends what is no option, behind "--" where it looks like one.
void args_add_positional(Str *out, const ArgStrings *words);

void arg_strings_add(ArgStrings *strings, const char *text);
void arg_strings_free(ArgStrings *strings);
