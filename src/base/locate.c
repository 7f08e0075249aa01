// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/locate.h"

#include "base/mem.h"
#include "base/supplied.h"

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

// Looks into one folder; a folder without the file goes into `tried`.
static bool try_path(const char *folder, const char *rest, const char *name, Str *out, Str *tried) {
    str_setf(out, "%s/%s", folder, rest);
    CLEANUP(mem_free_at) char *real = realpath(str_text(out), NULL);
    if (real == NULL)
        return false;
    str_addf(out, "%s", name);
    const bool found = access(str_text(out), R_OK) == 0;
    if (!found)
        str_addf(tried, ", nor in %s", real);
    return found;
}

static bool find_shipped(const char *folder, const char *name, Str *out, Str *tried) {
    // Below the program: its build folder is one or, for other builds, three levels down.
    static const char *const places[] = {"", "../", "../../", "../../../", "../share/falconer/"};
    CLEANUP(str_free) Str below = {0};
    CLEANUP(str_free) Str program = {0};
    bool found = false;
    const char *set = getenv("FALCONER_DATA");
    str_addf(&below, "%s/", folder);
    if (set != NULL)
        found = try_path(set, "", name, out, tried) ||
                try_path(set, str_text(&below), name, out, tried);
    locate_program_folder(&program);
    for (size_t i = 0; i < sizeof places / sizeof *places && !found && program.length > 0; i++) {
        str_setf(&below, "%s%s/", places[i], folder);
        found = try_path(str_text(&program), str_text(&below), name, out, tried);
    }
    return found;
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
