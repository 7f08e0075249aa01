// SPDX-License-Identifier: GPL-3.0-or-later
// Trees that do not fit the memory, in a file without a name, which is gone with the process. Each
// chunk has a slot there, in the order in which chunks were first written: that is the order in
// which they are read, so what comes after a slot is asked for while the chunk in it is judged.
#include "fitness/moves/forest_spill.h"

#include "base/mem.h"
#include "base/str.h"
#include "fitness/moves/forest_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum {
    SLOT_UNIT = 4096, // a page of most systems
    AHEAD = 4,        // slots that are asked for before they are read
};

struct ForestSpill {
    Str folder;
    pthread_mutex_t lock;
    int fd;       // -1 until something is written
    uint64_t end; // of the last slot
};

ForestSpill *forest_spill_new(const char *folder) {
    ForestSpill *spill = mem_alloc(sizeof *spill);
    *spill = (ForestSpill){.fd = -1};
    str_add(&spill->folder, folder);
    pthread_mutex_init(&spill->lock, NULL);
    return spill;
}

void forest_spill_free(ForestSpill *spill) {
    if (spill == NULL)
        return;
    if (spill->fd >= 0)
        close(spill->fd);
    pthread_mutex_destroy(&spill->lock);
    str_free(&spill->folder);
    free(spill);
}

uint64_t forest_stored(const Forest *forest) {
    return forest->spill == NULL ? 0 : forest->spill->end;
}

const char *forest_spill_folder(void) {
    const char *folder = getenv("TMPDIR");
    return folder != NULL && folder[0] != '\0' ? folder : "/var/tmp";
}

static uint64_t expected_bytes(const Forest *forest) {
    const uint64_t bytes = atomic_load(forest->bytes), chunks = atomic_load(forest->begun);
    return forest_final_bytes(bytes / (chunks > 0 ? chunks : 1) * forest->chunk_count);
}

// Refuses to begin what the disk has no room for.
static Status check_room(const Forest *forest) {
    const ForestSpill *spill = forest->spill;
    const uint64_t all = expected_bytes(forest);
    const uint64_t needed = all > forest->max_bytes ? all - forest->max_bytes : 0;
    struct statvfs disk;
    if (statvfs(str_text(&spill->folder), &disk) != 0)
        return error_set(ERR_IO, "%s: %s", str_text(&spill->folder), strerror(errno));
    const uint64_t room = (uint64_t)disk.f_bavail * disk.f_frsize;
    if (room >= needed)
        return OK;
    return error_set(ERR_LIMIT,
                     "the trees will take about %" PRIu64 " MB, of which memory holds %zu and %s "
                     "has room for %" PRIu64 ": free some, name another folder in TMPDIR, raise "
                     "max-memory or take fewer positions",
                     all >> 20, forest->max_bytes >> 20, str_text(&spill->folder), room >> 20);
}

static Status open_file(const Forest *forest) {
    ForestSpill *spill = forest->spill;
    CLEANUP(str_free) Str name = {0};
    if (spill->fd >= 0)
        return OK;
    TRY(check_room(forest));
    spill->fd = open(str_text(&spill->folder), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (spill->fd >= 0)
        return OK;
    // Not every file system has files without a name from the start.
    str_addf(&name, "%s/falconer-trees-XXXXXX", str_text(&spill->folder));
    spill->fd = mkostemp(name.text, O_CLOEXEC);
    if (spill->fd < 0)
        return error_set(ERR_IO, "%s: cannot write trees that do not fit the memory: %s",
                         str_text(&spill->folder), strerror(errno));
    unlink(name.text);
    return OK;
}

// A slot in which the chunk fits, with room to grow.
static Status find_slot(const Forest *forest, ForestSlot *slot, size_t length) {
    ForestSpill *spill = forest->spill;
    const size_t room = (length + length / 4 + SLOT_UNIT) / SLOT_UNIT * SLOT_UNIT;
    pthread_mutex_lock(&spill->lock);
    const Status status = open_file(forest);
    if (status == OK) {
        // The old one is given back, where the file system can.
        if (slot->room > 0)
            (void)fallocate(spill->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, slot->at,
                            (off_t)slot->room);
        *slot = (ForestSlot){.at = (off_t)spill->end, .room = room};
        spill->end += room;
    }
    pthread_mutex_unlock(&spill->lock);
    return status;
}

Status forest_spill_put(const Forest *forest, ForestChunk *chunk) {
    ForestSlot *slot = &chunk->slot;
    // What has not grown differs in the order of moves alone.
    if (slot->length == chunk->count)
        return OK;
    if (chunk->count > slot->room)
        TRY(find_slot(forest, slot, chunk->count));
    slot->length = 0;
    for (size_t done = 0; done < chunk->count;) {
        const ssize_t wrote = pwrite(forest->spill->fd, chunk->bytes + done, chunk->count - done,
                                     slot->at + (off_t)done);
        if (wrote < 0 && errno != EINTR)
            return error_set(ERR_IO, "%s: cannot write trees that do not fit the memory: %s",
                             str_text(&forest->spill->folder), strerror(errno));
        done += wrote > 0 ? (size_t)wrote : 0;
    }
    slot->length = chunk->count;
    return OK;
}

static Status read_slot(const ForestSpill *spill, const ForestSlot *slot, uint8_t *bytes) {
    for (size_t done = 0; done < slot->length;) {
        const ssize_t got =
            pread(spill->fd, bytes + done, slot->length - done, slot->at + (off_t)done);
        if (got == 0 || (got < 0 && errno != EINTR))
            return error_set(ERR_IO, "%s: cannot read trees that did not fit the memory: %s",
                             str_text(&spill->folder),
                             got == 0 ? "they end early" : strerror(errno));
        done += got > 0 ? (size_t)got : 0;
    }
    return OK;
}

Status forest_spill_get(const Forest *forest, ForestChunk *chunk) {
    const ForestSpill *spill = forest->spill;
    const ForestSlot *slot = &chunk->slot;
    const size_t capacity = slot->length + slot->length / 16 + 1024;
    CLEANUP(mem_free_at) uint8_t *bytes = mem_alloc(capacity);
    TRY(read_slot(spill, slot, bytes));
    (void)posix_fadvise(spill->fd, slot->at + (off_t)slot->room, (off_t)(AHEAD * slot->room),
                        POSIX_FADV_WILLNEED);
    chunk->bytes = TAKE(bytes);
    chunk->capacity = capacity;
    atomic_fetch_add(forest->bytes, capacity);
    return OK;
}
