// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/label/label_cache.h"

#include "base/clock.h"
#include "base/mem.h"
#include "data/untrusted_db.h"

#include <stdlib.h>
#include <string.h>

enum {
    WAIT_MS = 10000, // for others who write to the same file
    APPLICATION_ID = 0x46414c43,
    VERSION = 1,
    ANSWER_MAX = 1 << 12, // bytes; ours are a tenth of it
};

// What a cache consists of, in the order of names.
static const struct {
    const char *type, *name, *sql; // sql NULL: SQLite's own
} parts[] = {
    {"table", "label",
     "CREATE TABLE label (mentor INTEGER NOT NULL, position TEXT NOT NULL,"
     "  answer TEXT NOT NULL, PRIMARY KEY (mentor, position)) WITHOUT ROWID"},
    {"table", "mentor", "CREATE TABLE mentor (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE)"},
    {"index", "sqlite_autoindex_mentor_1", NULL},
};
enum { PARTS = sizeof parts / sizeof *parts };

struct LabelCache {
    char *path;
    UntrustedDb *file;
    sqlite3 *db; // the file's
    sqlite3_stmt *get, *put;
    int64_t mentor;
};

static Status fail_damaged(const LabelCache *cache, const char *what) {
    return error_set(ERR_IO,
                     "%s: %s: give another file with --cache, or delete it (what it held will be "
                     "asked again)",
                     cache->path, what);
}

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
    case SQLITE_TOOBIG:
        return fail_damaged(cache, "damaged, or no cache of labels");
    default:
        return error_set(ERR_IO,
                         "%s: the cache cannot be used: %s: give another file with --cache, or "
                         "--no-cache",
                         cache->path,
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

static bool is_text(sqlite3_stmt *statement, int column, const char *expected) {
    const char *text = (const char *)sqlite3_column_text(statement, column);
    return text == NULL || expected == NULL ? text == expected : strcmp(text, expected) == 0;
}

// The file must hold our tables as we make them and nothing else: no view or trigger in their
// place, no constraint or index that computes something.
static Status check_parts(LabelCache *cache) {
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_prepare_v2(
        cache->db, "SELECT type, name, sql FROM sqlite_master ORDER BY name", -1, &statement, NULL);
    size_t found = 0;
    bool is_ours = true;
    while (code == SQLITE_OK && (code = sqlite3_step(statement)) == SQLITE_ROW) {
        is_ours = is_ours && found < PARTS && is_text(statement, 0, parts[found].type) &&
                  is_text(statement, 1, parts[found].name) &&
                  is_text(statement, 2, parts[found].sql);
        found++;
        code = SQLITE_OK;
    }
    sqlite3_finalize(statement);
    if (code != SQLITE_DONE)
        return fail(cache, code);
    return is_ours && found == PARTS ? OK
                                     : fail_damaged(cache, "its tables are not those of a cache");
}

static Status create_parts(LabelCache *cache) {
    CLEANUP(str_free) Str sql = {0};
    for (size_t i = PARTS; i-- > 0;)
        if (parts[i].sql != NULL)
            str_addf(&sql, "%s;", parts[i].sql);
    str_addf(&sql, "PRAGMA application_id = %d; PRAGMA user_version = %d;", APPLICATION_ID,
             VERSION);
    return run_sql(cache, sql.text);
}

// In one transaction, so that of several processes one makes the tables.
static Status make_tables(LabelCache *cache) {
    int64_t tables, id, version;
    TRY(read_number(cache, "SELECT count(*) FROM sqlite_master", NULL, &tables));
    TRY(read_number(cache, "PRAGMA application_id", NULL, &id));
    TRY(read_number(cache, "PRAGMA user_version", NULL, &version));
    if (tables > 0 && id != APPLICATION_ID)
        return error_set(ERR_IO,
                         "%s: a database, but no cache of labels: give another file with --cache",
                         cache->path);
    if (tables > 0 && version != VERSION)
        return error_set(
            ERR_IO, "%s: a cache of another version of falconer: give another file with --cache",
            cache->path);
    return tables > 0 ? check_parts(cache) : create_parts(cache);
}

static Status add_mentor(LabelCache *cache, const char *mentor) {
    int64_t there = 0;
    TRY(read_number(cache, "INSERT OR IGNORE INTO mentor (key) VALUES (?1)", mentor, &there));
    TRY(read_number(cache, "SELECT count(*) FROM mentor WHERE key = ?1", mentor, &there));
    // An index that does not fit its table can tell of what is not there.
    if (there != 1)
        return fail_damaged(cache, "damaged");
    return read_number(cache, "SELECT id FROM mentor WHERE key = ?1", mentor, &cache->mentor);
}

static Status prepare(LabelCache *cache, const char *sql, sqlite3_stmt **out) {
    int code = sqlite3_prepare_v3(cache->db, sql, -1, SQLITE_PREPARE_PERSISTENT, out, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_bind_int64(*out, 1, cache->mentor);
    return code == SQLITE_OK ? OK : fail(cache, code);
}

static Status set_up(LabelCache *cache, const char *mentor) {
    const int code = untrusted_db_open(&cache->file, cache->path);
    cache->db = untrusted_db_connection(cache->file);
    if (code != SQLITE_OK)
        return fail(cache, code);
    sqlite3_busy_timeout(cache->db, WAIT_MS);
    // A write-ahead log lets others read while one writes. Synchronising is left to checkpoints: a
    // loss of power may cost the last labels, never the file.
    TRY(run_sql(cache, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;"));
    TRY(label_cache_begin(cache));
    TRY(make_tables(cache));
    TRY(add_mentor(cache, mentor));
    TRY(label_cache_commit(cache));
    TRY(prepare(cache, "SELECT answer FROM label WHERE mentor = ?1 AND position = ?2",
                &cache->get));
    return prepare(cache, "INSERT OR IGNORE INTO label VALUES (?1, ?2, ?3)", &cache->put);
}

Status label_cache_open(LabelCache **out, const char *path, const char *mentor) {
    CLEANUP(label_cache_close_at) LabelCache *cache = mem_alloc_zero(1, sizeof *cache);
    *out = NULL;
    cache->path = mem_copy_string(path);
    TRY(set_up(cache, mentor));
    *out = cache;
    cache = NULL;
    return OK;
}

void label_cache_close(LabelCache *cache) {
    if (cache == NULL)
        return;
    sqlite3_finalize(cache->get);
    sqlite3_finalize(cache->put);
    untrusted_db_close(cache->file);
    free(cache->path);
    free(cache);
}

// What stands in the row that was found must be what label_cache_put would write.
static Status take_answer(const LabelCache *cache, const char *position, Str *out) {
    const bool is_text = sqlite3_column_type(cache->get, 0) == SQLITE_TEXT;
    const char *answer = is_text ? (const char *)sqlite3_column_text(cache->get, 0) : NULL;
    const size_t length = (size_t)sqlite3_column_bytes(cache->get, 0);
    if (answer == NULL || length > ANSWER_MAX || strlen(answer) != length) {
        const Status status = fail_damaged(cache, "what it holds is no answer");
        error_prefix("%s", position);
        return status;
    }
    str_append(out, answer, length);
    return OK;
}

Status label_cache_get(LabelCache *cache, const char *position, Str *out, bool *found) {
    sqlite3_bind_text(cache->get, 2, position, -1, SQLITE_STATIC);
    const int code = sqlite3_step(cache->get);
    *found = code == SQLITE_ROW;
    Status status = *found || code == SQLITE_DONE ? OK : fail(cache, code);
    if (*found)
        status = take_answer(cache, position, out);
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
