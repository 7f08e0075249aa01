// SPDX-License-Identifier: GPL-3.0-or-later
#include "serve/start_plan.h"

#include "base/json.h"
#include "base/locate.h"
#include "base/mem.h"
#include "board/play_game.h"
#include "dist/pool.h"
#include "serve/opponent.h"
#include "settings/space.h"

#include <stdlib.h>
#include <string.h>

void start_plan_free(StartPlan *plan) {
    run_config_free(&plan->config);
    start_match_free(&plan->match);
    str_free(&plan->name);
    str_free(&plan->bad);
    for (size_t i = 0; i < plan->change_count; i++)
        free(plan->changes[i]);
    for (size_t i = 0; i < plan->setting_count; i++)
        free(plan->settings[i]);
    free(plan->changes);
    free(plan->settings);
}

bool start_plan_is_match(const StartPlan *plan) {
    return strcmp(str_text(&plan->name), START_MATCH) == 0;
}

int64_t start_plan_seed(const StartPlan *plan) {
    return start_plan_is_match(plan) ? plan->match.seed : plan->config.seed;
}

void start_plan_write(const StartPlan *plan, void (*add)(void *context, const char *word),
                      void *context) {
    CLEANUP(str_free) Str option = {0};
    if (start_plan_is_match(plan)) {
        start_match_write(&plan->match, add, context);
        return;
    }
    add(context, str_text(&plan->name));
    for (size_t i = 0; i < plan->setting_count; i += 2) {
        str_setf(&option, "--%s", plan->settings[i]);
        add(context, str_text(&option));
        add(context, plan->settings[i + 1]);
    }
}

const char *start_plan_verb(const StartPlan *plan) {
    if (start_plan_is_match(plan))
        return "match";
    return run_config_plays_games(&plan->config) ? "coevolve" : "evolve";
}

const char *start_plan_change(const StartPlan *plan, const char *name) {
    for (size_t i = plan->change_count; i >= 2; i -= 2)
        if (strcmp(plan->changes[i - 2], name) == 0)
            return plan->changes[i - 1];
    return NULL;
}

// --- files, which pages choose from lists ---

// Texts that are harmless whatever they are, and those for which there is a list. All others could
// be paths.
static const struct {
    const char *name;
    StartFiles files;
} texts[] = {
    {"family", START_TEXT},     {"variant", START_TEXT},    {"chromosome", START_TEXT},
    {"freeze", START_TEXT},     {"only", START_TEXT},       {"bounds", START_TEXT},
    {"player", START_TEXT},     {"data", START_SETS},       {"test", START_SETS},
    {"openings", START_SETS},   {"start", START_WEIGHTS},   {"verdict-openings", START_SETS},
    {"weights", START_WEIGHTS}, {"start-from", START_RUNS}, {"first", START_WEIGHTS},
    {"second", START_WEIGHTS},
};
enum { TEXT_COUNT = sizeof texts / sizeof *texts };

StartFiles start_plan_files(const char *setting) {
    for (size_t i = 0; i < TEXT_COUNT; i++)
        if (strcmp(texts[i].name, setting) == 0)
            return texts[i].files;
    return START_TEXT;
}

bool start_plan_is_hidden(const char *setting) {
    const Setting *key = settings_find(run_config_keys(), NULL, setting);
    if (key == NULL || key->type != SETTING_TEXT)
        return false;
    for (size_t i = 0; i < TEXT_COUNT; i++)
        if (strcmp(texts[i].name, setting) == 0)
            return false;
    return true;
}

void start_plan_list_sets(Str *out) {
    static const char *const endings[] = {".epd", ".epd.zst"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        CLEANUP(str_free) Str names = {0};
        locate_list("data", endings[i], &names);
        char *rest = names.text, *name;
        while (rest != NULL && (name = strsep(&rest, "\n")) != NULL)
            if (name[0] != '\0')
                str_addf(out, "%s%s\n", name, endings[i]);
    }
}

// Whether a list, a line each, has that name.
static bool has_line(const Str *list, const char *name) {
    CLEANUP(str_free) Str wanted = {0};
    CLEANUP(str_free) Str lines = {0};
    str_addf(&wanted, "\n%s\n", name);
    str_addf(&lines, "\n%s", str_text(list));
    return name[0] != '\0' && strchr(name, '\n') == NULL &&
           strstr(str_text(&lines), str_text(&wanted)) != NULL;
}

static Status find_set(const char *name, Str *out) {
    CLEANUP(str_free) Str sets = {0};
    start_plan_list_sets(&sets);
    if (!has_line(&sets, name))
        return error_set(ERR_ARG, "'%s' is not in the list of data sets", name);
    str_add(out, name);
    return OK;
}

// Of each item of a list with commas, the file.
static Status find_files(Server *server, StartFiles files, const char *value, Str *out) {
    CLEANUP(mem_free_at) char *copy = mem_copy_string(value);
    char *rest = copy, *item;
    while (value[0] != '\0' && (item = strsep(&rest, ",")) != NULL) {
        const size_t start = out->length;
        TRY(files == START_SETS ? find_set(item, out) : opponent_find_file(server, item, out));
        if (strchr(out->text + start, ',') != NULL)
            return error_set(ERR_ARG, "%s: a comma in its path would part it", out->text + start);
        if (rest != NULL)
            str_add(out, ",");
    }
    return OK;
}

// --- changes ---

static Status add_change(StartPlan *plan, Server *server, const char *name, const char *value) {
    CLEANUP(str_free) Str word = {0};
    const StartFiles files = start_plan_files(name);
    str_setf(&plan->bad, "%s", name);
    if (plan->change_count >= 2 * START_CHANGES_MAX || strlen(value) > START_VALUE_MAX)
        return error_set(ERR_LIMIT, "%s: too much", name);
    if (start_plan_is_hidden(name))
        return error_set(ERR_ARG, "%s is not changed by pages", name);
    if (start_plan_change(plan, name) != NULL)
        return error_set(ERR_ARG, "%s is there twice", name);
    if (files == START_TEXT)
        str_add(&word, value);
    else
        TRY(find_files(server, files, value, &word));
    MEM_ADD(plan->changes, plan->change_count, plan->change_capacity) = mem_copy_string(name);
    MEM_ADD(plan->changes, plan->change_count, plan->change_capacity) = mem_copy_string(value);
    MEM_ADD(plan->settings, plan->setting_count, plan->setting_capacity) = mem_copy_string(name);
    MEM_ADD(plan->settings, plan->setting_count, plan->setting_capacity) =
        mem_copy_string(str_text(&word));
    return OK;
}

static Status read_changes(StartPlan *plan, Server *server, StrView body) {
    CLEANUP(str_free) Str text = {0};
    play_text(body, "changes", &text);
    char *rest = text.text, *line;
    while (rest != NULL && (line = strsep(&rest, "\n")) != NULL) {
        char *equals = strchr(line, '=');
        if (line[0] == '\0')
            continue;
        if (equals == NULL)
            return error_set(ERR_ARG, "'%s': a change is NAME=VALUE", line);
        *equals = '\0';
        TRY(add_change(plan, server, line, equals + 1));
    }
    str_clear(&plan->bad);
    return OK;
}

// One after the other, so that the one at fault is known.
static Status apply_changes(StartPlan *plan) {
    const char *const *words = (const char *const *)plan->settings;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < plan->setting_count; i += 2) {
            if ((strcmp(words[i], "algorithm") == 0) != (pass == 0))
                continue;
            str_setf(&plan->bad, "%s", words[i]);
            TRY(run_config_set_all(&plan->config, words + i, 2));
        }
    for (size_t i = 0; i < plan->setting_count; i += 2) {
        str_setf(&plan->bad, "%s", words[i]);
        TRY(run_config_check_all(&plan->config, words + i, 2));
    }
    str_clear(&plan->bad);
    return OK;
}

static Status read_threads(StartPlan *plan, StrView body) {
    CLEANUP(str_free) Str text = {0};
    const int cores = dist_cores();
    plan->threads = cores;
    play_text(body, "threads", &text);
    if (text.length == 0 || (view_to_int(view_of(text.text, text.length), &plan->threads) &&
                             plan->threads >= 1 && plan->threads <= cores))
        return OK;
    str_setf(&plan->bad, "threads");
    return error_set(ERR_ARG, "threads must be a whole number from 1 to %d, not '%s'", cores,
                     str_text(&text));
}

// --- the plan ---

// By its name in the list of those that come with the program, wherever the server was started.
static Status load_preset(const char *name, RunConfig *out) {
    CLEANUP(str_free) Str names = {0};
    CLEANUP(str_free) Str file = {0};
    CLEANUP(str_free) Str path = {0};
    locate_list("experiments", ".ini", &names);
    if (!has_line(&names, name))
        return error_set(ERR_ARG, "there is no such preset");
    str_addf(&file, "%s.ini", name);
    TRY(locate_shipped("experiments", str_text(&file), &path));
    return run_config_load(out, str_text(&path));
}

static Status apply_match(StartPlan *plan) {
    for (size_t i = 0; i < plan->setting_count; i += 2) {
        str_setf(&plan->bad, "%s", plan->settings[i]);
        TRY(start_match_set(&plan->match, plan->settings[i], plan->settings[i + 1]));
    }
    str_clear(&plan->bad);
    return start_match_check(&plan->match);
}

// What the command would find out before it reads any data.
static Status check(const RunConfig *config) {
    FamilySpace space;
    const Family *family;
    TRY(run_config_check(config));
    return family_space_init(&space, config, &family);
}

Status start_plan_read(StartPlan *plan, Server *server, StrView body) {
    run_config_init(&plan->config);
    start_match_init(&plan->match);
    play_text(body, "preset", &plan->name);
    if (!start_plan_is_match(plan))
        TRY(load_preset(str_text(&plan->name), &plan->config));
    TRY(read_changes(plan, server, body));
    TRY(read_threads(plan, body));
    if (start_plan_is_match(plan))
        return apply_match(plan);
    TRY(apply_changes(plan));
    return check(&plan->config);
}

bool start_plan_is_startable(const char *preset) {
    CLEANUP(run_config_free) RunConfig config = {0};
    run_config_init(&config);
    // Another engine's coefficients are a file that no list has.
    return load_preset(preset, &config) == OK &&
           strcmp(str_text(&config.family), FAMILY_COEFFICIENTS) != 0;
}
