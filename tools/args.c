// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/args.h"

#include "base/mem.h"
#include "base/settings.h"
#include "base/shell.h"
#include "base/text.h"
#include "tools/print.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HELP_COLUMN = 26, HELP_WIDTH = 100 };

// --- errors and help ---

int args_complain(const ArgSpec *spec, const char *format, ...) {
    va_list args;
    va_start(args, format);
    CLEANUP(str_free) Str text = {0};
    text_format(&text, format, args);
    print_err("%s: %s (see %s --help)\n", spec->program, str_text(&text), spec->program);
    va_end(args);
    return EXIT_USAGE;
}

int args_fail(const ArgSpec *spec) {
    print_failure(spec->program);
    return EXIT_FAILED;
}

int args_fail_usage(const ArgSpec *spec) {
    return args_complain(spec, "%s", error_message());
}

int args_exit(const ArgSpec *spec, Status status) {
    return status == OK ? EXIT_DONE : args_fail(spec);
}

const ArgOption args_help_option = {.name = "help", .letter = 'h', .help = "print this help"};
const ArgOption args_other_option = {
    .name = "SETTING", .metavar = "VALUE", .help = "any setting by its name: see --settings"};

// Prints a text that begins in HELP_COLUMN, in lines that all do.
static void print_wrapped(const char *text) {
    StrView rest = view_from_string(text);
    int column = HELP_COLUMN;
    for (StrView word = view_next_word(&rest); word.length > 0; word = view_next_word(&rest)) {
        const bool is_first = column == HELP_COLUMN;
        if (!is_first && column + 1 + (int)word.length > HELP_WIDTH) {
            print_out("\n%*s", HELP_COLUMN, "");
            column = HELP_COLUMN;
        } else if (!is_first) {
            print_out(" ");
            column++;
        }
        print_out("%.*s", (int)word.length, word.text);
        column += (int)word.length;
    }
    print_out("\n");
}

static void print_option(const ArgOption *option) {
    char left[128];
    char letter_text[5] = "    ";
    if (option->letter != 0)
        snprintf(letter_text, sizeof letter_text, "-%c, ", option->letter);
    int width = snprintf(left, sizeof left, "  %s--%s%s%s", letter_text, option->name,
                         option->metavar == NULL ? "" : " ",
                         option->metavar == NULL ? "" : option->metavar);
    print_out(width >= HELP_COLUMN ? "%s\n%*s" : "%s%*s", left,
              width >= HELP_COLUMN ? HELP_COLUMN : HELP_COLUMN - width, "");
    print_wrapped(option->help);
}

static void print_help(const ArgSpec *spec) {
    print_out("Usage: %s [OPTIONS]%s%s\n\n", spec->program, spec->positional == NULL ? "" : " ",
              spec->positional == NULL ? "" : spec->positional);
    print_text(stdout, spec->summary);
    print_out("\n\nOptions:\n");
    for (size_t i = 0; i < spec->option_count; i++)
        print_option(&spec->options[i]);
    if (spec->takes_others)
        print_option(&args_other_option);
    print_option(&args_help_option);
    print_out("\nExample:\n  ");
    print_text(stdout, spec->example);
    print_out("\n");
}

// --- values ---

void arg_strings_add(ArgStrings *strings, const char *text) {
    MEM_ADD(strings->items, strings->count, strings->capacity) = text;
}

void arg_strings_free(ArgStrings *strings) {
    free(strings->items);
    *strings = (ArgStrings){0};
}

static Status set_number(const ArgOption *option, const char *text, void *field) {
    static const SettingType types[] = {[ARG_INT] = SETTING_INT,
                                        [ARG_U64] = SETTING_U64,
                                        [ARG_DOUBLE] = SETTING_REAL,
                                        [ARG_CHOICE] = SETTING_CHOICE};
    const Setting setting = {.name = option->name,
                             .type = types[option->type],
                             .low = option->low,
                             .high = option->high,
                             .choices = option->choices};
    int64_t index;
    if (option->type != ARG_CHOICE)
        return setting_parse(&setting, text, field);
    TRY(setting_parse(&setting, text, &index));
    *(int *)field = (int)index;
    return OK;
}

static int set_value(const ArgSpec *spec, const ArgOption *option, const char *text, void *values) {
    void *field = (char *)values + option->offset;
    switch (option->type) {
    case ARG_FLAG:
    case ARG_DRY:
        *(bool *)field = true;
        break;
    case ARG_INT:
    case ARG_U64:
    case ARG_DOUBLE:
    case ARG_CHOICE:
        if (set_number(option, text, field) != OK)
            return args_complain(spec, "--%s", error_message());
        break;
    case ARG_STRINGS:
    case ARG_INPUTS:
    case ARG_ENGINES:
        arg_strings_add(field, text);
        break;
    default:
        *(const char **)field = text;
    }
    return ARGS_GO_ON;
}

// --- the command line ---

static const ArgOption *find_long(const ArgSpec *spec, const char *name, size_t length) {
    for (size_t i = 0; i < spec->option_count; i++)
        if (strlen(spec->options[i].name) == length &&
            memcmp(spec->options[i].name, name, length) == 0)
            return &spec->options[i];
    return NULL;
}

static const ArgOption *find_letter(const ArgSpec *spec, char letter) {
    for (size_t i = 0; i < spec->option_count; i++)
        if (spec->options[i].letter == letter)
            return &spec->options[i];
    return NULL;
}

// Keeps an option of the program's own; its name is cut off at the '=' where the value is with it.
static int collect_other(const ArgSpec *spec, int argc, char **argv, int *index, void *values) {
    ArgStrings *others = (void *)((char *)values + spec->others_offset);
    char *name = argv[*index] + 2, *equals = strchr(name, '=');
    if (equals == NULL && *index + 1 >= argc)
        return args_complain(spec, "--%s needs a value", name);
    const char *value = equals == NULL ? argv[++*index] : equals + 1;
    if (equals != NULL)
        *equals = '\0';
    arg_strings_add(others, name);
    arg_strings_add(others, value);
    return ARGS_GO_ON;
}

// Handles the option at argv[*index] and moves *index to the last argument it used.
static int parse_option(const ArgSpec *spec, int argc, char **argv, int *index, void *values) {
    const char *arg = argv[*index];
    bool is_long = arg[1] == '-';
    const char *name = arg + (is_long ? 2 : 1);
    size_t length = is_long ? strcspn(name, "=") : 1;
    const ArgOption *option = is_long ? find_long(spec, name, length) : find_letter(spec, *name);
    if (option == NULL && is_long && spec->takes_others)
        return collect_other(spec, argc, argv, index, values);
    if (option == NULL)
        return args_complain(spec, "unknown option %.*s", (int)(name - arg + (int)length), arg);
    const char *value = name[length] == '\0' ? NULL : name + length + (name[length] == '=');
    if (option->metavar == NULL) {
        if (value != NULL)
            return args_complain(spec, "--%s takes no value", option->name);
    } else if (value == NULL) {
        if (*index + 1 >= argc)
            return args_complain(spec, "--%s needs a value: %s", option->name, option->metavar);
        value = argv[++*index];
    }
    return set_value(spec, option, value, values);
}

const char *args_man_purpose(const char *word) {
    static const char option[] = "--man=";
    return strncmp(word, option, sizeof option - 1) == 0 ? word + sizeof option - 1 : NULL;
}

static int check_count(const ArgSpec *spec, const ArgStrings *positional) {
    if (spec->positional == NULL)
        return ARGS_GO_ON;
    if (positional->count < spec->least)
        return args_complain(spec, "expected %s", spec->positional);
    if (spec->most > 0 && positional->count > spec->most)
        return args_complain(spec, "unexpected argument '%s'", positional->items[spec->most]);
    return ARGS_GO_ON;
}

int args_parse(const ArgSpec *spec, int argc, char **argv, void *values, ArgStrings *positional) {
    bool only_positional = false;
    for (int i = 1; i < argc; i++) {
        const char *arg = argv[i];
        if (only_positional || arg[0] != '-' || arg[1] == '\0') {
            if (spec->positional == NULL)
                return args_complain(spec, "unexpected argument '%s'", arg);
            arg_strings_add(positional, arg);
        } else if (strcmp(arg, "--") == 0) {
            only_positional = true;
        } else if (strcmp(arg, "--help") == 0 || strcmp(arg, "-h") == 0) {
            print_help(spec);
            return EXIT_DONE;
        } else if (strcmp(arg, "--list-options") == 0) {
            return args_print_list(spec);
        } else if (args_man_purpose(arg) != NULL) {
            return args_print_man(spec, spec->program, args_man_purpose(arg));
        } else {
            TRY_ARGS(parse_option(spec, argc, argv, &i, values));
        }
    }
    TRY_ARGS(args_check_paths(spec, values, positional));
    return check_count(spec, positional);
}

// --- and back ---

void args_add_word(Str *out, const char *word) {
    str_add(out, " ");
    shell_quote(out, word);
}

void args_add_positional(Str *out, const ArgStrings *words) {
    bool has_dash = false;
    for (size_t i = 0; i < words->count; i++)
        has_dash = has_dash || words->items[i][0] == '-';
    str_add(out, has_dash ? " --" : "");
    for (size_t i = 0; i < words->count; i++)
        args_add_word(out, words->items[i]);
}

static bool is_named(const char *name, const char *const *names) {
    while (*names != NULL && strcmp(name, *names) != 0)
        names++;
    return *names != NULL;
}

static bool is_list(const ArgOption *option) {
    return option->type == ARG_STRINGS || option->type == ARG_INPUTS || option->type == ARG_ENGINES;
}

// Whether an option says what it says by default.
static bool is_default(const ArgOption *option, const void *value, const void *start) {
    static const size_t sizes[] = {
        [ARG_FLAG] = sizeof(bool),    [ARG_DRY] = sizeof(bool),      [ARG_INT] = sizeof(int),
        [ARG_U64] = sizeof(uint64_t), [ARG_DOUBLE] = sizeof(double), [ARG_CHOICE] = sizeof(int)};
    return memcmp(value, start, option->type < ARG_STRING ? sizes[option->type] : sizeof(char *)) ==
           0;
}

static void retell_option(const ArgOption *option, const void *value, Str *out) {
    str_addf(out, " --%s", option->name);
    if (option->type == ARG_INT)
        str_addf(out, " %d", *(const int *)value);
    else if (option->type == ARG_U64)
        str_addf(out, " %" PRIu64, *(const uint64_t *)value);
    else if (option->type == ARG_DOUBLE)
        str_addf(out, " %.15g", *(const double *)value);
    else if (option->type == ARG_CHOICE)
        str_addf(out, " %s", option->choices[*(const int *)value]);
    else if (option->type >= ARG_STRING)
        args_add_word(out, *(const char *const *)value);
}

static void retell_strings(const ArgOption *option, const ArgStrings *strings, Str *out) {
    for (size_t i = 0; i < strings->count; i++)
        retell_option(option, &strings->items[i], out);
}

void args_retell(const ArgSpec *spec, const void *values, const void *defaults,
                 const char *const *leave_out, Str *out) {
    for (size_t i = 0; i < spec->option_count; i++) {
        const ArgOption *option = &spec->options[i];
        const void *value = (const char *)values + option->offset;
        if (is_named(option->name, leave_out))
            continue;
        if (is_list(option))
            retell_strings(option, value, out);
        else if (!is_default(option, value, (const char *)defaults + option->offset))
            retell_option(option, value, out);
    }
}
