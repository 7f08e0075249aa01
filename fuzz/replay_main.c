// SPDX-License-Identifier: GPL-3.0-or-later
// Feeds files, and all files of directories, to a fuzz target without a fuzzer: one test in TAP for
// each.
#include "base/mem.h"
#include "fuzz/fuzz.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>

static unsigned tests, failures;

static void tell(const char *path, bool is_good, const char *why) {
    tests++;
    failures += !is_good;
    printf("%s %u - %s%s%s\n", is_good ? "ok" : "not ok", tests, path, why == NULL ? "" : ": ",
           why == NULL ? "" : why);
    fflush(stdout);
}

static void replay_file(const char *path) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        tell(path, false, strerror(errno));
        return;
    }
    uint8_t *data = NULL;
    size_t size = 0, capacity = 0;
    for (size_t got = 1; got > 0; size += got) {
        data = mem_grow(data, &capacity, size + BUFSIZ, 1);
        got = fread(data + size, 1, BUFSIZ, file);
    }
    fclose(file);
    // Exactly as long as the input, so that a read beyond it is seen.
    uint8_t *exact = mem_alloc(size + 1);
    uint8_t *input = exact + 1;
    memcpy(input, data, size);
    free(data);
    LLVMFuzzerTestOneInput(input, size);
    free(exact);
    tell(path, true, NULL);
}

static void replay_directory(const char *path) {
    struct dirent **entries;
    int count = scandir(path, &entries, NULL, alphasort);
    if (count <= 2)
        tell(path, false, "no files");
    for (int i = 0; i < count; i++) {
        if (entries[i]->d_name[0] != '.') {
            char file[4096];
            snprintf(file, sizeof file, "%s/%s", path, entries[i]->d_name);
            replay_file(file);
        }
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
}

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        struct stat info;
        if (stat(argv[i], &info) == 0 && S_ISDIR(info.st_mode))
            replay_directory(argv[i]);
        else
            replay_file(argv[i]);
    }
    printf("1..%u\n", tests);
    return failures == 0 && tests > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
