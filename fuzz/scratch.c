// SPDX-License-Identifier: GPL-3.0-or-later
#include "fuzz/scratch.h"

#include <errno.h>
#include <ftw.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_SIZE = 256, DEPTH_MAX = 8 };

static char folder[48];

static int remove_entry(const char *path, const struct stat *info, int kind, struct FTW *where) {
    (void)info, (void)kind, (void)where;
    return remove(path);
}

static void remove_folder(void) {
    nftw(folder, remove_entry, DEPTH_MAX, FTW_DEPTH | FTW_PHYS);
}

const char *scratch_folder(void) {
    if (folder[0] == '\0') {
        snprintf(folder, sizeof folder, "%s/falconer-fuzz-XXXXXX",
                 access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
        MUST_HOLD(mkdtemp(folder) != NULL);
        MUST_HOLD(atexit(remove_folder) == 0);
    }
    return folder;
}

static void path_of(const char *name, char path[PATH_SIZE]) {
    const int length = snprintf(path, PATH_SIZE, "%s/%s", scratch_folder(), name);
    MUST_HOLD(length > 0 && length < PATH_SIZE);
}

static void make_folders(char *path) {
    for (char *slash = path + strlen(folder) + 1; (slash = strchr(slash, '/')) != NULL; slash++) {
        *slash = '\0';
        MUST_HOLD(mkdir(path, 0777) == 0 || errno == EEXIST);
        *slash = '/';
    }
}

void scratch_write(const char *name, StrView bytes) {
    char path[PATH_SIZE];
    path_of(name, path);
    make_folders(path);
    FILE *file = fopen(path, "wb");
    MUST_HOLD(file != NULL);
    MUST_HOLD(bytes.length == 0 || fwrite(bytes.text, 1, bytes.length, file) == bytes.length);
    MUST_HOLD(fclose(file) == 0);
}

void scratch_remove(const char *name) {
    char path[PATH_SIZE];
    path_of(name, path);
    MUST_HOLD(unlink(path) == 0 || errno == ENOENT);
}

bool scratch_read(const char *name, Str *out) {
    char path[PATH_SIZE], block[BUFSIZ];
    path_of(name, path);
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return false;
    for (size_t got; (got = fread(block, 1, sizeof block, file)) > 0;)
        str_append(out, block, got);
    fclose(file);
    return true;
}

bool scratch_next_part(StrView *rest, StrView *part) {
    static const char mark[] = "====\n";
    if (rest->text == NULL)
        return false;
    const char *end = memmem(rest->text, rest->length, mark, sizeof mark - 1);
    *part = view_of(rest->text, end == NULL ? rest->length : (size_t)(end - rest->text));
    const size_t used = part->length + sizeof mark - 1;
    *rest = end == NULL ? view_of(NULL, 0) : view_of(rest->text + used, rest->length - used);
    return true;
}

void scratch_write_parts(StrView input, const char *const *names, size_t count) {
    StrView part;
    for (size_t i = 0; i < count; i++) {
        if (scratch_next_part(&input, &part))
            scratch_write(names[i], part);
        else
            scratch_remove(names[i]);
    }
}
