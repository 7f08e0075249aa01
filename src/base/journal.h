// SPDX-License-Identifier: GPL-3.0-or-later
// A file that only grows, a record at a time. Who goes on with one first looks at what is there,
// and cuts off what a killed process left half written.
#pragma once

#include "base/error.h"
#include "base/str.h"

typedef struct Journal {
    char *path;      // owned, for messages
    int fd;          // -1: not open
    uint64_t length; // in bytes
} Journal;

#define JOURNAL_NONE                                                                               \
    { .fd = -1 }

// Opens DIRECTORY/NAME to be read and appended to; makes it where there is none.
MUST_CHECK Status journal_open(Journal *out, const char *directory, const char *name);
// Appends a record: it is out of our hands when this returns.
MUST_CHECK Status journal_append(Journal *journal, const Str *record);
// The same to any descriptor; the message is the system's reason alone.
MUST_CHECK Status journal_write(int fd, const Str *record);
// Cuts off everything behind `length` bytes.
MUST_CHECK Status journal_cut(Journal *journal, uint64_t length);
// Brings everything to the disk itself.
MUST_CHECK Status journal_sync(Journal *journal);
// ERR_IO with the path and the system's reason.
Status journal_fail(const Journal *journal);
// Fails where the system could not write everything. Not open is fine.
MUST_CHECK Status journal_close(Journal *journal);
