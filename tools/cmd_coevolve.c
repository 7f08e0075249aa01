// SPDX-License-Identifier: GPL-3.0-or-later
// falconer coevolve: weights from games that organisms play against each other.
#include "tools/commands.h"
#include "tools/evolve_command.h"

#define ARGS EvolveArgs
static const ArgOption options[] = {
    EVOLVE_RUN_OPTIONS,
    EVOLVE_SETTINGS_OPTION,
    ARG_THREADS,
};
static const ArgSpec spec = {
    .program = "falconer coevolve",
    .positional = "PRESET",
    .summary =
        "Evolves weights by games between organisms, as a preset of experiments/ says: cec2001 "
        "and\n"
        "cec2001-unseeded from random numbers; gecco2009-coevolve and asoc2013-tournament from "
        "what\n"
        "falconer evolve made (--start-from DIR). At the end the best plays those it came from, "
        "on\n"
        "openings that evolution has not seen. Any setting can be changed: --seed 7, --runs 10,\n"
        "--generations 20, --play-nodes 2000, --verdict-games 200; --settings lists them. See\n"
        "docs/coevolve.md. With --engine it is the options of any UCI engine that evolve: "
        "falconer\n"
        "coevolve --engine --help, and docs/tune-engine.md.",
    .example = "falconer coevolve cec2001 --population 10 --generations 2 --verdict-games 20 "
               "-o build/first-games",
    ARG_TABLE(options),
    .takes_others = true,
    .others_offset = offsetof(EvolveArgs, settings),
    .finds_files = true,
    .add_paths = evolve_add_paths,
    .next_form = &coevolve_engine_spec,
};

int cmd_coevolve(int argc, char **argv) {
    if (coevolve_engine_is_meant(argc, argv))
        return coevolve_engine(argc, argv);
    return evolve_command(&spec, true, argc, argv);
}
