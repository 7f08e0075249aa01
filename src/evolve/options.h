// SPDX-License-Identifier: GPL-3.0-or-later
// The settings of an algorithm. Each algorithm declares a table of options (base/settings.h);
// defaults, ranges, help and messages all come from that table.
#pragma once

#include "base/settings.h"

struct EvolveAlgorithm;

enum { EVOLVE_OPTIONS_MAX = 24 };

// Rows of an algorithm's table: whole and other numbers, and choices.
#define OPTION_WHOLE(name, low, high, start, meaning)                                              \
    { NULL, name, SETTING_WHOLE, 0, low, high, start, NULL, meaning }
#define OPTION_REAL(name, low, high, start, meaning)                                               \
    { NULL, name, SETTING_REAL, 0, low, high, start, NULL, meaning }
#define OPTION_CHOICE(name, start, choices, meaning)                                               \
    { NULL, name, SETTING_CHOICE, 0, 0, 0, start, choices, meaning }

// The rows with which every table begins, and their indices.
#define OPTIONS_FOR_ALL(least, population, generations)                                            \
    OPTION_WHOLE("population", least, 1000000, population, "organisms in a generation"),           \
        OPTION_WHOLE("generations", 0, 1000000000, generations,                                    \
                     "the last generation; 0 is the start"),                                       \
        OPTION_WHOLE("evaluations", 0, 1e12, "0",                                                  \
                     "stop after so many organisms judged; 0: no limit")
enum { OPTION_POPULATION, OPTION_GENERATIONS, OPTION_EVALUATIONS, OPTIONS_COMMON };

// Values in the order of the algorithm's table; a choice is the index of its name.
typedef struct EvolveConfig {
    const struct EvolveAlgorithm *algorithm;
    double values[EVOLVE_OPTIONS_MAX];
} EvolveConfig;

// The defaults of an algorithm.
EvolveConfig evolve_config_default(const struct EvolveAlgorithm *algorithm);
// Sets one option from text ("1000", "0.75", "uniform"); ERR_ARG with a message that says what is
// allowed.
MUST_CHECK Status evolve_config_set(EvolveConfig *config, const char *name, const char *text);
// The value of one option, which must exist, as a number; appended as text.
double evolve_config_get(const EvolveConfig *config, const char *name);
void evolve_config_write(const EvolveConfig *config, const Setting *option, Str *out);
// ERR_ARG when a value is out of its range: "population must be a whole number from 2 to 1000000,
// not '0'".
MUST_CHECK Status evolve_config_check(const EvolveConfig *config);
// The option of that name, or NULL.
const Setting *evolve_config_find(const struct EvolveAlgorithm *algorithm, const char *name);
// A number that differs between algorithms and their values. How long a run goes on is left out, so
// that a finished run can be continued.
uint64_t evolve_config_fingerprint(const EvolveConfig *config);
