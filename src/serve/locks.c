// SPDX-License-Identifier: GPL-3.0-or-later
#include "serve/locks.h"

#include "base/error.h"
#include "base/file.h"
#include "base/mem.h"

#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>

// "12: FLOCK  ADVISORY  WRITE 4711 fe:01:262187 0 EOF". The device is left out of the comparison:
// some file systems tell another one here than stat does.
void locks_read(Locks *locks) {
    CLEANUP(file_close_at) FILE *file = fopen("/proc/locks", "re");
    char line[256];
    struct Lock lock;
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "%*s FLOCK %*s WRITE %d %*[0-9a-f]:%*[0-9a-f]:%" SCNu64, &lock.holder,
                   &lock.file) == 2)
            MEM_ADD(locks->locks, locks->count, locks->capacity) = lock;
}

void locks_free(Locks *locks) {
    free(locks->locks);
    *locks = (Locks){0};
}

// By any process where `process` is 0.
static bool is_held(const Locks *locks, const char *folder, int process) {
    struct stat info;
    if (locks->count == 0 || stat(folder, &info) != 0)
        return false;
    for (size_t i = 0; i < locks->count; i++)
        if (locks->locks[i].file == (uint64_t)info.st_ino &&
            (process == 0 || locks->locks[i].holder == process))
            return true;
    return false;
}

bool locks_hold(const Locks *locks, const char *folder) {
    return is_held(locks, folder, 0);
}

bool locks_hold_by(const Locks *locks, const char *folder, int process) {
    return is_held(locks, folder, process);
}

bool locks_hold_parent(const Locks *locks, const char *folder) {
    CLEANUP(str_free) Str parent = {0};
    str_addf(&parent, "%s/..", folder);
    return locks_hold(locks, str_text(&parent));
}
