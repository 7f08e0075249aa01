// SPDX-License-Identifier: GPL-3.0-or-later
// The subcommands of falconer: a line of commands.def and a cmd_NAME.c each. argv[0] is the
// subcommand's name; the exit code is returned: 0 done, 1 the work failed or input is bad, 2 wrong
// usage.
#pragma once

#include "dist/ranks.h"

#define COMMAND(name, purpose) int cmd_##name(int argc, char **argv);
#include "tools/commands.def"
#undef COMMAND

// Runs the subcommand named by argv[0]; says so when there is none.
int falconer_run(int argc, char **argv);

// The other ranks of an MPI job; NULL where there are none.
DistRanks *falconer_ranks(void);
