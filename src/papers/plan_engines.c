// SPDX-License-Identifier: GPL-3.0-or-later
// Engines of a plan: which are there, the words they are played with, and what they call
// themselves.
#include "base/shell.h"
#include "engines/client.h"
#include "engines/command.h"
#include "match/play/player_organism.h"
#include "papers/plan.h"

#include <string.h>

// Notes an engine as missing, once.
static void note_missing(Plan *plan, const char *name) {
    const size_t length = strlen(name);
    for (const char *at = str_text(&plan->missing); (at = strstr(at, name)) != NULL; at += length)
        if (at[length] == ',' || at[length] == '\0')
            return;
    str_addf(&plan->missing, "%s%s", plan->missing.length == 0 ? "" : ", ", name);
}

bool plan_engine(Plan *plan, const char *name) {
    CLEANUP(engine_spec_deinit) EngineSpec spec = engine_spec_init();
    CLEANUP(str_free) Str path = {0};
    const bool is_there = command_find(&spec, name, &path);
    if (!is_there)
        note_missing(plan, name);
    return is_there;
}

const char *plan_engine_words(const char *name) {
    static const struct {
        const char *name, *words;
    } engines[] = {
        {"toga2", "option.OwnBook=false"},
        {"glaurung", "option.OwnBook=false option.Threads=1"},
        {"gnuchess", "arg=--uci option.OwnBook=false"},
        {"hoichess", "proto=xboard"},
        {"sjeng", "proto=xboard"},
        {"phalanx", "arg=-b- proto=xboard"},
    };
    for (size_t i = 0; i < sizeof engines / sizeof engines[0]; i++)
        if (strcmp(engines[i].name, name) == 0)
            return engines[i].words;
    return "";
}

// --- versions ---

// Starts the engine and adds NAME=VERSION, unless that name is there. What cannot be started tells
// no version: the step itself has told the failure, if it matters.
static void ask_version(const char *words, Str *out) {
    CLEANUP(engine_spec_deinit) EngineSpec spec = engine_spec_init();
    CLEANUP(client_close_at) EngineClient *client = NULL;
    CLEANUP(str_free) Str known = {0};
    if (engine_spec_parse(&spec, words) != OK || engine_spec_finish(&spec) != OK ||
        spec.command == NULL || plan_find_version(str_text(out), spec.name, &known))
        return;
    if (client_open(&client, &(ClientConfig){.spec = &spec, .cancel_fd = -1}) == OK &&
        client_id(client)[0] != '\0')
        str_addf(out, "%s%s=%s", out->length == 0 ? "" : "\n", spec.name, client_id(client));
}

// What follows an -engine of a match goes up to the next option; a suite and a mentor have it as
// one word.
void plan_ask_versions(Step *step) {
    CLEANUP(str_free) Str word = {0};
    CLEANUP(str_free) Str words = {0};
    bool is_match = false, is_one = false;
    str_clear(&step->engines);
    for (const char *rest = step->command; shell_next_word(&rest, &word);) {
        if (is_one)
            ask_version(str_text(&word), &step->engines);
        is_one = !is_one && (strcmp(str_text(&word), "--engine") == 0 ||
                             strcmp(str_text(&word), "--mentor") == 0);
        if (is_match && str_text(&word)[0] == '-') {
            ask_version(str_text(&words), &step->engines);
            str_clear(&words);
        }
        if (str_text(&word)[0] == '-')
            is_match = strcmp(str_text(&word), "-engine") == 0;
        else if (is_match) {
            str_add(&words, " ");
            shell_quote(&words, str_text(&word));
        }
    }
    ask_version(str_text(&words), &step->engines);
}

bool plan_find_version(const char *versions, const char *name, Str *out) {
    const size_t length = strlen(name);
    for (const char *at = versions; *at != '\0';) {
        const size_t line = strcspn(at, "\n");
        if (line > length && strncmp(at, name, length) == 0 && at[length] == '=') {
            str_append(out, at + length + 1, line - length - 1);
            return true;
        }
        at += line + (at[line] == '\n');
    }
    return false;
}

void plan_add_versions(const Step *step, Str *list) {
    for (const char *at = str_text(&step->engines); *at != '\0';) {
        CLEANUP(str_free) Str entry = {0};
        const size_t line = strcspn(at, "\n"), name = strcspn(at, "=");
        str_addf(&entry, "%.*s (%.*s)", (int)(line - name - 1), at + name + 1, (int)name, at);
        if (strstr(str_text(list), str_text(&entry)) == NULL)
            str_addf(list, "%s%s", list->length == 0 ? "" : ", ", str_text(&entry));
        at += line + (at[line] == '\n');
    }
}

// --- the search ---

static void add_once(Str *list, const char *value) {
    if (strstr(str_text(list), value) == NULL)
        str_addf(list, "%s%s", list->length == 0 ? "" : ", ", value);
}

// Words of engines, which may be inside of one word.
static void note_search(const char *words, int *players, int *with_profile, Str *profiles,
                        Str *hashes) {
    CLEANUP(str_free) Str word = {0};
    while (shell_next_word(&words, &word)) {
        const char *const text = str_text(&word);
        if (strchr(text, ' ') != NULL)
            note_search(text, players, with_profile, profiles, hashes);
        *players += strncmp(text, "weights=", 8) == 0;
        if (strncmp(text, "option.Profile=", 15) == 0) {
            ++*with_profile;
            add_once(profiles, text + 15);
        }
        if (strncmp(text, "option.Hash=", 12) == 0)
            add_once(hashes, text + 12);
    }
}

void plan_say_search(const Step *step, Str *out) {
    CLEANUP(str_free) Str profiles = {0};
    CLEANUP(str_free) Str hashes = {0};
    int players = 0, with_profile = 0;
    const char *const each = strstr(step->command, " -each ");
    if (!step->is_spread)
        return;
    note_search(step->command, &players, &with_profile, &profiles, &hashes);
    if (players == 0)
        return;
    const bool is_for_each = each != NULL && strstr(each, " option.Profile=") != NULL;
    if (with_profile < players && !is_for_each)
        add_once(&profiles, "modern");
    if (hashes.length == 0)
        str_addf(&hashes, "%d", ORGANISM_HASH_MB);
    str_addf(out, "%s, %s MB", str_text(&profiles), str_text(&hashes));
}
