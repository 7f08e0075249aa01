// SPDX-License-Identifier: GPL-3.0-or-later
// falconer suite: how many positions of a test suite an engine solves.
#include "chess/position.h"
#include "chess/san.h"
#include "study/suite.h"
#include "tools/args.h"
#include "tools/commands.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct SuiteArgs {
    const char *engine;
    int movetime, depth, concurrency;
    uint64_t nodes;
    bool verbose;
} SuiteArgs;

typedef struct Tally {
    size_t solved, failed; // failed: no move at all
    int64_t elapsed_ns;
    uint64_t nodes;
    bool verbose;
} Tally;

static const ArgOption options[] = {
    {"engine", 'e', "WORDS", ARG_STRING, offsetof(SuiteArgs, engine), 0, 0,
     "the engine: \"cmd=FILE option.NAME=VALUE ...\""},
    {"movetime", 't', "MS", ARG_INT, offsetof(SuiteArgs, movetime), 1, 1e9,
     "milliseconds for each position"},
    {"nodes", 'n', "N", ARG_U64, offsetof(SuiteArgs, nodes), 0, 0, "nodes for each position"},
    {"depth", 'd', "N", ARG_INT, offsetof(SuiteArgs, depth), 1, 1000, "plies for each position"},
    {"concurrency", 'j', "N", ARG_INT, offsetof(SuiteArgs, concurrency), 1, SUITE_CONCURRENCY_MAX,
     "engines at a time (default: 1)"},
    {"verbose", 'v', NULL, ARG_FLAG, offsetof(SuiteArgs, verbose), 0, 0,
     "a line for solved positions too"},
};

static const ArgSpec spec = {
    .program = "falconer suite",
    .positional = "FILE.epd",
    .summary =
        "Counts the positions of a suite that an engine solves: best moves (bm) found, moves "
        "to avoid (am) avoided.",
    .example = "falconer suite tests/data/mates.epd --engine \"cmd=/usr/games/stockfish\" "
               "--movetime 100",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
};

static void print_moves(const char *name, const Position *pos, const MoveList *list) {
    if (list->count == 0)
        return;
    printf(" %s", name);
    for (size_t i = 0; i < list->count; i++) {
        char san[SAN_SIZE];
        san_write(pos, list->moves[i], san);
        printf(" %s", san);
    }
    printf(";");
}

static void print_answer(const SuiteItem *item, const SuiteAnswer *answer) {
    char san[SAN_SIZE] = "nothing";
    if (answer->move != MOVE_NONE)
        san_write(&item->pos, answer->move, san);
    printf("%s: %s:", item->id, answer->is_solved ? "solved" : "failed");
    print_moves("bm", &item->pos, &item->best);
    print_moves("am", &item->pos, &item->avoid);
    printf(" played %s", san);
    if (answer->has_score && answer->is_mate)
        printf(" (mate %d, depth %d)", answer->score, answer->depth);
    else if (answer->has_score)
        printf(" (%+.2f, depth %d)", answer->score / 100.0, answer->depth);
    if (answer->detail[0] != '\0')
        printf(" [%s]", answer->detail);
    printf("\n");
    fflush(stdout);
}

static void on_answer(void *context, const SuiteItem *item, const SuiteAnswer *answer) {
    Tally *tally = context;
    tally->solved += answer->is_solved;
    tally->failed += answer->move == MOVE_NONE;
    tally->elapsed_ns += answer->elapsed_ns;
    tally->nodes += answer->nodes;
    if (!answer->is_solved || tally->verbose)
        print_answer(item, answer);
}

static int complain(void) {
    fprintf(stderr, "falconer suite: %s\n", error_message());
    return EXIT_FAILED;
}

static int run_suite(const SuiteArgs *args, const EngineSpec *engine, const char *path) {
    Suite suite;
    Tally tally = {.verbose = args->verbose};
    if (suite_load(&suite, path) != OK)
        return complain();
    SuiteConfig config = {engine, args->concurrency, -1};
    Status status = suite_run(&suite, &config, on_answer, &tally);
    if (status == OK) {
        if (tally.failed > 0)
            printf("%zu positions without a legal move from the engine\n", tally.failed);
        printf("%" PRIu64 " nodes in %.1f s\n", tally.nodes, (double)tally.elapsed_ns / 1e9);
        printf("solved %zu of %zu\n", tally.solved, suite.count);
    }
    suite_free(&suite);
    return status == OK ? EXIT_DONE : complain();
}

// The flags' limits go before those among the engine's words.
static Status make_engine(const SuiteArgs *args, EngineSpec *engine) {
    Status status = engine_spec_parse(engine, args->engine);
    if (status == OK)
        status = engine_spec_finish(engine);
    if (status == OK && engine->weights != NULL)
        status = error_set(ERR_ARG, "weights= cannot be used here yet; use cmd=eyas");
    EngineLimits *limits = &engine->limits;
    if (args->movetime > 0)
        limits->move_ms = args->movetime;
    if (args->nodes > 0)
        limits->nodes = args->nodes;
    if (args->depth > 0)
        limits->depth = args->depth;
    if (status == OK && limits->time_ms > 0)
        status = error_set(ERR_ARG, "tc=: a suite has no clock; use --movetime");
    if (status == OK && engine_limits_are_empty(limits))
        status = error_set(ERR_ARG, "give --movetime, --nodes or --depth");
    return status;
}

int cmd_suite(int argc, char **argv) {
    SuiteArgs args = {.concurrency = 1};
    ArgStrings files = {0};
    int exit_code = args_parse(&spec, argc, argv, &args, &files);
    if (exit_code != ARGS_GO_ON)
        return exit_code;
    EngineSpec engine = engine_spec_init();
    chess_init();
    if (files.count != 1)
        exit_code = args_complain(&spec, "one file is needed");
    else if (args.engine == NULL)
        exit_code = args_complain(&spec, "--engine is needed");
    else if (make_engine(&args, &engine) != OK)
        exit_code = args_complain(&spec, "%s", error_message());
    else
        exit_code = run_suite(&args, &engine, files.items[0]);
    engine_spec_deinit(&engine);
    arg_strings_free(&files);
    return exit_code;
}
