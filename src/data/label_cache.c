// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/label_cache.h"

#include "base/clock.h"
#include "base/mem.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

enum {
    WAIT_MS = 10000, // for others who write to the same file
    APPLICATION_ID = 0x46414c43,
    VERSION = 1,
};

struct LabelCache {
    char *path;
    sqlite3 *db;
    sqlite3_stmt *get, *put;
    int64_t mentor;
};

static Status fail(const LabelCache *cache, int code) {
    switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return error_set(ERR_IO,
                         "%s: another program has kept this cache for more than %d s: wait for it, "
                         "or give another file with --cache, or --no-cache",
                         cache->path, WAIT_MS / 1000);
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
        return error_set(ERR_IO,
                         "%s: damaged, or no cache of labels: give another file with --cache, or "
                         "delete it (what it held will be asked again)",
                         cache->path);
    default:
        return error_set(ERR_IO, "%s: the cache cannot be used: %s", cache->path,
                         cache->db == NULL ? sqlite3_errstr(code) : sqlite3_errmsg(cache->db));
    }
}

// Runs statements without results. SQLite's own waiting leaves out a few cases, such as two
// processes that make the same file: hence the second loop around it.
static Status run_sql(LabelCache *cache, const char *sql) {
    int64_t start = clock_now_ns();
    int code;
    while (((code = sqlite3_exec(cache->db, sql, NULL, NULL, NULL)) & 0xFF) == SQLITE_BUSY &&
           clock_seconds_since(start) < WAIT_MS / 1000.0)
        sqlite3_sleep(10);
    return code == SQLITE_OK ? OK : fail(cache, code);
}

static Status read_number(LabelCache *cache, const char *sql, const char *text, int64_t *out) {
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_prepare_v2(cache->db, sql, -1, &statement, NULL);
    if (code == SQLITE_OK && text != NULL)
        code = sqlite3_bind_text(statement, 1, text, -1, SQLITE_STATIC);
    if (code == SQLITE_OK)
        code = sqlite3_step(statement);
    *out = code == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : 0;
    sqlite3_finalize(statement);
    return code == SQLITE_ROW || code == SQLITE_DONE ? OK : fail(cache, code);
}

// In one transaction, so that of several processes one makes the tables.
static Status make_tables(LabelCache *cache) {
    int64_t tables, id, version;
    Status status = read_number(cache, "SELECT count(*) FROM sqlite_master", NULL, &tables);
    if (status == OK)
        status = read_number(cache, "PRAGMA application_id", NULL, &id);
    if (status == OK)
        status = read_number(cache, "PRAGMA user_version", NULL, &version);
    if (status != OK)
        return status;
    if (tables > 0 && id != APPLICATION_ID)
        return error_set(ERR_IO, "%s: a database, but no cache of labels: give another --cache",
                         cache->path);
    if (tables > 0 && version != VERSION)
        return error_set(ERR_IO, "%s: a cache of another version of falconer: give another --cache",
                         cache->path);
    if (tables > 0)
        return OK;
    Str sql = {0};
    str_addf(&sql,
             "CREATE TABLE mentor (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE);"
             "CREATE TABLE label (mentor INTEGER NOT NULL, position TEXT NOT NULL,"
             "  answer TEXT NOT NULL, PRIMARY KEY (mentor, position)) WITHOUT ROWID;"
             "PRAGMA application_id = %d; PRAGMA user_version = %d;",
             APPLICATION_ID, VERSION);
    status = run_sql(cache, sql.text);
    str_free(&sql);
    return status;
}

static Status add_mentor(LabelCache *cache, const char *mentor) {
    int64_t ignored;
    Status status =
        read_number(cache, "INSERT OR IGNORE INTO mentor (key) VALUES (?1)", mentor, &ignored);
    return status == OK
               ? read_number(cache, "SELECT id FROM mentor WHERE key = ?1", mentor, &cache->mentor)
               : status;
}

static Status prepare(LabelCache *cache, const char *sql, sqlite3_stmt **out) {
    int code = sqlite3_prepare_v3(cache->db, sql, -1, SQLITE_PREPARE_PERSISTENT, out, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_bind_int64(*out, 1, cache->mentor);
    return code == SQLITE_OK ? OK : fail(cache, code);
}

static Status set_up(LabelCache *cache, const char *mentor) {
    int code =
        sqlite3_open_v2(cache->path, &cache->db,
                        SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_EXRESCODE, NULL);
    if (code != SQLITE_OK)
        return fail(cache, code);
    sqlite3_busy_timeout(cache->db, WAIT_MS);
    // A write-ahead log lets others read while one writes. Synchronising is left to checkpoints: a
    // loss of power may cost the last labels, never the file.
    Status status = run_sql(cache, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;");
    if (status == OK)
        status = label_cache_begin(cache);
    if (status == OK)
        status = make_tables(cache);
    if (status == OK)
        status = add_mentor(cache, mentor);
    if (status == OK)
        status = label_cache_commit(cache);
    if (status == OK)
        status = prepare(cache, "SELECT answer FROM label WHERE mentor = ?1 AND position = ?2",
                         &cache->get);
    if (status == OK)
        status = prepare(cache, "INSERT OR IGNORE INTO label VALUES (?1, ?2, ?3)", &cache->put);
    return status;
}

Status label_cache_open(LabelCache **out, const char *path, const char *mentor) {
    LabelCache *cache = mem_alloc_zero(1, sizeof *cache);
    cache->path = mem_copy_string(path);
    Status status = set_up(cache, mentor);
    if (status != OK) {
        label_cache_close(cache);
        cache = NULL;
    }
    *out = cache;
    return status;
}

void label_cache_close(LabelCache *cache) {
    if (cache == NULL)
        return;
    sqlite3_finalize(cache->get);
    sqlite3_finalize(cache->put);
    sqlite3_close(cache->db);
    free(cache->path);
    free(cache);
}

Status label_cache_get(LabelCache *cache, const char *position, Str *out, bool *found) {
    sqlite3_bind_text(cache->get, 2, position, -1, SQLITE_STATIC);
    int code = sqlite3_step(cache->get);
    *found = code == SQLITE_ROW;
    const char *answer = *found ? (const char *)sqlite3_column_text(cache->get, 0) : NULL;
    if (answer != NULL)
        str_add(out, answer);
    Status status = code == SQLITE_ROW || code == SQLITE_DONE ? OK : fail(cache, code);
    sqlite3_reset(cache->get);
    return status;
}

Status label_cache_begin(LabelCache *cache) {
    return run_sql(cache, "BEGIN IMMEDIATE");
}

Status label_cache_put(LabelCache *cache, const char *position, const char *answer) {
    sqlite3_bind_text(cache->put, 2, position, -1, SQLITE_STATIC);
    sqlite3_bind_text(cache->put, 3, answer, -1, SQLITE_STATIC);
    int code = sqlite3_step(cache->put);
    Status status = code == SQLITE_DONE ? OK : fail(cache, code);
    sqlite3_reset(cache->put);
    return status;
}

Status label_cache_commit(LabelCache *cache) {
    return run_sql(cache, "COMMIT");
}

void label_cache_roll_back(LabelCache *cache) {
    // Fails where SQLite has done so itself, and then there is nothing to do.
    sqlite3_exec(cache->db, "ROLLBACK", NULL, NULL, NULL);
}
