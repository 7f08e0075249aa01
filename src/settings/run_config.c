// SPDX-License-Identifier: GPL-3.0-or-later
#include "settings/run_config.h"

#include "base/ini.h"
#include "base/locate.h"
#include "base/nearest.h"
#include "eval/chromosome.h"
#include "fitness/gradient/slope.h"
#include "fitness/linear/mentor_panel.h"
#include "fitness/moves/forest_rules.h"
#include "search/features.h"

#include <assert.h>
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef enum KeyType { KEY_TEXT, KEY_WHOLE, KEY_CHOICE } KeyType;

typedef struct RunKey {
    const char *section, *name;
    KeyType type;
    size_t offset;
    double low, high;
    const char *start;
    const char *const *choices;
    const char *meaning;
} RunKey;

#define FITNESS(id, name, kind, way) #name,
static const char *const fitness_names[] = {
#include "settings/fitness.def"
    NULL};
#undef FITNESS
static const char *const no_yes[] = {"no", "yes", NULL};
static const char *const take_names[] = {"bests", "population", "top", NULL};
static const char *const schedule_names[] = {"round-robin", "random", NULL};

static const RunKey keys[] = {
#define KEY(section, name, type, field, low, high, start, choices, meaning)                        \
    {#section, name, KEY_##type, offsetof(RunConfig, field), low, high, start, choices, meaning},
#include "settings/run_keys.def"
#undef KEY
};
enum { KEY_COUNT = sizeof keys / sizeof *keys };

static const char algorithm_key[] = "algorithm";

// --- values ---

static void *field_of(RunConfig *config, const RunKey *key) {
    return (char *)config + key->offset;
}

static Status set_whole(const RunKey *key, const char *text, int64_t *out) {
    int64_t value;
    if (!view_to_int(view_from_string(text), &value) || (double)value < key->low ||
        (double)value > key->high)
        return error_set(ERR_ARG, "%s must be a whole number from %.15g to %.15g, not '%s'",
                         key->name, key->low, key->high, text);
    *out = value;
    return OK;
}

static Status set_choice(const RunKey *key, const char *text, int64_t *out) {
    Str names = {0};
    for (int64_t i = 0; key->choices[i] != NULL; i++) {
        if (strcmp(key->choices[i], text) == 0) {
            *out = i;
            str_free(&names);
            return OK;
        }
        str_addf(&names, "%s%s", i == 0 ? "" : ", ", key->choices[i]);
    }
    const Status status =
        error_set(ERR_ARG, "%s must be one of %s, not '%s'", key->name, str_text(&names), text);
    str_free(&names);
    return status;
}

// What a line of a preset cannot hold would not come back from the run's directory.
static Status set_text(const RunKey *key, const char *text, Str *out) {
    const StrView view = view_from_string(text);
    for (size_t i = 0; i < view.length; i++)
        if (iscntrl((unsigned char)text[i]))
            return error_set(ERR_ARG, "%s must not hold a line break or other control character",
                             key->name);
    if (view_trim(view).length != view.length)
        return error_set(ERR_ARG, "%s must not begin or end with a blank: '%s'", key->name, text);
    str_clear(out);
    str_add(out, text);
    return OK;
}

static Status set_key(RunConfig *config, const RunKey *key, const char *value) {
    void *field = field_of(config, key);
    switch (key->type) {
    case KEY_WHOLE:
        return set_whole(key, value, field);
    case KEY_CHOICE:
        return set_choice(key, value, field);
    default:
        return set_text(key, value, field);
    }
}

static void write_value(const RunConfig *config, const RunKey *key, Str *out) {
    const void *field = (const char *)config + key->offset;
    if (key->type == KEY_TEXT)
        str_add(out, str_text(field));
    else if (key->type == KEY_CHOICE)
        str_add(out, key->choices[*(const int64_t *)field]);
    else
        str_addf(out, "%" PRId64, *(const int64_t *)field);
}

void run_config_init(RunConfig *config) {
    *config = (RunConfig){.algorithm = evolve_config_default(&evolve_ga)};
    for (size_t i = 0; i < KEY_COUNT; i++) {
        const Status status = set_key(config, &keys[i], keys[i].start);
        assert(status == OK); // or a row of the table contradicts itself
        (void)status;
    }
}

void run_config_free(RunConfig *config) {
    for (size_t i = 0; i < KEY_COUNT; i++)
        if (keys[i].type == KEY_TEXT)
            str_free(field_of(config, &keys[i]));
}

// --- names ---

static Status set_algorithm(RunConfig *config, const char *name) {
    const EvolveAlgorithm *algorithm = evolve_find(name);
    if (algorithm == NULL) {
        Str names = {0};
        for (size_t i = 0; evolve_algorithms[i] != NULL; i++)
            str_addf(&names, "%s%s", i == 0 ? "" : ", ", evolve_algorithms[i]->name);
        const Status status =
            error_set(ERR_ARG, "there is no algorithm '%s'; there are %s", name, str_text(&names));
        str_free(&names);
        return status;
    }
    if (algorithm != config->algorithm.algorithm)
        config->algorithm = evolve_config_default(algorithm);
    return OK;
}

// Another family needs another chromosome; where its own is named already, or a coding that goes
// with any, all is well.
static Status set_family(RunConfig *config, const RunKey *key, const char *name) {
    const Status status = set_key(config, key, name);
    const Family *family = family_find(name);
    const Chromosome *chromosome = chromosome_find(str_text(&config->chromosome));
    if (status != OK || family == NULL || chromosome == NULL || chromosome->family == family)
        return status;
    const Chromosome *own = chromosome_of_family(family);
    str_clear(&config->chromosome);
    str_add(&config->chromosome, own == NULL ? "gray" : own->name);
    return OK;
}

// Adds what may have been meant to the message that a name is unknown.
static Status suggest(const RunConfig *config, const char *name) {
    const char *names[KEY_COUNT + EVOLVE_OPTIONS_MAX + 1];
    const EvolveAlgorithm *algorithm = config->algorithm.algorithm;
    size_t count = 0;
    names[count++] = algorithm_key;
    for (size_t i = 0; i < KEY_COUNT; i++)
        names[count++] = keys[i].name;
    for (size_t i = 0; i < algorithm->option_count; i++)
        names[count++] = algorithm->options[i].name;
    const char *nearest = nearest_name(name, names, count);
    if (nearest == NULL)
        return ERR_ARG;
    char message[512];
    snprintf(message, sizeof message, "%s", error_message());
    return error_set(ERR_ARG, "%s: did you mean '%s'?", message, nearest);
}

Status run_config_set(RunConfig *config, const char *name, const char *value) {
    if (strcmp(name, algorithm_key) == 0)
        return set_algorithm(config, value);
    for (size_t i = 0; i < KEY_COUNT; i++)
        if (strcmp(keys[i].name, name) == 0)
            return strcmp(name, "family") == 0 ? set_family(config, &keys[i], value)
                                               : set_key(config, &keys[i], value);
    if (evolve_config_find(config->algorithm.algorithm, name) != NULL) {
        const Status status = evolve_config_set(&config->algorithm, name, value);
        return status != OK ? status : evolve_config_check(&config->algorithm);
    }
    (void)error_set(ERR_ARG, "there is no setting '%s' (algorithm %s)", name,
                    config->algorithm.algorithm->name);
    return suggest(config, name);
}

// --- files ---

// A preset must name its algorithm before it sets the algorithm's options: first in its section.
static Status take_setting(void *context, const char *section, const char *key, const char *value) {
    RunConfig *config = context;
    if (strcmp(section, algorithm_key) == 0) {
        if (strcmp(key, "name") == 0)
            return set_algorithm(config, value);
        if (evolve_config_find(config->algorithm.algorithm, key) == NULL) {
            (void)error_set(ERR_ARG, "algorithm %s has no setting '%s'",
                            config->algorithm.algorithm->name, key);
            return suggest(config, key);
        }
        const Status status = evolve_config_set(&config->algorithm, key, value);
        return status != OK ? status : evolve_config_check(&config->algorithm);
    }
    for (size_t i = 0; i < KEY_COUNT; i++)
        if (strcmp(keys[i].name, key) == 0 && strcmp(keys[i].section, section) == 0)
            return set_key(config, &keys[i], value);
    (void)error_set(ERR_ARG, "there is no setting '%s' in section [%s]", key, section);
    return suggest(config, key);
}

Status run_config_parse(RunConfig *config, StrView text, const char *name) {
    return ini_read_text(text, name, take_setting, config);
}

Status run_config_load(RunConfig *config, const char *preset) {
    Str name = {0}, path = {0};
    const bool is_path = strchr(preset, '/') != NULL || strstr(preset, ".ini") != NULL;
    str_addf(&name, "%s%s", preset, is_path ? "" : ".ini");
    Status status = locate("experiments", str_text(&name), &path);
    if (status == OK)
        status = ini_read_file(str_text(&path), take_setting, config);
    str_free(&name);
    str_free(&path);
    return status;
}

static Status check_games(const RunConfig *config) {
    if (config->play_nodes == 0 && config->play_depth == 0)
        return error_set(ERR_ARG, "a move needs a limit: set play-nodes or play-depth");
    if (config->verdict_games % 2 != 0)
        return error_set(ERR_ARG, "verdict-games must be even: each opening is played twice");
    return evolve_config_check(&config->algorithm);
}

bool run_config_plays_games(const RunConfig *config) {
    enum { KIND_POSITIONS, KIND_GAMES };
    static const int kinds[] = {
#define FITNESS(id, name, kind, way) [FITNESS_##id] = KIND_##kind,
#include "settings/fitness.def"
#undef FITNESS
    };
    return kinds[config->fitness] == KIND_GAMES;
}

Status run_config_check(const RunConfig *config) {
    if (run_config_plays_games(config))
        return check_games(config);
    if (config->data.length == 0)
        return error_set(ERR_ARG, "there is no training set: name one with --data");
    if (config->mates == 1 && config->clamp == 0)
        return error_set(ERR_ARG, "mates = clamp needs a limit: set clamp too");
    if (config->leaves > 0 && config->surrogate == 0)
        return error_set(ERR_ARG, "leaves needs steps to go: set surrogate too");
    if (config->trees > 0 && config->leaves == 0)
        return error_set(ERR_ARG, "trees leaves out positions that nothing else would learn from: "
                                  "set leaves too, or take fewer with positions");
    if (config->algorithm.algorithm->ask_meetings != NULL)
        return error_set(ERR_ARG, "algorithm %s learns from games, not from positions",
                         config->algorithm.algorithm->name);
    return evolve_config_check(&config->algorithm);
}

// --- settings that change nothing ---

static bool is_one_of(const char *name, const char *const *names) {
    while (*names != NULL && strcmp(*names, name) != 0)
        names++;
    return *names != NULL;
}

static bool has_several_mentors(const RunConfig *config) {
    return config->fitness == FITNESS_MENTOR && strchr(str_text(&config->data), ',') != NULL;
}

static bool is_used(const RunConfig *config, const RunKey *key) {
    static const char *const sets[] = {"data", "test", "sample", NULL};
    static const char *const trees[] = {"quiescence", "depth", "max-memory", "forest-cache", NULL};
    static const char *const slope[] = {"loss", "temperature", "stay-near", NULL};
    static const char *const points[] = {"schedule", "match-games", NULL};
    if (strcmp(key->section, "mentor") == 0)
        // Who cannot have a tempo says why.
        return config->fitness == FITNESS_MENTOR || strcmp(key->name, "tempo") == 0;
    if (strcmp(key->section, "mentors") == 0)
        return has_several_mentors(config) && (config->mentors_target != CONSENSUS_FITTED ||
                                               strcmp(key->name, "mentors-normalise") != 0);
    if (strcmp(key->section, "moves") == 0)
        return config->fitness == FITNESS_MENTOR
                   ? config->resolve && is_one_of(key->name, trees)
                   : config->fitness == FITNESS_MOVES &&
                         (config->surrogate > 0 || !is_one_of(key->name, slope));
    if (strcmp(key->section, "games") == 0)
        return config->fitness == FITNESS_GAMES &&
               (config->algorithm.algorithm->ask_meetings == NULL || !is_one_of(key->name, points));
    // The section of another fitness.
    if (is_one_of(key->section, fitness_names))
        return strcmp(key->section, fitness_names[config->fitness]) == 0;
    return !run_config_plays_games(config) || !is_one_of(key->name, sets);
}

static Status refuse_useless(const RunConfig *config, const RunKey *key) {
    static const char *const ways[] = {
#define FITNESS(id, name, kind, way) [FITNESS_##id] = way,
#include "settings/fitness.def"
#undef FITNESS
    };
    if (strcmp(key->section, "mentors") != 0 || config->fitness != FITNESS_MENTOR)
        return error_set(ERR_ARG, "%s changes nothing here, where organisms learn %s", key->name,
                         ways[config->fitness]);
    return error_set(ERR_ARG, "%s changes nothing %s", key->name,
                     has_several_mentors(config) ? "where scales are fitted"
                                                 : "with one mentor: --data A,B names several");
}

Status run_config_check_use(const RunConfig *config, const char *name) {
    for (size_t i = 0; i < KEY_COUNT; i++)
        if (strcmp(keys[i].name, name) == 0 && !is_used(config, &keys[i]))
            return refuse_useless(config, &keys[i]);
    return OK;
}

// --- all of it as text ---

void run_config_write(const RunConfig *config, Str *out) {
    const char *section = "";
    for (size_t i = 0; i < KEY_COUNT; i++) {
        if (strcmp(section, keys[i].section) != 0)
            str_addf(out, "%s[%s]\n", i == 0 ? "" : "\n", keys[i].section);
        section = keys[i].section;
        str_addf(out, "%s = ", keys[i].name);
        write_value(config, &keys[i], out);
        str_add(out, "\n");
    }
    const EvolveAlgorithm *algorithm = config->algorithm.algorithm;
    str_addf(out, "\n[%s]\nname = %s\n", algorithm_key, algorithm->name);
    for (size_t i = 0; i < algorithm->option_count; i++) {
        str_addf(out, "%s = ", algorithm->options[i].name);
        evolve_config_write(&config->algorithm, &algorithm->options[i], out);
        str_add(out, "\n");
    }
}

void run_config_describe(const RunConfig *config, Str *out) {
    Str value = {0};
    for (size_t i = 0; i < KEY_COUNT; i++) {
        str_clear(&value);
        write_value(config, &keys[i], &value);
        str_addf(out, "  --%-18s %s (%s)\n", keys[i].name, keys[i].meaning,
                 value.length > 0 ? str_text(&value) : "none");
    }
    const EvolveAlgorithm *algorithm = config->algorithm.algorithm;
    str_addf(out, "  --%-18s %s (%s)\n", algorithm_key, algorithm->summary, algorithm->name);
    for (size_t i = 0; i < algorithm->option_count; i++) {
        str_clear(&value);
        evolve_config_write(&config->algorithm, &algorithm->options[i], &value);
        str_addf(out, "  --%-18s %s (%s)\n", algorithm->options[i].name, algorithm->options[i].meaning,
                 str_text(&value));
    }
    str_free(&value);
}
