// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/files/checkpoint.h"

#include "base/bytes.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/mem.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char magic[] = "falconer checkpoint\n";
enum { MAGIC_LENGTH = sizeof magic - 1, HASH_LENGTH = 8, SIZE_MOST = 1 << 30 };

static Str path_of(const char *directory, bool previous) {
    Str path = {0};
    str_addf(&path, "%s/checkpoint%s", directory, previous ? ".previous" : "");
    return path;
}

bool checkpoint_is_valid(const Checkpoint *checkpoint) {
    return (checkpoint->best_count == 0 || checkpoint->best != NULL) &&
           (!checkpoint->is_finished || checkpoint->best_count > 0);
}

void checkpoint_free(Checkpoint *checkpoint) {
    free(checkpoint->best);
    str_free(&checkpoint->evolver);
    *checkpoint = (Checkpoint){0};
}

static void write_bytes(const Checkpoint *checkpoint, Str *out) {
    str_append(out, magic, MAGIC_LENGTH);
    bytes_add_u32(out, CHECKPOINT_VERSION);
    bytes_add_u64(out, checkpoint->fingerprint);
    bytes_add_u64(out, checkpoint->log_length);
    bytes_add_u32(out, checkpoint->generation);
    bytes_add_u8(out, checkpoint->is_finished);
    bytes_add_i64(out, checkpoint->best_sample_score);
    bytes_add_u64(out, checkpoint->best_count);
    bytes_add_doubles(out, checkpoint->best, checkpoint->best_count);
    bytes_add_u64(out, checkpoint->evolver.length);
    str_append(out, str_text(&checkpoint->evolver), checkpoint->evolver.length);
    bytes_add_u64(out, hash_bytes(HASH_START, out->text, out->length));
}

static Status copy_file(const char *from, const char *to) {
    CLEANUP(str_free) Str text = {0};
    TRY(file_read(from, SIZE_MOST, &text));
    return file_write(to, text.text, text.length);
}

// Gives the last checkpoint a second name, so that at no moment there is none.
static Status keep_previous(const char *path, const char *previous) {
    if (access(path, F_OK) != 0)
        return OK;
    if (unlink(previous) != 0 && errno != ENOENT)
        return error_set(ERR_IO, "%s: %s", previous, strerror(errno));
    // Some file systems have one name for a file.
    return link(path, previous) == 0 ? OK : copy_file(path, previous);
}

Status checkpoint_save(const Checkpoint *checkpoint, const char *directory) {
    CLEANUP(str_free) Str path = path_of(directory, false);
    CLEANUP(str_free) Str previous = path_of(directory, true);
    CLEANUP(str_free) Str bytes = {0};
    assert(checkpoint_is_valid(checkpoint));
    write_bytes(checkpoint, &bytes);
    TRY(keep_previous(str_text(&path), str_text(&previous)));
    return file_write(str_text(&path), bytes.text, bytes.length);
}

static Status check_frame(StrView *bytes) {
    if (bytes->length < MAGIC_LENGTH || memcmp(bytes->text, magic, MAGIC_LENGTH) != 0)
        return error_set(ERR_PARSE, "not a checkpoint");
    ByteReader version = {.rest =
                              view_of(bytes->text + MAGIC_LENGTH, bytes->length - MAGIC_LENGTH)};
    const uint32_t number = bytes_u32(&version);
    if (version.failed || bytes->length < MAGIC_LENGTH + HASH_LENGTH)
        return error_set(ERR_PARSE, "damaged: it ends too soon");
    if (number != CHECKPOINT_VERSION)
        return error_set(ERR_PARSE,
                         "a checkpoint of version %u, where this program reads version %d", number,
                         CHECKPOINT_VERSION);
    const size_t length = bytes->length - HASH_LENGTH;
    ByteReader hash = {.rest = view_of(bytes->text + length, HASH_LENGTH)};
    if (bytes_u64(&hash) != hash_bytes(HASH_START, bytes->text, length))
        return error_set(ERR_PARSE, "damaged: its checksum is wrong");
    *bytes = view_of(version.rest.text, length - (size_t)(version.rest.text - bytes->text));
    return OK;
}

static Status read_bytes(StrView bytes, Checkpoint *out) {
    TRY(check_frame(&bytes));
    ByteReader in = {.rest = bytes};
    out->fingerprint = bytes_u64(&in);
    out->log_length = bytes_u64(&in);
    out->generation = bytes_u32(&in);
    out->is_finished = bytes_u8(&in) != 0;
    out->best_sample_score = bytes_i64(&in);
    out->best_count = bytes_u64(&in);
    if (in.failed || out->best_count > in.rest.length / sizeof(double))
        return error_set(ERR_PARSE, "damaged: it ends too soon");
    out->best = mem_alloc_zero(out->best_count + 1, sizeof *out->best);
    bytes_doubles(&in, out->best, out->best_count);
    const uint64_t length = bytes_u64(&in);
    if (in.failed || length != in.rest.length)
        return error_set(ERR_PARSE, "damaged: its parts do not fit");
    str_append(&out->evolver, in.rest.text, length);
    return checkpoint_is_valid(out) ? OK : error_set(ERR_PARSE, "damaged: its parts do not fit");
}

Status checkpoint_load(Checkpoint *out, const char *directory, bool previous) {
    CLEANUP(str_free) Str path = path_of(directory, previous);
    CLEANUP(str_free) Str text = {0};
    CLEANUP(checkpoint_free) Checkpoint found = {0};
    *out = (Checkpoint){0};
    TRY(file_read(str_text(&path), SIZE_MOST, &text));
    TRY_PREFIX(read_bytes(view_of(str_text(&text), text.length), &found), "%s", str_text(&path));
    *out = found;
    found = (Checkpoint){0};
    return OK;
}

Status checkpoint_restore(const char *directory) {
    CLEANUP(str_free) Str path = path_of(directory, false);
    CLEANUP(str_free) Str previous = path_of(directory, true);
    return rename(str_text(&previous), str_text(&path)) == 0
               ? OK
               : error_set(ERR_IO, "%s: %s", str_text(&previous), strerror(errno));
}

bool checkpoint_exists(const char *directory, bool previous) {
    CLEANUP(str_free) Str path = path_of(directory, previous);
    return access(str_text(&path), F_OK) == 0;
}
