// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/files/run_rank.h"

#include "base/lines.h"
#include "base/mem.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { RUN_LINE_MAX = 1 << 10 };

void run_path(const char *directory, bool is_one_of_several, size_t index, Str *out) {
    str_add(out, directory);
    if (is_one_of_several)
        str_addf(out, "/run-%02zu", index + 1);
}

size_t run_rank_median(size_t runs) {
    return runs / 2;
}

// The rank in a line of runs.csv, counted from 0; SIZE_MAX where there is none.
static size_t rank_in(StrView line, size_t run) {
    char text[64];
    size_t number, rank;
    snprintf(text, sizeof text, "%.*s", (int)line.length, line.text);
    const bool is_row = sscanf(text, "%zu,%zu,", &number, &rank) == 2 && number == run + 1;
    return is_row && rank > 0 ? rank - 1 : SIZE_MAX;
}

static Status read_ranks(LineReader *lines, size_t **ranks, size_t *count) {
    size_t capacity = 0;
    StrView line;
    TRY(lines_next(lines, &line)); // the names of the columns
    while (line.text != NULL) {
        TRY(lines_next(lines, &line));
        if (line.text == NULL)
            break;
        *ranks = mem_grow(*ranks, &capacity, *count + 1, sizeof **ranks);
        (*ranks)[*count] = rank_in(line, *count);
        if ((*ranks)[(*count)++] == SIZE_MAX)
            return error_set(ERR_PARSE, "not a line of a run");
    }
    return OK;
}

static Status find_median(LineReader *lines, size_t *run) {
    CLEANUP(mem_free_at) size_t *ranks = NULL;
    size_t count = 0;
    TRY(read_ranks(lines, &ranks, &count));
    while (*run < count && ranks[*run] != run_rank_median(count))
        ++*run;
    return *run < count ? OK : error_set(ERR_PARSE, "no run has the rank in the middle");
}

Status run_rank_read_median(const char *directory, size_t *run) {
    CLEANUP(str_free) Str path = {0};
    CLEANUP(lines_close_at) LineReader *lines = NULL;
    *run = 0;
    str_addf(&path, "%s/runs.csv", directory);
    TRY(lines_open(&lines, str_text(&path), RUN_LINE_MAX));
    TRY_PREFIX(find_median(lines, run), "%s:%" PRIu64, str_text(&path), lines_number(lines));
    return OK;
}
