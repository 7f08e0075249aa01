// SPDX-License-Identifier: GPL-3.0-or-later
// Memory. Small requests cannot fail (the program ends with a message); sizes that a user chose
// go through mem_alloc_pages and can.
#pragma once

#include <stddef.h>

void *mem_alloc(size_t size);
void *mem_alloc_zero(size_t count, size_t size);
void *mem_resize(void *old, size_t size);
char *mem_copy_string(const char *text);
// free() for CLEANUP (base/error.h): takes the address of a pointer.
void mem_free_at(void *pointer);

// Makes room for `need` elements in a growing array by doubling: items = mem_grow(items, &cap,
// ...).
void *mem_grow(void *items, size_t *capacity, size_t need, size_t element_size);
// Makes room for one more element of a growing array, and is that element, which is not
// initialised: MEM_ADD(list->items, list->count, list->capacity) = item;
#define MEM_ADD(items, count, capacity)                                                            \
    (*((items) = mem_grow((items), &(capacity), (count) + 1, sizeof *(items)), &(items)[(count)++]))

// qsort() that takes no elements at NULL, and the order of two numbers for what it calls.
void mem_sort(void *items, size_t count, size_t element_size,
              int compare(const void *, const void *));
#define MEM_SORT(items, count, compare) mem_sort(items, count, sizeof *(items), compare)
#define MEM_ORDER(a, b)                 (((a) > (b)) - ((a) < (b)))

// Zeroed memory aligned to 2 MiB pages, or NULL when there is not that much. Free with free().
void *mem_alloc_pages(size_t size);
