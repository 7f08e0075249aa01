// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/locate.h"

#include "base/mem.h"
#include "base/supplied.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void locate_program_folder(Str *out) {
    char path[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length <= 0)
        return;
    path[length] = '\0';
    char *slash = strrchr(path, '/');
    if (slash != NULL)
        str_append(out, path, (size_t)(slash - path));
}

// --- where files that come with the program may be ---

enum { PLACES_MAX = 7 };

typedef struct Places {
    Str paths[PLACES_MAX]; // each with a slash at its end
    size_t count;
} Places;

static void places_find(Places *places, const char *folder) {
    // Below the program: its build folder is one or, for other builds, three levels down.
    static const char *const from_program[] = {"", "../", "../../", "../../../",
                                               "../share/falconer/"};
    CLEANUP(str_free) Str program = {0};
    const char *set = getenv("FALCONER_DATA");
    if (set != NULL) {
        str_addf(&places->paths[places->count++], "%s/", set);
        str_addf(&places->paths[places->count++], "%s/%s/", set, folder);
    }
    locate_program_folder(&program);
    for (size_t i = 0; i < sizeof from_program / sizeof *from_program && program.length > 0; i++)
        str_addf(&places->paths[places->count++], "%s/%s%s/", str_text(&program), from_program[i],
                 folder);
}

static void places_free(Places *places) {
    for (size_t i = 0; i < places->count; i++)
        str_free(&places->paths[i]);
}

// Looks into one folder; a folder without the file goes into `tried`.
static bool try_path(const char *place, const char *name, Str *out, Str *tried) {
    CLEANUP(mem_free_at) char *real = realpath(place, NULL);
    if (real == NULL)
        return false;
    str_setf(out, "%s%s", place, name);
    const bool found = access(str_text(out), R_OK) == 0;
    if (!found)
        str_addf(tried, ", nor in %s", real);
    return found;
}

static bool find_shipped(const char *folder, const char *name, Str *out, Str *tried) {
    CLEANUP(places_free) Places places = {0};
    bool found = false;
    places_find(&places, folder);
    for (size_t i = 0; i < places.count && !found; i++)
        found = try_path(str_text(&places.paths[i]), name, out, tried);
    return found;
}

static bool has_line(const Str *lines, const char *name, size_t length) {
    for (const char *line = str_text(lines); *line != '\0'; line = strchr(line, '\n') + 1)
        if (strncmp(line, name, length) == 0 && line[length] == '\n')
            return true;
    return false;
}

static void list_place(const char *place, const char *ending, Str *out) {
    struct dirent **entries;
    const int count = scandir(place, &entries, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        const char *name = entries[i]->d_name;
        const size_t all = strlen(name), end = strlen(ending), length = all > end ? all - end : 0;
        if (length > 0 && strcmp(name + length, ending) == 0 && !has_line(out, name, length))
            str_addf(out, "%.*s\n", (int)length, name);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
}

void locate_list(const char *folder, const char *ending, Str *out) {
    CLEANUP(places_free) Places places = {0};
    places_find(&places, folder);
    for (size_t i = 0; i < places.count; i++)
        list_place(str_text(&places.paths[i]), ending, out);
}

Status locate_shipped(const char *folder, const char *name, Str *out) {
    CLEANUP(str_free) Str tried = {0};
    return find_shipped(folder, name, out, &tried)
               ? OK
               : error_set(ERR_IO, "%s: not here%s (FALCONER_DATA can name a folder)", name,
                           str_text(&tried));
}

Status locate(const char *folder, const char *name, Str *out) {
    str_setf(out, "%s", name);
    if (supplied_or_there(name))
        return OK;
    if (strchr(name, '/') != NULL)
        return error_set(ERR_IO, "%s: %s", name, strerror(errno));
    return locate_shipped(folder, name, out);
}
