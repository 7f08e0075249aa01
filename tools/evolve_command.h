// SPDX-License-Identifier: GPL-3.0-or-later
// What the commands have in common that run evolution: they differ in their options and in what
// organisms are judged by.
#pragma once

#include "tools/args.h"

typedef struct EvolveArgs {
    ArgStrings settings; // name and value in turn
    const char *output, *resume;
    bool previous, tempo, quiet_only, resolve, list_settings, no_optimum;
    int threads;
    const ArgSpec *spec; // of the command at work
    bool by_games;
} EvolveArgs;

// Rows for the tables of options of these commands.
// clang-format off
#define EVOLVE_RUN_OPTIONS                                                                         \
    {"output", 'o', "DIR", ARG_FOLDER, offsetof(EvolveArgs, output), 0, 0,                         \
     "the run's directory (default: PRESET-SEED)"},                                                \
    {"resume", 0, "DIR", ARG_FOLDER, offsetof(EvolveArgs, resume), 0, 0,                           \
     "go on with a run that was stopped"},                                                         \
    {"previous", 0, NULL, ARG_FLAG, offsetof(EvolveArgs, previous), 0, 0,                          \
     "with --resume: where the last checkpoint is damaged, from the one before it"}
#define EVOLVE_SETTINGS_OPTION                                                                     \
    {"settings", 0, NULL, ARG_DRY, offsetof(EvolveArgs, list_settings), 0, 0,                     \
     "list every setting of the preset with its value, and end"}
#define EVOLVE_THREADS_OPTION                                                                      \
    {"threads", 't', "N", ARG_INT, offsetof(EvolveArgs, threads), 1, 1024,                         \
     "threads to use (default: one for each core)"}
// clang-format on

// Of falconer coevolve --engine, which has a manual page with falconer coevolve.
extern const ArgSpec coevolve_engine_spec;

// For the specs: adds the files that settings name.
void evolve_add_paths(const void *values, Outputs *paths);

// Parses the command line into EvolveArgs, runs, reports; returns the exit code.
int evolve_command(const ArgSpec *spec, bool by_games, int argc, char **argv);
