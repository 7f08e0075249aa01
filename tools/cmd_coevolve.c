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
        "Evolves weights by games between organisms, as described by a preset of experiments/:\n"
        "cec2001 and cec2001-unseeded start from random numbers, gecco2009-coevolve and\n"
        "asoc2013-tournament from results of falconer evolve (--start-from DIR). At the end the\n"
        "best plays those it started from, on openings that evolution has not used. You can "
        "change\n"
        "any setting: --seed 7, --runs 10, --generations 20, --play-nodes 2000,\n"
        "--verdict-games 200; --settings lists them. See docs/coevolve.md. With --engine it "
        "evolves\n"
        "the options of any UCI engine: falconer coevolve --engine --help, docs/tune-engine.md.",
    .example = "falconer coevolve cec2001 --population 10 --generations 2 --verdict-games 20 "
               "-o first-games",
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
