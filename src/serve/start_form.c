// SPDX-License-Identifier: GPL-3.0-or-later
#include "serve/start_form.h"

#include "base/file.h"
#include "base/json.h"
#include "base/locate.h"
#include "base/mem.h"
#include "serve/opponent.h"

#include <string.h>

enum { PRESET_MAX = 1 << 16 };

// Appends the text of each line of a list, and a comma between.
static void add_lines(char *lines, Str *out) {
    char *line;
    size_t told = 0;
    str_add(out, "[");
    while (lines != NULL && (line = strsep(&lines, "\n")) != NULL) {
        if (line[0] == '\0')
            continue;
        str_add(out, told++ == 0 ? "" : ",");
        json_add_string(out, line);
    }
    str_add(out, "]");
}

// --- presets ---

// What the comments at the top say.
static void add_about(const char *name, Str *out) {
    CLEANUP(str_free) Str file = {0};
    CLEANUP(str_free) Str path = {0};
    CLEANUP(str_free) Str text = {0};
    CLEANUP(str_free) Str about = {0};
    str_addf(&file, "%s.ini", name);
    if (locate_shipped("experiments", str_text(&file), &path) == OK)
        (void)!file_read(str_text(&path), PRESET_MAX, &text);
    char *rest = text.text, *line;
    while (rest != NULL && (line = strsep(&rest, "\n")) != NULL && line[0] == ';')
        if (strstr(line, "SPDX") == NULL)
            str_addf(&about, "%s%s", about.length == 0 ? "" : " ", line + strspn(line, "; "));
    json_add_string(out, str_text(&about));
}

static void add_presets(Str *out) {
    CLEANUP(str_free) Str names = {0};
    locate_list("experiments", ".ini", &names);
    char *rest = names.text, *name;
    str_add(out, "[{\"name\":\"" START_MATCH "\",\"about\":\"Games between two weights files.\"}");
    while (rest != NULL && (name = strsep(&rest, "\n")) != NULL) {
        if (name[0] == '\0' || !start_plan_is_startable(name))
            continue;
        str_add(out, ",{\"name\":");
        json_add_string(out, name);
        str_add(out, ",\"about\":");
        add_about(name, out);
        str_add(out, "}");
    }
    str_add(out, "]");
}

// --- settings ---

typedef struct Form {
    const StartPlan *plan;
    Str *out;
    size_t told;
} Form;

static void add_choices(const RunListed *listed, Str *out) {
    CLEANUP(str_free) Str lines = {0};
    const char *const *choice = listed->setting->choices;
    if (listed->setting->type == SETTING_CHOICE)
        for (; *choice != NULL; choice++)
            str_addf(&lines, "%s\n", *choice);
    for (const char *at = listed->names; *at != '\0'; at += strspn(at, ", ")) {
        const size_t length = strcspn(at, ",");
        str_addf(&lines, "%.*s\n", (int)length, at);
        at += length;
    }
    if (lines.length == 0)
        return;
    str_add(out, ",\"choices\":");
    add_lines(lines.text, out);
}

static const char *kind_of(const Setting *setting) {
    static const char *const files[] = {"text", "sets", "weights", "runs"};
    if (setting->type == SETTING_REAL)
        return "real";
    if (setting->type != SETTING_TEXT)
        return setting->type == SETTING_CHOICE ? "choice" : "whole";
    return files[start_plan_files(setting->name)];
}

static void add_setting(void *context, const RunListed *listed) {
    Form *form = context;
    Str *out = form->out;
    const Setting *setting = listed->setting;
    const char *change = start_plan_change(form->plan, setting->name);
    // One that was changed is shown though it has no effect, so that it can be changed back.
    if (start_plan_is_hidden(setting->name) || (!listed->is_used && change == NULL))
        return;
    str_addf(out, "%s{\"name\":\"%s\",\"section\":\"%s\",\"kind\":\"%s\",\"meaning\":",
             form->told++ == 0 ? "" : ",", setting->name,
             setting->section == NULL ? "algorithm" : setting->section, kind_of(setting));
    json_add_string(out, setting->meaning);
    str_add(out, ",\"value\":");
    json_add_string(out, listed->value);
    if (change != NULL) {
        str_add(out, ",\"change\":");
        json_add_string(out, change);
    }
    if (setting->type != SETTING_TEXT && setting->type != SETTING_CHOICE &&
        setting->low != setting->high) {
        str_add(out, ",\"low\":");
        json_add_number(out, setting->low);
        str_add(out, ",\"high\":");
        json_add_number(out, setting->high);
    }
    add_choices(listed, out);
    str_add(out, "}");
}

// --- lists ---

static void add_run(Str *out, size_t *told, const char *kind, const CatalogItem *item,
                    const char *name) {
    str_addf(out, "%s{\"which\":\"%s/%s\",\"name\":", (*told)++ == 0 ? "" : ",", kind, item->id);
    json_add_string(out, name);
    str_add(out, "}");
}

// Each run, and where several are in one folder, that.
static void add_runs(Server *server, Str *out) {
    static const char first[] = "/run-01";
    Catalog *catalog = &server->catalog;
    size_t told = 0;
    str_add(out, "[");
    pthread_mutex_lock(&catalog->lock);
    for (size_t i = 0; i < catalog->count; i++) {
        const CatalogItem *item = catalog->items[i];
        if (!item->is_seen || item->kind != ITEM_RUN)
            continue;
        add_run(out, &told, "run", item, item->name);
        if (!item->run.is_one_of_several || !str_ends_with(item->name, first))
            continue;
        CLEANUP(str_free) Str all = {0};
        str_addf(&all, "%.*s (all its runs)", (int)(strlen(item->name) - (sizeof first - 1)),
                 item->name);
        add_run(out, &told, "runs", item, str_text(&all));
    }
    pthread_mutex_unlock(&catalog->lock);
    str_add(out, "]");
}

void start_form_write_choices(Server *server, Str *out) {
    CLEANUP(str_free) Str sets = {0};
    start_plan_list_sets(&sets);
    str_add(out, "\"presets\":");
    add_presets(out);
    str_add(out, ",\"sets\":");
    add_lines(sets.text, out);
    str_add(out, ",\"weights\":");
    opponent_write_list(server, out);
    str_add(out, ",\"runs\":");
    add_runs(server, out);
}

// --- the form ---

static void list_match(const StartMatch *match, Form *form) {
    const SettingTable *keys = start_match_keys();
    for (size_t i = 0; i < keys->count; i++) {
        CLEANUP(str_free) Str value = {0};
        setting_write(&keys->rows[i], (const char *)match + keys->rows[i].offset, &value);
        add_setting(form, &(RunListed){&keys->rows[i], str_text(&value), "", true});
    }
}

void start_form_write(const StartPlan *plan, Str *out) {
    Form form = {plan, out, 0};
    str_add(out, "[");
    if (start_plan_is_match(plan))
        list_match(&plan->match, &form);
    else
        run_config_list(&plan->config, add_setting, &form);
    str_add(out, "]");
}
