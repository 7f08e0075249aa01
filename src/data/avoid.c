// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/avoid.h"

#include "base/mem.h"
#include "chess/epd_file.h"

#include <stdlib.h>

static Status take_record(void *context, const Epd *epd, StrView line, uint64_t number) {
    (void)line;
    (void)number;
    AvoidSet *set = context;
    set->keys = mem_grow(set->keys, &set->capacity, set->count + 1, sizeof *set->keys);
    set->keys[set->count++] = epd->pos.key;
    return OK;
}

Status avoid_load(AvoidSet *set, const char *path) {
    return epd_read_file(path, take_record, set);
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
