// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/bundled.h"

#include "base/locate.h"
#include "base/mem.h"
#include "base/nearest.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char suffix[] = ".weights";

// Names without their suffix, for a suggestion.
typedef struct BundledNames {
    char **items;
    size_t count, capacity;
} BundledNames;

static void names_free(BundledNames *names) {
    for (size_t i = 0; i < names->count; i++)
        free(names->items[i]);
    free(names->items);
}

static void names_add(BundledNames *names, const char *file, size_t length) {
    names->items = mem_grow(names->items, &names->capacity, names->count + 1, sizeof *names->items);
    char *copy = mem_copy_string(file);
    copy[length] = '\0';
    names->items[names->count++] = copy;
}

// Length of a file's name without the suffix; 0 where it has another or none.
static size_t stem_length(const char *file) {
    const size_t length = strlen(file), end = sizeof suffix - 1;
    return length > end && strcasecmp(file + length - end, suffix) == 0 ? length - end : 0;
}

// Looks through one folder; `out` becomes the path where the name is there.
static bool find_in_folder(const char *folder, const char *name, Str *out, BundledNames *names) {
    const size_t wanted = stem_length(name) > 0 ? stem_length(name) : strlen(name);
    DIR *files = opendir(folder);
    bool found = false;
    for (const struct dirent *file; files != NULL && !found && (file = readdir(files)) != NULL;) {
        const size_t length = stem_length(file->d_name);
        found = length > 0 && length == wanted && strncasecmp(file->d_name, name, length) == 0;
        if (found)
            str_setf(out, "%s/%s", folder, file->d_name);
        else if (length > 0)
            names_add(names, file->d_name, length);
    }
    if (files != NULL)
        closedir(files);
    return found;
}

static bool find_bundled(const char *name, Str *out, BundledNames *names) {
    static const char *const below[] = {"", "/players"};
    CLEANUP(str_free) Str one = {0};
    CLEANUP(str_free) Str folder = {0};
    if (locate_shipped("weights", "falcon.weights", &one) != OK)
        return false;
    const size_t length = (size_t)(strrchr(str_text(&one), '/') - str_text(&one));
    bool found = false;
    for (size_t i = 0; i < sizeof below / sizeof *below && !found; i++) {
        str_clear(&folder);
        str_append(&folder, str_text(&one), length);
        str_add(&folder, below[i]);
        found = find_in_folder(str_text(&folder), name, out, names);
    }
    return found;
}

Status bundled_locate(const char *name, Str *out) {
    const Status status = locate("weights", name, out);
    if (status == OK || strchr(name, '/') != NULL)
        return status;
    CLEANUP(names_free) BundledNames names = {0};
    CLEANUP(str_free) Str message = {0};
    str_add(&message, error_message());
    if (find_bundled(name, out, &names))
        return OK;
    error_set(status, "%s", str_text(&message));
    return nearest_suggest(status, name, (const char *const *)names.items, names.count);
}
