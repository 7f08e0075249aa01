// SPDX-License-Identifier: GPL-3.0-or-later
// falconer weights vary: a random variation of a weights file.
#include "base/rng.h"
#include "tools/weights_actions.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { RNG_USE_VARY = 0x76617279 };

typedef struct Values {
    const char *output;
    double spread;
    uint64_t seed;
} Values;

#define ARGS Values
static const ArgOption options[] = {
    ARG_RANGE("spread", 0, "PERCENT", DOUBLE, spread, 0, 1000,
              "how far a value goes at most, either way, in percent of its size, and at least a "
              "unit (default: 10)"),
    ARG("seed", 0, "N", U64, seed, "the same seed gives the same weights (default: 0)"),
    ARG("output", 'o', "FILE", OUTPUT, output, "the file to write (default: standard output)"),
};

const ArgSpec weights_vary_spec = {
    .program = "falconer weights vary",
    .positional = "FILE",
    .least = 1,
    .most = 1,
    .summary = "Varies each value of a weights file at random, evenly and within its bounds. Games "
               "between\nvariations show which values matter.",
    .example = "falconer weights vary maestro-hand.weights --seed 1",
    ARG_TABLE(options),
};

static int varied(int value, double spread, const Term *term, Rng *rng) {
    const double most = fmax(abs(value) * spread / 100, spread > 0 ? 1 : 0);
    const double moved = round(value + (2 * rng_real(rng) - 1) * most);
    return (int)fmax(term->low, fmin(term->high, moved));
}

static Status vary(const char *path, const Values *values) {
    CLEANUP(weights_free) Weights weights = {0};
    Rng rng = rng_at(values->seed, 0, 0, RNG_USE_VARY);
    TRY(weights_load(&weights, path));
    for (size_t i = 0; i < weights.family->term_count; i++)
        weights.parameters[i] =
            varied(weights.parameters[i], values->spread, &weights.family->terms[i], &rng);
    str_addf(&weights.lineage,
             "varied: each value by up to %.6g percent of its size, and at least a unit, with seed "
             "%" PRIu64 "\n",
             values->spread, values->seed);
    return weights_print_or_save(&weights, values->output);
}

int weights_vary(int argc, char **argv) {
    Values values = {.spread = 10};
    CLEANUP(arg_strings_free) ArgStrings files = {0};
    TRY_ARGS(args_parse(&weights_vary_spec, argc, argv, &values, &files));
    return args_exit(&weights_vary_spec, vary(files.items[0], &values));
}
