// SPDX-License-Identifier: GPL-3.0-or-later
// falconer perft: counts the tree of legal moves of one position, or checks a file of known counts.
#include "base/clock.h"
#include "base/lines.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/perft.h"
#include "tools/args.h"
#include "tools/commands.h"
#include "tools/print.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { DEPTH_MAX = 30, NAME_SIZE = 64, LINE_MAX_BYTES = 4096 };

typedef struct PerftArgs {
    const char *fen, *epd;
    int depth, limit;
    uint64_t max_nodes;
    bool divide, table;
} PerftArgs;

#define ARGS PerftArgs
static const ArgOption options[] = {
    ARG("fen", 0, "FEN", STRING, fen, "the position (default: the start position)"),
    ARG_RANGE("depth", 'd', "N", INT, depth, 0, DEPTH_MAX, "plies to count (default: 5)"),
    ARG_SWITCH("divide", 0, divide, "count below each move separately"),
    ARG("epd", 0, "FILE", INPUT, epd,
        "check the counts of a file: lines of FEN ;D1 20 ;D2 400 ..."),
    ARG("max-nodes", 0, "N", U64, max_nodes, "with --epd: skip depths with more than N nodes"),
    ARG_RANGE("limit", 0, "N", INT, limit, 1, 1e9, "with --epd: only the first N positions"),
    ARG_SWITCH("table", 0, table, "with --epd: a row with nodes and speed for each position"),
};

static const ArgSpec spec = {
    .program = "falconer perft",
    .summary = "Counts the tree of legal moves: the test of a move generator.",
    .example = "falconer perft --depth 5 --divide",
    ARG_TABLE(options),
};

// A file of known counts, and how checking it goes.
typedef struct Suite {
    const PerftArgs *args;
    const char *path;
    uint64_t line;
    char name[NAME_SIZE]; // the comment above the position, or ""
    size_t positions, passed, failed, skipped;
} Suite;

// The deepest count of one position: a row of the table.
typedef struct Row {
    unsigned depth;
    uint64_t expected, nodes;
    double seconds;
} Row;

static double mega_per_second(uint64_t nodes, double seconds) {
    return seconds > 0 ? (double)nodes / seconds / 1e6 : 0;
}

// --- one position ---

static uint64_t print_divided(Position *pos, unsigned depth) {
    uint64_t total = 0;
    Move moves[MOVES_MAX];
    size_t count = movegen(pos, MOVES_ALL, moves);
    for (size_t i = 0; i < count; i++) {
        Undo undo;
        char text[UCI_MOVE_SIZE];
        position_make(pos, moves[i], &undo);
        uint64_t nodes = perft(pos, depth - 1);
        position_unmake(pos, moves[i], &undo);
        move_to_uci(pos, moves[i], text);
        print_out("%s: %" PRIu64 "\n", text, nodes);
        total += nodes;
    }
    return total;
}

static Status count_position(const PerftArgs *args) {
    Position pos;
    TRY_PREFIX(fen_parse(args->fen == NULL ? fen_start : args->fen, &pos), "--fen");
    unsigned depth = (unsigned)args->depth;
    int64_t start = clock_now_ns();
    uint64_t nodes = args->divide && depth > 0 ? print_divided(&pos, depth) : perft(&pos, depth);
    double seconds = clock_seconds_since(start);
    print_out("perft %u: %" PRIu64 " nodes, %.3f s, %.1f Mnps\n", depth, nodes, seconds,
              mega_per_second(nodes, seconds));
    return OK;
}

// --- a file of known counts ---

static void fail_line(Suite *suite, const char *reason) {
    print_out("%s:%" PRIu64 ": %s\n", suite->path, suite->line, reason);
    suite->failed++;
}

// Reads "D5 4865609".
static bool parse_count(StrView text, unsigned *depth, uint64_t *expected) {
    StrView name = view_next_word(&text);
    StrView number = view_next_word(&text);
    int64_t plies, nodes;
    if (name.length < 2 || (name.text[0] != 'D' && name.text[0] != 'd') ||
        !view_to_int(view_of(name.text + 1, name.length - 1), &plies) ||
        !view_to_int(number, &nodes) || view_next_word(&text).length != 0)
        return false;
    *depth = (unsigned)plies;
    *expected = (uint64_t)nodes;
    return plies >= 1 && plies <= DEPTH_MAX && nodes >= 0;
}

static void check_count(Suite *suite, Position *pos, unsigned depth, uint64_t expected, Row *row) {
    if (suite->args->max_nodes != 0 && expected > suite->args->max_nodes) {
        suite->skipped++;
        return;
    }
    int64_t start = clock_now_ns();
    uint64_t nodes = perft(pos, depth);
    *row = (Row){depth, expected, nodes, clock_seconds_since(start)};
    if (nodes == expected) {
        suite->passed++;
        return;
    }
    print_out("%s:%" PRIu64 ": depth %u: expected %" PRIu64 ", got %" PRIu64 "%s%s\n", suite->path,
              suite->line, depth, expected, nodes, suite->name[0] == '\0' ? "" : " # ",
              suite->name);
    suite->failed++;
}

static void print_row(const Suite *suite, const Row *row) {
    char name[NAME_SIZE];
    if (suite->name[0] == '\0')
        snprintf(name, sizeof name, "line %" PRIu64, suite->line);
    else
        snprintf(name, sizeof name, "%s", suite->name);
    print_out("%-34.34s %5u %12" PRIu64 " %12" PRIu64 " %8.3f %7.1f  %s\n", name, row->depth,
              row->nodes, row->expected, row->seconds, mega_per_second(row->nodes, row->seconds),
              row->nodes == row->expected ? "ok" : "WRONG");
}

static void check_line(Suite *suite, StrView line) {
    Position pos;
    Row row = {0};
    suite->positions++;
    if (fen_read(&line, &pos) != OK) {
        fail_line(suite, error_message());
        return;
    }
    line = view_trim(line);
    if (line.length == 0) {
        fail_line(suite, "no count after the position: expected ;D1 and a number");
        return;
    }
    while (line.length > 0) {
        const char *end = memchr(line.text, ';', line.length);
        StrView part = view_of(line.text, end == NULL ? line.length : (size_t)(end - line.text));
        size_t used = part.length + (end != NULL);
        line = view_of(line.text + used, line.length - used);
        unsigned depth;
        uint64_t expected;
        if (view_trim(part).length == 0)
            continue;
        if (parse_count(part, &depth, &expected))
            check_count(suite, &pos, depth, expected, &row);
        else
            fail_line(suite, "not a count: expected ;D and a depth, then a number");
    }
    if (suite->args->table && row.depth != 0)
        print_row(suite, &row);
}

// Keeps a comment as the name of the position below it.
static void take_name(Suite *suite, StrView comment) {
    comment = view_trim(view_of(comment.text + 1, comment.length - 1));
    int length = comment.length < NAME_SIZE ? (int)comment.length : NAME_SIZE - 1;
    snprintf(suite->name, NAME_SIZE, "%.*s", length, comment.text);
}

// Goes through the file; failure is one of reading, not of counting.
MUST_CHECK static Status check_lines(Suite *suite, LineReader *lines) {
    size_t limit = (size_t)suite->args->limit;
    while (limit == 0 || suite->positions < limit) {
        StrView line;
        Status status = lines_next(lines, &line);
        suite->line = lines_number(lines);
        if (status == ERR_LIMIT) {
            suite->positions++;
            fail_line(suite, "the line is too long");
            continue;
        }
        if (status != OK || line.text == NULL)
            return status;
        line = view_trim(line);
        if (line.length == 0)
            continue;
        if (line.text[0] == '#') {
            take_name(suite, line);
            continue;
        }
        check_line(suite, line);
        suite->name[0] = '\0';
    }
    return OK;
}

static int print_totals(const Suite *suite) {
    if (suite->skipped != 0)
        print_out("%zu depths skipped, of more than %" PRIu64 " nodes\n", suite->skipped,
                  suite->args->max_nodes);
    print_out("%zu passed, %zu failed\n", suite->passed, suite->failed);
    return suite->failed == 0 ? EXIT_DONE : EXIT_FAILED;
}

static Status check_suite(Suite *suite) {
    CLEANUP(lines_close_at) LineReader *lines = NULL;
    TRY(lines_open(&lines, suite->path, LINE_MAX_BYTES));
    if (suite->args->table)
        print_out("%-34s %5s %12s %12s %8s %7s\n", "position", "depth", "nodes", "expected",
                  "seconds", "Mnps");
    TRY(check_lines(suite, lines));
    return suite->positions > 0
               ? OK
               : error_set(ERR_PARSE, "%s: no positions in this file", suite->path);
}

int cmd_perft(int argc, char **argv) {
    PerftArgs args = {.depth = 5};
    TRY_ARGS(args_parse(&spec, argc, argv, &args, NULL));
    if (args.epd != NULL && (args.fen != NULL || args.divide))
        return args_complain(&spec, "--epd goes with neither --fen nor --divide");
    if (args.epd == NULL && (args.table || args.limit != 0 || args.max_nodes != 0))
        return args_complain(&spec, "--table, --limit and --max-nodes need --epd");
    chess_init();
    if (args.epd == NULL)
        return args_exit(&spec, count_position(&args));
    Suite suite = {.args = &args, .path = args.epd};
    const Status status = check_suite(&suite);
    fflush(stdout); // before a message on standard error
    return status == OK ? print_totals(&suite) : args_fail(&spec);
}
