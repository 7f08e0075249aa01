// SPDX-License-Identifier: GPL-3.0-or-later
// What the commands have in common that run evolution: they differ in their options and in what
// organisms are judged by.
#pragma once

#include "tools/args.h"

typedef struct EvolveArgs {
    ArgStrings settings; // name and value in turn
    const char *output, *resume, *stage;
    bool previous, tempo, quiet_only, resolve, list_settings, no_optimum, no_progress;
    int threads;
    const ArgSpec *spec; // of the command at work
    bool by_games;
} EvolveArgs;

// Rows for the tables of options of these commands, whose ARGS are EvolveArgs.
// clang-format off
#define EVOLVE_RUN_OPTIONS                                                                         \
    ARG("output", 'o', "DIR", FOLDER, output, "the run's directory (default: PRESET-SEED)"),       \
    ARG("resume", 0, "DIR", FOLDER, resume, "continue a run that was stopped"),                  \
    ARG("stage", 0, "I/N", STRING, stage,                                                          \
        "stop after the first I of N equal shares of all generations; --resume continues"),        \
    ARG_SWITCH("previous", 0, previous,                                                            \
               "with --resume: if the last checkpoint is damaged, continue from the one before"),   \
    ARG_NO_PROGRESS
#define EVOLVE_SETTINGS_OPTION                                                                     \
    ARG_DRY_RUN("settings", 0, list_settings,                                                      \
                "list the settings that apply, with their values and what they may be, and exit")
// clang-format on

// falconer coevolve --engine, which has a manual page with falconer coevolve.
extern const ArgSpec coevolve_engine_spec;
int coevolve_engine(int argc, char **argv);
// Whether a command line of coevolve is for it: --engine, or --resume of such a run.
bool coevolve_engine_is_meant(int argc, char **argv);

// For the specs: adds the files that settings name.
void evolve_add_paths(const void *values, Outputs *paths);

// Parses the command line into EvolveArgs, runs, reports; returns the exit code.
int evolve_command(const ArgSpec *spec, bool by_games, int argc, char **argv);
