// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/files/generation_rows.h"

#include "base/file.h"
#include "base/mem.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// Whether a whole line is a row, of which generation.
static bool parse_row(const char *line, uint32_t *generation) {
    uint32_t organism;
    return sscanf(line, "%" SCNu32 ",%" SCNu32 ",", generation, &organism) == 2;
}

// How much of the file is of generations before `next`; a row that a kill cut short ends it, and is
// never kept.
static Status measure(FILE *file, const char *path, const Str *header, const char *what,
                      uint32_t next, uint64_t *bytes) {
    CLEANUP(mem_free_at) char *line = NULL;
    size_t capacity = 0;
    uint32_t generation;
    *bytes = 0;
    for (ssize_t got; (got = getline(&line, &capacity, file)) > 0;) {
        const bool is_whole = line[got - 1] == '\n', is_first = *bytes == 0;
        const bool is_ours = is_first   ? strncmp(line, str_text(header), (size_t)got) == 0
                             : is_whole ? parse_row(line, &generation)
                                        : true;
        if (!is_ours)
            return error_set(ERR_PARSE,
                             "%s: not the %s of this run: move it away to go on without them", path,
                             what);
        if (!is_whole || (!is_first && generation >= next))
            break;
        *bytes += (uint64_t)got;
    }
    return OK;
}

Status generation_rows_open(Journal *out, const char *directory, const char *name,
                            const Str *header, const char *what, uint32_t generation) {
    uint64_t bytes;
    TRY(journal_open(out, directory, name));
    CLEANUP(file_close_at) FILE *old = fopen(out->path, "re");
    if (old == NULL)
        return error_set(ERR_IO, "%s: %s", out->path, strerror(errno));
    TRY(measure(old, out->path, header, what, generation, &bytes));
    TRY(journal_cut(out, bytes));
    return bytes > 0 ? OK : journal_append(out, header);
}

Status generation_rows_add(Journal *journal, const Str *rows) {
    return journal->length + rows->length > GENERATION_ROWS_BYTES_MAX
               ? OK
               : journal_append(journal, rows);
}
