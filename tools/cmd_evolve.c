// SPDX-License-Identifier: GPL-3.0-or-later
// falconer evolve: weights from random bits, by mimicking a mentor or grandmasters.
#include "tools/commands.h"
#include "tools/evolve_command.h"

#define ARGS EvolveArgs
static const ArgOption options[] = {
    EVOLVE_RUN_OPTIONS,
    ARG_SWITCH("tempo", 0, tempo, "also evolve a bonus for the side to move"),
    ARG_SWITCH("quiet-only", 0, quiet_only,
               "skip positions where a capture wins material for either side"),
    ARG_SWITCH("resolve", 0, resolve,
               "compare the mentor's scores with values behind captures, not with static scores"),
    EVOLVE_SETTINGS_OPTION,
    ARG_SWITCH("no-optimum", 0, no_optimum,
               "do not compute the lowest error that any weights can reach"),
    ARG_THREADS,
};
static const ArgSpec spec = {
    .program = "falconer evolve",
    .positional = "PRESET",
    .summary =
        "Evolves weights as described by a preset of experiments/: from a mentor's scores "
        "(gecco2008,\n"
        "gpem2010, memetic, play), from the moves of grandmasters (gecco2009, asoc2013, moves,\n"
        "moves-large, moves-falcon), from the coefficients another engine dumped (coefficients;\n"
        "docs/bring-your-own.md), or by a file of your own. You can change any setting:\n"
        "--population 500, --seed 7, --runs 10, --data FILE, --test FILE,\n"
        "--start WEIGHTS, --freeze NAME=VALUE, --only NAMES, --bounds NAME:LOW:HIGH, --clamp CP;\n"
        "--settings lists them. See docs/evolve.md and docs/moves.md.",
    .example = "falconer evolve gecco2008 --generations 100 -o first-run",
    ARG_TABLE(options),
    .takes_others = true,
    .others_offset = offsetof(EvolveArgs, settings),
    .finds_files = true,
    .add_paths = evolve_add_paths,
};

int cmd_evolve(int argc, char **argv) {
    return evolve_command(&spec, false, argc, argv);
}
