// SPDX-License-Identifier: GPL-3.0-or-later
// weather-factory's config.json, read by cJSON.
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct TuneJsonOption {
    const char *name; // borrowed
    int64_t value, low, high;
} TuneJsonOption;

// True for a name that ends in .json.
bool tune_json_is(const char *path);
// Calls for each option of the file; its failure ends the reading. Messages name the file.
MUST_CHECK Status tune_json_read(const char *path,
                                 Status (*take)(void *context, const TuneJsonOption *option),
                                 void *context);
