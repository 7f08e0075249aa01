// SPDX-License-Identifier: GPL-3.0-or-later
// The settings of an algorithm. Each algorithm declares a table of options; defaults, ranges, help
// and messages all come from that table.
#pragma once

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

struct EvolveAlgorithm;

enum { EVOLVE_OPTIONS_MAX = 24 };

typedef enum EvolveOptionType { EVOLVE_WHOLE, EVOLVE_FRACTION, EVOLVE_CHOICE } EvolveOptionType;

typedef struct EvolveOption {
    const char *name; // "crossover-rate"
    EvolveOptionType type;
    double low, high, start; // a choice is the index of its name
    const char *help;
    const char *const *choices; // NULL-terminated; NULL unless the type is EVOLVE_CHOICE
} EvolveOption;

// Values in the order of the algorithm's table.
typedef struct EvolveConfig {
    const struct EvolveAlgorithm *algorithm;
    double values[EVOLVE_OPTIONS_MAX];
} EvolveConfig;

// The first options of every algorithm, in this order.
enum { OPTION_POPULATION, OPTION_GENERATIONS, OPTION_EVALUATIONS, OPTIONS_COMMON };

// The defaults of an algorithm.
EvolveConfig evolve_config_default(const struct EvolveAlgorithm *algorithm);
// Sets one option from text ("1000", "0.75", "uniform"); ERR_ARG with a message that says what is
// allowed.
MUST_CHECK Status evolve_config_set(EvolveConfig *config, const char *name, const char *text);
// The value of one option; it must exist.
double evolve_config_get(const EvolveConfig *config, const char *name);
// ERR_ARG when a value is out of its range: "population must be at least 2, not 0".
MUST_CHECK Status evolve_config_check(const EvolveConfig *config);
// The option of that name, or NULL.
const EvolveOption *evolve_config_find(const struct EvolveAlgorithm *algorithm, const char *name);
// A number that differs between algorithms and their values. How long a run goes on is left out, so
// that a finished run can be continued.
uint64_t evolve_config_fingerprint(const EvolveConfig *config);
