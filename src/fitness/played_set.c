// SPDX-License-Identifier: GPL-3.0-or-later
#include "fitness/played_set.h"

#include "base/hash.h"
#include "base/mem.h"
#include "chess/epd_file.h"
#include "chess/movegen.h"

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
    set->items[set->count++] = (PlayedItem){epd->pos, played.moves[0], guess};
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

void played_set_free(PlayedSet *set) {
    free(set->items);
    *set = (PlayedSet){0};
}
