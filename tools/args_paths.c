// SPDX-License-Identifier: GPL-3.0-or-later
// The paths of a command line: nothing that is read may be written.
#include "engines/command.h"
#include "tools/args.h"
#include "tools/print.h"

#include <unistd.h>

// An argument or a value: an input where it names a file.
static void add_word(Outputs *paths, const EngineSpec *engine, const char *word) {
    CLEANUP(str_free) Str path = {0};
    command_file_behind(engine, word, &path);
    if (access(str_text(&path), F_OK) == 0)
        outputs_add_input(paths, str_text(&path));
}

static void add_program(Outputs *paths, const EngineSpec *engine) {
    char **words = command_words(engine);
    CLEANUP(str_free) Str program = {0};
    if (words[0] != NULL && command_find(engine, words[0], &program))
        outputs_add_input(paths, str_text(&program));
    for (size_t i = 1; words[0] != NULL && words[i] != NULL; i++)
        add_word(paths, engine, words[i]);
    command_free(words);
}

void args_add_engine(Outputs *paths, const EngineSpec *engine) {
    if (engine->command != NULL)
        add_program(paths, engine);
    for (size_t i = 0; i < engine->option_count; i++)
        add_word(paths, engine, engine->options[i].value);
    outputs_add_input(paths, engine->weights);
    outputs_add(paths, OUTPUT_LOG, "stderr=", engine->stderr_path);
}

static void add_words(Outputs *paths, const char *words) {
    CLEANUP(engine_spec_deinit) EngineSpec engine = engine_spec_init();
    // Errors in the words are reported when the engine is started.
    if (engine_spec_parse(&engine, words) == OK && engine_spec_finish(&engine) == OK)
        args_add_engine(paths, &engine);
}

static void add_inputs(Outputs *paths, const ArgStrings *files) {
    for (size_t i = 0; i < files->count; i++)
        outputs_add_input(paths, files->items[i]);
}

static void add_engines(Outputs *paths, const ArgStrings *engines) {
    for (size_t i = 0; i < engines->count; i++)
        add_words(paths, engines->items[i]);
}

static void add_option(Outputs *paths, const ArgOption *option, const void *value) {
    static const OutputKind kinds[] = {
        [ARG_OUTPUT] = OUTPUT_FILE, [ARG_APPENDED] = OUTPUT_APPENDED, [ARG_FOLDER] = OUTPUT_FOLDER};
    const char *const *text = value;
    CLEANUP(str_free) Str name = {0};
    str_addf(&name, "--%s", option->name);
    if (option->type == ARG_INPUT)
        outputs_add_input(paths, *text);
    else if (option->type == ARG_INPUTS)
        add_inputs(paths, value);
    else if (option->type == ARG_ENGINE && *text != NULL)
        add_words(paths, *text);
    else if (option->type == ARG_ENGINES)
        add_engines(paths, value);
    else if (option->type == ARG_OUTPUT || option->type == ARG_APPENDED ||
             option->type == ARG_FOLDER)
        outputs_add(paths, kinds[option->type], str_text(&name), *text);
}

static bool is_dry(const ArgSpec *spec, const void *values) {
    for (size_t i = 0; i < spec->option_count; i++)
        if (spec->options[i].type == ARG_DRY &&
            *(const bool *)((const char *)values + spec->options[i].offset))
            return true;
    return false;
}

int args_check_outputs(const char *program, const Outputs *paths) {
    const Status status = outputs_check(paths);
    if (status == OK)
        return ARGS_GO_ON;
    if (status == ERR_ARG)
        print_err("%s: %s (see %s --help)\n", program, error_message(), program);
    else
        print_failure(program);
    return status == ERR_ARG ? EXIT_USAGE : EXIT_FAILED;
}

// Not inlined: of a program without such options, gcc would find fields that it never reads
// uninitialised.
[[gnu::noinline]] int args_check_paths(const ArgSpec *spec, const void *values,
                                       const ArgStrings *positional) {
    CLEANUP(outputs_free) Outputs paths = {0};
    if (is_dry(spec, values))
        return ARGS_GO_ON;
    if (spec->positional != NULL && !spec->takes_names)
        add_inputs(&paths, positional);
    for (size_t i = 0; i < spec->option_count; i++)
        add_option(&paths, &spec->options[i], (const char *)values + spec->options[i].offset);
    if (spec->add_paths != NULL)
        spec->add_paths(values, &paths);
    return args_check_outputs(spec->program, &paths);
}
