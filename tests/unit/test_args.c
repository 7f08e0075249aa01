// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/args.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct Values {
    bool flag;
    int number, colour;
    uint64_t big;
    double real;
    const char *text;
    ArgStrings several, others;
} Values;

static const char *const colours[] = {"red", "green", NULL};

#define ARGS Values
static const ArgOption options[] = {
    ARG_SWITCH("flag", 'f', flag, "a flag"),
    ARG_RANGE("number", 'n', "N", INT, number, -5, 100, "a number"),
    ARG("big", 0, "N", U64, big, "a big number"),
    ARG_RANGE("real", 0, "X", DOUBLE, real, 0, 1, "a share"),
    ARG("text", 't', "TEXT", STRING, text, "a text"),
    ARG_ONE_OF("colour", 'c', "COLOUR", colour, colours, "a colour"),
    ARG("several", 's', "TEXT", STRINGS, several, "texts"),
};
#define COMMON .program = "tool", .summary = "Tries.", .example = "tool --flag", ARG_TABLE(options)
static const ArgSpec spec = {COMMON, .positional = "FILE..."};
static const ArgSpec spec_without_files = {COMMON};
static const ArgSpec spec_with_others = {COMMON, .positional = "FILE...", .takes_others = true,
                                         .others_offset = offsetof(Values, others)};

// Splits `line` at blanks and parses it; the words live as long as `buffer`.
static int parse(const ArgSpec *with, char *buffer, const char *line, Values *values,
                 ArgStrings *files) {
    char *argv[32] = {"tool"};
    int argc = 1;
    strcpy(buffer, line);
    for (char *word = strtok(buffer, " "); word != NULL; word = strtok(NULL, " "))
        argv[argc++] = word;
    return args_parse(with, argc, argv, values, files);
}

// Runs a command line that must be refused and compares what it says.
static void assert_refused(const ArgSpec *with, const char *line, const char *said) {
    char buffer[256], heard[256] = "";
    Values values = {0};
    ArgStrings files = {0};
    FILE *kept = stderr;
    stderr = fmemopen(heard, sizeof heard, "w");
    int outcome = parse(with, buffer, line, &values, &files);
    fclose(stderr);
    stderr = kept;
    assert_string_equal(heard, said);
    assert_int_equal(outcome, EXIT_USAGE);
    arg_strings_free(&files);
    arg_strings_free(&values.several);
    arg_strings_free(&values.others);
}

static void test_all_types(void **state) {
    (void)state;
    char buffer[256];
    Values values = {0};
    ArgStrings files = {0};
    const char *line = "one --flag --number=-3 two --big 18446744073709551615 --real 0.25 -t=x "
                       "-s a --several b -sc - -- --flag";
    assert_int_equal(parse(&spec, buffer, line, &values, &files), ARGS_GO_ON);
    assert_true(values.flag);
    assert_int_equal(values.number, -3);
    assert_true(values.big == UINT64_MAX);
    assert_true(values.real == 0.25);
    assert_string_equal(values.text, "x");
    assert_int_equal(values.several.count, 3);
    assert_string_equal(values.several.items[0], "a");
    assert_string_equal(values.several.items[2], "c");
    assert_int_equal(files.count, 4);
    assert_string_equal(files.items[1], "two");
    assert_string_equal(files.items[2], "-");
    assert_string_equal(files.items[3], "--flag");
    arg_strings_free(&files);
    arg_strings_free(&values.several);
}

static void test_values_that_look_like_options(void **state) {
    (void)state;
    char buffer[256];
    Values values = {0};
    ArgStrings files = {0};
    assert_int_equal(parse(&spec, buffer, "-n -5 --text --flag --text= ", &values, &files),
                     ARGS_GO_ON);
    assert_int_equal(values.number, -5);
    assert_false(values.flag);
    assert_string_equal(values.text, "");
}

static void test_refusals(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"--foo", "tool: unknown option --foo (see tool --help)\n"},
        {"--foo=3", "tool: unknown option --foo (see tool --help)\n"},
        {"--fla", "tool: unknown option --fla (see tool --help)\n"},
        {"-xyz", "tool: unknown option -x (see tool --help)\n"},
        {"--flag=yes", "tool: --flag takes no value (see tool --help)\n"},
        {"--number", "tool: --number needs a value: N (see tool --help)\n"},
        {"--number x",
         "tool: --number must be a whole number from -5 to 100, not 'x' (see tool --help)\n"},
        {"--number 101",
         "tool: --number must be a whole number from -5 to 100, not '101' (see tool --help)\n"},
        {"--number 3.0",
         "tool: --number must be a whole number from -5 to 100, not '3.0' (see tool --help)\n"},
        {"--number=",
         "tool: --number must be a whole number from -5 to 100, not '' (see tool --help)\n"},
        {"--big -1", "tool: --big must be a whole number from 0 to 18446744073709551615, not '-1' "
                     "(see tool --help)\n"},
        {"--big 18446744073709551616",
         "tool: --big must be a whole number from 0 to 18446744073709551615, not "
         "'18446744073709551616' (see tool --help)\n"},
        {"--real 1.5", "tool: --real must be a number from 0 to 1, not '1.5' (see tool --help)\n"},
        {"--real nan", "tool: --real must be a number from 0 to 1, not 'nan' (see tool --help)\n"},
        {"--colour blue",
         "tool: --colour must be one of red, green, not 'blue' (see tool --help)\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_refused(&spec, cases[i][0], cases[i][1]);
    const ArgSpec two = {COMMON, .positional = "A B", .least = 2, .most = 2};
    assert_refused(&two, "one", "tool: expected A B (see tool --help)\n");
    assert_refused(&two, "one two three", "tool: unexpected argument 'three' (see tool --help)\n");
    assert_refused(&spec_without_files, "x", "tool: unexpected argument 'x' (see tool --help)\n");
}

static void test_others_are_collected(void **state) {
    (void)state;
    char buffer[256];
    Values values = {0};
    ArgStrings files = {0};
    static const char *const expected[] = {"seed", "7", "bounds", "A:1:2",
                                           "test", "",  "runs",   "--number"};
    const char *line = "one --seed 7 --number 5 --bounds=A:1:2 --test= --runs --number two";
    assert_int_equal(parse(&spec_with_others, buffer, line, &values, &files), ARGS_GO_ON);
    assert_int_equal(values.number, 5);
    assert_int_equal(files.count, 2);
    assert_int_equal(values.others.count, sizeof expected / sizeof *expected);
    for (size_t i = 0; i < values.others.count; i++)
        assert_string_equal(values.others.items[i], expected[i]);
    arg_strings_free(&values.others);
    arg_strings_free(&files);
    assert_refused(&spec_with_others, "one --seed",
                   "tool: --seed needs a value (see tool --help)\n");
    assert_refused(&spec_with_others, "one -x", "tool: unknown option -x (see tool --help)\n");
    assert_refused(&spec, "one --seed 7", "tool: unknown option --seed (see tool --help)\n");
}

typedef struct Paths {
    const char *input, *output, *log, *folder;
    ArgStrings inputs;
    bool dry;
} Paths;

#undef ARGS
#define ARGS Paths
static const ArgOption path_options[] = {
    ARG("input", 'i', "FILE", INPUT, input, "read"),
    ARG("inputs", 'I', "FILE", INPUTS, inputs, "read"),
    ARG("output", 'o', "FILE", OUTPUT, output, "written"),
    ARG("log", 'l', "FILE", APPENDED, log, "written"),
    ARG("folder", 'f', "DIR", FOLDER, folder, "written"),
    ARG_DRY_RUN("dry", 0, dry, "write nothing"),
};

static void add_paths(const void *values, Outputs *paths) {
    (void)values;
    outputs_add_input(paths, "always");
}

static int parse_paths(const char *line, bool takes_names) {
    const ArgSpec with = {.program = "tool",
                          .positional = "FILE...",
                          ARG_TABLE(path_options),
                          .takes_names = takes_names,
                          .add_paths = add_paths};
    char buffer[256], *argv[32] = {"tool"};
    int argc = 1;
    Paths values = {0};
    ArgStrings files = {0};
    strcpy(buffer, line);
    for (char *word = strtok(buffer, " "); word != NULL; word = strtok(NULL, " "))
        argv[argc++] = word;
    const int outcome = args_parse(&with, argc, argv, &values, &files);
    arg_strings_free(&files);
    arg_strings_free(&values.inputs);
    return outcome;
}

// Makes a file in the folder of the test.
static void make_file(const char *name) {
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fclose(file);
}

static void test_paths(void **state) {
    (void)state;
    static const char *const one_file[] = {"in -o in",      "-i in -l in",     "-I x -I in -o in",
                                           "-o new -l new", "-f new -l ./new", "-o always"};
    char folder[] = "/tmp/falconer-args-XXXXXX", back[4096];
    assert_non_null(getcwd(back, sizeof back));
    assert_true(mkdtemp(folder) != NULL && chdir(folder) == 0);
    make_file("in");
    make_file("always");
    for (size_t i = 0; i < sizeof one_file / sizeof *one_file; i++) {
        char line[256];
        assert_int_equal(parse_paths(one_file[i], false), EXIT_USAGE);
        snprintf(line, sizeof line, "%s --dry", one_file[i]);
        assert_int_equal(parse_paths(line, false), ARGS_GO_ON);
    }
    assert_int_equal(parse_paths("in -o in", true), ARGS_GO_ON);
    assert_int_equal(parse_paths("in -o /dev/null -l /dev/null -f new", false), ARGS_GO_ON);
    assert_int_equal(parse_paths("-o /proc/x", false), EXIT_FAILED);
    assert_int_equal(parse_paths("-f /proc/x", false), EXIT_FAILED);
    assert_int_equal(parse_paths("-o no/x", false), EXIT_FAILED);
    assert_int_equal(unlink("in") | unlink("always") | chdir(back) | rmdir(folder), 0);
}

// What is retold is read as the same values.
static void test_retelling(void **state) {
    (void)state;
    char buffer[256], again[256];
    const Values defaults = {.number = 7, .real = 0.5};
    Values values = defaults, read = defaults;
    ArgStrings files = {0};
    Str text = {0};
    const char *const leave_out[] = {"text", NULL};
    const char *line =
        "-n 3 -t hidden --real 0.1 --flag -c green -s a -s b --big 12345678901234567890";
    assert_int_equal(parse(&spec, buffer, line, &values, &files), ARGS_GO_ON);
    args_retell(&spec, &values, &defaults, leave_out, &text);
    assert_string_equal(str_text(&text), " --flag --number 3 --big 12345678901234567890 --real 0.1"
                                         " --colour green --several a --several b");
    assert_int_equal(parse(&spec, again, str_text(&text), &read, &files), ARGS_GO_ON);
    assert_true(read.flag && read.number == 3 && read.big == values.big &&
                read.real == values.real && read.colour == 1 && read.several.count == 2 &&
                read.text == NULL);
    str_clear(&text);
    args_retell(&spec, &defaults, &defaults, leave_out, &text);
    args_add_word(&text, "two words");
    assert_string_equal(str_text(&text), " 'two words'");
    str_free(&text);
    arg_strings_free(&values.several);
    arg_strings_free(&read.several);
    arg_strings_free(&files);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_types), cmocka_unit_test(test_values_that_look_like_options),
        cmocka_unit_test(test_refusals),  cmocka_unit_test(test_others_are_collected),
        cmocka_unit_test(test_retelling), cmocka_unit_test(test_paths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
