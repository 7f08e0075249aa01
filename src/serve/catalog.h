// SPDX-License-Identifier: GPL-3.0-or-later
// What the folders that are served hold: runs of evolution, matches, tunings of engines, weights
// files, answers to suites, clones of players, pages of reproduced papers. Found by looking, again
// from time to time; each has a name of its own, an id, by which pages ask for it: no page ever
// names a path.
#pragma once

#include "base/error.h"
#include "base/str.h"
#include "serve/match_view.h"
#include "serve/run_view.h"
#include "serve/suite_view.h"
#include "serve/tuning_view.h"

#include <pthread.h>

enum {
    CATALOG_ID_SIZE = 17, // 16 hexadecimal digits
    CATALOG_ITEMS_MAX = 5000,
    CATALOG_ENTRIES_MAX = 100000, // of folders, that are looked at
    CATALOG_DEPTH_MAX = 8,
};

typedef enum ItemKind {
    ITEM_RUN,
    ITEM_MATCH,
    ITEM_TUNING,
    ITEM_WEIGHTS,
    ITEM_SUITE, // a file of answers
    ITEM_CLONE, // a folder
    ITEM_PAPER, // a page
    ITEM_KIND_NB
} ItemKind;
typedef enum ItemState { ITEM_RUNNING, ITEM_FINISHED, ITEM_STOPPED, ITEM_STATE_NB } ItemState;

typedef struct CatalogItem {
    char id[CATALOG_ID_SIZE];
    ItemKind kind;
    ItemState state;
    char *path, *name; // owned; the name is what people read
    uint64_t version;  // of the catalog, when it last changed
    bool is_seen;      // by the last look
    bool has_report;   // of its own: a page in its folder
    // By its kind.
    RunView run;
    MatchView match;
    TuningView tuning;
    SuiteView suite;
} CatalogItem;

// Everything but `items` themselves, which stay where they are, is to be used with the lock held.
typedef struct Catalog {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    char **folders, **names; // owned: real paths, and as they were named
    size_t folder_count;
    CatalogItem **items; // owned
    size_t count, capacity;
    uint64_t version;
    int64_t looked_ns, look_took_ns, refreshed_ns;
    bool is_cut;   // there is more than was looked at
    bool is_ended; // nobody is to wait any longer
    unsigned listeners;
} Catalog;

// Folders that are not there are errors.
MUST_CHECK Status catalog_open(Catalog *catalog, const char *const *folders, size_t count);
void catalog_close(Catalog *catalog);

// Looks for changes, not more often than is worth it. Takes the lock.
void catalog_refresh(Catalog *catalog);
// The item of that id, or NULL, for a text that may be NULL. To be called with the lock held.
CatalogItem *catalog_find(const Catalog *catalog, const char *id, ItemKind kind);
// How many changes there were so far. Takes the lock.
uint64_t catalog_version(Catalog *catalog);
// Wakes all who wait for a change, for good. Takes the lock.
void catalog_end(Catalog *catalog);

// Looks through the folders; part of the refresh.
void catalog_look(Catalog *catalog);
// The item at a path, made where there is none; NULL where there are too many.
CatalogItem *catalog_add(Catalog *catalog, ItemKind kind, const char *path, const char *name);
// Appends the number that stands for a path.
void catalog_write_id(const char *path, char out[CATALOG_ID_SIZE]);
