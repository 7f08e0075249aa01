// SPDX-License-Identifier: GPL-3.0-or-later
#include "fitness/played_set.h"

#include "base/hash.h"
#include "base/mem.h"
#include "chess/epd_file.h"
#include "chess/movegen.h"
#include "data/seen.h"

#include <inttypes.h>
#include <stdlib.h>

static Status take_record(void *context, const Epd *epd, StrView line, uint64_t number) {
    (void)number;
    PlayedSet *set = context;
    MoveList played = {0}, predicted = {0};
    Status status = epd_get_moves(epd, "sm", &played);
    if (status == OK)
        status = epd_get_moves(epd, "pm", &predicted);
    if (status == OK && played.count == 0)
        status = error_set(ERR_PARSE, "there is no `sm`, the move that was played");
    if (status == OK && played.count > 1)
        status = error_set(ERR_PARSE, "`sm` names %zu moves", played.count);
    if (status != OK)
        return status;
    set->hash = hash_bytes(hash_bytes(set->hash, line.text, line.length), "\n", 1);
    set->totals.lines++;
    if (movegen_count(&epd->pos) == 1) {
        set->totals.forced++;
        return OK;
    }
    set->items = vec_grow(set->items, &set->capacity, set->count + 1, sizeof *set->items);
    const Move guess = predicted.count > 0 ? predicted.moves[0] : MOVE_NONE;
    set->items[set->count++] = (PlayedItem){epd->pos, played.moves[0], guess, false};
    set->totals.used++;
    set->totals.predicted += guess != MOVE_NONE;
    return OK;
}

Status played_set_load(PlayedSet *out, const char *path) {
    *out = (PlayedSet){.hash = HASH_START};
    Status status = epd_read_file(path, take_record, out);
    if (status == OK && out->count == 0)
        status = error_set(
            ERR_ARG, "%s: no position is left of %" PRIu64 " (%" PRIu64 " with one legal move)",
            path, out->totals.lines, out->totals.forced);
    if (status != OK)
        played_set_free(out);
    return status;
}

// Whose position was seen first.
enum { PLACE_OTHER = 1, PLACE_SET };

Status played_set_compare(PlayedSet *set, const PlayedSet *other, size_t *shared) {
    SeenTable *seen = seen_create();
    SeenAnswer answer;
    uint32_t first;
    Status status = OK;
    *shared = 0;
    for (size_t i = 0; i < other->count && status == OK; i++)
        status = seen_add(seen, other->items[i].pos.key, 0, PLACE_OTHER, &answer, &first);
    for (size_t i = 0; i < set->count && status == OK; i++) {
        status = seen_add(seen, set->items[i].pos.key, 0, PLACE_SET, &answer, &first);
        set->items[i].is_in_other = answer != SEEN_NEVER && first == PLACE_OTHER;
        *shared += set->items[i].is_in_other;
    }
    seen_destroy(seen);
    return status;
}

Status played_set_leave_out(PlayedSet *set, const PlayedSet *other) {
    size_t shared, kept = 0;
    const Status status = played_set_compare(set, other, &shared);
    if (status != OK)
        return status;
    if (shared == set->count)
        return error_set(ERR_ARG, "no position is left: all %zu are in the other set too", shared);
    for (size_t i = 0; i < set->count; i++)
        if (!set->items[i].is_in_other)
            set->items[kept++] = set->items[i];
    set->count = kept;
    set->totals.used -= shared;
    set->totals.shared += shared;
    return OK;
}

void played_set_free(PlayedSet *set) {
    free(set->items);
    *set = (PlayedSet){0};
}
