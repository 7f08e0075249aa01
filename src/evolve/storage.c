// SPDX-License-Identifier: GPL-3.0-or-later
#include "evolve/storage.h"

#include "base/mem.h"

enum { SMALL = 64 << 20 };

void *storage_new(size_t count, size_t size) {
    size_t bytes;
    bool fits = !__builtin_mul_overflow(count, size, &bytes);
    void *memory = NULL;
    if (fits)
        memory =
            bytes <= SMALL ? mem_alloc_zero(bytes == 0 ? 1 : bytes, 1) : mem_alloc_pages(bytes);
    if (memory == NULL)
        (void)error_set(ERR_LIMIT, "no memory for %zu times %zu bytes: choose a smaller population",
                        count, size);
    return memory;
}

void storage_load_organisms(const EvolveSpace *space, ByteReader *in, double *parameters,
                            size_t count) {
    bytes_doubles(in, parameters, count * space->count);
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < space->count; j++) {
            double value = parameters[i * space->count + j];
            if (space_nearest(space, j, value) != value)
                in->failed = true;
        }
}
