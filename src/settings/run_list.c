// SPDX-License-Identifier: GPL-3.0-or-later
// The list of settings for a user or a page: which change something here, and what they may be.
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
    if (space_find_family(config, FAMILY_SEARCH) != NULL)
        add_name(names, FAMILY_SEARCH);
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

static void add_names(const RunConfig *config, const Setting *key, Str *out) {
    static const struct {
        const char *name;
        void (*add)(const RunConfig *config, Str *names);
    } texts[] = {
        {"family", add_families}, {"variant", add_variants}, {"chromosome", add_chromosomes}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (strcmp(key->name, texts[i].name) == 0)
            texts[i].add(config, out);
}

// --- the list ---

// What commands write down for themselves.
static bool is_internal(const Setting *key) {
    return strcmp(key->name, "command") == 0;
}

static void list_keys(const RunConfig *config, RunListHandler *handler, void *context) {
    const SettingTable *keys = run_config_keys();
    CLEANUP(str_free) Str value = {0};
    CLEANUP(str_free) Str names = {0};
    for (size_t i = 0; i < keys->count; i++) {
        const Setting *key = &keys->rows[i];
        if (is_internal(key))
            continue;
        str_clear(&value);
        str_clear(&names);
        setting_write(key, (const char *)config + key->offset, &value);
        add_names(config, key, &names);
        handler(context, &(RunListed){key, str_text(&value), str_text(&names),
                                      run_config_uses(config, key)});
    }
}

static void list_algorithm(const RunConfig *config, RunListHandler *handler, void *context) {
    const EvolveAlgorithm *algorithm = config->algorithm.algorithm;
    const Setting which = {.section = "algorithm",
                           .name = "algorithm",
                           .type = SETTING_TEXT,
                           .meaning = algorithm->summary};
    CLEANUP(str_free) Str value = {0};
    CLEANUP(str_free) Str names = {0};
    add_algorithms(config, &names);
    handler(context, &(RunListed){&which, algorithm->name, str_text(&names), true});
    for (size_t i = 0; i < algorithm->option_count; i++) {
        str_clear(&value);
        evolve_config_write(&config->algorithm, &algorithm->options[i], &value);
        handler(context, &(RunListed){&algorithm->options[i], str_text(&value), "", true});
    }
}

void run_config_list(const RunConfig *config, RunListHandler *handler, void *context) {
    list_keys(config, handler, context);
    list_algorithm(config, handler, context);
}

// --- the same as text ---

typedef struct Description {
    Str *out;
    Str others; // names of settings that change nothing
} Description;

static void describe(void *context, const RunListed *listed) {
    Description *description = context;
    CLEANUP(str_free) Str allowed = {0};
    if (!listed->is_used) {
        add_name(&description->others, listed->setting->name);
        return;
    }
    str_add(&allowed, listed->names);
    setting_write_allowed(listed->setting, &allowed);
    setting_describe(listed->setting, listed->value, str_text(&allowed), description->out);
}

void run_config_describe(const RunConfig *config, Str *out) {
    Description description = {.out = out};
    run_config_list(config, describe, &description);
    if (description.others.length > 0)
        str_addf(out, "\nThese change nothing here: %s\n", str_text(&description.others));
    str_free(&description.others);
}
