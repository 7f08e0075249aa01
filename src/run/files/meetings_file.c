// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/files/meetings_file.h"

#include "base/lines.h"
#include "run/files/generation_rows.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

static const char file_name[] = "meetings.csv";
static const char header[] = "generation,first,second,wins,draws,losses\n";

enum { ROW_MAX = 256 };

Status meetings_open(MeetingsFile *file, const char *directory, const PopulationsConfig *config,
                     uint32_t generation) {
    CLEANUP(str_free) Str text = {0};
    *file = (MeetingsFile){.journal = JOURNAL_NONE, .config = *config};
    if (config->organisms == 0)
        return OK;
    str_add(&text, header);
    return generation_rows_open(&file->journal, directory, file_name, &text, "meetings",
                                generation);
}

Status meetings_add(MeetingsFile *file, uint32_t generation, const Encounter *rows, size_t count) {
    CLEANUP(str_free) Str text = {0};
    if (file->journal.fd < 0 || !populations_keep(&file->config, generation))
        return OK;
    for (size_t i = 0; i < count; i++)
        str_addf(&text, "%" PRIu32 ",%zu,%zu,%u,%u,%u\n", generation, rows[i].first, rows[i].second,
                 rows[i].result.wins, rows[i].result.draws, rows[i].result.losses);
    return generation_rows_add(&file->journal, &text);
}

Status meetings_sync(MeetingsFile *file) {
    return file->journal.fd < 0 ? OK : journal_sync(&file->journal);
}

Status meetings_close(MeetingsFile *file) {
    return journal_close(&file->journal);
}

// --- reading ---

static bool parse_row(const char *text, uint32_t *generation, Encounter *row) {
    int end = 0;
    *row = (Encounter){0};
    return sscanf(text, "%" SCNu32 ",%zu,%zu,%u,%u,%u%n", generation, &row->first, &row->second,
                  &row->result.wins, &row->result.draws, &row->result.losses, &end) == 6 &&
           text[end] == '\0';
}

static Status read_rows(const char *path, MeetingsVisit *visit, void *context) {
    CLEANUP(str_free) Str text = {0};
    CLEANUP(lines_close_at) LineReader *lines = NULL;
    TRY(lines_open(&lines, path, ROW_MAX));
    for (;;) {
        StrView line;
        uint32_t generation;
        Encounter row;
        TRY(lines_next(lines, &line));
        if (line.text == NULL)
            return OK;
        if (lines_number(lines) == 1)
            continue;
        str_clear(&text);
        str_append(&text, line.text, line.length);
        if (!parse_row(str_text(&text), &generation, &row))
            return error_set(ERR_PARSE, "%s:%" PRIu64 ": not a row of meetings", path,
                             lines_number(lines));
        visit(context, generation, &row);
    }
}

Status meetings_each(const char *directory, MeetingsVisit *visit, void *context) {
    CLEANUP(str_free) Str path = {0};
    str_addf(&path, "%s/%s", directory, file_name);
    return access(str_text(&path), F_OK) != 0 ? OK : read_rows(str_text(&path), visit, context);
}
