// SPDX-License-Identifier: GPL-3.0-or-later
// What the files of the doctor share.
#pragma once

#include "base/str.h"
#include "data/doctor/doctor.h"
#include "data/seen.h"

// A file that was read, and how many games and lines came before it.
typedef struct DoctorFile {
    char *path;
    uint64_t games_before, lines_before;
} DoctorFile;

struct Doctor {
    DoctorListener *listener;
    void *context;
    DoctorTotals totals;
    SeenTable *seen_games, *seen_positions;
    DoctorFile *files;
    size_t file_count, file_capacity;
    uint64_t lines; // of the files before this one
    Str text;       // of the current problem
};

// Counts and reports a problem of the current file. The path and, where it is NULL, the text (then
// doctor->text) are filled in.
void doctor_report(Doctor *doctor, DoctorProblem problem);

// Reports a duplicate of what has this key and these details at `problem`'s place, if there is one.
void doctor_look_for_game(Doctor *doctor, uint64_t key, uint32_t details, DoctorProblem problem);
void doctor_look_for_position(Doctor *doctor, uint64_t key, DoctorProblem problem);

// What the board says against a result, or NULL.
const char *doctor_contradiction(const Position *pos, GameResult result);

void doctor_read_games(Doctor *doctor, const char *path);
void doctor_read_positions(Doctor *doctor, const char *path);
