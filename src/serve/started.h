// SPDX-License-Identifier: GPL-3.0-or-later
// The runs that pages started: folders in `runs` of the first folder that is served, each with a
// record of who works in it. They are found again by whichever server comes next.
#pragma once

#include "base/str.h"
#include "serve/process_id.h"

#define STARTED_FOLDER "runs"
#define STARTED_RECORD "started.json"
#define STARTED_OUTPUT "output.txt"
enum { STARTED_LIST_MAX = 1000, STARTED_OUTPUT_TOLD = 2000 };

typedef enum StartedState {
    STARTED_BEGINS,    // its process has not written anything yet
    STARTED_RUNS,      //
    STARTED_STOPS,     // it was told to
    STARTED_ELSEWHERE, // a process that no page started works in the folder
    STARTED_STOPPED,   // it can go on; a match may have played all its games
    STARTED_FINISHED,  //
    STARTED_FAILED,    // before it wrote anything
    STARTED_STATE_NB,
} StartedState;
extern const char *const started_state_names[];

// Texts are owned.
typedef struct StartedRun {
    Str name, folder; // the folder's name in `runs`, and its path
    Str verb;         // of falconer: evolve, coevolve or match
    Str command;      // as a user would type it
    int64_t threads, when_s;
    bool is_stopping;
    ProcessId process;
    StartedState state;
} StartedRun;

typedef struct StartedRuns {
    StartedRun *runs; // owned; the latest first
    size_t count, capacity;
} StartedRuns;

void started_run_free(StartedRun *run);
// Reads all that are there; a record that makes no sense is passed over.
void started_read(StartedRuns *out, const char *root);
void started_free(StartedRuns *runs);
// The run of that name, or NULL.
StartedRun *started_find(const StartedRuns *runs, const char *name);
// How many are at work.
size_t started_count_running(const StartedRuns *runs);

// Writes the record into the run's folder.
MUST_CHECK Status started_write(const StartedRun *run);
// ERR_ARG where others can have written the record, or the settings that it goes on by.
MUST_CHECK Status started_check_record_owner(const StartedRun *run, const char *root);
MUST_CHECK Status started_check_owner(const StartedRun *run, const char *root);
// Appends the last that its process printed.
void started_add_output(const StartedRun *run, Str *out);
