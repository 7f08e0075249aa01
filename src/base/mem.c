// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/mem.h"

#include "base/file.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { HUGE_PAGE = 2 << 20, FIRST_CAPACITY = 16, CHECKED_FROM = 64 << 20 };

static void *or_die(void *memory, size_t size) {
    if (memory == NULL && size != 0) {
        fprintf(stderr, "out of memory: %zu bytes\n", size);
        abort();
    }
    return memory;
}

void *mem_alloc(size_t size) {
    return or_die(malloc(size), size);
}

void *mem_alloc_zero(size_t count, size_t size) {
    return or_die(calloc(count, size), count * size);
}

void *mem_resize(void *old, size_t size) {
    return or_die(realloc(old, size), size);
}

char *mem_copy_string(const char *text) {
    size_t size = strlen(text) + 1;
    return memcpy(mem_alloc(size), text, size);
}

void mem_free_at(void *pointer) {
    free(*(void **)pointer);
}

void *mem_grow(void *items, size_t *capacity, size_t need, size_t element_size) {
    if (need <= *capacity)
        return items;
    size_t grown = *capacity == 0 ? FIRST_CAPACITY : *capacity * 2;
    *capacity = grown < need ? need : grown;
    return mem_resize(items, *capacity * element_size);
}

void mem_sort(void *items, size_t count, size_t element_size,
              int compare(const void *, const void *)) {
    if (count > 0)
        qsort(items, count, element_size, compare);
}

// Linux overcommits memory, and kills processes that use more than there is.
static size_t available_memory(void) {
    char line[128];
    size_t kilobytes = SIZE_MAX >> 10;
    CLEANUP(file_close_at) FILE *file = fopen("/proc/meminfo", "re");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "MemAvailable: %zu", &kilobytes) == 1)
            break;
    return kilobytes > SIZE_MAX >> 10 ? SIZE_MAX : kilobytes << 10;
}

void *mem_alloc_pages(size_t size) {
    if (size > SIZE_MAX - HUGE_PAGE || (size > CHECKED_FROM && size > available_memory()))
        return NULL;
    size_t rounded = (size + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    void *memory = aligned_alloc(HUGE_PAGE, rounded);
    if (memory == NULL)
        return NULL;
    // A hint only: without huge pages everything still works, with more TLB misses.
    (void)madvise(memory, rounded, MADV_HUGEPAGE);
    return memset(memory, 0, rounded);
}
