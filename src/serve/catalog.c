// SPDX-License-Identifier: GPL-3.0-or-later
#include "serve/catalog.h"

#include "base/clock.h"
#include "base/hash.h"
#include "base/mem.h"
#include "serve/locks.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// Files are looked at twice a second at the most, folders once in five seconds, or less often, so
// that it takes no more than a hundredth of the time.
#define REFRESH_NS INT64_C(500000000)
#define LOOK_NS    INT64_C(5000000000)
enum { LOOK_SHARE = 100 };

void catalog_write_id(const char *path, char out[CATALOG_ID_SIZE]) {
    snprintf(out, CATALOG_ID_SIZE, "%016" PRIx64, hash_bytes(HASH_START, path, strlen(path)));
}

static Status add_folder(Catalog *catalog, const char *name) {
    char *path = realpath(name, NULL);
    struct stat info;
    if (path == NULL || stat(path, &info) != 0 || !S_ISDIR(info.st_mode)) {
        const int error = path == NULL ? errno : ENOTDIR;
        free(path);
        return error_set(ERR_IO, "%s: %s", name, strerror(error));
    }
    catalog->folders[catalog->folder_count] = path;
    catalog->names[catalog->folder_count++] = mem_copy_string(name);
    return OK;
}

Status catalog_open(Catalog *catalog, const char *const *folders, size_t count) {
    *catalog = (Catalog){.version = 1};
    pthread_mutex_init(&catalog->lock, NULL);
    pthread_cond_init(&catalog->changed, NULL);
    catalog->folders = mem_alloc_zero(count, sizeof *catalog->folders);
    catalog->names = mem_alloc_zero(count, sizeof *catalog->names);
    for (size_t i = 0; i < count; i++)
        TRY(add_folder(catalog, folders[i]));
    return OK;
}

static void free_item(CatalogItem *item) {
    run_view_free(&item->run);
    match_view_free(&item->match);
    tuning_view_free(&item->tuning);
    suite_view_free(&item->suite);
    free(item->path);
    free(item->name);
    free(item);
}

void catalog_close(Catalog *catalog) {
    for (size_t i = 0; i < catalog->count; i++)
        free_item(catalog->items[i]);
    free(catalog->items);
    for (size_t i = 0; i < catalog->folder_count; i++) {
        free(catalog->folders[i]);
        free(catalog->names[i]);
    }
    free(catalog->folders);
    free(catalog->names);
    pthread_cond_destroy(&catalog->changed);
    pthread_mutex_destroy(&catalog->lock);
}

CatalogItem *catalog_add(Catalog *catalog, ItemKind kind, const char *path, const char *name) {
    char id[CATALOG_ID_SIZE];
    catalog_write_id(path, id);
    for (size_t i = 0; i < catalog->count; i++) {
        CatalogItem *item = catalog->items[i];
        if (item->kind == kind && strcmp(item->id, id) == 0) {
            item->is_seen = true;
            return item;
        }
    }
    if (catalog->count >= CATALOG_ITEMS_MAX) {
        catalog->is_cut = true;
        return NULL;
    }
    CatalogItem *item = mem_alloc_zero(1, sizeof *item);
    *item = (CatalogItem){.kind = kind, .state = ITEM_STOPPED, .is_seen = true};
    memcpy(item->id, id, sizeof id);
    item->path = mem_copy_string(path);
    item->name = mem_copy_string(name);
    MEM_ADD(catalog->items, catalog->count, catalog->capacity) = item;
    return item;
}

CatalogItem *catalog_find(const Catalog *catalog, const char *id, ItemKind kind) {
    for (size_t i = 0; id != NULL && i < catalog->count; i++) {
        CatalogItem *item = catalog->items[i];
        if (item->kind == kind && item->is_seen && strcmp(item->id, id) == 0)
            return item;
    }
    return NULL;
}

// Reads what is new in an item's files; true where there was something.
static bool read_item(CatalogItem *item) {
    switch (item->kind) {
    case ITEM_RUN:
        return run_view_update(&item->run, item->path);
    case ITEM_MATCH:
        return match_view_update(&item->match, item->path);
    case ITEM_TUNING:
        return tuning_view_update(&item->tuning, item->path);
    case ITEM_SUITE:
        return suite_view_update(&item->suite, item->path);
    default:
        return false;
    }
}

static bool is_done(const CatalogItem *item) {
    switch (item->kind) {
    case ITEM_RUN:
        return item->run.is_finished;
    case ITEM_MATCH:
        return match_view_is_over(&item->match);
    case ITEM_TUNING:
        return item->tuning.is_finished;
    default: // nothing tells whether more will come
        return true;
    }
}

static ItemState state_of(const CatalogItem *item, const Locks *locks) {
    if (is_done(item))
        return ITEM_FINISHED;
    return locks_hold(locks, item->path) ||
                   (item->kind == ITEM_RUN && item->run.is_one_of_several &&
                    locks_hold_parent(locks, item->path))
               ? ITEM_RUNNING
               : ITEM_STOPPED;
}

static bool refresh_item(CatalogItem *item, const Locks *locks) {
    if (item->kind == ITEM_WEIGHTS)
        return false;
    bool has_changed = read_item(item);
    const ItemState state = state_of(item, locks);
    has_changed = has_changed || state != item->state;
    item->state = state;
    return has_changed;
}

// True where an item came or went.
static bool look_again(Catalog *catalog) {
    const int64_t start = clock_now_ns();
    const size_t before = catalog->count;
    size_t seen = 0, seen_before = 0;
    if (catalog->looked_ns != 0 &&
        (start - catalog->looked_ns < LOOK_NS ||
         start - catalog->looked_ns < LOOK_SHARE * catalog->look_took_ns))
        return false;
    for (size_t i = 0; i < before; i++)
        seen_before += catalog->items[i]->is_seen;
    catalog_look(catalog);
    for (size_t i = 0; i < catalog->count; i++)
        seen += catalog->items[i]->is_seen;
    catalog->looked_ns = clock_now_ns();
    catalog->look_took_ns = catalog->looked_ns - start;
    return catalog->count != before || seen != seen_before;
}

static void refresh(Catalog *catalog) {
    CLEANUP(locks_free) Locks locks = {0};
    bool has_changed = look_again(catalog);
    locks_read(&locks);
    for (size_t i = 0; i < catalog->count; i++) {
        CatalogItem *item = catalog->items[i];
        if ((!item->is_seen || !refresh_item(item, &locks)) && item->version != 0)
            continue;
        item->version = catalog->version + 1;
        has_changed = true;
    }
    if (!has_changed)
        return;
    catalog->version++;
    pthread_cond_broadcast(&catalog->changed);
}

void catalog_refresh(Catalog *catalog) {
    pthread_mutex_lock(&catalog->lock);
    if (catalog->refreshed_ns == 0 || clock_now_ns() - catalog->refreshed_ns > REFRESH_NS) {
        refresh(catalog);
        catalog->refreshed_ns = clock_now_ns();
    }
    pthread_mutex_unlock(&catalog->lock);
}

uint64_t catalog_version(Catalog *catalog) {
    pthread_mutex_lock(&catalog->lock);
    const uint64_t version = catalog->version;
    pthread_mutex_unlock(&catalog->lock);
    return version;
}

void catalog_end(Catalog *catalog) {
    pthread_mutex_lock(&catalog->lock);
    catalog->is_ended = true;
    pthread_cond_broadcast(&catalog->changed);
    pthread_mutex_unlock(&catalog->lock);
}
