// SPDX-License-Identifier: GPL-3.0-or-later
// Looking through folders: what is in one tells what it is.
#include "serve/catalog.h"
#include "serve/plain_file.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct Look {
    Catalog *catalog;
    size_t entries;
} Look;

// A folder while it is looked at.
typedef struct Place {
    const char *path, *name;
    int depth;
    bool has_log, has_games, has_config, has_settings, has_report;
    bool has_clone, has_card, has_steps;
} Place;

static void look_at(Look *look, const char *path, const char *name, int depth);

static void join(Str *out, const char *folder, const char *name) {
    str_setf(out, strcmp(folder, ".") == 0 ? "%.0s%s" : "%s/%s", folder, name);
}

// Files that tell what a folder is.
static void note_file(Place *place, const char *name) {
    const struct {
        const char *name;
        bool *is_there;
    } signs[] = {
        {"log.jsonl", &place->has_log},      {"games.jsonl", &place->has_games},
        {"config", &place->has_config},      {"config.ini", &place->has_settings},
        {"report.html", &place->has_report}, {"clone.weights", &place->has_clone},
        {"results.json", &place->has_card},  {"steps.jsonl", &place->has_steps},
    };
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (strcmp(name, signs[i].name) == 0)
            *signs[i].is_there = true;
}

static void look_at_file(Look *look, Place *place, const char *name) {
    CLEANUP(str_free) Str path = {0};
    CLEANUP(str_free) Str shown = {0};
    note_file(place, name);
    str_addf(&path, "%s/%s", place->path, name);
    join(&shown, place->name, name);
    if (str_ends_with(name, ".weights"))
        catalog_add(look->catalog, ITEM_WEIGHTS, str_text(&path), str_text(&shown));
    else if (str_ends_with(name, ".jsonl") && suite_view_is_suite(str_text(&path)))
        catalog_add(look->catalog, ITEM_SUITE, str_text(&path), str_text(&shown));
}

static void look_at_entry(Look *look, Place *place, const char *name) {
    CLEANUP(str_free) Str path = {0};
    CLEANUP(str_free) Str shown = {0};
    struct stat info;
    str_addf(&path, "%s/%s", place->path, name);
    // Links are not followed: what is elsewhere was not given to us.
    if (name[0] == '.' || lstat(str_text(&path), &info) != 0)
        return;
    join(&shown, place->name, name);
    if (S_ISREG(info.st_mode))
        look_at_file(look, place, name);
    else if (S_ISDIR(info.st_mode))
        look_at(look, str_text(&path), str_text(&shown), place->depth + 1);
}

// A reproduction works in PAPER-SCALE and leaves its page beside that folder, PAPER.html.
static void look_for_paper(const Look *look, const Place *place) {
    static const char *const scales[] = {"-quick", "-papers"};
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
        CLEANUP(str_free) Str path = {0};
        CLEANUP(str_free) Str name = {0};
        // What lies above a folder that was given was not given.
        if (place->depth == 0 || !str_ends_with(place->path, scales[i]))
            continue;
        str_append(&path, place->path, strlen(place->path) - strlen(scales[i]));
        str_append(&name, place->name, strlen(place->name) - strlen(scales[i]));
        str_add(&path, ".html");
        if (plain_exists(str_text(&path)))
            catalog_add(look->catalog, ITEM_PAPER, str_text(&path), str_text(&name));
    }
}

static void judge(const Look *look, const Place *place) {
    const char *slash = strrchr(place->path, '/');
    const char *name = strcmp(place->name, ".") == 0 ? slash + 1 : place->name;
    CatalogItem *item = NULL;
    if (place->has_steps)
        look_for_paper(look, place);
    if (place->has_clone && place->has_card)
        catalog_add(look->catalog, ITEM_CLONE, place->path, name);
    if (place->has_log)
        item = catalog_add(look->catalog, ITEM_RUN, place->path, name);
    else if (place->has_games && place->has_config)
        item = catalog_add(look->catalog, ITEM_MATCH, place->path, name);
    else if (place->has_games && place->has_settings)
        item = catalog_add(look->catalog, ITEM_TUNING, place->path, name);
    if (item != NULL)
        item->has_report = place->has_report;
}

static void look_at(Look *look, const char *path, const char *name, int depth) {
    Place place = {.path = path, .name = name, .depth = depth};
    struct dirent **entries;
    if (depth > CATALOG_DEPTH_MAX || look->entries > CATALOG_ENTRIES_MAX) {
        look->catalog->is_cut = true;
        return;
    }
    const int count = scandir(path, &entries, NULL, alphasort);
    if (count < 0)
        return;
    look->entries += (size_t)count;
    for (int i = 0; i < count; i++) {
        look_at_entry(look, &place, entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    judge(look, &place);
}

void catalog_look(Catalog *catalog) {
    Look look = {.catalog = catalog};
    catalog->is_cut = false;
    for (size_t i = 0; i < catalog->count; i++)
        catalog->items[i]->is_seen = false;
    // Of one folder alone, names within it say enough.
    for (size_t i = 0; i < catalog->folder_count; i++)
        look_at(&look, catalog->folders[i], catalog->folder_count == 1 ? "." : catalog->names[i],
                0);
}
