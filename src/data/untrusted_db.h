// SPDX-License-Identifier: GPL-3.0-or-later
// SQLite files of unknown origin: nothing that such a file holds is executed, and it
// names no other file that is touched.
#pragma once

#include <sqlite3.h>

typedef struct UntrustedDb UntrustedDb;

// Opens or makes the file; returns a code of SQLite's. `out` is to be closed in any case.
int untrusted_db_open(UntrustedDb **out, const char *path);
// All statements must have been finalized. NULL is fine.
void untrusted_db_close(UntrustedDb *file);
// The connection; NULL where there is none.
sqlite3 *untrusted_db_connection(const UntrustedDb *file);
