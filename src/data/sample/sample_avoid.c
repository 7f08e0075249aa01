// SPDX-License-Identifier: GPL-3.0-or-later
// Positions that a sample must keep away from.
#include "data/sample/sample.h"

#include "base/mem.h"
#include "chess/epd.h"

#include <stdlib.h>

static Status take_record(void *context, const Epd *epd, StrView line, uint64_t number) {
    (void)line;
    (void)number;
    AvoidSet *set = context;
    MEM_ADD(set->keys, set->count, set->capacity) = epd->pos.key;
    return OK;
}

Status avoid_set_load(AvoidSet *set, const char *path) {
    return epd_read_file(path, take_record, set);
}

static int compare_keys(const void *a, const void *b) {
    const uint64_t first = *(const uint64_t *)a, second = *(const uint64_t *)b;
    return MEM_ORDER(first, second);
}

void avoid_set_sort(AvoidSet *set) {
    MEM_SORT(set->keys, set->count, compare_keys);
}

bool avoid_set_has(const AvoidSet *set, uint64_t key) {
    return set->count > 0 &&
           bsearch(&key, set->keys, set->count, sizeof *set->keys, compare_keys) != NULL;
}

void avoid_set_free(AvoidSet *set) {
    free(set->keys);
    *set = (AvoidSet){0};
}
