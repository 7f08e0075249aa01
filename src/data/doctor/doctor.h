// SPDX-License-Identifier: GPL-3.0-or-later
// The data doctor: audits files of games or positions before anybody learns from them. It reads in
// passing; what it remembers of a game or position is an entry in a table of duplicates.
#pragma once

#include "chess/pgn.h"
#include "chess/phase.h"

typedef enum DoctorKind {
    DOCTOR_UNREADABLE, // a file that cannot be opened, or not be read to its end
    DOCTOR_NOTHING,    // neither a game nor a position in it
    DOCTOR_LIMIT,      // too much to look for duplicates
    DOCTOR_CUT_GAME,
    DOCTOR_SKIPPED_GAME,
    DOCTOR_EMPTY_GAME,
    DOCTOR_NO_RESULT,      // movetext that ends without a result
    DOCTOR_TRUNCATED,      // the same at the end of a file
    DOCTOR_RESULTS_DIFFER, // tag and movetext
    DOCTOR_WRONG_RESULT,   // one that the board contradicts
    DOCTOR_GLUED_RESULT,   // read, though no blank parts it from the last move
    DOCTOR_BAD_TAG,
    DOCTOR_DUPLICATE_GAME, // same moves, same end
    DOCTOR_SAME_END,       // same end by other moves
    DOCTOR_BAD_POSITION,
    DOCTOR_BAD_OPERATION,
    DOCTOR_DUPLICATE_POSITION,
    DOCTOR_KIND_NB,
} DoctorKind;

typedef struct DoctorProblem {
    DoctorKind kind;
    const char *path;
    uint64_t game, line; // from 1; 0 where there is none
    uint64_t offset;     // bytes from the front of the (unpacked) text, for games
    unsigned ply;        // from 1; 0 where there is none
    const char *text;    // the reason (of an unreadable file: with its name); valid during the call
} DoctorProblem;

typedef struct DoctorTotals {
    uint64_t files;
    uint64_t bytes_read, bytes_there; // of the files as they lie on disk; of a pipe 0 are there
    PgnTotals pgn;                    // of all files of games, but for the two above
    uint64_t results[4];              // games by GameResult
    uint64_t positions;               // read from EPD and FEN files; of these:
    uint64_t not_quiet;               // in check, or a capture or promotion gains material
    uint64_t over;                    // mate or stalemate
    uint64_t chess960;                // with a right to castle that chess does not know
    uint64_t phases[PHASE_NB];        // positions read, and all that games pass through
    uint64_t problems[DOCTOR_KIND_NB];
} DoctorTotals;

typedef void DoctorListener(void *context, const DoctorProblem *problem);

typedef struct Doctor Doctor;

// Problems are reported to `listener` as they are found. Files read by one doctor are one data set:
// duplicates are found across them.
Doctor *doctor_create(DoctorListener *listener, void *context);
void doctor_destroy(Doctor *doctor);
CLEANUP_AT(Doctor *, doctor_destroy)

// Reads a file of games or positions, recognised by content ("-" and pipes: games). Failures are
// problems like any other.
void doctor_read(Doctor *doctor, const char *path);

const DoctorTotals *doctor_totals(const Doctor *doctor);
// All problems together.
uint64_t doctor_problem_count(const Doctor *doctor);
// "duplicate game": a name for lists and totals.
const char *doctor_kind_name(DoctorKind kind);
