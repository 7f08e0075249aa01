// SPDX-License-Identifier: GPL-3.0-or-later
#include "serve/opponent.h"

#include "base/json.h"
#include "base/locate.h"
#include "base/mem.h"
#include "serve/genes_view.h"
#include "serve/plain_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPPONENT_TEXT_MAX = 1 << 20 };

static const char suffix[] = ".weights";
static const char *const shipped_folders[] = {"weights", "weights/players"};
enum { SHIPPED_FOLDERS = sizeof shipped_folders / sizeof *shipped_folders };

// --- the list ---

static void add_one(Str *out, const char *which, const char *name, const char *group) {
    if (out->text[out->length - 1] != '[')
        str_add(out, ",");
    str_add(out, "{\"which\":");
    json_add_string(out, which);
    str_add(out, ",\"name\":");
    json_add_string(out, name);
    str_addf(out, ",\"group\":\"%s\"}", group);
}

static void add_shipped(Str *out, const char *folder, const char *group) {
    CLEANUP(str_free) Str names = {0};
    CLEANUP(str_free) Str which = {0};
    locate_list(folder, suffix, &names);
    char *rest = names.text, *name;
    while (rest != NULL && (name = strsep(&rest, "\n")) != NULL) {
        str_setf(&which, "shipped/%s", name);
        if (name[0] != '\0')
            add_one(out, str_text(&which), name, group);
    }
}

void opponent_write_list(Server *server, Str *out) {
    Catalog *catalog = &server->catalog;
    CLEANUP(str_free) Str which = {0};
    str_add(out, "[");
    add_shipped(out, shipped_folders[0], "shipped");
    add_shipped(out, shipped_folders[1], "players");
    catalog_refresh(catalog);
    pthread_mutex_lock(&catalog->lock);
    for (size_t i = 0; i < catalog->count; i++) {
        const CatalogItem *item = catalog->items[i];
        if (!item->is_seen || item->kind != ITEM_WEIGHTS)
            continue;
        str_setf(&which, "file/%s", item->id);
        add_one(out, str_text(&which), item->name, "found");
    }
    pthread_mutex_unlock(&catalog->lock);
    for (size_t i = 0; i < server->engines.count; i++) {
        const EngineSpec *engine = &server->engines.engines[i];
        str_setf(&which, "engine/%s", engine->name);
        add_one(out, str_text(&which), engine->name,
                engine->protocol == PROTOCOL_UCI ? "engines" : "xboard");
    }
    str_add(out, "]");
}

// --- one of them ---

static Status parse_file(const char *path, const char *name, Weights *out) {
    CLEANUP(str_free) Str text = {0};
    TRY(plain_read(path, OPPONENT_TEXT_MAX, &text));
    return weights_parse(out, view_of(str_text(&text), text.length), name);
}

// Only a name that is in the list: it never becomes a path by itself.
static Status find_shipped(const char *name, Str *path) {
    CLEANUP(str_free) Str wanted = {0};
    str_addf(&wanted, "%s%s", name, suffix);
    for (int i = 0; i < SHIPPED_FOLDERS; i++) {
        CLEANUP(str_free) Str names = {0};
        CLEANUP(str_free) Str line = {0};
        str_add(&names, "\n");
        locate_list(shipped_folders[i], suffix, &names);
        str_addf(&line, "\n%s\n", name);
        if (name[0] != '\0' && strchr(name, '\n') == NULL &&
            strstr(str_text(&names), str_text(&line)) != NULL)
            return locate_shipped(shipped_folders[i], str_text(&wanted), path);
    }
    return error_set(ERR_ARG, "no weights of that name are shipped");
}

static Status load_shipped(const char *name, Weights *out) {
    CLEANUP(str_free) Str path = {0};
    TRY(find_shipped(name, &path));
    return weights_load(out, str_text(&path));
}

// The item's path and name, copied: files are read without the lock.
static Status find_item(Server *server, const char *id, ItemKind kind, Str *path, Str *name) {
    Catalog *catalog = &server->catalog;
    catalog_refresh(catalog);
    pthread_mutex_lock(&catalog->lock);
    const CatalogItem *item = catalog_find(catalog, id, kind);
    if (item != NULL) {
        str_setf(path, "%s", item->path);
        str_setf(name, "%s", item->name);
    }
    pthread_mutex_unlock(&catalog->lock);
    return item != NULL ? OK : error_set(ERR_ARG, "there is nothing of that id");
}

static Status load_organism(Server *server, const char *which, Weights *out, Str *name) {
    char id[CATALOG_ID_SIZE];
    uint32_t generation, place = GENES_BEST_PLACE;
    char end;
    Catalog *catalog = &server->catalog;
    if (sscanf(which, "%16[0-9a-f]/%" SCNu32 "%c", id, &generation, &end) != 2 &&
        sscanf(which, "%16[0-9a-f]/%" SCNu32 "/%" SCNu32 "%c", id, &generation, &place, &end) != 3)
        return error_set(ERR_ARG, "not an organism");
    CLEANUP(str_free) Str path = {0};
    TRY(find_item(server, id, ITEM_RUN, &path, name));
    str_addf(name, ", generation %" PRIu32, generation);
    if (place != GENES_BEST_PLACE)
        str_addf(name, ", organism %" PRIu32, place);
    // Under the lock, for the settings of the run belong to it.
    pthread_mutex_lock(&catalog->lock);
    const CatalogItem *item = catalog_find(catalog, id, ITEM_RUN);
    const Status status = item == NULL
                              ? error_set(ERR_ARG, "there is nothing of that id")
                              : genes_organism(item->path, &item->run, generation, place, out);
    pthread_mutex_unlock(&catalog->lock);
    return status;
}

static const char *after(const char *text, const char *prefix) {
    const size_t length = strlen(prefix);
    return strncmp(text, prefix, length) == 0 ? text + length : NULL;
}

Status opponent_load(Server *server, const char *which, Weights *out, Str *name) {
    CLEANUP(str_free) Str path = {0};
    const char *rest;
    if ((rest = after(which, "shipped/")) != NULL) {
        str_setf(name, "%s", rest);
        return load_shipped(rest, out);
    }
    if ((rest = after(which, "organism/")) != NULL)
        return load_organism(server, rest, out, name);
    if ((rest = after(which, "file/")) == NULL)
        return error_set(ERR_ARG, "no weights were chosen");
    TRY(find_item(server, rest, ITEM_WEIGHTS, &path, name));
    return parse_file(str_text(&path), str_text(name), out);
}

Status opponent_find_file(Server *server, const char *which, Str *out) {
    static const struct {
        const char *prefix;
        ItemKind kind;
    } found[] = {{"file/", ITEM_WEIGHTS}, {"run/", ITEM_RUN}, {"runs/", ITEM_RUN}};
    CLEANUP(str_free) Str path = {0};
    CLEANUP(str_free) Str name = {0};
    const char *rest = after(which, "shipped/");
    if (rest != NULL) {
        TRY(find_shipped(rest, &path));
        CLEANUP(mem_free_at) char *real = realpath(str_text(&path), NULL);
        str_add(out, real == NULL ? str_text(&path) : real);
        return OK;
    }
    for (size_t i = 0; i < sizeof found / sizeof *found; i++) {
        if ((rest = after(which, found[i].prefix)) == NULL)
            continue;
        TRY(find_item(server, rest, found[i].kind, &path, &name));
        if (strcmp(found[i].prefix, "runs/") == 0)
            str_cut(&path, (size_t)(strrchr(path.text, '/') - path.text));
        str_add(out, str_text(&path));
        return OK;
    }
    return error_set(ERR_ARG, "'%s' is not in the list", which);
}
