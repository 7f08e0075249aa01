// SPDX-License-Identifier: GPL-3.0-or-later
// falconer suite: how many positions of a test suite engines solve.
#include "base/descriptors.h"
#include "base/file.h"
#include "base/mem.h"
#include "dist/pool.h"
#include "suite/suite_file.h"
#include "suite/suite_run.h"
#include "tools/args.h"
#include "tools/cancel.h"
#include "tools/commands.h"
#include "tools/print.h"
#include "tools/suite_show.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct SuiteArgs {
    ArgStrings engines;
    int movetime, depth, concurrency;
    uint64_t nodes;
    const char *jsonl;
    bool verbose;
} SuiteArgs;

// What the answers are for.
typedef struct Event {
    const SuiteArgs *args;
    Suite suite;
    EngineSpec *engines; // owned
    const char **names;  // owned; borrowed names
    size_t engine_count;
    SuiteTally tally;
    OutFile *jsonl; // NULL: none
    size_t answered;
    Status status; // of the writing
} Event;

static const ArgOption options[] = {
    {"engine", 'e', "WORDS", ARG_ENGINES, offsetof(SuiteArgs, engines), 0, 0,
     "an engine: \"cmd=FILE option.NAME=VALUE ...\" or \"weights=FILE\"; several are compared"},
    {"movetime", 't', "MS", ARG_INT, offsetof(SuiteArgs, movetime), 1, 1e9,
     "milliseconds for each position"},
    {"nodes", 'n', "N", ARG_U64, offsetof(SuiteArgs, nodes), 0, 0, "nodes for each position"},
    {"depth", 'd', "N", ARG_INT, offsetof(SuiteArgs, depth), 1, 1000, "plies for each position"},
    {"concurrency", 'j', "N", ARG_INT, offsetof(SuiteArgs, concurrency), 1, SUITE_CONCURRENCY_MAX,
     "positions at a time, on each rank under mpirun (default: 1)"},
    {"jsonl", 0, "FILE", ARG_OUTPUT, offsetof(SuiteArgs, jsonl), 0, 0,
     "write a line for each position and engine as JSON"},
    {"verbose", 'v', NULL, ARG_FLAG, offsetof(SuiteArgs, verbose), 0, 0,
     "a line for solved positions too"},
};

static const ArgSpec spec = {
    .program = "falconer suite",
    .positional = "FILE.epd",
    .summary =
        "Counts the positions of a suite that engines solve: best moves (bm) found, moves to\n"
        "avoid (am) avoided, mates (dm) announced; and points where moves are graded, as in STS.\n"
        "Bad lines are told of and left out. Ends with 0 when every position was asked, however\n"
        "many were solved, and with 1 when not or when no line is good.",
    .example = "falconer suite tests/data/mates.epd --engine cmd=build/eyas "
               "--engine weights=weights/falcon.weights --movetime 100",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
};

static int complain(void) {
    print_failure("falconer suite");
    return EXIT_FAILED;
}

// --- engines ---

// The flags' limits go before those among the engine's words.
static Status make_engine(const SuiteArgs *args, const char *words, EngineSpec *engine) {
    *engine = engine_spec_init();
    Status status = engine_spec_parse(engine, words);
    if (status == OK)
        status = engine_spec_finish(engine);
    Limits *limits = &engine->limits;
    if (args->movetime > 0)
        limits->move_ms = args->movetime;
    if (args->nodes > 0)
        limits->nodes = args->nodes;
    if (args->depth > 0)
        limits->depth = args->depth;
    if (status == OK && limits->clock.time_ms > 0)
        status = error_set(ERR_ARG, "tc=: a suite has no clock; use --movetime");
    if (status == OK && limits_are_empty(limits))
        status = error_set(ERR_ARG, "give --movetime, --nodes or --depth");
    return status;
}

static Status make_engines(Event *event) {
    const ArgStrings *words = &event->args->engines;
    event->engines = mem_alloc_zero(words->count, sizeof *event->engines);
    event->names = mem_alloc_zero(words->count, sizeof *event->names);
    for (size_t i = 0; i < words->count; i++) {
        event->engine_count++;
        const Status status = make_engine(event->args, words->items[i], &event->engines[i]);
        if (status != OK)
            return status;
        event->names[i] = event->engines[i].name;
        for (size_t j = 0; j < i; j++)
            if (strcmp(event->names[i], event->names[j]) == 0)
                return error_set(ERR_ARG, "two engines are called '%s': tell them apart by name=",
                                 event->names[i]);
    }
    return OK;
}

// --- the run ---

static void on_answer(void *context, size_t index, size_t engine, const SuiteAnswer *answer) {
    Event *event = context;
    const SuiteItem *item = &event->suite.items[index];
    suite_tally_add(&event->tally, item, engine, answer);
    event->answered++;
    if (!answer->is_solved || event->args->verbose)
        suite_show_answer(item, event->engine_count > 1 ? event->names[engine] : NULL, answer);
    if (event->jsonl == NULL || event->status != OK)
        return;
    Str line = {0};
    suite_line_write(item, event->names[engine], answer, &line);
    event->status = outfile_write(event->jsonl, line.text, line.length);
    if (event->status != OK) {
        complain();
        cancel_now();
    }
    str_free(&line);
}

// The file holds what was answered, also when the run has stopped.
static Status end_file(Event *event) {
    if (event->jsonl == NULL)
        return OK;
    if (event->status == OK && event->answered > 0)
        return outfile_commit(event->jsonl);
    outfile_discard(event->jsonl);
    return OK;
}

static void warn(const Event *event) {
    bool is_timed = false;
    for (size_t i = 0; i < event->suite.bad_count; i++)
        print_err("%s\n", event->suite.bad[i]);
    for (size_t i = 0; i < event->engine_count; i++)
        is_timed = is_timed || event->engines[i].limits.move_ms > 0;
    if (is_timed && event->args->concurrency > dist_cores())
        print_err("falconer suite: warning: %d positions at a time share %d processors, so that "
                  "engines think less than their time allows\n",
                  event->args->concurrency, dist_cores());
}

static int ask_engines(Event *event) {
    SuiteConfig config = {event->engines, event->engine_count, event->args->concurrency, -1,
                          falconer_ranks()};
    Status status = descriptors_check(suite_descriptors(&config));
    if (status == OK)
        status = cancel_on_signals(&config.cancel_fd);
    if (status == OK && event->args->jsonl != NULL)
        status = outfile_open(&event->jsonl, event->args->jsonl);
    if (status != OK)
        return complain();
    event->tally = suite_tally_init(&event->suite, event->engine_count);
    status = suite_run(&event->suite, &config, on_answer, event);
    bool is_done = status == OK && event->status == OK;
    if (status != OK)
        complain();
    if (end_file(event) != OK) {
        complain();
        is_done = false;
    }
    if (status == OK)
        suite_show_totals(&event->suite, &event->tally, event->names);
    suite_tally_deinit(&event->tally);
    return is_done && event->answered == event->suite.count * event->engine_count ? EXIT_DONE
                                                                                  : EXIT_FAILED;
}

static int run_suite(Event *event, const char *path) {
    if (suite_load(&event->suite, path) != OK)
        return complain();
    warn(event);
    const int exit_code = ask_engines(event);
    suite_free(&event->suite);
    return exit_code;
}

int cmd_suite(int argc, char **argv) {
    SuiteArgs args = {.concurrency = 1};
    Event event = {.args = &args};
    ArgStrings files = {0};
    int exit_code = args_parse(&spec, argc, argv, &args, &files);
    chess_init();
    if (exit_code != ARGS_GO_ON)
        ;
    else if (files.count != 1)
        exit_code = args_complain(&spec, "one file is needed");
    else if (args.engines.count == 0)
        exit_code = args_complain(&spec, "--engine is needed");
    else if (make_engines(&event) != OK)
        exit_code = args_complain(&spec, "%s", error_message());
    else
        exit_code = run_suite(&event, files.items[0]);
    for (size_t i = 0; i < event.engine_count; i++)
        engine_spec_deinit(&event.engines[i]);
    free(event.engines);
    free(event.names);
    arg_strings_free(&args.engines);
    arg_strings_free(&files);
    return exit_code;
}
