// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/outputs.h"

#include "base/file.h"
#include "base/locate.h"
#include "base/mem.h"
#include "base/str.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LINKS_MAX = 40 };

struct OutputPath {
    bool is_input;
    OutputKind kind;
    char *what;       // NULL for inputs
    char *path;       // as the user named it
    char *place;      // without links; of one that is not there, as far as there are folders
    bool is_there;    // then `info` holds
    struct stat info; // of what links lead to
};

// --- where a path leads ---

// Appends a rest of a path to a folder, without empty parts and ".".
static void add_parts(Str *out, const char *rest) {
    while (*rest != '\0') {
        const size_t length = strcspn(rest, "/");
        if (length > 0 && !(length == 1 && rest[0] == '.'))
            str_addf(out, "%s%.*s", out->length > 0 && out->text[out->length - 1] == '/' ? "" : "/",
                     (int)length, rest);
        rest += length + (rest[length] == '/');
    }
}

// The deepest folder of the path that is there, and the rest as it stands.
static char *place_of_missing(const char *path) {
    Str place = {0};
    CLEANUP(mem_free_at) char *folder = mem_copy_string(path);
    CLEANUP(mem_free_at) char *real = NULL;
    size_t length = strlen(path);
    while (length > 0 && real == NULL) {
        while (length > 0 && folder[length - 1] != '/')
            length--;
        folder[length] = '\0';
        real = realpath(length == 0 ? "." : folder, NULL);
        while (real == NULL && length > 0 && folder[length - 1] == '/')
            folder[--length] = '\0';
    }
    str_add(&place, real == NULL ? "." : real);
    add_parts(&place, path + length);
    return place.text;
}

// Where a link leads, as a path from here; NULL where there is no link.
static char *follow_link(const char *path) {
    char target[PATH_MAX];
    const ssize_t length = readlink(path, target, sizeof target - 1);
    if (length <= 0)
        return NULL;
    target[length] = '\0';
    Str next = {0};
    const char *slash = strrchr(path, '/');
    if (target[0] != '/' && slash != NULL)
        str_append(&next, path, (size_t)(slash + 1 - path));
    str_add(&next, target);
    return next.text;
}

// A link to nothing is what it would become when somebody writes to it.
static char *place_of(const char *path) {
    char *at = realpath(path, NULL);
    if (at != NULL)
        return at;
    at = mem_copy_string(path);
    for (int i = 0; i < LINKS_MAX; i++) {
        char *next = follow_link(at);
        if (next == NULL)
            break;
        free(at);
        at = next;
    }
    char *place = place_of_missing(at);
    free(at);
    return place;
}

static void add_path(Outputs *outputs, OutputPath path, const char *name) {
    path.path = mem_copy_string(name);
    path.place = place_of(name);
    MEM_ADD(outputs->items, outputs->count, outputs->capacity) = path;
}

// --- the list ---

static bool add_if_file(Outputs *outputs, const char *path) {
    OutputPath input = {.is_input = true, .is_there = true};
    if (stat(path, &input.info) != 0)
        return false;
    if (!S_ISDIR(input.info.st_mode))
        add_path(outputs, input, path);
    return true;
}

void outputs_add_input(Outputs *outputs, const char *path) {
    static const char *const folders[] = {"data", "weights"};
    CLEANUP(str_free) Str found = {0};
    if (path == NULL || add_if_file(outputs, strcmp(path, "-") == 0 ? "/dev/stdin" : path))
        return;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (locate(folders[i], path, &found) == OK)
            add_if_file(outputs, str_text(&found));
}

void outputs_add(Outputs *outputs, OutputKind kind, const char *what, const char *path) {
    OutputPath output = {.kind = kind};
    if (path == NULL)
        return;
    output.what = mem_copy_string(what);
    output.is_there = stat(path, &output.info) == 0;
    add_path(outputs, output, path);
}

void outputs_add_members(Outputs *outputs, const char *what, const char *folder,
                         const char *const *names) {
    CLEANUP(str_free) Str path = {0};
    for (; folder != NULL && *names != NULL; names++) {
        str_setf(&path, "%s/%s", folder, *names);
        outputs_add(outputs, OUTPUT_MEMBER, what, str_text(&path));
    }
}

void outputs_free(Outputs *outputs) {
    for (size_t i = 0; i < outputs->count; i++) {
        free(outputs->items[i].what);
        free(outputs->items[i].path);
        free(outputs->items[i].place);
    }
    free(outputs->items);
    *outputs = (Outputs){0};
}

// --- the same file twice ---

// What is written to a pipe or a device replaces nothing.
static bool is_lasting(const OutputPath *path) {
    return !path->is_there || S_ISREG(path->info.st_mode) || S_ISDIR(path->info.st_mode) ||
           S_ISBLK(path->info.st_mode);
}

static bool are_same(const OutputPath *a, const OutputPath *b) {
    if (a->is_there != b->is_there || !is_lasting(a) || !is_lasting(b))
        return false;
    return a->is_there ? a->info.st_dev == b->info.st_dev && a->info.st_ino == b->info.st_ino
                       : strcmp(a->place, b->place) == 0;
}

static Status compare(const OutputPath *output, const OutputPath *other) {
    const bool are_logs = output->kind == OUTPUT_LOG && other->kind == OUTPUT_LOG;
    if (!are_same(output, other) || (are_logs && !other->is_input))
        return OK;
    if (other->is_input)
        return error_set(ERR_ARG, "%s %s is the same file as the input %s: name another file",
                         output->what, output->path, other->path);
    return error_set(ERR_ARG, "%s %s is the same file as %s %s: give each a name of its own",
                     output->what, output->path, other->what, other->path);
}

// --- can it be written? ---

static Status fail(const OutputPath *output, const char *why) {
    return error_set(ERR_IO, "%s %s cannot be written: %s", output->what, output->path, why);
}

// As the writer will, with a temporary file.
static Status try_beside(const OutputPath *output, const char *path) {
    CLEANUP(outfile_discard_at) OutFile *file = NULL;
    TRY_PREFIX(outfile_open(&file, path), "%s %s cannot be written", output->what, output->path);
    return OK;
}

// Whether `folder` is one that the command makes before it writes into it.
static bool is_made(const Outputs *outputs, const char *folder) {
    for (size_t i = 0; i < outputs->count; i++)
        if (outputs->items[i].kind == OUTPUT_FOLDER && strcmp(outputs->items[i].place, folder) == 0)
            return true;
    return false;
}

static Status check_new_file(const Outputs *outputs, const OutputPath *output) {
    const size_t length = strlen(output->path);
    if (length == 0 || output->path[length - 1] == '/')
        return fail(output, "a file needs a name");
    if (access(output->path, F_OK) != 0 && errno != ENOENT)
        return fail(output, strerror(errno));
    CLEANUP(mem_free_at) char *folder = mem_copy_string(output->place);
    *strrchr(folder, '/') = '\0';
    if (folder[0] == '\0' || access(folder, F_OK) == 0)
        return try_beside(output, output->place);
    if (is_made(outputs, folder))
        return OK;
    return error_set(ERR_IO, "%s %s cannot be written: make the folder %s first", output->what,
                     output->path, folder);
}

static Status check_file(const Outputs *outputs, const OutputPath *output) {
    if (!output->is_there)
        return check_new_file(outputs, output);
    if (S_ISDIR(output->info.st_mode))
        return fail(output, "it is a folder, not a file");
    if (S_ISREG(output->info.st_mode) && output->kind == OUTPUT_FILE)
        return try_beside(output, output->path);
    // Opening a pipe would wait for its reader, and closing it would end the reader.
    if (!S_ISREG(output->info.st_mode))
        return access(output->path, W_OK) == 0 ? OK : fail(output, strerror(errno));
    const int fd = open(output->path, O_WRONLY | O_APPEND | O_CLOEXEC);
    if (fd < 0)
        return fail(output, strerror(errno));
    close(fd);
    return OK;
}

// The deepest part of the path that is there.
static char *deepest_there(const char *place) {
    struct stat info;
    char *part = mem_copy_string(place), *slash;
    while (stat(part, &info) != 0 && (errno == ENOENT || errno == ENOTDIR) &&
           (slash = strrchr(part, '/')) != NULL && slash[1] != '\0')
        slash[slash == part] = '\0';
    return part;
}

// Other folders can be made if the deepest one that is there can be written to.
static Status check_folder(const OutputPath *output) {
    struct stat info;
    if (output->path[0] == '\0')
        return fail(output, "a folder needs a name");
    CLEANUP(str_free) Str probe = {0};
    CLEANUP(mem_free_at) char *folder = deepest_there(output->place);
    str_addf(&probe, "%s/.falconer", folder);
    if (stat(folder, &info) != 0)
        return fail(output, strerror(errno));
    if (!S_ISDIR(info.st_mode))
        return error_set(ERR_IO, "%s %s cannot be written: %s is a file, not a folder",
                         output->what, output->path,
                         strcmp(folder, output->place) == 0 ? "it" : folder);
    return try_beside(output, str_text(&probe));
}

static Status check_one(const Outputs *outputs, const OutputPath *output) {
    if (output->is_input || output->kind == OUTPUT_MEMBER)
        return OK;
    return output->kind == OUTPUT_FOLDER ? check_folder(output) : check_file(outputs, output);
}

Status outputs_check(const Outputs *outputs) {
    // Each with those before it; inputs may come twice.
    for (size_t i = 0; i < outputs->count; i++)
        for (size_t j = 0; j < i; j++) {
            const OutputPath *a = &outputs->items[i], *b = &outputs->items[j];
            if (!a->is_input || !b->is_input)
                TRY(a->is_input ? compare(b, a) : compare(a, b));
        }
    for (size_t i = 0; i < outputs->count; i++)
        TRY(check_one(outputs, &outputs->items[i]));
    return OK;
}
