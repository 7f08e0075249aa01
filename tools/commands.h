// SPDX-License-Identifier: GPL-3.0-or-later
// The subcommands of falconer, one cmd_NAME.c each. argv[0] is the subcommand's name; the exit code
// is returned: 0 done, 1 the work failed or input is bad, 2 wrong usage.
#pragma once

#include "dist/ranks.h"

#include <stdbool.h>

int cmd_book(int argc, char **argv);
int cmd_clone(int argc, char **argv);
int cmd_coevolve(int argc, char **argv);
int cmd_coevolve_engine(int argc, char **argv);
// Whether a command line of coevolve is for cmd_coevolve_engine: --engine, or --resume of such a
// run.
bool coevolve_engine_is_meant(int argc, char **argv);
int cmd_doctor(int argc, char **argv);
int cmd_evolve(int argc, char **argv);
int cmd_explain(int argc, char **argv);
int cmd_label(int argc, char **argv);
int cmd_match(int argc, char **argv);
int cmd_optimum(int argc, char **argv);
int cmd_perft(int argc, char **argv);
int cmd_rate(int argc, char **argv);
int cmd_recognize(int argc, char **argv);
int cmd_reproduce(int argc, char **argv);
int cmd_sample(int argc, char **argv);
int cmd_score(int argc, char **argv);
int cmd_suite(int argc, char **argv);
int cmd_tune(int argc, char **argv);
int cmd_weights(int argc, char **argv);

// Runs the subcommand named by argv[0]; says so when there is none.
int falconer_run(int argc, char **argv);

// The other ranks of an MPI job; NULL where there are none.
DistRanks *falconer_ranks(void);
