// SPDX-License-Identifier: GPL-3.0-or-later
#include "evolve/options.h"
#include "base/hash.h"

#include "base/str.h"
#include "evolve/algorithm.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

EvolveConfig evolve_config_default(const EvolveAlgorithm *algorithm) {
    EvolveConfig config = {.algorithm = algorithm};
    for (size_t i = 0; i < algorithm->option_count; i++)
        config.values[i] = algorithm->options[i].start;
    return config;
}

const EvolveOption *evolve_config_find(const EvolveAlgorithm *algorithm, const char *name) {
    for (size_t i = 0; i < algorithm->option_count; i++)
        if (strcmp(algorithm->options[i].name, name) == 0)
            return &algorithm->options[i];
    return NULL;
}

static Status check_value(const EvolveOption *option, double value) {
    // Written so that a value that is no number fails too.
    if (!(value >= option->low))
        return error_set(ERR_ARG, "%s must be at least %.15g, not %.15g", option->name, option->low,
                         value);
    if (value > option->high)
        return error_set(ERR_ARG, "%s must be at most %.15g, not %.15g", option->name, option->high,
                         value);
    if (option->type != EVOLVE_FRACTION && value != floor(value))
        return error_set(ERR_ARG, "%s must be a whole number, not %.15g", option->name, value);
    return OK;
}

static Status parse_choice(const EvolveOption *option, const char *text, double *value) {
    Str names = {0};
    for (size_t i = 0; option->choices[i] != NULL; i++) {
        if (strcmp(option->choices[i], text) == 0) {
            *value = (double)i;
            str_free(&names);
            return OK;
        }
        str_addf(&names, "%s%s", i == 0 ? "" : ", ", option->choices[i]);
    }
    Status status = error_set(ERR_ARG, "%s must be one of %s, not \"%s\"", option->name,
                              str_text(&names), text);
    str_free(&names);
    return status;
}

static Status parse_number(const EvolveOption *option, const char *text, double *value) {
    char *end;
    errno = 0;
    *value = strtod(text, &end);
    if (end == text || *end != '\0' || errno != 0)
        return error_set(ERR_ARG, "%s must be a number, not \"%s\"", option->name, text);
    return check_value(option, *value);
}

Status evolve_config_set(EvolveConfig *config, const char *name, const char *text) {
    const EvolveOption *option = evolve_config_find(config->algorithm, name);
    if (option == NULL)
        return error_set(ERR_ARG, "%s has no option \"%s\"", config->algorithm->name, name);
    double value = 0;
    Status status = option->type == EVOLVE_CHOICE ? parse_choice(option, text, &value)
                                                  : parse_number(option, text, &value);
    if (status == OK)
        config->values[option - config->algorithm->options] = value;
    return status;
}

double evolve_config_get(const EvolveConfig *config, const char *name) {
    const EvolveOption *option = evolve_config_find(config->algorithm, name);
    assert(option != NULL);
    return config->values[option - config->algorithm->options];
}

Status evolve_config_check(const EvolveConfig *config) {
    for (size_t i = 0; i < config->algorithm->option_count; i++) {
        Status status = check_value(&config->algorithm->options[i], config->values[i]);
        if (status != OK)
            return status;
    }
    return OK;
}

uint64_t evolve_config_fingerprint(const EvolveConfig *config) {
    Str text = {0};
    str_add(&text, config->algorithm->name);
    for (size_t i = 0; i < config->algorithm->option_count; i++) {
        if (i == OPTION_GENERATIONS || i == OPTION_EVALUATIONS)
            continue;
        str_add(&text, config->algorithm->options[i].name);
        bytes_add_double(&text, config->values[i]);
    }
    uint64_t hash = hash_bytes(HASH_START, text.text, text.length);
    str_free(&text);
    return hash;
}
