// SPDX-License-Identifier: GPL-3.0-or-later
// The list of settings for a user: those that change something here, with what they may be.
#include "eval/chromosome.h"
#include "settings/run_config.h"
#include "settings/space.h"

#include <string.h>

static void add_name(Str *names, const char *name) {
    str_addf(names, "%s%s", names->length == 0 ? "" : ", ", name);
}

// --- texts that are names ---

static void add_families(const RunConfig *config, Str *names) {
    for (size_t i = 0; families[i] != NULL; i++)
        add_name(names, families[i]->name);
    if (config->fitness == FITNESS_MENTOR)
        add_name(names, FAMILY_COEFFICIENTS);
}

static void add_variants(const RunConfig *config, Str *names) {
    const Family *family = family_find(str_text(&config->family));
    const Variant *variant = family == NULL ? NULL : family->variants;
    for (; variant != NULL && variant->name != NULL; variant++)
        add_name(names, variant->name);
}

static void add_chromosomes(const RunConfig *config, Str *names) {
    for (size_t i = 0; chromosomes[i] != NULL; i++)
        if (strcmp(chromosomes[i]->family->name, str_text(&config->family)) == 0)
            add_name(names, chromosomes[i]->name);
    for (int i = EVOLVE_BINARY; i <= EVOLVE_REAL; i++)
        if (i != EVOLVE_REAL || !config->algorithm.algorithm->needs_bits)
            add_name(names, space_coding_name((EvolveCoding)i));
}

static void add_algorithms(const RunConfig *config, Str *names) {
    const bool is_games = run_config_plays_games(config);
    for (size_t i = 0; evolve_algorithms[i] != NULL; i++)
        if (is_games || evolve_algorithms[i]->ask_meetings == NULL)
            add_name(names, evolve_algorithms[i]->name);
}

static void add_allowed(const RunConfig *config, const Setting *key, Str *out) {
    static const struct {
        const char *name;
        void (*add)(const RunConfig *config, Str *names);
    } texts[] = {
        {"family", add_families}, {"variant", add_variants}, {"chromosome", add_chromosomes}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (strcmp(key->name, texts[i].name) == 0)
            texts[i].add(config, out);
    setting_write_allowed(key, out);
}

// --- the list ---

// What commands write down for themselves.
static bool is_internal(const Setting *key) {
    return strcmp(key->name, "command") == 0;
}

static void list_keys(const RunConfig *config, Str *others, Str *out) {
    const SettingTable *keys = run_config_keys();
    CLEANUP(str_free) Str value = {0};
    CLEANUP(str_free) Str allowed = {0};
    for (size_t i = 0; i < keys->count; i++) {
        const Setting *key = &keys->rows[i];
        if (is_internal(key))
            continue;
        if (!run_config_uses(config, key)) {
            add_name(others, key->name);
            continue;
        }
        str_clear(&value);
        str_clear(&allowed);
        setting_write(key, (const char *)config + key->offset, &value);
        add_allowed(config, key, &allowed);
        setting_describe(key, str_text(&value), str_text(&allowed), out);
    }
}

static void list_algorithm(const RunConfig *config, Str *out) {
    const EvolveAlgorithm *algorithm = config->algorithm.algorithm;
    const Setting which = {.name = "algorithm", .meaning = algorithm->summary};
    CLEANUP(str_free) Str value = {0};
    CLEANUP(str_free) Str allowed = {0};
    add_algorithms(config, &allowed);
    setting_describe(&which, algorithm->name, str_text(&allowed), out);
    for (size_t i = 0; i < algorithm->option_count; i++) {
        str_clear(&value);
        str_clear(&allowed);
        evolve_config_write(&config->algorithm, &algorithm->options[i], &value);
        setting_write_allowed(&algorithm->options[i], &allowed);
        setting_describe(&algorithm->options[i], str_text(&value), str_text(&allowed), out);
    }
}

void run_config_describe(const RunConfig *config, Str *out) {
    CLEANUP(str_free) Str others = {0};
    list_keys(config, &others, out);
    list_algorithm(config, out);
    if (others.length > 0)
        str_addf(out, "\nThese change nothing here: %s\n", str_text(&others));
}
