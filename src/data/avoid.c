// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/avoid.h"

#include "base/lines.h"
#include "base/mem.h"
#include "chess/epd.h"

#include <inttypes.h>
#include <stdlib.h>

static Status read_keys(AvoidSet *set, LineReader *lines, Epd *epd) {
    for (;;) {
        StrView line;
        Status status = lines_next(lines, &line);
        if (status != OK || line.text == NULL)
            return status;
        line = view_trim(line);
        if (line.length == 0 || line.text[0] == '#')
            continue;
        status = epd_parse(epd, line);
        if (status != OK) {
            error_prefix("%s:%" PRIu64, stream_name(lines_stream(lines)), lines_number(lines));
            return status;
        }
        set->keys = vec_grow(set->keys, &set->capacity, set->count + 1, sizeof *set->keys);
        set->keys[set->count++] = epd->pos.key;
    }
}

Status avoid_load(AvoidSet *set, const char *path) {
    LineReader *lines;
    Epd epd = {0};
    Status status = lines_open(&lines, path, EPD_LINE_MAX);
    if (status != OK)
        return status;
    status = read_keys(set, lines, &epd);
    epd_free(&epd);
    lines_close(lines);
    return status;
}

static int compare_keys(const void *a, const void *b) {
    const uint64_t first = *(const uint64_t *)a, second = *(const uint64_t *)b;
    return (first > second) - (first < second);
}

void avoid_sort(AvoidSet *set) {
    if (set->count > 1)
        qsort(set->keys, set->count, sizeof *set->keys, compare_keys);
}

bool avoid_has(const AvoidSet *set, uint64_t key) {
    return set->count > 0 &&
           bsearch(&key, set->keys, set->count, sizeof *set->keys, compare_keys) != NULL;
}

void avoid_free(AvoidSet *set) {
    free(set->keys);
    *set = (AvoidSet){0};
}
