// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/untrusted_db.h"

#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    NAME_SIZE = 40,
    VALUE_MAX = 1 << 20, // bytes of a text or blob
    SQL_MAX = 1 << 14,   // of a statement, also of those that the file holds
};

struct UntrustedDb {
    sqlite3 *db;
    sqlite3_vfs vfs;
    char name[NAME_SIZE]; // of the vfs
};

// A journal may name another file, to be deleted when it is no longer needed: that is how one
// transaction spans several databases. Ours never does, so such a journal is an attack.
static int open_file(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags,
                     int *out_flags) {
    sqlite3_vfs *plain = vfs->pAppData;
    file->pMethods = NULL;
    if ((flags & SQLITE_OPEN_SUPER_JOURNAL) != 0)
        return SQLITE_CORRUPT;
    return plain->xOpen(plain, name, file, flags, out_flags);
}

// SQLite finds file systems by name, so each has its own.
static int add_file_system(UntrustedDb *file) {
    sqlite3_vfs *plain = sqlite3_vfs_find(NULL);
    if (plain == NULL)
        return SQLITE_ERROR;
    snprintf(file->name, sizeof file->name, "falconer-%p", (void *)file);
    file->vfs = *plain;
    file->vfs.pNext = NULL;
    file->vfs.zName = file->name;
    file->vfs.pAppData = plain;
    file->vfs.xOpen = open_file;
    return sqlite3_vfs_register(&file->vfs, 0);
}

static int restrict_connection(sqlite3 *db) {
    static const struct {
        int setting, value;
    } settings[] = {
        {SQLITE_DBCONFIG_DEFENSIVE, 1},
        {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
        {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
        {SQLITE_DBCONFIG_ENABLE_VIEW, 0},
        {SQLITE_DBCONFIG_DQS_DDL, 0},
        {SQLITE_DBCONFIG_DQS_DML, 0},
        {SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0},
    };
    int code = SQLITE_OK;
    for (size_t i = 0; i < sizeof settings / sizeof *settings && code == SQLITE_OK; i++)
        code = sqlite3_db_config(db, settings[i].setting, settings[i].value, NULL);
    sqlite3_limit(db, SQLITE_LIMIT_LENGTH, VALUE_MAX);
    sqlite3_limit(db, SQLITE_LIMIT_SQL_LENGTH, SQL_MAX);
    sqlite3_limit(db, SQLITE_LIMIT_ATTACHED, 0);
    // A mapped file that another process cuts would end the process.
    return code == SQLITE_OK ? sqlite3_exec(db,
                                            "PRAGMA trusted_schema = OFF;"
                                            "PRAGMA cell_size_check = ON;"
                                            "PRAGMA mmap_size = 0;",
                                            NULL, NULL, NULL)
                             : code;
}

int untrusted_db_open(UntrustedDb **out, const char *path) {
    UntrustedDb *file = mem_alloc_zero(1, sizeof *file);
    *out = file;
    int code = add_file_system(file);
    if (code == SQLITE_OK)
        code = sqlite3_open_v2(path, &file->db,
                               SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_EXRESCODE,
                               file->name);
    return code == SQLITE_OK ? restrict_connection(file->db) : code;
}

void untrusted_db_close(UntrustedDb *file) {
    if (file == NULL)
        return;
    sqlite3_close(file->db);
    if (file->vfs.zName != NULL)
        sqlite3_vfs_unregister(&file->vfs);
    free(file);
}

sqlite3 *untrusted_db_connection(const UntrustedDb *file) {
    return file == NULL ? NULL : file->db;
}
