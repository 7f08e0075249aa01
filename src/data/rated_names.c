// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/rated_names.h"

#include "base/mem.h"
#include "data/names.h"

#include <stdlib.h>
#include <string.h>

enum { SLOTS_FIRST = 1 << 10 };

typedef struct Entry {
    char *text; // NULL: free
    size_t length;
    RatedYears years;
    uint64_t games[RATING_SOURCE_NB];
} Entry;

struct RatedNames {
    const RatingList *ratings;
    Entry *entries;
    size_t slot_count, used;
};

RatedNames *rated_names_create(const RatingList *ratings) {
    RatedNames *names = mem_alloc_zero(1, sizeof *names);
    names->ratings = ratings;
    names->slot_count = SLOTS_FIRST;
    names->entries = mem_alloc_zero(names->slot_count, sizeof *names->entries);
    return names;
}

void rated_names_destroy(RatedNames *names) {
    if (names == NULL)
        return;
    for (size_t i = 0; i < names->slot_count; i++) {
        free(names->entries[i].text);
        free(names->entries[i].years.items);
    }
    free(names->entries);
    free(names);
}

// The entry of that name, or the free one where it belongs.
static Entry *find(const RatedNames *names, StrView name) {
    size_t i = name_hash(name) & (names->slot_count - 1);
    while (names->entries[i].text != NULL &&
           (names->entries[i].length != name.length ||
            memcmp(names->entries[i].text, name.text, name.length) != 0))
        i = (i + 1) & (names->slot_count - 1);
    return &names->entries[i];
}

static void grow(RatedNames *names) {
    RatedNames bigger = {names->ratings, NULL, names->slot_count * 2, names->used};
    bigger.entries = mem_alloc_zero(bigger.slot_count, sizeof *bigger.entries);
    for (size_t i = 0; i < names->slot_count; i++)
        if (names->entries[i].text != NULL)
            *find(&bigger, view_of(names->entries[i].text, names->entries[i].length)) =
                names->entries[i];
    free(names->entries);
    *names = bigger;
}

static Entry *get(RatedNames *names, StrView name) {
    Entry *entry = find(names, name);
    if (entry->text != NULL)
        return entry;
    if (2 * ++names->used > names->slot_count) {
        grow(names);
        entry = find(names, name);
    }
    entry->text = view_copy(name);
    entry->length = name.length;
    if (names->ratings != NULL)
        rating_list_find(names->ratings, name, &entry->years);
    return entry;
}

// What the list has for a year: a rating, RATING_SEVERAL, or 0.
static int listed_rating(const Entry *entry, int year) {
    for (size_t i = 0; i < entry->years.count; i++)
        if (entry->years.items[i].year == year)
            return entry->years.items[i].rating;
    return 0;
}

int rated_names_rating(RatedNames *names, StrView name, int year, int tag_rating) {
    int rating = listed_rating(get(names, name), year);
    return rating > 0 ? rating : tag_rating;
}

void rated_names_count(RatedNames *names, StrView name, int year, int tag_rating) {
    Entry *entry = get(names, name);
    int rating = listed_rating(entry, year);
    RatingSource source = entry->years.is_listed ? RATING_NOT_THAT_YEAR : RATING_NO_SUCH_NAME;
    if (rating > 0)
        source = RATING_FROM_LIST;
    else if (tag_rating > 0)
        source = RATING_FROM_TAG;
    else if (rating == RATING_SEVERAL)
        source = RATING_AMBIGUOUS;
    entry->games[source]++;
}

static int compare_names(const void *left, const void *right) {
    const RatedName *a = left, *b = right;
    size_t shorter = a->name.length < b->name.length ? a->name.length : b->name.length;
    int order = memcmp(a->name.text, b->name.text, shorter);
    return order != 0 ? order : MEM_ORDER(a->name.length, b->name.length);
}

static uint64_t total(const RatedName *name) {
    uint64_t sum = 0;
    for (int i = 0; i < RATING_SOURCE_NB; i++)
        sum += name->games[i];
    return sum;
}

static int compare_totals(const void *left, const void *right) {
    uint64_t a = total(left), b = total(right);
    return a != b ? (a < b) - (a > b) : compare_names(left, right);
}

RatedName *rated_names_merge(RatedNames *const *tables, size_t table_count, size_t *count) {
    RatedName *all = NULL;
    size_t capacity = 0, n = 0, kept = 0;
    for (size_t t = 0; t < table_count; t++)
        for (size_t i = 0; i < tables[t]->slot_count; i++) {
            const Entry *entry = &tables[t]->entries[i];
            RatedName name = {.name = view_of(entry->text, entry->length)};
            memcpy(name.games, entry->games, sizeof entry->games);
            if (total(&name) > 0)
                MEM_ADD(all, n, capacity) = name;
        }
    MEM_SORT(all, n, compare_names);
    for (size_t i = 0; i < n; i++) {
        if (kept == 0 || compare_names(&all[kept - 1], &all[i]) != 0) {
            all[kept++] = all[i];
            continue;
        }
        for (int k = 0; k < RATING_SOURCE_NB; k++)
            all[kept - 1].games[k] += all[i].games[k];
    }
    MEM_SORT(all, kept, compare_totals);
    *count = kept;
    return all;
}
