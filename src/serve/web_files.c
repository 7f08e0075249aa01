// SPDX-License-Identifier: GPL-3.0-or-later
#include "serve/web_files.h"

#include <string.h>

// The assembler takes the bytes as they are. The Makefile knows what this object depends on, and
// keeps link-time optimisation, which does not see such names, away from it.
#define WEB_FILE(id, address, file, type)                                                          \
    __asm__(".pushsection .rodata\nweb_" #id ":\n.incbin \"" file "\"\nweb_" #id                   \
            "_end:\n.byte 0\n.popsection\n");                                                      \
    extern const char web_##id[] __attribute__((visibility("hidden")));                            \
    extern const char web_##id##_end[] __attribute__((visibility("hidden")));
#include "serve/web_files.def"
#undef WEB_FILE

typedef struct Row {
    const char *address, *type, *begin, *end;
} Row;

static const Row rows[] = {
#define WEB_FILE(id, address, file, type) {address, type, web_##id, web_##id##_end},
#include "serve/web_files.def"
#undef WEB_FILE
};

WebFile web_file_find(const char *address) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].address, address) == 0)
            return (WebFile){rows[i].address, rows[i].type,
                             view_of(rows[i].begin, (size_t)(rows[i].end - rows[i].begin))};
    return (WebFile){0};
}
