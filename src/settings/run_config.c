// SPDX-License-Identifier: GPL-3.0-or-later
#include "settings/run_config.h"

#include "base/ini.h"
#include "base/locate.h"
#include "base/nearest.h"
#include "eval/chromosome.h"
#include "fitness/gradient/slope.h"
#include "fitness/linear/mentor_panel.h"
#include "fitness/moves/forest_rules.h"
#include "search/search_family.h"

#include <string.h>

#define FITNESS(id, name, kind, way) #name,
static const char *const fitness_names[] = {
#include "settings/fitness.def"
    NULL};
#undef FITNESS
static const char *const no_yes[] = {"no", "yes", NULL};
static const char *const take_names[] = {"bests", "population", "top", NULL};
static const char *const schedule_names[] = {"round-robin", "random", "race", NULL};

static const Setting keys[] = {
#define KEY(section, name, type, field, low, high, start, choices, meaning)                        \
    {#section, name,    SETTING_##type, offsetof(RunConfig, field), low, high,                     \
     start,    choices, meaning},
#include "settings/run_keys.def"
#undef KEY
};
enum { KEY_COUNT = sizeof keys / sizeof *keys };
static const SettingTable table = {keys, KEY_COUNT};

const SettingTable *run_config_keys(void) {
    return &table;
}

static const char algorithm_key[] = "algorithm";

void run_config_init(RunConfig *config) {
    *config = (RunConfig){.algorithm = evolve_config_default(&evolve_ga)};
    settings_init(&table, config);
}

void run_config_free(RunConfig *config) {
    settings_free(&table, config);
}

static bool is_valid(const Setting *key, int64_t value) {
    size_t choices = 0;
    if (key->type == SETTING_WHOLE)
        return (double)value >= key->low && (double)value <= key->high;
    while (key->choices[choices] != NULL)
        choices++;
    return value >= 0 && (size_t)value < choices;
}

bool run_config_is_valid(const RunConfig *config) {
    for (size_t i = 0; i < KEY_COUNT; i++)
        if (keys[i].type != SETTING_TEXT &&
            !is_valid(&keys[i], *(const int64_t *)((const char *)config + keys[i].offset)))
            return false;
    return config->algorithm.algorithm != NULL;
}

static Status set_key(RunConfig *config, const Setting *key, const char *value) {
    return setting_parse(key, value, settings_field(key, config));
}

// --- names ---

static Status set_algorithm(RunConfig *config, const char *name) {
    const EvolveAlgorithm *algorithm = evolve_find(name);
    if (algorithm == NULL) {
        CLEANUP(str_free) Str names = {0};
        for (size_t i = 0; evolve_algorithms[i] != NULL; i++)
            str_addf(&names, "%s%s", i == 0 ? "" : ", ", evolve_algorithms[i]->name);
        return error_set(ERR_ARG, "there is no algorithm '%s'; there are %s", name,
                         str_text(&names));
    }
    if (algorithm != config->algorithm.algorithm)
        config->algorithm = evolve_config_default(algorithm);
    return OK;
}

// Another family needs another chromosome; where its own is named already, or a coding that goes
// with any, all is well.
static Status set_family(RunConfig *config, const Setting *key, const char *name) {
    const Status status = set_key(config, key, name);
    const Family *family = strcmp(name, FAMILY_SEARCH) == 0 ? &family_search : family_find(name);
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
    return nearest_suggest(ERR_ARG, name, names, count);
}

Status run_config_set(RunConfig *config, const char *name, const char *value) {
    const Setting *key = settings_find(&table, NULL, name);
    if (strcmp(name, algorithm_key) == 0)
        return set_algorithm(config, value);
    if (key != NULL)
        return strcmp(name, "family") == 0 ? set_family(config, key, value)
                                           : set_key(config, key, value);
    if (evolve_config_find(config->algorithm.algorithm, name) != NULL)
        return evolve_config_set(&config->algorithm, name, value);
    (void)error_set(ERR_ARG, "there is no setting '%s' (algorithm %s)", name,
                    config->algorithm.algorithm->name);
    return suggest(config, name);
}

// --- files ---

static const char *const sections[] = {
#define FITNESS(id, name, kind, way) #name,
    "run",
    "mentors",
    algorithm_key,
#include "settings/fitness.def"
#undef FITNESS
};
enum { SECTION_COUNT = sizeof sections / sizeof *sections };

static Status check_section(const char *section) {
    CLEANUP(str_free) Str names = {0};
    for (size_t i = 0; i < SECTION_COUNT; i++) {
        if (strcmp(sections[i], section) == 0)
            return OK;
        str_addf(&names, "%s[%s]", i == 0 ? "" : ", ", sections[i]);
    }
    if (nearest_name(section, sections, SECTION_COUNT) == NULL)
        return error_set(ERR_ARG, "there is no section [%s]; there are %s", section,
                         str_text(&names));
    (void)error_set(ERR_ARG, "there is no section [%s]", section);
    return nearest_suggest(ERR_ARG, section, sections, SECTION_COUNT);
}

// A setting that the section does not have: another may, or one of a similar name is meant.
static Status refuse_setting(const RunConfig *config, const char *section, const char *name) {
    const Setting *elsewhere = settings_find(&table, NULL, name);
    const bool is_option = evolve_config_find(config->algorithm.algorithm, name) != NULL;
    if (section[0] == '\0')
        return error_set(ERR_ARG, "setting '%s' stands before any section, such as [run]", name);
    TRY(check_section(section));
    if (elsewhere != NULL || is_option)
        return error_set(ERR_ARG, "setting '%s' belongs in section [%s], not in [%s]", name,
                         is_option ? algorithm_key : elsewhere->section, section);
    if (strcmp(section, algorithm_key) == 0)
        (void)error_set(ERR_ARG, "algorithm %s has no setting '%s'",
                        config->algorithm.algorithm->name, name);
    else
        (void)error_set(ERR_ARG, "there is no setting '%s' in section [%s]", name, section);
    return suggest(config, name);
}

// A preset must name its algorithm before it sets the algorithm's options: first in its section.
static Status take_setting(void *context, const char *section, const char *key, const char *value) {
    RunConfig *config = context;
    const bool is_algorithm = strcmp(section, algorithm_key) == 0;
    const Setting *row = is_algorithm ? NULL : settings_find(&table, section, key);
    if (row != NULL)
        return set_key(config, row, value);
    if (is_algorithm && strcmp(key, "name") == 0)
        return set_algorithm(config, value);
    if (is_algorithm && evolve_config_find(config->algorithm.algorithm, key) != NULL)
        return evolve_config_set(&config->algorithm, key, value);
    return refuse_setting(config, section, key);
}

Status run_config_parse(RunConfig *config, StrView text, const char *name) {
    return ini_read_text(text, name, take_setting, config);
}

// Adds the preset that may have been meant to the message that there is none of that name; where
// no name is near, all of them.
static Status suggest_preset(Status status, const char *preset) {
    enum { PRESETS_MAX = 256 };
    const char *names[PRESETS_MAX];
    size_t count = 0;
    CLEANUP(str_free) Str lines = {0};
    CLEANUP(str_free) Str list = {0};
    locate_list("experiments", ".ini", &lines);
    for (char *line = lines.text; line != NULL && *line != '\0' && count < PRESETS_MAX;) {
        char *end = strchr(line, '\n');
        *end = '\0';
        str_addf(&list, "%s%s", count == 0 ? "" : ", ", line);
        names[count++] = line;
        line = end + 1;
    }
    if (count == 0 || nearest_name(preset, names, count) != NULL)
        return nearest_suggest(status, preset, names, count);
    CLEANUP(str_free) Str message = {0};
    str_add(&message, error_message());
    return error_set(status, "%s; there are %s", str_text(&message), str_text(&list));
}

Status run_config_load(RunConfig *config, const char *preset) {
    CLEANUP(str_free) Str name = {0};
    CLEANUP(str_free) Str path = {0};
    const bool is_path = strchr(preset, '/') != NULL || strstr(preset, ".ini") != NULL;
    str_addf(&name, "%s%s", preset, is_path ? "" : ".ini");
    const Status status = locate("experiments", str_text(&name), &path);
    if (status != OK)
        return is_path ? status : suggest_preset(status, preset);
    return ini_read_file(str_text(&path), take_setting, config);
}

static Status check_verdict(const RunConfig *config) {
    if (config->play_nodes == 0 && config->play_depth == 0)
        return error_set(ERR_ARG, "a move needs a limit: set play-nodes or play-depth");
    const bool is_verdict = config->verdict_games % 2 != 0;
    return !is_verdict && config->strength_games % 2 == 0
               ? OK
               : error_set(ERR_ARG, "%s-games must be even: each opening is played twice",
                           is_verdict ? "verdict" : "strength");
}

static Status check_games(const RunConfig *config) {
    TRY(check_verdict(config));
    if (config->schedule == GAMES_RACE && config->match_games % 2 != 0)
        return error_set(ERR_ARG,
                         "match-games must be even in a race: each opening is played twice");
    // The same two organisms would play the same game again and again.
    if (config->initial_position && (config->schedule == GAMES_RACE || config->playoff_games > 0))
        return error_set(ERR_ARG, "races and play-offs need openings: initial-position must be no");
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
    if (config->fitness == FITNESS_SUITE)
        TRY(check_verdict(config));
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

static bool is_used(const RunConfig *config, const Setting *key) {
    static const char *const sets[] = {"data", "test", "sample", NULL};
    static const char *const trees[] = {"quiescence", "depth", "max-memory", "forest-cache", NULL};
    static const char *const slope[] = {"loss", "temperature", "stay-near", NULL};
    // What a suite's searches and the games of their verdict depend on.
    static const char *const verdict[] = {"profile",    "openings",      "play-nodes",
                                          "play-depth", "verdict-games", "max-moves",
                                          "adjudicate", "hash",          NULL};
    static const char *const points[] = {"schedule", "match-games", "playoff-games", "start-spread",
                                         NULL};
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
        return config->fitness == FITNESS_SUITE
                   ? is_one_of(key->name, verdict)
                   : config->fitness == FITNESS_GAMES &&
                         (config->algorithm.algorithm->ask_meetings == NULL ||
                          !is_one_of(key->name, points));
    if (strcmp(key->name, "weights") == 0)
        return config->fitness == FITNESS_SUITE ||
               (config->fitness == FITNESS_GAMES &&
                strcmp(str_text(&config->family), FAMILY_SEARCH) == 0);
    // The section of another fitness.
    if (is_one_of(key->section, fitness_names))
        return strcmp(key->section, fitness_names[config->fitness]) == 0;
    return !run_config_plays_games(config) || !is_one_of(key->name, sets);
}

static Status refuse_useless(const RunConfig *config, const Setting *key) {
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

bool run_config_uses(const RunConfig *config, const Setting *key) {
    return is_used(config, key) &&
           (config->fitness == FITNESS_MENTOR || strcmp(key->section, "mentor") != 0);
}

Status run_config_check_use(const RunConfig *config, const char *name) {
    const Setting *key = settings_find(&table, NULL, name);
    return key == NULL || is_used(config, key) ? OK : refuse_useless(config, key);
}

// --- all of it as text ---

void run_config_write(const RunConfig *config, Str *out) {
    const EvolveAlgorithm *algorithm = config->algorithm.algorithm;
    settings_write(&table, config, out);
    str_addf(out, "\n[%s]\nname = %s\n", algorithm_key, algorithm->name);
    for (size_t i = 0; i < algorithm->option_count; i++) {
        str_addf(out, "%s = ", algorithm->options[i].name);
        evolve_config_write(&config->algorithm, &algorithm->options[i], out);
        str_add(out, "\n");
    }
}
