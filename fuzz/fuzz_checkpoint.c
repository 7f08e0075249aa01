// SPDX-License-Identifier: GPL-3.0-or-later
// A checkpoint that is read makes the same bytes when it is written; what is in it for evolution is
// taken whole or refused. The checksums are mended first, or nothing would get past them.
#include "base/hash.h"
#include "evolve/algorithm.h"
#include "fuzz/fuzz.h"
#include "run/files/checkpoint.h"

#include <string.h>
#include <unistd.h>

enum { HASH_LENGTH = 8, SMALL = 4 };

static char directory[48];

static void remove_directory(void) {
    char path[128];
    static const char *const names[] = {"checkpoint", "checkpoint.previous"};
    for (size_t i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/%s", directory, names[i]);
        unlink(path);
    }
    rmdir(directory);
}

static void write_file(const char *name, const char *bytes, size_t size) {
    char path[128];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    // Not by file_write, which waits for the disk.
    FILE *file = fopen(path, "wb");
    MUST_HOLD(file != NULL && fwrite(bytes, 1, size, file) == size && fclose(file) == 0);
}

// Puts the right checksum at the end.
static void mend(char *bytes, size_t size) {
    Str hash = {0};
    if (size < HASH_LENGTH)
        return;
    bytes_add_u64(&hash, hash_bytes(HASH_START, bytes, size - HASH_LENGTH));
    memcpy(bytes + size - HASH_LENGTH, hash.text, HASH_LENGTH);
    str_free(&hash);
}

static void check_same_bytes(const Checkpoint *checkpoint) {
    Checkpoint again;
    MUST_HOLD(checkpoint_save(checkpoint, directory) == OK);
    MUST_HOLD(checkpoint_load(&again, directory, false) == OK);
    MUST_HOLD(again.generation == checkpoint->generation);
    MUST_HOLD(again.is_finished == checkpoint->is_finished);
    MUST_HOLD(again.best_count == checkpoint->best_count);
    MUST_HOLD(again.evolver.length == checkpoint->evolver.length);
    MUST_HOLD(again.evolver.length == 0 ||
              memcmp(again.evolver.text, checkpoint->evolver.text, again.evolver.length) == 0);
    checkpoint_free(&again);
}

// Small evolutions of every algorithm, into which the bytes may fit.
static void try_evolvers(Str *bytes) {
    static const EvolveParameter parameters[SMALL] = {
        {"a", 0, 15, 4}, {"b", 0, 15, 4}, {"c", -4, 3, 3}, {"d", 2, 2, 0}};
    mend(bytes->text, bytes->length);
    for (size_t i = 0; evolve_algorithms[i] != NULL; i++) {
        EvolveSetup setup = {.space = {parameters, SMALL, EVOLVE_GRAY, true},
                             .config = evolve_config_default(evolve_algorithms[i]),
                             .seed = 1};
        Evolver *evolver;
        MUST_HOLD(evolve_config_set(&setup.config, "population", "8") == OK);
        if (evolver_load(&evolver, &setup, view_of(str_text(bytes), bytes->length)) != OK)
            continue;
        const EvolveBatch batch = evolver_ask(evolver);
        int64_t *scores = calloc(batch.count + 1, sizeof *scores);
        MUST_HOLD(batch.width == SMALL);
        for (size_t k = 0; k < batch.count; k++)
            scores[k] = -(int64_t)batch.parameters[k * SMALL];
        if (!evolver_wants_meetings(evolver))
            MUST_HOLD(evolver_tell(evolver, scores) == OK || error_message()[0] != '\0');
        free(scores);
        evolver_destroy(evolver);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static int is_ready;
    Checkpoint checkpoint;
    Str bytes = {0};
    if (!is_ready) {
        // In memory where that can be had: a checkpoint waits for its disk.
        snprintf(directory, sizeof directory, "%s/falconer-fuzz-XXXXXX",
                 access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
        MUST_HOLD(mkdtemp(directory) != NULL);
        MUST_HOLD(atexit(remove_directory) == 0);
        is_ready = 1;
    }
    str_append(&bytes, (const char *)data, size);
    mend(bytes.text, bytes.length);
    write_file("checkpoint", str_text(&bytes), bytes.length);
    if (checkpoint_load(&checkpoint, directory, false) == OK) {
        check_same_bytes(&checkpoint);
        try_evolvers(&checkpoint.evolver);
        checkpoint_free(&checkpoint);
    } else {
        MUST_HOLD(strstr(error_message(), "checkpoint") != NULL);
    }
    str_free(&bytes);
    return 0;
}
