// SPDX-License-Identifier: GPL-3.0-or-later
// falconer suite: how many positions of a test suite engines solve.
#include "base/descriptors.h"
#include "base/file.h"
#include "base/mem.h"
#include "chess/san.h"
#include "dist/pool.h"
#include "suite/suite_file.h"
#include "suite/suite_run.h"
#include "suite/suite_total.h"
#include "tools/args.h"
#include "tools/commands.h"
#include "tools/print_table.h"
#include "tools/signals.h"

#include <inttypes.h>
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

#define ARGS SuiteArgs
static const ArgOption options[] = {
    ARG("engine", 'e', "WORDS", ENGINES, engines,
        "an engine: \"cmd=FILE option.NAME=VALUE ...\" or \"weights=FILE\"; several are compared"),
    ARG_RANGE("movetime", 't', "MS", INT, movetime, 1, 1e9, "milliseconds for each position"),
    ARG("nodes", 'n', "N", U64, nodes, "nodes for each position"),
    ARG_RANGE("depth", 'd', "N", INT, depth, 1, 1000, "plies for each position"),
    ARG_RANGE("concurrency", 'j', "N", INT, concurrency, 1, SUITE_CONCURRENCY_MAX,
              "positions at a time, on each rank under mpirun (default: 1)"),
    ARG("jsonl", 0, "FILE", OUTPUT, jsonl, "write a JSON line for each position and engine"),
    ARG_SWITCH("verbose", 'v', verbose, "also print solved positions"),
};

static const ArgSpec spec = {
    .program = "falconer suite",
    .positional = "FILE.epd",
    .least = 1,
    .most = 1,
    .summary =
        "Counts the positions of a suite that engines solve: best moves (bm) found, moves to\n"
        "avoid (am) avoided, mates (dm) announced; and points where moves are graded, as in STS.\n"
        "Malformed lines are reported and skipped. The exit code is 0 if every position was "
        "asked,\n"
        "however many were solved, and 1 if not, or if no line is valid.",
    .example = "falconer suite tactics-hard.epd --engine cmd=eyas "
               "--engine weights=falcon.weights --movetime 20",
    ARG_TABLE(options),
};

// --- what is printed ---

static void print_moves(const char *name, const Position *pos, const MoveList *list) {
    if (list->count == 0)
        return;
    print_out(" %s", name);
    for (size_t i = 0; i < list->count; i++) {
        char san[SAN_SIZE];
        san_write(pos, list->moves[i], san);
        print_out(" %s", san);
    }
    print_out(";");
}

static void print_task(const SuiteItem *item) {
    print_moves("bm", &item->pos, &item->best);
    print_moves("am", &item->pos, &item->avoid);
    if (item->mate > 0)
        print_out(" dm %d;", item->mate);
}

// `engine` is NULL where there is only one.
static void print_answer(const SuiteItem *item, const char *engine, const SuiteAnswer *answer) {
    char san[SAN_SIZE] = "nothing";
    if (answer->move != MOVE_NONE)
        san_write(&item->pos, answer->move, san);
    if (engine != NULL)
        print_out("%s: ", engine);
    print_out("%s: %s:", item->id, answer->is_solved ? "solved" : "failed");
    print_task(item);
    print_out(" played %s", san);
    if (answer->has_score && answer->is_mate)
        print_out(" (mate %d, depth %d)", answer->score, answer->depth);
    else if (answer->has_score)
        print_out(" (%+.2f, depth %d)", answer->score / 100.0, answer->depth);
    if (item->grade_count > 0)
        print_out(" for %d of %d points", answer->points, item->max_points);
    if (answer->is_solved)
        print_out(" since depth %d, %" PRId64 " ms", answer->solution_depth, answer->solution_ms);
    if (answer->error[0] != '\0')
        print_out(" [%s]", answer->error);
    print_out("\n");
    fflush(stdout);
}

static void print_themes(const Suite *suite, const SuiteTally *tally, const char *const *names,
                         SuiteThemeCount count, const char *caption) {
    CLEANUP(table_destroy_at) Table *table = table_create(caption);
    suite_themes_fill(table, suite, tally, names, count);
    print_out("\n%s by theme:\n", caption);
    print_table(table);
}

// What the tables do not tell.
static void print_counts(const Suite *suite, const SuiteTally *tally) {
    uint64_t answers = 0;
    for (size_t i = 0; i < tally->engine_count; i++)
        answers += tally->engines[i].count;
    const size_t all = suite->count * tally->engine_count;
    if (suite->bad_count > 0 || answers < all || tally->engine_count == 1)
        print_out("\n");
    if (suite->bad_count > 0)
        print_out("%zu bad line%s left out\n", suite->bad_count, suite->bad_count == 1 ? "" : "s");
    if (answers < all)
        print_out("stopped after %" PRIu64 " of %zu answers\n", answers, all);
    // For scripts, which ask for one engine as a rule.
    if (tally->engine_count == 1)
        print_out("solved %" PRIu64 " of %" PRIu64 "\n", tally->engines[0].solved, answers);
}

static void print_totals(const Suite *suite, const SuiteTally *tally, const char *const *names) {
    CLEANUP(table_destroy_at) Table *table = table_create("");
    suite_table_fill(table, suite, tally, names);
    print_out("\n");
    print_table(table);
    print_out("(depth, nodes and ms: means until the solution was found and kept)\n");
    if (suite_has_themes(suite)) {
        print_themes(suite, tally, names, SUITE_THEME_SOLVED, "Solved");
        if (suite->is_graded)
            print_themes(suite, tally, names, SUITE_THEME_POINTS, "Points");
    }
    print_counts(suite, tally);
}

// --- engines ---

// The flags' limits go before those among the engine's words.
static Status make_engine(const SuiteArgs *args, const char *words, EngineSpec *engine) {
    Limits *limits = &engine->limits;
    *engine = engine_spec_init();
    TRY(engine_spec_parse(engine, words));
    TRY(engine_spec_finish(engine));
    if (args->movetime > 0)
        limits->move_ms = args->movetime;
    if (args->nodes > 0)
        limits->nodes = args->nodes;
    if (args->depth > 0)
        limits->depth = args->depth;
    if (limits->clock.time_ms > 0)
        return error_set(ERR_ARG, "tc=: a suite has no clock; use --movetime");
    return limits_are_empty(limits) ? error_set(ERR_ARG, "give --movetime, --nodes or --depth")
                                    : OK;
}

static Status make_engines(Event *event) {
    const ArgStrings *words = &event->args->engines;
    event->engines = mem_alloc_zero(words->count, sizeof *event->engines);
    event->names = mem_alloc_zero(words->count, sizeof *event->names);
    for (size_t i = 0; i < words->count; i++) {
        event->engine_count++;
        TRY(make_engine(event->args, words->items[i], &event->engines[i]));
        event->names[i] = event->engines[i].name;
        for (size_t j = 0; j < i; j++)
            if (strcmp(event->names[i], event->names[j]) == 0)
                return error_set(ERR_ARG, "two engines are named '%s': distinguish them with name=",
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
        print_answer(item, event->engine_count > 1 ? event->names[engine] : NULL, answer);
    if (event->jsonl == NULL || event->status != OK)
        return;
    CLEANUP(str_free) Str line = {0};
    suite_line_write(item, event->names[engine], answer, &line);
    event->status = outfile_write(event->jsonl, line.text, line.length);
    if (event->status != OK) {
        args_fail(&spec);
        signals_send();
    }
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

static Status prepare(Event *event, SuiteConfig *config, const char *path) {
    TRY(suite_load(&event->suite, path));
    warn(event);
    TRY(descriptors_check(suite_descriptors(config)));
    TRY(signals_open(&config->cancel_fd));
    return event->args->jsonl == NULL ? OK : outfile_open(&event->jsonl, event->args->jsonl);
}

static int ask_engines(Event *event, const char *path) {
    SuiteConfig config = {event->engines, event->engine_count, event->args->concurrency, -1,
                          falconer_ranks()};
    if (prepare(event, &config, path) != OK)
        return args_fail(&spec);
    event->tally = suite_tally_init(&event->suite, event->engine_count);
    const Status status = suite_run(&event->suite, &config, on_answer, event);
    bool is_done = args_exit(&spec, status) == EXIT_DONE && event->status == OK;
    is_done = args_exit(&spec, end_file(event)) == EXIT_DONE && is_done;
    if (status == OK)
        print_totals(&event->suite, &event->tally, event->names);
    return is_done && event->answered == event->suite.count * event->engine_count ? EXIT_DONE
                                                                                  : EXIT_FAILED;
}

static int ask(Event *event, const char *path) {
    if (event->args->engines.count == 0)
        return args_complain(&spec, "--engine is needed");
    if (make_engines(event) != OK)
        return args_fail_usage(&spec);
    return ask_engines(event, path);
}

int cmd_suite(int argc, char **argv) {
    SuiteArgs args = {.concurrency = 1};
    Event event = {.args = &args};
    CLEANUP(arg_strings_free) ArgStrings files = {0};
    int exit_code = args_parse(&spec, argc, argv, &args, &files);
    chess_init();
    if (exit_code == ARGS_GO_ON)
        exit_code = ask(&event, files.items[0]);
    for (size_t i = 0; i < event.engine_count; i++)
        engine_spec_deinit(&event.engines[i]);
    suite_tally_deinit(&event.tally);
    suite_free(&event.suite);
    free(event.engines);
    free(event.names);
    arg_strings_free(&args.engines);
    return exit_code;
}
