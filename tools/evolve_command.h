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

// Parses the command line into EvolveArgs, runs, reports; returns the exit code.
int evolve_command(const ArgSpec *spec, bool by_games, int argc, char **argv);
