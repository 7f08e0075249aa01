// SPDX-License-Identifier: GPL-3.0-or-later
#include "evolve/options.h"

#include "base/hash.h"
#include "evolve/algorithm.h"

#include <assert.h>
#include <math.h>

static Status parse(const Setting *option, const char *text, double *out) {
    int64_t index = 0;
    if (option->type == SETTING_CHOICE) {
        TRY(setting_parse(option, text, &index));
        *out = (double)index;
        return OK;
    }
    double number;
    if (!view_to_number(view_from_string(text), &number))
        number = NAN; // which no range holds
    TRY(setting_check_number(option, number, text));
    *out = number;
    return OK;
}

EvolveConfig evolve_config_default(const EvolveAlgorithm *algorithm) {
    EvolveConfig config = {.algorithm = algorithm};
    for (size_t i = 0; i < algorithm->option_count; i++) {
        const Setting *option = &algorithm->options[i];
        const Status status = parse(option, option->start, &config.values[i]);
        assert(status == OK); // or the row contradicts itself
        (void)status;
    }
    return config;
}

const Setting *evolve_config_find(const EvolveAlgorithm *algorithm, const char *name) {
    const SettingTable table = {algorithm->options, algorithm->option_count};
    return settings_find(&table, NULL, name);
}

Status evolve_config_set(EvolveConfig *config, const char *name, const char *text) {
    const Setting *option = evolve_config_find(config->algorithm, name);
    if (option == NULL)
        return error_set(ERR_ARG, "algorithm %s has no setting '%s'", config->algorithm->name,
                         name);
    return parse(option, text, &config->values[option - config->algorithm->options]);
}

double evolve_config_get(const EvolveConfig *config, const char *name) {
    const Setting *option = evolve_config_find(config->algorithm, name);
    assert(option != NULL);
    return config->values[option - config->algorithm->options];
}

void evolve_config_write(const EvolveConfig *config, const Setting *option, Str *out) {
    const double value = config->values[option - config->algorithm->options];
    if (option->type == SETTING_CHOICE)
        str_add(out, option->choices[(size_t)value]);
    else
        str_add_double(out, value);
}

Status evolve_config_check(const EvolveConfig *config) {
    for (size_t i = 0; i < config->algorithm->option_count; i++) {
        CLEANUP(str_free) Str text = {0};
        str_addf(&text, "%.15g", config->values[i]);
        TRY(setting_check_number(&config->algorithm->options[i], config->values[i],
                                 str_text(&text)));
    }
    return OK;
}

uint64_t evolve_config_fingerprint(const EvolveConfig *config) {
    const EvolveConfig defaults = evolve_config_default(config->algorithm);
    const size_t later = config->algorithm->first_later_option;
    CLEANUP(str_free) Str text = {0};
    str_add(&text, config->algorithm->name);
    for (size_t i = 0; i < config->algorithm->option_count; i++) {
        if (i == OPTION_GENERATIONS || i == OPTION_EVALUATIONS)
            continue;
        if (later != 0 && i >= later && config->values[i] == defaults.values[i])
            continue;
        str_add(&text, config->algorithm->options[i].name);
        bytes_add_double(&text, config->values[i]);
    }
    return hash_bytes(HASH_START, text.text, text.length);
}
