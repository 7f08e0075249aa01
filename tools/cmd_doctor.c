// SPDX-License-Identifier: GPL-3.0-or-later
// falconer doctor: audits files of games or positions.
#include "base/locate.h"
#include "data/doctor/doctor.h"
#include "tools/args.h"
#include "tools/commands.h"
#include "tools/print.h"

#include <inttypes.h>

typedef struct DoctorArgs {
    uint64_t max_problems;
} DoctorArgs;

#define ARGS DoctorArgs
static const ArgOption options[] = {
    ARG("max-problems", 'n', "N", U64, max_problems,
        "list at most N problems; all are counted (default: 100)"),
};

static const ArgSpec spec = {
    .program = "falconer doctor",
    .positional = "FILE...",
    .least = 1,
    .summary = "Audits files of games (PGN) or positions (EPD, FEN), plain or compressed, before "
               "you learn "
               "from\nthem: reports what is impossible, contradictory, truncated or duplicated. "
               "The content "
               "tells the\nkind of a file; standard input (-) and pipes are read as games. The "
               "exit code is "
               "1 if something is\nwrong.",
    .example = "falconer doctor --max-problems 20 openings.epd",
    ARG_TABLE(options),
    .finds_files = true,
};

typedef struct Listing {
    uint64_t count, max;
} Listing;

static void print_problem(void *context, const DoctorProblem *problem) {
    Listing *listing = context;
    if (++listing->count > listing->max)
        return;
    if (problem->kind == DOCTOR_UNREADABLE) {
        print_out("%s\n", problem->text);
        return;
    }
    print_out("%s", problem->path);
    if (problem->line != 0)
        print_out(":%" PRIu64, problem->line);
    if (problem->game != 0)
        print_out(": game %" PRIu64 ", byte %" PRIu64, problem->game, problem->offset);
    if (problem->ply != 0)
        print_out(", ply %u", problem->ply);
    print_out(": %s: %s\n", doctor_kind_name(problem->kind), problem->text);
}

static double percent(uint64_t part, uint64_t whole) {
    return whole == 0 ? 0 : 100 * (double)part / (double)whole;
}

// "cut: 3 illegal move, 1 null move", for those kinds that `is_kind` picks.
static void print_kinds(const char *title, const PgnTotals *totals, bool is_kind(PgnProblemKind)) {
    const char *separator = ": ";
    print_out("  %s", title);
    for (PgnProblemKind kind = PGN_FINE; kind < PGN_PROBLEM_NB; kind++) {
        if (!is_kind(kind) || totals->kinds[kind] == 0)
            continue;
        print_out("%s%" PRIu64 " %s", separator, totals->kinds[kind], pgn_problem_name(kind));
        separator = ", ";
    }
    print_out("\n");
}

static void print_games(const DoctorTotals *totals) {
    const PgnTotals *pgn = &totals->pgn;
    print_out("games: %" PRIu64 " found, %" PRIu64 " cut, %" PRIu64 " skipped; %" PRIu64 " plies\n",
              pgn->games, pgn->cut, pgn->skipped, pgn->plies);
    if (pgn->cut != 0)
        print_kinds("cut", pgn, pgn_is_cut);
    if (pgn->skipped != 0)
        print_kinds("skipped", pgn, pgn_is_skipped);
    print_out("results: %" PRIu64 " 1-0, %" PRIu64 " 0-1, %" PRIu64 " 1/2-1/2, %" PRIu64
              " unknown\n",
              totals->results[RESULT_WHITE_WINS], totals->results[RESULT_BLACK_WINS],
              totals->results[RESULT_DRAW], totals->results[RESULT_UNKNOWN]);
}

static void print_positions(const DoctorTotals *totals) {
    print_out("positions: %" PRIu64 " read, %.1f %% not quiet (in check, or a capture or promotion "
              "gains material), %" PRIu64 " mate or stalemate\n",
              totals->positions, percent(totals->not_quiet, totals->positions), totals->over);
    // In a set of chess that is a castling field gone wrong.
    if (totals->chess960 > 0)
        print_out("Chess960: %" PRIu64 " with a right to castle that only Chess960 has\n",
                  totals->chess960);
}

static void print_phases(const DoctorTotals *totals) {
    const uint64_t *phases = totals->phases;
    uint64_t sum = phases[PHASE_OPENING] + phases[PHASE_MIDDLEGAME] + phases[PHASE_ENDGAME];
    if (sum == 0)
        return;
    print_out(
        "phases: %.1f %% opening, %.1f %% middlegame, %.1f %% endgame of %" PRIu64
        " positions\n  (N and B 1, R 2, Q 4, both sides: opening from %d, endgame below %d)\n",
        percent(phases[PHASE_OPENING], sum), percent(phases[PHASE_MIDDLEGAME], sum),
        percent(phases[PHASE_ENDGAME], sum), sum, PHASE_OPENING_MIN, PHASE_MIDDLEGAME_MIN);
}

static void print_totals(const Doctor *doctor, const Listing *listing) {
    const DoctorTotals *totals = doctor_totals(doctor);
    if (listing->count > listing->max)
        print_out("(%" PRIu64 " more problems not listed: see --max-problems)\n",
                  listing->count - listing->max);
    print_out("files: %" PRIu64 "; %" PRIu64 " bytes read of %" PRIu64 " there\n", totals->files,
              totals->bytes_read, totals->bytes_there);
    if (totals->pgn.games != 0)
        print_games(totals);
    if (totals->positions != 0)
        print_positions(totals);
    print_phases(totals);
    print_out("problems: %" PRIu64 "\n", doctor_problem_count(doctor));
    for (DoctorKind kind = 0; kind < DOCTOR_KIND_NB; kind++)
        if (totals->problems[kind] != 0)
            print_out("  %8" PRIu64 " %s\n", totals->problems[kind], doctor_kind_name(kind));
}

// A file that is nowhere is a problem like others, which the doctor tells.
static void read_file(Doctor *doctor, const char *name) {
    CLEANUP(str_free) Str path = {0};
    const bool is_found = locate("data", name, &path) == OK;
    doctor_read(doctor, is_found ? str_text(&path) : name);
}

int cmd_doctor(int argc, char **argv) {
    DoctorArgs args = {.max_problems = 100};
    CLEANUP(arg_strings_free) ArgStrings files = {0};
    TRY_ARGS(args_parse(&spec, argc, argv, &args, &files));
    chess_init();
    Listing listing = {.max = args.max_problems};
    CLEANUP(doctor_destroy_at) Doctor *doctor = doctor_create(print_problem, &listing);
    for (size_t i = 0; i < files.count; i++)
        read_file(doctor, files.items[i]);
    print_totals(doctor, &listing);
    return doctor_problem_count(doctor) == 0 ? EXIT_DONE : EXIT_FAILED;
}
