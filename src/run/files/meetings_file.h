// SPDX-License-Identifier: GPL-3.0-or-later
// meetings.csv of a run by games: who met whom in the generations that populations.csv keeps, and
// what came of it.
#pragma once

#include "evolve/encounters.h"
#include "run/files/populations_file.h"

typedef struct MeetingsFile {
    Journal journal;
    PopulationsConfig config;
} MeetingsFile;

#define MEETINGS_FILE_NONE                                                                         \
    { .journal = JOURNAL_NONE }

// Opens DIRECTORY/meetings.csv as generation_rows_open does.
MUST_CHECK Status meetings_open(MeetingsFile *file, const char *directory,
                                const PopulationsConfig *config, uint32_t generation);
// Keeps those of a generation, if it is one to keep. Nothing is kept in a file that is not open.
MUST_CHECK Status meetings_add(MeetingsFile *file, uint32_t generation, const Encounter *rows,
                               size_t count);
// Brings them to the disk itself.
MUST_CHECK Status meetings_sync(MeetingsFile *file);
MUST_CHECK Status meetings_close(MeetingsFile *file);

// Told of the rows one by one.
typedef void MeetingsVisit(void *context, uint32_t generation, const Encounter *row);
// Reads DIRECTORY/meetings.csv; nothing is told where there is none. ERR_PARSE, with the line,
// where it is damaged.
MUST_CHECK Status meetings_each(const char *directory, MeetingsVisit *visit, void *context);
