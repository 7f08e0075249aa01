// SPDX-License-Identifier: GPL-3.0-or-later
// In place of src/base/file.c, src/base/locate.c and a part of libc where there is no system, in a
// browser: weights and book come as bytes (eyas_wasm.c), and memory takes no hints.
#include "base/file.h"
#include "base/locate.h"

#include <sys/mman.h>

static Status refuse(const char *path) {
    return error_set(ERR_IO, "%s: there are no files here", path);
}

Status file_read(const char *path, size_t max, Str *out) {
    (void)max, (void)out;
    return refuse(path);
}

Status locate(const char *folder, const char *name, Str *out) {
    (void)folder, (void)out;
    return refuse(name);
}

Status locate_shipped(const char *folder, const char *name, Str *out) {
    (void)folder, (void)out;
    return refuse(name);
}

int madvise(void *memory, size_t size, int hint) {
    (void)memory, (void)size, (void)hint;
    return 0;
}
