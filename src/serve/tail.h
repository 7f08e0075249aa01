// SPDX-License-Identifier: GPL-3.0-or-later
// The lines that have been added to a file of somebody else's since it was last looked at. Nothing
// is asked of who writes it: a half line at the end waits until it is whole, and a file that was
// cut or replaced is read anew.
#pragma once

#include "base/error.h"
#include "base/view.h"

#include <sys/types.h>

enum { TAIL_LINE_MAX = 1 << 22 };

// {0} has seen nothing.
typedef struct Tail {
    ino_t file;
    uint64_t size;    // when it was last looked at
    int64_t time_ns;  // and when it had been changed
    uint64_t read_to; // of it: whole lines
} Tail;

typedef struct TailEvents {
    void *context;
    void (*restart)(void *context); // what was told before is of a file that is no more
    // A line without its end; `at` is where it begins. NUL-terminated.
    void (*take)(void *context, StrView line, uint64_t at);
} TailEvents;

// Whether there is something new, without reading it.
bool tail_has_news(const Tail *tail, const char *path);
// The same for a file that is replaced as a whole and read elsewhere: there is no news of it after
// this.
bool tail_note_news(Tail *tail, const char *path);
// Reads what is new; a file that is not there has nothing.
MUST_CHECK Status tail_read(Tail *tail, const char *path, const TailEvents *events);
